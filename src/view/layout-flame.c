/* The Flame View: each part is its process' name and, on it, the frames of its stack at the wanted depth; what stands on a part stands on
 * its innermost frame. Parts of one level that follow one another share the boxes of the frames they have in common. */
#include "base/moments.h"
#include "base/search.h"
#include "base/sort.h"
#include "view/bodies.h"
#include "view/layout.h"
#include "view/module-hues.h"
#include "view/text.h"

#include <glib/gi18n.h>

#define PROGRESS_EVERY 65536
#define LEVEL_STEP 4096 /* parts of a level from one look at the progress to the next */
/* Boxes that a view may have: so many always, and so many for each thing that was recorded. */
#define BOXES_ALWAYS (1 << 20)
#define BOXES_EACH 32

/* A box that goes on as long as the slices that follow have the same frame there. */
typedef struct
{
  gint64 start, end;
  WpId label, part;
  guint16 kinds; /* bit k: some slice of it is of WpBoxKind k */
  guint32 number;  /* of all that were opened */
  guint32 hidden;  /* first of the rows' `hidden` */
  guint32 unnamed; /* frames without names: the most that it hides */
  WpId nameless;   /* stack of one of them */
  guint8 body, code; /* whose process and whose code: wp_depth_code() */
} Open;

/* A row of siblings to lay out: from `first` on, their names at `depth` of `lane`. */
typedef struct
{
  WpId first;
  guint32 depth;
} Work;

typedef struct
{
  const WpPaths *paths;
  const WpTrace *trace;
  const WpExplanation *explanation;
  WpRows *rows;
  WpGather gather;       /* rows: depths, until the lanes' heights are known */
  WpIdArray box_lanes;   /* by box of the gather */
  WpIdArray lane_heights; /* by lane */
  WpIdArray lane_bottom;  /* by lane: the row of its roots */
  guint32 *depths;       /* by part: the depth of its name */
  guint32 *tops;         /* by part: the depth of what stands on it */
  WP_ARRAY (Open) open;  /* of the level being laid out, outermost first */
  WP_ARRAY (Work) work;
  WpDepths stacks;
  WpDepthFrames frames;  /* of the slice at hand, outermost first */
  WpIdArray names;       /* their labels */
  WpSliceArray slices;
  WpId *labels;          /* by function */
  WpIdArray worded;      /* labels by string of the words */
  WpId *task_labels;     /* by task: of its runs and sleeps */
  WpId *row_labels;      /* by row of the explanation: what a sleep's top says */
  WpId *path_labels;     /* by path, 0 not known: of what waits for it */
  WpPairMap hidden;      /* number of what is open, inner stack → 1 */
  guint32 n_opened;
  WpBodies bodies;
  WpModuleHues modules;  /* where boxes are coloured by them */
  gboolean by_module;
  guint8 body;           /* of the part at hand */
  gint64 pushed_off, back;   /* the preemption at hand, equal: none … */
  guint32 pushed;            /* … and how many of the boxes were there before it */
  WpIdArray notch_lanes;     /* by notch of the rows, whose rows are depths until the lanes' heights are known */
  WpId runnable, preempted, not_sampled;
  const WpPart *ghost;   /* the sleep on which the path at hand is drawn again, as long as it lasts; NULL: it is in its own lane */
  guint32 lane;          /* of the path at hand */
  guint32 base;          /* depth of the level at hand */
  guint32 most;          /* boxes, and stretches that they hide: more are refused */
} Flame;

static const guint8 part_kinds[WP_OP_KIND_COUNT] = {
  [WP_OP_RUN] = WP_BOX_RUN, [WP_OP_SLEEP] = WP_BOX_SLEEP, [WP_OP_DISK] = WP_BOX_DISK,
  [WP_OP_DISK_QUEUE] = WP_BOX_QUEUE, [WP_OP_NET] = WP_BOX_NET,
};

static void
add_box (Flame *f, guint32 depth, const WpBox *box)
{
  WpBox b = *box;

  if (f->ghost != NULL)
    {
      b.start = MAX (b.start, f->ghost->start);
      b.end = MIN (b.end, f->ghost->end);
      b.ghost = 1;
    }
  if (b.start >= b.end)
    return;
  wp_gather_add (&f->gather, depth, &b);
  wp_array_push (&f->box_lanes, f->lane);
  f->lane_heights.data[f->lane] = MAX (f->lane_heights.data[f->lane], depth + 1);
}

