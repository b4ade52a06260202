#include "paths/depth.h"

#include "base/free-aside.h"
#include "paths/terms.h"
#include "stacks/tree.h"
#include "trace/interrupts.h"
#include "trace/kernel-names.h"

#include <glib/gi18n.h>

static const char *const ids[WP_DEPTH_COUNT] = { [WP_DEPTH_ALL] = "all", [WP_DEPTH_FUNCTIONS] = "functions", [WP_DEPTH_WAITS] = "waits" };

const char *
wp_depth_id (WpDepth depth)
{
  return ids[depth];
}

WpDepth
wp_depth_from_id (const char *id)
{
  WpDepth depth = 0;

  while (depth < WP_DEPTH_COUNT && !g_str_equal (id, ids[depth]))
    depth++;
  return depth;
}

/* --- what main() and threads begin in, and what rules hide --------------------------------------------------------- */

/* What is known of a function. */
enum
{
  NOT_LOOKED_UP,
  IT_IS,
  IT_IS_NOT,
};

/* Of the C library (glibc's and musl's), and of Go. */
static const char *const starters[] = {
  "_start", "_start_c", "__libc_start_main", "__libc_start_main_impl", "__libc_start_main_stage2", "__libc_start_call_main",
  "clone", "__clone", "clone3", "__clone3", "start_thread", "runtime.goexit", "runtime.goexit.abi0",
};

static gboolean
is_starter (WpDepths *self, WpId function)
{
  guint8 *known = &self->starters[function];

  if (*known == NOT_LOOKED_UP)
    {
      const char *name = wp_trace_function_name (self->words.trace, function);
      g_autofree char *plain = g_strndup (name, strcspn (name, "@")); /* of a symbol's version */

      *known = IT_IS_NOT;
      for (guint i = 0; i < G_N_ELEMENTS (starters); i++)
        if (g_str_equal (plain, starters[i]))
          *known = IT_IS;
    }
  return *known == IT_IS;
}

static gboolean
is_hidden (WpDepths *self, WpId function)
{
  guint8 *known = &self->hides[function];

  if (*known == NOT_LOOKED_UP)
    *known = wp_hide_rules_hide (self->choice.hide, self->words.trace, function) ? IT_IS : IT_IS_NOT;
  return *known == IT_IS;
}

/* --- stacks with words -------------------------------------------------------------------------------------------- */

/* Numbers after those of the trace's own stacks. */
static WpId
worded_stack (WpDepths *self, WpId stack, WpId words)
{
  WpId *id = wp_pair_map_at (&self->ids, stack, words);

  if (*id == 0)
    {
      wp_array_push (&self->worded, ((WpWordedStack) { stack, words }));
      *id = self->worded.len;
    }
  return self->words.trace->stacks.len + *id - 1;
}

/* The same on top of another one, where it was recorded without a user stack. */
static WpId
stack_on_other (WpDepths *self, WpId stack, WpId below, gboolean whole, gboolean run)
{
  guint32 n_stacks = self->words.trace->stacks.len;
  WpWordedStack worded = { .stack = stack };
  WpId *place, *id;

  if (below == 0)
    return stack;
  place = wp_pair_map_at (&self->places, below, (run != FALSE) << 1 | !whole);
  if (*place == 0)
    *place = ++self->n_places;
  id = wp_pair_map_at (&self->on_others, stack, *place);
  if (*id == 0)
    {
      if (stack >= n_stacks)
        worded = self->worded.data[stack - n_stacks];
      worded.below = below;
      worded.at_least = !whole;
      worded.run = run;
      wp_array_push (&self->worded, worded);
      *id = self->worded.len;
    }
  return n_stacks + *id - 1;
}

