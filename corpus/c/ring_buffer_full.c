// A ring buffer of four places. Equal indices mean that it is empty; when all
// four places are taken the indices are equal too, and the data is lost.
#include <assert.h>

extern _Bool __VERIFIER_nondet_bool(void);

#define SIZE 4

static unsigned char places[SIZE];
static int head;
static int tail;

static int used(void) {
  return (head - tail + SIZE) % SIZE;
}

static int put(unsigned char value) {
  if (used() == SIZE) {
    return 0;
  }
  places[head] = value;
  head = (head + 1) % SIZE;
  return 1;
}

static int get(unsigned char *value) {
  if (used() == 0) {
    return 0;
  }
  *value = places[tail];
  tail = (tail + 1) % SIZE;
  return 1;
}

int main(void) {
  int stored = 0;
  unsigned char value = 0;
  for (int i = 0; i < 7; i++) {
    if (__VERIFIER_nondet_bool()) {
      stored += put(1);
    } else {
      stored -= get(&value);
    }
    assert(stored == used());
  }
  return 0;
}
