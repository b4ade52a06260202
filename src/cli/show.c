/* show: what a profile of the store, or a file, says of itself; its text. */
#include "base/find.h"
#include "cli/command.h"
#include "cli/output.h"
#include "cli/store.h"

/* The header, in Perun's words, and what more an index keeps. */
static int
show_raw (WpCliStore *store, const WpStoreEntry *entry)
{
  GError *error = NULL;
  g_autoptr (WpProfile) profile = wp_store_load (store->store, entry, NULL, &error);
  g_autoptr (GString) out = g_string_new (NULL);
  static const char *const keys[] = { "type", "cmd", "args", "workload" };

  if (profile == NULL)
    return wp_cli_fail (error);
  for (guint i = 0; i < G_N_ELEMENTS (keys); i++)
    wp_cli_append_fact (out, keys[i], wp_profile_header (profile, keys[i]));
  g_string_append_c (out, '\n');
  wp_cli_append_fact (out, "collector", wp_profile_collector_name (profile));
  for (guint32 i = 0; i < profile->postprocessors.len; i++)
    wp_cli_append_fact (out, "postprocessor", wp_value_string (profile->values, wp_value_get (profile->values, profile->postprocessors.data[i], "name")));
  wp_cli_append_fact (out, "unit", wp_profile_unit (profile));
  g_string_append_printf (out, "resources: %u\nsnapshots: %u\nmodels: %u\n", profile->resources.len, profile->snapshots.len,
                          profile->models.len);
  if (profile->origin != NULL)
    wp_cli_append_fact (out, "origin", profile->origin);
  wp_cli_flush (out);
  return 0;
}

static int
show_json (WpCliStore *store, const WpStoreEntry *entry)
{
  GError *error = NULL;
  g_autoptr (GBytes) bytes = wp_store_read (store->store, entry, &error);
  g_autoptr (GString) out = NULL;
  gsize n;
  const char *text;

  if (bytes == NULL)
    return wp_cli_fail (error);
  text = g_bytes_get_data (bytes, &n);
  out = g_string_new_len (text, (gssize) n);
  wp_cli_flush (out);
  return 0;
}

static int
show_file (WpCliStore *store, const WpStoreEntry *entry)
{
  g_autofree char *path = wp_store_entry_file (store->store, entry);

  g_print ("%s\n", path);
  return 0;
}

static const struct
{
  const char *name;
  int (*show) (WpCliStore *store, const WpStoreEntry *entry);
} views[] = { { "raw", show_raw }, { "json", show_json }, { "file", show_file } };

typedef struct
{
  char *minor;
} Options;

static int
run (gpointer data, int n, char **operands)
{
  const Options *options = data;
  g_auto (WpCliStore) store = { 0 };
  g_autoptr (GPtrArray) found = NULL;
  guint view = n == 2 ? WP_FIND_ROW (views, name, operands[1]) : 0;
  int status;

  if (view == G_N_ELEMENTS (views))
    return wp_cli_usage ("there is no view “%s”, only raw, json and file", operands[1]);
  status = wp_cli_store_open (&store, options->minor, FALSE);
  if (status != 0)
    return status;
  found = wp_cli_store_find (&store, operands[0], &status);
  for (guint i = 0; found != NULL && i < found->len && status == 0; i++)
    status = views[view].show (&store, found->pdata[i]);
  wp_cli_store_notice (&store);
  return status;
}

static const WpOption rows[] = {
  WP_OPTION_MINOR (Options, minor),
  WP_OPTION_END,
};

const WpCommand wp_cmd_show = {
  .name = "show",
  .group = WP_GROUP_STORE,
  .operands = "PROFILE [raw|json|file]",
  .summary = "What a profile says of itself, its text, its file",
  .description = "*raw*, the first, is its header and what it holds; *json* the profile as it was stored; *file* the path of the file in the store.",
  .options = rows,
  .size = sizeof (Options),
  .least = 1,
  .most = 2,
  .run = run,
};
