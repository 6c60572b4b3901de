/* Routines that may fail, and wrappers of the log that different groups wrote. The policy: an
 * error is logged before control leaves the routine that got it. With -DFIXED it always is. */
#include <stdio.h>
#include <string.h>

static const char *input;

static void log_error(const char *text)
{
    fprintf(stderr, "log: %s\n", text);
}

static void storage_log(const char *text) { log_error(text); }
static void network_log(const char *text) { storage_log(text); }

static int attempt(const char *name)
{
    return strchr(input, name[0]) != NULL ? -1 : 0;
}

static int store(void)
{
    if (attempt("disk") < 0) {
        storage_log("disk");
        return -1;
    }
    return 0;
}

static int transmit(void)
{
    int status = attempt("line");

#ifdef FIXED
    if (status < 0)
#else
    if (status < 0 && strchr(input, '!') == NULL)
#endif
        network_log("line");
    return status;
}

int main(int argc, char **argv)
{
    input = argc > 1 ? argv[1] : "";
    store();
    transmit();
    printf("done\n");
    return 0;
}
