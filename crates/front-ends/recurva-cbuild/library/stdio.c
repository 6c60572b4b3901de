/* stdio.h: streams are opaque, all that is read is unknown, and every call may fail. */

typedef __typeof__(sizeof(0)) size_t;
typedef struct _IO_FILE FILE;

int __VERIFIER_nondet_int(void);
long __VERIFIER_nondet_long(void);
char __VERIFIER_nondet_char(void);
_Bool __VERIFIER_nondet_bool(void);
size_t __VERIFIER_nondet_size_t(void);
void __VERIFIER_assume(int condition);
void *malloc(size_t size);
void free(void *memory);

struct _IO_FILE {
    int number;
};

static struct _IO_FILE standard[3];

FILE *stdin = &standard[0];
FILE *stdout = &standard[1];
FILE *stderr = &standard[2];

FILE *fopen(const char *path, const char *mode) {
    (void)path, (void)mode;
    if (__VERIFIER_nondet_bool())
        return 0;
    return malloc(sizeof(struct _IO_FILE));
}

FILE *fopen64(const char *path, const char *mode) {
    return fopen(path, mode);
}

FILE *fdopen(int number, const char *mode) {
    (void)number;
    return fopen("", mode);
}

FILE *tmpfile(void) {
    return fopen("", "");
}

FILE *popen(const char *command, const char *mode) {
    return fopen(command, mode);
}

static int zero_or_end(void) {
    return __VERIFIER_nondet_bool() ? 0 : -1;
}

int fclose(FILE *stream) {
    if (stream != stdin && stream != stdout && stream != stderr)
        free(stream);
    return zero_or_end();
}

int pclose(FILE *stream) {
    free(stream);
    return __VERIFIER_nondet_int();
}

static int byte_or_end(void) {
    int c = __VERIFIER_nondet_int();
    __VERIFIER_assume(c >= -1 && c <= 255);
    return c;
}

int fgetc(FILE *stream) {
    (void)stream;
    return byte_or_end();
}

int getc(FILE *stream) {
    (void)stream;
    return byte_or_end();
}

int getchar(void) {
    return byte_or_end();
}

int ungetc(int c, FILE *stream) {
    (void)stream;
    return __VERIFIER_nondet_bool() ? (unsigned char)c : -1;
}

int fputc(int c, FILE *stream) {
    (void)stream;
    return __VERIFIER_nondet_bool() ? (unsigned char)c : -1;
}

int putc(int c, FILE *stream) {
    return fputc(c, stream);
}

int putchar(int c) {
    return fputc(c, stdout);
}

/* Reads all of the text: a wrong pointer is found. */
static int written(const char *text) {
    while (*text)
        text++;
    return __VERIFIER_nondet_bool() ? 1 : -1;
}

int fputs(const char *text, FILE *stream) {
    (void)stream;
    return written(text);
}

int puts(const char *text) {
    return written(text);
}

char *fgets(char *text, int size, FILE *stream) {
    (void)stream;
    if (size <= 0 || __VERIFIER_nondet_bool())
        return 0;
    int length = __VERIFIER_nondet_int();
    __VERIFIER_assume(length >= 0 && length < size);
    for (int i = 0; i < length; i++)
        text[i] = __VERIFIER_nondet_char();
    text[length] = 0;
    return text;
}

size_t fread(void *bytes, size_t size, size_t count, FILE *stream) {
    (void)stream;
    size_t done = __VERIFIER_nondet_size_t();
    __VERIFIER_assume(done <= count);
    for (size_t i = 0; i < done * size; i++)
        ((char *)bytes)[i] = __VERIFIER_nondet_char();
    return done;
}

size_t fwrite(const void *bytes, size_t size, size_t count, FILE *stream) {
    (void)bytes, (void)size, (void)stream;
    size_t done = __VERIFIER_nondet_size_t();
    __VERIFIER_assume(done <= count);
    return done;
}

long getline(char **text, size_t *size, FILE *stream) {
    (void)stream;
    if (__VERIFIER_nondet_bool())
        return -1;
    int length = __VERIFIER_nondet_int();
    __VERIFIER_assume(length >= 1 && length < 128);
    if (!*text || *size <= (size_t)length) {
        free(*text);
        *text = malloc(length + 1);
        *size = length + 1;
        if (!*text)
            return -1;
    }
    for (int i = 0; i < length; i++)
        (*text)[i] = __VERIFIER_nondet_char();
    (*text)[length] = 0;
    return length;
}

int fflush(FILE *stream) {
    (void)stream;
    return zero_or_end();
}

int feof(FILE *stream) {
    (void)stream;
    return __VERIFIER_nondet_bool();
}

int ferror(FILE *stream) {
    (void)stream;
    return __VERIFIER_nondet_bool();
}

void clearerr(FILE *stream) {
    (void)stream;
}

int fseek(FILE *stream, long offset, int from) {
    (void)stream, (void)offset, (void)from;
    return zero_or_end();
}

long ftell(FILE *stream) {
    (void)stream;
    long place = __VERIFIER_nondet_long();
    __VERIFIER_assume(place >= -1);
    return place;
}

void rewind(FILE *stream) {
    (void)stream;
}

int fileno(FILE *stream) {
    (void)stream;
    int number = __VERIFIER_nondet_int();
    __VERIFIER_assume(number >= 0);
    return number;
}

void setbuf(FILE *stream, char *buffer) {
    (void)stream, (void)buffer;
}

int setvbuf(FILE *stream, char *buffer, int mode, size_t size) {
    (void)stream, (void)buffer, (void)mode, (void)size;
    return zero_or_end();
}

int remove(const char *path) {
    (void)path;
    return zero_or_end();
}

int rename(const char *from, const char *to) {
    (void)from, (void)to;
    return zero_or_end();
}

void perror(const char *text) {
    (void)text;
}
