/* operations: runs, sleeps, disk and network operations, a row a line. */
#include "base/quote.h"
#include "cli/tables.h"

#include <netinet/in.h>

static void
append_stack (GString *out, const WpTrace *trace, WpId stack)
{
  WpIdArray frames = { 0 };

  for (; stack != 0; stack = trace->stacks.data[stack].parent)
    wp_array_push (&frames, trace->frames.data[trace->stacks.data[stack].frame].function);
  for (guint32 i = frames.len; i-- > 0;)
    {
      wp_quote_tsv (out, wp_trace_function_name (trace, frames.data[i]));
      if (i > 0)
        g_string_append_c (out, ';');
    }
  wp_array_clear (&frames);
}

static WpId
stack_of (const WpTrace *trace, const WpOp *op)
{
  if (op->kind == WP_OP_SLEEP)
    return op->detail;
  return op->kind == WP_OP_RUN && op->detail != 0 ? trace->samples.data[op->detail].stack : 0;
}

static const char *
cause_of (const WpOp *op)
{
  return op->kind == WP_OP_SLEEP ? wp_cause_id (op->cause) : "";
}

/* What there is to say of one operation beyond its times: strings, or 0; `waker` is a task. */
typedef struct
{
  WpId file, local, remote, waker, via;
} Facts;

static void
facts_of_wakeup (const WpTrace *trace, const WpLink *link, Facts *facts)
{
  if (link->cause != WP_CAUSE_TASK && link->cause != WP_CAUSE_SIGNAL)
    return;
  facts->waker = link->source != 0 ? trace->ops.data[link->source].task : 0;
  facts->via = link->device < trace->devices.len ? trace->devices.data[link->device] : 0;
}

static Facts
facts_of (const WpTrace *trace, const WpOp *op)
{
  Facts facts = { 0 };

  if (op->kind == WP_OP_DISK || op->kind == WP_OP_DISK_QUEUE)
    facts.file = trace->disks.data[op->detail].file;
  else if (op->kind == WP_OP_NET)
    {
      facts.local = trace->nets.data[op->detail].local;
      facts.remote = trace->nets.data[op->detail].remote;
    }
  else if (op->kind == WP_OP_SLEEP && op->link != 0)
    facts_of_wakeup (trace, &trace->links.data[op->link], &facts);
  return facts;
}

static void
append_facts_tsv (GString *out, const WpTrace *trace, const WpOp *op)
{
  const Facts facts = facts_of (trace, op);
  const WpId texts[] = { facts.file, facts.local, facts.remote };

  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    {
      g_string_append_c (out, '\t');
      wp_quote_tsv (out, wp_trace_string (trace, texts[i]));
    }
  g_string_append_c (out, '\t');
  if (facts.waker != 0)
    {
      wp_quote_tsv (out, wp_trace_task_name (trace, facts.waker));
      g_string_append_printf (out, "/%d", trace->tasks.data[facts.waker].tid);
    }
  g_string_append_c (out, '\t');
  wp_quote_tsv (out, wp_trace_string (trace, facts.via));
}

static void
write_exchange (WpJsonWriter *json, const WpNet *net)
{
  if (net->protocol == IPPROTO_TCP || net->protocol == IPPROTO_UDP)
    wp_json_writer_string (json, "protocol", net->protocol == IPPROTO_TCP ? "tcp" : "udp");
  if (net->handshake)
    wp_json_writer_bool (json, "handshake", TRUE);
}

static void
write_facts (WpJsonWriter *json, const WpTrace *trace, const WpOp *op)
{
  const Facts facts = facts_of (trace, op);
  const struct
  {
    const char *key;
    WpId text;
  } texts[] = { { "file", facts.file }, { "local", facts.local }, { "remote", facts.remote }, { "via", facts.via } };

  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    if (texts[i].text != 0)
      wp_json_writer_string (json, texts[i].key, wp_trace_string (trace, texts[i].text));
  if (op->kind == WP_OP_NET)
    write_exchange (json, &trace->nets.data[op->detail]);
  if (facts.waker == 0)
    return;
  wp_json_writer_string (json, "waker", wp_trace_task_name (trace, facts.waker));
  wp_json_writer_int (json, "waker_tid", trace->tasks.data[facts.waker].tid);
}

static void
operation_tsv (GString *out, const WpTrace *trace, WpId id)
{
  const WpOp *op = &trace->ops.data[id];

  g_string_append_printf (out, "%u\t%s\t", id, wp_op_kind_id (op->kind));
  wp_quote_tsv (out, wp_trace_task_name (trace, op->task));
  g_string_append_printf (out, "\t%d\t%" G_GINT64_FORMAT "\t%" G_GINT64_FORMAT "\t%s\t%s\t", trace->tasks.data[op->task].tid,
                          op->start, op->end, op->kind == WP_OP_SLEEP ? wp_state_id (op->state) : "", cause_of (op));
  append_stack (out, trace, stack_of (trace, op));
  g_string_append_c (out, '\t');
  if (op->kind == WP_OP_SLEEP)
    g_string_append_printf (out, "%" G_GINT64_FORMAT, wp_trace_woken (trace, id));
  append_facts_tsv (out, trace, op);
  g_string_append_c (out, '\n');
}

static void
operation_json (WpJsonWriter *json, const WpTrace *trace, WpId id)
{
  const WpOp *op = &trace->ops.data[id];
  g_autoptr (GString) stack = g_string_new (NULL);

  append_stack (stack, trace, stack_of (trace, op));
  wp_json_writer_object (json, NULL, WP_JSON_TIGHT);
  wp_json_writer_uint (json, "id", id);
  wp_json_writer_string (json, "kind", wp_op_kind_id (op->kind));
  wp_json_writer_string (json, "task", wp_trace_task_name (trace, op->task));
  wp_json_writer_int (json, "tid", trace->tasks.data[op->task].tid);
  wp_json_writer_int (json, "start_ns", op->start);
  wp_json_writer_int (json, "end_ns", op->end);
  if (op->kind == WP_OP_SLEEP)
    {
      wp_json_writer_string (json, "state", wp_state_id (op->state));
      wp_json_writer_string (json, "cause", cause_of (op));
      wp_json_writer_int (json, "woken_ns", wp_trace_woken (trace, id));
    }
  wp_json_writer_string (json, "stack", stack->str);
  write_facts (json, trace, op);
  if (op->flags & WP_OP_INFERRED)
    wp_json_writer_bool (json, "inferred", TRUE);
  wp_json_writer_end (json);
}

static guint32
count (const WpTrace *trace)
{
  return trace->ops.len;
}

static int
run (gpointer options, int n G_GNUC_UNUSED, char **operands)
{
  static const WpCliTable table = {
    .header = "id\tkind\ttask\ttid\tstart_ns\tend_ns\tstate\tcause\tstack\twoken_ns\tfile\tlocal\tremote\twaker\tvia\n",
    .tsv = operation_tsv,
    .json = operation_json,
    .count = count,
    .symbols = TRUE,
  };

  return wp_cli_print_table (&table, options, operands[0]);
}

const WpCommand wp_cmd_operations = {
  .name = "operations",
  .group = WP_GROUP_RECORDINGS,
  .operands = "FILE",
  .summary = "Runs, sleeps, disk and network operations, a line each",
  .options = wp_cli_table_rows,
  .size = sizeof (WpCliTableOptions),
  .least = 1,
  .most = 1,
  .run = run,
};
