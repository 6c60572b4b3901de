/* Functions that allocate with `malloc`. Alignment is not modelled. */

typedef __typeof__(sizeof(0)) size_t;

void *malloc(size_t size);
void *realloc(void *old, size_t size);
void *memcpy(void *to, const void *from, size_t count);
size_t strlen(const char *text);
size_t strnlen(const char *text, size_t most);

char *strdup(const char *text) {
    size_t size = strlen(text) + 1;
    char *copy = malloc(size);
    if (copy)
        memcpy(copy, text, size);
    return copy;
}

char *__strdup(const char *text) {
    return strdup(text);
}

char *strndup(const char *text, size_t most) {
    size_t length = strnlen(text, most);
    char *copy = malloc(length + 1);
    if (copy) {
        memcpy(copy, text, length);
        copy[length] = 0;
    }
    return copy;
}

void *aligned_alloc(size_t alignment, size_t size) {
    (void)alignment;
    return malloc(size);
}

void *memalign(size_t alignment, size_t size) {
    (void)alignment;
    return malloc(size);
}

int posix_memalign(void **result, size_t alignment, size_t size) {
    (void)alignment;
    void *memory = malloc(size);
    if (!memory)
        return 12;
    *result = memory;
    return 0;
}

void *reallocarray(void *old, size_t count, size_t size) {
    if (size && count > (size_t)-1 / size)
        return 0;
    return realloc(old, count * size);
}
