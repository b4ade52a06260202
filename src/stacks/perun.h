/* Perun's profile format. The profile room reads it, as any profile of Perun's (profile/perun/FORMAT.md). */
#pragma once

#include "base/progress.h"
#include "stacks/stacks.h"

#define WP_PERUN_STACKS "wakepath-stacks" /* the collector's name: resources have the fields that it says */
#define WP_PERUN_SNAPSHOT "snapshot"      /* a label: the snapshot's number */

/* Plain: what Perun's own views read. */
gboolean wp_perun_write (const WpStacks *stacks, int fd, WpProgress *progress, GError **error);

/* As the store keeps it: each stack stands once, in `chunks`. `name`: what was run, where the stacks do not say. */
GString *wp_perun_text (const WpStacks *stacks, const char *name, WpProgress *progress, GError **error);
