/* Call graphs: their numbers, on stacks made by hand and on random ones; their order beside a slow one; what is written is read again.
 * tests/check-callgraph-data holds them against Racket's. */
#include "calls/json.h"
#include "calls/renderers.h"
#include "stacks/maker.h"

#include <math.h>

/* --- exact numbers ------------------------------------------------------------------------------------------------ */

static void
check_number (WpExact found, const char *expected)
{
  g_autoptr (GString) text = g_string_new (NULL);

  wp_exact_append (text, found);
  g_assert_cmpstr (text->str, ==, expected);
}

static void
test_exact (void)
{
  const WpExact large = WP_EXACT_LIMIT, third = large / 3;

  check_number (0, "0");
  check_number (-1, "-1");
  check_number (large, "41538374868278621028243970633760768");
  check_number (-large, "-41538374868278621028243970633760768");
  check_number ((WpExact) G_GUINT64_CONSTANT (1000000000000000000) * 5, "5000000000000000000");
  check_number (wp_exact_round (5, 2), "2");
  check_number (wp_exact_round (7, 2), "4");
  check_number (wp_exact_round (-5, 2), "-2");
  check_number (wp_exact_round (-7, 2), "-4");
  check_number (wp_exact_round (8, 3), "3");
  check_number (wp_exact_round (-8, 3), "-3");
  check_number (wp_exact_gcd (-large, 48), "16");
  check_number (wp_exact_gcd (0, -7), "7");
  g_assert_cmpint (wp_exact_compare (1, 3, third, large), ==, 1);
  g_assert_cmpint (wp_exact_compare (third, large, 1, 3), ==, -1);
  g_assert_cmpint (wp_exact_compare (large, 2 * third, 2 * large, 4 * third), ==, 0);
  g_assert_cmpint (wp_exact_compare (large, large - 1, large - 1, large - 2), ==, -1);
  g_assert_cmpint (wp_exact_compare (-1, 2, 1, -3), ==, -1);
  g_assert_cmpint (wp_exact_compare (0, -5, -1, 2), ==, 1);
  g_assert_cmpfloat (wp_exact_real (1, 3), ==, 1.0 / 3);
  g_assert_cmpfloat (wp_exact_real (third * 5, third * 2), ==, 2.5);
}

/* --- stacks ------------------------------------------------------------------------------------------------------- */

/* One function for each small letter, called so, in main.c. */
static void
begin (WpStacksMaker *maker, const char *type, const char *unit)
{
  WpStacks *stacks;

  wp_stacks_maker_init (maker);
  stacks = maker->stacks;
  wp_stacks_maker_type (maker, wp_strings_intern (stacks->strings, type), wp_strings_intern (stacks->strings, unit));
  wp_array_add (&stacks->threads);
  for (char c = 'a'; c <= 'z'; c++)
    {
      WpId name = wp_strings_intern_n (stacks->strings, &c, 1);

      wp_array_push (&stacks->frames->functions, ((WpStackFunction) { name, name, wp_strings_intern (stacks->strings, "main.c"), 10 }));
      wp_array_push (&stacks->frames->lines, ((WpStackLine) { stacks->frames->functions.len - 1, 12, 5 }));
      wp_array_push (&stacks->frames->locations, ((WpLocation) { .first_line = stacks->frames->lines.len - 1, .n_lines = 1 }));
    }
}

/* A stack is "ab", outermost first. moment < 0: it has none. */
static void
add (WpStacksMaker *maker, guint32 thread, gint64 moment, const char *stack, gint64 value)
{
  WpStacks *stacks = maker->stacks;
  gsize n = strlen (stack);
  g_autofree WpId *locations = g_new (WpId, n + 1);

  for (gsize i = 0; i < n; i++)
    locations[i] = (WpId) (stack[i] - 'a' + 1);
  while (stacks->threads.len <= thread)
    wp_array_add (&stacks->threads);
  wp_stacks_maker_whole_sample (maker, locations, (guint32) n, &value);
  wp_array_push (&stacks->sample_threads, thread);
  if (moment >= 0)
    wp_array_push (&stacks->moments, moment);
}

static WpCalls *
analyze (const WpStacks *stacks, WpCallsTimes times)
{
  const WpCallsOptions options = { .times = times };
  GError *error = NULL;
  WpCalls *calls = wp_calls_of_stacks (stacks, &options, NULL, &error);

  g_assert_no_error (error);
  return calls;
}

static guint32
find_node (const WpCalls *calls, const char *name)
{
  for (guint32 i = 1; i < calls->nodes.len; i++)
    if (g_str_equal (wp_calls_text (calls, calls->nodes.data[i].name), name))
      return i;
  g_assert_not_reached ();
}

