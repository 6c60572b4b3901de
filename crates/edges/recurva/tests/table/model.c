// A label that is reached, a call, and runs that never end.
extern void reach_error(void);
extern _Bool __VERIFIER_nondet_bool(void);

void f(int n) {
  if (__VERIFIER_nondet_bool()) f(n);
  if (__VERIFIER_nondet_bool()) reach_error();
}

int main(void) {
  for (;;) {
    f(1);
  L:;
  }
}
