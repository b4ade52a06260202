#include "base/json-spans.h"
#include "profile/perun/fields.h"

#include <gio/gio.h>
#include <glib/gi18n.h>

/* What checking a document knows of the place it is at. */
typedef struct
{
  WpProfile *profile;
  WpFieldCheck *check;
  GError **error;
} Loader;

static gboolean refuse (Loader *self, const char *format, ...) G_GNUC_PRINTF (2, 3);

static gboolean
refuse (Loader *self, const char *format, ...)
{
  g_autofree char *text = NULL;
  va_list args;

  va_start (args, format);
  text = g_strdup_vprintf (format, args);
  va_end (args);
  g_set_error (self->error, WP_JSON_ERROR, WP_JSON_ERROR_VALUE, "%s: %s", self->profile->path, text);
  return FALSE;
}

static gboolean
is_kind (const WpProfile *profile, WpValue value, WpValueKind kind)
{
  return wp_value_kind (profile->values, value) == kind;
}

/* --- chunks ---------------------------------------------------------------------------------------------------------- */

/* The trace that {"chunk": NAME} stands for; any other value is itself. */
static WpValue
unfold_trace (const WpProfile *profile, WpValue chunks, WpValue trace)
{
  const WpValues *values = profile->values;
  WpValue name = wp_value_count (values, trace) == 1 ? wp_value_get (values, trace, "chunk") : 0;
  WpValue found = name != 0 ? wp_value_find (values, chunks, name) : 0;

  return found != 0 ? found : trace;
}

/* --- resources ------------------------------------------------------------------------------------------------------- */

/* What every resource of one document is asked for. */
typedef struct
{
  WpValue trace, chunks;
} Keys;

static gboolean
take_resource (Loader *self, const Keys *keys, WpValue resource, guint32 snapshot, const char *place, guint32 i)
{
  WpProfile *profile = self->profile;
  WpValue trace, whole;

  if (!is_kind (profile, resource, WP_VALUE_OBJECT))
    return refuse (self, "%s[%u]: not an object", place, i);
  trace = keys->chunks != 0 ? wp_value_find (profile->values, resource, keys->trace) : 0;
  whole = trace != 0 ? unfold_trace (profile, keys->chunks, trace) : 0;
  if (whole != trace)
    resource = wp_values_set (profile->values, resource, "trace", whole);
  wp_field_check_resource (self->check, resource, place, i);
  wp_array_push (&profile->resources, ((WpResource) { resource, snapshot }));
  return TRUE;
}

static gboolean
take_resources (Loader *self, const Keys *keys, WpValue list, guint32 snapshot, const char *place)
{
  WpProfile *profile = self->profile;

  if (list == 0)
    return TRUE;
  if (!is_kind (profile, list, WP_VALUE_ARRAY))
    return refuse (self, "%s: not an array", place);
  for (guint32 i = 0, n = wp_value_count (profile->values, list); i < n; i++)
    if (!take_resource (self, keys, wp_value_item (profile->values, list, i), snapshot, place, i))
      return FALSE;
  return TRUE;
}

typedef void (*ObjectCheck) (WpFieldCheck *check, WpValue object, const char *place, gint64 index);

static void
check_step (WpFieldCheck *check, WpValue step, const char *place, gint64 index)
{
  wp_field_check (check, WP_IN_STEP, step, place, index);
}

/* Objects of a list, such as models and postprocessors. */
static gboolean
take_objects (Loader *self, WpValue list, WpIdArray *into, ObjectCheck check, const char *place)
{
  const WpProfile *profile = self->profile;

  if (list == 0)
    return TRUE;
  if (!is_kind (profile, list, WP_VALUE_ARRAY))
    return refuse (self, "%s: not an array", place);
  for (guint32 i = 0, n = wp_value_count (profile->values, list); i < n; i++)
    {
      WpValue item = wp_value_item (profile->values, list, i);

      if (!is_kind (profile, item, WP_VALUE_OBJECT))
        return refuse (self, "%s[%u]: not an object", place, i);
      check (self->check, item, place, i);
      wp_array_push (into, item);
    }
  return TRUE;
}

