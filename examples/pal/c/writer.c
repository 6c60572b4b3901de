/* Writes (w), calls the untrusted routine foo (f), or has it write (i), as the letters say: on_stack.pal
 * forbids the third, ever.pal `fw` too. -DFIXED: foo never writes. -DLAST: nothing follows it. */
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
#ifndef FIXED
    if (writes)
        say("inside\n");
#endif
    return depth;
}

int main(int argc, char **argv)
{
    for (const char *c = argc > 1 ? argv[1] : ""; *c != '\0'; c++) {
        if (*c == 'w') {
            say("outside\n");
        } else if (*c == 'f' || *c == 'i') {
            foo(2, *c == 'i');
#ifdef LAST
            break;
#endif
        }
    }
    return 0;
}
