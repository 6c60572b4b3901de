// Shuffles three cards. A card that is swapped with itself stays.
#include <assert.h>

extern unsigned char __VERIFIER_nondet_uchar(void);
extern void __VERIFIER_assume(int);

static void swap(int *left, int *right) {
  int kept = *left;
  *left = *right;
  *right = kept;
}

int main(void) {
  int cards[3] = {1, 2, 3};
  for (int i = 2; i > 0; i--) {
    int j = __VERIFIER_nondet_uchar();
    __VERIFIER_assume(j <= i);
    swap(&cards[i], &cards[j]);
  }
  assert(cards[0] + cards[1] + cards[2] == 6);
  return 0;
}