static const WpCallsEdge *
find_edge (const WpCalls *calls, guint32 caller, guint32 callee)
{
  for (guint32 i = 0; i < calls->edges.len; i++)
    if (calls->edges.data[i].caller == caller && calls->edges.data[i].callee == callee)
      return &calls->edges.data[i];
  return NULL;
}

/* Of the stack a b b b a the manual says it the other way round. */
static void
test_recursion (void)
{
  g_auto (WpStacksMaker) maker = { 0 };
  g_autoptr (WpStacks) stacks = NULL;
  g_autoptr (WpCalls) calls = NULL;
  const WpCallsEdge *edge;
  guint32 a, b;

  begin (&maker, "cpu", "seconds");
  add (&maker, 1, -1, "abbba", 1);
  stacks = wp_stacks_maker_take (&maker);
  calls = analyze (stacks, WP_CALLS_AUTO);
  a = find_node (calls, "a");
  b = find_node (calls, "b");
  g_assert_true (calls->exact);
  g_assert_cmpstr (wp_calls_text (calls, calls->unit), ==, "ms");
  g_assert_cmpfloat (wp_calls_real (calls, calls->total), ==, 1000);
  g_assert_cmpfloat (wp_calls_real (calls, calls->nodes.data[a].self), ==, 1000);
  g_assert_cmpfloat (wp_calls_real (calls, calls->nodes.data[b].self), ==, 0);
  edge = find_edge (calls, a, b);
  g_assert_cmpfloat (wp_calls_real (calls, edge->total), ==, 1000);
  g_assert_true (edge->caller_time * 3 == calls->total && edge->callee_time * 2 == calls->total);
  edge = find_edge (calls, b, b);
  g_assert_true (edge->caller_time * 3 == 2 * calls->total && edge->callee_time == edge->caller_time && edge->total == calls->total);
  g_assert_null (find_edge (calls, a, a));
  g_assert_true (find_edge (calls, a, 0)->callee_time * 2 == calls->total);
}

