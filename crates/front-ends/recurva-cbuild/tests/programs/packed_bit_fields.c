// Bit-fields that lie across nine bytes.
#include <stdio.h>
#include <string.h>

struct __attribute__((packed)) packed {
    unsigned x : 3;
    unsigned long long y : 63;
    long long z : 62;
    unsigned char last;
};

static struct packed given = {5, 0x7123456789abcdefull, -3, 9};

static void show(const struct packed *p)
{
    unsigned char bytes[sizeof *p];
    memcpy(bytes, p, sizeof *p);
    for (unsigned i = 0; i < sizeof *p; i++)
        printf("%02x", bytes[i]);
    printf(" %d %llx %lld %d\n", p->x, (unsigned long long)p->y, (long long)p->z, p->last);
}

int main(void)
{
    show(&given);
    struct packed local = given;
    local.y = ~0ull;
    show(&local);
    local.y = 1;
    local.z = -1;
    show(&local);
    local.y += local.z;
    local.z >>= 61;
    show(&local);
    local.y <<= 62;
    local.x = 2;
    show(&local);
    return 0;
}
