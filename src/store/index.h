/* Index files: which profiles a commit has, or which are pending. All layouts that Perun ever wrote are read. What is written is
 * 0.16.9's, to the byte: Perun adds entries at the end of the file, so that nothing of ours may stand there. An index of a later layout
 * keeps that, so that whoever wrote it can go on reading it.
 *
 *   "pidx" · version · number of entries · entries: time · sha1 (20 bytes) · path NUL · since version 2 six or five strings
 *
 * Integers are 32 bits, little endian; a string is its length in bytes and UTF-8.
 *
 * Wakepath once ended an index with the SHA-1 of everything before it. Perun passes over that when it reads, but writes behind it and cannot
 * read the result. Both are read here, and the next change mends them. */
#pragma once

#include "store/store.h"

#define WP_INDEX_MAGIC "pidx"
#define WP_INDEX_NEWEST 2 /* version */
#define WP_INDEX_HASH 20  /* bytes of a SHA-1 */
#define WP_INDEX_LIMIT (64 * 1024 * 1024) /* bytes: of an index or a `.changes` that is read */

typedef enum
{
  WP_INDEX_PATHS,   /* version 1: no strings (up to 0.16.5) */
  WP_INDEX_ARGS,    /* type, cmd, args, workload, collector, postprocessors (0.16.6 to 0.21); the one that is written */
  WP_INDEX_NO_ARGS, /* type, cmd, workload, collector, postprocessors (0.22 to 0.23.7) */
  WP_INDEX_LABEL,   /* type, cmd, workload, label, collector, postprocessors (since 0.23.8): looks like ARGS */
} WpIndexLayout;

/* How an index was read. */
typedef struct
{
  WpIndexLayout layout; /* LABEL is never told from ARGS by the bytes alone */
  gboolean cut;      /* the last string ends too soon; what it was stands in the last profile's object */
  gboolean doubtful; /* NO_ARGS, or a layout of six strings whose end is gone: the last profile's object tells */
} WpIndexForm;

/* The entries (WpStoreEntry) in the order of the file. A file that is not there has none. `sum`: the file of its checksum (index-sum.h), or
 * NULL. `notice`, when not NULL, gets what a user should know, or NULL. */
GPtrArray *wp_index_read (const char *path, const char *sum, WpIndexForm *form, char **notice, GError **error);

/* An error: the end of this index is missing. FALSE. */
gboolean wp_index_fail_cut (const char *path, GError **error);

/* What was read as ARGS was LABEL: moves the strings to where they belong. */
void wp_index_take_as_label (GPtrArray *entries);

/* Puts an entry where it belongs: by path, then by time. FALSE: one of that path and time is there already; nothing is changed. The
 * array takes over `entry` when it is put in. */
gboolean wp_index_insert (GPtrArray *entries, WpStoreEntry *entry);

/* An index in this layout; ARGS in place of PATHS. */
GByteArray *wp_index_bytes (GPtrArray *entries, WpIndexLayout layout);
