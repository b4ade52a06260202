/* What a user typed, found; and what was found, read. */
#include "store/objects.h"
#include "store/store-private.h"

#include "base/plain-file.h"

#include <string.h>
#include <sys/stat.h>

static void
free_entry (gpointer entry)
{
  wp_store_entry_free (entry);
}

/* --- tags --------------------------------------------------------------------------------------------------------------- */

/* "3@i", "3@p", "0@p-3@p". */
typedef struct
{
  guint64 from, to;
  char kind;
} Tags;

/* "NUMBER@KIND": gives what follows, or NULL. */
static const char *
parse_tag (const char *text, guint64 *number, char *kind)
{
  gsize n = strspn (text, "0123456789");

  if (n == 0 || n > 9 || text[n] != '@' || (text[n + 1] != 'i' && text[n + 1] != 'p'))
    return NULL;
  *number = g_ascii_strtoull (text, NULL, 10);
  *kind = text[n + 1];
  return text + n + 2;
}

static gboolean
parse_tags (const char *spec, Tags *tags)
{
  const char *rest = parse_tag (spec, &tags->from, &tags->kind);
  char kind;

  if (rest == NULL)
    return FALSE;
  tags->to = tags->from;
  if (*rest == '\0')
    return TRUE;
  rest = *rest == '-' ? parse_tag (rest + 1, &tags->to, &kind) : NULL;
  return rest != NULL && *rest == '\0' && kind == tags->kind;
}

static gboolean
check_tag (guint64 number, char kind, guint n, GError **error)
{
  if (number < n)
    return TRUE;
  if (n == 0)
    g_set_error (error, WP_STORE_ERROR, WP_STORE_ERROR_TAG, "there is no profile %" G_GUINT64_FORMAT "@%c: there are none %s", number, kind,
                 kind == 'i' ? "registered with this commit" : "pending");
  else
    g_set_error (error, WP_STORE_ERROR, WP_STORE_ERROR_TAG,
                 "there is no profile %" G_GUINT64_FORMAT "@%c; choose from 0@%c to %u@%c", number, kind, kind, n - 1, kind);
  return FALSE;
}

static GPtrArray *
lookup_tags (WpStore *self, const char *minor, const Tags *tags, GError **error)
{
  g_autoptr (GPtrArray) all = NULL;
  GPtrArray *found;

  if (tags->kind == 'p')
    all = wp_store_pending (self, error);
  else if (minor != NULL)
    all = wp_store_registered (self, minor, error);
  else
    g_set_error (error, WP_STORE_ERROR, WP_STORE_ERROR_TAG, "there is no profile %" G_GUINT64_FORMAT "@i here: only pending ones count",
                 tags->from);
  if (all == NULL || !check_tag (tags->from, tags->kind, all->len, error) || !check_tag (tags->to, tags->kind, all->len, error))
    return NULL;
  found = g_ptr_array_new_with_free_func (free_entry);
  for (guint64 i = tags->from; i <= tags->to; i++)
    g_ptr_array_add (found, wp_store_entry_copy (all->pdata[i]));
  return found;
}

/* --- names -------------------------------------------------------------------------------------------------------------- */

typedef gboolean (*Matches) (const WpStoreEntry *entry, const char *spec);

static gboolean
is_named (const WpStoreEntry *entry, const char *spec)
{
  return g_str_equal (entry->path, spec);
}

static gboolean
has_sha1 (const WpStoreEntry *entry, const char *spec)
{
  return g_str_equal (entry->sha1, spec);
}

static gboolean
is_like (const WpStoreEntry *entry, const char *spec)
{
  return strstr (entry->path, spec) != NULL;
}

static void
take_matches (GPtrArray *found, const GPtrArray *entries, const char *spec, Matches matches, gboolean all)
{
  for (guint i = 0; entries != NULL && i < entries->len && (all || found->len == 0); i++)
    if (matches (entries->pdata[i], spec))
      g_ptr_array_add (found, wp_store_entry_copy (entries->pdata[i]));
}

static void
take_file (GPtrArray *found, const char *path)
{
  WpStoreEntry *entry;
  struct stat st;

  if (stat (path, &st) != 0 || !S_ISREG (st.st_mode))
    return;
  entry = wp_store_entry_new ();
  g_free (entry->path);
  entry->path = g_strdup (path);
  entry->time = st.st_mtim.tv_sec;
  g_ptr_array_add (found, entry);
}

/* In Perun's order: a name in the index, the first in the order of the file, or an object; a file; a pending file; then what is only like
 * it. */
static GPtrArray *
lookup_name (WpStore *self, const char *minor, const char *spec, gboolean registered_only, GError **error)
{
  g_autoptr (GPtrArray) registered = minor != NULL ? wp_store_index (self, minor, error) : NULL;
  g_autoptr (GPtrArray) pending = NULL;
  GPtrArray *found;

  if (minor != NULL && registered == NULL)
    return NULL;
  found = g_ptr_array_new_with_free_func (free_entry);
  take_matches (found, registered, spec, is_named, FALSE);
  take_matches (found, registered, spec, has_sha1, FALSE);
  if (found->len > 0 || registered_only)
    return found;
  take_file (found, spec);
  if (found->len > 0)
    return found;
  pending = wp_store_pending (self, error);
  take_matches (found, pending, spec, is_named, FALSE);
  if (found->len > 0 || *spec == '\0')
    return found;
  take_matches (found, pending, spec, is_like, TRUE);
  take_matches (found, registered, spec, is_like, TRUE);
  return found;
}

