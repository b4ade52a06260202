#include "workspace/store/store-data.h"

#include <glib/gi18n.h>
#include <stdlib.h>
#include <string.h>

#include "base/free-aside.h"
#include "base/hash.h"

/* --- profiles and commits ------------------------------------------------------------------------------------------------ */

static char *
fold (const char *const *texts)
{
  g_autofree char *all = g_strjoinv ("\n", (char **) texts);

  return g_utf8_casefold (all, -1);
}

/* Takes over `entry`. */
static WpStoreProfile *
profile_new (WpStoreEntry *entry, const char *minor)
{
  WpStoreProfile *self = g_atomic_rc_box_new0 (WpStoreProfile);

  self->entry = entry;
  g_strlcpy (self->minor, minor, sizeof self->minor);
  self->configuration = g_strjoin ("\n", entry->type, entry->cmd, entry->args, entry->workload, entry->collector, NULL);
  self->search = fold ((const char *[]) { entry->type, entry->cmd, entry->args, entry->workload, entry->collector,
                                          entry->label, NULL });
  self->file = g_utf8_casefold (entry->path, -1);
  return self;
}

WpStoreProfile *
wp_store_profile_ref (WpStoreProfile *self)
{
  return self != NULL ? g_atomic_rc_box_acquire (self) : NULL;
}

static void
profile_clear (gpointer data)
{
  WpStoreProfile *self = data;

  wp_store_entry_free (self->entry);
  g_free (self->search);
  g_free (self->file);
  g_free (self->configuration);
}

void
wp_store_profile_unref (WpStoreProfile *self)
{
  if (self != NULL)
    g_atomic_rc_box_release_full (self, profile_clear);
}

gboolean
wp_store_profile_equal (const WpStoreProfile *a, const WpStoreProfile *b)
{
  return a->entry->time == b->entry->time && g_str_equal (a->minor, b->minor) && g_str_equal (a->entry->sha1, b->entry->sha1)
         && g_str_equal (a->entry->origin, b->entry->origin) && g_strcmp0 (a->entry->problem, b->entry->problem) == 0
         && g_str_equal (a->search, b->search) && g_str_equal (a->file, b->file);
}

gboolean
wp_store_profile_repeats (const WpStoreProfile *a, const WpStoreProfile *b)
{
  return a->entry->problem == NULL && b->entry->problem == NULL && g_str_equal (a->configuration, b->configuration)
         && g_str_equal (a->entry->origin, b->entry->origin);
}

char *
wp_store_profile_name (const WpStoreProfile *self)
{
  g_autofree char *base = g_path_get_basename (self->entry->path);

  return *self->minor != '\0' ? g_strdup_printf ("%s @ %.7s", base, self->minor) : g_steal_pointer (&base);
}

WpStoreCommit *
wp_store_commit_ref (WpStoreCommit *self)
{
  return self != NULL ? g_atomic_rc_box_acquire (self) : NULL;
}

static void
commit_clear (gpointer data)
{
  WpStoreCommit *self = data;

  g_free (self->author);
  g_free (self->subject);
  g_free (self->message);
  g_free (self->search);
  g_clear_pointer (&self->profiles, g_ptr_array_unref);
}

void
wp_store_commit_unref (WpStoreCommit *self)
{
  if (self != NULL)
    g_atomic_rc_box_release_full (self, commit_clear);
}

gboolean
wp_store_profiles_equal (const GPtrArray *a, const GPtrArray *b)
{
  if (a == NULL || b == NULL)
    return a == b;
  if (a->len != b->len)
    return FALSE;
  for (guint i = 0; i < a->len; i++)
    if (!wp_store_profile_equal (a->pdata[i], b->pdata[i]))
      return FALSE;
  return TRUE;
}

gboolean
wp_store_commit_equal (const WpStoreCommit *a, const WpStoreCommit *b)
{
  return a == b || (g_str_equal (a->hash, b->hash) && a->head == b->head && wp_store_profiles_equal (a->profiles, b->profiles));
}

