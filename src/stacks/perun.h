/* Perun's profile format. The profile room reads it, as any profile of Perun's (profile/perun/FORMAT.md). */
#pragma once

#include "base/progress.h"
#include "stacks/stacks.h"

#define WP_PERUN_STACKS "wakepath-stacks" /* the collector's name: resources have the fields that it says */
#define WP_PERUN_SNAPSHOT "snapshot"      /* a label: the snapshot's number */

/* What a module has, as the file names it: in the order of the bits of WpModuleHas. */
#define WP_PERUN_MODULE_HAS 4
extern const char *const wp_perun_module_has[WP_PERUN_MODULE_HAS];

/* Plain: what Perun's own views read. */
gboolean wp_perun_write (const WpStacks *stacks, int fd, WpProgress *progress, GError **error);

/* As the store keeps it: each stack stands once, in `chunks`. `name`: what was run, where the stacks do not say. */
GString *wp_perun_text (const WpStacks *stacks, const char *name, WpProgress *progress, GError **error);
