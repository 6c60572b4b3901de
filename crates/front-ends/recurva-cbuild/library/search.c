/* string.h: texts that are searched and cut into pieces. */

typedef __typeof__(sizeof(0)) size_t;

size_t strlen(const char *text);
int strncmp(const char *left, const char *right, size_t count);
int strncasecmp(const char *left, const char *right, size_t count);

char *strchr(const char *text, int c) {
    for (;; text++) {
        if (*text == (char)c)
            return (char *)text;
        if (!*text)
            return 0;
    }
}

char *strchrnul(const char *text, int c) {
    while (*text && *text != (char)c)
        text++;
    return (char *)text;
}

char *strrchr(const char *text, int c) {
    const char *found = 0;
    for (;; text++) {
        if (*text == (char)c)
            found = text;
        if (!*text)
            return (char *)found;
    }
}

char *index(const char *text, int c) {
    return strchr(text, c);
}

char *rindex(const char *text, int c) {
    return strrchr(text, c);
}

char *strstr(const char *text, const char *part) {
    size_t length = strlen(part);
    for (;; text++) {
        if (strncmp(text, part, length) == 0)
            return (char *)text;
        if (!*text)
            return 0;
    }
}

char *strcasestr(const char *text, const char *part) {
    size_t length = strlen(part);
    for (;; text++) {
        if (strncasecmp(text, part, length) == 0)
            return (char *)text;
        if (!*text)
            return 0;
    }
}

static int is_one_of(char c, const char *set) {
    for (; *set; set++) {
        if (*set == c)
            return 1;
    }
    return 0;
}

size_t strspn(const char *text, const char *set) {
    size_t length = 0;
    while (text[length] && is_one_of(text[length], set))
        length++;
    return length;
}

size_t strcspn(const char *text, const char *set) {
    size_t length = 0;
    while (text[length] && !is_one_of(text[length], set))
        length++;
    return length;
}

char *strpbrk(const char *text, const char *set) {
    text += strcspn(text, set);
    return *text ? (char *)text : 0;
}

char *strtok_r(char *text, const char *set, char **rest) {
    if (!text)
        text = *rest;
    text += strspn(text, set);
    if (!*text) {
        *rest = text;
        return 0;
    }
    char *end = text + strcspn(text, set);
    if (*end)
        *end++ = 0;
    *rest = end;
    return text;
}

static char *rest_of_strtok;

char *strtok(char *text, const char *set) {
    if (!text && !rest_of_strtok)
        return 0;
    return strtok_r(text, set, &rest_of_strtok);
}

char *strsep(char **rest, const char *set) {
    char *text = *rest;
    if (!text)
        return 0;
    char *end = text + strcspn(text, set);
    if (*end) {
        *end = 0;
        *rest = end + 1;
    } else {
        *rest = 0;
    }
    return text;
}
