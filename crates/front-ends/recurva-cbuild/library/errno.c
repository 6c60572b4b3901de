/* errno.h and messages for it. */

static int error_number;

int *__errno_location(void) {
    return &error_number;
}

static char error_text[] = "some error";

char *strerror(int number) {
    (void)number;
    return error_text;
}
