/* Which colour the boxes of each process have, in all pictures of one process of interest. The colour of a name hangs on the
 * name: it is the same in each recording, and stays while a recording grows. Only where two names of a picture want the same
 * one does the later used take the next that is free, so that processes are told apart as long as there are colours. */
#pragma once

#include "paths/paths.h"
#include "stacks/tree.h"
#include "view/rows.h"

typedef struct
{
  WpStrings *names;
  WP_ARRAY (guint8) of_name; /* by string of `names`: WP_BODY_* */
  WP_ARRAY (guint8) of_task; /* by task of the trace */
  WpIdArray order;           /* names of processes that have a hue, by first use */
  guint32 taken;             /* bit b: some name has body b */
  gboolean kernel;           /* threads of the kernel take part */
} WpBodies;

/* Of the processes that take part in control paths: by the names of those that lead them, up to the first "/" (kworker/0:1 is
 * a kworker). */
void wp_bodies_of_paths (WpBodies *self, const WpPaths *paths);

/* Of all processes that ran: those that ran most choose first. */
void wp_bodies_of_runs (WpBodies *self, const WpTrace *trace);

/* Of a call tree of which nothing else is known. */
void wp_bodies_of_tree (WpBodies *self, const WpTree *tree);
void wp_bodies_clear (WpBodies *self);

/* WP_BODY_NONE: a device, or somebody who does not take part. `name` is that of a box of a process, or thread. */
guint8 wp_bodies_of_task (const WpBodies *self, WpId task);
guint8 wp_bodies_of_name (const WpBodies *self, const char *name);

/* Which hue a name wants: the same in every program, whatever GLib does. */
guint32 wp_body_hash (const char *name);

/* Tells rows which processes there are. */
void wp_bodies_tell (const WpBodies *self, WpRows *rows);
