/* The facts of a box: a label and a value each. */
#include "workspace/file/details-private.h"

#include <glib/gi18n.h>
#include <netinet/in.h>

#include "base/format.h"
#include "base/search.h"
#include "paths/rivals.h"
#include "trace/marks.h"
#include "view/text.h"
#include "workspace/file/boxes.h"

void
wp_details_add_fact (WpDetailsBuilder *b, const char *label, const char *format, ...)
{
  va_list args;
  WpDetailsFact fact = { .label = g_strdup (label) };

  va_start (args, format);
  fact.markup = g_markup_vprintf_escaped (format, args);
  va_end (args);
  wp_array_push (&b->text->facts, fact);
}

static void
add_markup (WpDetailsBuilder *b, const char *label, char *markup)
{
  wp_array_push (&b->text->facts, ((WpDetailsFact) { .label = g_strdup (label), .markup = markup }));
}

char *
wp_details_task_link (const WpTrace *trace, WpId task)
{
  const WpTask *t = &trace->tasks.data[task];
  const char *name = wp_trace_task_name (trace, task);

  if (t->kind != WP_TASK_THREAD)
    return g_markup_escape_text (name, -1);
  return g_markup_printf_escaped ("<a href=\"task:%u\">%s</a> (%d)", task, name, t->tid);
}

void
wp_details_add_times (WpDetailsBuilder *b)
{
  char start[WP_FORMAT_MAX], length[WP_FORMAT_MAX];
  gint64 ns = b->box->end - b->box->start;

  if (b->rows->is_time)
    wp_details_add_fact (b, _("Start"), "%s", wp_format_time (b->box->start - b->origin, MAX (ns / 100, WP_NS_PER_US), start));
  wp_details_add_fact (b, b->rows->is_time ? _("Duration") : _("Total"), "%s", wp_format_ns (ns, length));
}

/* A box of the flame view may go over many parts: the one that is meant. */
void
wp_details_add_part (WpDetailsBuilder *b, guint n_parts)
{
  const WpPart *part = &b->analysis->paths->parts.data[b->part];
  char start[WP_FORMAT_MAX], length[WP_FORMAT_MAX];
  gint64 ns = part->end - part->start;

  wp_format_time (part->start - b->origin, MAX (ns / 100, WP_NS_PER_US), start);
  wp_format_ns (ns, length);
  wp_details_add_fact (b, _("This part"), ngettext ("%s, at %s; %u part in this box", "%s, at %s; one of %u parts in this box", n_parts),
            length, start, n_parts);
}

/* Where several things went on at once: what of the elapsed time a box answers for. */
static void
add_latency (WpDetailsBuilder *b, gint64 latency)
{
  char time[WP_FORMAT_MAX], share[WP_FORMAT_MAX];

  wp_details_add_fact (b, _("Latency"), "%s (%s)", wp_format_ns (latency, time),
                       wp_format_share ((double) latency / (double) MAX (b->analysis->explanation->wall, 1), share));
}

/* It is the sum of a whole subtree of parts, so that it is asked for only where it is shown. */
void
wp_details_add_box_latency (WpDetailsBuilder *b)
{
  if (wp_explanation_is_parallel (b->analysis->explanation))
    add_latency (b, wp_box_latency (b->box, b->analysis));
}

