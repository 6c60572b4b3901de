/* A small shop: a stock and a till, each behind a mutex, that serves requests from a socket.
 * Compile with -DBUG=n for the mistakes that the rules for locks are about:
 *   double-lock              1 a routine calls another one that takes the same mutex
 *                            2 a mutex is given back twice
 *                            3 the wrong one of two mutexes is given back
 *   missing-unlock           11 an early return where goods are sold out
 *                            12 the program ends inside
 *                            13 one of two mutexes is forgotten where the till is full
 *   no-blocking-under-lock   21 a supplier is asked with the stock locked
 *                            22 the shop sleeps with the till locked
 *                            23 a wrapper of connect is called with both locked
 */
#include <poll.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

#ifndef BUG
#define BUG 0
#endif

#define KINDS 4
#define FULL 3

extern int __VERIFIER_nondet_int(void);

struct goods {
    int count;
    int price;
};

struct stock {
    pthread_mutex_t mutex;
    struct goods goods[KINDS];
};

struct till {
    pthread_mutex_t mutex;
    int coins;
    int is_open;
};

enum request { LOOK, BUY, RETURN, REFILL, CLOSE };

enum answer { DONE, SOLD_OUT, NO_SUCH_GOODS, TILL_FULL, NOT_UNDERSTOOD };

static struct stock stock = { PTHREAD_MUTEX_INITIALIZER, { { 2, 1 }, { 1, 2 }, { 0, 1 }, { 1, 1 } } };
static struct till till = { PTHREAD_MUTEX_INITIALIZER, 0, 1 };

/* The mutexes. Whoever needs both takes the stock first. */

static void lock_stock(void)
{
    pthread_mutex_lock(&stock.mutex);
}

static void unlock_stock(void)
{
    pthread_mutex_unlock(&stock.mutex);
}

static void lock_till(void)
{
    pthread_mutex_lock(&till.mutex);
}

static void unlock_till(void)
{
    pthread_mutex_unlock(&till.mutex);
}

/* What is there of one kind, or -1. */
static int look(int kind)
{
    int count;

    if (kind < 0 || kind >= KINDS)
        return -1;
    lock_stock();
    count = stock.goods[kind].count;
    unlock_stock();
    return count;
}

/* Puts coins into the till. The caller holds its mutex. */
static enum answer collect(int coins)
{
    if (till.coins + coins > FULL)
        return TILL_FULL;
    till.coins += coins;
    return DONE;
}

/* Empties the till. */
static void empty(void)
{
    lock_till();
#if BUG == 22
    sleep(1);
#endif
    till.coins = 0;
#if BUG == 12
    if (!till.is_open)
        exit(0);
#endif
    unlock_till();
}

static enum answer buy(int kind)
{
    enum answer answer;

    if (kind < 0 || kind >= KINDS)
        return NO_SUCH_GOODS;
    lock_stock();
#if BUG == 1
    if (look(kind) == 0) {
#else
    if (stock.goods[kind].count == 0) {
#endif
#if BUG != 11
        unlock_stock();
#endif
        return SOLD_OUT;
    }
    lock_till();
    answer = collect(stock.goods[kind].price);
    if (answer != DONE) {
#if BUG != 13
        unlock_till();
#endif
        unlock_stock();
        return answer;
    }
    stock.goods[kind].count--;
    unlock_till();
    unlock_stock();
    return DONE;
}

/* Takes goods back, if the till can pay for them. */
static enum answer take_back(int kind)
{
    enum answer answer = DONE;

    if (kind < 0 || kind >= KINDS)
        return NO_SUCH_GOODS;
    lock_stock();
    lock_till();
    if (till.coins < stock.goods[kind].price) {
        answer = TILL_FULL;
        goto out;
    }
    till.coins -= stock.goods[kind].price;
    if (stock.goods[kind].count < FULL)
        stock.goods[kind].count++;
out:
    unlock_till();
#if BUG == 2
    if (answer != DONE)
        unlock_stock();
#endif
    unlock_stock();
    return answer;
}

/* Asks the supplier how much there is. */
static int ask_supplier(void)
{
    struct sockaddr address = { 0 };
    int supplier = socket(AF_INET, SOCK_STREAM, 0);
    int count = 0;

    if (supplier < 0)
        return 0;
    if (connect(supplier, &address, sizeof address) == 0)
        count = __VERIFIER_nondet_int() ? 1 : 2;
    close(supplier);
    return count;
}

static enum answer refill(int kind)
{
    int count;

    if (kind < 0 || kind >= KINDS)
        return NO_SUCH_GOODS;
#if BUG == 21
    lock_stock();
    count = ask_supplier();
#elif BUG == 23
    lock_stock();
    lock_till();
    count = till.coins > 0 ? ask_supplier() : 0;
    unlock_till();
#else
    count = ask_supplier();
    lock_stock();
#endif
    stock.goods[kind].count = count;
#if BUG == 3
    if (count == 2) {
        unlock_till();
        return DONE;
    }
#endif
    unlock_stock();
    return DONE;
}

static void close_shop(void)
{
    lock_till();
    till.is_open = 0;
    unlock_till();
    empty();
}

static enum answer serve(enum request request, int kind)
{
    switch (request) {
    case LOOK:
        return look(kind) < 0 ? NO_SUCH_GOODS : DONE;
    case BUY:
        return buy(kind);
    case RETURN:
        return take_back(kind);
    case REFILL:
        return refill(kind);
    case CLOSE:
        close_shop();
        return DONE;
    }
    return NOT_UNDERSTOOD;
}

int main(void)
{
    struct pollfd input = { 0, POLLIN, 0 };

    while (poll(&input, 1, -1) > 0) {
        int request = __VERIFIER_nondet_int();
        int kind = __VERIFIER_nondet_int();
        enum answer answer;

        if (request < LOOK || request > CLOSE)
            continue;
        answer = serve((enum request)request, kind);
        if (answer == TILL_FULL)
            empty();
        if (!till.is_open)
            exit(0);
    }
    return 0;
}