/* The time of a snapshot that a newer shape in the same file may have given already. One that is a number is a text here. */
static void
set_time (WpProfile *profile, guint32 i, WpValue object)
{
  WpValue time = wp_value_get (profile->values, object, "time");
  g_autoptr (GString) text = NULL;

  if (i >= profile->snapshots.len)
    wp_array_resize (&profile->snapshots, i + 1);
  if (wp_value_is_number (profile->values, time))
    {
      text = g_string_new (NULL);
      wp_value_str (profile->values, time, text);
      time = wp_values_string (profile->values, text->str);
    }
  if (profile->snapshots.data[i] == 0 && is_kind (profile, time, WP_VALUE_STRING))
    profile->snapshots.data[i] = time;
}

static gboolean
take_snapshots (Loader *self, const Keys *keys, WpValue list)
{
  WpProfile *profile = self->profile;
  const WpValues *values = profile->values;

  if (list == 0)
    return TRUE;
  if (!is_kind (profile, list, WP_VALUE_ARRAY))
    return refuse (self, "snapshots: not an array");
  for (guint32 i = 0, n = wp_value_count (values, list); i < n; i++)
    {
      WpValue snapshot = wp_value_item (values, list, i);
      g_autofree char *place = g_strdup_printf ("snapshots[%u].resources", i);
      g_autofree char *models = g_strdup_printf ("snapshots[%u].models", i);

      if (!is_kind (profile, snapshot, WP_VALUE_OBJECT))
        return refuse (self, "snapshots[%u]: not an object", i);
      wp_field_check (self->check, WP_IN_SNAPSHOT, snapshot, "snapshots", i);
      set_time (profile, i, snapshot);
      if (!take_resources (self, keys, wp_value_get (values, snapshot, "resources"), i, place)
          || !take_objects (self, wp_value_get (values, snapshot, "models"), &profile->models, wp_field_check_model, models))
        return FALSE;
    }
  return TRUE;
}

static gboolean
take_old_shape (Loader *self, const Keys *keys)
{
  WpProfile *profile = self->profile;
  const WpValues *values = profile->values;
  WpValue global = wp_value_get (values, profile->root, "global");
  WpIdArray in_snapshots;
  gboolean good;

  if (!take_snapshots (self, keys, wp_value_get (values, profile->root, "snapshots")))
    return FALSE;
  if (global != 0 && !is_kind (profile, global, WP_VALUE_OBJECT))
    return refuse (self, "global: not an object");
  wp_field_check (self->check, WP_IN_GLOBAL, global, "global", -1);
  /* Models of `global` come first: they are the ones that Perun knows of. */
  in_snapshots = profile->models;
  profile->models = (WpIdArray) { 0 };
  good = take_resources (self, keys, wp_value_get (values, global, "resources"), profile->snapshots.len, "global.resources")
         && take_objects (self, wp_value_get (values, global, "models"), &profile->models, wp_field_check_model, "global.models");
  for (guint32 i = 0; i < in_snapshots.len; i++)
    wp_array_push (&profile->models, in_snapshots.data[i]);
  wp_array_clear (&in_snapshots);
  return good;
}

/* --- the newer shape ------------------------------------------------------------------------------------------------- */

/* How many resources the parallel arrays of one kind hold: as many as the shortest; one without arrays. */
static gboolean
count_parallel (Loader *self, WpValue arrays, const char *id, guint32 *count)
{
  const WpValues *values = self->profile->values;
  guint32 n = wp_value_count (values, arrays);

  *count = n == 0 ? 1 : G_MAXUINT32;
  for (guint32 i = 0; i < n; i++)
    {
      if (!is_kind (self->profile, wp_value_item (values, arrays, i), WP_VALUE_ARRAY))
        return refuse (self, "resources[\"%.200s\"].%.80s: not an array", id,
                       wp_value_string (values, wp_value_key (values, arrays, i)));
      *count = MIN (*count, wp_value_count (values, wp_value_item (values, arrays, i)));
    }
  return TRUE;
}

#define SNAPSHOTS_FREE 10000 /* so many more than kinds of resources there may be: each has a row in the maps */

/* The number of the snapshot that resources of one kind belong to. */
static guint32
snapshot_of (WpProfile *profile, WpValue shared)
{
  WpValue number = wp_value_get (profile->values, shared, "snapshot");
  gint64 n = wp_value_kind (profile->values, number) == WP_VALUE_INT ? wp_value_int (profile->values, number) : 0;

  if (n < 0 || n > SNAPSHOTS_FREE + wp_value_count (profile->values, wp_value_get (profile->values, profile->root, "resource_type_map")))
    {
      wp_omissions_add (&profile->omissions, "snapshot", N_ ("is beyond all that there can be"), N_ ("taken for the first one"), "%" G_GINT64_FORMAT, n);
      return 0;
    }
  set_time (profile, (guint32) n, shared);
  return (guint32) n;
}

