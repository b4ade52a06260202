#include "store/commits.h"

#include "store/kept-file.h"

#define KIND "commits 1"
#define TEXT_MOST 4096            /* bytes of what a commit says: longer ones are read again each time */
#define TEXTS_MOST (256u << 20)   /* bytes of what all of them say */

#define COLUMNS(self)                                                                                                                   \
  {                                                                                                                                     \
    WP_KEPT_COLUMN (&(self)->ids), WP_KEPT_COLUMN (&(self)->rows), WP_KEPT_COLUMN (&(self)->parents), WP_KEPT_COLUMN (&(self)->people), \
      WP_KEPT_COLUMN (&(self)->texts)                                                                                                   \
  }

void
wp_commits_clear (WpCommits *self)
{
  wp_array_clear (&self->ids);
  wp_array_clear (&self->rows);
  wp_array_clear (&self->parents);
  wp_array_clear (&self->people);
  wp_array_clear (&self->texts);
  WP_TABLE_CLEAR (&self->by_id);
  WP_TABLE_CLEAR (&self->by_person);
}

/* --- names ---------------------------------------------------------------------------------------------------------------- */

/* Row 0 and the first text. */
static void
begin (WpCommits *self)
{
  if (self->ids.len > 0)
    return;
  wp_array_resize (&self->ids, 1);
  wp_array_resize (&self->rows, 1);
  wp_array_resize (&self->people, 1);
  wp_array_resize (&self->texts, 1);
}

static guint32
row_of (WpCommits *self, const WpHashId *id)
{
  guint32 *slot;

  begin (self);
  WP_TABLE_RESERVE (&self->by_id, 1024, 2, old, *old != 0, wp_hash_id_hash (&self->ids.data[*old]));
  slot = WP_TABLE_FIND (&self->by_id, wp_hash_id_hash (id), at, *at == 0 || wp_hash_id_equal (&self->ids.data[*at], id));
  if (*slot != 0)
    return *slot;
  *slot = self->ids.len;
  self->by_id.n++;
  wp_array_push (&self->ids, *id);
  wp_array_add (&self->rows);
  return self->ids.len - 1;
}

guint32
wp_commits_row (WpCommits *self, const char *hash)
{
  const WpHashId id = wp_hash_id (hash);

  return row_of (self, &id);
}

/* --- what they say -------------------------------------------------------------------------------------------------------- */

static guint32
add_text (WpCommits *self, const char *text)
{
  const guint32 n = (guint32) strlen (text) + 1, at = self->texts.len;

  if (n == 1)
    return 0;
  wp_array_reserve (&self->texts, (guint64) at + n);
  memcpy (self->texts.data + at, text, n);
  self->texts.len += n;
  return at;
}

static guint64
hash_person (const char *name, const char *email)
{
  return wp_hash_pair (wp_hash_bytes (name, strlen (name)), wp_hash_bytes (email, strlen (email)));
}

static const char *
text_at (const WpCommits *self, guint32 at)
{
  return self->texts.data + at;
}

static gboolean
is_person (const WpCommits *self, guint32 row, const char *name, const char *email)
{
  const WpCommitPerson *person = &self->people.data[row];

  return g_str_equal (text_at (self, person->name), name) && g_str_equal (text_at (self, person->email), email);
}

static guint32
person_of (WpCommits *self, const char *name, const char *email)
{
  guint32 *slot;

  WP_TABLE_RESERVE (&self->by_person, 64, 2, old, *old != 0,
                    hash_person (text_at (self, self->people.data[*old].name), text_at (self, self->people.data[*old].email)));
  slot = WP_TABLE_FIND (&self->by_person, hash_person (name, email), at, *at == 0 || is_person (self, *at, name, email));
  if (*slot != 0)
    return *slot;
  *slot = self->people.len;
  self->by_person.n++;
  wp_array_push (&self->people, ((WpCommitPerson) { add_text (self, name), add_text (self, email) }));
  return self->people.len - 1;
}

/* A repository of little size may have texts of any length. */
static gboolean
is_short (const WpCommits *self, const WpMinorVersion *info)
{
  return self->texts.len < TEXTS_MOST && strlen (info->author) + strlen (info->email) + strlen (info->subject) <= TEXT_MOST;
}