static WpStoreCommit *
commit_new (const WpMinorVersion *info, const char *head)
{
  WpStoreCommit *self = g_atomic_rc_box_new0 (WpStoreCommit);

  memcpy (self->hash, info->hash, sizeof self->hash);
  self->author = g_strdup (info->author);
  self->subject = g_strdup (info->subject);
  self->message = g_strdup (info->message);
  self->time = info->time;
  self->head = g_str_equal (info->hash, head);
  self->search = fold ((const char *[]) { info->author, info->subject, NULL });
  if (info->n_parents > 0)
    memcpy (self->parent, info->parents[0], sizeof self->parent);
  return self;
}

static WpStoreCommit *
commit_again (const WpStoreCommit *before, const char *head)
{
  WpStoreCommit *self = g_atomic_rc_box_new0 (WpStoreCommit);

  memcpy (self->hash, before->hash, sizeof self->hash);
  self->author = g_strdup (before->author);
  self->subject = g_strdup (before->subject);
  self->message = g_strdup (before->message);
  self->search = g_strdup (before->search);
  memcpy (self->parent, before->parent, sizeof self->parent);
  self->time = before->time;
  self->head = g_str_equal (before->hash, head);
  return self;
}

/* --- reading ---------------------------------------------------------------------------------------------------------------- */

void
wp_store_reading_free (gpointer data)
{
  WpStoreReading *self = data;

  if (self == NULL)
    return;
  wp_store_session_unref (self->session);
  g_clear_pointer (&self->branches, g_ptr_array_unref);
  g_clear_pointer (&self->pending, g_ptr_array_unref);
  g_clear_pointer (&self->commits, g_ptr_array_unref);
  g_free (self->branch);
  g_free (self->head_branch);
  g_free (self->notice);
  g_free (self);
}

#define MANY 5000 /* are freed in a few ms */

void
wp_store_commits_drop (GPtrArray *commits)
{
  if (commits->len < MANY)
    g_ptr_array_unref (commits);
  else
    wp_free_aside (commits, (GDestroyNotify) g_ptr_array_unref);
}

void
wp_store_read_request_free (gpointer data)
{
  WpStoreReadRequest *self = data;

  wp_store_session_unref (self->session);
  g_free (self->folder);
  g_free (self->branch);
  g_clear_pointer (&self->known, wp_store_commits_drop);
  g_free (self);
}

static GPtrArray *
profile_array (void)
{
  return g_ptr_array_new_with_free_func ((GDestroyNotify) wp_store_profile_unref);
}

typedef struct
{
  guint place; /* of the first of its repeats */
  guint at;
  WpStoreProfile *profile;
} Placed;

static int
compare_placed (const void *a, const void *b)
{
  const Placed *x = a, *y = b;

  return x->place != y->place ? (x->place > y->place) - (x->place < y->place) : (x->at > y->at) - (x->at < y->at);
}

/* Repeats come behind the first of them; else the order stays. */
static void
put_repeats_together (GPtrArray *profiles)
{
  g_autoptr (GHashTable) places = g_hash_table_new_full (wp_hash_string, g_str_equal, g_free, NULL);
  g_autofree Placed *placed = g_new (Placed, profiles->len);

  for (guint i = 0; i < profiles->len; i++)
    {
      WpStoreProfile *profile = profiles->pdata[i];
      g_autofree char *key = g_strjoin ("\n", profile->entry->origin, profile->configuration, NULL);
      gpointer place;

      if (profile->entry->problem != NULL || !g_hash_table_lookup_extended (places, key, NULL, &place))
        place = GUINT_TO_POINTER (i);
      if (profile->entry->problem == NULL)
        g_hash_table_insert (places, g_steal_pointer (&key), place);
      placed[i] = (Placed) { GPOINTER_TO_UINT (place), i, profile };
    }
  if (profiles->len > 0)
    qsort (placed, profiles->len, sizeof *placed, compare_placed);
  for (guint i = 0; i < profiles->len; i++)
    profiles->pdata[i] = placed[i].profile;
}

/* Takes over `entries`, which may be NULL. */
static GPtrArray *
take_entries (GPtrArray *entries, const char *minor)
{
  GPtrArray *profiles = profile_array ();

  for (guint i = 0; entries != NULL && i < entries->len; i++)
    g_ptr_array_add (profiles, profile_new (wp_store_entry_copy (entries->pdata[i]), minor));
  g_clear_pointer (&entries, g_ptr_array_unref);
  put_repeats_together (profiles);
  return profiles;
}

