/* Why it took so long, in one sentence: who or what ended the wait, and what that had done meanwhile. */
#include "workspace/file/details-private.h"

#include <glib/gi18n.h>

#include "base/format.h"
#include "paths/rivals.h"
#include "view/text.h"

/* What there is to say of wakeups that no task did. */
static const char *const causes[WP_CAUSE_COUNT] = {
  [WP_CAUSE_DISK] = N_ ("Woken by the end of a disk request"),
  [WP_CAUSE_NET] = N_ ("Woken by a network packet"),
  [WP_CAUSE_DEVICE] = N_ ("Woken by the interrupt of a device"),
  [WP_CAUSE_IPI] = N_ ("Woken by another processor"),
  [WP_CAUSE_SIGNAL] = N_ ("Woken by a signal"),
  [WP_CAUSE_KERNEL] = N_ ("Woken by the kernel’s bookkeeping"),
};

/* How much of start … end is within a sleep: before that nobody waited for it. */
static gint64
within (const WpOp *sleep, gint64 start, gint64 end)
{
  return MAX (MIN (end, sleep->end) - MAX (start, sleep->start), 0);
}

/* What an operation of a device is of: "vda", "10.0.0.1:443". */
static const char *
device_of (const WpDetailsBuilder *b, const WpOp *op)
{
  const WpId remote = op->kind == WP_OP_NET ? b->trace->nets.data[op->detail].remote : 0;

  return remote != 0 ? wp_trace_string (b->trace, remote) : wp_trace_task_name (b->trace, op->task);
}

/* What the waker did while this slept: it ran, or waited itself, whichever was longer. */
static void
append_waker (const WpDetailsBuilder *b, GString *s, const WpOp *sleep, WpId run, gint64 wakeup)
{
  const WpOp *r = &b->trace->ops.data[run];
  WpId before = r->kind == WP_OP_RUN ? wp_trace_prev_op (b->trace, run) : 0;
  const WpOp *wait = before != 0 ? &b->trace->ops.data[before] : NULL;
  gint64 ran = within (sleep, r->start, wakeup), waited = wait != NULL ? within (sleep, wait->start, wp_trace_woken (b->trace, before)) : 0;
  char time[WP_FORMAT_MAX];

  if (waited > ran && wait->explained_by != 0)
    {
      g_autofree char *device = g_markup_escape_text (device_of (b, &b->trace->ops.data[wait->explained_by]), -1);

      g_string_append_printf (s, _ (", which had waited %s for <a href=\"op:%u\">%s</a>"), wp_format_ns (waited, time), wait->explained_by,
                              device);
    }
  else if (waited > ran)
    g_string_append_printf (s, _ (", which had <a href=\"op:%u\">waited %s</a> itself"), before, wp_format_ns (waited, time));
  else if (ran > 0)
    g_string_append_printf (s, _ (", which had <a href=\"op:%u\">run for %s</a>"), run, wp_format_ns (ran, time));
}

static void
append_preempted (const WpDetailsBuilder *b, GString *s, WpId id)
{
  const WpOp *sleep = &b->trace->ops.data[id];
  WpHelperArray rivals = { 0 };
  char time[WP_FORMAT_MAX];

  wp_rivals_of (b->trace, id, &rivals);
  wp_format_ns (sleep->end - sleep->start, time);
  if (rivals.len > 0)
    {
      g_autofree char *who = g_markup_escape_text (wp_trace_string (b->trace, rivals.data[0].who), -1);

      g_string_append_printf (s, _ ("Pushed off its CPU for %s, which <a href=\"op:%u\">%s</a> had"), time, rivals.data[0].op, who);
    }
  else
    g_string_append_printf (s, _ ("Pushed off its CPU for %s"), time);
  wp_array_clear (&rivals);
}

