/* stdlib.h, unistd.h, time.h: what the system says is unknown. */

typedef __typeof__(sizeof(0)) size_t;

_Bool __VERIFIER_nondet_bool(void);
char __VERIFIER_nondet_char(void);
int __VERIFIER_nondet_int(void);
long __VERIFIER_nondet_long(void);
void __VERIFIER_assume(int condition);

static char environment[32];

char *getenv(const char *name) {
    (void)name;
    if (__VERIFIER_nondet_bool())
        return 0;
    for (int i = 0; i < 31; i++)
        environment[i] = __VERIFIER_nondet_char();
    environment[31] = 0;
    return environment;
}

int rand(void) {
    int number = __VERIFIER_nondet_int();
    __VERIFIER_assume(number >= 0);
    return number;
}

void srand(unsigned seed) {
    (void)seed;
}

long random(void) {
    long number = __VERIFIER_nondet_long();
    __VERIFIER_assume(number >= 0 && number <= 2147483647);
    return number;
}

void srandom(unsigned seed) {
    (void)seed;
}

long time(long *result) {
    long now = __VERIFIER_nondet_long();
    if (result)
        *result = now;
    return now;
}

long clock(void) {
    return __VERIFIER_nondet_long();
}

unsigned sleep(unsigned seconds) {
    (void)seconds;
    return 0;
}

int usleep(unsigned microseconds) {
    (void)microseconds;
    return 0;
}

int open(const char *path, int flags, ...) {
    (void)path, (void)flags;
    int number = __VERIFIER_nondet_int();
    __VERIFIER_assume(number >= -1);
    return number;
}

int close(int number) {
    (void)number;
    return __VERIFIER_nondet_bool() ? 0 : -1;
}

long read(int number, void *bytes, size_t count) {
    (void)number;
    long done = __VERIFIER_nondet_long();
    __VERIFIER_assume(done >= -1 && (done < 0 || (size_t)done <= count));
    for (long i = 0; i < done; i++)
        ((char *)bytes)[i] = __VERIFIER_nondet_char();
    return done;
}

long write(int number, const void *bytes, size_t count) {
    (void)number, (void)bytes;
    long done = __VERIFIER_nondet_long();
    __VERIFIER_assume(done >= -1 && (done < 0 || (size_t)done <= count));
    return done;
}

int unlink(const char *path) {
    (void)path;
    return __VERIFIER_nondet_bool() ? 0 : -1;
}

int access(const char *path, int mode) {
    (void)path, (void)mode;
    return __VERIFIER_nondet_bool() ? 0 : -1;
}

int isatty(int number) {
    (void)number;
    return __VERIFIER_nondet_bool();
}

int getpid(void) {
    int number = __VERIFIER_nondet_int();
    __VERIFIER_assume(number > 0);
    return number;
}

char *setlocale(int category, const char *name) {
    (void)category, (void)name;
    return 0;
}
