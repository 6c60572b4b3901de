// The next phase of a traffic light.

extern _Bool __VERIFIER_nondet_bool(void);
extern void reach_error(void);

enum phase { RED, GREEN, YELLOW, BLINKING };

static enum phase next(enum phase phase) {
  switch (phase) {
  case RED:
    return GREEN;
  case GREEN:
    return YELLOW;
  case YELLOW:
    return RED;
  case BLINKING:
    return RED;
  }
  reach_error();
  return RED;
}

int main(void) {
  enum phase phase = RED;
  for (int i = 0; i < 5; i++) {
    if (phase == YELLOW && __VERIFIER_nondet_bool()) {
      phase = BLINKING;
    }
    phase = next(phase);
  }
  return phase;
}
