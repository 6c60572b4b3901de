// Keeps the first characters of a name, with a terminator in any case.
#include <string.h>

extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);

static int measure(const char *text) {
  int length = 0;
  while (text[length] != '\0') {
    length++;
  }
  return length;
}

int main(void) {
  int length = __VERIFIER_nondet_int();
  __VERIFIER_assume(length >= 0 && length <= 5);
  char name[6];
  for (int i = 0; i < length; i++) {
    name[i] = 'n';
  }
  name[length] = '\0';

  char kept[4];
  strncpy(kept, name, sizeof kept - 1);
  kept[sizeof kept - 1] = '\0';
  return measure(kept);
}
