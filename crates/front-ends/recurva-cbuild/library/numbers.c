/* stdlib.h: integers. Overflow sets no `errno`. */

typedef struct {
    int quot;
    int rem;
} div_t;

typedef struct {
    long quot;
    long rem;
} ldiv_t;

typedef struct {
    long long quot;
    long long rem;
} lldiv_t;

int abs(int x) {
    return x < 0 ? -x : x;
}

long labs(long x) {
    return x < 0 ? -x : x;
}

long long llabs(long long x) {
    return x < 0 ? -x : x;
}

long imaxabs(long x) {
    return x < 0 ? -x : x;
}

div_t div(int x, int y) {
    div_t result = {x / y, x % y};
    return result;
}

ldiv_t ldiv(long x, long y) {
    ldiv_t result = {x / y, x % y};
    return result;
}

lldiv_t lldiv(long long x, long long y) {
    lldiv_t result = {x / y, x % y};
    return result;
}

static int digit(char c) {
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'z')
        return c - 'a' + 10;
    if (c >= 'A' && c <= 'Z')
        return c - 'A' + 10;
    return 99;
}

/* Reads a number without its sign; `largest` if it is not smaller. */
static unsigned long long read_number(const char *text, char **end, int base, int *is_negative,
                                      unsigned long long largest) {
    const char *start = text;
    unsigned long long value = 0;
    int is_too_large = 0;
    *is_negative = 0;
    while (*text == ' ' || (*text >= '\t' && *text <= '\r'))
        text++;
    if (*text == '-' || *text == '+')
        *is_negative = *text++ == '-';
    if ((base == 0 || base == 16) && text[0] == '0' && (text[1] == 'x' || text[1] == 'X') &&
        digit(text[2]) < 16) {
        base = 16;
        text += 2;
    } else if (base == 0) {
        base = text[0] == '0' ? 8 : 10;
    }
    const char *first = text;
    for (; digit(*text) < base; text++) {
        unsigned long long next = digit(*text);
        if (value > (~0ULL - next) / base)
            is_too_large = 1;
        value = value * base + next;
    }
    if (end)
        *end = (char *)(text == first ? start : text);
    return is_too_large || value > largest ? largest : value;
}

static long long read_signed(const char *text, char **end, int base, unsigned long long most) {
    int is_negative;
    unsigned long long value = read_number(text, end, base, &is_negative, most + 1);
    if (is_negative)
        return (long long)(0 - value);
    return (long long)(value > most ? most : value);
}

long long strtoll(const char *text, char **end, int base) {
    return read_signed(text, end, base, ~0ULL >> 1);
}

long strtol(const char *text, char **end, int base) {
    return (long)read_signed(text, end, base, ~0UL >> 1);
}

unsigned long long strtoull(const char *text, char **end, int base) {
    int is_negative;
    unsigned long long value = read_number(text, end, base, &is_negative, ~0ULL);
    return is_negative && value != ~0ULL ? 0 - value : value;
}

unsigned long strtoul(const char *text, char **end, int base) {
    int is_negative;
    unsigned long value = (unsigned long)read_number(text, end, base, &is_negative, ~0UL);
    return is_negative && value != ~0UL ? 0 - value : value;
}

int atoi(const char *text) {
    return (int)strtol(text, 0, 10);
}

long atol(const char *text) {
    return strtol(text, 0, 10);
}

long long atoll(const char *text) {
    return strtoll(text, 0, 10);
}

int ffs(int x) {
    return __builtin_ffs(x);
}
