// A calculator with a stack: 0 and 1 push themselves, anything else adds the
// two topmost values. Nobody looks whether there are two.

extern unsigned char __VERIFIER_nondet_uchar(void);
extern void __VERIFIER_assume(int);

static int stack[4];
static int top;

static void push(int value) {
  stack[top++] = value;
}

static int pop(void) {
  return stack[--top];
}

static int step(unsigned char token) {
  if (token <= 1) {
    push(token);
    return 0;
  }
  int right = pop();
  int left = pop();
  push(left + right);
  return 0;
}

int main(void) {
  for (int i = 0; i < 4; i++) {
    unsigned char token = __VERIFIER_nondet_uchar();
    __VERIFIER_assume(token <= 2);
    if (step(token) < 0) {
      return 1;
    }
  }
  return 0;
}
