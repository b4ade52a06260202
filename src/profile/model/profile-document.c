/* A profile as a document in the shape up to 0.16.9. */
#include "base/hash.h"
#include "profile/model/profile.h"

static WpValue
list_of (WpValues *values, const WpIdArray *items)
{
  return wp_values_array (values, items->data, items->len);
}

/* The resources of one snapshot stand together: those from `*at` on. */
static WpValue
resources_from (WpProfile *self, const WpResource *sorted, guint32 *at, guint32 snapshot)
{
  WpIdArray items = { 0 };
  WpValue list;

  for (; *at < self->resources.len && sorted[*at].snapshot == snapshot; (*at)++)
    wp_array_push (&items, sorted[*at].value);
  list = list_of (self->values, &items);
  wp_array_clear (&items);
  return list;
}

/* By snapshot, each in the order it had: counted, then placed. */
static WpResource *
by_snapshot (const WpProfile *self)
{
  guint32 n = self->snapshots.len + 1;
  g_autofree guint32 *next = g_new0 (guint32, (gsize) n + 1);
  WpResource *sorted = g_new (WpResource, (gsize) self->resources.len + 1);

  for (guint32 i = 0; i < self->resources.len; i++)
    next[MIN (self->resources.data[i].snapshot, n - 1) + 1]++;
  for (guint32 i = 1; i <= n; i++)
    next[i] += next[i - 1];
  for (guint32 i = 0; i < self->resources.len; i++)
    sorted[next[MIN (self->resources.data[i].snapshot, n - 1)]++] = self->resources.data[i];
  return sorted;
}

/* The snapshot as it was in the document, or a new one, with these resources. */
static WpValue
snapshot_with (WpProfile *self, WpValue old, guint32 i, WpValue resources)
{
  WpValues *values = self->values;
  WpValue snapshot = i < wp_value_count (values, old) ? wp_value_item (values, old, i) : wp_values_object (values, NULL, 0);

  if (self->snapshots.data[i] != 0)
    snapshot = wp_values_set (values, snapshot, "time", self->snapshots.data[i]);
  snapshot = wp_values_set (values, snapshot, "models", 0);
  return wp_values_set (values, snapshot, "resources", resources);
}

static WpValue
snapshots_of (WpProfile *self, const WpResource *sorted, guint32 *at)
{
  WpValue old = wp_value_get (self->values, self->root, "snapshots"), list;
  WpIdArray items = { 0 };

  if (wp_value_kind (self->values, old) != WP_VALUE_ARRAY)
    old = 0;
  for (guint32 i = 0; i < self->snapshots.len; i++)
    wp_array_push (&items, snapshot_with (self, old, i, resources_from (self, sorted, at, i)));
  list = list_of (self->values, &items);
  wp_array_clear (&items);
  return list;
}

static WpValue
global_with (WpProfile *self, WpValue resources)
{
  WpValues *values = self->values;
  WpValue global = wp_value_get (values, self->root, "global");

  if (global == 0)
    global = wp_values_object (values, NULL, 0);
  global = wp_values_set (values, global, "resources", resources);
  if (self->models.len > 0 || wp_value_get (values, global, "models") != 0)
    global = wp_values_set (values, global, "models", list_of (values, &self->models));
  return global;
}

/* --- chunks ---------------------------------------------------------------------------------------------------------- */

/* By each trace that stands in `chunks` what stands for it: values are kept once, so equal traces are one. */
static GHashTable *
references_of (WpProfile *self)
{
  WpValues *values = self->values;
  WpValue chunks = wp_value_get (values, self->root, "chunks");
  GHashTable *references = g_hash_table_new (wp_hash_pointer, NULL);

  if (wp_value_kind (values, chunks) != WP_VALUE_OBJECT)
    return references;
  for (guint32 i = 0, n = wp_value_count (values, chunks); i < n; i++)
    {
      WpValue words[] = { wp_values_string (values, "chunk"), wp_value_key (values, chunks, i) };

      g_hash_table_insert (references, GUINT_TO_POINTER (wp_value_item (values, chunks, i)),
                           GUINT_TO_POINTER (wp_values_object (values, words, 1)));
    }
  return references;
}

/* What was read from `chunks` stands there again. */
static void
fold_traces (WpProfile *self, WpResource *resources)
{
  g_autoptr (GHashTable) references = references_of (self);

  for (guint32 i = 0; g_hash_table_size (references) > 0 && i < self->resources.len; i++)
    {
      WpValue trace = wp_value_get (self->values, resources[i].value, "trace");
      WpValue reference = GPOINTER_TO_UINT (g_hash_table_lookup (references, GUINT_TO_POINTER (trace)));

      if (trace != 0 && reference != 0)
        resources[i].value = wp_values_set (self->values, resources[i].value, "trace", reference);
    }
}

/* --- the whole ------------------------------------------------------------------------------------------------------- */

WpValue
wp_profile_document (WpProfile *self)
{
  static const char *const replaced[] = { "resources", "resource_type_map", "models" };
  WpValues *values = self->values;
  g_autofree WpResource *sorted = NULL;
  WpValue root = self->root;
  guint32 at = 0;

  if (self->shape == WP_PROFILE_SNAPSHOTS && !self->changed)
    return root;
  sorted = by_snapshot (self);
  fold_traces (self, sorted);
  for (guint i = 0; i < G_N_ELEMENTS (replaced); i++)
    root = wp_values_set (values, root, replaced[i], 0);
  root = wp_values_set (values, root, "header", self->header);
  root = wp_values_set (values, root, "collector_info", self->collector);
  root = wp_values_set (values, root, "postprocessors", list_of (values, &self->postprocessors));
  if (self->snapshots.len > 0)
    root = wp_values_set (values, root, "snapshots", snapshots_of (self, sorted, &at));
  return wp_values_set (values, root, "global", global_with (self, resources_from (self, sorted, &at, self->snapshots.len)));
}

void
wp_profile_add_postprocessor (WpProfile *self, const char *name, WpValue params)
{
  WpValues *values = self->values;
  WpValue words[] = { wp_values_string (values, "name"), wp_values_string (values, name),
                      wp_values_string (values, "params"), params };

  wp_array_push (&self->postprocessors, wp_values_object (values, words, 2));
  self->changed = TRUE;
}
