#include "store/checker.h"

#include "base/hash.h"
#include "store/store-private.h"

/* The profiles of one configuration that a commit has. */
typedef struct
{
  char *key;
  GPtrArray *entries; /* WpStoreEntry, in the order of the index */
} Configuration;

/* What is known of a commit. */
typedef struct Node
{
  char hash[41];
  guint n_parents;
  struct Node **parents;
  GPtrArray *configurations; /* Configuration; NULL: not read yet */
  gboolean expanded;         /* the parents are known */
  guint seen;                /* the last search that came here */
} Node;

struct WpStoreChecker
{
  WpStore *store;
  GHashTable *nodes; /* Node by its hash */
  guint search;
};

/* --- what is known of commits ---------------------------------------------------------------------------------------------- */

static void
free_configuration (gpointer data)
{
  Configuration *configuration = data;

  g_free (configuration->key);
  g_ptr_array_unref (configuration->entries);
  g_free (configuration);
}

static void
free_node (gpointer data)
{
  Node *node = data;

  g_free (node->parents);
  g_clear_pointer (&node->configurations, g_ptr_array_unref);
  g_free (node);
}

WpStoreChecker *
wp_store_checker_new (WpStore *store)
{
  WpStoreChecker *self = g_new0 (WpStoreChecker, 1);

  self->store = store;
  self->nodes = g_hash_table_new_full (wp_hash_string, g_str_equal, NULL, free_node);
  return self;
}

void
wp_store_checker_free (WpStoreChecker *self)
{
  if (self == NULL)
    return;
  g_hash_table_unref (self->nodes);
  g_free (self);
}

static Node *
find_node (WpStoreChecker *self, const char *hash)
{
  Node *node = g_hash_table_lookup (self->nodes, hash);

  if (node != NULL)
    return node;
  node = g_new0 (Node, 1);
  g_strlcpy (node->hash, hash, sizeof node->hash);
  g_hash_table_insert (self->nodes, node->hash, node);
  return node;
}

static gboolean
expand (WpStoreChecker *self, Node *node, GError **error)
{
  WpMinorVersion info = { 0 };

  if (node->expanded)
    return TRUE;
  if (!wp_vcs_info (wp_store_vcs (self->store), node->hash, &info, error))
    return FALSE;
  node->expanded = TRUE;
  node->n_parents = info.n_parents;
  node->parents = g_new (Node *, MAX (info.n_parents, 1));
  for (guint i = 0; i < info.n_parents; i++)
    node->parents[i] = find_node (self, info.parents[i]);
  wp_minor_version_clear (&info);
  return TRUE;
}

static char *
key_of (const WpStoreEntry *entry)
{
  g_autofree char *postprocessors = g_strjoinv (",", entry->postprocessors);

  return g_strjoin ("\n", entry->collector, entry->cmd, entry->args, entry->workload, postprocessors, NULL);
}

static gboolean
load_configurations (WpStoreChecker *self, Node *node, GError **error)
{
  g_autoptr (GPtrArray) entries = NULL;
  g_autoptr (GHashTable) by_key = g_hash_table_new (wp_hash_string, g_str_equal);

  if (node->configurations != NULL)
    return TRUE;
  if (wp_store_has_profiles (self->store, node->hash))
    {
      entries = wp_store_index (self->store, node->hash, error);
      if (entries == NULL)
        return FALSE;
    }
  node->configurations = g_ptr_array_new_with_free_func (free_configuration);
  for (guint i = 0; entries != NULL && i < entries->len; i++)
    {
      g_autofree char *key = key_of (entries->pdata[i]);
      Configuration *configuration = g_hash_table_lookup (by_key, key);

      if (configuration == NULL)
        {
          configuration = g_new (Configuration, 1);
          *configuration = (Configuration) { g_steal_pointer (&key), g_ptr_array_new_with_free_func ((GDestroyNotify) wp_store_entry_free) };
          g_ptr_array_add (node->configurations, configuration);
          g_hash_table_insert (by_key, configuration->key, configuration);
        }
      g_ptr_array_add (configuration->entries, wp_store_entry_copy (entries->pdata[i]));
    }
  return TRUE;
}

/* --- one configuration ----------------------------------------------------------------------------------------------------- */

void
wp_store_checked_free (WpStoreChecked *checked)
{
  if (checked == NULL)
    return;
  g_free (checked->command);
  g_free (checked->problem);
  g_ptr_array_unref (checked->baseline);
  g_ptr_array_unref (checked->target);
  g_clear_pointer (&checked->verdicts, g_ptr_array_unref);
  g_free (checked);
}

static GPtrArray *
load_profiles (WpStoreChecker *self, const Configuration *configuration, GError **error)
{
  GPtrArray *profiles = g_ptr_array_new_with_free_func ((GDestroyNotify) wp_profile_free);

  for (guint i = 0; i < configuration->entries->len; i++)
    {
      WpProfile *profile = wp_store_load (self->store, configuration->entries->pdata[i], NULL, error);

      if (profile == NULL)
        {
          g_ptr_array_unref (profiles);
          return NULL;
        }
      g_ptr_array_add (profiles, profile);
    }
  return profiles;
}

static GPtrArray *
names_of (const Configuration *configuration)
{
  GPtrArray *names = g_ptr_array_new_with_free_func (g_free);

  for (guint i = 0; i < configuration->entries->len; i++)
    g_ptr_array_add (names, g_strdup (((const WpStoreEntry *) configuration->entries->pdata[i])->path));
  return names;
}

