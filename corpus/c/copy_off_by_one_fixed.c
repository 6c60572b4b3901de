// Copies a string of up to five characters into a buffer of four, cut off if
// need be. One place is left for the terminator.
#include <stddef.h>

extern _Bool __VERIFIER_nondet_bool(void);

static void copy(char *target, size_t size, const char *source) {
  size_t i = 0;
  while (source[i] != '\0' && i < size - 1) {
    target[i] = source[i];
    i++;
  }
  target[i] = '\0';
}

int main(void) {
  char source[6];
  char target[4];
  for (int i = 0; i < 5; i++) {
    source[i] = __VERIFIER_nondet_bool() ? 'x' : '\0';
  }
  source[5] = '\0';
  copy(target, sizeof target, source);
  return target[0] == 'x';
}
