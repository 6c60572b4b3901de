/* stdio.h: input by a format. What is read is unknown, and reading may stop at any conversion. */

typedef __typeof__(sizeof(0)) size_t;
typedef struct _IO_FILE FILE;
typedef __builtin_va_list va_list;

_Bool __VERIFIER_nondet_bool(void);
char __VERIFIER_nondet_char(void);
short __VERIFIER_nondet_short(void);
int __VERIFIER_nondet_int(void);
long __VERIFIER_nondet_long(void);
long long __VERIFIER_nondet_longlong(void);
float __VERIFIER_nondet_float(void);
double __VERIFIER_nondet_double(void);
void __VERIFIER_assume(int condition);

/* A text of at most `most` characters; of any length that is not said, up to 31. */
static void read_text(char *text, int most, int is_ended) {
    int length = most;
    if (is_ended) {
        length = __VERIFIER_nondet_int();
        __VERIFIER_assume(length > 0 && length <= (most > 0 ? most : 31));
    }
    for (int i = 0; i < length; i++) {
        text[i] = __VERIFIER_nondet_char();
        if (is_ended)
            __VERIFIER_assume(text[i] != 0);
    }
    if (is_ended)
        text[length] = 0;
}

static void read_integer(va_list *list, int size) {
    if (size == 2)
        *__builtin_va_arg(*list, long long *) = __VERIFIER_nondet_longlong();
    else if (size == 1)
        *__builtin_va_arg(*list, long *) = __VERIFIER_nondet_long();
    else if (size == 0)
        *__builtin_va_arg(*list, int *) = __VERIFIER_nondet_int();
    else if (size == -1)
        *__builtin_va_arg(*list, short *) = __VERIFIER_nondet_short();
    else
        *__builtin_va_arg(*list, char *) = __VERIFIER_nondet_char();
}

static int scan(const char *format, va_list *list) {
    int done = 0;
    while (*format) {
        if (*format++ != '%')
            continue;
        if (*format == '%') {
            format++;
            continue;
        }
        int is_dropped = 0, width = 0, size = 0;
        if (*format == '*') {
            is_dropped = 1;
            format++;
        }
        for (; *format >= '0' && *format <= '9'; format++)
            width = width * 10 + (*format - '0');
        for (;; format++) {
            if (*format == 'h')
                size--;
            else if (*format == 'l' || *format == 'z' || *format == 't')
                size++;
            else if (*format == 'j' || *format == 'L')
                size = 2;
            else
                break;
        }
        char conversion = *format++;
        if (conversion == '[') {
            if (*format == '^')
                format++;
            if (*format == ']')
                format++;
            while (*format && *format++ != ']')
                ;
        }
        if (is_dropped)
            continue;
        if (__VERIFIER_nondet_bool())
            return done ? done : -1;
        if (conversion == 's' || conversion == '[')
            read_text(__builtin_va_arg(*list, char *), width, 1);
        else if (conversion == 'c')
            read_text(__builtin_va_arg(*list, char *), width ? width : 1, 0);
        else if (conversion == 'p')
            *__builtin_va_arg(*list, void **) = 0;
        else if (conversion != 'e' && conversion != 'f' && conversion != 'g' && conversion != 'a')
            read_integer(list, size);
        else if (size == 0)
            *__builtin_va_arg(*list, float *) = __VERIFIER_nondet_float();
        else
            *__builtin_va_arg(*list, double *) = __VERIFIER_nondet_double();
        if (conversion != 'n')
            done++;
    }
    return done;
}

int scanf(const char *format, ...) {
    va_list list;
    __builtin_va_start(list, format);
    int done = scan(format, &list);
    __builtin_va_end(list);
    return done;
}

int fscanf(FILE *stream, const char *format, ...) {
    (void)stream;
    va_list list;
    __builtin_va_start(list, format);
    int done = scan(format, &list);
    __builtin_va_end(list);
    return done;
}

int sscanf(const char *text, const char *format, ...) {
    (void)text;
    va_list list;
    __builtin_va_start(list, format);
    int done = scan(format, &list);
    __builtin_va_end(list);
    return done;
}

int __isoc99_scanf(const char *format, ...) {
    va_list list;
    __builtin_va_start(list, format);
    int done = scan(format, &list);
    __builtin_va_end(list);
    return done;
}

int __isoc99_fscanf(FILE *stream, const char *format, ...) {
    (void)stream;
    va_list list;
    __builtin_va_start(list, format);
    int done = scan(format, &list);
    __builtin_va_end(list);
    return done;
}

int __isoc99_sscanf(const char *text, const char *format, ...) {
    (void)text;
    va_list list;
    __builtin_va_start(list, format);
    int done = scan(format, &list);
    __builtin_va_end(list);
    return done;
}
