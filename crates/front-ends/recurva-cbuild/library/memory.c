/* string.h: bytes. `memcpy`, `memmove` and `memset` need no model. */

typedef __typeof__(sizeof(0)) size_t;

void *memcpy(void *to, const void *from, size_t count);
void *memmove(void *to, const void *from, size_t count);
void *memset(void *to, int value, size_t count);

int memcmp(const void *left, const void *right, size_t count) {
    const unsigned char *l = left, *r = right;
    for (size_t i = 0; i < count; i++) {
        if (l[i] != r[i])
            return l[i] < r[i] ? -1 : 1;
    }
    return 0;
}

int bcmp(const void *left, const void *right, size_t count) {
    return memcmp(left, right, count);
}

void *memchr(const void *bytes, int value, size_t count) {
    const unsigned char *b = bytes;
    for (size_t i = 0; i < count; i++) {
        if (b[i] == (unsigned char)value)
            return (void *)(b + i);
    }
    return 0;
}

void *memrchr(const void *bytes, int value, size_t count) {
    const unsigned char *b = bytes;
    while (count > 0) {
        count--;
        if (b[count] == (unsigned char)value)
            return (void *)(b + count);
    }
    return 0;
}

void *rawmemchr(const void *bytes, int value) {
    const unsigned char *b = bytes;
    while (*b != (unsigned char)value)
        b++;
    return (void *)b;
}

void *memccpy(void *to, const void *from, int stop, size_t count) {
    unsigned char *t = to;
    const unsigned char *f = from;
    for (size_t i = 0; i < count; i++) {
        t[i] = f[i];
        if (f[i] == (unsigned char)stop)
            return t + i + 1;
    }
    return 0;
}

void *memmem(const void *text, size_t length, const void *part, size_t part_length) {
    const unsigned char *t = text;
    if (part_length > length)
        return 0;
    for (size_t i = 0; i <= length - part_length; i++) {
        if (memcmp(t + i, part, part_length) == 0)
            return (void *)(t + i);
    }
    return 0;
}

void bcopy(const void *from, void *to, size_t count) {
    memmove(to, from, count);
}

void bzero(void *bytes, size_t count) {
    memset(bytes, 0, count);
}

void explicit_bzero(void *bytes, size_t count) {
    memset(bytes, 0, count);
}
