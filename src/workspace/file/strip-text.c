#include "workspace/file/strip-text.h"

#include "base/format.h"
#include "paint/paint.h"
#include "workspace/file/boxes.h"

#include <glib/gi18n.h>

#define WAITERS_MAX 6

/* Of its process, or the device. */
static const WpTask *
task_of (const WpPaths *paths, WpId part)
{
  return &paths->trace->tasks.data[wp_trace_leader (paths->trace, paths->trace->ops.data[paths->parts.data[part].op].task)];
}

static gboolean
same_actor (const WpTask *a, const WpTask *b)
{
  return a == b || (a->tid == b->tid && a->tid != 0);
}

/* Until it was woken: then it waits for a CPU. */
static gint64
waited (const WpPaths *paths, WpId part)
{
  const WpPart *p = &paths->parts.data[part];
  gboolean sleeps = paths->trace->ops.data[p->op].kind == WP_OP_SLEEP;

  return (sleeps ? CLAMP (wp_trace_woken (paths->trace, p->op), p->start, p->end) : p->end) - p->start;
}

char *
wp_strip_tooltip (const WpRows *strip, guint32 box, const WpAnalysis *analysis, double from, double to)
{
  const WpBox *b = &strip->boxes.data[box];
  const WpPaths *paths = analysis->paths;
  char time[WP_FORMAT_MAX];
  GString *text;
  guint n = 0;

  if (b->ref >= paths->parts.len)
    return NULL;
  text = g_string_new (NULL);
  g_string_append_printf (text, "%s · %s · %s", wp_part_name (paths, b->ref), _(wp_box_kind_name (b->kind)),
                          wp_format_ns (b->end - b->start, time));
  wp_box_append_share (text, strip, box, from, to);
  for (WpId part = b->ref, up = paths->parts.data[part].parent; up != 0 && n < WAITERS_MAX; part = up, up = paths->parts.data[part].parent)
    if (!same_actor (task_of (paths, part), task_of (paths, up)))
      {
        g_string_append_c (text, '\n');
        g_string_append_printf (text, _("%s waits for %s: %s"), wp_part_name (paths, up), wp_part_name (paths, part),
                                wp_format_ns (waited (paths, up), time));
        n++;
      }
  return g_string_free (text, FALSE);
}

char *
wp_strip_text (const WpRows *strip)
{
  GString *text = g_string_new (NULL);

  for (guint32 r = 0; r < strip->rows.len; r++)
    {
      const WpRow *row = &strip->rows.data[r];
      char active[WP_FORMAT_MAX], running[WP_FORMAT_MAX];
      gint64 all = 0, run = 0;

      for (guint32 i = row->first; i < row->first + row->n; i++)
        {
          const WpBox *box = &strip->boxes.data[i];

          all += box->end - box->start;
          run += box->kind == WP_BOX_RUN ? box->end - box->start : 0;
        }
      if (r > 0)
        g_string_append_c (text, '\n');
      if (run > 0)
        g_string_append_printf (text, _("%s: active for %s, of which it ran for %s"), wp_rows_string (strip, row->label),
                                wp_format_ns (all, active), wp_format_ns (run, running));
      else
        g_string_append_printf (text, _("%s: active for %s"), wp_rows_string (strip, row->label), wp_format_ns (all, active));
    }
  return g_string_free (text, FALSE);
}
