/* Who has how much of what is gathered about processes; see processes.h. What counts is the size of records, and a quarter of what had to
 * be read for them. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

enum
{
  WPC_SHARE_USERS = 64, /* who comes later is one with the last */
};

typedef enum
{
  WPC_CUT_NOT,
  WPC_CUT_PROCESS, /* this process has had its share */
  WPC_CUT_USER,    /* its user has */
  WPC_CUT_ALL,     /* everybody has */
  WPC_CUT_STUCK,   /* its mappings, or those of another process of its user, do not let themselves be read */
} WpcCut;

typedef struct
{
  unsigned user;
  size_t used;
  bool stuck; /* who was waited for in vain is waited for once only */
} WpcShare;

typedef struct
{
  WpcShare users[WPC_SHARE_USERS];
  int n_users;
  size_t process, others; /* what the process under way has used; what all have whom the common limit is for */
  WpcShare *now;          /* its user's */
  bool privileged;        /* it is root's or of the user who records: the common limit is not for it */
} WpcShares;

/* The next process is one of `user`; `recorder` is who records. */
void wpc_shares_begin (WpcShares *self, unsigned user, unsigned recorder);

void wpc_shares_use (WpcShares *self, size_t bytes);
WpcCut wpc_shares_cut (const WpcShares *self); /* whether the process under way is to be cut, and why */
