// Two values go to the front of a list. Each node is filled in without a look at
// whether there was memory for it.
#include <stdlib.h>

struct node {
  int value;
  struct node *next;
};

static struct node *push(struct node *list, int value) {
  struct node *node = malloc(sizeof *node);
  node->value = value;
  node->next = list;
  return node;
}

int main(void) {
  struct node *list = NULL;
  list = push(list, 1);
  list = push(list, 2);
  while (list != NULL) {
    struct node *next = list->next;
    free(list);
    list = next;
  }
  return 0;
}
