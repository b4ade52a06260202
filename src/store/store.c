/* Opening a store and making one. */
#include "store/store-private.h"

#include "base/hash.h"
#include "base/json-writer.h"
#include "base/quote.h"
#include "base/save-file.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char *const sub_folders[] = { "objects", "jobs", "logs", "cache", "stats", "tmp" };

/* local.yml as it is made: %s is the type, then the url. The keys are Perun's. */
static const char local_template[]
  = "vcs:\n  type: %s\n  url: %s\n\n"
    "## Programs that are to be profiled, once “wakepath-cli trust” was told that they may run:\n# cmds:\n#   - echo\n\n"
    "## Their arguments; each program is run with each line:\n# args:\n#   - -e\n\n"
    "## What they work on; each is run with each of these:\n# workloads:\n#   - hello\n#   - world\n\n"
    "## How to measure:\n# collectors:\n#   - name: wakepath\n#     params:\n#       rate: 997\n\n"
    "## What is done to a profile afterwards, in this order:\n"
    "# postprocessors:\n#   - name: regression_analysis\n#     params:\n#       method: full\n#   - name: normalizer\n\n"
    "## Register new profiles with their commit at once:\n# profiles:\n#   register_after_run: true\n\n"
    "## Checking for degradations. Collect first, and keep what is printed in .perun/logs:\n"
    "# degradation:\n#   collect_before_check: true\n#   log_collect: true\n"
    "## Apply the first or all of the checks that fit a profile:\n#   apply: first\n"
    "#   strategies:\n#     - method: average_amount_threshold\n\n"
    "## Commands to run before profiling:\n# execute:\n#   pre_run:\n#     - make\n";

/* --- notices and settings ---------------------------------------------------------------------------------------------- */

void
wp_store_note (WpStore *self, const char *about, char *text)
{
  g_autofree char *owned = text;

  wp_store_note_lines (self, about, text != NULL ? wp_quoted_line (text) : NULL);
}

void
wp_store_note_lines (WpStore *self, const char *about, char *text)
{
  if (text != NULL)
    g_hash_table_insert (self->notices, g_strdup (about), text);
  else
    g_hash_table_remove (self->notices, about);
}

const char *
wp_store_notice (const WpStore *self)
{
  g_autoptr (GList) about = g_list_sort (g_hash_table_get_keys (self->notices), (GCompareFunc) strcmp);
  GString *all = g_string_new (NULL);

  for (const GList *l = about; l != NULL; l = l->next)
    g_string_append_printf (all, "%s%s", all->len > 0 ? "\n" : "", (const char *) g_hash_table_lookup (self->notices, l->data));
  g_free (self->notice);
  ((WpStore *) self)->notice = g_string_free (all, all->len == 0);
  return self->notice;
}

const char *
wp_store_setting (const WpStore *self, const char *path)
{
  const char *local = self->local != NULL ? wp_yaml_get (self->local, path) : NULL;

  return local != NULL || self->shared == NULL ? local : wp_yaml_get (self->shared, path);
}

gboolean
wp_store_setting_is_true (const WpStore *self, const char *path)
{
  static const char *const words[] = { "y", "yes", "t", "true", "on", "1" };
  const char *text = wp_store_setting (self, path);

  for (guint i = 0; text != NULL && i < G_N_ELEMENTS (words); i++)
    if (g_ascii_strcasecmp (text, words[i]) == 0)
      return TRUE;
  return FALSE;
}

char **
wp_store_setting_list (const WpStore *self, const char *path)
{
  char **list = self->local != NULL ? wp_yaml_list (self->local, path) : NULL;

  if (list == NULL && self->shared != NULL)
    list = wp_yaml_list (self->shared, path);
  return list != NULL ? list : g_new0 (char *, 1);
}

char **
wp_store_setting_keys (const WpStore *self, const char *path)
{
  g_auto (GStrv) local = self->local != NULL ? wp_yaml_keys (self->local, path) : NULL;

  if ((local == NULL || local[0] == NULL) && self->shared != NULL)
    return wp_yaml_keys (self->shared, path);
  return local != NULL ? g_steal_pointer (&local) : g_new0 (char *, 1);
}

static WpYaml *
load_settings (WpStore *self, const char *path)
{
  g_autoptr (GError) error = NULL;
  WpYaml *settings = wp_yaml_load (path, &error);

  if (settings == NULL)
    wp_store_note (self, path, g_strdup_printf ("%s; settings are as if it were not there", error->message));
  return settings;
}

/* --- opening ------------------------------------------------------------------------------------------------------------ */

gboolean
wp_store_is_hash (const char *text)
{
  return strlen (text) == 40 && strspn (text, "0123456789abcdef") == 40;
}

/* The folder that holds `.perun`, from `folder` upward. */
static char *
find_holder (const char *folder)
{
  char *at = g_canonicalize_filename (folder, NULL);

  for (;;)
    {
      g_autofree char *store = g_build_filename (at, WP_STORE_FOLDER, NULL);
      char *parent;

      if (g_file_test (store, G_FILE_TEST_IS_DIR))
        return at;
      parent = g_path_get_dirname (at);
      if (g_str_equal (parent, at))
        {
          g_free (parent);
          g_free (at);
          return NULL;
        }
      g_free (at);
      at = parent;
    }
}

