/* Adding and removing. Everything is done under the store's lock; each file is replaced as a whole; an index speaks only of
 * objects that are on the disk already; a file that was added goes only after that. */
#include "store/incoming.h"
#include "store/objects.h"
#include "store/store-private.h"

#include "base/save-file.h"

#include <errno.h>
#include <math.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define NAME_MOST 200        /* bytes of a pending file's name without its end */
#define DEFAULT_TEMPLATE "%collector%-%cmd%-%args%-%workload%-%date%"

/* --- registering -------------------------------------------------------------------------------------------------------- */

static gboolean
check_profile (const WpProfile *profile, GError **error)
{
  static const char *const types[] = { "memory", "mixed", "time", NULL };

  if (g_strv_contains (types, wp_profile_header (profile, "type")))
    return TRUE;
  g_set_error (error, WP_STORE_ERROR, WP_STORE_ERROR_PROFILE,
               "%s: header.type: “%s”: only profiles of type memory, mixed or time can be kept", profile->path,
               wp_profile_header (profile, "type"));
  return FALSE;
}

static gboolean
check_origin (const WpProfile *profile, const char *minor, GError **error)
{
  if (g_strcmp0 (profile->origin, minor) == 0)
    return TRUE;
  if (profile->origin == NULL)
    g_set_error (error, WP_STORE_ERROR, WP_STORE_ERROR_ORIGIN, "%s: the profile does not say which commit it belongs to; --force adds it "
                 "to %s all the same", profile->path, minor);
  else
    g_set_error (error, WP_STORE_ERROR, WP_STORE_ERROR_ORIGIN, "%s: the profile belongs to commit %s; --force adds it to %s all the same",
                 profile->path, profile->origin, minor);
  return FALSE;
}

static void
set_text (char **text, const char *value)
{
  g_free (*text);
  *text = g_strdup (value);
}

static WpStoreEntry *
make_entry (const WpProfile *profile, const char *name, const struct stat *st)
{
  WpStoreEntry *entry = wp_store_entry_new ();
  g_autoptr (GStrvBuilder) names = g_strv_builder_new ();

  for (guint32 i = 0; i < profile->postprocessors.len; i++)
    g_strv_builder_add (names, wp_value_string (profile->values,
                                                wp_value_get (profile->values, profile->postprocessors.data[i], "name")));
  g_strfreev (entry->postprocessors);
  entry->postprocessors = g_strv_builder_end (names);
  entry->time = llrint ((double) st->st_mtim.tv_sec + 1e-9 * (double) st->st_mtim.tv_nsec); /* as Python: ties to even */
  entry->time = CLAMP (entry->time, 0, (gint64) G_MAXUINT32);
  set_text (&entry->path, name);
  set_text (&entry->type, wp_profile_header (profile, "type"));
  set_text (&entry->cmd, wp_profile_header (profile, "cmd"));
  set_text (&entry->args, wp_profile_header (profile, "args"));
  set_text (&entry->workload, wp_profile_header (profile, "workload"));
  set_text (&entry->label, wp_profile_header (profile, "label"));
  set_text (&entry->collector, wp_profile_collector_name (profile));
  return entry;
}

static const WpStoreEntry *
find_same (const GPtrArray *entries, const WpStoreEntry *entry)
{
  for (guint i = 0; i < entries->len; i++)
    {
      const WpStoreEntry *other = entries->pdata[i];

      if (other->time == entry->time && g_str_equal (other->path, entry->path))
        return other;
    }
  return NULL;
}

static gboolean
sync_index (const WpStore *self, const char *minor, GError **error)
{
  g_autofree char *path = wp_store_index_path (self, minor);

  return wp_object_sync (path, error);
}

