// Adds up twos. No loop bound is small enough to be tried out, and none has to be.
//
// Question: is the sum always twice the number of rounds?
// Answer:   yes.  recurva check examples/c/sum.c --certificate sum.proof.json

#include <assert.h>

extern unsigned __VERIFIER_nondet_uint(void);

int main(void) {
  unsigned rounds = __VERIFIER_nondet_uint();
  if (rounds > 1000000) {
    return 1;
  }
  unsigned sum = 0;
  unsigned i = 0;
  while (i < rounds) {
    sum += 2;
    i++;
  }
  assert(sum == 2 * rounds);
  return 0;
}
