/* What a store's settings want to be profiled, and how: Perun's job matrix. */
#pragma once

#include "store/store.h"

/* The commands (char **), NULL-terminated words each: every program of `cmds` with every one of `workloads` and of `args`, in Perun's order.
 * NULL where no program is named, or a line cannot be taken apart. Free with g_ptr_array_unref(). */
GPtrArray *wp_store_jobs (const WpStore *self, GError **error);

/* What is run before, as one line for the shell (`execute.pre_run`), or NULL. Free with g_free(). */
char *wp_store_build_line (const WpStore *self);

/* A parameter of the collector “wakepath” in `collectors`, or NULL; and the name of one that is not ours, or NULL. */
const char *wp_store_collector_param (const WpStore *self, const char *key);
const char *wp_store_foreign_collector (const WpStore *self);
