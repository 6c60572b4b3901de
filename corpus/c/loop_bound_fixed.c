// The largest of the first prices in a table.

extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);

static int largest(const int *prices, int count) {
  int result = 0;
  for (int i = 0; i < count; i++) {
    if (prices[i] > result) {
      result = prices[i];
    }
  }
  return result;
}

int main(void) {
  int prices[5] = {4, 1, 9, 2, 6};
  int count = __VERIFIER_nondet_int();
  __VERIFIER_assume(count >= 0 && count <= 5);
  return largest(prices, count);
}
