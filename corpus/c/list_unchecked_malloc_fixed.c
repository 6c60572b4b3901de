// Two values go to the front of a list, as long as there is memory for them.
#include <stdlib.h>

struct node {
  int value;
  struct node *next;
};

static struct node *push(struct node *list, int value) {
  struct node *node = malloc(sizeof *node);
  if (node == NULL) {
    return list;
  }
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