/* Samples that say how long they took are believed; those that only were there have the distances between them. */
static void
test_times (void)
{
  g_auto (WpStacksMaker) said = { 0 }, were = { 0 };
  g_autoptr (WpStacks) stacks = NULL, others = NULL;
  g_autoptr (WpCalls) values = NULL, distances = NULL, forced = NULL;
  g_autoptr (GError) error = NULL;

  begin (&said, "time", "microseconds");
  add (&said, 1, 0, "ab", 300);
  add (&said, 1, 5000000, "ac", 1700);
  stacks = wp_stacks_maker_take (&said);
  values = analyze (stacks, WP_CALLS_AUTO);
  g_assert_cmpfloat (wp_calls_real (values, values->total), ==, 2);
  forced = analyze (stacks, WP_CALLS_DISTANCES);
  g_assert_cmpfloat (wp_calls_real (forced, forced->total), ==, 10);

  begin (&were, "samples", "count");
  add (&were, 2, 10000000, "ab", 1);
  add (&were, 1, 77, "z", 1);
  add (&were, 2, 20000000, "ac", 1);
  add (&were, 2, 60000000, "ab", 1);
  others = wp_stacks_maker_take (&were);
  distances = analyze (others, WP_CALLS_AUTO);
  g_assert_cmpfloat (wp_calls_real (distances, distances->total), ==, 75);
  g_assert_cmpfloat (wp_calls_real (distances, distances->nodes.data[find_node (distances, "b")].self), ==, 50);
  g_assert_cmpfloat (wp_calls_real (distances, distances->nodes.data[find_node (distances, "c")].self), ==, 25);
  g_assert_cmpuint (distances->nodes.len, ==, 4); /* one sample of a thread takes nothing, and what it met is none of the graph */
  g_assert_cmpuint (distances->n_samples, ==, 4);
  g_assert_cmpuint (distances->threads.len, ==, 2);
  g_assert_true (distances->threads.data[0].time == 0);
  wp_calls_free (g_steal_pointer (&distances));
  distances = wp_calls_of_stacks (others, &(WpCallsOptions) { .threads = (const guint8[]) { 0, 1, 0 } }, NULL, NULL);
  g_assert_cmpuint (distances->n_samples, ==, 1);
  g_assert_cmpuint (distances->threads.len, ==, 1);

  wp_stacks_unref (g_steal_pointer (&stacks));
  begin (&said, "time", "microseconds");
  add (&said, 1, -1, "a", 5);
  stacks = wp_stacks_maker_take (&said);
  g_assert_null (wp_calls_of_stacks (stacks, &(WpCallsOptions) { .times = WP_CALLS_DISTANCES }, NULL, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_NOT_SUPPORTED);
}

static void
test_units (void)
{
  static const struct
  {
    const char *type, *unit, *shown;
    double total;
  } units[] = { { "cpu", "nanoseconds", "ms", 0.005 }, { "wall", "ms", "ms", 5000 }, { "x", "hours", "ms", 5000 * 3600e3 },
                { "space", "bytes", "bytes", 5000 }, { "samples", "count", "count", 5000 } };

  for (guint i = 0; i < G_N_ELEMENTS (units); i++)
    {
      g_auto (WpStacksMaker) maker = { 0 };
      g_autoptr (WpStacks) stacks = NULL;
      g_autoptr (WpCalls) calls = NULL;

      begin (&maker, units[i].type, units[i].unit);
      add (&maker, 1, -1, "a", 5000);
      stacks = wp_stacks_maker_take (&maker);
      calls = analyze (stacks, WP_CALLS_AUTO);
      g_assert_cmpstr (wp_calls_text (calls, calls->unit), ==, units[i].shown);
      g_assert_cmpfloat (wp_calls_real (calls, calls->total), ==, units[i].total);
    }
}

static void
test_lines (void)
{
  g_auto (WpStacksMaker) maker = { 0 };
  g_autoptr (WpStacks) stacks = NULL;
  g_autoptr (WpCalls) functions = NULL, lines = NULL;
  g_autoptr (GString) text = g_string_new (NULL);

  begin (&maker, "cpu", "ms");
  wp_array_push (&maker.stacks->frames->lines, ((WpStackLine) { 1, 14, 0 }));
  wp_array_push (&maker.stacks->frames->locations, ((WpLocation) { .first_line = maker.stacks->frames->lines.len - 1, .n_lines = 1 }));
  add (&maker, 1, -1, "a", 5);
  add (&maker, 1, -1, "{", 5); /* a, too: another line */
  stacks = wp_stacks_maker_take (&maker);
  functions = analyze (stacks, WP_CALLS_AUTO);
  g_assert_cmpuint (functions->nodes.len, ==, 2);
  wp_calls_append_source (functions, 1, text);
  lines = wp_calls_of_stacks (stacks, &(WpCallsOptions) { .lines = TRUE }, NULL, NULL);
  g_assert_cmpuint (lines->nodes.len, ==, 3);
  wp_calls_append_source (lines, 2, text);
  wp_calls_append_source (lines, 1, text);
  g_assert_cmpstr (text->str, ==, "main.c:10main.c:12:4main.c:14");
}

/* --- properties of random stacks ---------------------------------------------------------------------------------- */

static WpStacks *
make_random (GRand *rand, guint n_samples, guint n_functions, guint depth, gint64 most)
{
  g_auto (WpStacksMaker) maker = { 0 };

  begin (&maker, "cpu", "nanoseconds");
  for (guint i = 0; i < n_samples; i++)
    {
      char stack[64] = "";
      guint n = (guint) g_rand_int_range (rand, 0, (gint32) depth + 1);

      for (guint f = 0; f < n; f++)
        stack[f] = (char) ('a' + g_rand_int_range (rand, 0, (gint32) n_functions));
      add (&maker, (guint32) g_rand_int_range (rand, 1, 4), -1, stack, g_rand_int_range (rand, 0, (gint32) MIN (most, G_MAXINT32)));
    }
  return wp_stacks_maker_take (&maker);
}

static void
check_sums (const WpCalls *calls)
{
  WpExact selfs = 0, threads = 0;

  for (guint32 i = 0; i < calls->nodes.len; i++)
    {
      const WpCallsNode *node = &calls->nodes.data[i];
      WpExact callers = 0, callees = 0;

      for (guint32 e = node->first_caller; e < node->first_caller + node->n_callers; e++)
        {
          const WpCallsEdge *edge = &calls->edges.data[calls->callers.data[e]];

          g_assert_cmpuint (edge->callee, ==, i);
          g_assert_true (i == 0 || e == node->first_caller || calls->edges.data[calls->callers.data[e - 1]].caller_time >= edge->caller_time);
          callers += edge->caller_time;
        }
      for (guint32 e = node->first_callee; e < node->first_callee + node->n_callees; e++)
        {
          const WpCallsEdge *edge = &calls->edges.data[calls->callees.data[e]];

          g_assert_cmpuint (edge->caller, ==, i);
          g_assert_true (i == 0 || e == node->first_callee || calls->edges.data[calls->callees.data[e - 1]].callee_time >= edge->callee_time);
          callees += edge->callee_time;
        }
      if (i > 0)
        g_assert_true (callers == node->total && callees == node->total);
      selfs += node->self;
    }
  for (guint32 i = 0; i < calls->threads.len; i++)
    threads += calls->threads.data[i].time;
  g_assert_true (threads == calls->total);
  g_assert_true (selfs <= calls->total); /* less what was spent in empty stacks */
}

/* The rounds of the heuristic as they are told: each looks at everything that is left. */
static void
order_slowly (const WpCalls *calls, const guint32 *list, guint32 n, guint32 *order)
{
  g_autofree WpExact *in = g_new0 (WpExact, calls->nodes.len), *out = g_new0 (WpExact, calls->nodes.len);
  g_autofree gboolean *gone = g_new0 (gboolean, calls->nodes.len), *taken = g_new0 (gboolean, calls->nodes.len);
  guint32 first = 0, end = n;

  while (first < end)
    {
      guint32 n_sinks = 0, n_sources = 0;
      guint32 sinks[32], sources[32];

      memset (in, 0, calls->nodes.len * sizeof *in);
      memset (out, 0, calls->nodes.len * sizeof *out);
      for (guint32 e = 0; e < calls->edges.len; e++)
        {
          const WpCallsEdge *edge = &calls->edges.data[e];

          if (edge->caller == 0 || edge->callee == 0 || edge->caller == edge->callee || gone[edge->caller] || gone[edge->callee])
            continue;
          in[edge->callee] += edge->callee_time;
          out[edge->caller] += edge->caller_time;
        }
      memset (taken, 0, calls->nodes.len * sizeof *taken);
      for (guint32 i = 0; i < n; i++)
        if (!gone[list[i]] && out[list[i]] == 0)
          taken[sinks[n_sinks++] = list[i]] = TRUE;
      for (guint32 i = 0; i < n; i++)
        if (!gone[list[i]] && !taken[list[i]] && in[list[i]] == 0)
          sources[n_sources++] = list[i];
      if (n_sinks + n_sources == 0)
        {
          guint32 least = 0;

          for (guint32 i = 0; i < n; i++)
            if (!gone[list[i]] && (least == 0 || wp_exact_compare (in[list[i]], out[list[i]], in[least], out[least]) < 0))
              least = list[i];
          for (guint32 i = n; i-- > 0;)
            if (!gone[list[i]] && wp_exact_compare (in[list[i]], out[list[i]], in[least], out[least]) == 0)
              sources[n_sources++] = list[i];
        }
      for (guint32 i = 0; i < n_sources; i++)
        {
          gone[sources[i]] = TRUE;
          order[first++] = sources[i];
        }
      for (guint32 i = n_sinks; i-- > 0;)
        {
          gone[sinks[i]] = TRUE;
          order[--end] = sinks[i];
        }
    }
}

/* Node 0's callees are as they were found; those of others have been sorted since, but for ties in the order of the edges. */
static guint32
find_list (const WpCalls *calls, guint32 *list)
{
  g_autofree guint32 *queue = g_new0 (guint32, calls->nodes.len);
  g_autofree gboolean *seen = g_new0 (gboolean, calls->nodes.len);
  guint32 n = 1;

  seen[0] = TRUE;
  for (guint32 i = 0; i < n; i++)
    for (guint32 e = calls->edges.len; e-- > 0;)
      if (calls->edges.data[e].caller == queue[i] && !seen[calls->edges.data[e].callee])
        {
          queue[n++] = calls->edges.data[e].callee;
          seen[queue[n - 1]] = TRUE;
        }
  for (guint32 i = 1; i < n; i++)
    list[i - 1] = queue[n - i];
  return n - 1;
}

static void
check_order (const WpCalls *calls)
{
  guint32 n = calls->nodes.len - 1;
  g_autofree guint32 *list = g_new0 (guint32, n + 1), *order = g_new0 (guint32, n + 1), *places = g_new0 (guint32, n + 1);
  g_autofree guint32 *layers = g_new0 (guint32, n + 1);

  g_assert_cmpuint (find_list (calls, list), ==, n);
  order_slowly (calls, list, n, order);
  for (guint32 i = 0; i < n; i++)
    places[order[i]] = i + 1;
  for (guint32 i = 0; i < n; i++)
    for (guint32 e = 0; e < calls->edges.len; e++)
      {
        const WpCallsEdge *edge = &calls->edges.data[e];

        if (edge->callee == order[i] && edge->caller != 0 && places[edge->caller] < places[edge->callee])
          layers[edge->callee] = MAX (layers[edge->callee], layers[edge->caller] + 1);
      }
  for (guint32 i = 1; i <= n; i++)
    {
      const WpCallsNode *node = &calls->nodes.data[i], *before = node - 1;

      g_assert_cmpuint (node->layer, ==, layers[i]);
      if (i == 1)
        continue;
      g_assert_cmpuint (node->layer, >=, before->layer);
      g_assert_true (node->layer > before->layer || before->total > node->total || (before->total == node->total && places[i] < places[i - 1]));
    }
}

static GString *
render (const WpCalls *calls, const char *format, const WpCallsShowOptions *options)
{
  GString *out = g_string_new (NULL);

  wp_calls_renderer_named (format)->append (calls, options, out);
  return out;
}

static WpCalls *
read_json (const char *text, GError **error)
{
  const WpInput input = { .data = (const guint8 *) text, .n = strlen (text) };

  return wp_calls_json_read ("graph.json", &input, NULL, error);
}

/* Text, graph and JSON say the same: JSON that was read makes the same text and graph, and the same JSON. */
static void
check_renderings (const WpCalls *calls)
{
  static const char *const formats[] = { "json", "dot", "text" };
  const WpCallsShowOptions options = { .hide_self = { 1, 20 }, .hide_subs = { 1, 10 }, .truncate = 30 };
  g_autoptr (GString) json = render (calls, "json", &options);
  GError *error = NULL;
  g_autoptr (WpCalls) again = read_json (json->str, &error);

  g_assert_no_error (error);
  for (guint i = 0; i < G_N_ELEMENTS (formats); i++)
    {
      g_autoptr (GString) ours = render (calls, formats[i], &options), theirs = render (again, formats[i], &options);

      g_assert_cmpstr (ours->str, ==, theirs->str);
    }
}

/* What stands in brackets of the text, and the arrows of the graph for Graphviz, are what the analysis has. */
static void
check_text (const WpCalls *calls, const WpCallsShown *shown, const char *text)
{
  g_autoptr (GRegex) pattern = g_regex_new ("^ *\\[(\\d+)\\] +(\\d+)\\(([\\d.]+)%\\) +(\\d+)\\(([\\d.]+)%\\) +(\\S+) ", G_REGEX_MULTILINE, 0, NULL);
  g_autoptr (GMatchInfo) match = NULL;
  double total = wp_calls_real (calls, calls->total);
  guint32 n = 0;

  for (g_regex_match (pattern, text, 0, &match); g_match_info_matches (match); g_match_info_next (match, NULL))
    {
      g_auto (GStrv) cells = g_match_info_fetch_all (match);
      const WpCallsNode *node = &calls->nodes.data[shown->nodes.data[n]];
      double all = wp_calls_real (calls, node->total), self = wp_calls_real (calls, node->self);

      g_assert_cmpint (atoi (cells[1]), ==, (int) ++n);
      g_assert_cmpfloat (fabs (g_ascii_strtod (cells[2], NULL) - all), <=, 0.5 + 1e-6);
      g_assert_cmpfloat (fabs (g_ascii_strtod (cells[3], NULL) - 100 * all / total), <=, 0.05 + 1e-9);
      g_assert_cmpfloat (fabs (g_ascii_strtod (cells[4], NULL) - self), <=, 0.5 + 1e-6);
      g_assert_cmpfloat (fabs (g_ascii_strtod (cells[5], NULL) - 100 * self / total), <=, 0.05 + 1e-9);
      g_assert_cmpstr (cells[6], ==, wp_calls_text (calls, node->name));
    }
  g_assert_cmpuint (n, ==, shown->nodes.len);
}

static void
check_arrows (const WpCalls *calls, const WpCallsShown *shown, const char *dot)
{
  g_autoptr (GRegex) pattern = g_regex_new ("^node(\\d+) -> node(\\d+);$", G_REGEX_MULTILINE, 0, NULL);
  g_autoptr (GMatchInfo) match = NULL;
  guint32 n = 0, expected = 0;

  for (g_regex_match (pattern, dot, 0, &match); g_match_info_matches (match); g_match_info_next (match, NULL), n++)
    {
      g_auto (GStrv) ends = g_match_info_fetch_all (match);

      g_assert_nonnull (find_edge (calls, shown->nodes.data[atoi (ends[1]) - 1], shown->nodes.data[atoi (ends[2]) - 1]));
    }
  for (guint32 e = 0; e < calls->edges.len; e++)
    expected += shown->numbers[calls->edges.data[e].caller] != 0 && shown->numbers[calls->edges.data[e].callee] != 0;
  g_assert_cmpuint (n, ==, expected);
}

static void
check_numbers (const WpCalls *calls)
{
  const WpCallsShowOptions options = { .hide_self = { 1, 20 }, .hide_subs = { 1, 10 } };
  g_autoptr (GString) text = render (calls, "text", &options), dot = render (calls, "dot", &options);
  g_auto (WpCallsShown) shown = { 0 };

  wp_calls_show (calls, &options, &shown);
  check_text (calls, &shown, text->str);
  check_arrows (calls, &shown, dot->str);
}

static void
test_random (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (4711);

  for (guint i = 0; i < 400; i++)
    {
      /* Few values make many ties. */
      g_autoptr (WpStacks) stacks = make_random (rand, 1 + i % 40, 1 + i % 17, 1 + i % 11, i % 3 == 0 ? 3 : 1000000000);
      g_autoptr (WpCalls) calls = analyze (stacks, WP_CALLS_AUTO);

      g_assert_true (calls->exact);
      check_sums (calls);
      check_order (calls);
      if (i % 3 != 0) /* halves of a percent are rounded to the even digit: the nearest double may be on either side */
        check_renderings (calls);
      if (calls->total > 0)
        check_numbers (calls);
    }
}

/* What a merge of all threads says is what one analysis of all says, but for the unit. */
static void
test_merge (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (815);

  for (guint i = 0; i < 100; i++)
    {
      g_autoptr (WpStacks) stacks = make_random (rand, 1 + i % 30, 1 + i % 17, 1 + i % 11, 1000000000);
      g_autoptr (WpCalls) whole = analyze (stacks, WP_CALLS_AUTO), merged = NULL;
      WpCalls *parts[3];

      for (guint t = 0; t < 3; t++)
        {
          const guint8 wanted[5] = { 0, t == 0, t == 1, t == 2 };

          parts[t] = wp_calls_of_stacks (stacks, &(WpCallsOptions) { .threads = wanted }, NULL, NULL);
        }
      merged = wp_calls_merge (parts, 3, NULL);
      check_sums (merged);
      check_order (merged);
      g_assert_cmpuint (merged->nodes.len, ==, whole->nodes.len);
      g_assert_cmpuint (merged->edges.len, ==, whole->edges.len);
      g_assert_cmpuint (merged->n_samples, ==, whole->n_samples);
      for (guint32 n = 1; n < whole->nodes.len; n++)
        {
          const WpCallsNode *node = &whole->nodes.data[n];
          const WpCallsNode *other = &merged->nodes.data[find_node (merged, wp_calls_text (whole, node->name))];

          g_assert_true (node->total == 0 || wp_exact_compare (node->total, whole->one, other->total, merged->one) == 0);
          g_assert_cmpuint (node->n_threads, ==, other->n_threads);
        }
      for (guint32 e = 0; e < whole->edges.len; e++)
        {
          const WpCallsEdge *edge = &whole->edges.data[e], *other;
          guint32 ends[2] = { 0, 0 };

          if (edge->caller != 0)
            ends[0] = find_node (merged, wp_calls_text (whole, whole->nodes.data[edge->caller].name));
          if (edge->callee != 0)
            ends[1] = find_node (merged, wp_calls_text (whole, whole->nodes.data[edge->callee].name));
          other = find_edge (merged, ends[0], ends[1]);
          g_assert_nonnull (other);
          g_assert_true (wp_exact_compare (edge->caller_time, whole->one, other->caller_time, merged->one) == 0);
          g_assert_true (wp_exact_compare (edge->callee_time, whole->one, other->callee_time, merged->one) == 0);
        }
      for (guint t = 0; t < 3; t++)
        wp_calls_free (parts[t]);
    }
}

static WpCalls *
numbered (WpCallsThreadNumbers *numbers, const char *host, gint64 tid)
{
  g_auto (WpStacksMaker) maker = { 0 };
  g_autoptr (WpStacks) stacks = NULL;
  WpStrings *strings;
  WpCalls *calls;

  begin (&maker, "cpu", "ms");
  strings = maker.stacks->strings;
  maker.stacks->header.host = host != NULL ? wp_strings_intern (strings, host) : 0;
  wp_array_push (&maker.stacks->threads, ((WpStackThread) { .name = wp_strings_intern (strings, "web"), .tid = tid }));
  add (&maker, 1, -1, "ab", 10);
  stacks = wp_stacks_maker_take (&maker);
  calls = analyze (stacks, WP_CALLS_VALUES);
  wp_calls_number_threads (numbers, calls, stacks);
  return calls;
}

/* Threads of several recordings are one where machine, number and name are; where that is not known they are not. */
static void
test_merge_of_threads (void)
{
  static const struct
  {
    const char *host;
    gint64 tid, number;
  } rows[] = { { NULL, 0, 0 }, { "ada", 0, 0 }, { "ada", 7, 5 }, { "bob", 7, 6 }, { "ada", 7, 5 }, { "ada", 8, 7 }, { NULL, 7, 8 }, { NULL, 7, 9 } };
  g_auto (WpCallsThreadNumbers) numbers = { 0 };
  WpCalls *graphs[G_N_ELEMENTS (rows)];
  g_autoptr (WpCalls) merged = NULL, own = wp_calls_merge (NULL, 0, NULL);

  wp_array_push (&own->threads, ((WpCallsThread) { .id = 4 }));
  wp_calls_reserve_threads (&numbers, own);
  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      graphs[i] = numbered (&numbers, rows[i].host, rows[i].tid);
      g_assert_cmpint (graphs[i]->threads.data[0].id, ==, rows[i].number);
      g_assert_cmpint (graphs[i]->node_threads.data[0], ==, rows[i].number);
    }
  merged = wp_calls_merge (graphs, G_N_ELEMENTS (rows), NULL);
  g_assert_cmpuint (merged->threads.len, ==, 6);
  g_assert_cmpfloat (wp_calls_real (merged, merged->threads.data[0].time), ==, 20);
  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    wp_calls_free (graphs[i]);
}

