/* What the commands on a store share. */
#include "cli/store.h"

#include "base/hash.h"
#include "base/quote.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

/* Consumes the error; 2 for a tag that is out of range, else 1. */
static int
fail (GError *error)
{
  gboolean tag = g_error_matches (error, WP_STORE_ERROR, WP_STORE_ERROR_TAG);

  wp_cli_fail (error);
  return tag ? 2 : 1;
}

void
wp_cli_store_notice (WpCliStore *self)
{
  const char *notice = wp_store_notice (self->store);
  g_auto (GStrv) lines = g_strsplit (notice != NULL ? notice : "", "\n", -1);

  if (self->told == NULL)
    self->told = g_hash_table_new_full (wp_hash_string, g_str_equal, g_free, NULL);
  for (char **line = lines; *line != NULL; line++)
    if (g_hash_table_add (self->told, g_strdup (*line)))
      g_printerr ("wakepath-cli: %s\n", *line);
}

static void
tell_waiting (WpStore *store, const char *holder, gpointer data G_GNUC_UNUSED)
{
  g_printerr ("wakepath-cli: %s: waiting for %s, which has locked the store\n", wp_store_folder (store), holder);
}

int
wp_cli_store_open (WpCliStore *self, const char *name, gboolean needed)
{
  GError *error = NULL;
  WpVcs *vcs;

  self->store = wp_store_open (".", &error);
  if (self->store == NULL)
    return wp_cli_fail (error);
  wp_store_on_waiting (self->store, tell_waiting, NULL);
  vcs = wp_store_vcs (self->store);
  if (vcs == NULL)
    {
      wp_cli_store_notice (self);
      return needed || name != NULL ? 1 : 0;
    }
  if (name != NULL ? wp_vcs_resolve (vcs, name, self->minor, &error) : wp_vcs_head (vcs, self->minor, &error))
    return 0;
  if (name == NULL && !needed && g_error_matches (error, WP_VCS_ERROR, WP_VCS_ERROR_UNBORN))
    {
      g_error_free (error);
      return 0;
    }
  wp_cli_fail (error);
  return name != NULL ? 2 : 1;
}

void
wp_cli_store_clear (WpCliStore *self)
{
  g_clear_pointer (&self->store, wp_store_free);
  g_clear_pointer (&self->told, g_hash_table_unref);
}

WpCliAnswer
wp_cli_ask (const char *format, ...)
{
  g_autofree char *question = NULL, *line = NULL;
  char answer[64];
  va_list args;

  va_start (args, format);
  question = g_strdup_vprintf (format, args);
  va_end (args);
  line = wp_quoted_line (question);
  g_print ("%s [y/N]: ", line);
  fflush (stdout);
  if (fgets (answer, sizeof answer, stdin) == NULL)
    {
      g_print ("\n");
      g_printerr ("wakepath-cli: nobody answers, since standard input has ended\n");
      return WP_CLI_NO_ANSWER;
    }
  g_strstrip (answer);
  return g_ascii_strcasecmp (answer, "y") == 0 || g_ascii_strcasecmp (answer, "yes") == 0 ? WP_CLI_YES : WP_CLI_NO;
}

/* Those among guesses that the user means: the first one that is said yes to. */
static GPtrArray *
ask_about (GPtrArray *found, const char *spec)
{
  for (guint i = 0; i < found->len; i++)
    if (!wp_store_is_guess (found->pdata[i], spec)
        || wp_cli_ask ("Do you mean “%s”?", ((WpStoreEntry *) found->pdata[i])->path) == WP_CLI_YES)
      {
        WpStoreEntry *meant = found->pdata[i];

        if (wp_store_is_guess (meant, spec))
          {
            g_ptr_array_remove_range (found, i + 1, found->len - i - 1);
            g_ptr_array_remove_range (found, 0, i);
          }
        return found;
      }
  if (found->len == 0)
    return found;
  g_ptr_array_unref (found);
  return NULL;
}

