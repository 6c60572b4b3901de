// A buffer grows. Where it cannot, realloc returns NULL and leaves the old buffer,
// to which no pointer is left.
#include <stdlib.h>

int main(void) {
  char *buffer = malloc(2);
  if (buffer == NULL) {
    return 1;
  }
  buffer = realloc(buffer, 4);
  if (buffer == NULL) {
    return 1;
  }
  free(buffer);
  return 0;
}
