// A buffer grows, and is still known where it cannot.
#include <stdlib.h>

int main(void) {
  char *buffer = malloc(2);
  if (buffer == NULL) {
    return 1;
  }
  char *larger = realloc(buffer, 4);
  if (larger == NULL) {
    free(buffer);
    return 1;
  }
  free(larger);
  return 0;
}
