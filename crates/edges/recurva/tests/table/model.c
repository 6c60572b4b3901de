// A label that is reached, a call, and runs that never end.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

void f(int n) {
  if (__VERIFIER_nondet_int()) f(n);
  if (__VERIFIER_nondet_int()) reach_error();
}

int main(void) {
  for (;;) {
    f(1);
  L:;
  }
}