static guint8
kind_of (guint kinds)
{
  if ((kinds & 1u << WP_BOX_RUN) && (kinds & 1u << WP_BOX_SLEEP))
    return WP_BOX_BOTH;
  return kinds != 0 ? g_bit_nth_lsf (kinds, -1) : WP_BOX_UNKNOWN;
}

static WpId
label_of_open (Flame *f, const Open *o)
{
  g_autofree char *text = NULL;

  if (o->unnamed == 0)
    return o->label;
  text = wp_depth_unnamed_text (f->trace, o->nameless, o->unnamed);
  return wp_strings_intern (f->rows->strings, text);
}

/* Closes the boxes of a level from the n-th on. The name of a process keeps its kind whatever it does; a device's name
 * is all there is of its operation. */
static void
close_from (Flame *f, guint32 n)
{
  for (guint32 i = f->open.len; i-- > n;)
    {
      const Open *o = &f->open.data[i];
      WpOpKind op = f->trace->ops.data[f->paths->parts.data[o->part].op].kind;
      gboolean name = i == 0 && (op == WP_OP_RUN || op == WP_OP_SLEEP);

      add_box (f, f->base + i,
               &(WpBox) { .start = o->start, .end = o->end, .label = label_of_open (f, o), .ref = o->part, .ref_kind = WP_REF_PART,
                          .frame = (guint16) MIN (i, G_MAXUINT16), .hidden = o->hidden, .body = o->body,
                          .pale = o->code == WP_FRAME_OF_KERNEL, .code = wp_layout_code (o->code),
                          .kind = name ? WP_BOX_PROCESS : kind_of (o->kinds) });
    }
  f->open.len = MIN (f->open.len, n);
}

static WpId
function_label (Flame *f, WpId function)
{
  if (f->labels[function] == 0)
    f->labels[function] = wp_strings_intern (f->rows->strings, wp_trace_function_name (f->trace, function));
  return f->labels[function];
}

static WpId
worded_label (Flame *f, WpId words)
{
  if (f->worded.len <= words)
    wp_array_resize (&f->worded, words + 1);
  if (f->worded.data[words] == 0)
    f->worded.data[words] = wp_strings_intern (f->rows->strings, wp_strings_get (f->stacks.words.strings, words));
  return f->worded.data[words];
}

static void
find_frames (Flame *f, WpId name, const WpSlice *slice, gboolean run)
{
  wp_depth_frames (&f->stacks, slice->stack, &f->frames);
  if (run && slice->stack == 0)
    wp_array_push (&f->frames, ((WpDepthFrame) { 0 }));
  wp_array_resize (&f->names, f->frames.len);
  f->names.data[0] = name;
  for (guint32 i = 1; i < f->frames.len; i++)
    {
      const WpDepthFrame *frame = &f->frames.data[i];

      f->names.data[i] = frame->function != 0 ? function_label (f, frame->function)
                         : frame->label != 0 ? worded_label (f, frame->label) : f->not_sampled;
    }
}

static void
go_on (Flame *f, Open *open, const WpDepthFrame *frame, gint64 end, guint8 kind)
{
  open->end = end;
  open->kinds |= 1u << (frame->kind == WP_DEPTH_FRAME_CPU ? WP_BOX_RUNNABLE : frame->kind == WP_DEPTH_FRAME_INTERRUPT ? WP_BOX_INTERRUPT : kind);
  wp_hidden_add (&f->rows->hidden, &f->hidden, open->number, &open->hidden, frame->inner, frame->outer);
  if (frame->kind == WP_DEPTH_FRAME_UNNAMED)
    {
      open->unnamed = MAX (open->unnamed, wp_depth_count (f->trace, frame->inner, frame->outer));
      open->nameless = frame->inner;
    }
}

/* What rules hide is in their callers' boxes. */
static void
hide_charged (Flame *f)
{
  for (guint32 i = 0; i < f->stacks.charged.len; i++)
    {
      const WpCharged *charged = &f->stacks.charged.data[i];
      Open *open = &f->open.data[charged->frame];

      wp_hidden_add (&f->rows->hidden, &f->hidden, open->number, &open->hidden, charged->inner, charged->outer);
    }
}

/* Of the boxes that were there before a preemption and go on after it, the innermost has a notch: one tells it. The
 * name of the process has none. */
