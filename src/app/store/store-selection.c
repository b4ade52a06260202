/* What is selected on the Store page, and what that allows. */
#include "app/store/store-panel-private.h"

GPtrArray *
wp_store_panel_selected_rows (WpStorePanel *self)
{
  g_autoptr (GtkBitset) selected = gtk_selection_model_get_selection (GTK_SELECTION_MODEL (self->selection));
  GPtrArray *rows = g_ptr_array_new_with_free_func (g_object_unref);
  GtkBitsetIter iter;
  guint position;

  for (gboolean more = gtk_bitset_iter_init_first (&iter, selected, &position); more; more = gtk_bitset_iter_next (&iter, &position))
    {
      WpStoreRow *row = g_list_model_get_item (G_LIST_MODEL (self->rows), position);

      if (row != NULL && wp_store_row_kind (row) == WP_STORE_ROW_HEADING) /* selected with all others */
        g_clear_object (&row);
      if (row != NULL)
        g_ptr_array_add (rows, row);
    }
  return rows;
}

char **
wp_store_panel_selected_commits (WpStorePanel *self)
{
  g_autoptr (GPtrArray) rows = wp_store_panel_selected_rows (self);
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

typedef struct
{
  guint rows, profiles, pending, problems;
  guint lost; /* of an index that cannot be read */
  guint full; /* commits that have profiles */
} Counts;

static Counts
count (WpStorePanel *self)
{
  g_autoptr (GPtrArray) rows = wp_store_panel_selected_rows (self);
  Counts counts = { .rows = rows->len };

  for (guint i = 0; i < rows->len; i++)
    {
      const WpStoreProfile *profile = wp_store_row_profile (rows->pdata[i]);

      if (profile == NULL)
        {
          counts.full += wp_store_row_commit (rows->pdata[i])->profiles != NULL;
          continue;
        }
      counts.profiles++;
      counts.pending += *profile->minor == '\0';
      counts.problems += profile->entry->problem != NULL;
      counts.lost += *profile->minor != '\0' && *profile->entry->sha1 == '\0';
    }
  return counts;
}

static gboolean
can_be_saved (WpPage *page)
{
  g_autoptr (WpShared) analysis = page != NULL ? wp_page_share_analysis (page) : NULL;

  return analysis != NULL || (page != NULL && wp_page_shows_profile (page));
}

WpStoreFacts
wp_store_panel_facts (WpStorePanel *self)
{
  Counts n = count (self);
  const struct
  {
    WpStoreFacts fact;
    gboolean holds;
  } rows[] = {
    { WP_STORE_FACT_FOLDER, self->folder != NULL },
    { WP_STORE_FACT_STORE, self->session != NULL && self->session->state == WP_STORE_OPEN },
    { WP_STORE_FACT_COMMIT, *self->head != '\0' },
    { WP_STORE_FACT_PAGE, can_be_saved (self->page) },
    { WP_STORE_FACT_ROW, n.rows > 0 },
    { WP_STORE_FACT_PROFILE, n.profiles > 0 },
    { WP_STORE_FACT_ONE_PROFILE, n.profiles == 1 && n.rows == 1 },
    { WP_STORE_FACT_ALL_PENDING, n.pending > 0 && n.pending == n.rows },
    { WP_STORE_FACT_ONE_SORT, n.pending == 0 || n.pending == n.profiles },
    { WP_STORE_FACT_PAIR, n.rows == 2 && (n.profiles == 2 || n.full == 2) },
    { WP_STORE_FACT_SOUND, n.problems == 0 },
    { WP_STORE_FACT_KNOWN, n.lost == 0 },
  };
  WpStoreFacts facts = 0;

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    if (rows[i].holds)
      facts |= rows[i].fact;
  return facts;
}
