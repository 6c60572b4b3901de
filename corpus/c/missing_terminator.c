// Keeps the first characters of a name. A name of four characters or more
// leaves no terminator, and whoever measures it reads on behind the buffer.
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
  strncpy(kept, name, sizeof kept);
  return measure(kept);
}
