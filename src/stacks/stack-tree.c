/* Level by level, from the roots: a node holds the stacks that pass through it, as cursors into their runs. One step moves each of them to its next
 * frame and groups them by that. No frame of a run is looked at twice, and nothing is looked up. */
#include "stacks/stack-tree.h"

#include "stacks/graph.h"

#include <glib/gi18n.h>

#define STEPS_PER_LOOK 65536

/* Stacks that are turned over share less: so many steps always, and so many for each location there is. */
#define TURNED_ALWAYS (1 << 24)
#define TURNED_EACH 32

typedef struct
{
  WpId stack;
  guint32 at;    /* locations of its run that were passed */
  guint32 frame; /* frames of the location that were passed */
  guint32 group;
  WpGraphValue value;
} Cursor;

typedef WP_ARRAY (Cursor) Cursors;

/* The cursors that stand at a node. */
typedef struct
{
  WpId node;
  guint32 first, n;
} Place;

/* Those of a node that go to one frame next. */
typedef struct
{
  WpId parent;
  guint32 frame;
  guint32 n, first; /* cursors; where they stand then */
  WpGraphValue value;
  WpId node;        /* that they stand at then; 0: too small */
} Group;

typedef struct
{
  const WpStacks *stacks;
  const WpFrames *frames;
  const WpFrameNames *names;
  const WpStackTreeOptions *options;
  WpTree *tree;
  WpGraphValue *own, *whole; /* stack → what was spent in it, and in all that stand on it */
  WpId *first_child, *next;  /* stack → those that stand on it */
  guint32 *last_group;       /* frame → the group that it was found in last */
  guint8 *kinds;             /* module → WpFrameKind */
  Cursors standing, moving;
  WP_ARRAY (Place) places;
  WP_ARRAY (Group) groups;
  guint64 steps, looked, most_steps; /* looked: at the progress */
} Maker;

/* --- values ------------------------------------------------------------------------------------------------------- */

static inline void
add (WpGraphValue *value, WpGraphValue more)
{
  value->sum = wp_sum_capped (value->sum, more.sum);
  value->divisor = wp_sum_capped (value->divisor, more.divisor);
}

static inline gboolean
is_nothing (WpGraphValue value)
{
  return value.sum == 0 && value.divisor == 0;
}

static void
add_self (Maker *self, WpId id, WpGraphValue more)
{
  WpNode *node = &self->tree->nodes.data[id];

  node->self = wp_sum_capped (node->self, more.sum);
  node->self_divisor = wp_sum_capped (node->self_divisor, more.divisor);
}

static void
set_total (Maker *self, WpId id, WpGraphValue total)
{
  WpNode *node = &self->tree->nodes.data[id];

  node->total = total.sum;
  node->total_divisor = total.divisor;
}

/* --- where a cursor is -------------------------------------------------------------------------------------------- */

static WpId
location_at (const Maker *self, const Cursor *cursor)
{
  const WpStackNode *run = &self->frames->nodes.data[cursor->stack];
  guint32 at = self->options->inverted ? run->n - 1 - cursor->at : cursor->at;

  return wp_runs_get (&self->frames->runs, run->first + at);
}

static guint32
frame_at (const Maker *self, const Cursor *cursor)
{
  WpId location = location_at (self, cursor);
  guint32 first = self->names->first[location], last = self->names->first[location + 1] - 1;

  return self->names->frames.data[self->options->inverted ? last - cursor->frame : first + cursor->frame];
}

static void
pass_frame (const Maker *self, Cursor *cursor)
{
  WpId location = location_at (self, cursor);

  if (++cursor->frame < self->names->first[location + 1] - self->names->first[location])
    return;
  cursor->frame = 0;
  cursor->at++;
}

static gboolean
has_frame (const Maker *self, const Cursor *cursor)
{
  return cursor->at < self->frames->nodes.data[cursor->stack].n;
}

/* --- from level to level ------------------------------------------------------------------------------------------ */

static void
join_group (Maker *self, WpId node, Cursor cursor)
{
  guint32 frame = frame_at (self, &cursor), *last = &self->last_group[frame];

  if (*last >= self->groups.len || self->groups.data[*last].parent != node || self->groups.data[*last].frame != frame)
    {
      *last = self->groups.len;
      wp_array_push (&self->groups, ((Group) { .parent = node, .frame = frame }));
    }
  cursor.group = *last;
  self->groups.data[*last].n++;
  add (&self->groups.data[*last].value, cursor.value);
  wp_array_push (&self->moving, cursor);
}

