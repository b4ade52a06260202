#include "stacks/chrome-parts.h"

#include "stacks/sums.h"

/* What is known of a profile so far. */
typedef struct
{
  guint32 thread;
  GHashTable *stacks; /* id of a node → its stack */
  double at;          /* of the last sample, µs */
  gboolean has_start; /* else that is since the first one */
  WpId pending;       /* its stack, whose weight is not known before the next one */
  gboolean has_pending;
} Profile;

/* --- members ------------------------------------------------------------------------------------------------------ */

static WpId
read_call_frame (WpJsonReader *json, WpChromeRows *rows)
{
  WpId name = 0, file = 0;
  gint64 line = -1, column = -1;
  const char *key;

  wp_json_reader_object (json);
  while ((key = wp_json_reader_key (json)) != NULL)
    if (g_str_equal (key, "functionName"))
      name = wp_chrome_read_text (json, rows);
    else if (g_str_equal (key, "url"))
      file = wp_chrome_read_text (json, rows);
    else if (g_str_equal (key, "lineNumber"))
      line = wp_chrome_read_whole (json);
    else if (g_str_equal (key, "columnNumber"))
      column = wp_chrome_read_whole (json);
    else
      wp_json_reader_skip (json);
  if (name == 0)
    name = wp_strings_intern (rows->maker.stacks->strings, "(anonymous)");
  return wp_chrome_location (rows, name, file, wp_sum (line, 1), wp_sum (column, 1)); /* they are counted from 0 */
}

/* Children are told by the parent in .cpuprofile, the parent by its children in chunks. */
static void
read_nodes (WpChromeChunk *self, WpJsonReader *json, WpChromeRows *rows)
{
  if (!wp_json_reader_array (json))
    return;
  while (wp_json_reader_item (json))
    {
      WpChromeNode node = { 0 };
      const char *key;

      wp_json_reader_object (json);
      while ((key = wp_json_reader_key (json)) != NULL)
        if (g_str_equal (key, "id"))
          node.id = wp_chrome_read_whole (json);
        else if (g_str_equal (key, "parent"))
          {
            node.parent = wp_chrome_read_whole (json);
            node.has_parent = TRUE;
          }
        else if (g_str_equal (key, "callFrame"))
          node.location = read_call_frame (json, rows);
        else if (g_str_equal (key, "children") && wp_json_reader_kind (json) == WP_JSON_ARRAY)
          {
            wp_json_reader_array (json);
            while (wp_json_reader_item (json))
              wp_array_push (&self->nodes, ((WpChromeNode) { .id = wp_chrome_read_whole (json), .parent = node.id, .has_parent = TRUE }));
          }
        else
          wp_json_reader_skip (json);
      wp_array_push (&self->nodes, node);
    }
}

void
wp_chrome_chunk_read (WpChromeChunk *self, const char *key, WpJsonReader *json, WpChromeRows *rows)
{
  if (g_str_equal (key, "nodes"))
    read_nodes (self, json, rows);
  else if (g_str_equal (key, "samples") && wp_json_reader_kind (json) == WP_JSON_ARRAY)
    {
      wp_json_reader_array (json);
      while (wp_json_reader_item (json))
        wp_array_push (&self->samples, wp_chrome_read_whole (json));
    }
  else if (g_str_equal (key, "timeDeltas") && wp_json_reader_kind (json) == WP_JSON_ARRAY)
    {
      wp_json_reader_array (json);
      while (wp_json_reader_item (json))
        wp_array_push (&self->deltas, wp_chrome_read_real (json));
    }
  else if (g_str_equal (key, "startTime"))
    {
      self->start_time = wp_chrome_read_real (json);
      self->has_start = TRUE;
    }
  else if (g_str_equal (key, "endTime"))
    {
      self->end_time = wp_chrome_read_real (json);
      self->has_end = TRUE;
    }
  else
    wp_json_reader_skip (json);
}

void
wp_chrome_chunk_empty (WpChromeChunk *self)
{
  self->nodes.len = self->samples.len = self->deltas.len = 0;
  self->start_time = self->end_time = 0;
  self->has_start = self->has_end = FALSE;
}

void
wp_chrome_chunk_clear (WpChromeChunk *self)
{
  wp_array_clear (&self->nodes);
  wp_array_clear (&self->samples);
  wp_array_clear (&self->deltas);
}