static void
test_merge_of_units (void)
{
  g_auto (WpStacksMaker) maker = { 0 }, other = { 0 };
  g_autoptr (WpStacks) times = NULL, bytes = NULL;
  g_autoptr (WpCalls) a = NULL, b = NULL;
  g_autoptr (GError) error = NULL;

  begin (&maker, "cpu", "ms");
  times = wp_stacks_maker_take (&maker);
  begin (&other, "space", "bytes");
  bytes = wp_stacks_maker_take (&other);
  a = analyze (times, WP_CALLS_AUTO);
  b = analyze (bytes, WP_CALLS_AUTO);
  g_assert_null (wp_calls_merge ((WpCalls *[]) { a, b }, 2, &error));
  g_assert_nonnull (strstr (error->message, "bytes"));
}

/* --- beyond the bound --------------------------------------------------------------------------------------------- */

/* Functions that stand on stacks 1 to 200 times: no number of 128 bits has all these divisors. It is said, and hardly anything is lost. */
static void
test_rounded (void)
{
  g_auto (WpStacksMaker) maker = { 0 };
  g_autoptr (WpStacks) stacks = NULL;
  g_autoptr (WpCalls) calls = NULL, alone = NULL, merged = NULL;
  guint32 a;
  double callers = 0;

  begin (&maker, "cpu", "nanoseconds");
  for (guint i = 1; i <= 200; i++)
    {
      g_autofree char *stack = g_strnfill (i + 1, 'a');

      stack[0] = 'b';
      add (&maker, 1, -1, stack, 1000000007 * (gint64) i);
    }
  stacks = wp_stacks_maker_take (&maker);
  calls = analyze (stacks, WP_CALLS_AUTO);
  g_assert_false (calls->exact);
  a = find_node (calls, "a");
  g_assert_cmpfloat (wp_calls_real (calls, calls->nodes.data[a].total), ==, 1000000007.0 * 20100 / 1e6);
  for (guint32 e = calls->nodes.data[a].first_caller; e < calls->nodes.data[a].first_caller + calls->nodes.data[a].n_callers; e++)
    callers += wp_calls_real (calls, calls->edges.data[calls->callers.data[e]].caller_time);
  g_assert_cmpfloat (fabs (callers - wp_calls_real (calls, calls->nodes.data[a].total)), <, 1e-6);

  /* Of such a graph and one in other units the sum is rounded, too. */
  alone = read_json ("{ \"total_time\": 0.1, \"cpu_time\": 0.1, \"sample_number\": 1, \"thread_times\": [ { \"id\": 0, \"time\": 0.1 } ], \"nodes\": ["
                     "{ \"id\": false, \"total\": 0.1, \"callees\": [], \"callers\": [] } ] }",
                     NULL);
  merged = wp_calls_merge ((WpCalls *[]) { calls, alone }, 2, NULL);
  g_assert_false (merged->exact);
  g_assert_cmpfloat (fabs (wp_calls_real (merged, merged->total) - 20100000.2407), <, 1e-6);
}