static char *
command_of (const WpStoreEntry *entry)
{
  const char *const parts[] = { entry->cmd, entry->args, entry->workload };
  g_autoptr (GString) command = g_string_new (NULL);

  for (guint i = 0; i < G_N_ELEMENTS (parts); i++)
    if (*parts[i] != '\0')
      g_string_append_printf (command, "%s%s", command->len > 0 ? " " : "", parts[i]);
  return g_strdup (command->str);
}

static WpStoreChecked *
checked_new (const Node *source, const Configuration *baseline, const Configuration *target, WpCheck check)
{
  WpStoreChecked *checked = g_new0 (WpStoreChecked, 1);

  g_strlcpy (checked->source, source->hash, sizeof checked->source);
  checked->command = command_of (target->entries->pdata[0]);
  checked->baseline = names_of (baseline);
  checked->target = names_of (target);
  checked->check = check;
  return checked;
}

/* FALSE: the settings make no sense. Profiles that cannot be read are told of. */
static gboolean
compare (WpStoreChecker *self, const Node *source, const Configuration *baseline, const Configuration *target, const GArray *given,
         GPtrArray *found, GError **error)
{
  g_autoptr (GError) problem = NULL;
  g_autoptr (GPtrArray) before = load_profiles (self, baseline, &problem);
  g_autoptr (GPtrArray) now = before != NULL ? load_profiles (self, target, &problem) : NULL;
  g_autoptr (GArray) checks = g_array_new (FALSE, FALSE, sizeof (WpCheck));

  if (given != NULL)
    g_array_append_vals (checks, given->data, given->len);
  else if (before != NULL && !wp_store_strategies (self->store, before->pdata[0], checks, error))
    return FALSE;
  if (now == NULL)
    {
      g_ptr_array_add (found, checked_new (source, baseline, target, checks->len > 0 ? g_array_index (checks, WpCheck, 0) : 0));
      ((WpStoreChecked *) found->pdata[found->len - 1])->problem = g_strdup (problem->message);
    }
  for (guint i = 0; now != NULL && i < checks->len; i++)
    {
      WpStoreChecked *checked = checked_new (source, baseline, target, g_array_index (checks, WpCheck, i));

      checked->verdicts = wp_check_run_sets (checked->check, before, now, &problem);
      checked->problem = problem != NULL ? g_strdup (problem->message) : NULL;
      g_clear_error (&problem);
      g_ptr_array_add (found, checked);
    }
  return TRUE;
}

/* --- the nearest ancestors ------------------------------------------------------------------------------------------------- */

/* Parents that this search has not met go to the end, so that nearer ones come first. */
static void
enqueue_parents (WpStoreChecker *self, const Node *node, GQueue *queue)
{
  for (guint i = 0; i < node->n_parents; i++)
    if (node->parents[i]->seen != self->search)
      {
        node->parents[i]->seen = self->search;
        g_queue_push_tail (queue, node->parents[i]);
      }
}

/* What an ancestor has of what is still looked for. */
static gboolean
check_ancestor (WpStoreChecker *self, const Node *node, GHashTable *left, const GArray *checks, GPtrArray *found, GError **error)
{
  for (guint i = 0; i < node->configurations->len; i++)
    {
      const Configuration *baseline = node->configurations->pdata[i], *target = g_hash_table_lookup (left, baseline->key);

      if (target == NULL)
        continue;
      g_hash_table_remove (left, baseline->key);
      if (!compare (self, node, baseline, target, checks, found, error))
        return FALSE;
    }
  return TRUE;
}

/* An ancestor's index that is damaged is passed over: the store says so of it. */
static gboolean
search (WpStoreChecker *self, Node *start, GHashTable *left, const GArray *checks, GPtrArray *found, GError **error)
{
  g_autoptr (GQueue) queue = g_queue_new ();
  Node *node;

  self->search++;
  start->seen = self->search;
  enqueue_parents (self, start, queue);
  while (g_hash_table_size (left) > 0 && (node = g_queue_pop_head (queue)) != NULL)
    {
      g_autoptr (GError) problem = NULL;

      if (expand (self, node, NULL))
        enqueue_parents (self, node, queue);
      if (!load_configurations (self, node, &problem))
        wp_store_note (self->store, node->hash, g_strdup_printf ("%s; its commit is passed over", problem->message));
      else if (!check_ancestor (self, node, left, checks, found, error))
        return FALSE;
    }
  return TRUE;
}

GPtrArray *
wp_store_checker_run (WpStoreChecker *self, const char *minor, const GArray *checks, GError **error)
{
  g_autoptr (GPtrArray) found = g_ptr_array_new_with_free_func ((GDestroyNotify) wp_store_checked_free);
  g_autoptr (GHashTable) left = g_hash_table_new (wp_hash_string, g_str_equal);
  Node *node = find_node (self, minor);

  if (!expand (self, node, error) || !load_configurations (self, node, error))
    return NULL;
  for (guint i = 0; i < node->configurations->len; i++)
    {
      Configuration *configuration = node->configurations->pdata[i];

      g_hash_table_insert (left, configuration->key, configuration);
    }
  return search (self, node, left, checks, found, error) ? g_steal_pointer (&found) : NULL;
}
