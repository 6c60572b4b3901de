// A device that is asked again after a while if it is busy, without the mutex.
#include <pthread.h>
#include <unistd.h>

extern int __VERIFIER_nondet_int(void);

static pthread_mutex_t device = PTHREAD_MUTEX_INITIALIZER;
static int is_busy;

static void request(void)
{
    pthread_mutex_lock(&device);
    while (is_busy) {
        pthread_mutex_unlock(&device);
        sleep(1);
        pthread_mutex_lock(&device);
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
