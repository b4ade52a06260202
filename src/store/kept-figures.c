/* What is kept of profiles: value types and figures. */
#include "store/kept-private.h"

GPtrArray *
wp_store_kept_types (WpStoreKept *self, const char *sha1, gboolean *known)
{
  const WpHashId id = wp_hash_id (sha1);
  const WpKeptObject *object = &self->all_objects.data[wp_kept_find_object (self, &id)];
  GPtrArray *types;

  *known = object->asked != WP_KEPT_TYPES_UNKNOWN;
  if (object->asked != WP_KEPT_TYPES_LISTED)
    return NULL;
  types = g_ptr_array_new_with_free_func (g_free);
  for (guint32 i = 0; i < object->n; i++)
    g_ptr_array_add (types, g_strdup (wp_kept_text (self, self->lists.data[object->first + i])));
  return types;
}

void
wp_store_kept_set_types (WpStoreKept *self, const char *sha1, const GPtrArray *types)
{
  const WpHashId id = wp_hash_id (sha1);
  const guint32 row = wp_kept_add_object (self, &id);
  WpKeptObject *object = &self->all_objects.data[row];

  if (row == 0)
    return;
  object->asked = types != NULL ? WP_KEPT_TYPES_LISTED : WP_KEPT_TYPES_NONE;
  object->first = self->lists.len;
  object->n = types != NULL ? types->len : 0;
  for (guint i = 0; i < object->n; i++)
    wp_array_push (&self->lists, wp_kept_add_text (self, types->pdata[i]));
  self->n_new++;
}

static guint32
text_of_figure (WpStoreKept *self, const WpFigure *figure)
{
  g_autofree char *id = wp_figure_id (figure);

  return wp_kept_add_text (self, id);
}

/* That of a type whose name is "" is not told from that of no type. */
static gboolean
is_told (const char *type)
{
  return type == NULL || *type != '\0';
}

gboolean
wp_store_kept_figures (WpStoreKept *self, const char *sha1, const char *type, const WpFigure *figures, guint n, WpFigureValue *values)
{
  const WpHashId id = wp_hash_id (sha1);
  const guint32 object = is_told (type) ? wp_kept_find_object (self, &id) : 0;
  const WpKeptFigure wanted = { .object = object, .type = object != 0 && type != NULL ? wp_kept_add_text (self, type) : 0 };

  for (guint i = 0; object != 0 && i < n; i++)
    {
      WpKeptFigure key = wanted;
      guint32 row;

      key.figure = text_of_figure (self, &figures[i]);
      row = wp_kept_find_figure (self, &key);
      if (row == 0)
        return FALSE;
      values[i] = (WpFigureValue) { .value = self->figures.data[row].value, .unit = self->figures.data[row].unit };
      g_strlcpy (values[i].unit_name, wp_kept_text (self, self->figures.data[row].unit_name), sizeof values[i].unit_name);
    }
  return object != 0;
}

void
wp_store_kept_set_figures (WpStoreKept *self, const char *sha1, const char *type, const WpFigure *figures, guint n, const WpFigureValue *values)
{
  const WpHashId id = wp_hash_id (sha1);
  const guint32 object = is_told (type) ? wp_kept_add_object (self, &id) : 0;

  for (guint i = 0; object != 0 && i < n; i++)
    {
      WpKeptFigure row = { .object = object, .value = values[i].value, .unit = values[i].unit, .type = type != NULL ? wp_kept_add_text (self, type) : 0 };

      row.figure = text_of_figure (self, &figures[i]);
      row.unit_name = wp_kept_add_text (self, values[i].unit_name);
      if (wp_kept_find_figure (self, &row) != 0)
        continue;
      wp_kept_add_figure (self, &row);
      self->n_new++;
    }
}
