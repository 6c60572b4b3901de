// A request keeps a pointer to its text. For a number that is the buffer of a
// function that has returned by the time the text is read.

extern unsigned char __VERIFIER_nondet_uchar(void);
extern void __VERIFIER_assume(int);

struct request {
  const char *text;
};

static void set_number(struct request *request, unsigned char number) {
  char digits[2];
  digits[0] = (char)('0' + number);
  digits[1] = '\0';
  request->text = digits;
}

static int length(const struct request *request) {
  int count = 0;
  while (request->text[count] != '\0') {
    count++;
  }
  return count;
}

int main(void) {
  struct request request;
  request.text = "none";
  unsigned char number = __VERIFIER_nondet_uchar();
  __VERIFIER_assume(number <= 10);
  if (number < 10) {
    set_number(&request, number);
  }
  return length(&request);
}
