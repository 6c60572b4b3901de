// Refuses a pair of options to the superuser. The condition assigns where it
// should compare, and makes any caller the superuser.
#include <assert.h>

extern unsigned __VERIFIER_nondet_uint(void);

#define CLONE 0x1u
#define ALL 0x2u

static unsigned user;

static int wait_for_child(unsigned options) {
  int status = 0;
  if ((options == (CLONE | ALL)) && (user = 0)) {
    status = -1;
  }
  return status;
}

int main(void) {
  user = __VERIFIER_nondet_uint();
  unsigned before = user;
  unsigned options = __VERIFIER_nondet_uint();
  int status = wait_for_child(options);
  assert(user == before);
  assert(status == 0 || before == 0);
  return 0;
}
