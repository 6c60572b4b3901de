/* string.h: texts that are copied and compared. */

typedef __typeof__(sizeof(0)) size_t;

int tolower(int c);

size_t strlen(const char *text) {
    size_t length = 0;
    while (text[length])
        length++;
    return length;
}

size_t strnlen(const char *text, size_t most) {
    size_t length = 0;
    while (length < most && text[length])
        length++;
    return length;
}

char *strcpy(char *to, const char *from) {
    size_t i = 0;
    while ((to[i] = from[i]) != 0)
        i++;
    return to;
}

char *stpcpy(char *to, const char *from) {
    while ((*to = *from) != 0) {
        to++;
        from++;
    }
    return to;
}

char *strncpy(char *to, const char *from, size_t count) {
    size_t i = 0;
    for (; i < count && from[i]; i++)
        to[i] = from[i];
    for (; i < count; i++)
        to[i] = 0;
    return to;
}

char *stpncpy(char *to, const char *from, size_t count) {
    size_t i = 0;
    for (; i < count && from[i]; i++)
        to[i] = from[i];
    char *end = to + i;
    for (; i < count; i++)
        to[i] = 0;
    return end;
}

char *strcat(char *to, const char *from) {
    strcpy(to + strlen(to), from);
    return to;
}

char *strncat(char *to, const char *from, size_t count) {
    char *end = to + strlen(to);
    size_t i = 0;
    for (; i < count && from[i]; i++)
        end[i] = from[i];
    end[i] = 0;
    return to;
}

size_t strlcpy(char *to, const char *from, size_t size) {
    size_t length = strlen(from);
    if (size > 0) {
        size_t i = 0;
        for (; i < length && i < size - 1; i++)
            to[i] = from[i];
        to[i] = 0;
    }
    return length;
}

size_t strlcat(char *to, const char *from, size_t size) {
    size_t start = strnlen(to, size);
    if (start == size)
        return size + strlen(from);
    return start + strlcpy(to + start, from, size - start);
}

int strcmp(const char *left, const char *right) {
    const unsigned char *l = (const unsigned char *)left;
    const unsigned char *r = (const unsigned char *)right;
    while (*l && *l == *r) {
        l++;
        r++;
    }
    return *l < *r ? -1 : *l > *r;
}

int strcoll(const char *left, const char *right) {
    return strcmp(left, right);
}

int strncmp(const char *left, const char *right, size_t count) {
    const unsigned char *l = (const unsigned char *)left;
    const unsigned char *r = (const unsigned char *)right;
    for (size_t i = 0; i < count; i++) {
        if (l[i] != r[i])
            return l[i] < r[i] ? -1 : 1;
        if (!l[i])
            return 0;
    }
    return 0;
}

int strcasecmp(const char *left, const char *right) {
    const unsigned char *l = (const unsigned char *)left;
    const unsigned char *r = (const unsigned char *)right;
    while (*l && tolower(*l) == tolower(*r)) {
        l++;
        r++;
    }
    return tolower(*l) - tolower(*r);
}

int strncasecmp(const char *left, const char *right, size_t count) {
    const unsigned char *l = (const unsigned char *)left;
    const unsigned char *r = (const unsigned char *)right;
    for (size_t i = 0; i < count; i++) {
        int difference = tolower(l[i]) - tolower(r[i]);
        if (difference)
            return difference;
        if (!l[i])
            return 0;
    }
    return 0;
}
