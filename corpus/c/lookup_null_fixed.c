// Looks up the quota of a user, which is 0 for a user not in the table.
#include <stddef.h>

extern unsigned char __VERIFIER_nondet_uchar(void);

struct record {
  unsigned char user;
  int quota;
};

static struct record records[3] = {{1, 10}, {4, 20}, {7, 30}};

static struct record *lookup(unsigned char user) {
  for (int i = 0; i < 3; i++) {
    if (records[i].user == user) {
      return &records[i];
    }
  }
  return NULL;
}

static int quota_of(unsigned char user) {
  struct record *record = lookup(user);
  if (record == NULL) {
    return 0;
  }
  return record->quota;
}

int main(void) {
  unsigned char user = __VERIFIER_nondet_uchar();
  return quota_of(user);
}
