// Reads a number. An error of an earlier call is taken for one of strtol.
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

extern int __VERIFIER_nondet_int(void);

static int number(const char *text, long *result)
{
    *result = strtol(text, NULL, 10);
    return errno == 0 ? 0 : -1;
}

int main(void)
{
    const char *text = __VERIFIER_nondet_int() ? "10" : "?";
    long count = 0;

    if (access("settings", R_OK) < 0)
        text = "1";
    return number(text, &count) < 0;
}
