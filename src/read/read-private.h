/* What the readers of recordings share. */
#pragma once

#include "base/pair-map.h"
#include "read/read.h"

#include <time.h>

/* A recording being read. */
typedef struct
{
  const char *path;
  const guint8 *data; /* all of it, mapped: the file, or what it was unpacked to */
  gsize size;
  struct
  {
    const guint8 *data;
    gsize size;
  } mapped[3]; /* the file, then what was unpacked from the one before */
  guint n_mapped;
  struct timespec changed; /* when the file was, as it was opened */
  guint32 owner;           /* of the file */
  gboolean no_switches;    /* there is no sched:sched_switch in it */
  gboolean one_clock;      /* all events have their times of one clock, the same on every CPU */
  guint gone;              /* pages that the program had missed by then */
  const WpReadOptions *options; /* never NULL */
  WpProgress *progress;
  WpTrace *trace;
  WpAssembler *assembler;
  WpPairMap event_rows; /* name, 0 → row of the trace's events + 1 */
} WpReader;

#define WP_STACK_DEPTH_MAX 1024 /* frames of one stack; what is further out is cut */

/* What perf script is asked to print so that nothing is missing. */
#define WP_SCRIPT_FIELDS "comm,pid,tid,cpu,time,event,trace,ip,sym,symoff,dso"

/* perf script text, perf.data: gives all events to the assembler; FALSE and an error where there is nothing to show. */
gboolean wp_script_read (WpReader *self, GError **error);
gboolean wp_perf_read (WpReader *self, GError **error);

/* Maps the file at `path`; what is mapped is so until the end. */
gboolean wp_reader_open (WpReader *self, GError **error);
void wp_reader_close (WpReader *self);

/* The same, and unpacks it where it is packed. */
gboolean wp_reader_begin (WpReader *self, GError **error);

/* Maps this file; `data` and `size` are then its. What was mapped before stays until the end. */
gboolean wp_reader_map (WpReader *self, int fd, GError **error);

/* Without task switches there are no operations: nothing but samples is left. FALSE: they are not wanted; the reader ends, and wp_read() says why. */
gboolean wp_reader_has_switches (WpReader *self, gboolean has);

/* The row of the trace's events of this name (string id). */
guint32 wp_reader_event_row (WpReader *self, WpId name);

/* Counts one event of this name (string id); `row` remembers where, beginning with G_MAXUINT32. */
void wp_reader_count_event (WpReader *self, WpId name, guint32 *row);

/* Counts the user stacks of samples, sleeps and links, and those of them whose outermost function is an entry, into the
 * diagnostics. */
void wp_count_stacks (WpTrace *trace);

/* A user stack that does not reach the entry, and is the tip of the last one of its task that does, is taken for that one: frame
 * pointers were missing on the way. Needs names. Counted in WP_DIAG_STACKS_COMPLETED. */
void wp_complete_stacks (WpTrace *trace);

/* Whether a function of this name is where a program or a thread begins. */
gboolean wp_is_entry_function (const char *name);
