/* Which commits a range means. */
#include "base/hash.h"
#include "store/vcs.h"

#include <string.h>

static GHashTable *
ancestors_of (WpVcs *vcs, const char *hash, GError **error)
{
  g_autoptr (WpVcsWalk) walk = wp_vcs_walk_new (vcs, hash, WP_VCS_WALK_BRIEF, error);
  GHashTable *found;
  WpMinorVersion info;

  if (walk == NULL)
    return NULL;
  found = g_hash_table_new_full (wp_hash_string, g_str_equal, g_free, NULL);
  while (wp_vcs_walk_next (walk, &info, NULL))
    {
      g_hash_table_add (found, g_strdup (info.hash));
      wp_minor_version_clear (&info);
    }
  return found;
}

static void
reverse (GPtrArray *commits)
{
  for (guint i = 0; i < commits->len / 2; i++)
    {
      gpointer swapped = commits->pdata[i];

      commits->pdata[i] = commits->pdata[commits->len - 1 - i];
      commits->pdata[commits->len - 1 - i] = swapped;
    }
}

/* Those of `to` that are not among the ancestors of `from`, oldest first. */
static char **
commits_between (WpVcs *vcs, const char *from, const char *to, GError **error)
{
  g_autoptr (GHashTable) excluded = ancestors_of (vcs, from, error);
  g_autoptr (WpVcsWalk) walk = excluded != NULL ? wp_vcs_walk_new (vcs, to, WP_VCS_WALK_BRIEF, error) : NULL;
  GPtrArray *commits;
  WpMinorVersion info;

  if (walk == NULL)
    return NULL;
  commits = g_ptr_array_new ();
  while (wp_vcs_walk_next (walk, &info, NULL))
    {
      if (!g_hash_table_contains (excluded, info.hash))
        g_ptr_array_add (commits, g_strdup (info.hash));
      wp_minor_version_clear (&info);
    }
  reverse (commits);
  g_ptr_array_add (commits, NULL);
  return (char **) g_ptr_array_free (commits, FALSE);
}

char **
wp_vcs_range (WpVcs *self, const char *text, GError **error)
{
  const char *dots = strstr (text, "..");
  g_autofree char *from_name = dots != NULL && dots != text ? g_strndup (text, (gsize) (dots - text)) : g_strdup ("HEAD");
  const char *to_name = dots == NULL ? text : dots[2] != '\0' ? dots + 2 : "HEAD";
  char from[41], to[41], **one;

  if (!wp_vcs_resolve (self, to_name, to, error) || (dots != NULL && !wp_vcs_resolve (self, from_name, from, error)))
    return NULL;
  if (dots != NULL)
    return commits_between (self, from, to, error);
  one = g_new0 (char *, 2);
  one[0] = g_strdup (to);
  return one;
}