/* Under the lock. Takes over `entry`; gives the object's name. The index is read before anything is written: where it is damaged nothing is changed. */
static gboolean
register_entry (WpStore *self, const char *minor, WpProfile *profile, WpStoreEntry *entry, char sha1[41], GError **error)
{
  WpIndexLayout layout;
  g_autoptr (GPtrArray) entries = wp_store_index_to_change (self, minor, &layout, error);
  const WpStoreEntry *same;
  gboolean done = entries != NULL && wp_object_write (self->objects, profile, entry->sha1, error);

  g_strlcpy (sha1, entry->sha1, 41);
  same = done ? find_same (entries, entry) : NULL;
  if (done && same != NULL && g_str_equal (same->sha1, entry->sha1))
    done = sync_index (self, minor, error);
  if (done && same == NULL && wp_index_insert (entries, entry))
    return wp_store_write_index (self, minor, entries, layout, error);
  if (same != NULL && !g_str_equal (same->sha1, entry->sha1))
    {
      g_set_error (error, WP_STORE_ERROR, WP_STORE_ERROR_EXISTS,
                   "%s: another profile of this name and time is registered with %s; give the file another name", profile->path, minor);
      done = FALSE;
    }
  wp_store_entry_free (entry);
  return done;
}

static gboolean
check_file (const char *path, struct stat *st, GError **error)
{
  if (stat (path, st) != 0)
    g_set_error (error, WP_STORE_ERROR, WP_STORE_ERROR_NOT_FOUND, "%s: %s", path, g_strerror (errno));
  else if (!S_ISREG (st->st_mode))
    g_set_error (error, WP_STORE_ERROR, WP_STORE_ERROR_PROFILE, "%s: not a file", path);
  else if (!g_utf8_validate (path, -1, NULL))
    g_set_error (error, WP_STORE_ERROR, WP_STORE_ERROR_PROFILE, "%s: the name is not UTF-8; rename the file", path);
  else
    return TRUE;
  return FALSE;
}

gboolean
wp_store_add (WpStore *self, const char *minor, const char *path, WpStoreAddFlags flags, char sha1[41], GError **error)
{
  g_autoptr (WpProfile) profile = NULL;
  g_autofree char *name = g_path_get_basename (path);
  WpMinorVersion info = { 0 };
  gboolean done, converted;
  struct stat st;
  int lock;

  if (!check_file (path, &st, error) || (self->vcs != NULL && !wp_vcs_info (self->vcs, minor, &info, error)))
    return FALSE;
  wp_minor_version_clear (&info);
  profile = wp_store_incoming (path, &converted, NULL, error);
  if (converted)
    flags |= WP_STORE_ADD_FORCE | WP_STORE_ADD_KEEP; /* it cannot say which commit it is of, and holds more than what is kept of it */
  if (profile == NULL || !check_profile (profile, error)
      || (!(flags & WP_STORE_ADD_FORCE) && !check_origin (profile, minor, error)) || (lock = wp_store_lock (self, error)) < 0)
    return FALSE;
  done = register_entry (self, minor, profile, make_entry (profile, name, &st), sha1, error);
  if (done && !(flags & WP_STORE_ADD_KEEP) && unlink (path) != 0)
    wp_store_note (self, path, g_strdup_printf ("%s: registered, but the file cannot be removed: %s", path, g_strerror (errno)));
  close (lock);
  return done;
}

/* --- removing ----------------------------------------------------------------------------------------------------------- */

static gboolean
remove_from (GPtrArray *entries, const WpStoreEntry *entry)
{
  for (guint i = 0; i < entries->len; i++)
    {
      const WpStoreEntry *other = entries->pdata[i];

      if (other->time == entry->time && g_str_equal (other->path, entry->path) && g_str_equal (other->sha1, entry->sha1))
        {
          g_ptr_array_remove_index (entries, i);
          return TRUE;
        }
    }
  return FALSE;
}

gboolean
wp_store_remove (WpStore *self, const char *minor, const WpStoreEntry *entry, GError **error)
{
  WpIndexLayout layout;
  g_autoptr (GPtrArray) entries = NULL;
  int lock = wp_store_lock (self, error);
  gboolean done;

  if (lock < 0)
    return FALSE;
  entries = wp_store_index_to_change (self, minor, &layout, error);
  done = entries != NULL && remove_from (entries, entry);
  if (entries != NULL && !done)
    g_set_error (error, WP_STORE_ERROR, WP_STORE_ERROR_NOT_FOUND, "%s: no longer registered with commit %s", entry->path, minor);
  done = done && wp_store_write_index (self, minor, entries, layout, error);
  close (lock);
  return done;
}

