/* The wait chain: bands and what is lit in them, by hand; and on all scenarios and the sample recording, whatever task is explained. */
#include "paths-maker.h"

#include "profile/model/document.h"
#include "view/layout.h"

static WpTrace *
scenario (const char *name)
{
  g_autofree char *path = g_strdup_printf ("%s/%s.trace", g_getenv ("WP_SCENARIOS"), name);
  g_autoptr (GError) error = NULL;
  WpTrace *trace = wp_read (path, NULL, NULL, &error);

  g_assert_no_error (error);
  return trace;
}

/* "A: R0-60 R370-400 | B: …": µs. */
static char *
describe_bands (const WpRows *strip)
{
  static const char letters[] = "RSBPDQNOIWU";
  GString *s = g_string_new (NULL);

  for (guint32 r = 0; r < strip->rows.len; r++)
    {
      const WpRow *row = &strip->rows.data[r];

      g_string_append_printf (s, "%s%s:", r > 0 ? " | " : "", wp_rows_string (strip, row->label));
      for (guint32 i = row->first; i < row->first + row->n; i++)
        g_string_append_printf (s, " %c%g-%g", letters[strip->boxes.data[i].kind], strip->boxes.data[i].start / 1e3,
                                strip->boxes.data[i].end / 1e3);
    }
  return g_string_free (s, FALSE);
}

/* "0>1@60 …" */
static char *
describe_handovers (const WpRows *strip)
{
  GString *s = g_string_new (NULL);

  for (guint32 i = 0; i < strip->lines.len; i++)
    g_string_append_printf (s, "%s%u>%u@%g", i > 0 ? " " : "", strip->lines.data[i].from_row, strip->lines.data[i].to_row,
                            strip->lines.data[i].start / 1e3);
  return g_string_free (s, FALSE);
}

static const struct
{
  const char *scenario, *task, *bands, *handovers;
} known[] = {
  { "fork-wait-file", "A", "A: R0-60 R370-400 | B: R60-110 S300-302 W302-310 R310-370 | 8:1048000: Q110-120 D120-300", "0>1@60 1>2@110 2>1@300 1>0@370" },
  { "exec", "sh", "sh: R0-110 R910-1110 | ls: R110-300 R300-910", "0>1@110 1>0@910" },
  { "two-threads", "A", "A: R0-150 R150-3010 R3010-4010", "" },
  { "fork-then-wait", "A", "A: R0-5100 R8005-9005 | B: W100-120 R120-6000 S6000-7000 W7000-7010 R7010-8010", "0>1@5100 1>0@8005" },
};

static void
test_known (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (known); i++)
    {
      g_autoptr (WpTrace) trace = scenario (known[i].scenario);
      g_autoptr (WpPaths) paths = paths_of (trace, known[i].task, NULL);
      g_autoptr (WpExplanation) explanation = wp_explain (paths, 0, G_MAXINT64, NULL, NULL);
      g_autoptr (WpRows) strip = wp_layout_strip (paths, explanation);
      g_autofree char *bands = describe_bands (strip), *handovers = describe_handovers (strip);

      g_assert_cmpstr (bands, ==, known[i].bands);
      g_assert_cmpstr (handovers, ==, known[i].handovers);
    }
}

/* --- whatever is explained ---------------------------------------------------------------------------------------- */

typedef struct
{
  gint64 start, end;
} Stretch;
typedef WP_ARRAY (Stretch) StretchArray;

static int
compare_stretches (const void *a, const void *b)
{
  const Stretch *x = a, *y = b;

  return x->start < y->start ? -1 : x->start > y->start;
}

/* How long at least one of them lasts. */
static gint64
union_of (StretchArray *stretches)
{
  gint64 sum = 0, until = G_MININT64;

  if (stretches->len > 1)
    qsort (stretches->data, stretches->len, sizeof *stretches->data, compare_stretches);
  for (guint32 i = 0; i < stretches->len; i++)
    {
      const Stretch *s = &stretches->data[i];

      if (s->end > until)
        sum += s->end - MAX (s->start, until);
      until = MAX (until, s->end);
    }
  wp_array_clear (stretches);
  return sum;
}

