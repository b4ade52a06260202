/* Whether a range may start, or the user is asked first: what the store's settings name must have been trusted; what is typed needs no trust. */
#pragma once

#include "store/trust.h"

typedef struct
{
  WpStoreCommands *commands; /* that the settings name */
  char *build;               /* the line that they fill in; "" : none */
  gboolean cleared;          /* the user has deleted the whole proposed line once: nothing of it can be in what is typed */
} WpRangeTrust;

WpRangeTrust *wp_range_trust_new (const WpStore *store);
void wp_range_trust_free (WpRangeTrust *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (WpRangeTrust, wp_range_trust_free)

/* The build line will lose its characters from `start` to `end` (negative: to its end). */
void wp_range_trust_build_deleted (WpRangeTrust *self, const char *build, int start, int end);

/* `build`: the line as it stands; `typed`: the command is the user's own. */
gboolean wp_range_trust_asks (const WpRangeTrust *self, const char *build, gboolean typed);
