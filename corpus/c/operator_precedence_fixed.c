// Waits until a device is ready and without error.
#include <assert.h>

extern unsigned char __VERIFIER_nondet_uchar(void);

#define READY 0x02
#define FAILED 0x04

static int is_ready(unsigned char status) {
  return (status & (READY | FAILED)) == READY;
}

static int wait(void) {
  for (int i = 0; i < 3; i++) {
    unsigned char status = __VERIFIER_nondet_uchar();
    int is_good = status % 8 == 2 || status % 8 == 3;
    if (is_ready(status)) {
      assert(is_good);
      return 1;
    }
    assert(!is_good);
  }
  return 0;
}

int main(void) {
  return wait() ? 0 : 1;
}
