#include "store/kept-private.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>

/* --- files ---------------------------------------------------------------------------------------------------------------- */

static gint64
ns_of (struct timespec time)
{
  return time.tv_sec * WP_KEPT_NS + time.tv_nsec;
}

static gboolean
stamp_file (const WpStoreKept *self, const char *name, WpKeptStamp *stamp)
{
  struct stat st;

  *stamp = (WpKeptStamp) { 0 };
  if (fstatat (self->folder, name, &st, 0) != 0)
    return errno == ENOENT;
  *stamp = (WpKeptStamp) { st.st_ino, st.st_size, ns_of (st.st_mtim), ns_of (st.st_ctim) };
  return TRUE;
}

gboolean
wp_kept_stamp_object (const WpStoreKept *self, const WpHashId *id, WpKeptStamp *stamp)
{
  char name[] = "objects/00/00000000000000000000000000000000000000", digits[40];

  wp_hash_id_write (id, digits);
  memcpy (name + 8, digits, 2);
  memcpy (name + 11, digits + 2, 38);
  return stamp_file (self, name, stamp);
}

gboolean
wp_kept_stamp_sum (const WpStoreKept *self, const WpHashId *minor, WpKeptStamp *stamp)
{
  char name[] = "cache/0000000000000000000000000000000000000000.sha1";

  wp_hash_id_write (minor, name + 6);
  return stamp_file (self, name, stamp);
}

gboolean
wp_kept_is_same (const WpKeptStamp *a, const WpKeptStamp *b)
{
  return a->inode == b->inode && a->size == b->size && a->modified == b->modified && a->changed == b->changed;
}

gboolean
wp_kept_is_settled (const WpStoreKept *self, const WpKeptStamp *stamp)
{
  return MAX (stamp->modified, stamp->changed) < self->before;
}

/* --- texts and rows by their names ---------------------------------------------------------------------------------------- */

static guint64
hash_text (const char *text)
{
  return wp_hash_bytes (text, strlen (text));
}

static void
add_text_at (WpStoreKept *self, guint32 at)
{
  WP_TABLE_RESERVE (&self->by_text, 1024, 2, old, *old != 0, hash_text (wp_kept_text (self, *old)));
  *WP_TABLE_FIND (&self->by_text, hash_text (wp_kept_text (self, at)), slot, *slot == 0) = at;
  self->by_text.n++;
}

guint32
wp_kept_find_text (const WpStoreKept *self, const char *text)
{
  if (*text == '\0' || self->by_text.slots == NULL)
    return 0;
  return *WP_TABLE_FIND (&self->by_text, hash_text (text), slot, *slot == 0 || g_str_equal (wp_kept_text (self, *slot), text));
}

guint32
wp_kept_add_text (WpStoreKept *self, const char *text)
{
  const guint32 n = (guint32) strlen (text) + 1, at = self->texts.len, found = wp_kept_find_text (self, text);

  if (n == 1 || found != 0)
    return found;
  wp_array_reserve (&self->texts, (guint64) at + n);
  memcpy (self->texts.data + at, text, n);
  self->texts.len += n;
  add_text_at (self, at);
  return at;
}

static guint32
find_name (const WpKeptNames *self, const WpHashId *id)
{
  return self->rows.slots == NULL ? 0 : *WP_TABLE_FIND (&self->rows, wp_hash_id_hash (id), slot, *slot == 0 || wp_hash_id_equal (&self->ids.data[*slot], id));
}

static void
set_name_row (WpKeptNames *self, guint32 row)
{
  const WpHashId *id = &self->ids.data[row];
  guint32 *slot;

  WP_TABLE_RESERVE (&self->rows, 1024, 2, old, *old != 0, wp_hash_id_hash (&self->ids.data[*old]));
  slot = WP_TABLE_FIND (&self->rows, wp_hash_id_hash (id), at, *at == 0 || wp_hash_id_equal (&self->ids.data[*at], id));
  self->rows.n += *slot == 0;
  *slot = row;
}

static void
add_name (WpKeptNames *self, const WpHashId *id)
{
  wp_array_push (&self->ids, *id);
  set_name_row (self, self->ids.len - 1);
}

static guint64
hash_figure (const WpKeptFigure *figure)
{
  return wp_hash_pair ((guint64) figure->object << 32 | figure->figure, figure->type);
}

static gboolean
is_figure (const WpKeptFigure *a, const WpKeptFigure *b)
{
  return a->object == b->object && a->figure == b->figure && a->type == b->type;
}

guint32
wp_kept_find_figure (const WpStoreKept *self, const WpKeptFigure *figure)
{
  return self->by_figure.slots == NULL
           ? 0
           : *WP_TABLE_FIND (&self->by_figure, hash_figure (figure), slot, *slot == 0 || is_figure (&self->figures.data[*slot], figure));
}

static void
set_figure_row (WpStoreKept *self, guint32 row)
{
  const WpKeptFigure *figure = &self->figures.data[row];
  guint32 *slot;

  WP_TABLE_RESERVE (&self->by_figure, 1024, 2, old, *old != 0, hash_figure (&self->figures.data[*old]));
  slot = WP_TABLE_FIND (&self->by_figure, hash_figure (figure), at, *at == 0 || is_figure (&self->figures.data[*at], figure));
  self->by_figure.n += *slot == 0;
  *slot = row;
}

void
wp_kept_add_figure (WpStoreKept *self, const WpKeptFigure *figure)
{
  wp_array_push (&self->figures, *figure);
  set_figure_row (self, self->figures.len - 1);
}

guint32
wp_kept_find_index (const WpStoreKept *self, const WpHashId *minor)
{
  return find_name (&self->index_names, minor);
}

void
wp_kept_add_index (WpStoreKept *self, const WpHashId *minor, const WpKeptIndex *index)
{
  add_name (&self->index_names, minor);
  wp_array_push (&self->indexes, *index);
}

guint32
wp_kept_find_object (const WpStoreKept *self, const WpHashId *id)
{
  const guint32 row = find_name (&self->object_names, id);
  WpKeptStamp now;

  return row != 0 && wp_kept_stamp_object (self, id, &now) && wp_kept_is_same (&now, &self->all_objects.data[row].stamp) ? row : 0;
}

guint32
wp_kept_add_object (WpStoreKept *self, const WpHashId *id)
{
  const guint32 row = find_name (&self->object_names, id);
  WpKeptStamp now;

  if (!wp_kept_stamp_object (self, id, &now) || now.inode == 0 || !wp_kept_is_settled (self, &now))
    return 0;
  if (row != 0 && wp_kept_is_same (&now, &self->all_objects.data[row].stamp))
    return row;
  add_name (&self->object_names, id);
  wp_array_push (&self->all_objects, ((WpKeptObject) { .stamp = now }));
  return self->all_objects.len - 1;
}

gboolean
wp_kept_has_object (const WpStoreKept *self, const WpHashId *id, guint64 inode)
{
  const guint32 row = find_name (&self->object_names, id);

  return row != 0 && self->all_objects.data[row].stamp.inode == inode;
}

void
wp_kept_fill_tables (WpStoreKept *self)
{
  for (guint32 i = 1; i < self->texts.len; i++)
    if (self->texts.data[i - 1] == '\0')
      add_text_at (self, i);
  for (guint32 i = 1; i < self->indexes.len; i++)
    set_name_row (&self->index_names, i);
  for (guint32 i = 1; i < self->all_objects.len; i++)
    set_name_row (&self->object_names, i);
  for (guint32 i = 1; i < self->figures.len; i++)
    set_figure_row (self, i);
}
