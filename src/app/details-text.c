#include "app/details-text.h"

#include <glib/gi18n.h>
#include <netinet/in.h>

#include "app/highlight.h"
#include "base/format.h"
#include "paint/paint.h"
#include "view/text.h"

#define WOKE_MAX 12

typedef struct
{
  WpDetailsText *text;
  const WpRows *rows;
  const WpBox *box;
  const WpTrace *trace;
  const WpAnalysis *analysis;
  const WpSources *sources;
  WpId op, part;
  gint64 origin; /* what the view's axis counts from */
} Builder;

static void G_GNUC_PRINTF (3, 4)
add_fact (Builder *b, const char *label, const char *format, ...)
{
  va_list args;
  WpFact fact = { .label = g_strdup (label) };

  va_start (args, format);
  fact.markup = g_markup_vprintf_escaped (format, args);
  va_end (args);
  wp_array_push (&b->text->facts, fact);
}

static void
add_markup (Builder *b, const char *label, char *markup)
{
  wp_array_push (&b->text->facts, ((WpFact) { g_strdup (label), markup }));
}

static char *
task_link (const WpTrace *trace, WpId task)
{
  const WpTask *t = &trace->tasks.data[task];
  const char *name = wp_trace_task_name (trace, task);

  if (t->kind != WP_TASK_THREAD)
    return g_markup_escape_text (name, -1);
  return g_markup_printf_escaped ("<a href=\"task:%u\">%s</a> (%d)", task, name, t->tid);
}

/* --- facts --- */

static void
add_times (Builder *b)
{
  char start[WP_FORMAT_MAX], length[WP_FORMAT_MAX];
  gint64 ns = b->box->end - b->box->start;

  if (b->rows->is_time)
    add_fact (b, _("Start"), "%s", wp_format_time (b->box->start - b->origin, MAX (ns / 10, WP_NS_PER_US), start));
  add_fact (b, b->rows->is_time ? _("Duration") : _("Total"), "%s", wp_format_ns (ns, length));
}

/* A box of the flame view may go over many parts: the one that is meant. */
static void
add_part (Builder *b, guint n_parts)
{
  const WpPart *part = &b->analysis->paths->parts.data[b->part];
  char start[WP_FORMAT_MAX], length[WP_FORMAT_MAX];
  gint64 ns = part->end - part->start;

  wp_format_time (part->start - b->origin, MAX (ns / 10, WP_NS_PER_US), start);
  wp_format_ns (ns, length);
  add_fact (b, _("This part"), ngettext ("%s, at %s; %u part in this box", "%s, at %s; one of %u parts in this box", n_parts),
            length, start, n_parts);
}

static void
add_node (Builder *b)
{
  const WpTree *tree = b->analysis->tree;
  const WpNode *node = &tree->nodes.data[b->box->ref];
  double total = (double) MAX (tree->nodes.data[0].total, 1);
  char time[WP_FORMAT_MAX], share[WP_FORMAT_MAX];

  add_fact (b, _("Share"), "%s", wp_format_share ((double) node->total / total, share));
  add_fact (b, _("Self"), "%s (%s)", wp_format_ns (node->self, time), wp_format_share ((double) node->self / total, share));
  if (node->extra > 0)
    add_fact (b, _("Overflow"), "%s", wp_format_ns (node->extra, time));
}

static const char *
state_name (guint8 state)
{
  static const char *const names[WP_STATE_COUNT] = {
    [WP_STATE_PREEMPTED] = N_ ("preempted"),    [WP_STATE_SLEEPING] = N_ ("interruptible sleep"),
    [WP_STATE_DISK] = N_ ("uninterruptible sleep"), [WP_STATE_STOPPED] = N_ ("stopped"),
    [WP_STATE_IDLE] = N_ ("idle"),              [WP_STATE_DEAD] = N_ ("exited"),
  };

  return state < WP_STATE_COUNT && names[state] != NULL ? _(names[state]) : _("unknown");
}