/* --- JSON --------------------------------------------------------------------------------------------------------- */

#define GRAPH(nodes) "{ \"total_time\": 10.0, \"cpu_time\": 12, \"sample_number\": 2, \"thread_times\": [ { \"id\": 0, \"time\": 10 } ], \"nodes\": [" nodes "] }"
#define EDGE(caller, callee, time) "{ \"caller\": " #caller ", \"callee\": " #callee ", \"total\": 10, \"caller_time\": " #time ", \"callee_time\": 10 }"
#define NODE(id, callers, callees) "{ \"id\": " id ", \"src\": false, \"total\": 10, \"self\": 5, \"callers\": [" callers "], \"callees\": [" callees "] }"

static void
test_wrong_json (void)
{
  static const struct
  {
    const char *text, *message;
  } wrong[] = {
    { GRAPH (""), "nodes: the first node is the one that calls all others" },
    { GRAPH (NODE ("false", "", EDGE (0, 1, 10))), "there are 1, and a call names number 1" },
    { GRAPH (NODE ("false", "", EDGE (0, 1, 10)) ", " NODE ("\"a\"", EDGE (0, 1, 9), "")), "nodes 0 and 1 say different times" },
    { GRAPH (NODE ("false", "", EDGE (0, 1, 10) ", " EDGE (0, 1, 10))), "node 0 lists this call twice" },
    { GRAPH (NODE ("false", EDGE (0, 1, 10), "")), "node 0, which lists it" },
    { GRAPH (NODE ("false", "", "{ \"caller\": 0 }")), "a call has a caller and a callee" },
    { "{ \"total_time\": 1e300, \"nodes\": [" NODE ("false", "", "") "] }", "too large" },
    { "{ \"nodes\": [ { \"self\": \"x\" } ] }", "nodes[0].self" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (wrong); i++)
    {
      g_autoptr (GError) error = NULL;

      g_assert_null (read_json (wrong[i].text, &error));
      g_test_message ("%s", error->message);
      g_assert_nonnull (strstr (error->message, wrong[i].message));
      g_assert_nonnull (strstr (error->message, "graph.json"));
    }
}

/* Merges that Racket 8 wrote have callers only. */
static void
test_lost_callees (void)
{
  GError *error = NULL;
  g_autoptr (WpCalls) calls = read_json (GRAPH (NODE ("false", EDGE (1, 0, 10), "") ", " NODE ("\"a\"", EDGE (0, 1, 10), "")), &error);

  g_assert_no_error (error);
  check_sums (calls);
  g_assert_cmpuint (calls->nodes.data[0].n_callees, ==, 1);
  g_assert_cmpuint (calls->nodes.data[1].n_callees, ==, 1);
}

static void
test_sources (void)
{
  static const struct
  {
    const char *json, *text;
  } sources[] = { { "\"a.rkt:3:0\"", "a.rkt:3:0" }, { "\"a.rkt::77\"", "a.rkt:#77" },   { "\"c:/a.rkt:3:\"", "c:/a.rkt:3" }, { "\"a.rkt::\"", "a.rkt" },
                  { "false", "(unknown source)" },  { "\"no colon\"", "no colon" }, { "\"a:x:3\"", "a:x:3" } };

  for (guint i = 0; i < G_N_ELEMENTS (sources); i++)
    {
      g_autofree char *json = g_strdup_printf ("{ \"nodes\": [ { \"src\": %s } ] }", sources[i].json);
      g_autoptr (WpCalls) calls = read_json (json, NULL);
      g_autoptr (GString) text = g_string_new (NULL), again;

      wp_calls_append_source (calls, 0, text);
      g_assert_cmpstr (text->str, ==, sources[i].text);
      again = render (calls, "json", &(WpCallsShowOptions) { 0 });
      g_assert_true (i >= 5 || strstr (again->str, sources[i].json) != NULL);
    }
}

/* --- cancelling --------------------------------------------------------------------------------------------------- */

static void
test_cancelled (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (1);
  g_autoptr (WpStacks) stacks = make_random (rand, 20, 5, 5, 10);
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GError) error = NULL;
  WpProgress progress = { .cancellable = cancellable };

  g_cancellable_cancel (cancellable);
  g_assert_null (wp_calls_of_stacks (stacks, &(WpCallsOptions) { 0 }, &progress, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/calls/exact", test_exact);
  g_test_add_func ("/calls/recursion", test_recursion);
  g_test_add_func ("/calls/times", test_times);
  g_test_add_func ("/calls/units", test_units);
  g_test_add_func ("/calls/lines", test_lines);
  g_test_add_func ("/calls/random", test_random);
  g_test_add_func ("/calls/merge", test_merge);
  g_test_add_func ("/calls/merge-of-threads", test_merge_of_threads);
  g_test_add_func ("/calls/merge-of-units", test_merge_of_units);
  g_test_add_func ("/calls/rounded", test_rounded);
  g_test_add_func ("/calls/wrong-json", test_wrong_json);
  g_test_add_func ("/calls/lost-callees", test_lost_callees);
  g_test_add_func ("/calls/sources", test_sources);
  g_test_add_func ("/calls/cancelled", test_cancelled);
  return g_test_run ();
}
