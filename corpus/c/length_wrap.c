// Clears a part of a buffer. The sum in the check wraps around, so a large
// offset or length passes.
#include <limits.h>

extern unsigned __VERIFIER_nondet_uint(void);
extern void __VERIFIER_assume(int);

#define SIZE 8u

static unsigned char buffer[SIZE];

static int clear(unsigned offset, unsigned length) {
  if (offset + length > SIZE) {
    return -1;
  }
  for (unsigned i = 0; i < length; i++) {
    buffer[offset + i] = 0;
  }
  return 0;
}

int main(void) {
  unsigned offset = __VERIFIER_nondet_uint();
  unsigned length = __VERIFIER_nondet_uint();
  __VERIFIER_assume(offset <= SIZE || offset >= UINT_MAX - SIZE);
  __VERIFIER_assume(length <= SIZE || length >= UINT_MAX - SIZE);
  return clear(offset, length) == 0 ? 0 : 1;
}