static void
add_notch (Flame *f, guint32 same)
{
  guint32 n = MIN (same, f->pushed);

  if (f->pushed_off < f->back && n > 1 && f->ghost == NULL)
    {
      wp_array_push (&f->rows->notches, ((WpNotch) { f->pushed_off, f->back, f->base + n - 1 }));
      wp_array_push (&f->notch_lanes, f->lane);
    }
  f->pushed_off = f->back = 0;
}

static WpId
task_of (const Flame *f, WpId part)
{
  return f->trace->ops.data[f->paths->parts.data[part].op].task;
}

/* Of a module where colours say that: what is nobody's function is neutral, and names of processes have the colour of their kind. */
static guint8
body_of_frame (const Flame *f, guint32 i)
{
  const WpDepthFrame *frame = &f->frames.data[i];

  if (frame->kind == WP_DEPTH_FRAME_INTERRUPT || (f->by_module && i == 0))
    return WP_BODY_NONE;
  return f->by_module ? wp_module_hue (&f->modules, wp_depth_module (&f->stacks, frame), wp_depth_code (&f->stacks, frame)) : f->body;
}

/* Goes on with the boxes that this slice shares with the one before it, and opens the others. What another task does is never
 * the same call, whatever its name. */
static void
add_slice (Flame *f, WpId part, const WpSlice *slice, WpId name, guint8 kind)
{
  guint32 same = 0;

  find_frames (f, name, slice, kind == WP_BOX_RUN);
  if (f->open.len > 0 && f->open.data[0].end == slice->start && task_of (f, f->open.data[0].part) == task_of (f, part))
    while (same < f->open.len && same < f->names.len && f->open.data[same].label == f->names.data[same])
      same++;
  close_from (f, same);
  add_notch (f, same);
  if (kind == WP_BOX_SLEEP && f->trace->ops.data[f->paths->parts.data[part].op].state == WP_STATE_PREEMPTED)
    {
      f->pushed_off = slice->start;
      f->back = slice->end;
      f->pushed = same;
    }
  for (guint32 i = 0; i < f->names.len; i++)
    {
      if (i == f->open.len)
        wp_array_push (&f->open, ((Open) { .start = slice->start, .label = f->names.data[i], .part = part,
                                           .number = ++f->n_opened, .body = body_of_frame (f, i),
                                           .code = wp_depth_code (&f->stacks, &f->frames.data[i]) }));
      go_on (f, &f->open.data[i], &f->frames.data[i], slice->end, kind);
    }
  hide_charged (f);
}

static WpId
part_label (Flame *f, WpId part)
{
  const WpOp *op = &f->trace->ops.data[f->paths->parts.data[part].op];
  const gboolean of_task = op->kind == WP_OP_RUN || op->kind == WP_OP_SLEEP;
  char what[WP_OP_LABEL_MAX];
  g_autofree char *text = NULL;
  const char *name;
  WpId label;

  if (of_task && f->task_labels[op->task] != 0)
    return f->task_labels[op->task];
  name = wp_part_name (f->paths, part);
  if (op->kind == WP_OP_DISK_QUEUE)
    text = g_strdup_printf (_("%s: %s, queued"), name, wp_op_label (f->trace, op, what));
  else if (!of_task)
    text = g_strdup_printf ("%s: %s", name, wp_op_label (f->trace, op, what));
  label = wp_strings_intern (f->rows->strings, text != NULL ? text : *name != '\0' ? name : "?");
  if (of_task)
    f->task_labels[op->task] = label;
  return label;
}

/* Of a ghost only what goes on during its sleep. */
static gboolean
is_beside (const Flame *f, const WpPart *part)
{
  return f->ghost != NULL && (part->end <= f->ghost->start || part->start >= f->ghost->end);
}

/* Boxes, and what they hide: where their labels are the same, stacks that are not become one box. */
static gboolean
is_too_much (const Flame *f)
{
  return f->gather.boxes.len > f->most || f->rows->hidden.len > f->most;
}

