/* A program with the structure of fcrontab 2.9.4: parseopt asks is_allowed, which has a routine
 * look a user up in the file of those who are allowed. That routine forgets to close the file
 * when it finds the user, and main goes on to start an editor of the user's choice.
 * Compile with -DFIXED for one that closes it. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const allow = "fcron.allow";

static int is_in_file(const char *name, const char *user)
{
    FILE *f;
    char line[64];
    int found = 0;

    if ((f = fopen(name, "r")) == NULL)
        return 0;
    while (!found && fgets(line, sizeof line, f) != NULL) {
        line[strcspn(line, "\n")] = '\0';
        if (strcmp(line, user) == 0)
#ifdef FIXED
            found = 1;
#else
            return 1;
#endif
    }
    fclose(f);
    return found;
}

static int is_allowed(const char *user)
{
    return is_in_file(allow, user);
}

static void parseopt(int argc, char **argv)
{
    const char *user = argc > 1 ? argv[1] : "nobody";

    if (!is_allowed(user)) {
        printf("%s may not use this program\n", user);
        exit(EXIT_FAILURE);
    }
}

int main(int argc, char **argv)
{
    parseopt(argc, argv);
    printf("starting the editor\n");
    return 0;
}
