/* Steps of filters that make frames of labels. */
#include "base/pair-map.h"
#include "stacks/filter-steps.h"
#include "stacks/labels.h"

typedef struct
{
  const WpStacks *origin;
  WpStacksMaker maker;
  char **keys;
  WpPairMap frames;  /* key and value → location */
  WpPairMap places;  /* root and node → the node there */
  WpIdArray *runs;   /* set of labels → its frames, outermost first */
  WpIdArray path, run;
} Frames;

/* A function that is called as the label's value, in a file that is called as its key. */
static WpId
location_of (Frames *self, const char *key, const GString *value)
{
  WpStacks *stacks = self->maker.stacks;
  WpFrames *frames = stacks->frames;
  WpId file = wp_strings_intern (stacks->strings, key), name = wp_strings_intern_bytes (stacks->strings, value->str, value->len);
  guint32 *known = wp_pair_map_at (&self->frames, file, name);

  if (*known == 0)
    {
      wp_array_push (&frames->functions, ((WpStackFunction) { .name = name, .file = file }));
      wp_array_push (&frames->lines, ((WpStackLine) { .function = frames->functions.len - 1 }));
      wp_array_push (&frames->locations, ((WpLocation) { .first_line = frames->lines.len - 1, .n_lines = 1 }));
      *known = frames->locations.len - 1;
    }
  return *known;
}

static void
make_runs (Frames *self)
{
  const WpStacks *origin = self->origin;

  self->runs = g_new0 (WpIdArray, origin->labels->sets.len);
  for (WpId set = 0; set < origin->labels->sets.len; set++)
    for (guint k = 0; self->keys[k] != NULL; k++)
      {
        g_autoptr (GString) value = g_string_new (NULL);

        wp_label_append_values (origin, set, wp_label_key (origin, self->keys[k]), value);
        wp_array_push (&self->runs[set], location_of (self, self->keys[k], value));
      }
}

/* The stack on top of a root. */
static WpId
place (Frames *self, WpId root, WpId stack)
{
  const WpFrames *old = self->origin->frames;
  WpId at = stack, found;

  self->path.len = 0;
  for (; at != 0 && wp_pair_map_get (&self->places, root, at) == 0; at = old->nodes.data[at].prefix)
    wp_array_push (&self->path, at);
  found = at == 0 ? root : wp_pair_map_get (&self->places, root, at);
  for (guint32 i = self->path.len; i-- > 0;)
    {
      const WpStackNode *node = &old->nodes.data[self->path.data[i]];

      self->run.len = 0;
      for (guint32 l = 0; l < node->n; l++)
        wp_array_push (&self->run, wp_runs_get (&old->runs, node->first + l));
      found = wp_stacks_maker_stack (&self->maker, found, self->run.data, self->run.len);
      *wp_pair_map_at (&self->places, root, self->path.data[i]) = found;
    }
  return found;
}

static void
add_samples (Frames *self, gboolean leaf)
{
  const WpStacks *origin = self->origin;
  WpStacks *stacks = self->maker.stacks;

  for (guint32 i = 0; i < origin->n_samples; i++)
    {
      const WpIdArray *run = &self->runs[origin->sample_labels.data[i]];
      WpId root = leaf ? 0 : wp_stacks_maker_stack (&self->maker, 0, run->data, run->len);
      WpId stack = place (self, root, origin->sample_stacks.data[i]);

      wp_stacks_add_like (stacks, origin, i, leaf ? wp_stacks_maker_stack (&self->maker, stack, run->data, run->len) : stack);
    }
}

static WpStacks *
add_frames (WpStacks *origin, const char *keys, gboolean leaf)
{
  Frames self = { .origin = origin, .keys = g_strsplit (keys, ",", -1) };
  WpStacks *stacks = wp_stacks_new_like (origin, wp_frames_copy (origin->frames));

  wp_strings_free (stacks->strings);
  stacks->strings = wp_strings_copy (origin->strings);
  self.maker.stacks = stacks;
  make_runs (&self);
  add_samples (&self, leaf);
  for (WpId set = 0; set < origin->labels->sets.len; set++)
    wp_array_clear (&self.runs[set]);
  g_free (self.runs);
  g_strfreev (self.keys);
  wp_pair_map_clear (&self.frames);
  wp_pair_map_clear (&self.places);
  wp_array_clear (&self.path);
  wp_array_clear (&self.run);
  return wp_stacks_maker_take (&self.maker);
}

WpStacks *
wp_filter_tag_root (WpStacks *stacks, const char *keys, WpProgress *progress, GError **error)
{
  return add_frames (stacks, keys, FALSE);
}

WpStacks *
wp_filter_tag_leaf (WpStacks *stacks, const char *keys, WpProgress *progress, GError **error)
{
  return add_frames (stacks, keys, TRUE);
}
