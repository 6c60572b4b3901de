// Counts keys in eight buckets by their magnitude, which is computed without
// sign.

extern int __VERIFIER_nondet_int(void);

static unsigned buckets[8];

static unsigned magnitude(int key) {
  return key < 0 ? 0u - (unsigned)key : (unsigned)key;
}

static void count(int key) {
  buckets[magnitude(key) % 8]++;
}

int main(void) {
  int key = __VERIFIER_nondet_int();
  count(key);
  count(-1);
  return buckets[1] > 0 ? 0 : 1;
}
