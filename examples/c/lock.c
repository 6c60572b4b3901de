// A worker takes a lock, does something, and gives it back. When there is nothing to do it waits for
// ever, and forgets the lock.
//
// Question: is the lock, once taken, given back?
// Answer:   no.   recurva check examples/c/lock.c --ltl 'G(held -> F !held)'
//
// Question: are there never more than three jobs?
// Answer:   yes.  recurva check examples/c/lock.c --ltl 'G(held -> "jobs <= 3")'

extern _Bool __VERIFIER_nondet_bool(void);

static int held;
static unsigned jobs;

static void work(void) {
  held = 1;
  jobs = (jobs + 1) % 4;
  while (__VERIFIER_nondet_bool()) {
    // Nothing to do yet.
  }
  held = 0;
}

int main(void) {
  for (;;) {
    work();
  }
}
