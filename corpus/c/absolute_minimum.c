// Counts keys in eight buckets by their magnitude. The least int has no
// magnitude that is an int.

extern int __VERIFIER_nondet_int(void);

static unsigned buckets[8];

static int magnitude(int key) {
  return key < 0 ? -key : key;
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
