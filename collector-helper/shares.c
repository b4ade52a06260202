/* Adding up; see shares.h. */
#include "shares.h"

#include "processes.h"

static WpcShare *
share_of (WpcShares *self, unsigned user)
{
  for (int i = 0; i < self->n_users; i++)
    if (self->users[i].user == user)
      return &self->users[i];
  if (self->n_users == WPC_SHARE_USERS)
    return &self->users[WPC_SHARE_USERS - 1];
  self->users[self->n_users] = (WpcShare) { .user = user };
  return &self->users[self->n_users++];
}

void
wpc_shares_begin (WpcShares *self, unsigned user, unsigned recorder)
{
  self->now = share_of (self, user);
  self->process = 0;
  self->privileged = user == 0 || user == recorder;
}

void
wpc_shares_use (WpcShares *self, size_t bytes)
{
  self->process += bytes;
  self->now->used += bytes;
  if (!self->privileged)
    self->others += bytes;
}

WpcCut
wpc_shares_cut (const WpcShares *self)
{
  if (self->process > WPC_PROCESS_KB * 1024u)
    return WPC_CUT_PROCESS;
  if (self->now->used > WPC_USER_KB * 1024u)
    return WPC_CUT_USER;
  return !self->privileged && self->others > WPC_ALL_KB * 1024u ? WPC_CUT_ALL : WPC_CUT_NOT;
}
