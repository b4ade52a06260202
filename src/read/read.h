/* Opens a recording, whatever it is, by its content: perf.data in file or stream mode, `perf script` text. */
#pragma once

#include "base/progress.h"
#include "read/symbols/builds.h"
#include "trace/assembler.h"

typedef enum
{
  WP_FORMAT_UNKNOWN,
  WP_FORMAT_PERF_FILE,   /* perf.data with an index (what `perf record -o FILE` writes) */
  WP_FORMAT_PERF_STREAM, /* the same as a stream (what `perf record -o -` and our helper write) */
  WP_FORMAT_PERF_SCRIPT, /* text */
  WP_FORMAT_PERUN,       /* a saved profile: JSON; read by profile/ */
} WpFormat;

const char *wp_format_name (WpFormat format); /* "perf.data stream", … */

#define WP_READ_ERROR (wp_read_error_quark ())
GQuark wp_read_error_quark (void);
typedef enum
{
  WP_READ_ERROR_FORMAT, /* not a format we read */
  WP_READ_ERROR_EMPTY,
  WP_READ_ERROR_DAMAGED, /* of the format, but nothing in it can be read */
  WP_READ_ERROR_EVENTS,  /* readable, but without the events an explanation needs: it may open with `all_samples` */
} WpReadError;

/* Looks at the first bytes only. Fails (WP_FORMAT_UNKNOWN and an error) when the file cannot be read, is empty, is a
 * directory, or is of no format we know; the message says what it looks like instead, where anything can be said. */
WpFormat wp_sniff (const char *path, GError **error);

typedef struct
{
  const char *idle_task; /* see WpAssemblerOptions */
  gboolean all_samples;  /* for seeing it as stacks: every sample is kept, and a recording without task switches opens, too */
  gboolean no_symbols;   /* leave user frames as module+0x… */
  const char *symbol_root; /* prefix for the files of modules and the kernel's symbols, or NULL */
  gboolean no_fetching;  /* what is not on this machine stays unnamed */
  struct WpKernelTable *kernel; /* kept from one reading to the next (read/symbols/kernel-symbols.h), or NULL */
  struct WpSymbolTables *tables; /* the same of the tables of files; or NULL */
  WpBuilds *builds;        /* what is known of mapped files beside what the recording says, which is added; or NULL */
  guint threads; /* at most so many read at a time; 0: as many as there are processors. The trace is the same with any number */
} WpReadOptions;

/* Reads and assembles; kernel functions are resolved, user frames not yet: the offset of their WpFrame is the file
 * offset of the instruction (of a caller's frame: one byte before the return address), and in perf script text the
 * address that is printed there. `options` and `progress` may be NULL. Damage within the file is counted in the
 * diagnostics; an error means that there is nothing to show. */
WpTrace *wp_read (const char *path, const WpReadOptions *options, WpProgress *progress, GError **error);

/* What records with perf what an explanation needs: with less there are stacks alone. */
#define WP_PERF_RECORD "perf record -a -g -e sched:sched_switch,sched:sched_waking,sched:sched_process_fork,sched:sched_process_exec -- COMMAND"

/* Gives the user frames of a trace their functions, C++ and Rust names demangled: from ELF symbol tables (build id checked
 * where the recording has one), separate debug files, and the maps of programs that make code as they run. Where
 * DEBUGINFOD_URLS is set, what is still unnamed is asked for there, for no longer than WP_FETCH_SECONDS. Modules with the
 * most frames first; several are read at a time, with the same result as one after the other. Returns the number of frames
 * named. What cannot be named stays `module+0x…`. When cancelled, what was named by then stays. */
#define WP_FETCH_SECONDS 15
guint64 wp_read_symbols (WpTrace *trace, const WpReadOptions *options, WpProgress *progress, GError **error);

/* The tables of functions that were read from files, for the next recordings in which the same files are mapped: of one that is looked at while
 * it grows. They are those of the files as they were when they were first needed. One reading at a time. */
typedef struct WpSymbolTables WpSymbolTables;

WpSymbolTables *wp_symbol_tables_new (void);
void wp_symbol_tables_free (WpSymbolTables *self);
double wp_symbol_tables_seconds (WpSymbolTables *self); /* of processors that readings with them took on threads of their own */

/* The user stacks of samples, sleeps and links, and those of them that reach the program's entry, are counted by
 * wp_read() and anew by wp_read_symbols(), which knows more names: WP_DIAG_STACKS, WP_DIAG_STACKS_WHOLE. */
typedef struct
{
  guint32 stacks, whole;
} WpStackCount;
typedef WP_ARRAY (WpStackCount) WpStackCountArray;

/* The same for each process: by row of `tasks`, of the process whose leader that task is. `counts` is replaced. */
void wp_count_process_stacks (const WpTrace *trace, WpStackCountArray *counts);
