/* The run-time of PAL monitors.
 *
 * Instrumented code carries the declarations it needs; include this header only to handle
 * violations yourself: define recurva_pal_on_violation, which is called instead of what
 * RECURVA_PAL says. C99, no dependencies.
 */
#ifndef RECURVA_PAL_H
#define RECURVA_PAL_H

#ifdef __cplusplus
extern "C" {
#endif

/* A monitored call that has not returned. Sites are texts of four lines: event, file and line,
 * function, call. */
struct recurva_pal_frame {
  const char *site;
  struct recurva_pal_frame *outer;
};

/* A guard that did not hold. */
struct recurva_pal_report {
  const char *site;                       /* the call or assignment, as in a frame */
  const char *guard;                      /* three lines: before or after, place, text */
  const char *values;                     /* name = value, one a line */
  const struct recurva_pal_frame *pending; /* calls that have not returned, innermost first */
};

/* The policies that RECURVA_PAL, or recurva_pal_policy, chooses from. */
enum recurva_pal_policy {
  RECURVA_PAL_ABORT, /* report and abort: the default */
  RECURVA_PAL_EXIT,  /* report and exit with status 86 */
  RECURVA_PAL_LOG,   /* report and go on */
  RECURVA_PAL_COUNT  /* go on, and say how many there were at the end */
};

/* Defined by the program, if it wants to handle violations itself. It may return: then the
 * program goes on. */
void recurva_pal_on_violation(const struct recurva_pal_report *report);

/* How many violations there have been. */
unsigned long recurva_pal_violations(void);

#ifdef __cplusplus
}
#endif
#endif
