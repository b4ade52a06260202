/* query: Perun's query functions. */
#include "base/find.h"
#include "cli/command.h"
#include "cli/named.h"
#include "cli/output.h"
#include "cli/profiles.h"
#include "profile/model/query.h"

typedef struct
{
  WpProfile *profile;
  WpFlattener *flattener;
  const char *key;
  GString *out;
  WpJsonWriter *json; /* writes to `out`; NULL: it is text */
} Query;

/* What is said of a resource: an item of a list, or in text a line. */
typedef void (*RowFunc) (Query *self, guint32 resource);

static void
append_rows (Query *self, guint32 n, RowFunc row)
{
  if (self->json != NULL)
    wp_json_writer_array (self->json, NULL, WP_JSON_LINES);
  for (guint32 i = 0; i < n; i++)
    {
      row (self, i);
      if (self->json == NULL)
        g_string_append_c (self->out, '\n');
      wp_cli_flush_full (self->out);
    }
  if (self->json != NULL)
    wp_json_writer_end (self->json);
}

static void
list (Query *self, const WpIdArray *values)
{
  if (self->json != NULL)
    {
      wp_cli_write_values (self->json, NULL, self->profile, values);
      return;
    }
  for (guint32 i = 0; i < values->len; i++)
    {
      wp_value_str (self->profile->values, values->data[i], self->out);
      g_string_append_c (self->out, '\n');
      wp_cli_flush_full (self->out);
    }
}

/* A number and a value: [17, {…}], or in text the one, a tab and the other as JSON. */
static void
append_numbered (Query *self, guint number, WpValue value)
{
  if (self->json != NULL)
    {
      wp_json_writer_array (self->json, NULL, WP_JSON_TIGHT);
      wp_json_writer_uint (self->json, NULL, number);
      wp_cli_write_value (self->json, NULL, self->profile, value);
      wp_json_writer_end (self->json);
      return;
    }
  g_string_append_printf (self->out, "%u\t", number);
  wp_value_write (self->profile->values, value, -1, self->out);
}

static void
resource_row (Query *self, guint32 i)
{
  append_numbered (self, self->profile->resources.data[i].snapshot, self->profile->resources.data[i].value);
}

static void
all_resources (Query *self)
{
  append_rows (self, self->profile->resources.len, resource_row);
}

static void
write_items (WpJsonWriter *json, const WpProfile *profile, guint snapshot, const WpItemArray *items)
{
  wp_json_writer_array (json, NULL, WP_JSON_TIGHT);
  wp_json_writer_uint (json, NULL, snapshot);
  wp_json_writer_array (json, NULL, WP_JSON_TIGHT);
  for (guint32 k = 0; k < items->len; k++)
    {
      WpValue pair[] = { items->data[k].key, items->data[k].value };

      wp_cli_write_values (json, NULL, profile, &(WpIdArray) { .data = pair, .len = 2 });
    }
  wp_json_writer_end (json);
  wp_json_writer_end (json);
}

static void
append_items (GString *out, const WpProfile *profile, guint snapshot, const WpItemArray *items)
{
  g_string_append_printf (out, "%u\t", snapshot);
  for (guint32 k = 0; k < items->len; k++)
    {
      g_string_append (out, k == 0 ? "" : "\t");
      wp_value_str (profile->values, items->data[k].key, out);
      g_string_append_c (out, '=');
      wp_value_str (profile->values, items->data[k].value, out);
    }
}

static void
items_row (Query *self, guint32 i)
{
  WpResource resource = self->profile->resources.data[i];
  WpItemArray items = { 0 };

  wp_flatten (self->flattener, resource.value, &items);
  if (self->json != NULL)
    write_items (self->json, self->profile, resource.snapshot, &items);
  else
    append_items (self->out, self->profile, resource.snapshot, &items);
  wp_array_clear (&items);
}

static void
all_items (Query *self)
{
  append_rows (self, self->profile->resources.len, items_row);
}