static gboolean
lay_out_level (Flame *f, const Work *work, WpProgress *progress, GError **error)
{
  guint32 done = 0;

  f->base = work->depth;
  f->lane_heights.data[f->lane] = MAX (f->lane_heights.data[f->lane], work->depth + 1); /* what lasts no time has a row, but no box */
  for (WpId p = work->first; p != 0; p = f->paths->parts.data[p].next)
    {
      const WpPart *part = &f->paths->parts.data[p];
      const WpOp *op = &f->trace->ops.data[part->op];
      WpId name;
      guint32 top;

      if (++done % LEVEL_STEP == 0 && !wp_progress_step (progress, 0, error))
        return FALSE;
      if (is_beside (f, part))
        continue;
      name = part_label (f, p);
      f->body = wp_bodies_of_task (&f->bodies, op->task);
      wp_depth_slices (&f->stacks, p, &f->slices);
      for (guint32 i = 0; i < f->slices.len && !is_too_much (f); i++)
        add_slice (f, p, &f->slices.data[i], name, op->flags & WP_OP_LOST ? WP_BOX_UNKNOWN : part_kinds[op->kind]);
      top = work->depth + f->frames.len;
      if (f->ghost == NULL)
        {
          f->depths[p] = work->depth;
          f->tops[p] = top;
        }
      if (part->first_child != 0)
        wp_array_push (&f->work, ((Work) { part->first_child, top }));
    }
  close_from (f, 0);
  f->pushed_off = f->back = 0;
  return TRUE;
}

/* --- what a sleeping top waits for -------------------------------------------------------------------------------- */

/* Boxes of one row on a sleep's frames: what it waited for, where no operation stands there. */
static void
add_top (Flame *f, WpId part, gint64 start, gint64 end, WpBoxKind kind, WpId label)
{
  f->lane = f->paths->paths.data[f->paths->parts.data[part].path].lane;
  add_box (f, f->tops[part], &(WpBox) { .start = start, .end = end, .label = label, .ref = part,
                                        .ref_kind = WP_REF_PART, .kind = kind, .frame = WP_FRAME_OF_TOP, .pale = 1,
                                        .body = f->by_module ? WP_BODY_NEUTRAL
                                                             : wp_bodies_of_task (&f->bodies,
                                                                                  f->trace->ops.data[f->paths->parts.data[part].op].task) });
}

/* Until a box below it says so in words: where that is from the start on, FALSE. */
static gboolean
is_runnable_top (Flame *f, WpId part, gint64 start, gint64 *end)
{
  *end = MIN (*end, wp_depth_cpu_since (&f->stacks, part));
  return start < *end;
}

static void
add_runnable (Flame *f, WpId part, gint64 start, gint64 end, WpId label)
{
  if (is_runnable_top (f, part, start, &end))
    add_top (f, part, start, end, WP_BOX_RUNNABLE, label);
}

/* Who has the CPU, where somebody has. */
static WpId
runnable_label (Flame *f, const WpExplanationRow *row)
{
  g_autofree char *text = row->rival != 0 ? g_strdup_printf (_("%s has the CPU"), wp_trace_string (f->trace, row->rival)) : NULL;

  return text != NULL ? wp_strings_intern (f->rows->strings, text) : row->category == WP_CATEGORY_SCHEDULER ? f->runnable : f->preempted;
}

static WpId
interrupt_label (Flame *f, const WpExplanationRow *row)
{
  gboolean named = row->name != NULL && *row->name != '\0';

  return wp_strings_intern (f->rows->strings, named ? wp_row_text (row) : _("interrupt"));
}

static WpId
waits_label (Flame *f, WpId part)
{
  WpId path = f->paths->parts.data[part].waits_path, *known = &f->path_labels[path];

  if (*known == 0)
    {
      g_autofree char *text = path != 0 ? g_strdup_printf (_("waiting on %s"), wp_trace_task_name (f->trace, f->paths->paths.data[path].task)) : NULL;

      *known = wp_strings_intern (f->rows->strings, text != NULL ? text : _("waiting for another lane"));
    }
  return *known;
}

/* Of what a CPU, or an interrupt, is waited for. */
static WpId
row_label (Flame *f, guint32 row)
{
  WpId *known = &f->row_labels[row];

  if (*known == 0)
    *known = f->explanation->rows.data[row].category == WP_CATEGORY_HARDWARE ? interrupt_label (f, &f->explanation->rows.data[row])
                                                                            : runnable_label (f, &f->explanation->rows.data[row]);
  return *known;
}

