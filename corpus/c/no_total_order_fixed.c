// Orders measurements.
#include <assert.h>

extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);

static int compare(int left, int right) {
  return (left > right) - (left < right);
}

static int any(void) {
  int value = __VERIFIER_nondet_int();
  __VERIFIER_assume(value >= -4 && value <= 4);
  return value;
}

int main(void) {
  int a = any();
  int b = any();
  int c = any();
  assert(compare(a, b) == -compare(b, a));
  if (compare(a, b) <= 0 && compare(b, c) <= 0) {
    assert(compare(a, c) <= 0);
  }
  if (compare(a, b) == 0 && compare(b, c) == 0) {
    assert(compare(a, c) == 0);
  }
  return 0;
}
