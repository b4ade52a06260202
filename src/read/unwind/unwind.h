/* Stacks from registers and copied stack bytes, by call frame information.
 *
 * An unwinder keeps address spaces and the tables of all files mapped in them; it is used from one thread. Records must come in
 * the order of time. Walking allocates nothing but what it learns of new addresses. */
#pragma once

#include "read/unwind/cfi.h"
#include "read/read-private.h"

typedef struct WpUnwinder WpUnwinder;

/* `symbol_root`: prefix for the files of modules, or NULL. `vdso`: the recorded kernel is the running one. */
WpUnwinder *wp_unwinder_new (const WpCfiArch *arch, const char *symbol_root, gboolean vdso);
void wp_unwinder_free (WpUnwinder *self);
void wp_unwinder_set_builds (WpUnwinder *self, const WpBuilds *builds); /* for their places; stays the caller's */

/* An executable mapping; build_id as wp_cfi_open() takes it. */
void wp_unwinder_map (WpUnwinder *self, gint32 pid, guint64 start, guint64 size, guint64 file_offset, const char *path,
                      const char *build_id);
void wp_unwinder_fork (WpUnwinder *self, gint32 parent, gint32 child);
void wp_unwinder_exec (WpUnwinder *self, gint32 pid, gint32 tid);
void wp_unwinder_exit (WpUnwinder *self, gint32 pid, gint32 tid); /* of a thread; the process goes with its first */

/* What perf copies of a task. */
typedef struct
{
  guint64 abi;         /* PERF_SAMPLE_REGS_ABI_* */
  guint64 mask;        /* which registers */
  const guint8 *registers; /* of 64 bits, one for each bit of the mask */
  const guint8 *stack; /* from the stack pointer on */
  gsize stack_size;
} WpUserState;

typedef enum
{
  WP_UNWIND_NONE,      /* no frame */
  WP_UNWIND_CUT,       /* it does not reach the entry */
  WP_UNWIND_COMPLETED, /* nor does it by itself, but by an earlier stack of the thread that it shares a frame with */
  WP_UNWIND_WHOLE,
} WpUnwindEnd;

/* Fills `addresses` (room for WP_STACK_DEPTH_MAX), innermost first: the program counter, then return addresses. Returns how
 * many; all of them lie in executable mappings. */
guint wp_unwind (WpUnwinder *self, gint32 pid, gint32 tid, const WpUserState *user, guint64 *addresses, WpUnwindEnd *end);
