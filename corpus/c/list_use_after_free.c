// Builds a list of up to three nodes and frees it. The loop reads the link of
// a node that it has already freed.
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);

struct node {
  int value;
  struct node *next;
};

static struct node *push(struct node *head, int value) {
  struct node *node = malloc(sizeof *node);
  if (node == NULL) {
    return head;
  }
  node->value = value;
  node->next = head;
  return node;
}

static void destroy(struct node *head) {
  for (struct node *node = head; node != NULL; node = node->next) {
    free(node);
  }
}

int main(void) {
  int count = __VERIFIER_nondet_int();
  __VERIFIER_assume(count >= 0 && count <= 3);
  struct node *head = NULL;
  for (int i = 0; i < count; i++) {
    head = push(head, i);
  }
  destroy(head);
  return 0;
}