/* A band is lit whenever there is a top in it, and only then: all bands together, whenever there is one at all. Waiting for another path is none. */
static void
check_strip (const WpPaths *paths)
{
  g_autoptr (WpExplanation) explanation = wp_explain (paths, 0, G_MAXINT64, NULL, NULL);
  g_autoptr (WpRows) strip = wp_layout_strip (paths, explanation);
  StretchArray tops = { 0 }, lit = { 0 }, running = { 0 }, red = { 0 };
  gint64 first = G_MININT64, until = 0;

  g_assert_cmpuint (strip->rows.len, <=, WP_LAYOUT_STRIP_BANDS);
  for (guint32 i = 0; i < explanation->pieces.len; i++)
    {
      const WpPiece *piece = &explanation->pieces.data[i];
      const WpOp *op = &paths->trace->ops.data[paths->parts.data[piece->part].op];

      if (explanation->rows.data[piece->row].category != WP_CATEGORY_OTHER_PATH || paths->parts.data[piece->part].waits_path == 0)
        wp_array_push (&tops, ((Stretch) { piece->start, piece->end }));
      if (op->kind == WP_OP_RUN && !(op->flags & WP_OP_LOST))
        wp_array_push (&running, ((Stretch) { piece->start, piece->end }));
    }
  for (guint32 r = 0; r < strip->rows.len; r++)
    {
      const WpRow *row = &strip->rows.data[r];

      g_assert_cmpuint (row->label, !=, 0);
      g_assert_true (r + 1 == strip->rows.len || row->n == 0 || strip->boxes.data[row->first].start >= first);
      first = row->n > 0 ? strip->boxes.data[row->first].start : first;
      until = G_MININT64;
      for (guint32 i = row->first; i < row->first + row->n; i++)
        {
          const WpBox *box = &strip->boxes.data[i];

          g_assert_cmpint (box->start, <, box->end);
          g_assert_cmpint (box->start, >=, until);
          until = box->end;
          g_assert_cmpuint (box->ref, <, paths->parts.len);
          wp_array_push (&lit, ((Stretch) { box->start, box->end }));
          if (box->kind == WP_BOX_RUN)
            wp_array_push (&red, ((Stretch) { box->start, box->end }));
        }
    }
  for (guint32 i = 0; i < strip->lines.len; i++)
    g_assert_true (strip->lines.data[i].from_row < strip->rows.len && strip->lines.data[i].to_row < strip->rows.len
                   && strip->lines.data[i].from_row != strip->lines.data[i].to_row);
  g_assert_cmpint (union_of (&lit), ==, union_of (&tops));
  g_assert_cmpint (union_of (&red), ==, union_of (&running));
}

static void
check_all (const WpTrace *trace)
{
  for (WpId t = 1; t < trace->tasks.len; t++)
    if (trace->tasks.data[t].kind == WP_TASK_THREAD && trace->tasks.data[t].n_ops > 0)
      {
        g_autofree char *spec = g_strdup_printf ("%d", trace->tasks.data[t].tid);
        g_autoptr (WpPaths) paths = paths_of (trace, spec, NULL);

        check_strip (paths);
      }
}

static void
test_scenario (gconstpointer name)
{
  g_autoptr (WpTrace) trace = scenario (name);

  check_all (trace);
}

static void
test_sample (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (WpDocument) document = wp_document_open (g_getenv ("WP_SAMPLE"), NULL, NULL, &error);

  g_assert_no_error (error);
  check_strip (document->saved);
}

/* --- more than there is room for ---------------------------------------------------------------------------------- */

/* The first task starts one child after the other, and waits for it: "worker" nine times, then seven with names of their own, each 10 µs longer than the
 * one before. */
