// Starts an editor for its user. Where the rights cannot be given up there is none.
#include <unistd.h>

int main(int argc, char **argv)
{
    if (argc < 2)
        return 1;
    if (setuid(getuid()) != 0) {
        write(2, "still root\n", 11);
        return 1;
    }
    execlp("editor", "editor", argv[1], (char *)0);
    return 1;
}
