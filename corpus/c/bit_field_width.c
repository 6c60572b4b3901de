// The header of a frame holds the number of its bytes, 1 to 8, in three bits:
// 8 becomes 0.
#include <assert.h>

extern unsigned char __VERIFIER_nondet_uchar(void);
extern void __VERIFIER_assume(int);

struct header {
  unsigned channel : 2;
  unsigned length : 3;
  unsigned is_last : 1;
};

static struct header describe(unsigned char length, unsigned char channel) {
  struct header header;
  header.channel = channel;
  header.length = length;
  header.is_last = length < 8;
  return header;
}

int main(void) {
  unsigned char length = __VERIFIER_nondet_uchar();
  unsigned char channel = __VERIFIER_nondet_uchar();
  __VERIFIER_assume(length >= 1 && length <= 8 && channel < 4);
  struct header header = describe(length, channel);
  assert(header.channel == channel);
  assert(header.length == length);
  return 0;
}
