#include "trace/marks.h"

#include "base/pair-map.h"
#include "base/search.h"
#include "base/sort.h"

#include <errno.h>

/* --- the table ---------------------------------------------------------------------------------------------------- */

static gboolean
take_time (const char **text, gint64 *time)
{
  char *end;
  guint64 value;

  errno = 0;
  value = g_ascii_isdigit (**text) ? g_ascii_strtoull (*text, &end, 10) : 0;
  if (!g_ascii_isdigit (**text) || errno != 0 || value > G_MAXINT64 || *end != ' ')
    return FALSE;
  *time = (gint64) value;
  *text = end + 1;
  return TRUE;
}

gboolean
wp_mark_parse (const char *line, gint64 *start, gint64 *end, const char **name)
{
  if (!take_time (&line, start) || !take_time (&line, end) || *end < *start || *line == '\0')
    return FALSE;
  *name = line;
  return TRUE;
}

/* Of a thread those that begin first, of these the longest first. */
static int
compare_marks (const void *a, const void *b)
{
  const WpMarkSpan *x = a, *y = b;

  if (x->pid != y->pid)
    return WP_COMPARE (x->pid, y->pid);
  if (x->tid != y->tid)
    return WP_COMPARE (x->tid, y->tid);
  if (x->start != y->start)
    return WP_COMPARE (x->start, y->start);
  return x->end != y->end ? WP_COMPARE (y->end, x->end) : WP_COMPARE (x->name, y->name);
}

void
wp_trace_place_marks (WpTrace *self)
{
  guint32 n = 0;

  for (guint32 i = 0; i < self->marks.len; i++)
    {
      WpMarkSpan mark = self->marks.data[i];

      mark.start = MAX (mark.start - self->clock_start, 0);
      mark.end = MIN (mark.end - self->clock_start, self->end);
      if (mark.start <= mark.end)
        self->marks.data[n++] = mark;
    }
  self->marks.len = n;
  wp_array_sort (&self->marks, compare_marks);
}

/* Those of one thread, or with 0 of its process alone. */
static guint
marks_of_thread (const WpTrace *self, gint32 pid, gint32 tid, gint64 time, WpId names[WP_MARKS_DEEP])
{
  const WpMarkSpan *marks = self->marks.data;
  guint32 len = self->marks.len;
  guint n = 0;

  for (guint32 i = WP_SEARCH (0, len, k, marks[k].pid < pid || (marks[k].pid == pid && marks[k].tid < tid));
       i < len && marks[i].pid == pid && marks[i].tid == tid && marks[i].start <= time && n < WP_MARKS_DEEP; i++)
    if (time < marks[i].end)
      names[n++] = marks[i].name;
  return n;
}

guint
wp_trace_marks_at (const WpTrace *self, gint32 pid, gint32 tid, gint64 time, WpId names[2 * WP_MARKS_DEEP])
{
  guint n = marks_of_thread (self, pid, 0, time, names);

  return tid != 0 ? n + marks_of_thread (self, pid, tid, time, names + n) : n;
}

/* --- when which stand --------------------------------------------------------------------------------------------- */

/* From a moment on, until the next one. */
typedef struct
{
  gint64 from;
  guint32 path;
} Stretch;

typedef struct
{
  gint32 pid, tid;
  guint32 first, n; /* stretches */
} Line;

struct WpMarkTimes
{
  WP_ARRAY (WpMarkPath) paths;
  WpPairMap known;   /* outer, name → path */
  WpPairMap joined;  /* path of a process, path of a thread → the one within the other */
  WP_ARRAY (Line) lines; /* plain list, by process and thread */
  WP_ARRAY (Stretch) stretches;
};

static guint32
path_within (WpMarkTimes *self, guint32 outer, WpId name)
{
  guint32 *known = wp_pair_map_at (&self->known, outer, name);

  if (*known == 0)
    {
      wp_array_push (&self->paths, ((WpMarkPath) { name, outer }));
      *known = self->paths.len - 1;
    }
  return *known;
}

/* The marks of a line that have begun and not ended, in the order in which they began: a ring through row n. */
typedef struct
{
  const WpMarkSpan *marks;
  guint32 n;
  guint32 *before, *behind;
  guint32 *by_end;
} Open;

static int
compare_ends (gconstpointer a, gconstpointer b, gpointer data)
{
  const WpMarkSpan *marks = data;

  return WP_COMPARE (marks[*(const guint32 *) a].end, marks[*(const guint32 *) b].end);
}

static void
open_init (Open *self, const WpMarkSpan *marks, guint32 n)
{
  *self = (Open) { marks, n, g_new (guint32, n + 1), g_new (guint32, n + 1), g_new (guint32, n) };
  self->before[n] = self->behind[n] = n;
  for (guint32 i = 0; i < n; i++)
    self->by_end[i] = i;
  g_qsort_with_data (self->by_end, (int) n, sizeof *self->by_end, compare_ends, (gpointer) marks);
}