/* --- profiles ----------------------------------------------------------------------------------------------------- */

static void
profile_free (gpointer data)
{
  Profile *self = data;

  g_hash_table_unref (self->stacks);
  g_free (self);
}

void
wp_chrome_profiles_init (WpChromeProfiles *self)
{
  self->profiles = g_hash_table_new_full (wp_hash_string, g_str_equal, g_free, profile_free);
}

void
wp_chrome_profiles_clear (WpChromeProfiles *self)
{
  g_hash_table_unref (self->profiles);
}

static Profile *
find_profile (WpChromeProfiles *self, gint64 pid, gint64 tid, WpId id, WpChromeRows *rows)
{
  g_autofree char *key = g_strdup_printf ("%" G_GINT64_FORMAT ":%u", pid, id);
  Profile *profile = g_hash_table_lookup (self->profiles, key);

  if (profile != NULL)
    return profile;
  profile = g_new0 (Profile, 1);
  profile->stacks = g_hash_table_new_full (wp_hash_int64, g_int64_equal, g_free, NULL);
  profile->thread = wp_chrome_thread (rows, pid, tid);
  g_hash_table_insert (self->profiles, g_steal_pointer (&key), profile);
  return profile;
}

static WpId
stack_of (const Profile *profile, gint64 id)
{
  return GPOINTER_TO_UINT (g_hash_table_lookup (profile->stacks, &id));
}

static void
set_stack (Profile *profile, gint64 id, WpId stack)
{
  g_hash_table_insert (profile->stacks, g_memdup2 (&id, sizeof id), GUINT_TO_POINTER (stack));
}

/* Parents come before their children in the list, but for what `children` says of nodes that follow: those rows tell the parent only. The root,
 * which has none, is no frame. */
static void
take_nodes (Profile *profile, const WpChromeChunk *chunk, WpChromeRows *rows)
{
  g_autoptr (GHashTable) parents = g_hash_table_new_full (wp_hash_int64, g_int64_equal, g_free, g_free);

  for (guint32 i = 0; i < chunk->nodes.len; i++)
    {
      const WpChromeNode *node = &chunk->nodes.data[i];

      if (node->has_parent)
        g_hash_table_insert (parents, g_memdup2 (&node->id, sizeof node->id), g_memdup2 (&node->parent, sizeof node->parent));
    }
  for (guint32 i = 0; i < chunk->nodes.len; i++)
    {
      const WpChromeNode *node = &chunk->nodes.data[i];
      const gint64 *parent = g_hash_table_lookup (parents, &node->id);

      if (node->location != 0)
        set_stack (profile, node->id, parent == NULL ? 0 : wp_stacks_maker_stack (&rows->maker, stack_of (profile, *parent), &node->location, 1));
    }
}

static void
end_pending (Profile *profile, double at, WpChromeRows *rows)
{
  if (profile->has_pending)
    wp_chrome_sample (rows, profile->thread, profile->pending, wp_chrome_ns (profile->at), wp_chrome_ns (at - profile->at));
  profile->has_pending = FALSE;
}

/* A sample lasts until the next one. */
static void
take_samples (Profile *profile, const WpChromeChunk *chunk, WpChromeRows *rows)
{
  for (guint32 i = 0; i < chunk->samples.len; i++)
    {
      double at = profile->at + (i < chunk->deltas.len ? chunk->deltas.data[i] : 0);

      end_pending (profile, at, rows);
      profile->at = at;
      profile->pending = stack_of (profile, chunk->samples.data[i]);
      profile->has_pending = TRUE;
    }
}

void
wp_chrome_profiles_add (WpChromeProfiles *self, const WpChromeChunk *chunk, gint64 pid, gint64 tid, WpId id, WpChromeRows *rows)
{
  Profile *profile = find_profile (self, pid, tid, id, rows);

  if (chunk->has_start)
    {
      profile->at = chunk->start_time;
      profile->has_start = TRUE;
    }
  take_nodes (profile, chunk, rows);
  take_samples (profile, chunk, rows);
  if (chunk->has_end && profile->has_start) /* the last sample lasts until then */
    end_pending (profile, chunk->end_time, rows);
}
