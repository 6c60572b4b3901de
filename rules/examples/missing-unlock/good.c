// A server of counters. A request that is wrong is refused, and the mutex is given back.
#include <pthread.h>
#include <poll.h>

extern int __VERIFIER_nondet_int(void);

static pthread_mutex_t table = PTHREAD_MUTEX_INITIALIZER;
static int counters[8];

static int serve(int request)
{
    pthread_mutex_lock(&table);
    if (request < 0 || request >= 8) {
        pthread_mutex_unlock(&table);
        return -1;
    }
    counters[request] = 1;
    pthread_mutex_unlock(&table);
    return 0;
}

int main(void)
{
    struct pollfd input = { 0, POLLIN, 0 };

    while (poll(&input, 1, 0) >= 0)
        serve(__VERIFIER_nondet_int());
    return 0;
}
