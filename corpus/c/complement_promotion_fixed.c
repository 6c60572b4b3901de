// A packet carries a byte and its complement, which is taken as a byte.
#include <assert.h>

extern unsigned char __VERIFIER_nondet_uchar(void);

struct packet {
  unsigned char command;
  unsigned char inverse;
};

static int is_valid(const struct packet *packet) {
  return packet->inverse == (unsigned char)~packet->command;
}

int main(void) {
  struct packet packet;
  packet.command = __VERIFIER_nondet_uchar();
  packet.inverse = packet.command ^ 0xff;
  assert(is_valid(&packet));
  packet.inverse = packet.command;
  assert(!is_valid(&packet));
  return 0;
}
