/* Rows of the explanation: each piece of time goes to the row of its category and of what names it. */
#include "paths/explain-private.h"

#include <glib/gi18n.h>

#define STEP 65536 /* pieces from one look at the progress to the next */

static const char *const reasons[] = {
  [WP_REASON_LOST] = NC_ ("reason", "events were lost"),
  [WP_REASON_PAUSED] = NC_ ("reason", "recording was paused"),
  [WP_REASON_NO_WAKEUP] = NC_ ("reason", "no wakeup seen"),
  [WP_REASON_UNKNOWN_WAKER] = NC_ ("reason", "the waker's cause is unknown"),
  [WP_REASON_OUTSIDE] = NC_ ("reason", "waiting for something outside"),
  [WP_REASON_OTHER_TASK] = NC_ ("reason", "waiting for a task whose work is shown elsewhere"),
  [WP_REASON_DISK] = NC_ ("reason", "disk"),
  [WP_REASON_NETWORK] = NC_ ("reason", "network"),
  [WP_REASON_IPI] = NC_ ("reason", "another CPU"),
  [WP_REASON_DEVICE] = NC_ ("reason", "a device"),
  [WP_REASON_STOPPED] = NC_ ("reason", "stopped"),
  [WP_REASON_NO_STACK] = NC_ ("reason", "unknown function"),
  [WP_REASON_CUT] = NC_ ("reason", "cut by hand"),
  [WP_REASON_UNSEEN_START] = NC_ ("reason", "its beginning was not recorded"),
  [WP_REASON_IDLE_CPU] = NC_ ("reason", "nobody: the CPU was free"),
  [WP_REASON_UNKNOWN_CPU] = NC_ ("reason", "who had the CPU was not recorded"),
};

/* The device's own name: that of the task its operations belong to. */
static WpId
device_of (const WpTrace *trace, const WpDisk *disk)
{
  return trace->tasks.data[trace->ops.data[disk->active != 0 ? disk->active : disk->queue].task].name;
}

static char *
disk_name (const WpTrace *trace, const WpDisk *disk)
{
  const char *device = wp_trace_string (trace, device_of (trace, disk));

  return disk->file != 0 ? g_strdup_printf ("%s: %s", device, wp_trace_string (trace, disk->file)) : g_strdup (device);
}

static char *
row_name (const WpExplainer *self, WpSubject subject, guint32 id)
{
  const WpTrace *trace = self->trace;

  switch (subject)
    {
    case WP_SUBJECT_FUNCTION:
      return g_strdup (wp_trace_function_name (trace, id));
    case WP_SUBJECT_PATH:
      return g_strdup (wp_trace_string (trace, wp_paths_task_name (self->paths, self->paths->paths.data[id].task)));
    case WP_SUBJECT_NET:
      return trace->nets.data[id].remote != 0 ? g_strdup (wp_trace_string (trace, trace->nets.data[id].remote))
                                              : g_strdup (reasons[WP_REASON_NETWORK]);
    case WP_SUBJECT_DISK:
      return disk_name (trace, &trace->disks.data[id]);
    case WP_SUBJECT_REASON:
      return g_strdup (reasons[id]);
    default:
      return g_strdup (wp_trace_string (trace, id));
    }
}

static guint32
file_number (WpExplainer *self, const WpDisk *disk)
{
  guint32 *number = wp_pair_map_at (&self->files, device_of (self->trace, disk), disk->file);

  if (*number == 0)
    *number = self->files.n;
  return *number;
}

/* Ids that look alike in the table share a row: paths of one task, exchanges with one host, requests for one file. */
static guint32
row_id (WpExplainer *self, WpSubject subject, guint32 id)
{
  const WpTrace *trace = self->trace;

  if (subject == WP_SUBJECT_PATH)
    return wp_paths_task_name (self->paths, self->paths->paths.data[id].task);
  if (subject == WP_SUBJECT_DISK)
    return file_number (self, &trace->disks.data[id]);
  return subject == WP_SUBJECT_NET ? trace->nets.data[id].remote : id;
}

static guint32
find_row (WpExplainer *self, WpCategory category, WpSubject subject, guint32 id)
{
  guint32 *row = wp_pair_map_at (&self->rows, category << 8 | subject, row_id (self, subject, id));

  if (*row == 0)
    {
      wp_array_push (&self->out->rows, ((WpExplanationRow) { .category = category, .name = row_name (self, subject, id),
                                                             .rival = subject == WP_SUBJECT_RIVAL ? id : 0 }));
      wp_array_push (&self->names, ((WpExplainerName) { subject, id }));
      *row = self->out->rows.len;
    }
  return *row - 1;
}

void
wp_explain_piece (WpExplainer *self, WpId part, gint64 start, gint64 end, WpCategory category, WpSubject subject, guint32 id)
{
  start = MAX (start, self->out->from);
  end = MIN (end, self->out->to);
  if (start < end)
    wp_explain_add (self->out, find_row (self, category, subject, id), part, start, end);
}

gboolean
wp_explain_append (WpExplainer *self, const WpExplanation *other, const WpExplainerName *names, WpProgress *progress, GError **error)
{
  g_autofree guint32 *place = g_new (guint32, other->rows.len + 1);
  WpExplanation *out = self->out;

  for (guint32 i = 0; i < other->rows.len; i++)
    {
      const WpExplanationRow *row = &other->rows.data[i];

      place[i] = find_row (self, row->category, names[i].subject, names[i].id);
      out->rows.data[place[i]].ns += row->ns;
      out->rows.data[place[i]].pieces += row->pieces;
    }
  for (guint c = 0; c < WP_CATEGORY_COUNT; c++)
    out->ns[c] += other->ns[c];
  out->total += other->total;
  wp_array_reserve (&out->pieces, (guint64) out->pieces.len + other->pieces.len);
  for (guint32 i = 0; i < other->pieces.len; i++)
    {
      WpPiece piece = other->pieces.data[i];

      piece.row = place[piece.row];
      wp_array_push (&out->pieces, piece);
      if (i % STEP == 0 && !wp_progress_step (progress, 1, error))
        return FALSE;
    }
  return TRUE;
}

static int
compare_rows (const void *a, const void *b, void *data)
{
  const WpExplanationRow *rows = data, *x = &rows[*(const guint32 *) a], *y = &rows[*(const guint32 *) b];

  if (x->category != y->category)
    return x->category < y->category ? -1 : 1;
  if (x->ns != y->ns)
    return x->ns > y->ns ? -1 : 1;
  return strcmp (x->name, y->name);
}

gboolean
wp_explain_sort_rows (WpExplanation *out, WpProgress *progress, GError **error)
{
  guint32 n = out->rows.len;
  g_autofree guint32 *order = g_new (guint32, n + 1), *place = g_new (guint32, n + 1);
  WpExplanationRow *sorted = g_new (WpExplanationRow, n + 1);

  for (guint32 i = 0; i < n; i++)
    order[i] = i;
  g_qsort_with_data (order, n, sizeof *order, (GCompareDataFunc) compare_rows, out->rows.data);
  for (guint32 i = 0; i < n; i++)
    {
      sorted[i] = out->rows.data[order[i]];
      place[order[i]] = i;
    }
  g_free (out->rows.data);
  out->rows.data = sorted;
  out->rows.cap = n + 1;
  for (guint32 i = 0; i < out->pieces.len; i++)
    {
      out->pieces.data[i].row = place[out->pieces.data[i].row];
      if (i % STEP == 0 && !wp_progress_step (progress, 1, error))
        return FALSE;
    }
  return TRUE;
}
