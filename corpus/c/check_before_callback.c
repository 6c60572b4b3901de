// A session is sent a packet if it is open. Between the check and the packet a
// callback runs, which may close the session.
#include <assert.h>

extern _Bool __VERIFIER_nondet_bool(void);

struct session {
  int is_open;
  int sent;
};

static void keep(struct session *session) {
  session->sent = 0;
}

static void hang_up(struct session *session) {
  session->is_open = 0;
}

static void transmit(struct session *session) {
  assert(session->is_open);
  session->sent++;
}

static void deliver(struct session *session, void (*prepare)(struct session *)) {
  if (!session->is_open) {
    return;
  }
  prepare(session);
  transmit(session);
}

int main(void) {
  struct session session = {1, 0};
  for (int i = 0; i < 2; i++) {
    deliver(&session, __VERIFIER_nondet_bool() ? keep : hang_up);
  }
  return session.sent;
}
