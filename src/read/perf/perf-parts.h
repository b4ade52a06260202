/* Where the parts of samples are, and what records of mappings and tasks say. */
#pragma once

#include "read/perf/perf-file.h"
#include "read/symbols/address-spaces.h"
#include "read/unwind/unwind.h"

typedef struct
{
  const guint8 *chain; /* addresses of 64 bits */
  gsize n_chain;
  const guint8 *raw;
  gsize n_raw;
  WpUserState user;
  const guint8 *chain_part, *behind_chain; /* the call chain with its length; empty where the event has none */
  const guint8 *user_part, *behind_user;   /* registers and stack bytes, the same way */
} WpPerfSample;

typedef struct
{
  gint32 pid;
  gboolean is_kernel, is_data;
  guint64 start, size;
  guint64 offset;       /* in the file; 0 of what is no file. Of the kernel's: the address of its reference symbol */
  const char *module;   /* the path, "[anon:PID]", … */
  const char *build_id; /* as wp_builds_find() returns it */
  char path[4096];
  char hex[41];
} WpPerfMapping;

/* Of a COMM, FORK or EXIT record. */
typedef struct
{
  gint32 pid, tid;
  gint32 parent, parent_tid; /* not of COMM */
  gboolean exec;             /* COMM: a program begins, with memory of its own */
  const char *comm;          /* COMM: the name, which need not end within its bytes */
  gsize comm_length;
} WpPerfTask;

/* All return FALSE for a record that is damaged, or another one. */
gboolean wp_perf_sample (const WpPerfAttr *attr, const WpPerfRecord *header, WpPerfSample *sample);
gboolean wp_perf_mapping (const WpPerfFile *file, const WpPerfRecord *header, WpPerfMapping *mapping); /* MMAP, MMAP2; when all records are known */
gboolean wp_perf_task (const WpPerfRecord *header, WpPerfTask *task);

void wp_perf_note_mapped (WpPerfFile *file, const WpPerfRecord *header); /* MMAP2: which file has which path, for the builds */

/* What becomes of address spaces. */
void wp_perf_map_space (const WpPerfFile *file, WpSpaces *spaces, const WpPerfMapping *mapping);
void wp_perf_task_spaces (WpSpaces *spaces, const WpPerfRecord *header, const WpPerfTask *task);