static gboolean
take_kind (Loader *self, const Keys *keys, WpValue id, WpValue arrays, WpValue shared)
{
  WpProfile *profile = self->profile;
  WpValues *values = profile->values;
  const char *name = wp_value_string (values, id);
  guint32 n_arrays, n_shared = wp_value_count (values, shared), count, snapshot;
  g_autofree WpValue *words = NULL;
  g_autofree char *place = g_strdup_printf ("resources[\"%.200s\"]", name);

  if (!is_kind (profile, arrays, WP_VALUE_OBJECT))
    return refuse (self, "%s: not an object", place);
  if (!is_kind (profile, shared, WP_VALUE_OBJECT))
    return refuse (self, "resource_type_map: \"%.200s\" is missing, or no object", name);
  if (!count_parallel (self, arrays, name, &count))
    return FALSE;
  n_arrays = wp_value_count (values, arrays);
  words = g_new (WpValue, 2 * ((gsize) n_arrays + n_shared) + 1);
  for (guint32 k = 0; k < n_shared; k++)
    {
      words[2 * (n_arrays + k)] = wp_value_key (values, shared, k);
      words[2 * (n_arrays + k) + 1] = wp_value_item (values, shared, k);
    }
  snapshot = snapshot_of (profile, shared);
  for (guint32 i = 0; i < count; i++)
    {
      for (guint32 k = 0; k < n_arrays; k++)
        {
          words[2 * k] = wp_value_key (values, arrays, k);
          words[2 * k + 1] = wp_value_item (values, wp_value_item (values, arrays, k), i);
        }
      if (!take_resource (self, keys, wp_values_object (values, words, n_arrays + n_shared), snapshot, place, i))
        return FALSE;
    }
  return TRUE;
}

static gboolean
take_new_shape (Loader *self, const Keys *keys, WpValue resources)
{
  WpProfile *profile = self->profile;
  const WpValues *values = profile->values;
  WpValue map = wp_value_get (values, profile->root, "resource_type_map");

  profile->shape = WP_PROFILE_TYPE_MAP;
  for (guint32 i = 0, n = wp_value_count (values, resources); i < n; i++)
    {
      WpValue id = wp_value_key (values, resources, i);

      if (!take_kind (self, keys, id, wp_value_item (values, resources, i), wp_value_find (values, map, id)))
        return FALSE;
    }
  return take_objects (self, wp_value_get (values, profile->root, "models"), &profile->models, wp_field_check_model, "models");
}

/* --- the document ---------------------------------------------------------------------------------------------------- */

static void
take_origin (Loader *self)
{
  WpProfile *profile = self->profile;
  WpValue origin = wp_value_get (profile->values, profile->root, "origin");

  if (origin == 0)
    return;
  if (is_kind (profile, origin, WP_VALUE_STRING))
    profile->origin = g_strdup (wp_value_string (profile->values, origin));
  profile->root = wp_values_set (profile->values, profile->root, "origin", 0);
}

static gboolean
take_header (Loader *self)
{
  WpProfile *profile = self->profile;
  WpValues *values = profile->values;
  WpValue params;

  profile->header = wp_value_get (values, profile->root, "header");
  if (profile->header == 0)
    return refuse (self, "header: missing, so this is no profile");
  if (!is_kind (profile, profile->header, WP_VALUE_OBJECT))
    return refuse (self, "header: not an object");
  params = wp_value_get (values, profile->header, "params");
  if (params != 0 && wp_value_get (values, profile->header, "args") == 0)
    profile->header = wp_values_set (values, profile->header, "args", params);
  if (wp_value_get (values, profile->header, "type") == 0)
    return refuse (self, "header.type: missing");
  if (!is_kind (profile, wp_value_get (values, profile->header, "type"), WP_VALUE_STRING))
    return refuse (self, "header.type: not a string");
  wp_field_check (self->check, WP_IN_HEADER, profile->header, "header", -1);
  wp_field_check (self->check, WP_IN_UNITS, wp_value_get (values, profile->header, "units"), "header.units", -1);
  return TRUE;
}

