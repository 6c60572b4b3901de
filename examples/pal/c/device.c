/* A driver that locks its device while it works, and forgets to give it back where it refuses a
 * request. device.pal says that locks are taken and given back in turns.
 * Compile with -DFIXED for one that always gives it back. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct device {
    int number;
    int is_locked;
};

static void lock(struct device *device) { device->is_locked = 1; }
static void unlock(struct device *device) { device->is_locked = 0; }

static int serve(struct device *device, int request)
{
    lock(device);
    if (request > 3) {
#ifdef FIXED
        unlock(device);
#endif
        return -1;
    }
    unlock(device);
    return request;
}

int main(void)
{
    struct device device = { 7, 0 };

    while (__VERIFIER_nondet_int())
        serve(&device, __VERIFIER_nondet_int());
    return 0;
}