/* An interrupt handler on top of what it interrupted. */
static WpId
interrupted_stack (WpDepths *self, WpId stack, WpId name)
{
  guint32 n_stacks = self->words.trace->stacks.len;
  WpWordedStack worded = { .stack = stack };
  WpId *words, *id;

  if (self->handlers.len <= name)
    wp_array_resize (&self->handlers, name + 1);
  words = &self->handlers.data[name];
  if (*words == 0 && name == 0)
    *words = self->interrupt;
  else if (*words == 0)
    { /* Translators: of an interrupt handler: “interrupt: virtio0-input.0” */
      g_autofree char *text = g_strdup_printf (_("interrupt: %s"), wp_trace_string (self->words.trace, name));

      *words = wp_strings_intern (self->words.strings, text);
    }
  id = wp_pair_map_at (&self->interrupted, stack, *words);
  if (*id == 0)
    {
      if (stack >= n_stacks)
        worded = self->worded.data[stack - n_stacks];
      worded.interrupt = *words;
      wp_array_push (&self->worded, worded);
      *id = self->worded.len;
    }
  return n_stacks + *id - 1;
}

/* Whether what would be hidden from this stack outwards is shown. */
static gboolean
is_opened (const WpDepths *self, WpId stack)
{
  return self->choice.depth == WP_DEPTH_ALL || (self->choice.opened != NULL && self->choice.opened[stack]);
}

/* A preemption's stack, or words of it. */
static WpId
preemption_on_other (WpDepths *self, WpId op, WpId stack)
{
  gboolean whole;
  WpId below = wp_at_least_of_op (self->at_least, op, &whole);

  if (self->choice.depth == WP_DEPTH_WAITS && !is_opened (self, self->words.trace->ops.data[op].detail))
    return stack;
  return stack_on_other (self, stack, below, whole, FALSE);
}

static WpId
words_of_lost (const WpDepths *self, const WpOp *op)
{
  return !(op->flags & WP_OP_LOST) ? 0 : op->flags & WP_OP_PAUSED ? self->paused : self->lost;
}

WpId
wp_depth_sleep_stack (WpDepths *self, WpId op)
{
  const WpOp *sleep = &self->words.trace->ops.data[op];
  WpId lost = sleep->detail == 0 ? words_of_lost (self, sleep) : 0; /* of what has a stack one knows what it began with */

  if (is_opened (self, sleep->detail))
    return preemption_on_other (self, op, sleep->detail);
  return preemption_on_other (self, op, worded_stack (self, sleep->detail, lost != 0 ? lost : wp_wait_words_of (&self->words, op)));
}

/* When a sleep is known to be ready: where its wakeup lies in a loss, nothing is known before the end of that. */
static gint64
ready_since (const WpDepths *self, WpId sleep)
{
  gint64 since = wp_paths_woken (self->words.paths, sleep);
  guint32 loss;

  if (!(self->words.trace->ops.data[sleep].flags & WP_OP_LOST))
    return since;
  loss = wp_losses_after (&self->losses, since);
  return loss < self->losses.len && self->losses.data[loss].start <= since ? self->losses.data[loss].end : since;
}

gint64
wp_depth_cpu_since (WpDepths *self, WpId part)
{
  const WpPart *parts = self->words.paths->parts.data, *p = &parts[part];
  const WpOp *op = &self->words.trace->ops.data[p->op];
  gint64 since;

  if (is_opened (self, op->detail))
    return p->end;
  if (part == self->asked)
    return self->since;
  since = ready_since (self, p->op);
  for (WpId child = p->first_child; child != 0 && parts[child].start < p->end; child = parts[child].next)
    since = MAX (since, parts[child].end);
  self->asked = part;
  return self->since = CLAMP (since, p->start, p->end);
}

static void
slice_sleep (WpDepths *self, WpId part, WpSliceArray *slices)
{
  const WpPart *p = &self->words.paths->parts.data[part];
  const WpOp *op = &self->words.trace->ops.data[p->op];
  gint64 since = wp_depth_cpu_since (self, part);

  if (is_opened (self, op->detail))
    {
      for (guint32 i = 0; i < slices->len; i++)
        slices->data[i].stack = preemption_on_other (self, p->op, slices->data[i].stack);
      return;
    }
  slices->len = 0;
  if (since > p->start || p->start == p->end)
    wp_array_push (slices, ((WpSlice) { p->start, since, wp_depth_sleep_stack (self, p->op) }));
  if (since < p->end)
    wp_array_push (slices, ((WpSlice) { since, p->end, preemption_on_other (self, p->op, worded_stack (self, op->detail, self->cpu)) }));
}

