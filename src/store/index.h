/* Index files: which profiles a commit has, or which are pending. All layouts that Perun ever wrote are read. What is written is
 * 0.16.9's, with the SHA-1 of everything before it at the end, which Perun passes over; an index of a later layout keeps that, so that
 * whoever wrote it can go on reading it.
 *
 *   "pidx" · version · number of entries · entries: time · sha1 (20 bytes) · path NUL · since version 2 six or five strings
 *
 * Integers are 32 bits, little endian; a string is its length in bytes and UTF-8. */
#pragma once

#include "store/store.h"

typedef enum
{
  WP_INDEX_PATHS,   /* version 1: no strings (up to 0.16.5) */
  WP_INDEX_ARGS,    /* type, cmd, args, workload, collector, postprocessors (0.16.6 to 0.21); the one that is written */
  WP_INDEX_NO_ARGS, /* type, cmd, workload, collector, postprocessors (0.22 to 0.23.7) */
  WP_INDEX_LABEL,   /* type, cmd, workload, label, collector, postprocessors (since 0.23.8): looks like ARGS */
} WpIndexLayout;

#define WP_INDEX_LIMIT (64 * 1024 * 1024) /* bytes: of an index or a `.changes` that is read */

/* The entries (WpStoreEntry) in the order of the file. A file that is not there has none. LABEL is never told from ARGS here.
 * `notice`, when not NULL, gets what a user should know, or NULL. */
GPtrArray *wp_index_read (const char *path, WpIndexLayout *layout, char **notice, GError **error);

/* What was read as ARGS was LABEL: moves the strings to where they belong. */
void wp_index_take_as_label (GPtrArray *entries);

/* Puts an entry where it belongs: by path, then by time. FALSE: one of that path and time is there already; nothing is changed. The
 * array takes over `entry` when it is put in. */
gboolean wp_index_insert (GPtrArray *entries, WpStoreEntry *entry);

/* An index in this layout; ARGS in place of PATHS. */
GByteArray *wp_index_bytes (GPtrArray *entries, WpIndexLayout layout);
