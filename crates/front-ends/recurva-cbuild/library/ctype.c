/* ctype.h in the C locale. */

int isdigit(int c) {
    return c >= '0' && c <= '9';
}

int isupper(int c) {
    return c >= 'A' && c <= 'Z';
}

int islower(int c) {
    return c >= 'a' && c <= 'z';
}

int isalpha(int c) {
    return isupper(c) || islower(c);
}

int isalnum(int c) {
    return isalpha(c) || isdigit(c);
}

int isspace(int c) {
    return c == ' ' || (c >= '\t' && c <= '\r');
}

int isblank(int c) {
    return c == ' ' || c == '\t';
}

int iscntrl(int c) {
    return (c >= 0 && c < 32) || c == 127;
}

int isprint(int c) {
    return c >= 32 && c < 127;
}

int isgraph(int c) {
    return c > 32 && c < 127;
}

int ispunct(int c) {
    return isgraph(c) && !isalnum(c);
}

int isxdigit(int c) {
    return isdigit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

int isascii(int c) {
    return c >= 0 && c < 128;
}

int toascii(int c) {
    return c & 127;
}

int toupper(int c) {
    return islower(c) ? c - 'a' + 'A' : c;
}

int tolower(int c) {
    return isupper(c) ? c - 'A' + 'a' : c;
}

/* The tables that the macros of glibc look into, from -128 to 255. */
static const unsigned short classes[384] = {
    [128] =
    2, 2, 2, 2, 2, 2, 2, 2, 2, 8195, 8194, 8194,
    8194, 8194, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2,
    2, 2, 2, 2, 2, 2, 2, 2, 24577, 49156, 49156, 49156,
    49156, 49156, 49156, 49156, 49156, 49156, 49156, 49156, 49156, 49156, 49156, 49156,
    55304, 55304, 55304, 55304, 55304, 55304, 55304, 55304, 55304, 55304, 49156, 49156,
    49156, 49156, 49156, 49156, 49156, 54536, 54536, 54536, 54536, 54536, 54536, 50440,
    50440, 50440, 50440, 50440, 50440, 50440, 50440, 50440, 50440, 50440, 50440, 50440,
    50440, 50440, 50440, 50440, 50440, 50440, 50440, 49156, 49156, 49156, 49156, 49156,
    49156, 54792, 54792, 54792, 54792, 54792, 54792, 50696, 50696, 50696, 50696, 50696,
    50696, 50696, 50696, 50696, 50696, 50696, 50696, 50696, 50696, 50696, 50696, 50696,
    50696, 50696, 50696, 49156, 49156, 49156, 49156, 2,
};

static const unsigned short *const classes_from_zero = classes + 128;

const unsigned short *const *__ctype_b_loc(void) {
    return (const unsigned short *const *)&classes_from_zero;
}

static int upper[384];
static int lower[384];
static const int *upper_from_zero;
static const int *lower_from_zero;

const int **__ctype_toupper_loc(void) {
    if (!upper_from_zero) {
        for (int c = -128; c < 256; c++)
            upper[c + 128] = toupper(c);
        upper_from_zero = upper + 128;
    }
    return &upper_from_zero;
}

const int **__ctype_tolower_loc(void) {
    if (!lower_from_zero) {
        for (int c = -128; c < 256; c++)
            lower[c + 128] = tolower(c);
        lower_from_zero = lower + 128;
    }
    return &lower_from_zero;
}
