#include "workspace/file/details-private.h"

#include <glib/gi18n.h>
#include <string.h>

#include "base/format.h"
#include "base/search.h"
#include "paint/paint.h"
#include "paths/terms.h"
#include "workspace/file/boxes.h"

#define WOKE_MAX 12

/* --- stack --- */

static WpId
slice_stack (const WpDetailsBuilder *b)
{
  WpSliceArray slices = { 0 };
  const WpPart *part = &b->analysis->paths->parts.data[b->part];
  gint64 start = MAX (b->box->start, part->start), end = MIN (b->box->end, part->end), middle = start + (end - start) / 2;
  WpId stack = 0;

  wp_part_slices (b->analysis->paths, b->part, &slices);
  for (guint32 i = 0; i < slices.len; i++)
    if (i == 0 || (b->rows->is_time && slices.data[i].start <= middle))
      stack = slices.data[i].stack;
  wp_array_clear (&slices);
  return stack;
}

static WpId
op_stack (const WpTrace *trace, WpId op)
{
  const WpOp *o = &trace->ops.data[op];

  if (o->kind == WP_OP_SLEEP)
    return o->detail;
  return o->kind == WP_OP_RUN && o->detail != 0 ? trace->samples.data[o->detail].stack : 0;
}

/* Appends " file.c:12 ← inlined" where that is known, and else wants to know it. */
static void
append_source (const WpDetailsBuilder *b, GString *s, WpId frame)
{
  const char *source;

  if (b->sources == NULL || (b->trace->frames.data[frame].flags & WP_FRAME_KERNEL))
    return;
  if (!wp_sources_get (b->sources, frame, &source))
    g_array_append_val (b->text->frames, frame);
  else if (source != NULL)
    g_string_append (s, source);
}

/* For want of the file that it was recorded from. */
static gboolean
is_nameless (const WpTrace *trace, WpId frame)
{
  const WpFrame *row = &trace->frames.data[frame];

  return trace->modules.data[row->module].absent && (trace->functions.data[row->function].flags & WP_FUNCTION_NO_SYMBOL);
}

static char *
stack_markup (const WpDetailsBuilder *b, WpId stack)
{
  const WpTrace *trace = b->trace;
  GString *s = g_string_new (NULL);

  for (; stack != 0; stack = trace->stacks.data[stack].parent)
    {
      WpId id = trace->stacks.data[stack].frame;
      const WpFrame *frame = &trace->frames.data[id];
      g_autofree char *name = g_markup_escape_text (wp_trace_function_name (trace, frame->function), -1);
      g_autofree char *module = g_markup_escape_text (wp_trace_module_name (trace, frame->module), -1);

      g_string_append_printf (s, "<a href=\"find:%s\">%s</a>  <span alpha=\"60%%\" size=\"smaller\">%s%s</span>", name, name,
                              module, is_nameless (trace, id) ? _(", not here as recorded") : "");
      append_source (b, s, id);
      g_string_append_c (s, '\n');
    }
  if (s->len > 0)
    g_string_truncate (s, s->len - 1);
  return g_string_free (s, s->len == 0);
}

/* How much the stacks of this process are to be believed. */
static void
add_stack_share (WpDetailsBuilder *b)
{
  const WpAnalysis *whole = b->analysis != NULL ? wp_analysis_whole (b->analysis) : NULL;
  WpId leader = b->trace->tasks.data[b->trace->ops.data[b->op].task].leader;
  const WpStackCount *count;
  char share[WP_FORMAT_MAX];

  if (whole == NULL || whole->process_stacks == NULL || leader >= whole->process_stacks->len || whole->process_stacks->data[leader].stacks == 0)
    return;
  count = &whole->process_stacks->data[leader];
  wp_details_add_fact (b, _("Whole stacks"), ngettext ("%s of %u of this process", "%s of %u of this process", count->stacks),
            wp_format_share ((double) count->whole / (double) count->stacks, share), count->stacks);
}

