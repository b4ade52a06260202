/* Steps of filters that make frames of labels. */
#include "base/pair-map.h"
#include "stacks/filter-steps.h"
#include "stacks/labels.h"

#define SAMPLES_PER_STEP 8192

typedef struct
{
  const WpStacks *origin;
  WpStacksMaker maker;
  gboolean leaf;
  char **keys;
  const char *unit;  /* of numbers */
  WpPairMap frames;  /* key and value → location */
  WpId *tags;        /* set of labels → the stack of its frames alone */
  WpId first_tag;    /* of these stacks */
  WpId *places, *placed; /* old stack → what it became last, and with which tag */
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
      wp_array_push (&frames->locations, ((WpLocation) { .first_line = frames->lines.len - 1, .n_lines = 1,
                                                         .of = g_str_equal (key, "process") ? WP_LOCATION_OF_PROCESS : WP_LOCATION_OF_LABEL }));
      *known = frames->locations.len - 1;
    }
  return *known;
}

/* As pprof has it: all values of a label are one frame. */
static void
push_values (Frames *self, WpId set, const char *key)
{
  g_autoptr (GString) value = g_string_new (NULL);

  wp_label_append_values (self->origin, set, wp_label_key (self->origin, key), self->unit, value);
  wp_array_push (&self->run, location_of (self, key, value));
}

/* Marks stand within one another: each is a frame, and what is in none has none. */
static void
push_marks (Frames *self, WpId set)
{
  const WpStacks *origin = self->origin;
  const WpLabelSet *row = &origin->labels->sets.data[set];
  WpId key = wp_label_key (origin, WP_LABEL_MARK);

  for (guint32 i = row->first; i < row->first + row->n; i++)
    {
      const WpLabel *label = &origin->labels->labels.data[i];
      g_autoptr (GString) value = NULL;

      if (label->key != key || label->is_number)
        continue;
      value = g_string_new (wp_stacks_text (origin, label->text));
      wp_array_push (&self->run, location_of (self, WP_LABEL_MARK, value));
    }
}

static void
make_tags (Frames *self)
{
  const WpStacks *origin = self->origin;

  self->first_tag = self->maker.stacks->frames->nodes.len;
  self->tags = g_new0 (WpId, origin->labels->sets.len);
  for (WpId set = 0; set < origin->labels->sets.len; set++)
    {
      self->run.len = 0;
      for (guint k = 0; self->keys[k] != NULL; k++)
        if (g_str_equal (self->keys[k], WP_LABEL_MARK))
          push_marks (self, set);
        else
          push_values (self, set, self->keys[k]);
      self->tags[set] = wp_stacks_maker_stack (&self->maker, 0, self->run.data, self->run.len);
    }
}

/* The same run on top of another stack. */
static WpId
add_node (WpFrames *frames, WpId prefix, WpStackNode node)
{
  wp_array_push (&frames->nodes, ((WpStackNode) { prefix, node.n, node.first }));
  return frames->nodes.len - 1;
}

/* The tag on top of the stack. */
static WpId
place_leaf (Frames *self, WpId tag, WpId stack)
{
  WpFrames *frames = self->maker.stacks->frames;

  if (self->placed[stack] == tag)
    return self->places[stack];
  self->placed[stack] = tag;
  return self->places[stack] = tag == 0 ? stack : add_node (frames, stack, frames->nodes.data[tag]);
}

/* The stack on top of the tag. */
static WpId
place_root (Frames *self, WpId tag, WpId stack)
{
  const WpFrames *old = self->origin->frames;
  WpId at = stack, found;

  self->path.len = 0;
  for (; at != 0 && self->placed[at] != tag; at = old->nodes.data[at].prefix)
    wp_array_push (&self->path, at);
  found = at != 0 ? self->places[at] : tag;
  for (guint32 i = self->path.len; i-- > 0;)
    {
      at = self->path.data[i];
      self->placed[at] = tag;
      found = self->places[at] = add_node (self->maker.stacks->frames, found, old->nodes.data[at]);
    }
  return found;
}

/* Samples in the order of their tags, so that each stack meets one after the other. */
static guint32 *
order_by_tag (const Frames *self)
{
  const WpStacks *origin = self->origin;
  guint32 n_tags = self->maker.stacks->frames->nodes.len - self->first_tag + 1;
  g_autofree guint32 *next = g_new0 (guint32, n_tags + 1);
  guint32 *order = g_new (guint32, origin->n_samples);

  for (guint32 pass = 0; pass < 2; pass++)
    {
      for (guint32 i = 0; i < origin->n_samples; i++)
        {
          WpId tag = self->tags[origin->sample_labels.data[i]];
          guint32 *place = &next[tag != 0 ? tag - self->first_tag + 1 : 0];

          if (pass == 0)
            place[1]++;
          else
            order[(*place)++] = i;
        }
      for (guint32 t = 0; t < n_tags && pass == 0; t++)
        next[t + 1] += next[t];
    }
  return order;
}

static gboolean
place_samples (Frames *self, WpProgress *progress, GError **error)
{
  const WpStacks *origin = self->origin;
  WpStacks *stacks = self->maker.stacks;
  g_autofree guint32 *order = order_by_tag (self);

  wp_stacks_take (stacks, origin, NULL);
  self->places = g_new (WpId, origin->frames->nodes.len);
  self->placed = g_new (WpId, origin->frames->nodes.len);
  memset (self->placed, 0xff, origin->frames->nodes.len * sizeof *self->placed);
  for (guint32 i = 0; i < origin->n_samples; i++)
    {
      WpId *stack = &stacks->sample_stacks.data[order[i]], tag = self->tags[origin->sample_labels.data[order[i]]];

      if (i % SAMPLES_PER_STEP == 0 && !wp_progress_step (progress, (double) i / origin->n_samples, error))
        return FALSE;
      *stack = self->leaf ? place_leaf (self, tag, *stack) : place_root (self, tag, *stack);
    }
  return TRUE;
}

static WpStacks *
add_frames (WpStacks *origin, const char *keys, const char *unit, gboolean leaf, WpProgress *progress, GError **error)
{
  Frames self = { .origin = origin, .leaf = leaf, .keys = g_strsplit (keys, ",", -1), .unit = unit };
  WpFrames *frames = wp_frames_copy (origin->frames);
  WpStacks *stacks = wp_stacks_new_like (origin, frames), *made = NULL;

  wp_strings_free (stacks->strings);
  stacks->strings = wp_strings_copy (origin->strings);
  frames->runs = wp_runs_copy (&origin->frames->runs);
  if (leaf)
    wp_array_copy (&frames->nodes, &origin->frames->nodes);
  self.maker.stacks = stacks;
  make_tags (&self);
  if (place_samples (&self, progress, error))
    made = wp_stacks_maker_take (&self.maker);
  wp_stacks_maker_clear (&self.maker);
  g_free (self.tags);
  g_free (self.places);
  g_free (self.placed);
  g_strfreev (self.keys);
  wp_pair_map_clear (&self.frames);
  wp_array_clear (&self.path);
  wp_array_clear (&self.run);
  return made;
}

WpStacks *
wp_filter_tag_root (WpStacks *stacks, const char *keys, const char *unit, WpProgress *progress, GError **error)
{
  return add_frames (stacks, keys, unit, FALSE, progress, error);
}

WpStacks *
wp_filter_tag_leaf (WpStacks *stacks, const char *keys, const char *unit, WpProgress *progress, GError **error)
{
  return add_frames (stacks, keys, unit, TRUE, progress, error);
}