static void
key_values_row (Query *self, guint32 i)
{
  WpIdArray found = { 0 };
  WpKeyPath key;

  wp_key_path_init (&key, self->profile, self->key);
  wp_query_key_values (self->profile->values, self->profile->resources.data[i].value, &key, &found);
  if (self->json != NULL)
    wp_cli_write_values (self->json, NULL, self->profile, &found);
  for (guint32 k = 0; self->json == NULL && k < found.len; k++)
    {
      g_string_append (self->out, k > 0 ? "\t" : "");
      wp_value_str (self->profile->values, found.data[k], self->out);
    }
  wp_key_path_clear (&key);
  wp_array_clear (&found);
}

static void
all_key_values (Query *self)
{
  append_rows (self, self->profile->resources.len, key_values_row);
}

static void
model_row (Query *self, guint32 i)
{
  append_numbered (self, i, self->profile->models.data[i]);
}

static void
all_models (Query *self)
{
  append_rows (self, self->profile->models.len, model_row);
}

static void
fields (Query *self)
{
  WpIdArray found = { 0 };

  wp_query_fields (self->profile, FALSE, &found);
  list (self, &found);
  wp_array_clear (&found);
}

static void
numerical_fields (Query *self)
{
  WpIdArray found = { 0 };

  wp_query_fields (self->profile, TRUE, &found);
  list (self, &found);
  wp_array_clear (&found);
}

static void
unique_resource_values (Query *self)
{
  WpIdArray found = { 0 };

  wp_query_unique_resource_values (self->profile, self->key, &found);
  list (self, &found);
  wp_array_clear (&found);
}

static void
unique_model_values (Query *self)
{
  WpIdArray found = { 0 };

  wp_query_unique_model_values (self->profile, self->key, &found);
  list (self, &found);
  wp_array_clear (&found);
}

static const struct
{
  const char *name;
  gboolean key;
  void (*run) (Query *self);
} functions[] = {
  { "all_resources_of", FALSE, all_resources },
  { "all_items_of", FALSE, all_items },
  { "all_resource_fields_of", FALSE, fields },
  { "all_numerical_resource_fields_of", FALSE, numerical_fields },
  { "unique_resource_values_of", TRUE, unique_resource_values },
  { "all_key_values_of", TRUE, all_key_values },
  { "all_models_of", FALSE, all_models },
  { "unique_model_values_of", TRUE, unique_model_values },
};

static int
find_function (const char *name)
{
  guint row = WP_FIND_ROW (functions, name, name);

  if (row < G_N_ELEMENTS (functions))
    return (int) row;
  wp_cli_usage ("there is no function “%s”", name);
  return -1;
}

typedef struct
{
  char *format;
} Options;

static int
run (gpointer data, int n, char **operands)
{
  const Options *options = data;
  g_autoptr (WpProfile) profile = NULL;
  g_autoptr (WpFlattener) flattener = NULL;
  g_autoptr (GString) out = g_string_new (NULL);
  g_autoptr (WpJsonWriter) json = g_strcmp0 (options->format, "json") == 0 ? wp_json_writer_new_text (out) : NULL;
  g_auto (WpCliNames) names = { 0 };
  Query query;
  int function = find_function (operands[1]), status;

  if (function < 0)
    return 2;
  if (functions[function].key != (n == 3))
    return wp_cli_usage (functions[function].key ? "%s needs a key" : "%s takes no key", operands[1]);
  profile = wp_cli_names_profile (&names, operands[0], &status);
  if (profile == NULL)
    return status;
  flattener = wp_flattener_new (profile->values);
  query = (Query) { .profile = profile, .flattener = flattener, .key = operands[2], .out = out, .json = json };
  functions[function].run (&query);
  wp_cli_flush (out);
  return 0;
}

static const WpOption rows[] = {
  WP_OPTION_TEXT_FORMAT (Options, format, "text|json"),
  WP_OPTION_END,
};

const WpCommand wp_cmd_query = {
  .name = "query",
  .group = WP_GROUP_PROFILES,
  .operands = "PROFILE all_resources_of|all_items_of|all_resource_fields_of|all_numerical_resource_fields_of|all_models_of | PROFILE unique_resource_values_of|all_key_values_of|unique_model_values_of KEY",
  .summary = "What a profile holds, by Perun's query functions",
  .options = rows,
  .size = sizeof (Options),
  .least = 2,
  .most = 3,
  .run = run,
};
