// Removes a value from a list of four nodes. The predecessor's link becomes
// null instead of the removed node's link, and the rest of the list is lost.
#include <assert.h>
#include <stddef.h>

extern unsigned char __VERIFIER_nondet_uchar(void);
extern void __VERIFIER_assume(int);

struct node {
  int value;
  struct node *next;
};

static struct node nodes[4];

static struct node *without(struct node *head, int value) {
  struct node **link = &head;
  while (*link != NULL && (*link)->value != value) {
    link = &(*link)->next;
  }
  if (*link != NULL) {
    *link = NULL;
  }
  return head;
}

int main(void) {
  struct node *head = NULL;
  for (int i = 0; i < 4; i++) {
    nodes[i].value = i;
    nodes[i].next = head;
    head = &nodes[i];
  }
  int value = __VERIFIER_nondet_uchar();
  __VERIFIER_assume(value <= 4);
  int length = 0;
  for (struct node *node = without(head, value); node != NULL; node = node->next) {
    assert(node->value != value);
    length++;
  }
  assert(length == (value < 4 ? 3 : 4));
  return 0;
}
