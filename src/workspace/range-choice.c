#include "workspace/range-choice.h"

#include <glib/gi18n.h>

#include "base/hash.h"
#include "store/store.h"
#include "store/vcs.h"

void
wp_range_choice_free (gpointer data)
{
  WpRangeChoice *self = data;

  g_free (self->folder);
  g_strfreev (self->hashes);
  g_free (self->text);
  g_free (self->branch);
  g_free (self);
}

static void
clear_pick (gpointer data)
{
  g_free (((WpRangePick *) data)->subject);
}

/* What is chosen, and which commits are among it. */
typedef struct
{
  GArray *picks;
  GHashTable *seen;
  WpProgress *progress;
} Picks;

static gboolean
add (Picks *picks, WpVcs *vcs, const char *hash, GError **error)
{
  WpMinorVersion info = { 0 };
  WpRangePick pick = { .subject = NULL };

  if (!wp_progress_step (picks->progress, 0, error))
    return FALSE;
  if (g_hash_table_contains (picks->seen, hash))
    return TRUE;
  if (!wp_vcs_info (vcs, hash, &info, error))
    return FALSE;
  g_strlcpy (pick.hash, hash, sizeof pick.hash);
  pick.subject = g_strdup (info.subject);
  wp_minor_version_clear (&info);
  g_array_append_val (picks->picks, pick);
  g_hash_table_add (picks->seen, g_strdup (hash));
  return TRUE;
}

static gboolean
add_all (Picks *picks, WpVcs *vcs, char **hashes, GError **error)
{
  for (char **hash = hashes; *hash != NULL; hash++)
    if (!add (picks, vcs, *hash, error))
      return FALSE;
  return TRUE;
}

static gboolean
add_text (Picks *picks, WpVcs *vcs, const char *text, GError **error)
{
  g_auto (GStrv) words = g_strsplit_set (text, " \t,", -1);

  for (char **word = words; *word != NULL; word++)
    {
      g_auto (GStrv) hashes = **word != '\0' ? wp_vcs_range (vcs, *word, error) : g_new0 (char *, 1);

      if (hashes == NULL || !add_all (picks, vcs, hashes, error))
        return FALSE;
    }
  return TRUE;
}

static void
turn_round (GArray *picks)
{
  for (guint i = 0; i < picks->len / 2; i++)
    {
      WpRangePick *a = &g_array_index (picks, WpRangePick, i), *b = &g_array_index (picks, WpRangePick, picks->len - 1 - i);
      WpRangePick swapped = *a;

      *a = *b;
      *b = swapped;
    }
}

static gboolean
add_newest (Picks *picks, WpVcs *vcs, const WpRangeChoice *choice, GError **error)
{
  g_autoptr (WpVcsWalk) walk = NULL;
  char head[41];

  if (!wp_vcs_resolve (vcs, choice->branch, head, error))
    return FALSE;
  walk = wp_vcs_walk_new (vcs, head, error);
  while (walk != NULL && picks->picks->len < choice->newest)
    {
      WpMinorVersion info = { 0 };
      g_autoptr (GError) problem = NULL;
      gboolean more = wp_vcs_walk_next (walk, &info, &problem), added = more && add (picks, vcs, info.hash, &problem);

      wp_minor_version_clear (&info);
      if (problem != NULL)
        {
          g_propagate_error (error, g_steal_pointer (&problem));
          return FALSE;
        }
      if (!added)
        break;
    }
  turn_round (picks->picks);
  return walk != NULL;
}

static gboolean
add_chosen (Picks *picks, WpVcs *vcs, const WpRangeChoice *choice, GError **error)
{
  if (choice->hashes != NULL)
    return add_all (picks, vcs, choice->hashes, error);
  if (choice->text != NULL)
    return add_text (picks, vcs, choice->text, error);
  return add_newest (picks, vcs, choice, error);
}

gpointer
wp_range_choice_read (gpointer data, WpProgress *progress, GError **error)
{
  const WpRangeChoice *choice = data;
  g_autoptr (WpStore) store = wp_store_open (choice->folder, error);
  WpVcs *vcs = store != NULL ? wp_store_vcs (store) : NULL;
  g_autoptr (GArray) picks = g_array_new (FALSE, TRUE, sizeof (WpRangePick));
  g_autoptr (GHashTable) seen = g_hash_table_new_full (wp_hash_string, g_str_equal, g_free, NULL);

  g_array_set_clear_func (picks, clear_pick);
  if (store != NULL && vcs == NULL)
    g_set_error (error, WP_STORE_ERROR, WP_STORE_ERROR_NONE_HERE, "%s", _("The repository of this store is gone"));
  if (vcs == NULL || !add_chosen (&(Picks) { picks, seen, progress }, vcs, choice, error))
    return NULL;
  if (picks->len == 0)
    {
      g_set_error_literal (error, WP_VCS_ERROR, WP_VCS_ERROR_UNKNOWN, _("No commits are chosen"));
      return NULL;
    }
  return g_steal_pointer (&picks);
}
