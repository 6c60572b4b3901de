// A queue of three jobs in an array. The index goes back to 0 behind the last
// place.

extern _Bool __VERIFIER_nondet_bool(void);

#define SIZE 3

static int jobs[SIZE];
static int first;
static int count;

static int next(int index, int distance) {
  index += distance;
  if (index >= SIZE) {
    index -= SIZE;
  }
  return index;
}

static void enqueue(int job) {
  if (count < SIZE) {
    jobs[next(first, count)] = job;
    count++;
  }
}

static void dequeue(void) {
  if (count > 0) {
    first = next(first, 1);
    count--;
  }
}

int main(void) {
  for (int i = 0; i < 6; i++) {
    if (__VERIFIER_nondet_bool()) {
      enqueue(i);
    } else {
      dequeue();
    }
  }
  return jobs[0];
}