static void
add_sleep (Builder *b, const WpOp *op)
{
  gint64 woken = wp_trace_woken (b->trace, b->op);
  char time[WP_FORMAT_MAX];

  add_fact (b, _("State"), "%s", state_name (op->state));
  add_fact (b, _("Blocked"), "%s", wp_format_ns (woken - op->start, time));
  add_fact (b, _("Runnable"), "%s", wp_format_ns (op->end - woken, time));
}

/* Of a box that is one thing all along; a caller's box may stand for many. */
static void
add_category (Builder *b)
{
  const WpExplanation *explanation = b->analysis != NULL ? wp_analysis_whole (b->analysis)->explanation : NULL;
  guint32 low = 0, high;

  if (b->part == 0 || explanation == NULL || !b->rows->is_time)
    return;
  high = explanation->pieces.len;
  while (low < high)
    {
      guint32 middle = low + (high - low) / 2;
      const WpPiece *piece = &explanation->pieces.data[middle];

      if (piece->part < b->part || (piece->part == b->part && piece->end <= b->box->start))
        low = middle + 1;
      else
        high = middle;
    }
  if (low < explanation->pieces.len && explanation->pieces.data[low].part == b->part
      && explanation->pieces.data[low].start <= b->box->start && explanation->pieces.data[low].end >= b->box->end)
    {
      const WpExplanationRow *row = &explanation->rows.data[explanation->pieces.data[low].row];

      add_fact (b, _("Category"), "%s: %s", _(wp_category_name (row->category)), wp_row_text (row));
    }
}

static void
add_string (Builder *b, const char *label, WpId string)
{
  if (string != 0)
    add_fact (b, label, "%s", wp_trace_string (b->trace, string));
}

static void
add_disk (Builder *b, const WpOp *op)
{
  const WpDisk *disk = &b->trace->disks.data[op->detail];
  const char *letters = wp_trace_string (b->trace, disk->rwbs);
  char size[32], sector[32];

  g_snprintf (sector, sizeof sector, "%" G_GUINT64_FORMAT, disk->sector);
  add_fact (b, _("Device"), "%s", wp_trace_task_name (b->trace, op->task));
  add_string (b, _("File"), disk->file);
  g_snprintf (size, sizeof size, "%g", disk->sectors / 2.0);
  if (disk->sectors > 0)
    add_fact (b, _("Request"), strchr (letters, 'R') != NULL ? _("read %u sectors (%s KiB) at %s")
                                                              : _("write %u sectors (%s KiB) at %s"),
              disk->sectors, size, sector);
  else
    add_fact (b, _("Request"), "%s", _("flush"));
  if (*letters != '\0')
    add_fact (b, _("Flags"), "%s", letters);
  if (disk->task != 0)
    add_markup (b, _("Asked for by"), task_link (b->trace, disk->task));
}

static void
add_net (Builder *b, const WpNet *net)
{
  add_fact (b, _("Protocol"), "%s", net->protocol == IPPROTO_UDP ? "UDP" : "TCP");
  add_string (b, _("Local address"), net->local);
  add_string (b, _("Remote address"), net->remote);
  add_fact (b, _("Exchange"), "%s", net->handshake ? _("connecting") : _("from the last send to the answer"));
  if (net->task != 0)
    add_markup (b, _("Sent by"), task_link (b->trace, net->task));
}

/* What is known of the operation of a device or a socket. */
static void
add_device_facts (Builder *b, const WpOp *op)
{
  if (op->kind == WP_OP_DISK || op->kind == WP_OP_DISK_QUEUE)
    add_disk (b, op);
  else if (op->kind == WP_OP_NET)
    add_net (b, &b->trace->nets.data[op->detail]);
}

/* The operation that a sleep waited for leads there, and says what it was about. */
static void
add_explained_by (Builder *b, WpId op)
{
  g_autofree char *described = wp_trace_describe_op (b->trace, op);

  add_markup (b, _("Waited for"), g_markup_printf_escaped ("<a href=\"op:%u\">%s</a>", op, described));
  add_device_facts (b, &b->trace->ops.data[op]);
}