void
wp_commits_set (WpCommits *self, guint32 row, const WpMinorVersion *info)
{
  WpCommitRow read = { .time = info->time, .first = self->parents.len, .n = info->n_parents };

  for (guint i = 0; i < info->n_parents; i++)
    wp_array_push (&self->parents, wp_commits_row (self, info->parents[i]));
  if (is_short (self, info))
    {
      read.author = person_of (self, info->author, info->email);
      read.subject = add_text (self, info->subject);
      self->n_new++;
    }
  self->rows.data[row] = read;
}

void
wp_commits_describe (const WpCommits *self, guint32 row, WpMinorVersion *info)
{
  const WpCommitRow *commit = &self->rows.data[row];
  const WpCommitPerson *author = &self->people.data[commit->author];

  *info = (WpMinorVersion) { .author = g_strdup (text_at (self, author->name)), .email = g_strdup (text_at (self, author->email)),
                             .subject = g_strdup (text_at (self, commit->subject)), .time = commit->time, .n_parents = commit->n };
  wp_commits_hash (self, row, info->hash);
  info->parents = g_malloc_n (MAX (commit->n, 1), sizeof *info->parents);
  for (guint32 i = 0; i < commit->n; i++)
    wp_commits_hash (self, self->parents.data[commit->first + i], info->parents[i]);
}

/* --- keeping -------------------------------------------------------------------------------------------------------------- */

/* Whether no row speaks of what is not there. */
static gboolean
fits (const WpCommits *self)
{
  const guint32 n_texts = self->texts.len;

  if (self->ids.len == 0 || self->ids.len != self->rows.len || self->people.len == 0 || n_texts == 0 || self->texts.data[0] != '\0'
      || self->texts.data[n_texts - 1] != '\0')
    return FALSE;
  for (guint32 i = 0; i < self->people.len; i++)
    if (self->people.data[i].name >= n_texts || self->people.data[i].email >= n_texts)
      return FALSE;
  for (guint32 i = 0; i < self->parents.len; i++)
    if (self->parents.data[i] >= self->ids.len || self->parents.data[i] == 0)
      return FALSE;
  for (guint32 i = 0; i < self->rows.len; i++)
    {
      const WpCommitRow *row = &self->rows.data[i];

      if (row->author >= self->people.len || row->subject >= n_texts || (guint64) row->first + row->n > self->parents.len)
        return FALSE;
    }
  return TRUE;
}

/* What `kept` has and this has not. */
static void
merge (WpCommits *self, const WpCommits *kept)
{
  g_autofree guint32 *rows = g_new (guint32, kept->ids.len), *people = g_new (guint32, kept->people.len);
  guint32 texts, parents;

  begin (self);
  texts = self->texts.len;
  parents = self->parents.len;
  wp_array_resize (&self->texts, texts + kept->texts.len);
  memcpy (self->texts.data + texts, kept->texts.data, kept->texts.len);
  for (guint32 p = 1; p < kept->people.len; p++)
    people[p] = person_of (self, text_at (kept, kept->people.data[p].name), text_at (kept, kept->people.data[p].email));
  for (guint32 i = 1; i < kept->ids.len; i++)
    rows[i] = row_of (self, &kept->ids.data[i]);
  for (guint32 i = 0; i < kept->parents.len; i++)
    wp_array_push (&self->parents, rows[kept->parents.data[i]]);
  for (guint32 i = 1; i < kept->ids.len; i++)
    {
      const WpCommitRow *row = &kept->rows.data[i];

      if (row->author == 0)
        continue;
      if (wp_commits_has_read (self, rows[i]))
        self->n_new--;
      else
        self->rows.data[rows[i]] = (WpCommitRow) { row->time, people[row->author], texts + row->subject, parents + row->first, row->n };
    }
}

void
wp_commits_load (WpCommits *self, const char *place)
{
  WpCommits kept = { 0 };
  const WpKeptColumn columns[] = COLUMNS (&kept);

  if (wp_kept_file_load (&(WpKeptFile) { KIND, place, columns, G_N_ELEMENTS (columns) }) && fits (&kept))
    merge (self, &kept);
  wp_commits_clear (&kept);
}

void
wp_commits_save (WpCommits *self, const char *place)
{
  const WpKeptColumn columns[] = COLUMNS (self);

  wp_kept_file_save (&(WpKeptFile) { KIND, place, columns, G_N_ELEMENTS (columns) });
  self->n_new = 0;
}
