// Starts an editor for its user. Where the rights cannot be given up the editor gets them.
#include <unistd.h>

int main(int argc, char **argv)
{
    if (argc < 2)
        return 1;
    if (setuid(getuid()) != 0)
        write(2, "still root\n", 11);
    execlp("editor", "editor", argv[1], (char *)0);
    return 1;
}