/* Of a run that no sample met its neighbours say where it stood; of samples that the kernel held back those around them. */
static void
place_unsampled (WpDepths *self, WpId op, WpSliceArray *slices)
{
  for (guint32 i = 0, end; i < slices->len; i = end + 1)
    {
      gboolean whole = FALSE;
      WpId below = 0;

      for (end = i; end < slices->len && slices->data[end].stack == 0;)
        end++;
      if (i == 0 && end == slices->len)
        below = wp_at_least_of_op (self->at_least, op, &whole);
      else if (i > 0 && end < slices->len)
        below = wp_at_least_between (self->words.trace, slices->data[i - 1].stack, slices->data[end].stack);
      for (guint32 k = i; k < end; k++)
        slices->data[k].stack = stack_on_other (self, 0, below, whole, TRUE);
    }
}

static void
slice_run (WpDepths *self, const WpPart *part, WpSliceArray *slices)
{
  WpId lost = words_of_lost (self, &self->words.trace->ops.data[part->op]);

  if (self->choice.depth != WP_DEPTH_WAITS || is_opened (self, 0))
    place_unsampled (self, part->op, slices);
  for (guint32 i = 0; i < slices->len && self->choice.depth == WP_DEPTH_WAITS; i++)
    if (slices->data[i].stack < self->words.trace->stacks.len && !is_opened (self, slices->data[i].stack))
      slices->data[i].stack = worded_stack (self, slices->data[i].stack, lost != 0 ? lost : self->runs);
}

static void
push_slice (WpSliceArray *slices, gint64 start, gint64 end, WpId stack)
{
  if (start < end)
    wp_array_push (slices, ((WpSlice) { start, end, stack }));
}

/* What interrupted a run stands on what it interrupted. */
static void
cut_interrupts (WpDepths *self, const WpPart *part, WpSliceArray *slices)
{
  guint32 cpu = self->words.trace->ops.data[part->op].cpu, i = wp_interrupts_after (self->words.trace, cpu, part->start);

  if (wp_interrupt_before (self->words.trace, i, cpu, part->end) == NULL)
    return;
  wp_array_copy (&self->uncut, slices);
  slices->len = 0;
  for (guint32 k = 0; k < self->uncut.len; k++)
    {
      WpSlice slice = self->uncut.data[k];
      const WpInterrupt *interrupt;

      while ((interrupt = wp_interrupt_before (self->words.trace, i, cpu, slice.end)) != NULL)
        {
          gint64 end = MIN (interrupt->end, slice.end);

          push_slice (slices, slice.start, interrupt->start, slice.stack);
          push_slice (slices, MAX (slice.start, interrupt->start), end, interrupted_stack (self, slice.stack, interrupt->name));
          slice.start = end;
          if (interrupt->end > slice.end)
            break;
          i++;
        }
      push_slice (slices, slice.start, slice.end, slice.stack);
    }
}

void
wp_depth_slices (WpDepths *self, WpId part, WpSliceArray *slices)
{
  const WpPart *p = &self->words.paths->parts.data[part];

  wp_part_slices (self->words.paths, part, slices);
  if (self->words.trace->ops.data[p->op].kind == WP_OP_RUN)
    {
      slice_run (self, p, slices);
      cut_interrupts (self, p, slices);
    }
  else if (self->words.trace->ops.data[p->op].kind == WP_OP_SLEEP)
    slice_sleep (self, part, slices);
}

/* --- frames ------------------------------------------------------------------------------------------------------- */

