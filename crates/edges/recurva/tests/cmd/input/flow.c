static int f(int a) {
  int x;
  if (a > 0) {
    x = 1;
  }
  return x;
}

int unused(void) { return 1; }

int main(void) { return f(2); }
