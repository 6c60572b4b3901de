// A device that is asked again after a while if it is busy, with the mutex held all the time.
#include <pthread.h>
#include <unistd.h>

extern int __VERIFIER_nondet_int(void);

static pthread_mutex_t device = PTHREAD_MUTEX_INITIALIZER;
static int is_busy;

static void request(void)
{
    pthread_mutex_lock(&device);
    while (is_busy) {
        sleep(1);
        is_busy = __VERIFIER_nondet_int();
    }
    is_busy = 1;
    pthread_mutex_unlock(&device);
}

int main(void)
{
    while (__VERIFIER_nondet_int())
        request();
    return 0;
}