static const WpFrame *
frame_at (const WpDepths *self, guint32 i)
{
  const WpTrace *trace = self->words.trace;

  return &trace->frames.data[trace->stacks.data[self->nodes.data[i]].frame];
}

/* The stack outside of node i. */
static WpId
outside (const WpDepths *self, guint32 i)
{
  return i > 0 ? self->nodes.data[i - 1] : 0;
}

/* Where the frames from the i-th on that rules hide end, of the first n. */
static guint32
end_of_hidden (WpDepths *self, guint32 i, guint32 n)
{
  while (self->choice.hide != NULL && i < n && is_hidden (self, frame_at (self, i)->function))
    i++;
  return i;
}

/* Hides the frames from `first` to before `end` in the innermost that is there, unless they are opened. */
static gboolean
charge (WpDepths *self, const WpDepthFrames *frames, guint32 first, guint32 end)
{
  WpId inner = end > first ? self->nodes.data[end - 1] : 0;

  if (end == first || (self->choice.opened != NULL && self->choice.opened[inner]))
    return FALSE;
  wp_array_push (&self->charged, ((WpCharged) { frames->len - 1, inner, outside (self, first) }));
  return TRUE;
}

static void
push_functions (WpDepths *self, WpDepthFrames *frames, guint32 first, guint32 n)
{
  for (guint32 i = first, end; i < n; i = end)
    {
      end = end_of_hidden (self, i, n);
      if (charge (self, frames, i, end))
        continue;
      end = MAX (end, i + 1);
      for (guint32 k = i; k < end; k++)
        wp_array_push (frames, ((WpDepthFrame) { .function = frame_at (self, k)->function }));
    }
}

static gboolean
is_unnamed (const WpDepths *self, guint32 i)
{
  return self->words.trace->functions.data[frame_at (self, i)->function].flags & WP_FUNCTION_NO_SYMBOL;
}

static WpId
unnamed_label (WpDepths *self, WpId module)
{
  if (self->unnamed[module] == 0)
    {
      g_autofree char *text = g_strdup_printf (_("%s (unnamed)"), wp_trace_module_name (self->words.trace, module));

      self->unnamed[module] = wp_strings_intern (self->words.strings, text);
    }
  return self->unnamed[module];
}

/* How many of the outermost frames there are before main() or a thread's own function. The outermost of all may have lost its name. */
static guint32
count_before_main (WpDepths *self, guint32 n)
{
  guint32 before = n > 1 && is_unnamed (self, 0) && is_starter (self, frame_at (self, 1)->function);

  while (before < n && is_starter (self, frame_at (self, before)->function))
    before++;
  return before;
}

/* Where the frames from the i-th on end that are one box: without names, of one module. */
static guint32
end_of_unnamed (WpDepths *self, guint32 i, guint32 n)
{
  WpId module = frame_at (self, i)->module;

  while (i < n && is_unnamed (self, i) && frame_at (self, i)->module == module && end_of_hidden (self, i, i + 1) == i)
    i++;
  return i;
}

static void
add_user_frames (WpDepths *self, WpDepthFrames *frames, guint32 first, guint32 n)
{
  for (guint32 i = first, end; i < n; i = end)
    {
      end = end_of_unnamed (self, i, n);
      if (end > i && !is_opened (self, self->nodes.data[end - 1]))
        wp_array_push (frames, ((WpDepthFrame) { .kind = WP_DEPTH_FRAME_UNNAMED,
                                                 .label = unnamed_label (self, frame_at (self, i)->module),
                                                 .inner = self->nodes.data[end - 1], .outer = outside (self, i) }));
      else
        {
          while (end < n && end_of_unnamed (self, end, n) == end)
            end++;
          push_functions (self, frames, i, end);
        }
    }
}

