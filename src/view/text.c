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

const char *
wp_row_text (const WpExplanationRow *row)
{
  return g_dpgettext2 (NULL, "reason", row->name);
}
