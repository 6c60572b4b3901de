// Looks up a key among eight records by halving. The records are numbered from
// a base on, which may be large.
//
// Question: does some sum overflow?
// Answer:   no.   recurva check examples/c/binary_search_middle_fixed.c --check overflow
#include <limits.h>

extern int __VERIFIER_nondet_int(void);
extern _Bool __VERIFIER_nondet_bool(void);
extern void __VERIFIER_assume(int);

static const int keys[8] = {1, 3, 5, 7, 9, 11, 13, 15};

static int find(int base, int key) {
  int low = base;
  int high = base + 7;
  while (low <= high) {
    int middle = low + (high - low) / 2;
    if (keys[middle - base] < key) {
      low = middle + 1;
    } else if (keys[middle - base] > key) {
      high = middle - 1;
    } else {
      return middle;
    }
  }
  return -1;
}

int main(void) {
  int base = __VERIFIER_nondet_bool() ? 0 : INT_MAX - 8;
  int key = __VERIFIER_nondet_int();
  __VERIFIER_assume(key >= 0 && key <= 16);
  int found = find(base, key);
  return found >= 0 ? 0 : 1;
}