/* A stack that has ended gives way to those that stand on it; one that is walked inwards to outwards, to that which it stands on. */
static void
follow (Maker *self, WpId node, Cursor cursor)
{
  for (;;)
    {
      self->steps++;
      if (has_frame (self, &cursor))
        {
          if (!self->options->collapse_recursion || node == 0 || self->tree->nodes.data[node].function != frame_at (self, &cursor) + 1)
            break;
          pass_frame (self, &cursor);
          continue;
        }
      if (!self->options->inverted)
        {
          add_self (self, node, self->own[cursor.stack]);
          for (WpId child = self->first_child[cursor.stack]; child != 0; child = self->next[child])
            wp_array_push (&self->standing, ((Cursor) { .stack = child, .value = self->whole[child] }));
          return;
        }
      if (cursor.stack == 0)
        {
          add_self (self, node, cursor.value);
          return;
        }
      cursor.stack = self->frames->nodes.data[cursor.stack].prefix;
      cursor.at = 0;
    }
  join_group (self, node, cursor);
}

static guint8
kind_of (const Maker *self, const Cursor *cursor)
{
  return wp_location_kind (&self->frames->locations.data[location_at (self, cursor)], self->kinds);
}

static WpId
add_node (Maker *self, WpId parent, const char *name, WpFrameKind kind, WpId function)
{
  wp_array_push (&self->tree->nodes,
                 ((WpNode) { .name = wp_strings_intern (self->tree->strings, name), .parent = parent, .kind = kind, .function = function }));
  return self->tree->nodes.len - 1;
}

/* Groups become nodes, and those that are too small one for each parent; the cursors of a node stand together afterwards. */
static void
make_nodes (Maker *self)
{
  gint64 least = self->groups.len > WP_STACK_TREE_ROW && !self->options->exact ? self->tree->nodes.data[0].total / WP_STACK_TREE_ROW : 0;
  guint32 first = 0;
  WpId small = 0;

  self->places.len = 0;
  for (guint32 i = 0; i < self->moving.len; i++)
    {
      const Cursor *cursor = &self->moving.data[i];
      Group *group = &self->groups.data[cursor->group];

      if (group->node != 0 || (least > 0 ? group->value.sum <= least : is_nothing (group->value)))
        continue;
      group->node = add_node (self, group->parent, self->names->names.data[group->frame].name, kind_of (self, cursor), group->frame + 1);
      group->first = first;
      set_total (self, group->node, group->value);
      wp_array_push (&self->places, ((Place) { group->node, first, group->n }));
      first += group->n;
    }
  for (guint32 g = 0; g < self->groups.len; g++)
    {
      const Group *group = &self->groups.data[g];

      if (group->node != 0 || is_nothing (group->value))
        continue;
      if (small == 0 || self->tree->nodes.data[small].parent != group->parent)
        small = add_node (self, group->parent, _("(too small to be seen)"), WP_FRAME_PROCESS, 0);
      add_self (self, small, group->value);
      self->tree->nodes.data[small].total = self->tree->nodes.data[small].self;
      self->tree->nodes.data[small].total_divisor = self->tree->nodes.data[small].self_divisor;
    }
  wp_array_resize (&self->standing, first);
}

static void
stand_together (Maker *self)
{
  for (guint32 i = 0; i < self->moving.len; i++)
    {
      Cursor cursor = self->moving.data[i];
      Group *group = &self->groups.data[cursor.group];

      if (group->node == 0)
        continue;
      pass_frame (self, &cursor);
      self->standing.data[group->first++] = cursor;
    }
}

