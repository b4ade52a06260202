/* Which repository a store is of. Its settings may have come with a clone or an archive, from anybody: what they name is only used where it is the
 * repository that the store lies in, which its user has opened, or one that the user has trusted. */
#include "store/store-private.h"

#include "store/trust.h"

#include <stdlib.h>
#include <string.h>

static gboolean
is_same_place (const char *a, const char *b)
{
  char *real_a = realpath (a, NULL), *real_b = realpath (b, NULL);
  gboolean same = real_a != NULL && g_strcmp0 (real_a, real_b) == 0;

  free (real_a);
  free (real_b);
  return same;
}

static gboolean
is_within (const char *path, const char *folder)
{
  char *real_path = realpath (path, NULL), *real_folder = realpath (folder, NULL);
  gsize n = real_folder != NULL ? strlen (real_folder) : 0;
  gboolean within = real_path != NULL && n > 0 && strncmp (real_path, real_folder, n) == 0
                    && (real_path[n] == '/' || real_folder[n - 1] == '/');

  free (real_path);
  free (real_folder);
  return within;
}

/* Files of a repository may look like a bare one, but no ".git" can be among them: only what has one, or holds the store, is looked
 * into. */
static gboolean
is_of_repository (const char *path, const char *holder, const WpVcs *own, const char *type)
{
  g_autofree char *git = g_build_filename (path, ".git", NULL);
  g_autoptr (WpVcs) named = NULL;

  if (is_same_place (path, wp_vcs_place (own)))
    return TRUE;
  if (is_within (holder, path) || g_file_test (git, G_FILE_TEST_EXISTS))
    named = wp_vcs_open (path, type, NULL);
  return named != NULL && is_same_place (wp_vcs_place (named), wp_vcs_place (own));
}

static gboolean
is_own (const WpStore *self, const char *holder, const char *path)
{
  const char *type = wp_store_setting (self, "vcs.type");
  g_autoptr (WpVcs) own = is_same_place (path, holder) ? NULL : wp_vcs_open (holder, type, NULL);

  return is_same_place (path, holder) || (own != NULL && is_of_repository (path, holder, own, type));
}

static gboolean
has_repository (const char *path)
{
  g_autofree char *git = g_build_filename (path, ".git", NULL), *head = g_build_filename (path, "HEAD", NULL);

  return g_file_test (git, G_FILE_TEST_EXISTS) || g_file_test (head, G_FILE_TEST_EXISTS);
}

/* What vcs.url names, as it is without links: nobody can lead elsewhere what was trusted. */
static WpVcs *
open_foreign (WpStore *self, const char *holder, const char *path, GError **error)
{
  g_autoptr (WpStoreCommands) asked = NULL;
  char *real = realpath (path, NULL);

  self->foreign = g_strdup (real != NULL ? real : path);
  self->foreign_within = is_within (path, holder);
  free (real);
  asked = wp_store_commands_new (self);
  if (wp_store_is_trusted (asked))
    return wp_vcs_open (self->foreign, wp_store_setting (self, "vcs.type"), error);
  g_set_error (error, WP_STORE_ERROR, WP_STORE_ERROR_FOREIGN,
               "%s/local.yml: vcs.url names another repository than that which the store is in: %s%s; it is not used, since settings may come "
               "from others. “wakepath-cli trust” asks whether it may be; “url: ../” there is the store’s own", self->folder, self->foreign,
               self->foreign_within ? ", which is among its own files and may have come with them" : "");
  return NULL;
}

/* Where local.yml says that the repository is; where that is gone, since the store was moved, the folder that holds the store. */
static WpVcs *
find_vcs (WpStore *self, const char *holder, char **gone, GError **error)
{
  const char *url = wp_store_setting (self, "vcs.url"), *type = wp_store_setting (self, "vcs.type");
  g_autofree char *path = url != NULL ? g_canonicalize_filename (url, self->folder) : NULL;

  if (path == NULL)
    return wp_vcs_open (holder, type, error);
  if (is_own (self, holder, path))
    return wp_vcs_open (path, type, error);
  if (has_repository (path))
    return open_foreign (self, holder, path, error);
  *gone = g_steal_pointer (&path);
  return wp_vcs_open (holder, type, error);
}

void
wp_store_open_vcs (WpStore *self, const char *holder)
{
  g_autofree char *gone = NULL;
  g_autoptr (GError) error = NULL;

  self->vcs = find_vcs (self, holder, &gone, &error);
  if (self->vcs == NULL)
    wp_store_note (self, "vcs", g_strdup_printf ("%s; only pending profiles are there", error->message));
  else if (gone != NULL)
    wp_store_note (self, "vcs", g_strdup_printf ("%s/local.yml: there is no repository at %s any more; using %s", self->folder, gone,
                                                 wp_vcs_folder (self->vcs)));
}