void
wp_details_add_node (WpDetailsBuilder *b)
{
  const WpTree *tree = b->analysis->tree;
  const WpNode *node = &tree->nodes.data[b->box->ref];
  double total = (double) MAX (tree->nodes.data[0].total, 1);
  char time[WP_FORMAT_MAX], share[WP_FORMAT_MAX];

  if (b->box->frame == WP_FRAME_OF_TOP)
    {
      wp_details_add_fact (b, _("Share"), "%s", wp_format_share ((double) (b->box->end - b->box->start) / total, share));
      return;
    }
  wp_details_add_fact (b, _("Share"), "%s", wp_format_share ((double) node->total / total, share));
  wp_details_add_fact (b, _("Self"), "%s (%s)", wp_format_ns (node->self, time), wp_format_share ((double) node->self / total, share));
  if (wp_explanation_is_parallel (b->analysis->explanation))
    add_latency (b, node->latency);
  if (node->extra > 0)
    wp_details_add_fact (b, _("Overflow"), "%s", wp_format_ns (node->extra, time));
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

/* The ones that are named. */
static void
find_rivals (const WpTrace *trace, WpId sleep, WpHelperArray *rivals, double shares[WP_FACT_SHARES])
{
  gint64 wait = trace->ops.data[sleep].end - wp_trace_woken (trace, sleep);

  wp_rivals_of (trace, sleep, rivals);
  rivals->len = MIN (rivals->len, WP_FACT_SHARES);
  for (guint32 i = 0; i < rivals->len; i++)
    shares[i] = (double) rivals->data[i].ns / (double) MAX (wait, 1);
}

char *
wp_details_rivals (const WpTrace *trace, WpId sleep, double shares[WP_FACT_SHARES])
{
  GString *markup = g_string_new (NULL);
  WpHelperArray rivals = { 0 };

  find_rivals (trace, sleep, &rivals, shares);
  for (guint32 i = 0; i < rivals.len; i++)
    {
      char share[WP_FORMAT_MAX];
      g_autofree char *name = g_markup_escape_text (wp_trace_string (trace, rivals.data[i].who), -1);

      g_string_append_printf (markup, "%s<a href=\"op:%u\">%s</a> %s", i > 0 ? ", " : "", rivals.data[i].op, name, wp_format_share (shares[i], share));
    }
  wp_array_clear (&rivals);
  return g_string_free (markup, markup->len == 0);
}

/* Of text: ten letters for all of it, one at least. */
static void
append_bar (GString *s, double share)
{
  guint letters = MAX ((guint) (share * 10 + 0.5), 1);

  while (letters-- > 0)
    g_string_append (s, "▆");
}

char *
wp_details_rival_bars (const WpTrace *trace, WpId sleep)
{
  GString *text = g_string_new (NULL);
  WpHelperArray rivals = { 0 };
  double shares[WP_FACT_SHARES] = { 0 };

  find_rivals (trace, sleep, &rivals, shares);
  for (guint32 i = 0; i < rivals.len; i++)
    {
      char share[WP_FORMAT_MAX];

      g_string_append_c (text, '\n');
      append_bar (text, shares[i]);
      g_string_append_printf (text, " %s %s", wp_trace_string (trace, rivals.data[i].who), wp_format_share (shares[i], share));
    }
  wp_array_clear (&rivals);
  return g_string_free (text, text->len == 0);
}

void
wp_details_add_rivals (WpDetailsBuilder *b)
{
  WpDetailsFact fact = { 0 };

  if (b->trace->ops.data[b->op].kind != WP_OP_SLEEP)
    return;
  fact.markup = wp_details_rivals (b->trace, b->op, fact.shares);
  if (fact.markup == NULL)
    return;
  fact.label = g_strdup (_("Had the CPU"));
  wp_array_push (&b->text->facts, fact);
}

static void
add_sleep (WpDetailsBuilder *b, const WpOp *op)
{
  gint64 woken = wp_trace_woken (b->trace, b->op);
  const WpLink *link = &b->trace->links.data[op->link];
  char time[WP_FORMAT_MAX];

  wp_details_add_fact (b, _("State"), "%s", state_name (op->state));
  wp_details_add_fact (b, _("Blocked"), "%s", wp_format_ns (woken - op->start, time));
  wp_details_add_fact (b, _("Runnable"), "%s", wp_format_ns (op->end - woken, time));
  if (link->device != 0 && op->cause == WP_CAUSE_TIMER)
    wp_details_add_fact (b, _("No answer from"), "%s", wp_trace_string (b->trace, b->trace->devices.data[link->device]));
  if (link->device != 0 && op->cause == WP_CAUSE_TASK)
    wp_details_add_fact (b, _("Woken over"), "%s", wp_trace_string (b->trace, b->trace->devices.data[link->device]));
}

/* What goes on at that moment on the control path that a part waits for, in whose lane it is drawn. */
static WpId
op_in_lane (const WpPaths *paths, const WpPart *part, gint64 time)
{
  WpId p = paths->paths.data[part->waits_path].first_part;

  while (p != 0 && paths->parts.data[p].end <= time && paths->parts.data[p].next != 0)
    p = paths->parts.data[p].next;
  return paths->parts.data[p].op;
}

void
wp_details_add_lane (WpDetailsBuilder *b)
{
  const WpPaths *paths = b->part != 0 ? b->analysis->paths : NULL;
  const WpPart *part = paths != NULL ? &paths->parts.data[b->part] : NULL;
  gint64 time = part != NULL ? CLAMP (b->box->start, part->start, part->end) : 0;

  if (part != NULL && b->box->ghost)
    add_markup (b, _("Counted"), g_markup_printf_escaped (_("<a href=\"op:%u\">in its own lane</a>, not here"), part->op));
  if (part != NULL && part->waits_path != 0)
    add_markup (b, _("Waits for"), g_markup_printf_escaped (_("<a href=\"op:%u\">%s</a>, in its own lane"), op_in_lane (paths, part, time),
                                                            wp_trace_string (b->trace, wp_paths_task_name (paths, paths->paths.data[part->waits_path].task))));
}

/* Of a box that is one thing all along; a caller's box may stand for many. */
void
wp_details_add_category (WpDetailsBuilder *b)
{
  const WpExplanation *explanation = b->analysis != NULL ? wp_analysis_whole (b->analysis)->explanation : NULL;
  const WpPiece *pieces;
  guint32 low;

  if (b->part == 0 || explanation == NULL || !b->rows->is_time)
    return;
  pieces = explanation->pieces.data;
  low = WP_SEARCH (0, explanation->pieces.len, i,
                   pieces[i].part < b->part || (pieces[i].part == b->part && pieces[i].end <= b->box->start));
  if (low < explanation->pieces.len && explanation->pieces.data[low].part == b->part
      && explanation->pieces.data[low].start <= b->box->start && explanation->pieces.data[low].end >= b->box->end)
    {
      const WpExplanationRow *row = &explanation->rows.data[explanation->pieces.data[low].row];

      wp_details_add_fact (b, _("Category"), "%s: %s", _(wp_category_name (row->category)), wp_row_text (row));
    }
}

static void
add_string (WpDetailsBuilder *b, const char *label, WpId string)
{
  if (string != 0)
    wp_details_add_fact (b, label, "%s", wp_trace_string (b->trace, string));
}

static void
add_disk (WpDetailsBuilder *b, const WpOp *op)
{
  const WpDisk *disk = &b->trace->disks.data[op->detail];
  const char *letters = wp_trace_string (b->trace, disk->rwbs);
  char size[32], sector[32];

  g_snprintf (sector, sizeof sector, "%" G_GUINT64_FORMAT, disk->sector);
  wp_details_add_fact (b, _("Device"), "%s", wp_trace_task_name (b->trace, op->task));
  add_string (b, _("File"), disk->file);
  g_snprintf (size, sizeof size, "%g", disk->sectors / 2.0);
  if (disk->sectors > 0)
    wp_details_add_fact (b, _("Request"), strchr (letters, 'R') != NULL ? _("read %u sectors (%s KiB) at %s")
                                                              : _("write %u sectors (%s KiB) at %s"),
              disk->sectors, size, sector);
  else
    wp_details_add_fact (b, _("Request"), "%s", _("flush"));
  if (*letters != '\0')
    wp_details_add_fact (b, _("Flags"), "%s", letters);
  if (disk->task != 0)
    add_markup (b, _("Asked for by"), wp_details_task_link (b->trace, disk->task));
}

static void
add_net (WpDetailsBuilder *b, const WpNet *net)
{
  wp_details_add_fact (b, _("Protocol"), "%s", net->protocol == IPPROTO_UDP ? "UDP" : "TCP");
  add_string (b, _("Local address"), net->local);
  add_string (b, _("Remote address"), net->remote);
  wp_details_add_fact (b, _("Exchange"), "%s", net->handshake ? _("connecting") : _("from the last send to the answer"));
  if (net->task != 0)
    add_markup (b, _("Sent by"), wp_details_task_link (b->trace, net->task));
}

/* What is known of the operation of a device or a socket. */
static void
add_device_facts (WpDetailsBuilder *b, const WpOp *op)
{
  if (op->kind == WP_OP_DISK || op->kind == WP_OP_DISK_QUEUE)
    add_disk (b, op);
  else if (op->kind == WP_OP_NET)
    add_net (b, &b->trace->nets.data[op->detail]);
}

/* The operation that a sleep waited for leads there, and says what it was about. That it waits for a child is inferred. */
static void
add_explained_by (WpDetailsBuilder *b, WpId op, gboolean open)
{
  g_autofree char *described = wp_op_text (b->trace, op);

  add_markup (b, _("Waited for"), g_markup_printf_escaped ("<a href=\"op:%u\">%s</a>", op, described));
  add_device_facts (b, &b->trace->ops.data[op]);
  if (open)
    wp_details_add_fact (b, _("Note"), "%s", _("inferred: it is the only child that lives"));
}

void
wp_details_add_op (WpDetailsBuilder *b)
{
  const WpOp *op = &b->trace->ops.data[b->op];
  g_autofree char *described = NULL;

  if (op->kind == WP_OP_RUN || op->kind == WP_OP_SLEEP)
    {
      add_markup (b, _("Task"), wp_details_task_link (b->trace, op->task));
      described = wp_op_text (b->trace, b->op);
    }
  if (described != NULL)
    wp_details_add_fact (b, _("What"), "%s", described);
  add_device_facts (b, op);
  if (op->cpu != 0)
    wp_details_add_fact (b, _("CPU"), "%u", op->cpu - 1);
  if (wp_trace_arguments (b->trace, op->task) != NULL)
    wp_details_add_fact (b, _("Started as"), "%s", wp_trace_arguments (b->trace, op->task));
  if (op->kind == WP_OP_SLEEP)
    add_sleep (b, op);
  if (op->kind == WP_OP_SLEEP && op->explained_by != 0)
    add_explained_by (b, op->explained_by, wp_unfinished (op));
  if (op->flags & (WP_OP_INFERRED | WP_OP_WOKEN_INFERRED))
    wp_details_add_fact (b, _("Note"), "%s", _("inferred, since not all of its events were recorded"));
  if (op->flags & WP_OP_THROTTLED)
    wp_details_add_fact (b, _("Note"), "%s", _("the kernel held samples back here"));
  if (op->flags & WP_OP_LOST)
    wp_details_add_fact (b, _("Note"), "%s",
                         op->flags & WP_OP_PAUSED ? _("recording was paused here") : _("events were lost here"));
}

/* What the program said that it was doing when the box began. */
void
wp_details_add_marks (WpDetailsBuilder *b)
{
  const WpTask *task = &b->trace->tasks.data[b->trace->ops.data[b->op].task];
  gint64 moment = b->rows->is_time ? b->box->start
                  : b->part != 0   ? b->analysis->paths->parts.data[b->part].start
                                   : b->trace->ops.data[b->op].start;
  WpId names[2 * WP_MARKS_DEEP];
  guint n = wp_trace_marks_at (b->trace, task->pid, task->tid, moment, names);
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint i = 0; i < n; i++)
    g_string_append_printf (text, "%s%s", i > 0 ? " › " : "", wp_trace_string (b->trace, names[i]));
  if (n > 0)
    wp_details_add_fact (b, _("Mark"), "%s", text->str);
}
