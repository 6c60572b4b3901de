// A motor that takes commands.
#include <assert.h>

extern unsigned char __VERIFIER_nondet_uchar(void);

enum { STOP, FASTER, SLOWER };

static int speed;

static void command(unsigned char code) {
  switch (code) {
  case STOP:
    speed = 0;
    break;
  case FASTER:
    speed++;
    break;
  case SLOWER:
    if (speed > 0) {
      speed--;
    }
    break;
  default:
    break;
  }
}

int main(void) {
  for (int i = 0; i < 3; i++) {
    unsigned char code = __VERIFIER_nondet_uchar();
    int before = speed;
    command(code);
    if (code == FASTER) {
      assert(speed == before + 1);
    }
    assert(speed >= 0);
  }
  return 0;
}
