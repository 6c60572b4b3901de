/* stdio.h: output. What goes to a stream is not looked at and its length unknown; what goes to a
   text is written as the format says. Floating-point numbers are an unknown text. */

typedef __typeof__(sizeof(0)) size_t;
typedef struct _IO_FILE FILE;
typedef __builtin_va_list va_list;

int __VERIFIER_nondet_int(void);
char __VERIFIER_nondet_char(void);
void __VERIFIER_assume(int condition);

int printf(const char *format, ...) {
    (void)format;
    return __VERIFIER_nondet_int();
}

int fprintf(FILE *stream, const char *format, ...) {
    (void)stream, (void)format;
    return __VERIFIER_nondet_int();
}

int dprintf(int number, const char *format, ...) {
    (void)number, (void)format;
    return __VERIFIER_nondet_int();
}

int vprintf(const char *format, va_list list) {
    (void)format, (void)list;
    return __VERIFIER_nondet_int();
}

int vfprintf(FILE *stream, const char *format, va_list list) {
    (void)stream, (void)format, (void)list;
    return __VERIFIER_nondet_int();
}

/* Where output goes: the characters beyond the size are only counted. */
struct sink {
    char *text;
    size_t size;
    size_t length;
};

static void put(struct sink *sink, char c) {
    if (sink->length < sink->size)
        sink->text[sink->length] = c;
    sink->length++;
}

/* How a conversion is laid out. */
struct layout {
    int width;
    int precision;
    int is_left;
    int is_zero;
    int is_alternate;
    char sign;
};

/* A number or a text: what stands before the zeros, the zeros, and the rest. */
static void put_field(struct sink *sink, const struct layout *layout, const char *prefix,
                      int prefix_length, int zeros, const char *body, int length) {
    int padding = layout->width - prefix_length - zeros - length;
    if (layout->is_zero && !layout->is_left && padding > 0) {
        zeros += padding;
        padding = 0;
    }
    for (; padding > 0 && !layout->is_left; padding--)
        put(sink, ' ');
    for (int i = 0; i < prefix_length; i++)
        put(sink, prefix[i]);
    for (; zeros > 0; zeros--)
        put(sink, '0');
    for (int i = 0; i < length; i++)
        put(sink, body[i]);
    for (; padding > 0; padding--)
        put(sink, ' ');
}

static void put_number(struct sink *sink, struct layout *layout, unsigned long long value,
                       int is_negative, int base, char conversion) {
    char digits[24];
    char prefix[3];
    int prefix_length = 0;
    int start = 24;
    const char *alphabet = conversion == 'X' ? "0123456789ABCDEF" : "0123456789abcdef";
    int is_zero = value == 0;
    if (is_negative)
        value = 0 - value;
    for (; value; value /= base)
        digits[--start] = alphabet[value % base];
    if (is_zero && layout->precision != 0)
        digits[--start] = '0';
    int length = 24 - start;
    int zeros = layout->precision > length ? layout->precision - length : 0;
    if (layout->precision >= 0)
        layout->is_zero = 0;
    if (is_negative)
        prefix[prefix_length++] = '-';
    else if (layout->sign)
        prefix[prefix_length++] = layout->sign;
    if (layout->is_alternate && base == 16 && !is_zero) {
        prefix[prefix_length++] = '0';
        prefix[prefix_length++] = conversion;
    }
    if (layout->is_alternate && base == 8 && zeros == 0 && (length == 0 || digits[start] != '0'))
        zeros = 1;
    put_field(sink, layout, prefix, prefix_length, zeros, digits + start, length);
}

static void put_text(struct sink *sink, struct layout *layout, const char *text) {
    int length = 0;
    if (!text)
        text = "(null)";
    while ((layout->precision < 0 || length < layout->precision) && text[length])
        length++;
    layout->is_zero = 0;
    put_field(sink, layout, "", 0, 0, text, length);
}

/* Up to 31 characters that are not known. */
static void put_unknown(struct sink *sink) {
    int length = __VERIFIER_nondet_int();
    __VERIFIER_assume(length > 0 && length < 32);
    for (int i = 0; i < length; i++) {
        char c = __VERIFIER_nondet_char();
        __VERIFIER_assume(c > ' ');
        put(sink, c);
    }
}

