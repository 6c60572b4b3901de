// Objects are freed with their last holder. The cache keeps an object but does
// not count itself, so the object goes too early.
#include <stdlib.h>

extern _Bool __VERIFIER_nondet_bool(void);

struct object {
  int holders;
  int value;
};

static struct object *cached;

static struct object *create(int value) {
  struct object *object = malloc(sizeof *object);
  if (object != NULL) {
    object->holders = 1;
    object->value = value;
  }
  return object;
}

static void put(struct object *object) {
  object->holders--;
  if (object->holders == 0) {
    free(object);
  }
}

static void remember(struct object *object) {
  cached = object;
}

int main(void) {
  struct object *object = create(7);
  if (object == NULL) {
    return 1;
  }
  if (__VERIFIER_nondet_bool()) {
    remember(object);
  }
  put(object);
  int value = 0;
  if (cached != NULL) {
    value = cached->value;
    put(cached);
  }
  return value;
}
