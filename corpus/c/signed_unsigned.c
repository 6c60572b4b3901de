// A frost alarm. The limit is unsigned, so a negative reading is compared as a
// very large number and raises no alarm.
#include <assert.h>

extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);

struct alarm {
  unsigned limit;
  int is_raised;
};

static void check(struct alarm *alarm, int reading) {
  if (reading < alarm->limit) {
    alarm->is_raised = 1;
  }
}

int main(void) {
  struct alarm alarm = {3, 0};
  int least = 100;
  for (int i = 0; i < 2; i++) {
    int reading = __VERIFIER_nondet_int();
    __VERIFIER_assume(reading >= -5 && reading <= 5);
    check(&alarm, reading);
    if (reading < least) {
      least = reading;
    }
  }
  assert(alarm.is_raised == (least <= 2));
  return 0;
}
