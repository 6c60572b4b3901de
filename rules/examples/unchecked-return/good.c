// Moves into a folder and removes a file there if it could.
#include <unistd.h>

int main(int argc, char **argv)
{
    const char *folder = argc > 1 ? argv[1] : "/tmp/scratch";

    if (chdir(folder) < 0)
        return 1;
    return unlink("index") == 0 ? 0 : 1;
}
