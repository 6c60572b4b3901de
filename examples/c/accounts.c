// A library: each function that others can call takes the lock and gives it back.
#include <assert.h>

struct account {
  int balance;
  struct account *next;
};

static int held;

static void lock(void) {
  assert(!held);
  held = 1;
}

static void unlock(void) {
  assert(held);
  held = 0;
}

void deposit(struct account *account, int amount) {
  lock();
  if (account && amount > 0)
    account->balance += amount;
  unlock();
}

int withdraw(struct account *account, int amount) {
  lock();
  if (!account || account->balance < amount)
    return -1;
  account->balance -= amount;
  unlock();
  return 0;
}

// Fails if there is not enough: then the lock was not given back.
void transfer(struct account *from, struct account *to, int amount) {
  withdraw(from, amount);
  deposit(to, amount);
}

int total(struct account *all) {
  int sum = 0;
  lock();
  for (; all; all = all->next)
    sum += all->balance;
  unlock();
  return sum;
}
