#include "app/shell/settings.h"

#include "config.h"

/* Lets tests and a build tree use data that is not installed. */
#define DATA_VARIABLE "WAKEPATH_DATADIR"

static GSettingsSchema *
find_schema (void)
{
  GSettingsSchemaSource *source = g_settings_schema_source_get_default ();
  const char *folder = g_getenv (DATA_VARIABLE);
  g_autoptr (GSettingsSchemaSource) own = NULL;

  if (folder != NULL)
    own = g_settings_schema_source_new_from_directory (folder, source, FALSE, NULL);
  if (own != NULL)
    source = own;
  return source != NULL ? g_settings_schema_source_lookup (source, WP_APP_ID, TRUE) : NULL;
}

GSettings *
wp_settings (void)
{
  static GSettings *settings;
  static gboolean looked;

  if (!looked)
    {
      g_autoptr (GSettingsSchema) schema = find_schema ();

      looked = TRUE;
      if (schema != NULL)
        settings = g_settings_new_full (schema, NULL, NULL);
    }
  return settings;
}

gboolean
wp_settings_boolean (const char *key, gboolean otherwise)
{
  return wp_settings () != NULL ? g_settings_get_boolean (wp_settings (), key) : otherwise;
}

int
wp_settings_int (const char *key, int otherwise)
{
  return wp_settings () != NULL ? g_settings_get_int (wp_settings (), key) : otherwise;
}

double
wp_settings_double (const char *key, double otherwise)
{
  return wp_settings () != NULL ? g_settings_get_double (wp_settings (), key) : otherwise;
}

char *
wp_settings_string (const char *key)
{
  return wp_settings () != NULL ? g_settings_get_string (wp_settings (), key) : g_strdup ("");
}

char **
wp_settings_strings (const char *key)
{
  return wp_settings () != NULL ? g_settings_get_strv (wp_settings (), key) : g_new0 (char *, 1);
}

void
wp_settings_set_boolean (const char *key, gboolean value)
{
  if (wp_settings () != NULL)
    g_settings_set_boolean (wp_settings (), key, value);
}

void
wp_settings_set_int (const char *key, int value)
{
  if (wp_settings () != NULL)
    g_settings_set_int (wp_settings (), key, value);
}

void
wp_settings_set_double (const char *key, double value)
{
  if (wp_settings () != NULL)
    g_settings_set_double (wp_settings (), key, value);
}

void
wp_settings_set_string (const char *key, const char *value)
{
  if (wp_settings () != NULL)
    g_settings_set_string (wp_settings (), key, value);
}

/* A list with `first` in front, or NULL, and without `gone`. */
static void
change_strings (const char *key, const char *first, const char *gone)
{
  g_auto (GStrv) before = wp_settings_strings (key);
  g_autoptr (GStrvBuilder) list = g_strv_builder_new ();
  g_auto (GStrv) after = NULL;

  if (first != NULL)
    g_strv_builder_add (list, first);
  for (char **old = before; *old != NULL; old++)
    if (!g_str_equal (*old, gone))
      g_strv_builder_add (list, *old);
  after = g_strv_builder_end (list);
  if (wp_settings () != NULL)
    g_settings_set_strv (wp_settings (), key, (const char *const *) after);
}

void
wp_settings_add_string (const char *key, const char *value)
{
  change_strings (key, value, value);
}

void
wp_settings_remove_string (const char *key, const char *value)
{
  change_strings (key, NULL, value);
}

char *
wp_data_file (const char *name)
{
  const char *folder = g_getenv (DATA_VARIABLE);
  g_autofree char *path = g_build_filename (folder != NULL ? folder : WP_PKGDATADIR, name, NULL);

  return g_file_test (path, G_FILE_TEST_IS_REGULAR) ? g_steal_pointer (&path) : NULL;
}
