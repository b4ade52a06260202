/* What of a trace explains one set of control paths, and the ids it has in the saved profile.
 *
 * Kept are the operations of the parts, the device operations and links that ended them, the runs those links lead
 * from and to, the runs of others on CPUs that the parts waited for, and the tasks of all these. Each map leads from an id of the trace to the id in the profile, 0 for
 * what is left out; the order is that of the trace. */
#pragma once

#include "paths/paths.h"

typedef struct
{
  WpId *map;
  guint32 n; /* rows kept; ids are 1 … n */
} WpKeptRows;

typedef struct
{
  WpKeptRows tasks, ops, links, samples, disks, nets;
  WpId *stacks;        /* stack → chunk, 0 for what is left out. Stacks with the same functions have the same chunk */
  WpTrace *chunks;     /* its stacks are the chunks and what they stand on */
  WpIdArray of_chunk;  /* chunk → its stack in `chunks`; row 0 is empty */
} WpKept;

void wp_kept_init (WpKept *self, const WpPaths *paths);
void wp_kept_clear (WpKept *self);