static void
add_stack (WpDetailsBuilder *b)
{
  WpId stack = b->part != 0 ? slice_stack (b) : op_stack (b->trace, b->op);

  if (stack == 0)
    stack = op_stack (b->trace, b->op);
  b->text->stack = stack_markup (b, stack);
}

/* --- links --- */

static const char *
cause_name (guint8 cause)
{
  static const char *const names[WP_CAUSE_COUNT] = {
    [WP_CAUSE_UNKNOWN] = N_ ("unknown cause"),
    [WP_CAUSE_NONE] = N_ ("no wakeup was seen"),
    [WP_CAUSE_TASK] = N_ ("another task"),
    [WP_CAUSE_TIMER] = N_ ("a timer"),
    [WP_CAUSE_DISK] = N_ ("a disk request"),
    [WP_CAUSE_NET] = N_ ("a network packet"),
    [WP_CAUSE_DEVICE] = N_ ("a device interrupt"),
    [WP_CAUSE_IPI] = N_ ("another processor"),
    [WP_CAUSE_SIGNAL] = N_ ("a signal"),
    [WP_CAUSE_KERNEL] = N_ ("the kernel’s bookkeeping"),
    [WP_CAUSE_PREEMPTED] = N_ ("nobody: it was pushed off its CPU, and ready all the time"),
    [WP_CAUSE_FORK] = N_ ("a fork"),
    [WP_CAUSE_EXEC] = N_ ("an exec"),
  };

  return cause < WP_CAUSE_COUNT ? _(names[cause]) : _(names[WP_CAUSE_UNKNOWN]);
}

static char *
op_link (const WpDetailsBuilder *b, WpId op, gint64 time)
{
  g_autofree char *task = wp_details_task_link (b->trace, b->trace->ops.data[op].task);
  char when[WP_FORMAT_MAX];

  wp_format_time (time - b->origin, WP_NS_PER_US, when);
  return g_strdup_printf ("<a href=\"op:%u\">%s</a>  %s", op, when, task);
}

/* The sample of a run that is nearest to a moment: the waker's own stack is not recorded with a wakeup by a task. */
static WpId
nearest_sample (const WpTrace *trace, WpId run, gint64 time)
{
  const WpOp *op = &trace->ops.data[run];
  WpId best = 0;

  if (op->kind != WP_OP_RUN || op->detail == 0)
    return 0;
  for (WpId i = op->detail; i < trace->samples.len && trace->samples.data[i].run == run; i++)
    if (trace->samples.data[i].stack != 0 && (best == 0 || ABS (trace->samples.data[i].time - time) < ABS (trace->samples.data[best].time - time)))
      best = i;
  return best;
}

static void
append_waker_stack (const WpDetailsBuilder *b, GString *s, const WpLink *link)
{
  const WpTrace *trace = b->trace;
  g_autofree char *stack = NULL;

  if (link->stack != 0)
    {
      stack = stack_markup (b, link->stack);
      g_string_append_printf (s, "\n\n<b>%s</b>\n%s", _("Stack of the wakeup"), stack);
      return;
    }
  if (link->source != 0)
    {
      WpId sample = nearest_sample (trace, link->source, link->start);

      if (sample != 0)
        {
          stack = stack_markup (b, trace->samples.data[sample].stack);
          g_string_append_printf (s, "\n\n<b>%s</b>\n%s", _("The waker’s nearest sample"), stack != NULL ? stack : "");
        }
    }
}