/* An index that cannot be read is a row that says so. */
static GPtrArray *
read_profiles (WpStore *store, const char *minor)
{
  g_autoptr (GError) error = NULL;
  GPtrArray *entries = wp_store_registered (store, minor, &error), *profiles;
  WpStoreEntry *entry;

  if (entries != NULL)
    return take_entries (entries, minor);
  entry = wp_store_entry_new ();
  g_free (entry->path);
  entry->path = g_strdup (_("Unreadable index"));
  entry->problem = g_strdup (error->message);
  profiles = profile_array ();
  g_ptr_array_add (profiles, profile_new (entry, minor));
  return profiles;
}

/* `minors` NULL: the store is asked for the commit. */
static void
add_commit (WpStoreReading *self, WpStoreCommit *commit, GHashTable *minors)
{
  if (minors == NULL || g_hash_table_contains (minors, commit->hash))
    commit->profiles = read_profiles (self->session->store, commit->hash);
  if (commit->profiles != NULL && commit->profiles->len == 0)
    g_clear_pointer (&commit->profiles, g_ptr_array_unref);
  g_ptr_array_add (self->commits, commit);
}

static gboolean
read_commits (WpStoreReading *self, guint n, GHashTable *minors, WpProgress *progress, GError **error)
{
  WpStoreSession *session = self->session;

  for (guint i = 0; i < n && session->walk != NULL; i++)
    {
      WpMinorVersion info = { 0 };
      g_autoptr (GError) problem = NULL;

      if (i % 64 == 0 && !wp_progress_step (progress, (double) i / n, error))
        return FALSE;
      if (wp_vcs_walk_next (session->walk, &info, &problem))
        add_commit (self, commit_new (&info, self->head), minors);
      else
        g_clear_pointer (&session->walk, wp_vcs_walk_free);
      wp_minor_version_clear (&info);
      if (problem != NULL)
        {
          g_propagate_error (error, g_steal_pointer (&problem));
          return FALSE;
        }
    }
  self->more = session->walk != NULL;
  return TRUE;
}

static const char *
find_branch (const GArray *branches, const char *name)
{
  for (guint i = 0; branches != NULL && name != NULL && i < branches->len; i++)
    if (g_str_equal (g_array_index (branches, WpMajorVersion, i).name, name))
      return g_array_index (branches, WpMajorVersion, i).head;
  return NULL;
}

/* The commit that the branch to show begins at; NULL: there is none. */
static const char *
choose_branch (WpStoreReading *self, const char *wanted, const GArray *branches)
{
  const char *start = find_branch (branches, wanted);

  if (start != NULL)
    self->branch = g_strdup (wanted);
  else if (*self->head != '\0')
    self->branch = g_strdup (self->head_branch != NULL ? self->head_branch : "HEAD");
  return start != NULL ? start : *self->head != '\0' ? self->head : NULL;
}

/* Finding out which commits have profiles takes a while the first time. The first rows do not wait for it. */
static GHashTable *
read_minors (WpStoreReading *self)
{
  GHashTable *minors = wp_store_minors (self->session->store, NULL);

  if (minors != NULL)
    self->n_minors = g_hash_table_size (minors);
  return minors;
}

/* Where the branch begins at the same commit, all its commits are the same; only their profiles may be others. */
static gboolean
read_known (WpStoreReading *self, const WpStoreReadRequest *request, const char *start)
{
  const WpStoreCommit *first = request->known != NULL && request->known->len > 0 ? request->known->pdata[0] : NULL;
  g_autoptr (GHashTable) minors = NULL;

  if (first == NULL || !g_str_equal (first->hash, start))
    return FALSE;
  minors = request->known->len > request->n ? read_minors (self) : NULL;
  for (guint i = 0; i < request->known->len; i++)
    add_commit (self, commit_again (request->known->pdata[i], self->head), minors);
  self->more = self->session->walk != NULL;
  return TRUE;
}

