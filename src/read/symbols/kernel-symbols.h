/* The kernel's functions by address, from the text of kallsyms. */
#pragma once

#include "trace/trace.h"

typedef struct WpKernelSymbols WpKernelSymbols;

#define WP_KERNEL_FUNCTION_MAX (256 * 1024) /* no function is longer: an address further behind its symbol has none */

/* Whether the kernel that runs is of the recording's release; also where it does not say which that is. */
gboolean wp_kernel_runs_here (const WpTrace *trace);

/* Frames are interned in `trace`. `root`: prefix for the running kernel's kallsyms, or NULL; it must outlive this. */
WpKernelSymbols *wp_kernel_symbols_new (WpTrace *trace, const char *root);
void wp_kernel_symbols_free (WpKernelSymbols *self);

/* What was read from a text of kallsyms, for the next recordings that bring the same text: one that is looked at while it grows is read again and
 * again. One thread at a time. */
typedef struct WpKernelTable WpKernelTable;

WpKernelTable *wp_kernel_table_new (void); /* empty */
void wp_kernel_table_free (WpKernelTable *self);
void wp_kernel_symbols_keep (WpKernelSymbols *self, WpKernelTable *table); /* which outlives it; NULL: none */

/* The recording's own kallsyms; `text` must outlive this. */
void wp_kernel_symbols_set_text (WpKernelSymbols *self, const char *text, gsize n);

/* That text, or NULL; its symbols, in its order: `name` is where it stands in the text, behind "ADDRESS KIND ". */
typedef void (*WpKernelSymbolFunc) (guint64 address, const char *name, gsize n, gpointer user_data);
const char *wp_kernel_symbols_text (const WpKernelSymbols *self, gsize *n);
void wp_kernel_symbols_each (const WpKernelSymbols *self, WpKernelSymbolFunc func, gpointer user_data);
guint64 wp_kernel_symbols_address (const WpKernelSymbols *self, const char *symbol); /* there; 0: none */

/* Where the kernel's `_text` (or `_stext`) was when the recording was made. */
void wp_kernel_symbols_set_reference (WpKernelSymbols *self, const char *symbol, guint64 address);

/* The mapping of a kernel module, for what has no symbol. */
void wp_kernel_symbols_add_module (WpKernelSymbols *self, const char *name, guint64 start, guint64 size);

/* Whether the running kernel is the recorded one, in the same boot, as far as its reference symbol tells. */
gboolean wp_kernel_symbols_same_boot (WpKernelSymbols *self);

/* The frame of a function; an address that belongs to none is one of the function "[unknown]". */
WpId wp_kernel_symbols_frame (WpKernelSymbols *self, guint64 address);