/* What ended the blocked part of a sleep. */
static void
append_end (const WpDetailsBuilder *b, GString *s, WpId id)
{
  const WpOp *sleep = &b->trace->ops.data[id];
  const WpLink *link = &b->trace->links.data[sleep->link];
  char time[WP_FORMAT_MAX];

  wp_format_ns (wp_trace_woken (b->trace, id) - sleep->start, time);
  if (sleep->explained_by != 0 && sleep->cause != WP_CAUSE_TASK && !wp_unfinished (sleep))
    {
      g_autofree char *device = g_markup_escape_text (device_of (b, &b->trace->ops.data[sleep->explained_by]), -1);

      g_string_append_printf (s, _ ("Waited %s for <a href=\"op:%u\">%s</a>"), time, sleep->explained_by, device);
    }
  else if (link->source != 0)
    {
      g_autofree char *task = wp_details_task_link (b->trace, b->trace->ops.data[link->source].task);

      g_string_append_printf (s, _ ("Woken by %s"), task);
      append_waker (b, s, sleep, link->source, link->start);
    }
  else if (sleep->cause == WP_CAUSE_TIMER)
    g_string_append_printf (s, _ ("Woken by a timer after %s"), time);
  else if (wp_unfinished (sleep))
    g_string_append_printf (s, _ ("Nothing had woken it after %s, when the recording ended"), time);
  else if (causes[sleep->cause] != NULL)
    g_string_append (s, _(causes[sleep->cause]));
}

/* Where it was ready for long, compared with how long it had been blocked. */
static void
append_ready (const WpDetailsBuilder *b, GString *s, WpId id)
{
  const WpOp *sleep = &b->trace->ops.data[id];
  gint64 ready = sleep->end - wp_trace_woken (b->trace, id);
  char time[WP_FORMAT_MAX];

  if (s->len > 0 && ready > (sleep->end - sleep->start) / 10)
    g_string_append_printf (s, _ ("; then it was ready for %s before it had a CPU"), wp_format_ns (ready, time));
}

static void
append_sleep (const WpDetailsBuilder *b, GString *s, WpId id)
{
  if (b->trace->ops.data[id].state == WP_STATE_PREEMPTED)
    append_preempted (b, s, id);
  else
    {
      append_end (b, s, id);
      append_ready (b, s, id);
    }
}

/* It runs because of what ended the sleep before it, or because it was started. */
static void
append_run (const WpDetailsBuilder *b, GString *s)
{
  WpId link = b->trace->ops.data[b->op].link, before = link == 0 ? wp_trace_prev_op (b->trace, b->op) : 0;
  WpId source = link != 0 ? b->trace->links.data[link].source : 0;

  if (source != 0)
    {
      g_autofree char *task = wp_details_task_link (b->trace, b->trace->ops.data[source].task);

      g_string_append_printf (s, b->trace->links.data[link].cause == WP_CAUSE_EXEC ? _ ("Started by %s with exec") : _ ("Started by %s"), task);
    }
  else if (before != 0 && b->trace->ops.data[before].kind == WP_OP_SLEEP)
    {
      g_autoptr (GString) slept = g_string_new (NULL);

      append_sleep (b, slept, before);
      if (slept->len > 0)
        g_string_append_printf (s, _ ("Before it ran: %s"), slept->str);
    }
}

static void
append_device (const WpDetailsBuilder *b, GString *s, const WpOp *op)
{
  WpId task = op->kind == WP_OP_NET ? b->trace->nets.data[op->detail].task : b->trace->disks.data[op->detail].task;
  g_autofree char *link = task != 0 ? wp_details_task_link (b->trace, task) : NULL;

  if (link == NULL)
    return;
  g_string_append_printf (s, op->kind == WP_OP_NET ? _ ("%s had sent, and the answer took so long")
                             : op->kind == WP_OP_DISK ? _ ("%s asked for it") : _ ("%s asked for it, and others came first"), link);
}

/* A node that is only passed through has nothing of its own that could be said. */
static gboolean
is_passed_through (const WpDetailsBuilder *b)
{
  return b->box->ref_kind == WP_REF_NODE && b->analysis->tree->nodes.data[b->box->ref].part == 0;
}

void
wp_details_add_why (WpDetailsBuilder *b, guint n_parts)
{
  const WpOp *op = &b->trace->ops.data[b->op];
  GString *s = g_string_new (NULL);
  g_autofree char *part = NULL;

  if (is_passed_through (b))
    {
      g_string_free (s, TRUE);
      return;
    }

  if (op->kind == WP_OP_SLEEP)
    append_sleep (b, s, b->op);
  else if (op->kind == WP_OP_RUN)
    append_run (b, s);
  else
    append_device (b, s, op);
  if (s->len > 0 && n_parts > 1)
    {
      part = g_string_free (s, FALSE);
      s = g_string_new (NULL);
      g_string_append_printf (s, _ ("This part: %s"), part);
    }
  b->text->why = g_string_free (s, s->len == 0);
}
