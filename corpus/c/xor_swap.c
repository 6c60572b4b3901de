// Shuffles three cards. The swap by exclusive or turns a card that is swapped
// with itself into 0.
#include <assert.h>

extern unsigned char __VERIFIER_nondet_uchar(void);
extern void __VERIFIER_assume(int);

static void swap(int *left, int *right) {
  *left ^= *right;
  *right ^= *left;
  *left ^= *right;
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
