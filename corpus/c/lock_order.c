// A transfer locks two accounts. The rule is that locks are taken in the order
// of their numbers; here they are taken in the order of the arguments.

extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);

#define ACCOUNTS 3

static int held[ACCOUNTS];
static int balance[ACCOUNTS] = {4, 4, 4};

static void lock(int account) {
  for (int other = account; other < ACCOUNTS; other++) {
    if (held[other]) {
      reach_error();
    }
  }
  held[account] = 1;
}

static void transfer(int from, int to, int amount) {
  lock(from);
  lock(to);
  balance[from] -= amount;
  balance[to] += amount;
  held[to] = 0;
  held[from] = 0;
}

int main(void) {
  for (int i = 0; i < 2; i++) {
    int from = __VERIFIER_nondet_int();
    int to = __VERIFIER_nondet_int();
    __VERIFIER_assume(from >= 0 && from < ACCOUNTS);
    __VERIFIER_assume(to >= 0 && to < ACCOUNTS && to != from);
    transfer(from, to, 1);
  }
  return 0;
}
