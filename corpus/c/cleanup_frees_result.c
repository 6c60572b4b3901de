// Builds a table with the help of a scratch buffer. The path of success runs
// into the cleanup and frees the table that it returns.
#include <stdlib.h>

extern _Bool __VERIFIER_nondet_bool(void);

static int *build(void) {
  int *result = NULL;
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
  result = table;

cleanup:
  free(scratch);
  free(table);
  return result;
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
