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
  const guint32 row = wp_kept_has_room (self) ? wp_kept_add_object (self, &id) : 0;
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

/* That of a type whose name is "" is not told from that of no type. */
static gboolean
is_told (const char *type)
{
  return type == NULL || *type != '\0';
}

/* FALSE: nothing is known of this figure. */
static gboolean
find_value (const WpStoreKept *self, guint32 object, guint32 type, const WpFigure *figure, WpFigureValue *value)
{
  g_autofree char *id = wp_figure_id (figure);
  const guint32 row = wp_kept_find_figure (self, &(WpKeptFigure) { .object = object, .figure = wp_kept_find_text (self, id), .type = type });
  const WpKeptFigure *found = &self->figures.data[row];

  if (row == 0)
    return FALSE;
  *value = (WpFigureValue) { .value = found->value, .unit = found->unit };
  g_strlcpy (value->unit_name, wp_kept_text (self, found->unit_name), sizeof value->unit_name);
  return TRUE;
}

gboolean
wp_store_kept_figures (WpStoreKept *self, const char *sha1, const char *type, const WpFigure *figures, guint n, WpFigureValue *values)
{
  const WpHashId id = wp_hash_id (sha1);
  const guint32 object = is_told (type) ? wp_kept_find_object (self, &id) : 0, meant = type != NULL ? wp_kept_find_text (self, type) : 0;
  gboolean known = object != 0 && (type == NULL || meant != 0);

  for (guint i = 0; known && i < n; i++)
    known = find_value (self, object, meant, &figures[i], &values[i]);
  return known;
}

static void
set_value (WpStoreKept *self, guint32 object, guint32 type, const WpFigure *figure, const WpFigureValue *value)
{
  g_autofree char *id = wp_figure_id (figure);
  WpKeptFigure row = { .object = object, .type = type, .figure = wp_kept_add_text (self, id), .value = value->value, .unit = value->unit };

  if (wp_kept_find_figure (self, &row) != 0)
    return;
  row.unit_name = wp_kept_add_text (self, value->unit_name);
  wp_kept_add_figure (self, &row);
  self->n_new++;
}

void
wp_store_kept_set_figures (WpStoreKept *self, const char *sha1, const char *type, const WpFigure *figures, guint n, const WpFigureValue *values)
{
  const WpHashId id = wp_hash_id (sha1);
  const guint32 object = wp_kept_has_room (self) && is_told (type) ? wp_kept_add_object (self, &id) : 0;

  for (guint i = 0; object != 0 && i < n; i++)
    set_value (self, object, type != NULL ? wp_kept_add_text (self, type) : 0, &figures[i], &values[i]);
}