static gboolean
take_document (Loader *self)
{
  WpProfile *profile = self->profile;
  WpValues *values = profile->values;
  WpValue resources;
  Keys keys;

  if (!is_kind (profile, profile->root, WP_VALUE_OBJECT))
    return refuse (self, "not a profile: the document is no object");
  wp_field_check (self->check, WP_IN_DOCUMENT, profile->root, "the document", -1);
  take_origin (self);
  if (!take_header (self))
    return FALSE;
  profile->collector = wp_value_get (values, profile->root, "collector_info");
  if (profile->collector == 0)
    profile->collector = wp_values_object (values, NULL, 0);
  if (!is_kind (profile, profile->collector, WP_VALUE_OBJECT))
    return refuse (self, "collector_info: not an object");
  wp_field_check (self->check, WP_IN_STEP, profile->collector, "collector_info", -1);
  if (!take_objects (self, wp_value_get (values, profile->root, "postprocessors"), &profile->postprocessors, check_step, "postprocessors"))
    return FALSE;
  keys = (Keys) { .trace = wp_values_find_string (values, "trace"),
                  .chunks = wp_value_get (values, profile->root, "chunks") };
  resources = wp_value_get (values, profile->root, "resources");
  return (!is_kind (profile, resources, WP_VALUE_OBJECT) || take_new_shape (self, &keys, resources)) && take_old_shape (self, &keys);
}

static WpProfile *
load (const char *path, WpJsonReader *reader, GError **error)
{
  g_autoptr (WpJsonReader) owned = reader;
  g_autoptr (WpProfile) self = g_new0 (WpProfile, 1);
  g_autoptr (WpFieldCheck) check = NULL;

  self->path = g_strdup (path);
  self->values = wp_values_new ();
  wp_json_reader_find_spans (reader);
  self->root = wp_values_read (self->values, reader);
  if (!wp_json_reader_finish (reader, error))
    return NULL;
  check = wp_field_check_new (self);
  if (!take_document (&(Loader) { .profile = self, .check = check, .error = error }))
    return NULL;
  return g_steal_pointer (&self);
}

WpProfile *
wp_profile_load (const char *path, WpProgress *progress, GError **error)
{
  WpJsonReader *reader = wp_json_reader_open (path, progress, error);

  return reader != NULL ? load (path, reader, error) : NULL;
}

WpProfile *
wp_profile_parse (const char *name, const char *text, gsize n, WpProgress *progress, GError **error)
{
  return load (name, wp_json_reader_new (name, text, n, progress), error);
}

void
wp_profile_free (WpProfile *self)
{
  if (self == NULL)
    return;
  g_free (self->path);
  g_free (self->origin);
  wp_values_free (self->values);
  wp_array_clear (&self->postprocessors);
  wp_array_clear (&self->resources);
  wp_array_clear (&self->snapshots);
  wp_array_clear (&self->models);
  wp_omissions_clear (&self->omissions);
  g_free (self);
}

/* --- asking ---------------------------------------------------------------------------------------------------------- */

const char *
wp_profile_header (const WpProfile *self, const char *key)
{
  return wp_value_string (self->values, wp_value_get (self->values, self->header, key));
}

const char *
wp_profile_collector_name (const WpProfile *self)
{
  return wp_value_string (self->values, wp_value_get (self->values, self->collector, "name"));
}

const char *
wp_profile_unit (const WpProfile *self)
{
  WpValue units = wp_value_get (self->values, self->header, "units");
  WpValue unit = wp_value_get (self->values, units, wp_profile_header (self, "type"));

  if (unit == 0 && wp_value_count (self->values, units) > 0)
    unit = wp_value_item (self->values, units, 0);
  return wp_value_string (self->values, unit);
}

char *
wp_profile_command (const WpProfile *self)
{
  static const char *const parts[] = { "cmd", "args", "workload" };
  GString *command = g_string_new (NULL);

  for (guint i = 0; i < G_N_ELEMENTS (parts); i++)
    {
      const char *part = wp_profile_header (self, parts[i]);

      if (*part != '\0')
        g_string_append_printf (command, "%s%s", command->len > 0 ? " " : "", part);
    }
  return g_string_free (command, FALSE);
}

WpValue
wp_profile_trace (const WpProfile *self, guint32 resource)
{
  WpValue trace = wp_profile_field (self, resource, "trace");

  return is_kind (self, trace, WP_VALUE_ARRAY) ? trace : 0;
}

WpValue
wp_profile_field (const WpProfile *self, guint32 resource, const char *key)
{
  return wp_value_get (self->values, self->resources.data[resource].value, key);
}
