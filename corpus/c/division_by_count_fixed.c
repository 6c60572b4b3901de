// The mean of the valid ones of three readings, 0 if none is valid.

extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);

static int mean(const int *readings, int length) {
  int sum = 0;
  int count = 0;
  for (int i = 0; i < length; i++) {
    if (readings[i] >= 0) {
      sum += readings[i];
      count++;
    }
  }
  if (count == 0) {
    return 0;
  }
  return sum / count;
}

int main(void) {
  int readings[3];
  for (int i = 0; i < 3; i++) {
    readings[i] = __VERIFIER_nondet_int();
    __VERIFIER_assume(readings[i] >= -1 && readings[i] <= 3);
  }
  return mean(readings, 3);
}
