#include "paths/pseudo-stacks.h"

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
add_location (WpPseudoStacks *self, const char *name, WpId module, WpId function)
{
  WpFrames *frames = self->maker.stacks->frames;
  WpId text = intern (self, *name != '\0' ? name : "(unnamed)");

  wp_array_push (&frames->functions, ((WpStackFunction) { .name = text, .system_name = text }));
  wp_array_push (&frames->lines, ((WpStackLine) { .function = frames->functions.len - 1 }));
  wp_array_push (&frames->locations, ((WpLocation) { .module = module, .first_line = frames->lines.len - 1, .n_lines = 1 }));
  wp_array_push (&self->functions, function);
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
  return self->locations[function] = add_location (self, wp_trace_function_name (trace, function), self->modules[module], function);
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
  return *location = add_location (self, name, self->base_modules[kind], 0);
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

/* A stack of the trace on top of another one: a run of its own, so that it is looked up as a whole. */
static WpId
stack_on (WpPseudoStacks *self, WpId below, WpId stack)
{
  WpId *found;

  if (stack == 0)
    return below;
  found = wp_pair_map_at (&self->stacked, below, stack);
  if (*found != 0)
    return *found;
  self->run.len = 0;
  for (; stack != 0; stack = self->trace->stacks.data[stack].parent)
    wp_array_push (&self->run, location_of_function (self, self->trace->frames.data[self->trace->stacks.data[stack].frame].function));
  wp_stack_reverse (&self->run);
  return *found = wp_stacks_maker_stack (&self->maker, below, self->run.data, self->run.len);
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
  const WpOp *op = &self->trace->ops.data[self->paths->parts.data[part].op];

  self->part_stacks[part] = stack_on (self, base_of (self, part), op->kind == WP_OP_SLEEP ? op->detail : 0);
}

static void
take_run (WpPseudoStacks *self, const WpPiece *piece, WpSliceArray *slices)
{
  WpId base = base_of (self, piece->part);

  wp_part_slices (self->paths, piece->part, &self->slices);
  for (guint32 i = 0; i < self->slices.len; i++)
    {
      WpSlice slice = self->slices.data[i];
      WpId stack = slice.stack != 0 ? stack_on (self, base, slice.stack) : stack_on_location (self, base, self->not_sampled);
      gint64 start = MAX (slice.start, piece->start), end = MIN (slice.end, piece->end);

      if (start < end)
        wp_array_push (slices, ((WpSlice) { start, end, stack }));
    }
}

void
wp_pseudo_stacks_of_piece (WpPseudoStacks *self, const WpPiece *piece, WpSliceArray *slices)
{
  slices->len = 0;
  if (self->trace->ops.data[self->paths->parts.data[piece->part].op].kind == WP_OP_RUN)
    take_run (self, piece, slices);
  else
    wp_array_push (slices, ((WpSlice) { piece->start, piece->end, self->part_stacks[piece->part] }));
}

void
wp_pseudo_stacks_init (WpPseudoStacks *self, const WpPaths *paths)
{
  const WpTrace *trace = paths->trace;

  *self = (WpPseudoStacks) { .paths = paths, .trace = trace };
  wp_stacks_maker_init (&self->maker);
  self->locations = g_new0 (WpId, trace->functions.len);
  self->modules = g_new0 (WpId, trace->modules.len);
  self->task_bases = g_new0 (WpId, trace->tasks.len);
  self->part_stacks = g_new0 (WpId, paths->parts.len);
  wp_array_push (&self->functions, 0);
  self->not_sampled = add_location (self, WP_NOT_SAMPLED, 0, 0);
}

void
wp_pseudo_stacks_clear (WpPseudoStacks *self)
{
  wp_stacks_maker_clear (&self->maker);
  g_free (self->locations);
  g_free (self->modules);
  g_free (self->task_bases);
  g_free (self->part_stacks);
  wp_pair_map_clear (&self->bases);
  wp_pair_map_clear (&self->on_location);
  wp_pair_map_clear (&self->stacked);
  wp_array_clear (&self->functions);
  wp_array_clear (&self->slices);
  wp_array_clear (&self->run);
}