static void
add_woken_by (WpDetailsBuilder *b)
{
  const WpOp *op = &b->trace->ops.data[b->op];
  WpId link = op->link, before = 0, pushed_off;
  g_autofree char *rivals = NULL;
  double shares[WP_FACT_SHARES];
  GString *s;

  if (op->kind == WP_OP_RUN && link == 0)
    {
      before = wp_trace_prev_op (b->trace, b->op);
      link = before != 0 ? b->trace->ops.data[before].link : 0;
    }
  if (op->kind != WP_OP_SLEEP && link == 0)
    return;
  pushed_off = op->kind == WP_OP_SLEEP ? b->op : before;
  if (pushed_off != 0 && b->trace->ops.data[pushed_off].state == WP_STATE_PREEMPTED)
    rivals = wp_details_rivals (b->trace, pushed_off, shares);
  s = g_string_new (cause_name (link != 0 ? b->trace->links.data[link].cause : op->cause));
  if (link != 0 && b->trace->links.data[link].source != 0 && b->trace->links.data[link].cause != WP_CAUSE_PREEMPTED)
    {
      g_autofree char *source = op_link (b, b->trace->links.data[link].source, b->trace->links.data[link].start);

      g_string_append_printf (s, "\n%s", source);
    }
  if (rivals != NULL)
    {
      g_string_append_c (s, '\n');
      g_string_append_printf (s, _("Meanwhile had the CPU: %s"), rivals);
    }
  if (link != 0)
    append_waker_stack (b, s, &b->trace->links.data[link]);
  b->text->woken_by = g_string_free (s, FALSE);
}

static void
add_woke (WpDetailsBuilder *b)
{
  GString *s = g_string_new (NULL);
  guint n = 0;

  for (WpId i = 1; i < b->trace->links.len; i++)
    {
      const WpLink *link = &b->trace->links.data[i];
      g_autofree char *target = NULL;

      if (link->source != b->op || link->target == 0 || n++ >= WOKE_MAX)
        continue;
      target = op_link (b, link->target, link->start);
      g_string_append_printf (s, "%s%s", s->len > 0 ? "\n" : "", target);
    }
  if (n > WOKE_MAX)
    {
      g_string_append_c (s, '\n');
      g_string_append_printf (s, ngettext ("… and %u more", "… and %u more", n - WOKE_MAX), n - WOKE_MAX);
    }
  b->text->woke = g_string_free (s, s->len == 0);
}

/* --- all of it --- */

WpDetailsText *
wp_details_text_new (const WpDetailsRequest *request)
{
  const WpRows *rows = request->rows;
  const WpAnalysis *analysis = request->analysis;
  WpDetailsText *self = g_new0 (WpDetailsText, 1);
  WpDetailsBuilder b = { .text = self, .rows = rows, .box = &rows->boxes.data[request->box], .trace = request->trace,
                .analysis = analysis, .sources = request->sources, .origin = request->origin };

  self->frames = g_array_new (FALSE, FALSE, sizeof (WpId));
  self->title = g_strdup (wp_strings_get (rows->strings, b.box->label));
  if (request->trace != NULL)
    {
      b.part = request->part;
      b.op = wp_box_op (b.box, analysis, b.part);
    }
  if (b.op != 0)
    wp_details_add_why (&b, request->n_parts);
  wp_details_add_fact (&b, _("Kind"), "%s", _(wp_box_kind_name (b.box->kind)));
  wp_details_add_times (&b);
  if (b.trace == NULL)
    return self;
  if (b.op != 0)
    wp_details_add_rivals (&b);
  if (b.part != 0 && request->n_parts > 1)
    wp_details_add_part (&b, request->n_parts);
  if (b.part != 0 && b.box->ref_kind == WP_REF_PART)
    wp_details_add_box_latency (&b);
  if (b.box->ref_kind == WP_REF_NODE && analysis != NULL)
    {
      wp_details_add_node (&b);
      if (b.op != 0)
        self->stack_note = g_strdup (_("Of the longest gathered here"));
    }
  wp_details_add_category (&b);
  wp_details_add_lane (&b);
  if (b.op != 0)
    {
      wp_details_add_op (&b);
      wp_details_add_marks (&b);
      add_stack (&b);
      add_stack_share (&b);
      add_woken_by (&b);
      add_woke (&b);
    }
  return self;
}

void
wp_details_text_free (WpDetailsText *self)
{
  for (guint32 i = 0; i < self->facts.len; i++)
    {
      g_free (self->facts.data[i].label);
      g_free (self->facts.data[i].markup);
    }
  wp_array_clear (&self->facts);
  g_array_unref (self->frames);
  g_free (self->title);
  g_free (self->why);
  g_free (self->stack);
  g_free (self->stack_note);
  g_free (self->woken_by);
  g_free (self->woke);
  g_free (self);
}

