#include "paths/pseudo-stacks.h"

#include "base/free-aside.h"
#include "base/search.h"
#include "paths/stacks.h"

/* What the frame on which an operation's own frames stand has for a module. */
static const char *const base_modules[WP_OP_KIND_COUNT] = {
  [WP_OP_RUN] = WP_MODULE_PROCESS,      [WP_OP_SLEEP] = WP_MODULE_PROCESS, [WP_OP_DISK] = WP_MODULE_DISK,
  [WP_OP_DISK_QUEUE] = WP_MODULE_QUEUE, [WP_OP_NET] = WP_MODULE_NETWORK,
};

static WpId
intern (WpPseudoStacks *self, const char *text)
{
  return wp_strings_intern (self->maker.stacks->strings, text);
}

/* --- frames ------------------------------------------------------------------------------------------------------- */

static WpId
add_location (WpPseudoStacks *self, const char *name, WpId module, WpId function, guint8 code)
{
  WpFrames *frames = self->maker.stacks->frames;
  WpId text = intern (self, *name != '\0' ? name : "(unnamed)");

  wp_array_push (&frames->functions, ((WpStackFunction) { .name = text, .system_name = text }));
  wp_array_push (&frames->lines, ((WpStackLine) { .function = frames->functions.len - 1 }));
  wp_array_push (&frames->locations, ((WpLocation) { .module = module, .first_line = frames->lines.len - 1, .n_lines = 1 }));
  wp_array_push (&self->functions, function);
  wp_array_push (&self->code, code);
  return frames->locations.len - 1;
}

static WpId
add_module (WpPseudoStacks *self, const char *file, const char *build_id)
{
  WpFrames *frames = self->maker.stacks->frames;

  wp_array_push (&frames->modules, ((WpStackModule) { .file = intern (self, file), .build_id = intern (self, build_id),
                                                      .has = WP_MODULE_HAS_FUNCTIONS }));
  return frames->modules.len - 1;
}

static WpId
location_of_function (WpPseudoStacks *self, WpId function)
{
  const WpTrace *trace = self->trace;
  WpId module = trace->functions.data[function].module;

  if (self->locations[function] != 0)
    return self->locations[function];
  if (module != 0 && self->modules[module] == 0)
    self->modules[module] = add_module (self, wp_trace_string (trace, trace->modules.data[module].path),
                                        wp_trace_string (trace, trace->modules.data[module].build_id));
  return self->locations[function] = add_location (self, wp_trace_function_name (trace, function), self->modules[module],
                                                   function,
                                                   wp_depth_code (&self->depths, &(WpDepthFrame) { .kind = WP_DEPTH_FRAME_FUNCTION,
                                                                                                   .function = function }));
}

static WpId
location_of_words (WpPseudoStacks *self, const WpDepthFrame *frame)
{
  static const char *const modules[WP_DEPTH_FRAME_KIND_COUNT] = {
    [WP_DEPTH_FRAME_CPU] = WP_MODULE_CPU, [WP_DEPTH_FRAME_INTERRUPT] = WP_MODULE_INTERRUPT,
  };
  WpId *known;

  if (self->worded.len <= frame->label)
    wp_array_resize (&self->worded, frame->label + 1);
  known = &self->worded.data[frame->label];
  if (*known != 0)
    return *known;
  if (modules[frame->kind] != NULL && self->worded_modules[frame->kind] == 0)
    self->worded_modules[frame->kind] = add_module (self, modules[frame->kind], "");
  return *known = add_location (self, wp_strings_get (self->depths.words.strings, frame->label),
                                self->worded_modules[frame->kind], 0, wp_depth_code (&self->depths, frame));
}

/* A process' or device's name, which an operation's own frames stand on. */
static WpId
add_base (WpPseudoStacks *self, WpId task_name, WpOpKind kind)
{
  const char *name = wp_trace_string (self->trace, task_name);
  WpId *location = wp_pair_map_at (&self->bases, task_name, kind);
  g_autofree char *queue = NULL;

  if (*location != 0)
    return *location;
  if (self->base_modules[kind] == 0)
    self->base_modules[kind] = add_module (self, base_modules[kind], "");
  if (kind == WP_OP_DISK_QUEUE)
    name = queue = g_strdup_printf ("%s queue", name);
  return *location = add_location (self, name, self->base_modules[kind], 0, FALSE);
}

/* All operations of a task are of one kind, but for those of a disk. */
static WpId
location_of_base (WpPseudoStacks *self, const WpOp *op)
{
  WpId *location = &self->task_bases[op->task];

  if (op->kind == WP_OP_DISK_QUEUE)
    return add_base (self, wp_paths_task_name (self->paths, op->task), WP_OP_DISK_QUEUE);
  if (*location == 0)
    *location = add_base (self, wp_paths_task_name (self->paths, op->task), op->kind == WP_OP_SLEEP ? WP_OP_RUN : op->kind);
  return *location;
}

/* --- stacks ------------------------------------------------------------------------------------------------------- */

static WpId
stack_on_location (WpPseudoStacks *self, WpId below, WpId location)
{
  WpId *found = wp_pair_map_at (&self->on_location, below, location);

  return *found != 0 ? *found : (*found = wp_stacks_maker_stack (&self->maker, below, &location, 1));
}

