// Reads one option. The flag has a value before the option is looked at.

extern char __VERIFIER_nondet_char(void);

static int lines;

static void report(char option) {
  int is_verbose = 0;
  if (option == 'v') {
    is_verbose = 1;
  } else if (option == 'q') {
    is_verbose = 0;
  }
  lines = 1;
  if (is_verbose) {
    lines = 3;
  }
}

int main(void) {
  char option = __VERIFIER_nondet_char();
  report(option);
  return lines;
}