static void
add_explained_top (Flame *f, const WpPiece *piece)
{
  const WpCategory category = f->explanation->rows.data[piece->row].category;
  gint64 end = piece->end;

  if (f->trace->ops.data[f->paths->parts.data[piece->part].op].kind != WP_OP_SLEEP)
    return;
  if ((category == WP_CATEGORY_SCHEDULER || category == WP_CATEGORY_INVOLUNTARY) && is_runnable_top (f, piece->part, piece->start, &end))
    add_top (f, piece->part, piece->start, end, WP_BOX_RUNNABLE, row_label (f, piece->row));
  else if (category == WP_CATEGORY_OTHER_PATH)
    add_top (f, piece->part, piece->start, piece->end, WP_BOX_OTHER_PATH, waits_label (f, piece->part));
  else if (category == WP_CATEGORY_HARDWARE)
    add_top (f, piece->part, piece->start, piece->end, WP_BOX_INTERRUPT, row_label (f, piece->row));
}

static gboolean
add_explained_tops (Flame *f, WpProgress *progress, GError **error)
{
  for (guint32 i = 0; i < f->explanation->pieces.len; i++)
    {
      add_explained_top (f, &f->explanation->pieces.data[i]);
      if (i % PROGRESS_EVERY == 0 && !wp_progress_step (progress, 1, error))
        return FALSE;
    }
  return TRUE;
}

/* Without an explanation: what the sleeps themselves say, where nothing stands on them. */
static void
add_plain_tops (Flame *f)
{
  for (WpId p = 1; p < f->paths->parts.len; p++)
    {
      const WpPart *part = &f->paths->parts.data[p];
      const WpOp *op = &f->trace->ops.data[part->op];
      gint64 woken;

      if (op->kind != WP_OP_SLEEP || part->first_child != 0 || (op->flags & WP_OP_LOST))
        continue;
      if (op->state == WP_STATE_PREEMPTED)
        {
          add_runnable (f, p, part->start, part->end, f->preempted);
          continue;
        }
      woken = CLAMP (wp_paths_woken (f->paths, part->op), part->start, part->end);
      if (part->waits_path != 0)
        add_top (f, p, part->start, woken, WP_BOX_OTHER_PATH, waits_label (f, p));
      add_runnable (f, p, woken, part->end, f->runnable);
    }
}

/* --- rows and lines ----------------------------------------------------------------------------------------------- */

WP_DEFINE_COMPARE_2 (compare_notches, WpNotch, row, start)

/* Lanes from top to bottom, each with its roots at its bottom row, which bears the name. One without parts has no row: its bottom means
 * nothing. */
static void
make_rows (Flame *f)
{
  wp_array_resize (&f->lane_bottom, f->lane_heights.len);
  for (guint32 lane = 0; lane < f->lane_heights.len; lane++)
    {
      guint32 first = f->rows->rows.len;

      wp_array_resize (&f->rows->rows, first + f->lane_heights.data[lane]);
      if (f->lane_heights.data[lane] == 0)
        continue;
      f->lane_bottom.data[lane] = f->rows->rows.len - 1;
      f->rows->rows.data[first].group = first > 0;
    }
  f->rows->home = f->lane_bottom.len > 0 ? f->lane_bottom.data[0] : 0;
  for (WpId p = f->paths->paths.len; p-- > 1;) /* backwards: the first of a lane names it */
    {
      const WpPath *path = &f->paths->paths.data[p];
      WpRow *row = path->first_part != 0 ? &f->rows->rows.data[f->lane_bottom.data[path->lane]] : NULL;

      if (row == NULL)
        continue;
      row->label = wp_strings_intern (f->rows->strings, wp_trace_task_name (f->trace, path->task));
      row->ref = p;
      row->ref_kind = WP_REF_PATH;
    }
  for (guint32 i = 0; i < f->rows->notches.len; i++)
    f->rows->notches.data[i].row = f->lane_bottom.data[f->notch_lanes.data[i]] - f->rows->notches.data[i].row;
  wp_array_sort (&f->rows->notches, compare_notches);
  for (guint32 i = 0; i < f->gather.rows.len; i++)
    f->gather.rows.data[i] = f->lane_bottom.data[f->box_lanes.data[i]] - f->gather.rows.data[i];
}

