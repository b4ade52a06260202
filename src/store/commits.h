/* Commits of a repository, as far as they are known, as columns. A commit has a row as soon as somebody names it, a child or a walk that begins
 * there, and is read when a walk comes to it.
 *
 * A commit never changes: its hash is that of all it says. So what was read of many is kept in a file (kept-file.h), and only new ones are read
 * the next time. Whether a repository still has a commit the file does not say. */
#pragma once

#include "base/table.h"
#include "store/hash-id.h"
#include "store/vcs.h"

typedef struct
{
  gint64 time;
  guint32 author;   /* row of `people`; 0: what it says has not been read, or is too long to be here */
  guint32 subject;  /* where it begins in `texts` */
  guint32 first, n; /* of `parents` */
} WpCommitRow;

typedef struct
{
  guint32 name, email; /* where they begin in `texts` */
} WpCommitPerson;

G_STATIC_ASSERT (sizeof (WpCommitRow) == 24); /* without a gap: as it lies here it is kept */

/* Rows 0 of commits and people are none. */
typedef struct
{
  WP_ARRAY (WpHashId) ids;
  WP_ARRAY (WpCommitRow) rows;
  WP_ARRAY (guint32) parents; /* rows */
  WP_ARRAY (WpCommitPerson) people;
  WP_ARRAY (char) texts; /* each ends with a NUL; the first one is "" */
  WP_TABLE (guint32) by_id, by_person;
  guint32 n_new; /* read, and not among those that were kept */
} WpCommits;

void wp_commits_clear (WpCommits *self);

guint32 wp_commits_row (WpCommits *self, const char *hash); /* a full one; the row is made where there is none yet */

static inline void
wp_commits_hash (const WpCommits *self, guint32 row, char hash[41])
{
  wp_hash_id_write (&self->ids.data[row], hash);
  hash[40] = '\0';
}

static inline gboolean
wp_commits_has_read (const WpCommits *self, guint32 row)
{
  return self->rows.data[row].author != 0;
}

void wp_commits_set (WpCommits *self, guint32 row, const WpMinorVersion *info); /* of one that has not been read */

/* Of one that has been read; without its message (NULL). */
void wp_commits_describe (const WpCommits *self, guint32 row, WpMinorVersion *info);

/* Adds what is kept of the repository in this folder; rows stay what they are. And keeps all. */
void wp_commits_load (WpCommits *self, const char *place);
void wp_commits_save (WpCommits *self, const char *place);