static WpTrace *
busy_trace (guint n_workers, guint n_others)
{
  WpTrace *trace = wp_trace_new ();
  guint n = n_workers + n_others;

  for (guint i = 0; i <= n; i++)
    {
      g_autofree char *name = i == 0 ? g_strdup ("make") : i <= n_workers ? g_strdup ("worker") : g_strdup_printf ("tool%u", i - n_workers);
      WpTask *task = wp_array_add (&trace->tasks);

      task->name = wp_strings_intern (trace->strings, name);
      task->tid = task->pid = (gint32) (10 + i);
      task->leader = trace->tasks.len - 1;
      task->first_op = trace->ops.len;
      task->n_ops = 1;
      wp_array_push (&trace->ops, ((WpOp) { .start = i * 100 * US, .end = (i * 100 + 10 + i) * US, .task = trace->tasks.len - 1, .kind = WP_OP_RUN }));
    }
  trace->end = (n + 1) * 100 * US;
  return trace;
}

/* Each operation a path of its own: what stands where is another test's. */
static char *
names_of (guint n_workers, guint n_others)
{
  g_autoptr (WpTrace) trace = busy_trace (n_workers, n_others);
  WpPaths paths = { .trace = trace };
  g_autoptr (WpExplanation) explanation = NULL;
  g_autoptr (WpRows) strip = NULL;
  GString *names = g_string_new (NULL);

  wp_array_resize (&paths.parts, 1);
  wp_array_resize (&paths.paths, 1);
  for (WpId op = 1; op < trace->ops.len; op++)
    {
      const WpOp *o = &trace->ops.data[op];

      wp_array_push (&paths.parts, ((WpPart) { .start = o->start, .end = o->end, .op = op, .path = op }));
      wp_array_push (&paths.paths, ((WpPath) { .first_part = op, .last_part = op, .task = o->task, .start = o->start, .end = o->end, .base = op == 1 }));
    }
  wp_array_push (&paths.base_tasks, trace->ops.data[1].task);
  explanation = wp_explain (&paths, 0, G_MAXINT64, NULL, NULL);
  strip = wp_layout_strip (&paths, explanation);
  for (guint32 r = 0; r < strip->rows.len; r++)
    g_string_append_printf (names, "%s%s", r > 0 ? ", " : "", wp_rows_string (strip, strip->rows.data[r].label));
  wp_array_clear (&paths.parts);
  wp_array_clear (&paths.paths);
  wp_array_clear (&paths.base_tasks);
  return g_string_free (names, FALSE);
}

static void
assert_names (guint n_workers, guint n_others, const char *expected)
{
  g_autofree char *names = names_of (n_workers, n_others);

  g_assert_cmpstr (names, ==, expected);
}

static void
test_room (void)
{
  assert_names (0, 0, "make");
  assert_names (1, 4, "make, worker, tool1, tool2, tool3, tool4");
  assert_names (2, 3, "make, worker, worker, tool1, tool2, tool3");
  assert_names (9, 4, "make, worker × 9, tool1, tool2, tool3, tool4");
  assert_names (0, 7, "make, tool4, tool5, tool6, tool7, 3 more");
  assert_names (9, 7, "make, worker × 9, tool5, tool6, tool7, 4 more");
}

int
main (int argc, char **argv)
{
  g_autoptr (GDir) folder = NULL;
  const char *file;

  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/strip/known", test_known);
  g_test_add_func ("/strip/room", test_room);
  g_test_add_func ("/strip/sample", test_sample);
  folder = g_dir_open (g_getenv ("WP_SCENARIOS"), 0, NULL);
  while (folder != NULL && (file = g_dir_read_name (folder)) != NULL)
    if (g_str_has_suffix (file, ".trace"))
      {
        g_autofree char *test = g_strdup_printf ("/strip/scenarios/%s", file);

        g_test_add_data_func_full (test, g_strndup (file, strlen (file) - strlen (".trace")), test_scenario, g_free);
      }
  return g_test_run ();
}
