// Counts the digits of all numbers up to an unknown one.
//
// Question: does every run end?
// Answer:   yes.  recurva check examples/c/countdown.c --check termination

extern int __VERIFIER_nondet_int(void);

unsigned digits(unsigned number) {
  if (number < 10)
    return 1;
  return 1 + digits(number / 10);
}

int main(void) {
  unsigned seen = 0;
  for (int rounds = __VERIFIER_nondet_int(); rounds > 0; rounds--)
    seen += digits(rounds);
  return 0;
}