static void
open_clear (Open *self)
{
  g_free (self->before);
  g_free (self->behind);
  g_free (self->by_end);
}

static void
begin (Open *self, guint32 mark)
{
  guint32 last = self->before[self->n];

  self->before[mark] = last;
  self->behind[mark] = self->n;
  self->behind[last] = self->before[self->n] = mark;
}

static void
end (Open *self, guint32 mark)
{
  self->behind[self->before[mark]] = self->behind[mark];
  self->before[self->behind[mark]] = self->before[mark];
}

static guint32
path_of (WpMarkTimes *self, const Open *open)
{
  guint32 path = 0, deep = 0;

  for (guint32 i = open->behind[open->n]; i != open->n && deep < WP_MARKS_DEEP; i = open->behind[i], deep++)
    path = path_within (self, path, open->marks[i].name);
  return path;
}

/* What begins and ends at once stands at no time. */
static void
add_line (WpMarkTimes *self, const WpMarkSpan *marks, guint32 n)
{
  Line line = { marks[0].pid, marks[0].tid, self->stretches.len, 0 };
  guint32 begun = 0, ended = 0;
  Open open;

  open_init (&open, marks, n);
  while (ended < n)
    {
      gint64 next = marks[open.by_end[ended]].end;

      if (begun < n)
        next = MIN (next, marks[begun].start);
      for (; begun < n && marks[begun].start <= next; begun++)
        begin (&open, begun);
      for (; ended < n && marks[open.by_end[ended]].end <= next; ended++)
        end (&open, open.by_end[ended]);
      wp_array_push (&self->stretches, ((Stretch) { next, path_of (self, &open) }));
    }
  open_clear (&open);
  line.n = self->stretches.len - line.first;
  wp_array_push (&self->lines, line);
}

WpMarkTimes *
wp_mark_times_new (const WpTrace *trace)
{
  WpMarkTimes *self = g_new0 (WpMarkTimes, 1);
  const WpMarkSpan *marks = trace->marks.data;
  guint32 first = 0;

  wp_array_add (&self->paths);
  for (guint32 i = 1; i <= trace->marks.len; i++)
    if (i == trace->marks.len || marks[i].pid != marks[first].pid || marks[i].tid != marks[first].tid)
      {
        add_line (self, marks + first, i - first);
        first = i;
      }
  return self;
}

void
wp_mark_times_free (WpMarkTimes *self)
{
  wp_array_clear (&self->paths);
  wp_pair_map_clear (&self->known);
  wp_pair_map_clear (&self->joined);
  wp_array_clear (&self->lines);
  wp_array_clear (&self->stretches);
  g_free (self);
}

static int
compare_lines (const void *a, const void *b)
{
  const Line *x = a, *y = b;

  return x->pid != y->pid ? WP_COMPARE (x->pid, y->pid) : WP_COMPARE (x->tid, y->tid);
}

static guint32
path_at (const WpMarkTimes *self, gint32 pid, gint32 tid, gint64 time)
{
  const Line key = { .pid = pid, .tid = tid };
  const Line *line = self->lines.len > 0 ? bsearch (&key, self->lines.data, self->lines.len, sizeof key, compare_lines) : NULL;
  guint32 next;

  if (line == NULL)
    return 0;
  next = WP_SEARCH (line->first, line->first + line->n, i, self->stretches.data[i].from <= time);
  return next > line->first ? self->stretches.data[next - 1].path : 0;
}

guint32
wp_mark_times_at (WpMarkTimes *self, gint32 pid, gint32 tid, gint64 time)
{
  guint32 outer = path_at (self, pid, 0, time), inner = tid > 0 ? path_at (self, pid, tid, time) : 0;
  WpId names[2 * WP_MARKS_DEEP];
  guint32 *joined;
  guint n;

  if (outer == 0 || inner == 0)
    return outer + inner;
  joined = wp_pair_map_at (&self->joined, outer, inner);
  if (*joined != 0)
    return *joined;
  n = wp_mark_times_names (self, inner, names);
  for (guint i = 0; i < n; i++)
    outer = path_within (self, outer, names[i]);
  return *joined = outer;
}

guint
wp_mark_times_names (const WpMarkTimes *self, guint32 path, WpId names[2 * WP_MARKS_DEEP])
{
  guint n = 0;

  for (guint32 at = path; at != 0; at = self->paths.data[at].outer)
    names[n++] = self->paths.data[at].name;
  for (guint i = 0; i < n / 2; i++)
    {
      WpId name = names[i];

      names[i] = names[n - 1 - i];
      names[n - 1 - i] = name;
    }
  return n;
}
