// A message is decoded into a buffer of its own. If the header is bad, the
// decoder frees the buffer, and so does its caller: it is freed twice.
//
// Question: is everything freed once, and nothing used after that?
// Answer:   no.   recurva check examples/c/double_free.c --check free
#include <stdlib.h>

extern unsigned char __VERIFIER_nondet_uchar(void);

static int decode(unsigned char *buffer, unsigned char header) {
  if (header != 1) {
    free(buffer);
    return -1;
  }
  buffer[0] = header;
  return 0;
}

int main(void) {
  unsigned char header = __VERIFIER_nondet_uchar();
  unsigned char *buffer = malloc(4);
  if (buffer == NULL) {
    return 1;
  }
  int status = decode(buffer, header);
  free(buffer);
  return status == 0 ? 0 : 1;
}