static void
add_op (Builder *b)
{
  const WpOp *op = &b->trace->ops.data[b->op];
  g_autofree char *described = NULL;

  if (op->kind == WP_OP_RUN || op->kind == WP_OP_SLEEP)
    {
      add_markup (b, _("Task"), task_link (b->trace, op->task));
      described = wp_trace_describe_op (b->trace, b->op);
    }
  if (described != NULL)
    add_fact (b, _("What"), "%s", described);
  add_device_facts (b, op);
  if (op->kind == WP_OP_SLEEP)
    add_sleep (b, op);
  if (op->kind == WP_OP_SLEEP && op->explained_by != 0)
    add_explained_by (b, op->explained_by);
  if (op->flags & (WP_OP_INFERRED | WP_OP_WOKEN_INFERRED))
    add_fact (b, _("Note"), "%s", _("inferred, since not all of its events were recorded"));
  if (op->flags & WP_OP_LOST)
    add_fact (b, _("Note"), "%s", _("events were lost here"));
}

/* --- stack --- */

static WpId
slice_stack (const Builder *b)
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
append_source (const Builder *b, GString *s, WpId frame)
{
  const char *source;

  if (b->sources == NULL || (b->trace->frames.data[frame].flags & WP_FRAME_KERNEL))
    return;
  if (!wp_sources_get (b->sources, frame, &source))
    g_array_append_val (b->text->frames, frame);
  else if (source != NULL)
    g_string_append (s, source);
}

static char *
stack_markup (const Builder *b, WpId stack)
{
  const WpTrace *trace = b->trace;
  GString *s = g_string_new (NULL);

  for (; stack != 0; stack = trace->stacks.data[stack].parent)
    {
      WpId id = trace->stacks.data[stack].frame;
      const WpFrame *frame = &trace->frames.data[id];
      g_autofree char *name = g_markup_escape_text (wp_trace_function_name (trace, frame->function), -1);
      g_autofree char *module = g_markup_escape_text (wp_trace_module_name (trace, frame->module), -1);

      g_string_append_printf (s, "<a href=\"find:%s\">%s</a>  <span alpha=\"60%%\" size=\"smaller\">%s</span>", name, name,
                              module);
      append_source (b, s, id);
      g_string_append_c (s, '\n');
    }
  if (s->len > 0)
    g_string_truncate (s, s->len - 1);
  return g_string_free (s, s->len == 0);
}

/* How much the stacks of this process are to be believed. */
static void
add_stack_share (Builder *b)
{
  const WpAnalysis *whole = b->analysis != NULL ? wp_analysis_whole (b->analysis) : NULL;
  WpId leader = b->trace->tasks.data[b->trace->ops.data[b->op].task].leader;
  const WpStackCount *count;
  char share[WP_FORMAT_MAX];

  if (whole == NULL || leader >= whole->process_stacks.len || whole->process_stacks.data[leader].stacks == 0)
    return;
  count = &whole->process_stacks.data[leader];
  add_fact (b, _("Whole stacks"), ngettext ("%s of %u of this process", "%s of %u of this process", count->stacks),
            wp_format_share ((double) count->whole / (double) count->stacks, share), count->stacks);
}

static void
add_stack (Builder *b)
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
    [WP_CAUSE_PREEMPTED] = N_ ("nobody: it was preempted and runnable all the time"),
    [WP_CAUSE_FORK] = N_ ("a fork"),
    [WP_CAUSE_EXEC] = N_ ("an exec"),
  };

  return cause < WP_CAUSE_COUNT ? _(names[cause]) : _(names[WP_CAUSE_UNKNOWN]);
}

static char *
op_link (const Builder *b, WpId op, gint64 time)
{
  g_autofree char *task = task_link (b->trace, b->trace->ops.data[op].task);
  char when[WP_FORMAT_MAX];

  wp_format_time (time - b->origin, WP_NS_PER_US, when);
  return g_strdup_printf ("<a href=\"op:%u\">%s</a>  %s", op, when, task);
}

/* The sample of a run that is nearest to a moment: the waker's own stack is not recorded with a waking by a task. */
static WpId
nearest_sample (const WpTrace *trace, WpId run, gint64 time)
{
  const WpOp *op = &trace->ops.data[run];
  WpId best = 0;

  if (op->kind != WP_OP_RUN || op->detail == 0)
    return 0;
  for (WpId i = op->detail; i < trace->samples.len && trace->samples.data[i].run == run; i++)
    if (best == 0 || ABS (trace->samples.data[i].time - time) < ABS (trace->samples.data[best].time - time))
      best = i;
  return best;
}

