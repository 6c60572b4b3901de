// Counts hours on a clock of eight hours. The remainder of a negative hour is
// negative, and so is the index.

extern signed char __VERIFIER_nondet_schar(void);
extern void __VERIFIER_assume(int);

#define HOURS 8

static int visits[HOURS];

static int wrap(int hour) {
  return hour % HOURS;
}

int main(void) {
  int hour = 0;
  for (int i = 0; i < 2; i++) {
    int shift = __VERIFIER_nondet_schar();
    __VERIFIER_assume(shift >= -10 && shift <= 10);
    hour = wrap(hour + shift);
    visits[hour]++;
  }
  return visits[hour] > 0 ? 0 : 1;
}
