#include "workspace/file/raw-request.h"

#include <glib/gi18n.h>

#include "base/search.h"
#include "base/sort.h"
#include "profile/model/document.h"
#include "read/raw-events.h"

#define LEAST_AROUND (10 * WP_NS_PER_US) /* before and after what is meant */

typedef struct
{
  WpShared *document;
  gint64 from, to, origin;
} Request;

void
wp_raw_table_free (WpRawTable *self)
{
  if (self == NULL)
    return;
  wp_shared_unref (self->grid);
  g_free (self);
}

void
wp_raw_stretch (const WpBox *box, const WpRows *rows, const WpSelection *selection, const WpTrace *trace, const WpAnalysis *analysis,
                gint64 *from, gint64 *to)
{
  gint64 around;

  *from = rows->is_time ? box->start : 0;
  *to = rows->is_time ? box->end : 0;
  if (selection->part != 0 && analysis != NULL)
    {
      *from = analysis->paths->parts.data[selection->part].start;
      *to = analysis->paths->parts.data[selection->part].end;
    }
  else if (selection->op != 0)
    {
      *from = trace->ops.data[selection->op].start;
      *to = trace->ops.data[selection->op].end;
    }
  around = MAX ((*to - *from) / 10, LEAST_AROUND);
  *from -= around;
  *to += around;
}

/* --- names of tasks ----------------------------------------------------------------------------------------------- */

typedef struct
{
  gint32 tid;
  gint64 start;
  WpId task;
} Named;

WP_DEFINE_COMPARE_2 (compare_named, Named, tid, start)

/* Tasks by tid, then time: numbers are given anew, and an exec gives another name. */
typedef struct
{
  WP_ARRAY (Named) rows;
} Names;

static void
names_init (Names *self, const WpTrace *trace)
{
  *self = (Names) { 0 };
  for (WpId t = 1; t < trace->tasks.len; t++)
    if (trace->tasks.data[t].kind == WP_TASK_THREAD && trace->tasks.data[t].n_ops > 0)
      wp_array_push (&self->rows, ((Named) { trace->tasks.data[t].tid, trace->ops.data[trace->tasks.data[t].first_op].start, t }));
  wp_array_sort (&self->rows, compare_named);
}

/* Whose number it was then, or 0. */
static WpId
names_find (const Names *self, gint32 tid, gint64 time)
{
  const Named *rows = self->rows.data;
  guint32 after = WP_SEARCH (0, self->rows.len, i, rows[i].tid < tid || (rows[i].tid == tid && rows[i].start <= time));

  if (after > 0 && rows[after - 1].tid == tid)
    return rows[after - 1].task;
  return after < self->rows.len && rows[after].tid == tid ? rows[after].task : 0;
}

/* --- the table ---------------------------------------------------------------------------------------------------- */

enum
{
  TIME,
  CPU,
  TASK,
  EVENT,
  FIELDS,
};

static void
add_columns (WpGrid *grid)
{
  static const char *const names[] = { [TIME] = N_("Time"), [CPU] = N_("CPU"), [TASK] = N_("Task"), [EVENT] = N_("Event"), [FIELDS] = N_("Fields") };

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    wp_grid_add (grid, _(names[i]));
}

static char *
task_text (const WpRawEvents *events, const WpRawEvent *event, const WpTrace *trace, const Names *names, gint64 time)
{
  WpId task = event->task == 0 ? names_find (names, event->tid, time) : 0;
  const char *name = event->task != 0 ? wp_strings_get (events->strings, event->task) : task != 0 ? wp_trace_task_name (trace, task) : "";

  if (event->tid < 0)
    return g_strdup (name);
  return g_strdup_printf (*name != '\0' ? "%s (%d)" : "%s%d", name, event->tid);
}

static WpGrid *
make_grid (const WpRawEvents *events, const WpTrace *trace, gint64 origin)
{
  WpGrid *grid = wp_grid_new (events->rows.len);
  char text[WP_FORMAT_MAX];
  Names names;

  names_init (&names, trace);
  add_columns (grid);
  for (guint32 i = 0; i < events->rows.len; i++)
    {
      const WpRawEvent *event = &events->rows.data[i];
      gint64 time = event->time - trace->clock_start;
      g_autofree char *task = task_text (events, event, trace, &names, time);

      wp_grid_set_number (grid, TIME, i, (double) (time - origin), wp_format_time (time - origin, 1, text));
      if (event->cpu != 0)
        {
          g_snprintf (text, sizeof text, "%u", event->cpu - 1);
          wp_grid_set_number (grid, CPU, i, event->cpu - 1, text);
        }
      wp_grid_set_text (grid, TASK, i, task);
      wp_grid_set_text (grid, EVENT, i, wp_strings_get (events->strings, event->event));
      wp_grid_set_text (grid, FIELDS, i, event->fields != 0 ? wp_strings_get (events->strings, event->fields) : "");
    }
  wp_array_clear (&names.rows);
  return grid;
}

static gpointer
run (gpointer data, WpProgress *progress, GError **error)
{
  const Request *request = data;
  const WpDocument *document = wp_shared_get (request->document);
  const WpTrace *trace = document->trace;
  g_autoptr (WpRawEvents) events
    = wp_raw_events_read (document->path, trace->clock_start + request->from, trace->clock_start + request->to, WP_RAW_MOST, progress, error);
  WpRawTable *table;

  if (events == NULL)
    return NULL;
  table = g_new0 (WpRawTable, 1);
  table->grid = wp_shared_new (make_grid (events, trace, request->origin), (GDestroyNotify) wp_grid_free);
  table->more = events->more;
  return table;
}

static void
request_free (gpointer data)
{
  Request *self = data;

  wp_shared_unref (self->document);
  g_free (self);
}

WpWorker *
wp_raw_start (WpShared *document, gint64 from, gint64 to, gint64 origin, WpWorkerDone done, gpointer user_data)
{
  Request *request = g_new0 (Request, 1);

  *request = (Request) { wp_shared_ref (document), from, to, origin };
  return wp_worker_start (&(WpWorkerSpec) { .run = run,
                                            .done = done,
                                            .data = request,
                                            .free_data = request_free,
                                            .free_result = (GDestroyNotify) wp_raw_table_free,
                                            .user_data = user_data });
}
