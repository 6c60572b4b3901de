// Counts hours on a clock of eight hours. Negative remainders are brought back
// into the clock.

extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);

#define HOURS 8

static int visits[HOURS];

static int wrap(int hour) {
  int rest = hour % HOURS;
  return rest < 0 ? rest + HOURS : rest;
}

int main(void) {
  int hour = 0;
  for (int i = 0; i < 2; i++) {
    int shift = __VERIFIER_nondet_int();
    __VERIFIER_assume(shift >= -10 && shift <= 10);
    hour = wrap(hour + shift);
    visits[hour]++;
  }
  return visits[hour] > 0 ? 0 : 1;
}
