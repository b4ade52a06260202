#include "view/text.h"

#include <glib/gi18n.h>

/* The last part of a path; what is no path stays as it is. */
static const char *
base_name (const char *file)
{
  const char *slash = strrchr (file, '/');

  return slash != NULL && slash[1] != '\0' ? slash + 1 : file;
}

static void
disk_label (const WpTrace *trace, const WpDisk *disk, char buffer[WP_OP_LABEL_MAX])
{
  gboolean read = strchr (wp_trace_string (trace, disk->rwbs), 'R') != NULL;
  const char *file = disk->file != 0 ? base_name (wp_trace_string (trace, disk->file)) : NULL;
  double size = disk->sectors / 2.0;

  if (disk->sectors == 0)
    g_strlcpy (buffer, _("flush"), WP_OP_LABEL_MAX);
  else if (file == NULL)
    g_snprintf (buffer, WP_OP_LABEL_MAX, read ? _("read %g KiB") : _("write %g KiB"), size);
  else
    g_snprintf (buffer, WP_OP_LABEL_MAX, read ? _("read %g KiB of %s") : _("write %g KiB of %s"), size, file);
}

const char *
wp_op_label (const WpTrace *trace, const WpOp *op, char buffer[WP_OP_LABEL_MAX])
{
  const char *end;

  if (op->kind == WP_OP_NET)
    g_strlcpy (buffer, trace->nets.data[op->detail].handshake ? _("connect") : _("exchange"), WP_OP_LABEL_MAX);
  else
    disk_label (trace, &trace->disks.data[op->detail], buffer);
  if (!g_utf8_validate (buffer, -1, &end)) /* cut within a letter */
    buffer[end - buffer] = '\0';
  return buffer;
}

char *
wp_asleep_text (const WpTrace *trace, const WpOp *op)
{
  WpId function = wp_trace_describe_stack (trace, op->detail);

  return function != 0 ? g_strdup_printf (_("asleep all the time, in %s"), wp_trace_function_name (trace, function))
                       : g_strdup (_("asleep all the time"));
}

static char *
sleep_text (const WpTrace *trace, const WpOp *op, const char *task)
{
  g_autofree char *asleep = wp_slept_throughout (op) ? wp_asleep_text (trace, op) : NULL;
  WpId function = wp_trace_describe_stack (trace, op->detail);

  if (asleep != NULL)
    return g_strdup_printf ("%s: %s", task, asleep);
  if (function == 0)
    return g_strdup_printf (_("%s: sleep"), task);
  return g_strdup_printf (_("%s: sleep in %s"), task, wp_trace_function_name (trace, function));
}

static char *
disk_text (const WpTrace *trace, const WpOp *op, const char *device)
{
  const WpDisk *disk = &trace->disks.data[op->detail];
  gboolean read = strchr (wp_trace_string (trace, disk->rwbs), 'R') != NULL;
  g_autoptr (GString) text = g_string_new (NULL);
  char sector[32];

  g_snprintf (sector, sizeof sector, "%" G_GUINT64_FORMAT, disk->sector);
  if (disk->sectors == 0)
    g_string_append_printf (text, _("%s: flush"), device);
  else
    g_string_append_printf (text, read ? _("%s: read of %u sectors at %s") : _("%s: write of %u sectors at %s"), device,
                            disk->sectors, sector);
  if (disk->sectors != 0 && disk->file != 0)
    g_string_append_printf (text, ", %s", wp_trace_string (trace, disk->file));
  if (op->kind == WP_OP_DISK_QUEUE)
    g_string_append (text, _(", queued"));
  return g_string_free (g_steal_pointer (&text), FALSE);
}

static char *
net_text (const WpTrace *trace, const WpOp *op, const char *network)
{
  const WpNet *net = &trace->nets.data[op->detail];

  if (net->remote == 0)
    return g_strdup_printf (net->handshake ? _("%s: connection") : _("%s: exchange"), network);
  return g_strdup_printf (net->handshake ? _("%s: connection with %s") : _("%s: exchange with %s"), network,
                          wp_trace_string (trace, net->remote));
}

char *
wp_op_text (const WpTrace *trace, WpId id)
{
  const WpOp *op = &trace->ops.data[id];
  const char *task = wp_trace_task_name (trace, op->task);

  switch (op->kind)
    {
    case WP_OP_SLEEP:
      return sleep_text (trace, op, task);
    case WP_OP_DISK:
    case WP_OP_DISK_QUEUE:
      return disk_text (trace, op, task);
    case WP_OP_NET:
      return net_text (trace, op, task);
    default:
      return g_strdup_printf (_("%s: run"), task);
    }
}

const char *
wp_row_text (const WpExplanationRow *row)
{
  return g_dpgettext2 (NULL, "reason", row->name);
}