/* COMMIT:NAME, where a name may be a tag. NULL without an error: it is none. */
static GPtrArray *
lookup_in_commit (WpStore *self, const char *spec, GError **error)
{
  const char *colon = strchr (spec, ':');
  g_autofree char *commit = colon != NULL ? g_strndup (spec, (gsize) (colon - spec)) : NULL;
  char minor[41];
  Tags tags;

  if (colon == NULL || colon == spec || self->vcs == NULL || !wp_vcs_resolve (self->vcs, commit, minor, NULL))
    return NULL;
  return parse_tags (colon + 1, &tags) ? lookup_tags (self, minor, &tags, error) : lookup_name (self, minor, colon + 1, TRUE, error);
}

GPtrArray *
wp_store_lookup (WpStore *self, const char *minor, const char *spec, GError **error)
{
  g_autoptr (GPtrArray) found = NULL;
  GError *problem = NULL;
  Tags tags;

  if (parse_tags (spec, &tags))
    return lookup_tags (self, minor, &tags, error);
  found = lookup_name (self, minor, spec, FALSE, error);
  if (found == NULL || found->len > 0)
    return g_steal_pointer (&found);
  g_clear_pointer (&found, g_ptr_array_unref);
  found = lookup_in_commit (self, spec, &problem);
  if (problem != NULL)
    g_propagate_error (error, problem);
  else if (found == NULL || found->len == 0)
    {
      g_set_error (error, WP_STORE_ERROR, WP_STORE_ERROR_NOT_FOUND, "%s: no profile is called that, neither in the store nor as a file",
                   spec);
      g_clear_pointer (&found, g_ptr_array_unref);
    }
  return g_steal_pointer (&found);
}

/* --- files below a folder ----------------------------------------------------------------------------------------------- */

#define WALK_MOST 20000 /* folders */

static void
look_into (GQueue *folders, GPtrArray *found, const char *folder, const char *part)
{
  GDir *dir = g_dir_open (folder, 0, NULL);
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *path = g_build_filename (folder, name, NULL);
      struct stat st;

      if (name[0] == '.' || lstat (path, &st) != 0)
        continue;
      if (S_ISDIR (st.st_mode))
        g_queue_push_tail (folders, g_steal_pointer (&path));
      else if (g_str_has_suffix (name, ".perf") && strstr (path, part) != NULL)
        take_file (found, path);
    }
  if (dir != NULL)
    g_dir_close (dir);
}

GPtrArray *
wp_store_find_files (const char *folder, const char *part)
{
  GPtrArray *found = g_ptr_array_new_with_free_func (free_entry);
  GQueue folders = G_QUEUE_INIT;

  g_queue_push_tail (&folders, g_strdup (folder));
  for (guint i = 0; i < WALK_MOST && !g_queue_is_empty (&folders); i++)
    {
      g_autofree char *next = g_queue_pop_head (&folders);

      look_into (&folders, found, next, part);
    }
  g_queue_clear_full (&folders, g_free);
  return found;
}

gboolean
wp_store_is_guess (const WpStoreEntry *entry, const char *spec)
{
  const char *colon = strrchr (spec, ':'), *name = colon != NULL ? colon + 1 : spec;
  Tags tags;

  return !parse_tags (name, &tags) && !g_str_equal (entry->path, spec) && !g_str_equal (entry->path, name)
         && !g_str_equal (entry->sha1, name);
}

/* --- reading ------------------------------------------------------------------------------------------------------------ */

char *
wp_store_entry_file (const WpStore *self, const WpStoreEntry *entry)
{
  g_autofree char *pending = NULL;

  if (*entry->sha1 != '\0')
    return wp_object_path (self->objects, entry->sha1);
  if (strchr (entry->path, '/') != NULL)
    return g_strdup (entry->path);
  /* A plain file of the working folder has no type; a pending one that cannot be read has a problem. */
  pending = g_build_filename (self->jobs, entry->path, NULL);
  return *entry->type == '\0' && entry->problem == NULL ? g_strdup (entry->path) : g_steal_pointer (&pending);
}

/* Of a registered profile its object's text, checked. */
static char *
read_text (const WpStore *self, const WpStoreEntry *entry, gsize *n, GError **error)
{
  g_autofree char *path = wp_store_entry_file (self, entry);

  if (*entry->sha1 != '\0')
    return wp_object_read (path, entry->sha1, n, error);
  return wp_plain_file_read (path, G_MAXUINT32, n, error);
}

GBytes *
wp_store_read (WpStore *self, const WpStoreEntry *entry, GError **error)
{
  gsize n;
  char *text = read_text (self, entry, &n, error);

  return text != NULL ? g_bytes_new_take (text, n) : NULL;
}

WpProfile *
wp_store_load (WpStore *self, const WpStoreEntry *entry, WpProgress *progress, GError **error)
{
  g_autofree char *path = wp_store_entry_file (self, entry), *text = NULL;
  gsize n;

  WpProfile *profile = NULL;

  if (*entry->sha1 == '\0')
    profile = wp_profile_load (path, progress, error);
  else if ((text = read_text (self, entry, &n, error)) != NULL)
    profile = wp_profile_parse (entry->path, text, n, progress, error);
  if (profile != NULL)
    wp_store_note_lines (self, path, wp_omissions_tell (&profile->omissions, entry->path));
  return profile;
}