/* Moves all cursors to their next frames. Whether there are any left is seen by the places. */
static gboolean
step (Maker *self, WpProgress *progress, GError **error)
{
  self->groups.len = 0;
  self->moving.len = 0;
  for (guint32 p = 0; p < self->places.len; p++)
    {
      const Place place = self->places.data[p];
      guint32 n = self->standing.len; /* what stands on stacks that end here is added behind */

      for (guint32 i = 0; i < place.n; i++)
        {
          follow (self, place.node, self->standing.data[place.first + i]);
          while (self->standing.len > n)
            follow (self, place.node, self->standing.data[--self->standing.len]);
        }
      if (self->steps - self->looked >= STEPS_PER_LOOK)
        {
          self->looked = self->steps;
          if (!wp_progress_step (progress, -1, error))
            return FALSE;
        }
    }
  if (self->steps > self->most_steps)
    {
      g_set_error (error, G_IO_ERROR, G_IO_ERROR_NOT_SUPPORTED, _("the stacks are too many and too deep to be turned over"));
      return FALSE;
    }
  make_nodes (self);
  stand_together (self);
  return TRUE;
}

/* --- where they begin --------------------------------------------------------------------------------------------- */

static void
sum_stacks (Maker *self)
{
  const WpStacks *stacks = self->stacks;
  const gint64 *values = stacks->values[self->options->type].data, *divisors = stacks->values[0].data;

  for (guint32 i = 0; i < stacks->n_samples; i++)
    add (&self->own[stacks->sample_stacks.data[i]],
         (WpGraphValue) { MAX (wp_magnitude (values[i]), 0), self->options->mean ? MAX (wp_magnitude (divisors[i]), 0) : 0 });
  memcpy (self->whole, self->own, self->frames->nodes.len * sizeof *self->own);
  for (WpId s = self->frames->nodes.len; s-- > 1;)
    {
      WpId prefix = self->frames->nodes.data[s].prefix;

      add (&self->whole[prefix], self->whole[s]);
      if (is_nothing (self->whole[s]))
        continue;
      self->next[s] = self->first_child[prefix];
      self->first_child[prefix] = s;
    }
}

/* All cursors stand at the root: of stacks that are turned over one for each that anything was spent in, else the empty stack's. */
static void
begin (Maker *self)
{
  if (!self->options->inverted)
    wp_array_push (&self->standing, ((Cursor) { .value = self->whole[0] }));
  for (WpId s = 0; self->options->inverted && s < self->frames->nodes.len; s++)
    if (!is_nothing (self->own[s]))
      wp_array_push (&self->standing, ((Cursor) { .stack = s, .value = self->own[s] }));
  wp_array_push (&self->places, ((Place) { 0, 0, self->standing.len }));
  set_total (self, 0, self->whole[0]);
  self->most_steps = self->options->inverted ? TURNED_ALWAYS + TURNED_EACH * self->frames->runs.n : G_MAXUINT64;
}

guint8 *
wp_stacks_module_kinds (const WpStacks *stacks)
{
  guint8 *kinds = g_new (guint8, stacks->frames->modules.len);

  for (WpId m = 0; m < stacks->frames->modules.len; m++)
    kinds[m] = wp_module_frame_kind (wp_stacks_text (stacks, stacks->frames->modules.data[m].file));
  return kinds;
}

WpTree *
wp_stack_tree_new (const WpStacks *stacks, const WpFrameNames *names, const WpStackTreeOptions *options, WpProgress *progress, GError **error)
{
  const WpFrames *frames = stacks->frames;
  Maker self = { .stacks = stacks, .frames = frames, .names = names, .options = options, .tree = wp_tree_alloc () };
  gboolean done = TRUE;

  self.own = g_new0 (WpGraphValue, frames->nodes.len);
  self.whole = g_new0 (WpGraphValue, frames->nodes.len);
  self.first_child = g_new0 (WpId, frames->nodes.len);
  self.next = g_new0 (WpId, frames->nodes.len);
  self.last_group = g_new0 (guint32, MAX (names->names.len, 1));
  self.kinds = wp_stacks_module_kinds (stacks);
  sum_stacks (&self);
  begin (&self);
  while (done && self.places.len > 0)
    done = step (&self, progress, error);
  if (done)
    wp_tree_link (self.tree);
  else
    g_clear_pointer (&self.tree, wp_tree_free);
  g_free (self.own);
  g_free (self.whole);
  g_free (self.first_child);
  g_free (self.next);
  g_free (self.last_group);
  g_free (self.kinds);
  wp_array_clear (&self.standing);
  wp_array_clear (&self.moving);
  wp_array_clear (&self.places);
  wp_array_clear (&self.groups);
  return self.tree;
}
