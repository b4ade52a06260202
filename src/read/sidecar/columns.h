/* A trace as blocks, and back; and what it was made of. */
#pragma once

#include "base/asked-files.h"
#include "read/sidecar/blocks.h"
#include "trace/trace.h"

/* The columns of a trace, in their order, and the first row of each that says something: where that is 1, the one before it is empty. */
#define WP_SIDECAR_EACH_COLUMN(DO)                                                                                                       \
  DO (tasks, 1) DO (ops, 1) DO (links, 1) DO (samples, 1) DO (stacks, 1) DO (frames, 1) DO (functions, 1) DO (modules, 1) DO (disks, 1)  \
  DO (nets, 1) DO (devices, 1) DO (lost, 0) DO (interrupts, 0) DO (rates, 0) DO (events, 0) DO (marks, 0)

#define WP_SIDECAR_COUNT(name, first) +1

enum
{
  WP_SIDECAR_ASKED, /* which files were asked for, a GVariant */
  WP_SIDECAR_TEXTS, /* the trace's strings, each with a zero */
  WP_SIDECAR_ENDS,  /* … and where they end */
  WP_SIDECAR_REST,  /* what is no table, a GVariant */
  WP_SIDECAR_COLUMNS,
  WP_SIDECAR_BLOCKS = WP_SIDECAR_COLUMNS WP_SIDECAR_EACH_COLUMN (WP_SIDECAR_COUNT),
};

typedef struct
{
  WpBlock blocks[WP_SIDECAR_BLOCKS];
  WpTextArray texts;
  WpEndArray ends;
  GVariant *asked, *rest;
} WpSidecarBlocks;

/* The trace lends its rows. `asked`: WpAskedFile. FALSE: it is too large to be kept. */
gboolean wp_sidecar_blocks_of (WpSidecarBlocks *self, const WpTrace *trace, const GArray *asked);
void wp_sidecar_blocks_clear (WpSidecarBlocks *self);

/* Blocks of so many bytes a row, and no rows yet. */
void wp_sidecar_blocks_empty (WpSidecarBlocks *self);
void wp_sidecar_append_rows (const WpSidecarBlocks *self, GString *text); /* what the rows look like, in numbers */

/* Whether all files that were asked for are as they were then; whether the first one is, the recording. */
gboolean wp_sidecar_is_up_to_date (const WpSidecarBlocks *self);
gboolean wp_sidecar_has_recording (const WpSidecarBlocks *self);

/* Takes over the map that the blocks are in, and lends their rows to a new trace. NULL: something in them is not what it may be; the map is gone. */
WpTrace *wp_sidecar_trace (const WpSidecarBlocks *self, void *map, gsize size);

/* --- fit.c: whether rows are what they may be, whoever wrote them --- */

/* Whether every table begins with the row that it must have. Only then their rows are looked at. */
gboolean wp_sidecar_rows_are_there (const WpTrace *trace);

/* The same of what is in no table. */
gboolean wp_sidecar_fit_rest (const WpTrace *trace);

/* See WpBlocksFit; `data` is a WpTrace with its columns and strings. */
gboolean wp_sidecar_fit (gpointer data, guint block, guint32 from, guint32 to);
