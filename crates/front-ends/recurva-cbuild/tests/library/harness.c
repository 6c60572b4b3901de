/* Calls functions of the library on random inputs and prints what they do. */
#include <ctype.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

void *memrchr(const void *, int, size_t);
void *memmem(const void *, size_t, const void *, size_t);
char *strcasestr(const char *, const char *);
char *strchrnul(const char *, int);

static unsigned seed = 12345;

static unsigned next(unsigned below) {
    seed = seed * 1103515245u + 12345u;
    return (seed >> 16) % below;
}

static char texts[4][32];

static char *text(int number, const char *alphabet, unsigned length) {
    unsigned count = next(length);
    unsigned size = (unsigned)strlen(alphabet);
    for (unsigned i = 0; i < count; i++)
        texts[number][i] = alphabet[next(size)];
    for (unsigned i = count; i < 32; i++)
        texts[number][i] = 0;
    return texts[number];
}

static void show(const char *name, long value) {
    printf("%s %ld\n", name, value);
}

static void show_text(const char *name, const char *value) {
    printf("%s %s\n", name, value ? value : "null");
}

static int sign(int value) {
    return value < 0 ? -1 : value > 0;
}

static long offset(const void *start, const void *found) {
    return found ? (const char *)found - (const char *)start : -1;
}

static int compare_ints(const void *left, const void *right) {
    int l = *(const int *)left, r = *(const int *)right;
    return l < r ? -1 : l > r;
}

static void classes(void) {
    for (int c = -1; c < 256; c++) {
        int bits = 0;
        bits = bits * 2 + !!isalpha(c);
        bits = bits * 2 + !!isdigit(c);
        bits = bits * 2 + !!isalnum(c);
        bits = bits * 2 + !!isspace(c);
        bits = bits * 2 + !!isupper(c);
        bits = bits * 2 + !!islower(c);
        bits = bits * 2 + !!ispunct(c);
        bits = bits * 2 + !!isprint(c);
        bits = bits * 2 + !!isgraph(c);
        bits = bits * 2 + !!iscntrl(c);
        bits = bits * 2 + !!isxdigit(c);
        bits = bits * 2 + !!isblank(c);
        show("class", bits);
        show("case", toupper(c) * 1000 + tolower(c));
    }
}

static void bytes(void) {
    char *a = text(0, "abA", 12), *b = text(1, "abA", 12);
    unsigned n = next(12);
    int c = "abA\0"[next(4)];
    show("memcmp", sign(memcmp(a, b, n)));
    show("memchr", offset(a, memchr(a, c, n)));
    show("memrchr", offset(a, memrchr(a, c, n)));
    show("memmem", offset(a, memmem(a, 12, b, next(4))));
    memmove(a + next(4), a + next(4), n);
    show_text("memmove", a);
    memset(a + next(4), 'z', next(6));
    show_text("memset", a);
    memcpy(b, a, n);
    show_text("memcpy", b);
    bzero(b, next(3));
    show("bzero", b[0] * 1000 + b[2]);
    show("memccpy", offset(b, memccpy(b, a, c, n)));
}

static void copies(void) {
    char *a = text(0, "abAB", 10), *b = text(1, "abAB", 10), *c = text(2, "xy", 10);
    unsigned n = next(12);
    show("strlen", (long)(strlen(a) * 100 + strnlen(a, n)));
    show("strcmp", sign(strcmp(a, b)) * 10 + sign(strncmp(a, b, n)));
    show("strcasecmp", sign(strcasecmp(a, b)) * 10 + sign(strncasecmp(a, b, n)));
    show_text("strcat", strcat(c, a));
    show_text("strncat", strncat(c, b, n));
    show_text("strcpy", strcpy(c, a));
    show("stpcpy", offset(c, stpcpy(c, b)));
    show_text("strncpy", strncpy(c, a, n));
    show("stpncpy", offset(c, stpncpy(c, b, n)));
    show_text("strdup", strdup(a));
    show_text("strndup", strndup(a, n));
}

static void searches(void) {
    char *a = text(0, "abAB", 14), *b = text(1, "abAB", 4);
    int c = "abAB\0"[next(5)];
    show("strchr", offset(a, strchr(a, c)));
    show("strchrnul", offset(a, strchrnul(a, c)));
    show("strrchr", offset(a, strrchr(a, c)));
    show("index", offset(a, index(a, c)) * 100 + offset(a, rindex(a, c)));
    show("strstr", offset(a, strstr(a, b)));
    show("strcasestr", offset(a, strcasestr(a, b)));
    show("strspn", (long)(strspn(a, b) * 100 + strcspn(a, b)));
    show("strpbrk", offset(a, strpbrk(a, b)));
    char *rest = a;
    show_text("strsep", strsep(&rest, b));
    a = text(0, "ab;,", 14);
    for (char *word = strtok(a, ";,"); word; word = strtok(0, ";,"))
        show_text("strtok", word);
}

static void numbers(void) {
    char *a = text(0, "0123456789-+ xaf", 24), *end;
    static const int bases[] = {0, 8, 10, 16, 36};
    int base = bases[next(5)];
    show("atoi", atoi(a));
    show("atol", atol(a));
    show("strtol", strtol(a, &end, base));
    show("strtol end", end - a);
    show("strtoll", (long)strtoll(a, &end, base));
    show("strtoul", (long)strtoul(a, &end, base));
    show("strtoul end", end - a);
    show("strtoull", (long)strtoull(a, 0, base));
    int x = (int)next(65536) - 32768, y = (int)next(200) - 100;
    show("abs", abs(x) + labs(y) + (long)llabs(x));
    div_t d = div(x, y ? y : 1);
    show("div", d.quot * 1000L + d.rem);
    show("ffs", ffs(x));
}

static void sorting(void) {
    int list[16];
    int count = (int)next(16);
    for (int i = 0; i < count; i++)
        list[i] = (int)next(20);
    qsort(list, count, sizeof *list, compare_ints);
    for (int i = 0; i < count; i++)
        show("qsort", list[i]);
    int key = (int)next(20);
    int *found = bsearch(&key, list, count, sizeof *list, compare_ints);
    show("bsearch", found ? *found : -1);
}

static void printing(void) {
#ifdef PRINTING
    static const char *const formats[] = {"%d|%5d|%-5d|%05d", "%x|%#x|%8X|%#010x", "%u|%o|%#o|%i",
                                          "%+d|% d|%.3d|%8.3d", "%ld|%lu|%lx|%hhd", "%hd|%hhu|%.0d|%zu"};
    char buffer[64];
    int x = (int)next(65536) - 32768, y = (int)next(3) - 1;
    int length = snprintf(buffer, next(64) + 1, formats[next(6)], (long)x, (long)y, (long)x, (long)y);
    printf("snprintf %d %s\n", length, buffer);
    length = sprintf(buffer, "%s|%5s|%-6s|%.2s|%c|%%", text(0, "ab", 6), text(1, "cd", 6),
                     text(2, "ef", 6), text(3, "gh", 6), 'a' + (int)next(26));
    printf("sprintf %d %s\n", length, buffer);
#endif
}

int main(void) {
    classes();
    for (int i = 0; i < ROUNDS; i++) {
        bytes();
        copies();
        searches();
        numbers();
        sorting();
        printing();
    }
    return 0;
}