/* The outermost kernel function below the entry; of a kernel's worker what it works on. */
static guint32
first_of_kernel (const WpDepths *self, guint32 first)
{
  guint32 n = self->nodes.len, i = first;

  for (guint32 k = first; k < n; k++)
    if (self->words.trace->functions.data[frame_at (self, k)->function].role & WP_ROLE_WORKER)
      i = k + 1;
  while (i < n && (self->words.trace->functions.data[frame_at (self, i)->function].role & WP_ROLE_ENTRY))
    i++;
  return MIN (i, n - 1);
}

/* What a kernel function is called where no words are known: of a system call the name that programs know. */
static WpId
kernel_label (WpDepths *self, WpId function)
{
  const WpTrace *trace = self->words.trace;
  guint32 role = trace->functions.data[function].role;
  char plain[WP_KERNEL_NAME_MAX];

  if (role & WP_ROLE_IRQ_ENTRY)
    return self->interrupt;
  if (role & WP_ROLE_ENTRY)
    return self->enters;
  if (wp_kernel_plain_name (wp_trace_function_name (trace, function), plain) && g_str_has_prefix (plain, "sys_"))
    return wp_strings_intern (self->words.strings, plain + strlen ("sys_"));
  return 0;
}

/* A box of words stands for all of the kernel's frames. That a CPU is waited for is nobody's function. */
static gboolean
is_kernel_hidden (WpDepths *self, const WpDepthFrame *frame, guint32 first)
{
  if (frame->kind == WP_DEPTH_FRAME_FUNCTION)
    return self->choice.hide != NULL && is_hidden (self, frame->function);
  return frame->kind == WP_DEPTH_FRAME_WORDS && end_of_hidden (self, first, self->nodes.len) == self->nodes.len;
}

/* The part of a stack that is the kernel's is one box. */
static void
add_kernel_frame (WpDepths *self, WpDepthFrames *frames, guint32 first, WpId words)
{
  WpDepthFrame frame = { .kind = WP_DEPTH_FRAME_WORDS, .inner = self->nodes.data[self->nodes.len - 1], .outer = outside (self, first) };
  WpId function = frame_at (self, first_of_kernel (self, first))->function;

  if (words == 0)
    words = wp_wait_words_of_call (&self->words, frame.inner);
  if (words == 0)
    words = kernel_label (self, function);
  frame.label = words;
  if (words == self->cpu)
    frame.kind = WP_DEPTH_FRAME_CPU;
  else if (words == 0)
    {
      frame.kind = WP_DEPTH_FRAME_FUNCTION;
      frame.function = function;
    }
  if (is_kernel_hidden (self, &frame, first) && charge (self, frames, first, self->nodes.len))
    return;
  wp_array_push (frames, frame);
}

/* `bare`: nothing is told of what main() begins in, even if nothing stands on it. */
static void
add_functions (WpDepths *self, WpDepthFrames *frames, WpId words, gboolean bare)
{
  guint32 n = self->nodes.len, user = 0, before;

  while (user < n && !(frame_at (self, user)->flags & WP_FRAME_KERNEL))
    user++;
  before = count_before_main (self, user);
  if (before == n && words == 0 && n > 0 && !bare) /* nothing stands on what main() begins in */
    before--;
  if (before > 0 && is_opened (self, self->nodes.data[before - 1]))
    before = 0;
  if (before > 0)
    frames->data[0].inner = self->nodes.data[before - 1];
  add_user_frames (self, frames, before, user);
  if (user < n && is_opened (self, self->nodes.data[n - 1]))
    push_functions (self, frames, user, n);
  else if (user < n)
    add_kernel_frame (self, frames, user, words);
  else if (words != 0)
    wp_array_push (frames, ((WpDepthFrame) { .kind = words == self->cpu ? WP_DEPTH_FRAME_CPU : WP_DEPTH_FRAME_WORDS, .label = words }));
}

static void
find_nodes (WpDepths *self, WpId stack)
{
  const WpTrace *trace = self->words.trace;
  guint32 n = 0;

  for (WpId s = stack; s != 0; s = trace->stacks.data[s].parent)
    n++;
  wp_array_resize (&self->nodes, n);
  for (WpId s = stack; s != 0; s = trace->stacks.data[s].parent)
    self->nodes.data[--n] = s;
}

