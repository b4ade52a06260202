/* The running kernel's functions, kept in the user's cache folder, "wakepath/kernel": the kernel makes the text of /proc/kallsyms anew for whoever reads it, which
 * takes as long as the events of a small recording.
 *
 * They hold for as long as the same system runs with the same modules (base/asked-files.h). Of what else comes and goes within the kernel, as BPF programs do,
 * nobody is told: it is not kept. So of an address that is not between two kept functions of one module, or of the kernel itself, they say nothing. */
#pragma once

#include "read/sidecar/blocks.h"

#define WP_KEPT_KERNEL_FOLDER "kernel" /* below "wakepath" in the user's cache folder */

typedef struct
{
  guint64 address;
  guint32 name;  /* where it stands in a text, up to white space or the text's end; "\t[MODULE]" behind it says whose it is */
  guint32 order; /* how good a name it is, for those that share an address: less is better */
} WpKernelSymbol;

enum
{
  WP_KEPT_SYMBOLS,    /* WpKernelSymbol, by address, no two of one */
  WP_KEPT_TEXT,       /* their names */
  WP_KEPT_REFERENCES, /* guint64: the addresses of wp_kept_kernel_reference() */
  WP_KEPT_BLOCKS
};

typedef struct
{
  guint64 system; /* which one it is of: the one that runs now; known even where nothing is kept */
  WpBlock blocks[WP_KEPT_BLOCKS];
  void *map;      /* NULL: nothing is kept */
  gsize size;
} WpKeptKernel;

/* FALSE: nothing is kept of this system. */
gboolean wp_kept_kernel_open (WpKeptKernel *self);
void wp_kept_kernel_close (WpKeptKernel *self);

/* The names that it has an address of, as many as WP_KEPT_REFERENCES has rows; NULL behind the last one. */
const char *wp_kept_kernel_reference (guint i);

/* Keeps what was read after wp_kept_kernel_open() had said which system it would be of. `symbols` are the rows of a WP_KEPT_SYMBOLS, of that text. Where it cannot
 * be kept, it is not. */
void wp_kept_kernel_write (const WpKeptKernel *self, const WpKernelSymbol *symbols, guint32 n, const char *text, gsize size, const guint64 *references);