/* Our own markup: tags, and the entities that g_markup_escape_text() writes. */
static char *
without_markup (const char *markup)
{
  static const char *const entities[][2]
    = { { "&lt;", "<" }, { "&gt;", ">" }, { "&quot;", "\"" }, { "&apos;", "'" }, { "&#39;", "'" }, { "&amp;", "&" } };
  g_autoptr (GRegex) tags = g_regex_new ("<[^>]*>", 0, 0, NULL);
  g_autofree char *text = g_regex_replace_literal (tags, markup, -1, 0, "", 0, NULL);
  GString *out = g_string_new (text);

  for (guint i = 0; i < G_N_ELEMENTS (entities); i++)
    g_string_replace (out, entities[i][0], entities[i][1], 0);
  return g_string_free (out, FALSE);
}

static void
append_plain (GString *s, const char *heading, const char *markup)
{
  g_autofree char *plain = markup != NULL ? without_markup (markup) : NULL;

  if (plain != NULL)
    g_string_append_printf (s, "%s%s\n", heading, plain);
}

char *
wp_details_text_plain (const WpDetailsText *self)
{
  GString *s = g_string_new (self->title);

  g_string_append_c (s, '\n');
  append_plain (s, "", self->why);
  for (guint32 i = 0; i < self->facts.len; i++)
    {
      g_autofree char *heading = g_strdup_printf ("%s: ", self->facts.data[i].label);

      append_plain (s, heading, self->facts.data[i].markup);
    }
  append_plain (s, "\n", self->stack);
  append_plain (s, _("\nWoken by "), self->woken_by);
  append_plain (s, _("\nWoke\n"), self->woke);
  return g_string_free (s, FALSE);
}

/* What has a meaning in Markdown keeps none; in a table a line stays one. */
static void
append_markdown (GString *s, const char *text)
{
  for (; *text != '\0'; text++)
    {
      if (strchr ("\\`*_{}[]<>#|", *text) != NULL)
        g_string_append_c (s, '\\');
      g_string_append_c (s, *text == '\n' ? ' ' : *text);
    }
}

static void
append_code (GString *s, const char *heading, const char *markup)
{
  g_autofree char *plain = markup != NULL ? without_markup (markup) : NULL;

  if (plain != NULL)
    g_string_append_printf (s, "\n**%s**\n\n```\n%s\n```\n", heading, plain);
}

char *
wp_details_text_markdown (const WpDetailsText *self)
{
  GString *s = g_string_new ("### ");

  append_markdown (s, self->title);
  g_string_append_c (s, '\n');
  if (self->why != NULL)
    {
      g_autofree char *why = without_markup (self->why);

      g_string_append_c (s, '\n');
      append_markdown (s, why);
      g_string_append (s, ".\n");
    }
  g_string_append (s, "\n| | |\n|---|---|\n");
  for (guint32 i = 0; i < self->facts.len; i++)
    {
      g_autofree char *value = without_markup (self->facts.data[i].markup);

      g_string_append (s, "| ");
      append_markdown (s, self->facts.data[i].label);
      g_string_append (s, " | ");
      append_markdown (s, value);
      g_string_append (s, " |\n");
    }
  append_code (s, _("Stack"), self->stack);
  append_code (s, _("Woken by"), self->woken_by);
  append_code (s, _("Woke"), self->woke);
  return g_string_free (s, FALSE);
}

char *
wp_said_markdown (const char *said, const char *stack)
{
  g_auto (GStrv) lines = g_strsplit (said, "\n", -1);
  GString *s = g_string_new ("### ");

  for (guint i = 0; lines[i] != NULL; i++)
    {
      if (i > 0 && *lines[i] == '\0')
        continue;
      g_string_append (s, i == 0 ? "" : i == 1 ? "\n- " : "- ");
      append_markdown (s, lines[i]);
      g_string_append_c (s, '\n');
    }
  if (stack != NULL)
    g_string_append_printf (s, "\n**%s**\n\n```\n%s\n```\n", _("Stack"), stack);
  return g_string_free (s, FALSE);
}

