/* The run-time of PAL monitors: reports guards that do not hold.
 *
 * Everything is weak, so that it may be linked into a program and into its libraries: the
 * dynamic linker then makes all of them use one copy.
 */
#define _POSIX_C_SOURCE 200809L
#define _DEFAULT_SOURCE
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#if defined(__unix__) || defined(__APPLE__)
#include <fcntl.h>
#include <sched.h>
#include <sys/stat.h>
#include <unistd.h>
#define HAS_UNIX 1
#endif
#if defined(__linux__)
#include <sys/auxv.h>
#include <sys/syscall.h>
/* Sanitizers look at what is given to write(). */
#define LOOK(end, from) syscall(SYS_write, end, from, 1)
#else
#define LOOK(end, from) write(end, from, 1)
#endif
#if defined(__GLIBC__) || defined(__APPLE__)
#include <execinfo.h>
#define HAS_BACKTRACE 1
#endif
#include "recurva_pal.h"

#define WEAK __attribute__((weak, visibility("default")))

#ifndef RECURVA_PAL_POLICY
#define RECURVA_PAL_POLICY RECURVA_PAL_ABORT
#endif

/* A user's callback is found by its address not being null. */
extern __attribute__((weak)) void recurva_pal_on_violation(const struct recurva_pal_report *);

/* The calls that have not returned in this thread, innermost first. */
WEAK __thread struct recurva_pal_frame *recurva_pal_top;

/* What is being reported in this thread. Too long a list of values is cut. */
static __thread struct recurva_pal_report current;
static __thread char values[4096];
static __thread size_t used;
static __thread int is_reporting;

static unsigned long violations;

WEAK unsigned long recurva_pal_violations(void) {
  return __atomic_load_n(&violations, __ATOMIC_RELAXED);
}

/* One thread at a time is in a monitor; actions may enter it again. */
static void *owner;
static unsigned depth;

WEAK void recurva_pal_lock(void) {
  int kept = errno;
  void *self = &current;
  if (__atomic_load_n(&owner, __ATOMIC_ACQUIRE) != self) {
    void *nobody = NULL;
    while (!__atomic_compare_exchange_n(&owner, &nobody, self, 0, __ATOMIC_ACQUIRE,
                                        __ATOMIC_RELAXED)) {
      nobody = NULL;
#ifdef HAS_UNIX
      sched_yield();
#endif
    }
  }
  depth++;
  errno = kept;
}

WEAK void recurva_pal_unlock(void) {
  if (--depth == 0)
    __atomic_store_n(&owner, NULL, __ATOMIC_RELEASE);
}

/* Whether the program has rights that its caller has not, as one that is set-user-id. */
static int is_privileged(void) {
#if defined(__linux__)
  /* Said by the kernel when the program began; what it has done to its ids since does not count. */
  int kept = errno;
  int said = getauxval(AT_SECURE) != 0;
  errno = kept;
  return said;
#elif defined(__APPLE__) || defined(__FreeBSD__) || defined(__NetBSD__) || defined(__OpenBSD__) \
    || defined(__DragonFly__)
  extern int issetugid(void);
  return issetugid();
#elif defined(HAS_UNIX)
  return getuid() != geteuid() || getgid() != getegid();
#else
  return 0;
#endif
}

/* What the environment says. It is the caller's, who must neither switch a guard off nor have files
 * written with rights that are not his. */
static const char *setting(const char *name) {
  return is_privileged() ? NULL : getenv(name);
}

static enum recurva_pal_policy policy(void) {
  static const char *const names[] = {"abort", "exit", "log", "count"};
  const char *said = setting("RECURVA_PAL");
  int i;
  if (said != NULL)
    for (i = 0; i < 4; i++)
      if (strcmp(said, names[i]) == 0)
        return (enum recurva_pal_policy)i;
  return RECURVA_PAL_POLICY;
}

/* Opens a file to write at its end, if it is a file or a character device, as /dev/null is. A folder
 * that all may write to may have a link or a pipe of somebody else's there. */
static FILE *open_end(const char *name) {
#ifdef HAS_UNIX
  struct stat found;
  FILE *log = NULL;
  /* A pipe that nobody reads would be waited for. */
  int flags = O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW | O_CLOEXEC | O_NOCTTY | O_NONBLOCK;
  int file = open(name, flags, 0666);
  if (file < 0)
    return NULL;
  if (fstat(file, &found) == 0 && (S_ISREG(found.st_mode) || S_ISCHR(found.st_mode))
      && fcntl(file, F_SETFL, O_APPEND) == 0)
    log = fdopen(file, "a");
  if (log == NULL)
    close(file);
  return log;
#else
  return fopen(name, "a");
#endif
}

/* Reports go to the file that RECURVA_PAL_LOG names, at its end, or to the standard error. */
static FILE *open_log(void) {
  const char *name = setting("RECURVA_PAL_LOG");
  FILE *log = name != NULL && *name != '\0' ? open_end(name) : NULL;
  return log != NULL ? log : stderr;
}

static void say_count(void) {
  FILE *log = open_log();
  unsigned long count = recurva_pal_violations();
  fprintf(log, "recurva pal: %lu %s\n", count, count == 1 ? "violation" : "violations");
  if (log != stderr)
    fclose(log);
}

static void append(const char *text, size_t length) {
  if (length > sizeof values - 1 - used)
    length = sizeof values - 1 - used;
  memcpy(values + used, text, length);
  used += length;
  values[used] = '\0';
}