/* All parts by operation, each one's in order of start: a long run may have very many. */
static gboolean
find_parts (const Flame *f, WpMomentGroups *parts, WpProgress *progress, GError **error)
{
  WpMoments starts = { 0 };
  gboolean done;

  wp_array_reserve (&starts, f->paths->parts.len);
  for (WpId p = 1; p < f->paths->parts.len; p++)
    wp_array_push (&starts, ((WpMoment) { .at = f->paths->parts.data[p].start, .id = p, .what = f->paths->parts.data[p].op }));
  done = wp_moments_group (&starts, f->trace->ops.len, parts, progress, error);
  wp_array_clear (&starts);
  return done;
}

/* The part of an operation that holds a moment, its ends included; or 0. */
static WpId
part_at (const Flame *f, const WpMomentGroups *known, WpId op, gint64 time)
{
  const WpPart *parts = f->paths->parts.data;
  guint32 first = known->first[op], behind = WP_SEARCH (first, known->first[op + 1], i, parts[known->ids.data[i]].start <= time);
  WpId p = behind > first ? known->ids.data[behind - 1] : 0;

  return p != 0 && parts[p].end >= time ? p : 0;
}

static guint32
row_of_part (const Flame *f, WpId part)
{
  return f->lane_bottom.data[f->paths->paths.data[f->paths->parts.data[part].path].lane] - f->depths[part];
}

/* Links within a path mostly join a sleep and what stands on it: they are drawn only where they have length. */
static void
add_line (Flame *f, const WpMomentGroups *parts, WpId id)
{
  const WpLink *link = &f->trace->links.data[id];
  gint64 end;
  WpId from, to;

  if (link->source == 0 || link->target == 0)
    return;
  end = f->trace->ops.data[link->target].start;
  from = part_at (f, parts, link->source, link->start);
  to = from != 0 ? part_at (f, parts, link->target, end) : 0;
  if (to != 0 && row_of_part (f, from) != row_of_part (f, to))
    wp_array_push (&f->rows->lines,
                   ((WpLine) { .start = link->start, .end = MAX (end, link->start),
                               .from_row = row_of_part (f, from), .to_row = row_of_part (f, to), .link = id,
                               .quiet = f->paths->parts.data[from].path == f->paths->parts.data[to].path }));
}

static gboolean
add_lines (Flame *f, WpProgress *progress, GError **error)
{
  WpMomentGroups parts;
  gboolean going_on = find_parts (f, &parts, progress, error);

  for (WpId k = 1; k < f->trace->links.len && going_on; k++)
    {
      if (k % PROGRESS_EVERY == 0)
        going_on = wp_progress_step (progress, (double) k / f->trace->links.len, error);
      add_line (f, &parts, k);
    }
  wp_moment_groups_clear (&parts);
  return going_on;
}

/* --- all of it ---------------------------------------------------------------------------------------------------- */

/* A small file can have stacks that share nothing and are drawn again and again. */
static gboolean
too_many (const Flame *f, GError **error)
{
  g_set_error (error, G_IO_ERROR, G_IO_ERROR_NOT_SUPPORTED,
               _ ("the flame view of %s would have more than %u boxes, out of all proportion to the recording; the explanation tells where its "
                  "time went"), f->paths->name != NULL ? f->paths->name : "?", f->most);
  return FALSE;
}

static guint32
most_boxes (const WpTrace *trace)
{
  guint64 recorded = (guint64) trace->ops.len + trace->links.len + trace->samples.len + trace->stacks.len / 8;

  return (guint32) MIN (BOXES_ALWAYS + BOXES_EACH * recorded, G_MAXUINT32 / 2);
}

/* All of a path, its roots at `depth` of a lane. */
static gboolean
lay_out_path (Flame *f, WpId id, guint32 lane, guint32 depth, WpProgress *progress, GError **error)
{
  const WpPath *path = &f->paths->paths.data[id];

  f->lane = lane;
  if (path->first_part != 0)
    wp_array_push (&f->work, ((Work) { path->first_part, depth }));
  for (guint32 done = 0; f->work.len > 0; done++)
    {
      Work work = f->work.data[--f->work.len];

      if (done % 256 == 0 && !wp_progress_step (progress, (double) id / f->paths->paths.len, error))
        return FALSE;
      if (!lay_out_level (f, &work, progress, error))
        return FALSE;
      if (is_too_much (f))
        return too_many (f, error);
    }
  return TRUE;
}

