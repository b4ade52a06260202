#include "workspace/store/store-selection.h"

#define OPENED_MOST 8 /* tabs at once: so many repeats are opened together */

GPtrArray *
wp_store_selected_rows (WpStoreModel *model, const guint *positions, guint n)
{
  GPtrArray *rows = g_ptr_array_new_with_free_func (g_object_unref);

  for (guint i = 0; i < n; i++)
    {
      g_autoptr (WpStoreRow) row = g_list_model_get_item (G_LIST_MODEL (wp_store_model_rows (model)), positions[i]);

      if (row != NULL && wp_store_row_kind (row) != WP_STORE_ROW_HEADING)
        g_ptr_array_add (rows, g_steal_pointer (&row));
    }
  return rows;
}

char **
wp_store_selected_commits (const GPtrArray *rows)
{
  GPtrArray *hashes = g_ptr_array_new ();
  const WpStoreCommit *last = NULL;

  for (guint i = rows->len; i-- > 0;)
    {
      const WpStoreCommit *commit = wp_store_row_commit (rows->pdata[i]);

      if (commit != NULL && commit != last)
        g_ptr_array_add (hashes, g_strdup (commit->hash));
      last = commit != NULL ? commit : last;
    }
  g_ptr_array_add (hashes, NULL);
  return (char **) g_ptr_array_free (hashes, FALSE);
}

/* Of a commit none. */
static GPtrArray *
profiles_of (const WpStoreRow *row)
{
  GPtrArray *profiles = g_ptr_array_new_with_free_func ((GDestroyNotify) wp_store_profile_unref);

  wp_store_row_add_profiles (row, profiles);
  return profiles;
}

static void
append_line (GString *text, const char *line)
{
  g_string_append_printf (text, "%s%s", text->len > 0 ? "\n" : "", line);
}

char *
wp_store_selected_names (const GPtrArray *rows)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < rows->len; i++)
    {
      g_autoptr (GPtrArray) profiles = profiles_of (rows->pdata[i]);

      for (guint k = 0; k < profiles->len; k++)
        append_line (text, ((const WpStoreProfile *) profiles->pdata[k])->entry->path);
      if (profiles->len == 0)
        append_line (text, wp_store_row_commit (rows->pdata[i])->hash);
    }
  return g_string_free (text, FALSE);
}

/* --- what that allows ---------------------------------------------------------------------------------------------------- */

typedef struct
{
  guint rows, commits, profiles, pending, problems;
  guint lost; /* of an index that cannot be read */
  guint full; /* commits that have profiles */
} Counts;

static void
count_profile (Counts *counts, const WpStoreProfile *profile)
{
  counts->profiles++;
  counts->pending += *profile->minor == '\0';
  counts->problems += profile->entry->problem != NULL;
  counts->lost += *profile->minor != '\0' && *profile->entry->sha1 == '\0';
}

static Counts
count (const GPtrArray *rows)
{
  Counts counts = { .rows = rows->len };

  for (guint i = 0; i < rows->len; i++)
    {
      g_autoptr (GPtrArray) profiles = profiles_of (rows->pdata[i]);

      for (guint k = 0; k < profiles->len; k++)
        count_profile (&counts, profiles->pdata[k]);
      if (wp_store_row_kind (rows->pdata[i]) == WP_STORE_ROW_COMMIT)
        {
          counts.commits++;
          counts.full += wp_store_row_commit (rows->pdata[i])->profiles != NULL;
        }
    }
  return counts;
}

WpStoreFacts
wp_store_facts (WpStoreModel *model, const GPtrArray *rows, gboolean savable)
{
  const WpStoreSession *session = wp_store_model_session (model);
  Counts n = count (rows);
  const struct
  {
    WpStoreFacts fact;
    gboolean holds;
  } facts[] = {
    { WP_STORE_FACT_FOLDER, wp_store_model_folder (model) != NULL },
    { WP_STORE_FACT_STORE, session != NULL && session->state == WP_STORE_OPEN },
    { WP_STORE_FACT_COMMIT, *wp_store_model_head (model) != '\0' },
    { WP_STORE_FACT_PAGE, savable },
    { WP_STORE_FACT_ROW, n.rows > 0 },
    { WP_STORE_FACT_PROFILE, n.profiles > 0 },
    { WP_STORE_FACT_ONE_PROFILE, n.profiles == 1 && n.rows == 1 },
    { WP_STORE_FACT_FEW, n.profiles <= OPENED_MOST },
    { WP_STORE_FACT_ALL_PENDING, n.pending > 0 && n.pending == n.profiles && n.commits == 0 },
    { WP_STORE_FACT_ONE_SORT, n.pending == 0 || n.pending == n.profiles },
    { WP_STORE_FACT_PAIR, n.rows == 2 && (n.commits == 0 || n.full == 2) },
    { WP_STORE_FACT_SOUND, n.problems == 0 },
    { WP_STORE_FACT_KNOWN, n.lost == 0 },
  };
  WpStoreFacts all = 0;

  for (guint i = 0; i < G_N_ELEMENTS (facts); i++)
    if (facts[i].holds)
      all |= facts[i].fact;
  return all;
}

static const struct
{
  const char *action;
  WpStoreFacts needs; /* 0: nothing at all, not even that no work is under way */
} needs_of[] = {
  { "store.open", WP_STORE_FACT_PROFILE | WP_STORE_FACT_SOUND | WP_STORE_FACT_FEW },
  { "store.save-here", WP_STORE_FACT_STORE | WP_STORE_FACT_COMMIT | WP_STORE_FACT_PAGE },
  { "store.register", WP_STORE_FACT_ALL_PENDING | WP_STORE_FACT_COMMIT },
  { "store.remove", WP_STORE_FACT_PROFILE | WP_STORE_FACT_KNOWN | WP_STORE_FACT_ONE_SORT },
  { "store.copy-name", WP_STORE_FACT_ROW },
  { "store.reveal", WP_STORE_FACT_ONE_PROFILE | WP_STORE_FACT_KNOWN },
  { "store.compare", WP_STORE_FACT_PAIR | WP_STORE_FACT_SOUND },
  { "store.history", WP_STORE_FACT_STORE | WP_STORE_FACT_COMMIT },
  { "store.profile-commits", WP_STORE_FACT_STORE | WP_STORE_FACT_COMMIT },
  { "store.clear-filter", WP_STORE_FACT_STORE },
  { "store.trust", WP_STORE_FACT_FOLDER },
  { "store.choose-folder", 0 },
  { "store.create", WP_STORE_FACT_FOLDER },
  { "store.refresh", WP_STORE_FACT_FOLDER },
};

gboolean
wp_store_allows (WpStoreModel *model, const char *action, WpStoreFacts facts)
{
  for (guint i = 0; i < G_N_ELEMENTS (needs_of); i++)
    if (g_str_equal (needs_of[i].action, action))
      return needs_of[i].needs == 0 || (!wp_store_model_is_working (model) && (needs_of[i].needs & ~facts) == 0);
  g_return_val_if_reached (FALSE);
}
