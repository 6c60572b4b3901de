// Fills the first bytes of a buffer of eight. The size is kept in an unsigned
// char for the check: 256 becomes 0 and passes.

extern unsigned __VERIFIER_nondet_uint(void);
extern void __VERIFIER_assume(int);

#define CAPACITY 8

static unsigned char buffer[CAPACITY];

static int fill(unsigned size) {
  unsigned char checked = size;
  if (checked > CAPACITY) {
    return -1;
  }
  for (unsigned i = 0; i < size; i++) {
    buffer[i] = 0xff;
  }
  return 0;
}

int main(void) {
  unsigned size = __VERIFIER_nondet_uint();
  __VERIFIER_assume(size <= 260);
  if (fill(size) < 0) {
    return 1;
  }
  return buffer[0] == 0xff || size == 0 ? 0 : 1;
}
