// Clears a table of secrets after use. The size is that of the pointer and not
// of the array, so the last ones stay.
#include <assert.h>
#include <string.h>

extern unsigned char __VERIFIER_nondet_uchar(void);
extern void __VERIFIER_assume(int);

#define COUNT 4

static void wipe(int *secrets) {
  memset(secrets, 0, sizeof(secrets));
}

int main(void) {
  int secrets[COUNT];
  for (int i = 0; i < COUNT; i++) {
    unsigned char secret = __VERIFIER_nondet_uchar();
    __VERIFIER_assume(secret <= 1);
    secrets[i] = secret;
  }
  wipe(secrets);
  for (int i = 0; i < COUNT; i++) {
    assert(secrets[i] == 0);
  }
  return 0;
}