/* The size of an integer: 0 is int, 1 long, 2 long long, -1 short, -2 char. */
static long long signed_argument(va_list *list, int size) {
    if (size == 2)
        return __builtin_va_arg(*list, long long);
    if (size == 1)
        return __builtin_va_arg(*list, long);
    int value = __builtin_va_arg(*list, int);
    return size == -2 ? (signed char)value : size == -1 ? (short)value : value;
}

static unsigned long long unsigned_argument(va_list *list, int size) {
    if (size == 2)
        return __builtin_va_arg(*list, unsigned long long);
    if (size == 1)
        return __builtin_va_arg(*list, unsigned long);
    unsigned value = __builtin_va_arg(*list, unsigned);
    return size == -2 ? (unsigned char)value : size == -1 ? (unsigned short)value : value;
}

static const char *put_conversion(struct sink *sink, const char *format, va_list *list) {
    struct layout layout = {0, -1, 0, 0, 0, 0};
    int size = 0;
    for (;; format++) {
        if (*format == '-')
            layout.is_left = 1;
        else if (*format == '0')
            layout.is_zero = 1;
        else if (*format == '#')
            layout.is_alternate = 1;
        else if (*format == '+')
            layout.sign = '+';
        else if (*format == ' ')
            layout.sign = layout.sign ? layout.sign : ' ';
        else
            break;
    }
    if (*format == '*') {
        layout.width = __builtin_va_arg(*list, int);
        if (layout.width < 0) {
            layout.is_left = 1;
            layout.width = -layout.width;
        }
        format++;
    }
    for (; *format >= '0' && *format <= '9'; format++)
        layout.width = layout.width * 10 + (*format - '0');
    if (*format == '.') {
        layout.precision = 0;
        format++;
        if (*format == '*') {
            layout.precision = __builtin_va_arg(*list, int);
            format++;
        }
        for (; *format >= '0' && *format <= '9'; format++)
            layout.precision = layout.precision * 10 + (*format - '0');
    }
    for (;; format++) {
        if (*format == 'h')
            size--;
        else if (*format == 'l')
            size++;
        else if (*format == 'z' || *format == 't')
            size = 1;
        else if (*format == 'j' || *format == 'q')
            size = 2;
        else if (*format != 'L')
            break;
    }
    switch (*format) {
    case 'd':
    case 'i': {
        long long value = signed_argument(list, size);
        put_number(sink, &layout, (unsigned long long)value, value < 0, 10, *format);
        break;
    }
    case 'u':
        layout.sign = 0;
        put_number(sink, &layout, unsigned_argument(list, size), 0, 10, *format);
        break;
    case 'o':
        layout.sign = 0;
        put_number(sink, &layout, unsigned_argument(list, size), 0, 8, *format);
        break;
    case 'x':
    case 'X':
        layout.sign = 0;
        put_number(sink, &layout, unsigned_argument(list, size), 0, 16, *format);
        break;
    case 'c': {
        char c = (char)__builtin_va_arg(*list, int);
        layout.is_zero = 0;
        put_field(sink, &layout, "", 0, 0, &c, 1);
        break;
    }
    case 's':
        put_text(sink, &layout, __builtin_va_arg(*list, char *));
        break;
    case 'p':
        (void)__builtin_va_arg(*list, void *);
        put_unknown(sink);
        break;
    case 'n':
        *__builtin_va_arg(*list, int *) = (int)sink->length;
        break;
    case '%':
        put(sink, '%');
        break;
    default:
        (void)__builtin_va_arg(*list, double);
        put_unknown(sink);
        break;
    }
    return format + 1;
}

int vsnprintf(char *text, size_t size, const char *format, va_list given) {
    struct sink sink = {text, size, 0};
    va_list list;
    __builtin_va_copy(list, given);
    while (*format) {
        if (*format == '%')
            format = put_conversion(&sink, format + 1, &list);
        else
            put(&sink, *format++);
    }
    __builtin_va_end(list);
    if (size > 0)
        text[sink.length < size ? sink.length : size - 1] = 0;
    return (int)sink.length;
}

int snprintf(char *text, size_t size, const char *format, ...) {
    va_list list;
    __builtin_va_start(list, format);
    int length = vsnprintf(text, size, format, list);
    __builtin_va_end(list);
    return length;
}

int vsprintf(char *text, const char *format, va_list list) {
    return vsnprintf(text, (size_t)-1 >> 1, format, list);
}

int sprintf(char *text, const char *format, ...) {
    va_list list;
    __builtin_va_start(list, format);
    int length = vsprintf(text, format, list);
    __builtin_va_end(list);
    return length;
}
