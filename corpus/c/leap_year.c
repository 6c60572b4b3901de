// Which year is it so many days after the beginning of 2008? On the last day of
// a leap year the loop takes no days away and never ends.
#include <assert.h>

extern unsigned short __VERIFIER_nondet_ushort(void);
extern void __VERIFIER_assume(int);

static int is_leap(int year) {
  return year % 4 == 0;
}

static int year_of(int days) {
  int year = 2008;
  int rounds = 0;
  while (days > 365) {
    rounds++;
    assert(rounds <= 4);
    if (is_leap(year)) {
      if (days > 366) {
        days -= 366;
        year++;
      }
    } else {
      days -= 365;
      year++;
    }
  }
  return year;
}

int main(void) {
  int days = __VERIFIER_nondet_ushort();
  __VERIFIER_assume(days >= 1 && days <= 1200);
  int year = year_of(days);
  assert(year >= 2008 && year <= 2011);
  return 0;
}