/* What it stands on, and whether at least there, or there. */
static void
add_below (WpDepths *self, WpDepthFrames *frames, const WpWordedStack *worded)
{
  gboolean marked;

  find_nodes (self, worded->below);
  if (self->choice.depth == WP_DEPTH_FUNCTIONS)
    add_functions (self, frames, 0, TRUE);
  else
    push_functions (self, frames, 0, self->nodes.len);
  marked = frames->len > 1 && worded->at_least;
  if (marked || worded->run) /* one frame: what hangs over from the wait before has room above it */
    wp_array_push (frames, ((WpDepthFrame) { .kind = WP_DEPTH_FRAME_WORDS,
                                             .label = !marked ? 0 : worded->run ? self->not_sampled_here : self->at_least_here }));
}

/* Of a module whose name is none of code, as of what was not recorded, nobody's. */
static guint8 *
find_code (const WpTrace *trace)
{
  guint8 *code = g_new0 (guint8, MAX (trace->modules.len, 1));

  for (WpId m = 1; m < trace->modules.len; m++)
    {
      const char *path = wp_trace_string (trace, trace->modules.data[m].path);
      WpFrameKind kind = *path != '\0' ? wp_module_frame_kind (path) : 0;

      code[m] = wp_frame_is_code (kind) ? kind : 0;
    }
  return code;
}

guint8
wp_depth_code (const WpDepths *self, const WpDepthFrame *frame)
{
  const WpTrace *trace = self->words.trace;
  const WpFunction *function = &trace->functions.data[frame->function];

  switch (frame->kind)
    {
    case WP_DEPTH_FRAME_FUNCTION:
      return function->flags & WP_FUNCTION_KERNEL ? WP_FRAME_OF_KERNEL : self->code[function->module];
    case WP_DEPTH_FRAME_WORDS:
      return frame->label != 0 && frame->label != self->runs && frame->label != self->at_least_here
             && frame->label != self->not_sampled_here ? WP_FRAME_OF_KERNEL : 0;
    case WP_DEPTH_FRAME_CPU:
      return WP_FRAME_OF_KERNEL;
    case WP_DEPTH_FRAME_INTERRUPT:
      return 0;
    default:
      return self->code[trace->frames.data[trace->stacks.data[frame->inner].frame].module];
    }
}

WpId
wp_depth_module (const WpDepths *self, const WpDepthFrame *frame)
{
  const WpTrace *trace = self->words.trace;

  if (frame->kind == WP_DEPTH_FRAME_UNNAMED)
    return trace->frames.data[trace->stacks.data[frame->inner].frame].module;
  return frame->kind == WP_DEPTH_FRAME_FUNCTION && frame->function != 0 ? trace->functions.data[frame->function].module : 0;
}

void
wp_depth_frames (WpDepths *self, WpId stack, WpDepthFrames *frames)
{
  guint32 n_stacks = self->words.trace->stacks.len;
  WpWordedStack worded = stack >= n_stacks ? self->worded.data[stack - n_stacks] : (WpWordedStack) { .stack = stack };

  frames->len = 0;
  self->charged.len = 0;
  wp_array_push (frames, ((WpDepthFrame) { 0 }));
  if (worded.below != 0)
    add_below (self, frames, &worded);
  find_nodes (self, worded.stack);
  if (self->choice.depth == WP_DEPTH_FUNCTIONS)
    add_functions (self, frames, worded.words, FALSE);
  else if (is_opened (self, worded.stack))
    push_functions (self, frames, 0, self->nodes.len);
  else if (worded.words != 0)
    wp_array_push (frames, ((WpDepthFrame) { .kind = worded.words == self->cpu ? WP_DEPTH_FRAME_CPU : WP_DEPTH_FRAME_WORDS, .label = worded.words,
                                             .inner = worded.stack }));
  if (worded.interrupt == 0)
    return;
  if (worded.stack == 0 && worded.words == 0 && worded.below == 0) /* it interrupted a run that was not sampled */
    wp_array_push (frames, ((WpDepthFrame) { 0 }));
  wp_array_push (frames, ((WpDepthFrame) { .kind = WP_DEPTH_FRAME_INTERRUPT, .label = worded.interrupt }));
}