WpLinkTarget
wp_details_link (const char *uri, const WpTrace *trace, WpId *id)
{
  static const char op[] = "op:", task[] = "task:";
  guint64 number = 0;

  if (trace != NULL && trace->ops.len > 1 && g_str_has_prefix (uri, op)
      && g_ascii_string_to_unsigned (uri + strlen (op), 10, 1, trace->ops.len - 1, &number, NULL))
    {
      *id = (WpId) number;
      return WP_LINK_TO_OP;
    }
  if (trace != NULL && trace->tasks.len > 1 && g_str_has_prefix (uri, task)
      && g_ascii_string_to_unsigned (uri + strlen (task), 10, 1, trace->tasks.len - 1, &number, NULL))
    {
      *id = (WpId) number;
      return WP_LINK_TO_TASK;
    }
  return WP_LINK_NOWHERE;
}

const char *
wp_details_link_name (const char *uri)
{
  return g_str_has_prefix (uri, "find:") ? uri + strlen ("find:") : NULL;
}

/* Of a wait for a CPU. */
static void
append_rivals (GString *s, const WpTrace *trace, WpId op)
{
  g_autofree char *bars = trace->ops.data[op].kind == WP_OP_SLEEP ? wp_details_rival_bars (trace, op) : NULL;

  if (bars != NULL)
    g_string_append_printf (s, _("\nHad the CPU:%s"), bars);
}

/* How many frames are folded in a box, where the most are. */
static guint
count_folded (const WpRows *rows, const WpBox *box, const WpTrace *trace)
{
  guint most = 0;

  for (guint32 h = trace != NULL ? box->hidden : 0; h != 0; h = rows->hidden.data[h].next)
    most = MAX (most, wp_depth_count (trace, rows->hidden.data[h].inner, rows->hidden.data[h].outer));
  return most;
}

char *
wp_boxes_distance_text (const WpBox *a, const WpBox *b)
{
  gint64 between = MAX (a->start, b->start) - MIN (a->end, b->end);
  char starts[WP_FORMAT_MAX], gap[WP_FORMAT_MAX], all[WP_FORMAT_MAX];

  wp_format_ns (ABS (a->start - b->start), starts);
  wp_format_ns (ABS (between), gap);
  wp_format_ns (MAX (a->end, b->end) - MIN (a->start, b->start), all);
  return g_strdup_printf (between >= 0 ? _("From start to start %s; %s between them; %s in all")
                                       : _("From start to start %s; for %s both last; %s in all"), starts, gap, all);
}

char *
wp_box_fold_text (const WpRows *rows, guint32 box, const WpTrace *trace)
{
  guint n = count_folded (rows, &rows->boxes.data[box], trace);

  return g_strdup_printf (ngettext ("%u frame folded — click to open", "%u frames folded — click to open", n), n);
}

static void
append_folded (GString *s, const WpRows *rows, const WpBox *box, const WpTrace *trace)
{
  guint most = count_folded (rows, box, trace);

  if (most > 0)
    g_string_append_printf (s, ngettext ("\n%u frame folded: select and press E", "\n%u frames folded: select and press E", most), most);
}

static void
append_latency (GString *s, const WpExplanation *explanation, gint64 latency)
{
  char time[WP_FORMAT_MAX], share[WP_FORMAT_MAX];

  if (wp_explanation_is_parallel (explanation))
    g_string_append_printf (s, _("\nLatency %s (%s of the elapsed time)"), wp_format_ns (latency, time),
                            wp_format_share ((double) latency / (double) MAX (explanation->wall, 1), share));
}

