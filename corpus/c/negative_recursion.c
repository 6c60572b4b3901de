// Powers of two by recursion. It stops at 0 only: a negative exponent goes
// down without end.
#include <assert.h>

extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);

static int depth;

static int power(int exponent) {
  if (exponent == 0) {
    return 1;
  }
  depth++;
  assert(depth <= 6);
  int half = power(exponent - 1);
  depth--;
  return 2 * half;
}

int main(void) {
  int exponent = __VERIFIER_nondet_int();
  __VERIFIER_assume(exponent >= -3 && exponent <= 6);
  int result = power(exponent);
  assert(depth == 0);
  assert(result >= 1 && result <= 64);
  return 0;
}
