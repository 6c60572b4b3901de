// A message that is sent, or thrown away: where sending fails, only main frees it.
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

static int transmit(char *message)
{
    if (__VERIFIER_nondet_int() < 0)
        return -1;
    free(message);
    return 0;
}

int main(void)
{
    while (__VERIFIER_nondet_int()) {
        char *message = malloc(16);

        if (message == NULL)
            return 1;
        if (transmit(message) < 0)
            free(message);
    }
    return 0;
}