static WpStore *
open_at (const char *holder)
{
  WpStore *self = g_new0 (WpStore, 1);
  g_autofree char *local = g_build_filename (holder, WP_STORE_FOLDER, "local.yml", NULL), *shared = wp_yaml_shared_path ();

  self->folder = g_build_filename (holder, WP_STORE_FOLDER, NULL);
  self->objects = g_build_filename (self->folder, "objects", NULL);
  self->jobs = g_build_filename (self->folder, "jobs", NULL);
  self->notices = g_hash_table_new_full (wp_hash_string, g_str_equal, g_free, g_free);
  self->local = load_settings (self, local);
  self->shared = load_settings (self, shared);
  wp_store_open_vcs (self, holder);
  return self;
}

WpStore *
wp_store_open (const char *folder, GError **error)
{
  g_autofree char *holder = find_holder (folder);

  if (holder != NULL)
    return open_at (holder);
  g_set_error (error, WP_STORE_ERROR, WP_STORE_ERROR_NONE_HERE,
               "%s: there is no store of profiles here nor above; “wakepath-cli init” makes one", folder);
  return NULL;
}

void
wp_store_free (WpStore *self)
{
  if (self == NULL)
    return;
  wp_store_watch_free (self->watch);
  wp_store_minors_free (self->minors);
  wp_store_kept_free (self->kept);
  wp_vcs_free (self->vcs);
  wp_yaml_free (self->local);
  wp_yaml_free (self->shared);
  g_hash_table_unref (self->notices);
  g_clear_pointer (&self->heads, g_hash_table_unref);
  g_free (self->notice);
  g_free (self->foreign);
  g_free (self->folder);
  g_free (self->objects);
  g_free (self->jobs);
  g_free (self);
}

void
wp_store_use_kept (WpStore *self)
{
  if (self->kept == NULL)
    self->kept = wp_store_kept_new (self->folder, self->objects);
}

const char *
wp_store_folder (const WpStore *self)
{
  return self->folder;
}

WpVcs *
wp_store_vcs (const WpStore *self)
{
  return self->vcs;
}

char *
wp_store_log (const WpStore *self, const char *minor)
{
  g_autofree char *name = g_strdup_printf ("%s-precollect.log", minor);
  g_autofree char *path = wp_store_is_hash (minor) ? g_build_filename (self->folder, "logs", name, NULL) : NULL;

  return path != NULL && g_file_test (path, G_FILE_TEST_IS_REGULAR) ? g_steal_pointer (&path) : NULL;
}

/* --- making ------------------------------------------------------------------------------------------------------------- */

static gboolean
fail_errno (const char *path, GError **error)
{
  int code = errno;

  g_set_error (error, G_IO_ERROR, g_io_error_from_errno (code), "%s: %s", path, g_strerror (code));
  return FALSE;
}

static gboolean
write_local (const char *path, const char *type, const char *url, GError **error)
{
  static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/._-";
  g_autoptr (GString) quoted = g_string_new (NULL);
  g_autoptr (WpJsonWriter) json = wp_json_writer_new_text (quoted);
  g_autofree char *text = NULL;

  if (strspn (url, plain) == strlen (url))
    g_string_append (quoted, url);
  else
    wp_json_writer_string (json, NULL, url); /* which is YAML too */
  text = g_strdup_printf (local_template, type, quoted->str);
  return wp_save_text (path, text, strlen (text), error);
}

/* local.yml comes last: where it is, the store is whole. */
static gboolean
make_store (const char *holder, const char *type, GError **error)
{
  g_autofree char *folder = g_build_filename (holder, WP_STORE_FOLDER, NULL), *local = g_build_filename (folder, "local.yml", NULL);

  if (access (local, F_OK) == 0)
    {
      g_set_error (error, WP_STORE_ERROR, WP_STORE_ERROR_EXISTS, "%s: there is a store already; nothing was changed", folder);
      return FALSE;
    }
  if (!wp_save_folder (folder, error))
    return FALSE;
  for (guint i = 0; i < G_N_ELEMENTS (sub_folders); i++)
    {
      g_autofree char *path = g_build_filename (folder, sub_folders[i], NULL);

      if (mkdir (path, 0777) != 0 && errno != EEXIST)
        return fail_errno (path, error);
    }
  return write_local (local, type, holder, error);
}

/* The repository that `folder` belongs to, made there where there is none. */
static WpVcs *
find_or_make_vcs (const char *folder, const char *type, GError **error)
{
  g_autoptr (GError) problem = NULL;
  WpVcs *vcs = wp_vcs_open (folder, type, &problem);

  if (vcs != NULL)
    return vcs;
  if (!g_error_matches (problem, WP_VCS_ERROR, WP_VCS_ERROR_NONE_HERE))
    {
      g_propagate_error (error, g_steal_pointer (&problem));
      return NULL;
    }
  return wp_vcs_init (folder, type, error) ? wp_vcs_open (folder, type, error) : NULL;
}

WpStore *
wp_store_init (const char *folder, const char *vcs_type, GError **error)
{
  g_autofree char *path = g_canonicalize_filename (folder, NULL);
  g_autoptr (WpVcs) vcs = NULL;

  if (g_mkdir_with_parents (path, 0777) != 0)
    {
      fail_errno (path, error);
      return NULL;
    }
  vcs = find_or_make_vcs (path, vcs_type, error);
  if (vcs == NULL || !make_store (wp_vcs_folder (vcs), wp_vcs_type (vcs), error))
    return NULL;
  return open_at (wp_vcs_folder (vcs));
}
