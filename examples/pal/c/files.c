/* What fcron.c does with files, for checking it without running it: a model that reads lines from
 * a file of a few names. `recurva check fcron.c --spec fcron.pal --model files.c` */
#include <stdio.h>
#include <string.h>

extern _Bool __VERIFIER_nondet_bool(void);

static char file;

FILE *fopen(const char *name, const char *mode)
{
    return __VERIFIER_nondet_bool() ? (FILE *)&file : NULL;
}

char *fgets(char *line, int size, FILE *stream)
{
    if (__VERIFIER_nondet_bool())
        return NULL;
    return strcpy(line, __VERIFIER_nondet_bool() ? "root\n" : "nobody\n");
}

int fclose(FILE *stream)
{
    return 0;
}
