// Withdrawals from an account behind a lock, which is given back on all paths.
#include <assert.h>

extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);

static int locked;
static int balance = 3;

static void lock(void) {
  assert(!locked);
  locked = 1;
}

static void unlock(void) {
  assert(locked);
  locked = 0;
}

static int withdraw(int amount) {
  lock();
  if (amount > balance) {
    unlock();
    return -1;
  }
  balance -= amount;
  unlock();
  return 0;
}

int main(void) {
  for (int i = 0; i < 3; i++) {
    int amount = __VERIFIER_nondet_int();
    __VERIFIER_assume(amount >= 0 && amount <= 4);
    withdraw(amount);
  }
  assert(!locked);
  return 0;
}
