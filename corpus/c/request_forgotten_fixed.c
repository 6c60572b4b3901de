// A connection that answers before it looks at the next event.
enum state { IDLE, BUSY, DONE };

extern _Bool is_request(void);

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
        if (state == BUSY)
            answer();
        if (state == DONE)
            state = IDLE;
    }
}
