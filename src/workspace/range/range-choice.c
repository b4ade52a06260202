#include "workspace/range/range-choice.h"

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
  walk = wp_vcs_walk_new (vcs, head, WP_VCS_WALK_BRIEF, error);
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

/* --- what can be chosen -------------------------------------------------------------------------------------------------- */

struct WpRangeChoices
{
  char *folder;
  char **selected;
  char **names; /* one for the selection if there is one, one for the range, then branches */
};

/* Rows above the first branch. */
static guint
n_above (const WpRangeChoices *self)
{
  return (self->selected[0] != NULL) + 1;
}

WpRangeChoices *
wp_range_choices_new (const char *folder, char **selected, WpStore *store)
{
  WpRangeChoices *self = g_new0 (WpRangeChoices, 1);
  g_autoptr (GArray) branches = wp_store_vcs (store) != NULL ? wp_vcs_branches (wp_store_vcs (store), NULL) : NULL;
  g_autoptr (GStrvBuilder) names = g_strv_builder_new ();
  guint n = g_strv_length (selected);
  g_autofree char *of_selection = g_strdup_printf (ngettext ("%u selected", "%u selected", n), n);

  self->folder = g_strdup (folder);
  self->selected = g_strdupv (selected);
  if (n > 0)
    g_strv_builder_add (names, of_selection);
  g_strv_builder_add (names, _("Range"));
  for (guint i = 0; branches != NULL && i < branches->len; i++)
    g_strv_builder_add (names, g_array_index (branches, WpMajorVersion, i).name);
  self->names = g_strv_builder_end (names);
  return self;
}

void
wp_range_choices_free (WpRangeChoices *self)
{
  g_free (self->folder);
  g_strfreev (self->selected);
  g_strfreev (self->names);
  g_free (self);
}

const char *const *
wp_range_choices_names (const WpRangeChoices *self)
{
  return (const char *const *) self->names;
}

guint
wp_range_choices_first (const WpRangeChoices *self, const char *branch)
{
  for (guint i = n_above (self); self->selected[0] == NULL && self->names[i] != NULL; i++)
    if (g_strcmp0 (self->names[i], branch) == 0)
      return i;
  return 0;
}

WpRangeSort
wp_range_choices_sort (const WpRangeChoices *self, guint row)
{
  if (row >= n_above (self))
    return WP_RANGE_BY_BRANCH;
  return row + 1 == n_above (self) ? WP_RANGE_BY_TEXT : WP_RANGE_BY_SELECTION;
}

WpRangeChoice *
wp_range_choices_take (const WpRangeChoices *self, guint row, const char *text, guint newest)
{
  WpRangeChoice *choice = g_new0 (WpRangeChoice, 1);
  WpRangeSort sort = wp_range_choices_sort (self, row);

  choice->folder = g_strdup (self->folder);
  choice->newest = newest;
  if (sort == WP_RANGE_BY_SELECTION)
    choice->hashes = g_strdupv (self->selected);
  else if (sort == WP_RANGE_BY_TEXT)
    choice->text = g_strdup (text);
  else
    choice->branch = g_strdup (self->names[row]);
  return choice;
}
