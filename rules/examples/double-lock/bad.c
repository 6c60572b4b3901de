// A cache that locks itself in each routine: one of them calls another one.
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);

static pthread_mutex_t cache = PTHREAD_MUTEX_INITIALIZER;
static int entries;

static void clear(void)
{
    pthread_mutex_lock(&cache);
    entries = 0;
    pthread_mutex_unlock(&cache);
}

static void insert(void)
{
    pthread_mutex_lock(&cache);
    if (entries == 10)
        clear();
    entries++;
    pthread_mutex_unlock(&cache);
}

int main(void)
{
    while (__VERIFIER_nondet_int())
        insert();
    return 0;
}
