// Doubles a number by recursion, and says so: in comments, in the notation of ACSL.
//
// Question: is what the comments say true, and does the assertion hold?
// Answer:   yes.  recurva check examples/c/twice.c

#include <assert.h>

extern int __VERIFIER_nondet_int(void);

/*@ requires 0 <= n <= 1000;
    ensures \result == 2 * n; */
static int twice(int n) {
  if (n == 0) {
    return 0;
  }
  return twice(n - 1) + 2;
}

int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < 0 || n > 1000) {
    return 1;
  }
  assert(twice(n) == n + n);
  return 0;
}
