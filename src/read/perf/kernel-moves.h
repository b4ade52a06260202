/* Made-up addresses for a kernel's code and data, one for each, so that a recording tells nobody where the running kernel has its own.
 *
 * Code moves in pieces: whatever a symbol or a mapping could name keeps its distance to it, so that all names and offsets stay as
 * they are. The kernel's own piece comes where it is without randomisation. Data becomes small numbers. */
#pragma once

#include <glib.h>

typedef struct WpKernelMoves WpKernelMoves;

WpKernelMoves *wp_kernel_moves_new (void);
void wp_kernel_moves_free (WpKernelMoves *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (WpKernelMoves, wp_kernel_moves_free)

/* Whether it could be an address of a kernel: its upper half. */
static inline gboolean
wp_is_kernel_address (guint64 address)
{
  return address >> 63 != 0 && address < G_MAXUINT64 - 4095; /* what is above are errors and marks in call chains */
}

/* A symbol or mapping: what lies in these bytes moves as one piece. Then, once, where `_stext` is; 0: not known. */
void wp_kernel_moves_add (WpKernelMoves *self, guint64 start, guint64 size);
void wp_kernel_moves_settle (WpKernelMoves *self, guint64 stext);

/* Of code. Code outside of all pieces moves page by page, far from them. What is no kernel address stays. */
guint64 wp_kernel_moves_code (WpKernelMoves *self, guint64 address);

/* Of a pointer: where it leads to code, as above; else a number from 1 on, by order of asking. */
guint64 wp_kernel_moves_pointer (WpKernelMoves *self, guint64 pointer);