/* What has no file's name, or is none: never like anything. */
static gboolean
is_no_file (const char *spec)
{
  return g_str_equal (spec, "-") || (g_file_test (spec, G_FILE_TEST_EXISTS) && !g_file_test (spec, G_FILE_TEST_IS_REGULAR));
}

static GPtrArray *
look_below (const char *spec)
{
  GPtrArray *found = *spec != '\0' ? wp_store_find_files (".", spec) : NULL;

  if (found != NULL && found->len == 0)
    g_clear_pointer (&found, g_ptr_array_unref);
  return found;
}

static GPtrArray *
find_in (WpCliStore *self, const char *minor, const char *spec, int *status)
{
  GError *error = NULL;
  GPtrArray *found = NULL;

  if (is_no_file (spec))
    error = g_error_new (WP_STORE_ERROR, WP_STORE_ERROR_NOT_FOUND, "%s: not a file; store the profile in one first", spec);
  else
    found = wp_store_lookup (self->store, minor, spec, &error);
  if (!is_no_file (spec) && g_error_matches (error, WP_STORE_ERROR, WP_STORE_ERROR_NOT_FOUND))
    found = look_below (spec);
  if (found == NULL)
    {
      *status = fail (error);
      return NULL;
    }
  g_clear_error (&error);
  found = ask_about (found, spec);
  *status = found != NULL ? 0 : 1;
  if (found == NULL)
    g_printerr ("wakepath-cli: %s: no profile was chosen\n", spec);
  return found;
}

GPtrArray *
wp_cli_store_find (WpCliStore *self, const char *spec, int *status)
{
  return find_in (self, *self->minor != '\0' ? self->minor : NULL, spec, status);
}

GPtrArray *
wp_cli_store_find_new (WpCliStore *self, const char *spec, int *status)
{
  return find_in (self, NULL, spec, status);
}

static gboolean
is_just (const char *command, const char *wanted)
{
  const char *colon = strstr (command, ": ");

  return g_str_equal (command, wanted) || (colon != NULL && g_str_equal (colon + 2, wanted));
}

void
wp_cli_keep_commands (GPtrArray *commands, const char *wanted)
{
  gboolean just = FALSE;

  if (wanted == NULL)
    return;
  for (guint i = 0; i < commands->len; i++)
    just = just || is_just (commands->pdata[i], wanted);
  for (guint i = commands->len; i-- > 0;)
    if (just ? !is_just (commands->pdata[i], wanted) : strstr (commands->pdata[i], wanted) == NULL)
      g_ptr_array_remove_index (commands, i);
}

char *
wp_cli_date (gint64 time)
{
  time_t seconds = (time_t) time;
  char text[64];
  struct tm date;

  /* GLib's dates look at /etc/localtime each time, and a log has many. */
  if (localtime_r (&seconds, &date) == NULL || strftime (text, sizeof text, "%Y-%m-%d %H:%M:%S", &date) == 0)
    return g_strdup ("?");
  return g_strdup (text);
}

const char *
wp_cli_count_type (const GPtrArray *entries, guint at, guint *n)
{
  static const char *const types[] = { "memory", "mixed", "time", NULL };

  *n = 0;
  for (guint i = 0; types[at] != NULL && i < entries->len; i++)
    *n += g_str_equal (((const WpStoreEntry *) entries->pdata[i])->type, types[at]);
  return types[at];
}

void
wp_cli_count_profiles (GString *out, const GPtrArray *entries, const char *kind)
{
  const char *separator = " (", *type;
  guint n;

  if (entries->len == 0)
    {
      g_string_append_printf (out, "(no %s profiles)\n", kind);
      return;
    }
  g_string_append_printf (out, "%u %s profile%s", entries->len, kind, entries->len == 1 ? "" : "s");
  for (guint t = 0; (type = wp_cli_count_type (entries, t, &n)) != NULL; t++)
    if (n > 0)
      {
        g_string_append_printf (out, "%s%u %s", separator, n, type);
        separator = ", ";
      }
  g_string_append (out, *separator == ',' ? ")\n" : "\n");
}
