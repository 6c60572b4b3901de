/* stdlib.h: sorting and searching. */

typedef __typeof__(sizeof(0)) size_t;

static void swap(char *left, char *right, size_t size) {
    for (size_t i = 0; i < size; i++) {
        char kept = left[i];
        left[i] = right[i];
        right[i] = kept;
    }
}

/* By insertion: a short proof, and stable like glibc's. */
void qsort(void *base, size_t count, size_t size, int (*compare)(const void *, const void *)) {
    char *bytes = base;
    for (size_t i = 1; i < count; i++) {
        for (size_t j = i; j > 0; j--) {
            char *here = bytes + j * size;
            if (compare(here - size, here) <= 0)
                break;
            swap(here - size, here, size);
        }
    }
}

void qsort_r(void *base, size_t count, size_t size,
             int (*compare)(const void *, const void *, void *), void *more) {
    char *bytes = base;
    for (size_t i = 1; i < count; i++) {
        for (size_t j = i; j > 0; j--) {
            char *here = bytes + j * size;
            if (compare(here - size, here, more) <= 0)
                break;
            swap(here - size, here, size);
        }
    }
}

void *bsearch(const void *key, const void *base, size_t count, size_t size,
              int (*compare)(const void *, const void *)) {
    const char *bytes = base;
    size_t low = 0, high = count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        int order = compare(key, bytes + middle * size);
        if (order == 0)
            return (void *)(bytes + middle * size);
        if (order < 0)
            high = middle;
        else
            low = middle + 1;
    }
    return 0;
}