gboolean
wp_store_remove_pending (WpStore *self, const WpStoreEntry *entry, GError **error)
{
  g_autofree char *path = g_build_filename (self->jobs, entry->path, NULL);
  int lock;
  gboolean done;

  if (strchr (entry->path, '/') != NULL || *entry->sha1 != '\0')
    {
      g_set_error (error, WP_STORE_ERROR, WP_STORE_ERROR_NOT_FOUND, "%s: not a pending profile", entry->path);
      return FALSE;
    }
  lock = wp_store_lock (self, error);
  if (lock < 0)
    return FALSE;
  done = unlink (path) == 0;
  if (!done)
    g_set_error (error, G_IO_ERROR, g_io_error_from_errno (errno), "%s: %s", path, g_strerror (errno));
  done = done && wp_save_sync_folder (path, error);
  close (lock);
  return done;
}

/* --- pending ------------------------------------------------------------------------------------------------------------ */

/* Whether the commit has a profile of this name from just now, so that one more could not be told from it. */
static gboolean
is_fresh (const GPtrArray *entries, const char *name)
{
  for (guint i = 0; entries != NULL && i < entries->len; i++)
    {
      const WpStoreEntry *entry = entries->pdata[i];

      if (g_str_equal (entry->path, name) && entry->time >= time (NULL) - 1)
        return TRUE;
    }
  return FALSE;
}

/* A path in jobs, of nothing that is there: "name.perf", "name(1).perf". */
static char *
free_name (WpStore *self, const char *name, const char *minor)
{
  g_autoptr (GPtrArray) entries = wp_store_registered (self, minor, NULL);
  g_autofree char *stem = g_strndup (name, MIN (strlen (name) - strlen (".perf"), NAME_MOST));
  g_autofree char *valid = g_utf8_make_valid (stem, -1);

  g_strdelimit (valid, "/", '_');
  if (*valid == '.')
    *valid = '_';
  for (guint i = 0;; i++)
    {
      g_autofree char *file = i == 0 ? g_strdup_printf ("%s.perf", valid) : g_strdup_printf ("%s(%u).perf", valid, i);
      g_autofree char *path = g_build_filename (self->jobs, file, NULL);

      if (access (path, F_OK) != 0 && !is_fresh (entries, file))
        return g_steal_pointer (&path);
    }
}

/* As Perun has its own: indented, the origin last. */
static gboolean
write_pending (WpProfile *profile, const char *minor, const char *path, GError **error)
{
  g_autoptr (GString) text = g_string_new (NULL);
  WpValue root = wp_profile_document (profile);

  root = wp_values_set (profile->values, root, "origin", wp_values_string (profile->values, minor));
  wp_value_write (profile->values, root, 2, text);
  return wp_save_text (path, text->str, text->len, error);
}

char *
wp_store_add_pending (WpStore *self, const char *path, const char *minor, WpProgress *progress, GError **error)
{
  gboolean converted;
  g_autoptr (WpProfile) profile = wp_store_incoming (path, &converted, progress, error);
  const char *format = wp_store_setting (self, "format.output_profile_template");
  g_autofree char *name = NULL, *made = NULL;
  gboolean done;
  int lock;

  if (profile == NULL || !check_profile (profile, error))
    return NULL;
  g_free (profile->origin);
  profile->origin = g_strdup (minor);
  name = wp_store_name (profile, format != NULL ? format : DEFAULT_TEMPLATE, error);
  if (name == NULL || (lock = wp_store_lock (self, error)) < 0)
    return NULL;
  done = wp_save_folder (self->jobs, error); /* a store may be without it */
  made = free_name (self, name, minor);
  done = done && write_pending (profile, minor, made, error);
  close (lock);
  return done ? g_steal_pointer (&made) : NULL;
}

char *
wp_store_keep (WpStore *self, const char *path, const char *minor, char sha1[41], WpProgress *progress, GError **error)
{
  g_autofree char *pending = wp_store_add_pending (self, path, minor, progress, error);

  *sha1 = '\0';
  if (pending == NULL
      || (wp_store_setting_is_true (self, "profiles.register_after_run") && !wp_store_add (self, minor, pending, 0, sha1, error)))
    return NULL;
  return g_steal_pointer (&pending);
}