/* A pointer of the program's may lead nowhere. The kernel looks before it reads. */
static size_t readable(const char *text, char *into, size_t most) {
  size_t length = 0;
#ifdef HAS_UNIX
  int ends[2];
  if (pipe(ends) != 0)
    return 0;
  while (length < most && LOOK(ends[1], text + length) == 1
         && read(ends[0], into + length, 1) == 1) {
    if (into[length++] == '\0')
      break;
  }
  close(ends[0]);
  close(ends[1]);
#else
  (void)text;
  (void)into;
  (void)most;
#endif
  return length;
}

static void append_text(const char *text) {
  char copy[64];
  size_t length = readable(text, copy, sizeof copy), i;
  if (length == 0)
    return;
  append(" \"", 2);
  for (i = 0; i < length && copy[i] != '\0'; i++) {
    char escaped[8];
    unsigned char byte = (unsigned char)copy[i];
    if (byte == '"' || byte == '\\')
      append(escaped, (size_t)snprintf(escaped, sizeof escaped, "\\%c", byte));
    else if (byte < ' ' || byte == 127)
      append(escaped, (size_t)snprintf(escaped, sizeof escaped, "\\x%02x", byte));
    else
      append(copy + i, 1);
  }
  append(i == length ? "\"..." : "\"", i == length ? 4 : 1);
}

/* Instrumented code calls this for each variable, after recurva_pal_violated and before
 * recurva_pal_report. The class is that of __builtin_classify_type. */
WEAK void recurva_pal_value(const char *name, int class, int is_unsigned, int is_text,
                            long long number, const void *pointer, double real) {
  char value[64];
  int length, kept = errno;
  switch (class) {
  case 1: case 2: case 3: case 4:
    length = snprintf(value, sizeof value, is_unsigned ? "%llu" : "%lld", number);
    break;
  case 5:
    length = pointer == NULL ? snprintf(value, sizeof value, "NULL")
                             : snprintf(value, sizeof value, "%p", pointer);
    break;
  case 8:
    length = snprintf(value, sizeof value, "%.17g", real);
    break;
  default:
    length = snprintf(value, sizeof value, "{...}");
  }
  append(name, strlen(name));
  append(" = ", 3);
  append(value, (size_t)length);
  if (is_text && pointer != NULL)
    append_text((const char *)pointer);
  append("\n", 1);
  errno = kept;
}

/* A guard did not hold. Whether its report is wanted: recurva_pal_report must follow then. A
 * guard that fails while another one is reported is counted only. */
WEAK int recurva_pal_violated(const char *site, const char *guard) {
  unsigned long before = __atomic_fetch_add(&violations, 1, __ATOMIC_RELAXED);
  if (is_reporting)
    return 0;
  if (&recurva_pal_on_violation == NULL && policy() == RECURVA_PAL_COUNT) {
    if (before == 0)
      atexit(say_count);
    return 0;
  }
  is_reporting = 1;
  current.site = site;
  current.guard = guard;
  current.values = values;
  current.pending = recurva_pal_top;
  used = 0;
  values[0] = '\0';
  return 1;
}

/* A line of a text, counted from 0, and its length. */
static const char *line_of(const char *text, int line, int *length) {
  while (line-- > 0) {
    const char *end = strchr(text, '\n');
    if (end == NULL)
      break;
    text = end + 1;
  }
  *length = (int)strcspn(text, "\n");
  return text;
}

static void print_frame(FILE *log, const char *site) {
  int where, in, call;
  const char *where_text = line_of(site, 1, &where);
  const char *in_text = line_of(site, 2, &in);
  const char *call_text = line_of(site, 3, &call);
  fprintf(log, "  %.*s: %.*s: %.*s\n", where, where_text, in, in_text, call, call_text);
}

static void print_values(FILE *log, const char *text) {
  while (*text != '\0') {
    int length = (int)strcspn(text, "\n");
    fprintf(log, "  %.*s\n", length, text);
    text += length + (text[length] != '\0');
  }
}

static void print(FILE *log) {
  int event, place, part, rule, guard;
  const char *event_text = line_of(current.site, 0, &event);
  const char *place_text = line_of(current.site, 1, &place);
  const char *part_text = line_of(current.guard, 0, &part);
  const char *rule_text = line_of(current.guard, 1, &rule);
  const char *guard_text = line_of(current.guard, 2, &guard);
  const struct recurva_pal_frame *frame;
  fprintf(log, "%.*s: recurva pal: the guard %.*s %.*s does not hold\n", place, place_text, part,
          part_text, event, event_text);
  fprintf(log, "  %.*s: guard { %.*s }\n", rule, rule_text, guard, guard_text);
  if (*current.values != '\0')
    fprintf(log, "values:\n");
  print_values(log, current.values);
  fprintf(log, "monitored calls that have not returned, innermost first:\n");
  if (current.pending == NULL)
    fprintf(log, "  none\n");
  for (frame = current.pending; frame != NULL; frame = frame->outer)
    print_frame(log, frame->site);
}

WEAK void recurva_pal_report(void) {
  enum recurva_pal_policy what = policy();
  FILE *log;
  int kept = errno;
  if (&recurva_pal_on_violation != NULL) {
    struct recurva_pal_report report = current;
    /* It may jump away. */
    is_reporting = 0;
    recurva_pal_on_violation(&report);
    errno = kept;
    return;
  }
  log = open_log();
  fflush(stdout);
  print(log);
  fflush(log);
#ifdef HAS_BACKTRACE
  {
    void *callers[64];
    int count = backtrace(callers, 64);
    fprintf(log, "backtrace:\n");
    fflush(log);
    backtrace_symbols_fd(callers, count, fileno(log));
  }
#endif
  if (log != stderr)
    fclose(log);
  is_reporting = 0;
  if (what == RECURVA_PAL_ABORT)
    abort();
  if (what == RECURVA_PAL_EXIT)
    exit(86);
  errno = kept;
}
