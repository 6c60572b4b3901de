// A lock that is taken twice if the first attempt to write fails.
extern int write_block(void);
extern void reach_error(void);

static int locked = 0;

static void acquire(void) {
  if (locked)
    reach_error();
  locked = 1;
}

static void release(void) {
  locked = 0;
}

int main(void) {
  int again;
  do {
    acquire();
    again = write_block();
    if (!again)
      release();
  } while (again);
  return 0;
}
