/* Writes before, inside or after a call of the untrusted routine foo, as the arguments say.
 * on_stack.pal forbids the second one, ever.pal the second and the third. */
#include <string.h>
#include <unistd.h>

static void say(const char *text)
{
    if (write(1, text, strlen(text)) < 0)
        _exit(2);
}

static int foo(int depth, int writes)
{
    if (depth > 0)
        return foo(depth - 1, writes);
    if (writes)
        say("inside\n");
    return depth;
}

int main(int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "write") == 0)
            say("outside\n");
        else
            foo(2, strcmp(argv[i], "foo-writes") == 0);
    }
    return 0;
}
