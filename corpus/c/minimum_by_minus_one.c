// Scales a reading, which saturates at INT_MIN, by a divisor. The quotient of
// INT_MIN and -1 does not fit.
#include <limits.h>

extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);

static int scale(int reading, int divisor) {
  if (divisor == 0) {
    return 0;
  }
  return reading / divisor;
}

int main(void) {
  int reading = __VERIFIER_nondet_int();
  int divisor = __VERIFIER_nondet_int();
  __VERIFIER_assume(reading <= INT_MIN + 3 || (reading >= -4 && reading <= 4));
  __VERIFIER_assume(divisor >= -2 && divisor <= 2);
  int scaled = scale(reading, divisor);
  return scaled > 0;
}
