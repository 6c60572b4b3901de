// A log that is closed when it is full, and written once more.
#include <stdio.h>

extern int __VERIFIER_nondet_int(void);

int main(void)
{
    FILE *log = fopen("log.txt", "w");
    int lines = 0;

    if (log == NULL)
        return 1;
    while (__VERIFIER_nondet_int()) {
        if (lines == 3)
            fclose(log);
        if (lines > 3)
            return 0;
        fputs("one more\n", log);
        lines++;
    }
    return 0;
}
