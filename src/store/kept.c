/* Loading and saving what is kept of a store. */
#include "store/kept-file.h"
#include "store/kept-private.h"

#include <fcntl.h>
#include <unistd.h>

#define KIND "store 1" /* another number, too, where a figure of the same profile becomes another one */
#define FEW 500                  /* new things: for less no file is written */
#define FIGURES_MOST (1 << 20)   /* with more of them they begin anew */
#define SETTLED (2 * WP_KEPT_NS) /* what changed less than this ago may change within the same tick of the clock */

#define COLUMNS(self)                                                                                                                   \
  {                                                                                                                                     \
    WP_KEPT_COLUMN (&(self)->index_names.ids), WP_KEPT_COLUMN (&(self)->object_names.ids), WP_KEPT_COLUMN (&(self)->indexes),           \
      WP_KEPT_COLUMN (&(self)->entries), WP_KEPT_COLUMN (&(self)->all_objects), WP_KEPT_COLUMN (&(self)->figures),                      \
      WP_KEPT_COLUMN (&(self)->lists), WP_KEPT_COLUMN (&(self)->texts)                                                                  \
  }

/* --- whether rows fit ----------------------------------------------------------------------------------------------------- */

static gboolean
is_list (guint32 first, guint32 n, guint32 len)
{
  return (guint64) first + n <= len;
}

static gboolean
fit_entries (const WpStoreKept *self)
{
  const guint32 n_texts = self->texts.len;

  for (guint32 i = 0; i < self->entries.len; i++)
    {
      const WpKeptEntry *entry = &self->entries.data[i];
      const guint32 texts[] = { entry->path, entry->type, entry->cmd, entry->args, entry->workload, entry->collector, entry->label };

      if (entry->object == 0 || entry->object >= self->all_objects.len || !is_list (entry->first, entry->n, self->lists.len))
        return FALSE;
      for (guint t = 0; t < G_N_ELEMENTS (texts); t++)
        if (texts[t] >= n_texts)
          return FALSE;
    }
  return TRUE;
}

static gboolean
fit_figures (const WpStoreKept *self)
{
  for (guint32 i = 1; i < self->figures.len; i++)
    {
      const WpKeptFigure *figure = &self->figures.data[i];

      if (figure->object == 0 || figure->object >= self->all_objects.len || figure->figure >= self->texts.len || figure->type >= self->texts.len
          || figure->unit_name >= self->texts.len || figure->unit >= WP_UNIT_COUNT)
        return FALSE;
    }
  return TRUE;
}

/* Whether no row speaks of what is not there. */
static gboolean
fits (const WpStoreKept *self)
{
  if (self->indexes.len == 0 || self->index_names.ids.len != self->indexes.len || self->all_objects.len == 0
      || self->object_names.ids.len != self->all_objects.len || self->figures.len == 0 || self->texts.len == 0 || self->texts.data[0] != '\0'
      || self->texts.data[self->texts.len - 1] != '\0' || self->all_objects.data[0].asked != WP_KEPT_TYPES_UNKNOWN)
    return FALSE;
  for (guint32 i = 0; i < self->lists.len; i++)
    if (self->lists.data[i] >= self->texts.len)
      return FALSE;
  for (guint32 i = 0; i < self->indexes.len; i++)
    if (!is_list (self->indexes.data[i].first, self->indexes.data[i].n, self->entries.len))
      return FALSE;
  for (guint32 i = 0; i < self->all_objects.len; i++)
    if (!is_list (self->all_objects.data[i].first, self->all_objects.data[i].n, self->lists.len) || self->all_objects.data[i].asked > WP_KEPT_TYPES_LISTED)
      return FALSE;
  return fit_entries (self) && fit_figures (self);
}

/* --- opening and keeping -------------------------------------------------------------------------------------------------- */

static void
clear_columns (WpStoreKept *self)
{
  wp_array_clear (&self->index_names.ids);
  wp_array_clear (&self->object_names.ids);
  wp_array_clear (&self->indexes);
  wp_array_clear (&self->entries);
  wp_array_clear (&self->all_objects);
  wp_array_clear (&self->figures);
  wp_array_clear (&self->lists);
  wp_array_clear (&self->texts);
}

static void
begin (WpStoreKept *self)
{
  clear_columns (self);
  wp_array_resize (&self->index_names.ids, 1);
  wp_array_resize (&self->indexes, 1);
  wp_array_resize (&self->object_names.ids, 1);
  wp_array_resize (&self->all_objects, 1);
  wp_array_resize (&self->figures, 1);
  wp_array_resize (&self->texts, 1);
}

WpStoreKept *
wp_store_kept_new (const char *folder, const char *objects)
{
  WpStoreKept *self = g_new0 (WpStoreKept, 1);
  const WpKeptColumn columns[] = COLUMNS (self);

  self->folder = TEMP_FAILURE_RETRY (open (folder, O_PATH | O_DIRECTORY | O_CLOEXEC));
  self->objects = g_strdup (objects);
  self->before = g_get_real_time () * 1000 - SETTLED;
  if (!wp_kept_file_load (&(WpKeptFile) { KIND, objects, columns, G_N_ELEMENTS (columns) }) || !fits (self))
    begin (self);
  if (self->figures.len > FIGURES_MOST)
    self->figures.len = 1;
  wp_kept_fill_tables (self);
  return self;
}

void
wp_store_kept_free (WpStoreKept *self)
{
  if (self == NULL)
    return;
  if (self->n_new >= FEW)
    {
      const WpKeptColumn columns[] = COLUMNS (self);

      wp_kept_file_save (&(WpKeptFile) { KIND, self->objects, columns, G_N_ELEMENTS (columns) });
    }
  clear_columns (self);
  WP_TABLE_CLEAR (&self->index_names.rows);
  WP_TABLE_CLEAR (&self->object_names.rows);
  WP_TABLE_CLEAR (&self->by_figure);
  WP_TABLE_CLEAR (&self->by_text);
  if (self->folder >= 0)
    close (self->folder);
  g_free (self->objects);
  g_free (self);
}

WpStoreKeptKind
wp_store_kept_kind (const WpStoreKept *self, const char *hash, guint64 inode)
{
  const WpHashId id = wp_hash_id (hash);
  const guint32 index = wp_kept_find_index (self, &id);

  if (index != 0 && self->indexes.data[index].index.inode == inode)
    return WP_STORE_KEPT_INDEX;
  return wp_kept_has_object (self, &id, inode) ? WP_STORE_KEPT_OBJECT : WP_STORE_KEPT_UNKNOWN;
}
