/* What a program that makes code while it runs says about it: /tmp/perf-PID.map, a line "START SIZE NAME" a function, in
 * hexadecimal. The anonymous executable memory of a process is the module "[anon:PID]", whose offsets are addresses; perf script
 * calls it by the name of the map. */
#pragma once

#include "read/symbols/functions.h"

#define WP_JIT_MODULE "[anon:%d]"

/* Whether a mapping of this name is of no file that others could open: memory that a process made for itself. */
gboolean wp_jit_is_anonymous (const char *path);

/* The process of such a module's name, or -1. */
gint32 wp_jit_module_pid (const char *module);

/* The functions of a process' map; NULL: there is none. One that belongs to neither us nor root is not trusted; where a
 * function took the place of another, the later line counts. */
WpFunctions *wp_jit_map_read (gint32 pid, GCancellable *cancellable);