/* What of a box nothing stands on: its time less that of the boxes right on it. */
static gint64
own_time (const WpRows *rows, guint32 box)
{
  const WpBox *b = &rows->boxes.data[box];
  guint32 row = wp_rows_row_of (rows, box);
  const WpRow *above = row > 0 && !rows->rows.data[row].group ? &rows->rows.data[row - 1] : NULL;
  gint64 own = b->end - b->start;

  if (above == NULL)
    return own;
  for (guint32 i = WP_SEARCH (above->first, above->first + above->n, k, rows->boxes.data[k].end <= b->start);
       i < above->first + above->n && rows->boxes.data[i].start < b->end; i++)
    own -= MIN (rows->boxes.data[i].end, b->end) - MAX (rows->boxes.data[i].start, b->start);
  return own;
}

/* "\nlibc.so.6, memcpy.c:12" */
static void
append_place (GString *s, const WpTooltipRequest *request, WpId *frame)
{
  WpId module = wp_box_module (request->rows, request->box, request->trace, request->analysis);
  WpId of = wp_box_frame (request->rows, request->box, request->part, request->trace, request->analysis);
  const char *source = NULL;

  if (module == 0)
    return;
  g_string_append_printf (s, "\n%s", wp_trace_module_name (request->trace, module));
  if (of == 0 || request->sources == NULL || (request->trace->frames.data[of].flags & WP_FRAME_KERNEL))
    return;
  if (!wp_sources_get (request->sources, of, &source))
    *frame = of;
  else if (source != NULL)
    {
      g_autofree char *plain = without_markup (source);

      g_string_append_printf (s, ", %s", g_strstrip (plain));
    }
}

static void
append_task (GString *s, const WpTrace *trace, WpId op)
{
  const WpTask *task = &trace->tasks.data[trace->ops.data[op].task];

  if (task->kind == WP_TASK_THREAD)
    g_string_append_printf (s, "\n%s (%d)", wp_trace_task_name (trace, trace->ops.data[op].task), task->tid);
  else
    g_string_append_printf (s, "\n%s", wp_trace_string (trace, task->name));
}

/* A node tells what it gathered, overflow included; a box of the flame view what of it stands there. */
static void
append_self (GString *s, const WpTooltipRequest *request)
{
  const WpBox *b = &request->rows->boxes.data[request->box];
  char time[WP_FORMAT_MAX];

  if (b->frame == WP_FRAME_OF_TOP)
    return;
  if (b->ref_kind == WP_REF_NODE && request->analysis != NULL)
    {
      const WpNode *node = &request->analysis->tree->nodes.data[b->ref];

      g_string_append_printf (s, _("\nSelf %s"), wp_format_ns (node->self, time));
      append_latency (s, request->analysis->explanation, node->latency);
    }
  else if (b->ref_kind == WP_REF_PART)
    g_string_append_printf (s, _("\nSelf %s"), wp_format_ns (own_time (request->rows, request->box), time));
}

char *
wp_box_tooltip (const WpTooltipRequest *request, WpId *frame)
{
  const WpRows *rows = request->rows;
  const WpBox *b = &rows->boxes.data[request->box];
  GString *s = g_string_new (wp_strings_get (rows->strings, b->label));
  char time[WP_FORMAT_MAX];
  const char *help = wp_term_help_of (s->str);
  WpId op = request->trace != NULL && rows->is_time ? wp_box_op (b, request->analysis, request->part) : 0, wanted = 0;

  g_string_append_printf (s, "%s%s · %s", s->len > 0 ? "\n" : "", _(wp_box_kind_name (b->kind)), wp_format_ns (b->end - b->start, time));
  wp_box_append_share (s, rows, request->box, request->from, request->to);
  append_self (s, request);
  append_place (s, request, &wanted);
  if (op != 0)
    append_task (s, request->trace, op);
  if (op != 0 && b->kind == WP_BOX_RUNNABLE)
    append_rivals (s, request->trace, op);
  append_folded (s, rows, b, request->trace);
  if (help != NULL)
    g_string_append_printf (s, "\n%s", help);
  if (frame != NULL)
    *frame = wanted;
  return g_string_free (s, FALSE);
}
