// A connection that is busy answers only when it is asked to go on: it may wait for ever.
enum state { IDLE, BUSY, DONE };

extern _Bool is_request(void);
extern _Bool may_go_on(void);

static enum state state = IDLE;

static void request(void)
{
    state = BUSY;
}

static void answer(void)
{
    state = DONE;
}

int main(void)
{
    for (;;) {
        if (is_request())
            request();
        if (state == BUSY && may_go_on())
            answer();
        if (state == DONE)
            state = IDLE;
    }
}
