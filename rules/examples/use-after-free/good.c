// A log that is closed when it is full, and not written any more.
#include <stdio.h>

extern int __VERIFIER_nondet_int(void);

int main(void)
{
    FILE *log = fopen("log.txt", "w");
    int lines = 0;

    if (log == NULL)
        return 1;
    while (__VERIFIER_nondet_int()) {
        if (lines == 3) {
            fclose(log);
            return 0;
        }
        fputs("one more\n", log);
        lines++;
    }
    return 0;
}
