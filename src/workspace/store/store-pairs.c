#include "workspace/store/store-pairs.h"

#include <gio/gio.h>
#include <glib/gi18n.h>

#include "base/hash.h"

#define COMPARED_MOST 6 /* tabs at once */

/* `older`, `newer`: NULL: pending. */
static WpStorePair *
pair_new (const WpStoreCommit *older, const WpStoreCommit *newer)
{
  WpStorePair *self = g_new0 (WpStorePair, 1);

  self->a = g_ptr_array_new_with_free_func ((GDestroyNotify) wp_store_profile_unref);
  self->b = g_ptr_array_new_with_free_func ((GDestroyNotify) wp_store_profile_unref);
  self->names[0] = g_strdup (older != NULL ? older->subject : "");
  self->names[1] = g_strdup (newer != NULL ? newer->subject : "");
  return self;
}

void
wp_store_pair_free (gpointer pair)
{
  WpStorePair *self = pair;

  g_ptr_array_unref (self->a);
  g_ptr_array_unref (self->b);
  g_free (self->names[0]);
  g_free (self->names[1]);
  g_free (self);
}

/* Puts a commit's profiles with those of the same configuration; makes pairs for new ones if `order` is given. */
static void
gather (WpStoreRows *rows, const WpStoreCommit *commit, const WpStoreCommit *older, GHashTable *pairs, GPtrArray *order)
{
  for (guint i = 0; commit->profiles != NULL && i < commit->profiles->len; i++)
    {
      WpStoreProfile *profile = commit->profiles->pdata[i];
      WpStorePair *pair = g_hash_table_lookup (pairs, profile->configuration);

      if (profile->entry->problem != NULL || !wp_store_rows_lets_through (rows, commit, profile))
        continue;
      if (pair == NULL && order != NULL)
        {
          pair = pair_new (older, commit);
          g_ptr_array_add (order, pair);
          g_hash_table_insert (pairs, profile->configuration, pair);
        }
      if (pair != NULL)
        g_ptr_array_add (order != NULL ? pair->b : pair->a, wp_store_profile_ref (profile));
    }
}

/* For each configuration of which both commits have profiles that can be read and pass the filter, all of these; in the newer one's order. */
static GPtrArray *
pairs_of_commits (WpStoreRows *rows, const WpStoreCommit *older, const WpStoreCommit *newer)
{
  g_autoptr (GHashTable) pairs = g_hash_table_new (wp_hash_string, g_str_equal);
  GPtrArray *order = g_ptr_array_new_with_free_func (wp_store_pair_free);

  gather (rows, newer, older, pairs, order);
  gather (rows, older, NULL, pairs, NULL);
  for (guint i = order->len; i-- > 0;)
    if (((const WpStorePair *) order->pdata[i])->a->len == 0)
      g_ptr_array_remove_index (order, i);
  return order;
}

GPtrArray *
wp_store_pairs_of_rows (WpStoreRows *rows, const WpStoreRow *newer, const WpStoreRow *older, GError **error)
{
  g_autoptr (GPtrArray) pairs = NULL;

  if (wp_store_row_kind (newer) != WP_STORE_ROW_COMMIT)
    {
      const WpStoreCommit *commits[] = { wp_store_row_commit (older), wp_store_row_commit (newer) };
      WpStorePair *pair = commits[0] == commits[1] ? pair_new (NULL, NULL) : pair_new (commits[0], commits[1]); /* one commit tells no sides apart */

      wp_store_row_add_profiles (older, pair->a);
      wp_store_row_add_profiles (newer, pair->b);
      pairs = g_ptr_array_new_with_free_func (wp_store_pair_free);
      g_ptr_array_add (pairs, pair);
      return g_steal_pointer (&pairs);
    }
  pairs = pairs_of_commits (rows, wp_store_row_commit (older), wp_store_row_commit (newer));
  if (pairs->len > 0 && pairs->len <= COMPARED_MOST)
    return g_steal_pointer (&pairs);
  if (pairs->len == 0)
    g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND, _("The two commits have no profiles of the same command"));
  else
    g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT,
                 _("The two commits have profiles of %u commands: choose one above the list"), pairs->len);
  return NULL;
}
