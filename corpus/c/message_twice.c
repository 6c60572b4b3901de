// A handshake whose third message installs a key. If that message is repeated,
// the key is installed again and the counter of packets starts anew.
#include <assert.h>

extern unsigned char __VERIFIER_nondet_uchar(void);

enum state { WAITING, NEGOTIATING, CONNECTED };

static enum state state = WAITING;
static int installed;
static int answers;

static void receive(unsigned char message) {
  switch (state) {
  case WAITING:
    if (message == 1) {
      state = NEGOTIATING;
    }
    break;
  case NEGOTIATING:
  case CONNECTED:
    if (message == 3) {
      installed++;
      answers++;
      state = CONNECTED;
    }
    break;
  }
}

int main(void) {
  for (int i = 0; i < 4; i++) {
    receive(__VERIFIER_nondet_uchar());
    assert(installed <= 1);
  }
  return 0;
}
