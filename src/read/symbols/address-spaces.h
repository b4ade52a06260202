/* Address spaces: which file each process has mapped where, as time goes on; and the stacks made of their addresses.
 *
 * A user frame's offset is the *file offset* of its instruction (address − start of the mapping + offset of the
 * mapping in the file); of what is no file, the offset within the mapping. For a frame that called another it is one
 * byte before the return address, so that it lies within the call. */
#pragma once

#include "read/symbols/kernel-symbols.h"
#include "read/symbols/address-ranges.h"
#include "read/symbols/call-chains.h"

typedef struct WpSpaces WpSpaces;

WpSpaces *wp_spaces_new (WpTrace *trace, WpKernelSymbols *kernel);
void wp_spaces_free (WpSpaces *self);

/* An executable mapping. FALSE: there is no such range. */
gboolean wp_spaces_map (WpSpaces *self, gint32 pid, guint64 start, guint64 size, guint64 file_offset, WpId module);
void wp_spaces_fork (WpSpaces *self, gint32 parent, gint32 child);
void wp_spaces_clear (WpSpaces *self, gint32 pid); /* exec, exit */
gboolean wp_spaces_has_maps (const WpSpaces *self, gint32 pid);
gboolean wp_spaces_any (const WpSpaces *self); /* whether any process has maps */

/* The mapping that an address lies in, valid until the mappings change; or NULL. */
const WpMapping *wp_spaces_find (WpSpaces *self, gint32 pid, guint64 address);

/* The number of a process' space, for recognizing chains: another one after each change; 0: it has none. */
guint32 wp_spaces_number (WpSpaces *self, gint32 pid);

/* The stack of a call chain, cut at the first user address outside of all mappings. Where its parts were recognised, by one memory, each is
 * made only once. */
WpId wp_spaces_stack (WpSpaces *self, gint32 pid, const WpCallChain *chain);