static void
add_hidden (WpPseudoStacks *self, WpId below, WpId stack, guint32 frame, WpId inner, WpId outer)
{
  if (inner != outer)
    wp_array_push (&self->hidden, ((WpPseudoHidden) { .stack = frame == 0 ? below : stack, .n = frame,
                                                      .inner = inner, .outer = outer }));
}

static void
note_hidden (WpPseudoStacks *self, WpId below, WpId stack)
{
  for (guint32 i = 0; i < self->frames.len; i++)
    {
      const WpDepthFrame *frame = &self->frames.data[i];

      add_hidden (self, below, stack, i, frame->inner, frame->outer);
      if (frame->kind == WP_DEPTH_FRAME_UNNAMED)
        self->hidden.data[self->hidden.len - 1].unnamed = TRUE;
    }
  for (guint32 i = 0; i < self->depths.charged.len; i++)
    {
      const WpCharged *charged = &self->depths.charged.data[i];

      add_hidden (self, below, stack, charged->frame, charged->inner, charged->outer);
    }
}

/* A stack at the depth on top of another one: a run of its own, so that it is looked up as a whole. */
static WpId
stack_on (WpPseudoStacks *self, WpId below, WpId stack)
{
  WpId *found;

  if (stack == 0)
    return below;
  found = wp_pair_map_at (&self->stacked, below, stack);
  if (*found != 0)
    return *found;
  wp_depth_frames (&self->depths, stack, &self->frames);
  self->run.len = 0;
  for (guint32 i = 1; i < self->frames.len; i++)
    {
      const WpDepthFrame *frame = &self->frames.data[i];

      wp_array_push (&self->run, frame->function != 0 ? location_of_function (self, frame->function)
                                 : frame->label != 0 ? location_of_words (self, frame) : self->not_sampled);
    }
  *found = wp_stacks_maker_stack (&self->maker, below, self->run.data, self->run.len);
  note_hidden (self, below, *found);
  return *found;
}

/* What the part's own frames stand on: the frame of its process or device, above its parent's innermost one. */
static WpId
base_of (WpPseudoStacks *self, WpId part)
{
  const WpPart *p = &self->paths->parts.data[part];

  return stack_on_location (self, self->part_stacks[p->parent], location_of_base (self, &self->trace->ops.data[p->op]));
}

void
wp_pseudo_stacks_place (WpPseudoStacks *self, WpId part)
{
  WpId op = self->paths->parts.data[part].op;
  gboolean sleep = self->trace->ops.data[op].kind == WP_OP_SLEEP;

  self->part_stacks[part] = stack_on (self, base_of (self, part), sleep ? wp_depth_sleep_stack (&self->depths, op) : 0);
}

void
wp_pseudo_stacks_of_piece (WpPseudoStacks *self, const WpPiece *piece, WpSliceArray *slices)
{
  gboolean run = self->trace->ops.data[self->paths->parts.data[piece->part].op].kind == WP_OP_RUN;
  WpId base = base_of (self, piece->part);

  slices->len = 0;
  if (self->sliced != piece->part)
    wp_depth_slices (&self->depths, piece->part, &self->slices);
  self->sliced = piece->part;
  for (guint32 i = WP_SEARCH (0, self->slices.len, k, self->slices.data[k].end <= piece->start);
       i < self->slices.len && self->slices.data[i].start < piece->end; i++)
    {
      WpSlice slice = self->slices.data[i];
      gint64 start = MAX (slice.start, piece->start), end = MIN (slice.end, piece->end);

      if (start < end)
        wp_array_push (slices, ((WpSlice) { start, end, run && slice.stack == 0 ? stack_on_location (self, base, self->not_sampled)
                                                                               : stack_on (self, base, slice.stack) }));
    }
}

gboolean
wp_pseudo_stacks_init (WpPseudoStacks *self, const WpPaths *paths, WpDepthChoice depth, WpProgress *progress, GError **error)
{
  const WpTrace *trace = paths->trace;
  gboolean done;

  *self = (WpPseudoStacks) { .paths = paths, .trace = trace };
  wp_stacks_maker_init (&self->maker);
  done = wp_depths_init (&self->depths, paths, depth, progress, error);
  self->locations = g_new0 (WpId, trace->functions.len);
  self->modules = g_new0 (WpId, trace->modules.len);
  self->task_bases = g_new0 (WpId, trace->tasks.len);
  self->part_stacks = g_new0 (WpId, paths->parts.len);
  wp_array_push (&self->functions, 0);
  wp_array_push (&self->code, 0);
  self->not_sampled = add_location (self, WP_NOT_SAMPLED, 0, 0, 0);
  return done;
}

void
wp_pseudo_stacks_clear (WpPseudoStacks *self)
{
  wp_stacks_maker_clear (&self->maker);
  wp_depths_clear (&self->depths);
  wp_array_clear (&self->hidden);
  wp_array_clear (&self->frames);
  wp_array_clear (&self->worded);
  g_free (self->locations);
  g_free (self->modules);
  g_free (self->task_bases);
  wp_free_many_aside (self->part_stacks, self->paths->parts.len, g_free);
  wp_pair_map_clear (&self->bases);
  wp_pair_map_clear (&self->on_location);
  wp_pair_map_clear (&self->stacked);
  wp_array_clear (&self->functions);
  wp_array_clear (&self->code);
  wp_array_clear (&self->slices);
  wp_array_clear (&self->run);
}
