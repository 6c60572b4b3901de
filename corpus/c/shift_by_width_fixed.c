// Cuts the low bits out of a word. A field as wide as the word is the word.
#include <assert.h>

extern unsigned __VERIFIER_nondet_uint(void);
extern _Bool __VERIFIER_nondet_bool(void);
extern void __VERIFIER_assume(int);

static unsigned low_bits(unsigned word, unsigned width) {
  if (width >= 32) {
    return word;
  }
  unsigned mask = (1u << width) - 1;
  return word & mask;
}

int main(void) {
  unsigned word = __VERIFIER_nondet_bool() ? 0xffffffffu : 0x12345678u;
  unsigned width = __VERIFIER_nondet_uint();
  __VERIFIER_assume(width >= 1 && width <= 32);
  unsigned field = low_bits(word, width);
  assert((field & ~word) == 0);
  return 0;
}
