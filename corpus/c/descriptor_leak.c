// Files are opened, their header is read, and they are closed. A file with a
// bad header stays open.
#include <assert.h>

extern unsigned char __VERIFIER_nondet_uchar(void);
extern _Bool __VERIFIER_nondet_bool(void);

static int opened;
static int closed;

static int open_file(void) {
  if (__VERIFIER_nondet_bool()) {
    return -1;
  }
  opened++;
  return 3;
}

static void close_file(int descriptor) {
  assert(descriptor >= 0);
  closed++;
}

static int load(void) {
  int descriptor = open_file();
  if (descriptor < 0) {
    return -1;
  }
  unsigned char magic = __VERIFIER_nondet_uchar();
  if (magic != 0x7f) {
    return -1;
  }
  close_file(descriptor);
  return 0;
}

int main(void) {
  for (int i = 0; i < 2; i++) {
    if (load() < 0) {
      break;
    }
  }
  assert(opened == closed);
  return 0;
}
