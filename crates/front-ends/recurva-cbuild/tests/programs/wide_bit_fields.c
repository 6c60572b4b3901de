// Bit-fields wider than int: GCC computes with them in their own width, unless the other operand is
// wider.
#include <stdio.h>

struct wide {
    unsigned long long a : 56;
    long long b : 40;
    unsigned long long c : 33;
    long long d : 63;
    unsigned e : 5;
};

static struct wide s = {~0ull, -1, ~0ull, -5, 31};

#define SHOW(e) do { unsigned long long value = (e); printf("%llx\t%s\n", value, #e); } while (0)

static void operators(void)
{
    SHOW(s.a << 4);
    SHOW(s.a + 1);
    SHOW(~s.a);
    SHOW(-s.c);
    SHOW(+s.c * s.c);
    SHOW(s.a * s.a);
    SHOW(s.b << 3);
    SHOW(s.c >> 1);
    SHOW(s.b / -7);
    SHOW(s.b % -7);
    SHOW(s.c ^ -1);
    SHOW(!s.a);
}

static void common_types(void)
{
    SHOW(s.b + s.a);
    SHOW(s.c + s.b);
    SHOW(s.c + 1u);
    SHOW(s.c + 1ull);
    SHOW(s.a + 1.0);
    SHOW(-1 < s.c);
    SHOW(s.b < s.c);
    SHOW((1 ? s.a : 0) + 1);
    SHOW((s.e, s.a) + 1);
    SHOW(({ s.a; }) << 53);
    SHOW(-1 < ({ s.e; }));
    SHOW(sizeof(s.a + 1));
}

static void assignments(void)
{
    SHOW((s.a = 77) << 52);
    SHOW(s.a++ << 50);
    SHOW(++s.a << 50);
    SHOW(s.b += s.a);
    SHOW(s.d *= 3);
    SHOW(s.c <<= 20);
    SHOW(s.c -= 1);
    __typeof__(s.a + 1) own = s.a;
    own <<= 50;
    SHOW(own);
    int narrow = s.c;
    SHOW(narrow);
    _Bool truth = s.a;
    SHOW(truth);
    switch (s.a << 55) {
    case 0: printf("nothing is left\n"); break;
    default: printf("something is left\n");
    }
    printf("%llx %lld\n", s.a << 3, s.d + 1);
}

int main(void)
{
    operators();
    common_types();
    assignments();
    return 0;
}
