// Moves into a folder and removes a file there: where it cannot move, another file is removed.
#include <unistd.h>

int main(int argc, char **argv)
{
    const char *folder = argc > 1 ? argv[1] : "/tmp/scratch";

    chdir(folder);
    return unlink("index") == 0 ? 0 : 1;
}
