// A counter behind a lock. Who increments it past the limit holds the lock and
// calls reset, which takes the lock again.
#include <assert.h>

extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);

static int locked;
static int counter;

static void lock(void) {
  assert(!locked);
  locked = 1;
}

static void unlock(void) {
  assert(locked);
  locked = 0;
}

static void reset(void) {
  lock();
  counter = 0;
  unlock();
}

static void add(int amount) {
  lock();
  counter += amount;
  if (counter > 4) {
    reset();
  }
  unlock();
}

int main(void) {
  reset();
  for (int i = 0; i < 3; i++) {
    int amount = __VERIFIER_nondet_int();
    __VERIFIER_assume(amount >= 0 && amount <= 2);
    add(amount);
  }
  assert(!locked);
  return 0;
}
