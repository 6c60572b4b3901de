// Clears a table of secrets after use.
#include <assert.h>
#include <string.h>

extern unsigned char __VERIFIER_nondet_uchar(void);
extern void __VERIFIER_assume(int);

#define COUNT 4

static void wipe(int *secrets, size_t count) {
  memset(secrets, 0, count * sizeof secrets[0]);
}

int main(void) {
  int secrets[COUNT];
  for (int i = 0; i < COUNT; i++) {
    unsigned char secret = __VERIFIER_nondet_uchar();
    __VERIFIER_assume(secret <= 1);
    secrets[i] = secret;
  }
  wipe(secrets, COUNT);
  for (int i = 0; i < COUNT; i++) {
    assert(secrets[i] == 0);
  }
  return 0;
}
