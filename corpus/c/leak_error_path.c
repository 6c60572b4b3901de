// A reader needs two buffers. If the second cannot be had, the function
// returns and forgets the first.
#include <stdlib.h>

extern _Bool __VERIFIER_nondet_bool(void);

static void *xalloc(size_t size) {
  if (__VERIFIER_nondet_bool()) {
    return NULL;
  }
  return malloc(size);
}

static int read_file(void) {
  char *line = xalloc(4);
  if (line == NULL) {
    return -1;
  }
  char *word = xalloc(2);
  if (word == NULL) {
    return -1;
  }
  line[0] = 'a';
  word[0] = line[0];
  free(word);
  free(line);
  return 0;
}

int main(void) {
  return read_file() == 0 ? 0 : 1;
}
