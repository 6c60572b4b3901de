// Ends when it is told to. The handler of the signal only says so.
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

extern int __VERIFIER_nondet_int(void);

static volatile sig_atomic_t is_over;

static void say(const char *text)
{
    puts(text);
}

static void on_signal(int number)
{
    (void)number;
    is_over = 1;
}

int main(void)
{
    say("starting");
    while (!is_over) {
        // The system may call the handler here: signal(SIGTERM, on_signal).
        if (__VERIFIER_nondet_int())
            on_signal(SIGTERM);
    }
    say("stopped");
    return 0;
}
