// Reads its settings. Each failure leaves a line in the log.
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static void complain(const char *about)
{
    perror(about);
}

static int settings(const char *name)
{
    int file = open(name, O_RDONLY);

    if (file < 0)
        complain(name);
    return file;
}

int main(void)
{
    int file = settings("/etc/settings");

    if (file < 0)
        file = settings("settings");
    if (file < 0)
        exit(1);
    close(file);
    return 0;
}
