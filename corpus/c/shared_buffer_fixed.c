// A string with a buffer of its own is copied with its buffer.
#include <stdlib.h>
#include <string.h>

extern _Bool __VERIFIER_nondet_bool(void);

struct string {
  char *text;
  size_t size;
};

static struct string make(size_t size) {
  struct string string;
  string.text = calloc(size, 1);
  string.size = string.text == NULL ? 0 : size;
  return string;
}

static struct string copy(const struct string *from) {
  struct string result = make(from->size);
  if (result.text != NULL && from->text != NULL) {
    memcpy(result.text, from->text, from->size);
  }
  return result;
}

static void drop(struct string *string) {
  free(string->text);
  string->text = NULL;
  string->size = 0;
}

int main(void) {
  struct string name = make(4);
  if (__VERIFIER_nondet_bool()) {
    struct string other = copy(&name);
    drop(&other);
  }
  drop(&name);
  return 0;
}
