// A counter behind a lock. Who holds the lock calls the function that does not
// take it.
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

static void reset_locked(void) {
  assert(locked);
  counter = 0;
}

static void reset(void) {
  lock();
  reset_locked();
  unlock();
}

static void add(int amount) {
  lock();
  counter += amount;
  if (counter > 4) {
    reset_locked();
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