static gboolean
read_branch (WpStoreReading *self, const WpStoreReadRequest *request, WpProgress *progress, GError **error)
{
  g_autoptr (GArray) branches = wp_vcs_branches (self->session->vcs, NULL);
  const char *start;

  for (guint i = 0; branches != NULL && i < branches->len; i++)
    g_ptr_array_add (self->branches, g_strdup (g_array_index (branches, WpMajorVersion, i).name));
  start = choose_branch (self, request->branch, branches);
  if (start == NULL || read_known (self, request, start))
    return TRUE;
  g_clear_pointer (&self->session->walk, wp_vcs_walk_free);
  self->session->walk = wp_vcs_walk_new (self->session->vcs, start, WP_VCS_WALK_WHOLE, error);
  return self->session->walk != NULL && read_commits (self, request->n, NULL, progress, error);
}

static WpStoreReading *
reading_new (WpStoreSession *session)
{
  WpStoreReading *self = g_new0 (WpStoreReading, 1);

  self->session = session;
  self->n_minors = G_MAXUINT;
  self->branches = g_ptr_array_new_with_free_func (g_free);
  self->commits = g_ptr_array_new_with_free_func ((GDestroyNotify) wp_store_commit_unref);
  return self;
}

static gboolean
read_head (WpStoreReading *self, GError **error)
{
  g_autoptr (GError) problem = NULL;

  if (!wp_vcs_head (self->session->vcs, self->head, &problem))
    {
      *self->head = '\0';
      if (!g_error_matches (problem, WP_VCS_ERROR, WP_VCS_ERROR_UNBORN))
        {
          g_propagate_error (error, g_steal_pointer (&problem));
          return FALSE;
        }
    }
  self->head_branch = wp_vcs_head_branch (self->session->vcs, NULL);
  return TRUE;
}

static gboolean
fill (WpStoreReading *self, const WpStoreReadRequest *request, WpProgress *progress, GError **error)
{
  WpStoreSession *session = self->session;
  g_autoptr (GError) problem = NULL;

  if (session->store == NULL)
    return TRUE;
  self->pending = take_entries (wp_store_pending (session->store, &problem), "");
  if (session->vcs != NULL && (!read_head (self, error) || !read_branch (self, request, progress, error)))
    return FALSE;
  self->notice = g_strdup (problem != NULL ? problem->message : wp_store_notice (session->store));
  return TRUE;
}

gpointer
wp_store_read_all (gpointer data, WpProgress *progress, GError **error)
{
  const WpStoreReadRequest *request = data;
  g_autoptr (WpStore) made = NULL;
  WpStoreReading *self;
  gboolean filled;

  if (request->create && (made = wp_store_init (request->folder, NULL, error)) == NULL)
    return NULL;
  g_clear_pointer (&made, wp_store_free);
  self = reading_new (request->session != NULL ? wp_store_session_ref (request->session) : wp_store_session_open (request->folder));
  wp_store_session_take (self->session);
  filled = fill (self, request, progress, error);
  wp_store_session_leave (self->session);
  if (filled)
    return self;
  wp_store_reading_free (self);
  return NULL;
}

gpointer
wp_store_read_more (gpointer data, WpProgress *progress, GError **error)
{
  const WpStoreReadRequest *request = data;
  WpStoreReading *self = reading_new (wp_store_session_ref (request->session));
  g_autoptr (GHashTable) minors = NULL;
  gboolean read;

  wp_store_session_take (self->session);
  minors = read_minors (self);
  read = read_head (self, error) && read_commits (self, request->n, minors, progress, error);
  wp_store_session_leave (self->session);
  if (read)
    return self;
  wp_store_reading_free (self);
  return NULL;
}

gpointer
wp_store_read_dirty (gpointer data, WpProgress *progress, GError **error)
{
  const WpStoreReadRequest *request = data;
  gboolean dirty = FALSE, known;

  /* a repository of its own: looking through the work tree takes long, and others must not wait for the session */
  g_autoptr (WpVcs) vcs = wp_vcs_open (request->folder, NULL, error);

  known = vcs != NULL && wp_vcs_is_dirty (vcs, &dirty, error);
  return known ? GINT_TO_POINTER (dirty ? 2 : 1) : NULL;
}
