// Looks at one file after the other. Each is closed.
#include <stdio.h>

extern int __VERIFIER_nondet_int(void);

static int first_letter(const char *name)
{
    int letter;
    FILE *file = fopen(name, "r");

    if (file == NULL)
        return -1;
    letter = fgetc(file);
    fclose(file);
    return letter;
}

int main(void)
{
    while (__VERIFIER_nondet_int())
        first_letter("input");
    return 0;
}
