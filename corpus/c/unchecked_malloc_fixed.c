// Duplicates a short table, if there is memory for it.
#include <stdlib.h>

extern unsigned char __VERIFIER_nondet_uchar(void);
extern _Bool __VERIFIER_nondet_bool(void);
extern void __VERIFIER_assume(int);

static void *xalloc(size_t size) {
  if (__VERIFIER_nondet_bool()) {
    return NULL;
  }
  return malloc(size);
}

static int *duplicate(const int *values, int count) {
  int *copy = xalloc((size_t)count * sizeof *copy);
  if (copy == NULL) {
    return NULL;
  }
  for (int i = 0; i < count; i++) {
    copy[i] = values[i];
  }
  return copy;
}

int main(void) {
  static const int values[4] = {2, 3, 5, 7};
  int count = __VERIFIER_nondet_uchar();
  __VERIFIER_assume(count >= 1 && count <= 4);
  int *copy = duplicate(values, count);
  if (copy == NULL) {
    return 1;
  }
  int first = copy[0];
  free(copy);
  return first == 2 ? 0 : 1;
}