static void
append_waker_stack (const Builder *b, GString *s, const WpLink *link)
{
  const WpTrace *trace = b->trace;
  g_autofree char *stack = NULL;

  if (link->stack != 0)
    {
      stack = stack_markup (b, link->stack);
      g_string_append_printf (s, "\n\n<b>%s</b>\n%s", _("Stack of the waking"), stack);
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
add_woken_by (Builder *b)
{
  const WpOp *op = &b->trace->ops.data[b->op];
  WpId link = op->link, before = 0;
  GString *s;

  if (op->kind == WP_OP_RUN && link == 0)
    {
      before = wp_trace_prev_op (b->trace, b->op);
      link = before != 0 ? b->trace->ops.data[before].link : 0;
    }
  if (op->kind != WP_OP_SLEEP && link == 0)
    return;
  s = g_string_new (cause_name (link != 0 ? b->trace->links.data[link].cause : op->cause));
  if (link != 0 && b->trace->links.data[link].source != 0)
    {
      g_autofree char *source = op_link (b, b->trace->links.data[link].source, b->trace->links.data[link].start);

      g_string_append_printf (s, "\n%s", source);
    }
  if (link != 0)
    append_waker_stack (b, s, &b->trace->links.data[link]);
  b->text->woken_by = g_string_free (s, FALSE);
}

static void
add_woke (Builder *b)
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
  Builder b = { .text = self, .rows = rows, .box = &rows->boxes.data[request->box], .trace = request->trace,
                .analysis = analysis, .sources = request->sources };

  self->frames = g_array_new (FALSE, FALSE, sizeof (WpId));
  if (rows->is_time)
    b.origin = rows->start;
  else if (analysis != NULL)
    b.origin = analysis->paths->wall_start;
  self->title = g_strdup (wp_strings_get (rows->strings, b.box->label));
  add_fact (&b, _("Kind"), "%s", _(wp_box_kind_name (b.box->kind)));
  add_times (&b);
  if (b.trace == NULL)
    return self;
  b.part = request->part;
  b.op = wp_box_op (b.box, analysis, b.part);
  if (b.part != 0 && request->n_parts > 1)
    add_part (&b, request->n_parts);
  if (b.box->ref_kind == WP_REF_NODE && analysis != NULL)
    {
      add_node (&b);
      if (b.op != 0)
        self->stack_note = g_strdup (_("Of the longest gathered here"));
    }
  add_category (&b);
  if (b.op != 0)
    {
      add_op (&b);
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

char *
wp_box_tooltip (const WpRows *rows, guint32 box, WpId part, const WpTrace *trace, const WpAnalysis *analysis)
{
  const WpBox *b = &rows->boxes.data[box];
  GString *s = g_string_new (wp_strings_get (rows->strings, b->label));
  char time[WP_FORMAT_MAX], share[WP_FORMAT_MAX];
  gint64 whole = rows->end - rows->start;
  WpId op;

  g_string_append_printf (s, "%s%s · %s", s->len > 0 ? "\n" : "", _(wp_box_kind_name (b->kind)),
                          wp_format_ns (b->end - b->start, time));
  if (!rows->is_time && analysis != NULL && b->ref_kind == WP_REF_NODE)
    {
      const WpNode *node = &analysis->tree->nodes.data[b->ref];

      g_string_append_printf (s, _(" (%s)"), wp_format_share ((double) node->total / (double) MAX (whole, 1), share));
      g_string_append_printf (s, _("\nSelf %s"), wp_format_ns (node->self, time));
    }
  op = trace != NULL && rows->is_time ? wp_box_op (b, analysis, part) : 0;
  if (op != 0)
    g_string_append_printf (s, "\n%s (%d)", wp_trace_task_name (trace, trace->ops.data[op].task),
                            trace->tasks.data[trace->ops.data[op].task].tid);
  return g_string_free (s, FALSE);
}
