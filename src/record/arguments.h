/* With what arguments the processes were started that there are while something is recorded: those of the user who records, read from /proc as that user.
 * The helper has no part in it. Where several processes have one name, their arguments tell them apart. */
#pragma once

#include <glib.h>

#define WP_ARGUMENTS_BYTES 256    /* of a process; the rest is left out */
#define WP_ARGUMENTS_PROCESSES 16384 /* so many are kept, the last ones */

typedef struct WpArguments WpArguments;

/* Looks at all processes, and from then on at each new one, on a thread of its own. A process that is over sooner than some 20 ms after its start
 * may not be seen. */
WpArguments *wp_arguments_begin (void);

/* What is known after another look at those that live, for which it waits a moment: not on the main thread. JSON objects, each short enough for one
 * record: {"arguments": {"PID": "git index-pack --stdin"}}. From any thread. */
GPtrArray *wp_arguments_texts (WpArguments *self);

/* The last user ends it, and does not wait for that: a look at a process that hangs may take as long as it likes. */
WpArguments *wp_arguments_ref (WpArguments *self);
void wp_arguments_unref (WpArguments *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (WpArguments, wp_arguments_unref)
