// Even and odd by mutual recursion. 0 is odd by mistake, so the answer is wrong
// for odd numbers.
#include <assert.h>

extern unsigned char __VERIFIER_nondet_uchar(void);
extern void __VERIFIER_assume(int);

static int is_odd(unsigned char number);

static int is_even(unsigned char number) {
  if (number == 0) {
    return 1;
  }
  return is_odd(number - 1);
}

static int is_odd(unsigned char number) {
  if (number == 0) {
    return 1;
  }
  return is_even(number - 1);
}

int main(void) {
  unsigned char number = __VERIFIER_nondet_uchar();
  __VERIFIER_assume(number <= 20);
  assert(is_even(number) == (number % 2 == 0));
  return 0;
}
