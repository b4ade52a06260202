#include "workspace/store/store-session.h"

#include "base/remove-tree.h"

static void
fail (WpStoreSession *self, WpStoreState state, const GError *error)
{
  self->state = state;
  self->message = g_strdup (error->message);
}

static void
open_vcs (WpStoreSession *self)
{
  g_autoptr (GError) error = NULL;

  self->vcs = self->own_vcs = wp_vcs_open (self->folder, NULL, &error);
  if (self->vcs != NULL)
    self->state = WP_STORE_NO_STORE;
  else if (g_error_matches (error, WP_VCS_ERROR, WP_VCS_ERROR_NONE_HERE))
    fail (self, WP_STORE_NO_VCS, error);
  else
    fail (self, g_error_matches (error, WP_VCS_ERROR, WP_VCS_ERROR_REFUSED) ? WP_STORE_REFUSED : WP_STORE_UNREADABLE, error);
}

/* NULL: its repository is no question. */
static WpStoreCommands *
asked_of (WpStore *store)
{
  g_autoptr (WpStoreCommands) asked = wp_store_commands_new (store);

  return wp_store_vcs (store) == NULL && asked->repository != NULL && !wp_store_is_trusted (asked) ? g_steal_pointer (&asked) : NULL;
}

WpStoreSession *
wp_store_session_open (const char *folder)
{
  WpStoreSession *self = g_atomic_rc_box_new0 (WpStoreSession);
  g_autoptr (GError) error = NULL;

  g_mutex_init (&self->lock);
  if (folder == NULL)
    return self;
  self->folder = g_strdup (folder);
  self->store = wp_store_open (folder, &error);
  if (self->store != NULL)
    {
      self->state = WP_STORE_OPEN;
      self->vcs = wp_store_vcs (self->store);
      self->asked = asked_of (self->store);
    }
  else if (g_error_matches (error, WP_STORE_ERROR, WP_STORE_ERROR_NONE_HERE))
    open_vcs (self);
  else
    fail (self, g_error_matches (error, WP_VCS_ERROR, WP_VCS_ERROR_REFUSED) ? WP_STORE_REFUSED : WP_STORE_UNREADABLE, error);
  return self;
}

WpStoreSession *
wp_store_session_ref (WpStoreSession *self)
{
  return self != NULL ? g_atomic_rc_box_acquire (self) : NULL;
}

#define NAME_MOST 40 /* characters of a file's name that tell what was run: up to 160 bytes */

/* --- unpacked profiles ---------------------------------------------------------------------------------------------------- */

static GMutex unpacked_lock;
static char *unpacked;

char *
wp_store_unpacked_folder (GError **error)
{
  char *folder;

  g_mutex_lock (&unpacked_lock);
  if (unpacked == NULL)
    unpacked = g_dir_make_tmp ("wakepath-XXXXXX", error);
  folder = g_strdup (unpacked);
  g_mutex_unlock (&unpacked_lock);
  return folder;
}

gboolean
wp_store_is_unpacked (const char *path)
{
  gboolean within;

  g_mutex_lock (&unpacked_lock);
  within = unpacked != NULL && g_str_has_prefix (path, unpacked);
  g_mutex_unlock (&unpacked_lock);
  return within;
}

void
wp_store_unpacked_clear (void)
{
  g_autofree char *path = NULL;

  g_mutex_lock (&unpacked_lock);
  path = g_steal_pointer (&unpacked);
  g_mutex_unlock (&unpacked_lock);
  wp_remove_made_folder (path);
}

static void
session_clear (gpointer data)
{
  WpStoreSession *self = data;

  g_clear_pointer (&self->walk, wp_vcs_walk_free);
  g_clear_pointer (&self->store, wp_store_free);
  g_clear_pointer (&self->own_vcs, wp_vcs_free);
  g_clear_pointer (&self->asked, wp_store_commands_free);
  g_free (self->folder);
  g_free (self->message);
  g_mutex_clear (&self->lock);
}

void
wp_store_session_unref (WpStoreSession *self)
{
  if (self != NULL)
    g_atomic_rc_box_release_full (self, session_clear);
}

void
wp_store_session_take (WpStoreSession *self)
{
  g_mutex_lock (&self->lock);
}

void
wp_store_session_leave (WpStoreSession *self)
{
  g_mutex_unlock (&self->lock);
}

/* What was run, as it can stand in a file's name. */
static char *
short_name (const WpStoreEntry *entry)
{
  g_autofree char *command = g_path_get_basename (entry->cmd);
  GString *name = g_string_new (*entry->label != '\0' ? entry->label : command);
  char *cut;

  if (*entry->label == '\0' && *entry->args != '\0')
    g_string_append_printf (name, " %s", entry->args);
  cut = g_utf8_make_valid (name->str, -1);
  if (g_utf8_strlen (cut, -1) > NAME_MOST)
    *g_utf8_offset_to_pointer (cut, NAME_MOST) = '\0';
  g_string_free (name, TRUE);
  return g_strdelimit (cut, "/\n\r\t", '_');
}

/* “tour 6 @ 9522206 70c5787b.perf”: it is seen where files are compared and where it is dragged to. Two objects may be of the same command,
 * and one object of two commits. */
static char *
unpacked_name (const char *folder, const WpStoreEntry *entry, const char *minor)
{
  g_autofree char *name = short_name (entry);
  g_autofree char *file = g_strdup_printf ("%s @ %.7s %.8s.perf", name, minor, entry->sha1);

  return g_build_filename (folder, file, NULL);
}

/* An object does not say its commit, a file outside of the store does. */
static GBytes *
with_origin (GBytes *object, const char *minor)
{
  g_autoptr (GString) text = g_string_new (NULL);
  gsize n;
  const char *data = g_bytes_get_data (object, &n);

  if (n < 2 || data[0] != '{' || data[1] != '"' || *minor == '\0')
    return g_bytes_ref (object);
  g_string_append_printf (text, "{\"origin\": \"%s\", ", minor);
  g_string_append_len (text, data + 1, (gssize) n - 1);
  return g_string_free_to_bytes (g_steal_pointer (&text));
}

char *
wp_store_session_unpack (WpStoreSession *self, const WpStoreEntry *entry, const char *minor, GError **error)
{
  g_autoptr (GBytes) object = NULL, text = NULL;
  g_autofree char *folder = NULL, *path = NULL;

  if (*entry->sha1 == '\0')
    return wp_store_entry_file (self->store, entry);
  folder = wp_store_unpacked_folder (error);
  if (folder == NULL)
    return NULL;
  path = unpacked_name (folder, entry, minor);
  if (g_file_test (path, G_FILE_TEST_EXISTS))
    return g_steal_pointer (&path);
  object = wp_store_read (self->store, entry, error);
  text = object != NULL ? with_origin (object, minor) : NULL;
  if (text == NULL
      || !g_file_set_contents_full (path, g_bytes_get_data (text, NULL), (gssize) g_bytes_get_size (text),
                                    G_FILE_SET_CONTENTS_CONSISTENT, 0600, error))
    return NULL;
  return g_steal_pointer (&path);
}