guint
wp_depth_count (const WpTrace *trace, WpId inner, WpId outer)
{
  guint n = 0;

  for (WpId s = inner; s != outer; s = trace->stacks.data[s].parent)
    n++;
  return n;
}

char *
wp_depth_unnamed_text (const WpTrace *trace, WpId inner, guint n)
{
  WpId module = trace->frames.data[trace->stacks.data[inner].frame].module;

  return g_strdup_printf (ngettext ("%s (%u unnamed)", "%s (%u unnamed)", n), wp_trace_module_name (trace, module), n);
}

guint
wp_depth_count_folded (const WpTrace *trace, const WpHiddenArray *hidden)
{
  g_autofree guint8 *counted = g_new0 (guint8, MAX (trace->stacks.len, 1));
  guint n = 0;

  for (guint32 i = 1; i < hidden->len; i++)
    for (WpId s = hidden->data[i].inner; s != hidden->data[i].outer && !counted[s]; s = trace->stacks.data[s].parent)
      {
        counted[s] = 1;
        n++;
      }
  return n;
}

gboolean
wp_depths_init (WpDepths *self, const WpPaths *paths, WpDepthChoice choice, WpProgress *progress, GError **error)
{
  *self = (WpDepths) { .choice = choice };
  wp_wait_words_init (&self->words, paths);
  wp_losses_find (paths->trace, &self->losses);
  self->unnamed = g_new0 (WpId, MAX (paths->trace->modules.len, 1));
  self->code = find_code (paths->trace);
  self->starters = g_new0 (guint8, MAX (paths->trace->functions.len, 1));
  self->hides = g_new0 (guint8, MAX (paths->trace->functions.len, 1));
  self->runs = wp_strings_intern (self->words.strings, _("runs"));
  self->at_least_here = wp_strings_intern (self->words.strings, _(wp_term_name (WP_TERM_AT_LEAST)));
  self->not_sampled_here = wp_strings_intern (self->words.strings, _(wp_term_name (WP_TERM_NOT_SAMPLED)));
  self->cpu = wp_wait_words_for_cpu (&self->words);
  self->lost = wp_strings_intern (self->words.strings, _("events lost"));
  self->paused = wp_strings_intern (self->words.strings, _("recording paused"));
  self->enters = wp_strings_intern (self->words.strings, _("enters the kernel"));
  self->interrupt = wp_strings_intern (self->words.strings, _("interrupt"));
  self->at_least = choice.at_least != NULL ? choice.at_least : &self->own_at_least;
  return choice.at_least != NULL || !wp_depth_asks_at_least (&choice) || wp_at_least_init (&self->own_at_least, paths, progress, error);
}

static void
free_columns (gpointer data)
{
  WpDepths *self = data;

  wp_wait_words_clear (&self->words);
  wp_pair_map_clear (&self->ids);
  wp_pair_map_clear (&self->places);
  wp_pair_map_clear (&self->on_others);
  wp_pair_map_clear (&self->interrupted);
  wp_array_clear (&self->losses);
  wp_array_clear (&self->handlers);
  wp_array_clear (&self->uncut);
  wp_at_least_clear (&self->own_at_least);
  wp_array_clear (&self->worded);
  wp_array_clear (&self->nodes);
  wp_array_clear (&self->charged);
  g_free (self->unnamed);
  g_free (self->code);
  g_free (self->starters);
  g_free (self->hides);
  g_free (self);
}

void
wp_depths_clear (WpDepths *self)
{
  wp_free_many_aside (g_memdup2 (self, sizeof *self), self->words.trace->ops.len, free_columns);
  *self = (WpDepths) { 0 };
}
