// Orders measurements, of which two count as equal if they differ by at most
// one. That is not transitive: 1 equals 2, 2 equals 3, but 1 is less than 3.
#include <assert.h>

extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);

static int compare(int left, int right) {
  int difference = left - right;
  if (difference >= -1 && difference <= 1) {
    return 0;
  }
  return difference < 0 ? -1 : 1;
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