/* What sleeps wait for in other lanes, on the box that says so; on that nothing stands. */
static gboolean
lay_out_ghosts (Flame *f, WpProgress *progress, GError **error)
{
  const GArray *ghosts = f->stacks.choice.ghosts;
  gboolean going_on = TRUE;

  for (WpId p = 1; p < f->paths->parts.len && ghosts != NULL && going_on; p++)
    {
      const WpPart *part = &f->paths->parts.data[p];

      if (!wp_part_waits_elsewhere (part) || !g_array_binary_search ((GArray *) ghosts, &part->op, wp_compare_ids, NULL))
        continue;
      f->ghost = part;
      going_on = lay_out_path (f, part->waits_path, f->paths->paths.data[part->path].lane, f->tops[p] + 1, progress, error);
      f->ghost = NULL;
    }
  return going_on;
}

static gboolean
lay_out_paths (Flame *f, WpProgress *progress, GError **error)
{
  for (WpId p = 1; p < f->paths->paths.len; p++)
    if (!lay_out_path (f, p, f->paths->paths.data[p].lane, 0, progress, error))
      return FALSE;
  if (!lay_out_ghosts (f, progress, error))
    return FALSE;
  if (f->explanation == NULL)
    add_plain_tops (f);
  else if (!add_explained_tops (f, progress, error))
    return FALSE;
  make_rows (f);
  if (!add_lines (f, progress, error))
    return FALSE;
  wp_gather_finish (&f->gather, f->rows);
  f->rows->of_recording = TRUE;
  wp_rows_finish (f->rows);
  return wp_progress_step (progress, 1, error);
}

WpRows *
wp_layout_flame (const WpPaths *paths, const WpExplanation *explanation, WpDepthChoice depth, WpProgress *progress, GError **error)
{
  g_autoptr (WpRows) rows = wp_rows_new ();
  Flame f = { .paths = paths, .trace = paths->trace, .explanation = explanation, .rows = rows };
  guint32 n_lanes = paths->n_lanes;
  gboolean done;

  wp_progress_phase (progress, "Laying out the flame view");
  done = wp_depths_init (&f.stacks, paths, depth, progress, error);
  wp_bodies_of_paths (&f.bodies, paths);
  f.by_module = depth.by_module;
  if (f.by_module)
    {
      wp_module_hues_init (&f.modules, paths);
      wp_module_hues_tell (&f.modules, rows);
    }
  else
    wp_bodies_tell (&f.bodies, rows);
  for (WpId p = 1; p < paths->paths.len; p++)
    n_lanes = MAX (n_lanes, paths->paths.data[p].lane + 1);
  f.most = most_boxes (paths->trace);
  wp_array_resize (&f.lane_heights, n_lanes);
  f.depths = g_new0 (guint32, MAX (paths->parts.len, 1));
  f.tops = g_new0 (guint32, MAX (paths->parts.len, 1));
  f.labels = g_new0 (WpId, MAX (paths->trace->functions.len, 1));
  f.task_labels = g_new0 (WpId, MAX (paths->trace->tasks.len, 1));
  f.path_labels = g_new0 (WpId, MAX (paths->paths.len, 1));
  f.row_labels = g_new0 (WpId, explanation != NULL ? explanation->rows.len + 1 : 1);
  f.runnable = wp_strings_intern (rows->strings, _("runnable"));
  f.preempted = wp_strings_intern (rows->strings, _("preempted"));
  f.not_sampled = wp_strings_intern (rows->strings, _("(not sampled)"));
  done = done && lay_out_paths (&f, progress, error);
  wp_array_clear (&f.gather.boxes);
  wp_array_clear (&f.gather.rows);
  wp_array_clear (&f.box_lanes);
  wp_array_clear (&f.notch_lanes);
  wp_array_clear (&f.lane_heights);
  wp_array_clear (&f.lane_bottom);
  wp_array_clear (&f.open);
  wp_array_clear (&f.work);
  wp_depths_clear (&f.stacks);
  wp_bodies_clear (&f.bodies);
  wp_module_hues_clear (&f.modules);
  wp_array_clear (&f.frames);
  wp_array_clear (&f.names);
  wp_array_clear (&f.worded);
  wp_pair_map_clear (&f.hidden);
  wp_array_clear (&f.slices);
  g_free (f.depths);
  g_free (f.tops);
  g_free (f.labels);
  g_free (f.task_labels);
  g_free (f.path_labels);
  g_free (f.row_labels);
  return done ? g_steal_pointer (&rows) : NULL;
}
