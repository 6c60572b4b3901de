// Builds a table with the help of a scratch buffer. Only the paths of failure
// come to the cleanup.
#include <stdlib.h>

extern _Bool __VERIFIER_nondet_bool(void);

static int *build(void) {
  int *scratch = NULL;
  int *table = malloc(2 * sizeof *table);
  if (table == NULL) {
    return NULL;
  }
  scratch = malloc(sizeof *scratch);
  if (scratch == NULL) {
    goto cleanup;
  }
  *scratch = __VERIFIER_nondet_bool();
  if (*scratch == 0) {
    goto cleanup;
  }
  table[0] = *scratch;
  table[1] = 0;
  free(scratch);
  return table;

cleanup:
  free(scratch);
  free(table);
  return NULL;
}

int main(void) {
  int *table = build();
  if (table == NULL) {
    return 1;
  }
  int first = table[0];
  free(table);
  return first == 1 ? 0 : 1;
}
