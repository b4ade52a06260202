/* calls: the call graph, as Racket's profile has it. */
#include "base/find.h"
#include "calls/json.h"
#include "calls/renderers.h"
#include "cli/output.h"
#include "cli/stacks.h"
#include "stacks/formats.h"

typedef struct
{
  WpCliStacksOptions stacks;
  char *order, *hide_self, *hide_subs, *truncate_source, *threads, *by, *times, *format, *output;
} Options;

/* --- options ------------------------------------------------------------------------------------------------------ */

/* "0.05", "5%", "1/20", "off". */
static gboolean
parse_limit (const char *text, WpCallsLimit *limit)
{
  char *end;

  if (text == NULL)
    return TRUE;
  *limit = (WpCallsLimit) { 0, 1 };
  if (g_str_equal (text, "off"))
    limit->whole = 0;
  if (limit->whole == 0 || strlen (text) > 15)
    return limit->whole == 0;
  for (end = (char *) text; g_ascii_isdigit (*end); end++)
    limit->part = 10 * limit->part + (*end - '0');
  if (*end == '.')
    for (end++; g_ascii_isdigit (*end); end++)
      {
        limit->part = 10 * limit->part + (*end - '0');
        limit->whole *= 10;
      }
  else if (*end == '/' && g_ascii_isdigit (end[1]))
    limit->whole = g_ascii_strtoll (end + 1, &end, 10);
  if (*end == '%')
    {
      limit->whole *= 100;
      end++;
    }
  return *end == '\0' && g_ascii_isdigit (*text) && limit->whole > 0 && limit->part <= limit->whole;
}

static gboolean
parse_length (const char *text, guint *length)
{
  guint64 number;

  if (text == NULL)
    return TRUE;
  *length = 0;
  if (g_str_equal (text, "off"))
    return TRUE;
  if (!g_ascii_string_to_unsigned (text, 10, 1, G_MAXINT, &number, NULL))
    return FALSE;
  *length = (guint) number;
  return TRUE;
}

/* Returns the exit status. */
static int
find_shown (const Options *options, WpCallsShowOptions *shown)
{
  static const char *const orders[] = { "topological", "self", "total" };

  if (options->order != NULL)
    shown->order = WP_FIND_NAME (orders, options->order);
  if (!parse_limit (options->hide_self, &shown->hide_self) || !parse_limit (options->hide_subs, &shown->hide_subs))
    return wp_cli_usage ("--hide-self and --hide-subs take parts of the whole, like 0.05, 5%% or 1/20, or “off”");
  if (!parse_length (options->truncate_source, &shown->truncate))
    return wp_cli_usage ("--truncate-source takes a number of characters from 1, or “off”");
  return 0;
}

/* --- one file ----------------------------------------------------------------------------------------------------- */

static gboolean
is_called (const WpStacks *stacks, WpId thread, const char *name)
{
  const WpStackThread *row = &stacks->threads.data[thread];
  g_autofree char *changed = NULL;
  g_autofree char *tid = g_strdup_printf ("%" G_GINT64_FORMAT, row->tid);

  return g_str_equal (wp_stacks_shown (stacks, row->name, &changed), name) || (row->tid != 0 && g_str_equal (tid, name));
}

/* Which threads' samples count: those of these names or numbers. NULL and an error that names what is none. Free with g_free(). */
static guint8 *
find_threads (const WpStacks *stacks, const char *names, GError **error)
{
  g_auto (GStrv) wanted = g_strsplit (names, ",", -1);
  guint8 *found = g_new0 (guint8, MAX (stacks->threads.len, 1));

  for (guint w = 0; wanted[w] != NULL; w++)
    {
      gboolean any = FALSE;

      for (WpId t = 1; t < stacks->threads.len; t++)
        if (is_called (stacks, t, wanted[w]))
          any = found[t] = TRUE;
      if (any)
        continue;
      g_set_error (error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND,
                   stacks->threads.len > 1 ? "no thread has the name or number “%s”" : "it tells no threads, so none is “%s”", wanted[w]);
      g_free (found);
      return NULL;
    }
  return found;
}

static WpCalls *
analyze (const WpCliStacks *profile, const Options *options, GError **error)
{
  static const char *const times[] = { "auto", "distances", "values" };
  g_autofree guint8 *threads = NULL;
  WpCallsOptions calls = { .type = profile->type, .lines = g_strcmp0 (options->by, "line") == 0,
                           .without_inlined = options->stacks.without_inlined };

  if (options->times != NULL)
    calls.times = WP_FIND_NAME (times, options->times);
  if (options->threads != NULL)
    {
      threads = find_threads (profile->stacks, options->threads, error);
      if (threads == NULL)
        return NULL;
    }
  calls.threads = threads;
  return wp_calls_of_stacks (profile->stacks, &calls, NULL, error);
}

/* A call graph has no stacks to look into. */
static int
open_graph (const char *file, const Options *options, WpCalls **graph)
{
  GError *error = NULL;

  if (wp_cli_stacks_filters (&options->stacks) || options->stacks.task != NULL || options->threads != NULL || options->by != NULL
      || options->times != NULL || options->stacks.without_inlined)
    return wp_cli_usage ("%s is a call graph without stacks: nothing can be filtered in it, and its functions are as they are", file);
  *graph = wp_calls_json_open (file, NULL, &error);
  return *graph != NULL ? 0 : wp_cli_fail (error);
}

/* `numbers`: of the threads of all files; NULL: there is only this one. */
static int
open_stacks (char *file, const Options *options, WpCallsThreadNumbers *numbers, WpCalls **graph)
{
  g_auto (WpCliStacks) profile = { 0 };
  GError *error = NULL;
  int status = wp_cli_stacks_open (&profile, &options->stacks, &file, 1);

  if (status != 0)
    return status;
  *graph = analyze (&profile, options, &error);
  if (*graph != NULL && numbers != NULL)
    wp_calls_number_threads (numbers, *graph, profile.stacks);
  g_prefix_error (&error, "%s: ", file);
  return *graph != NULL ? 0 : wp_cli_fail (error);
}

/* --- the command -------------------------------------------------------------------------------------------------- */

static int
put (const WpCalls *calls, const WpCallsShowOptions *shown, const Options *options)
{
  g_autoptr (GString) out = g_string_new (NULL);

  if (!calls->exact)
    g_printerr ("wakepath-cli: shares of functions that stand on stacks very often are rounded\n");
  wp_calls_renderer_named (options->format)->append (calls, shown, out);
  return wp_cli_put (out, options->output);
}

static int
put_all (WpCalls **graphs, guint n, const WpCallsShowOptions *shown, const Options *options)
{
  GError *error = NULL;
  g_autoptr (WpCalls) merged = NULL;

  if (n == 1)
    return put (graphs[0], shown, options);
  merged = wp_calls_merge (graphs, n, &error);
  return merged != NULL ? put (merged, shown, options) : wp_cli_fail (error);
}

/* What Racket or `calls` itself wrote: its threads have ids of its own, which are kept. */
static gboolean
keeps_ids (const char *file)
{
  const WpStacksFormat *format = wp_stacks_format_of_file (file);

  return format != NULL && (g_str_equal (format->id, "calls") || g_str_equal (format->id, "racket"));
}

static int
open_one (char *file, const Options *options, WpCallsThreadNumbers *numbers, WpCalls **graph)
{
  int status;

  if (!wp_calls_json_is (file))
    return open_stacks (file, options, numbers, graph);
  status = open_graph (file, options, graph);
  if (status == 0 && numbers != NULL)
    wp_calls_reserve_threads (numbers, *graph);
  return status;
}

/* Ids that are kept are known before others are given. */
static int
open_all (char **files, int n, const Options *options, WpCalls **graphs)
{
  g_auto (WpCallsThreadNumbers) numbers = { 0 };
  int status = 0;

  for (int kept = TRUE; kept >= FALSE; kept--)
    for (int i = 0; i < n && status == 0; i++)
      if (keeps_ids (files[i]) == kept)
        status = open_one (files[i], options, n > 1 ? &numbers : NULL, &graphs[i]);
  return status;
}

static int
run (gpointer data, int n, char **operands)
{
  Options *options = data;
  WpCallsShowOptions shown = WP_CALLS_SHOW_DEFAULT;
  g_autofree WpCalls **graphs = g_new0 (WpCalls *, n);
  int status = find_shown (options, &shown);

  wp_cli_default_format (&options->format, options->output, WP_CALLS_RENDERER_WORDS);
  if (status == 0)
    status = open_all (operands, n, options, graphs);
  if (status == 0)
    status = put_all (graphs, (guint) n, &shown, options);
  for (int i = 0; i < n; i++)
    g_clear_pointer (&graphs[i], wp_calls_free);
  return status;
}

static const WpOption rows[] = {
  { "order", 0, G_OPTION_ARG_STRING, offsetof (Options, order), "topological|self|total", "In which order functions stand; else callers first" },
  { "hide-self", 0, G_OPTION_ARG_STRING, offsetof (Options, hide_self), "PART",
    "Hide functions that took at most this part of the whole themselves, else _0.01_…" },
  { "hide-subs", 0, G_OPTION_ARG_STRING, offsetof (Options, hide_subs), "PART",
    "… and at most this part of all that they call and are called by, else _0.02_. _off_ for both hides none" },
  { "truncate-source", 0, G_OPTION_ARG_STRING, offsetof (Options, truncate_source), "N",
    "Characters for a name with its source, else _50_; _off_: as many as it takes" },
  { "threads", 0, G_OPTION_ARG_STRING, offsetof (Options, threads), "NAME|TID", "Only samples of these threads; several with commas" },
  { "by", 0, G_OPTION_ARG_STRING, offsetof (Options, by), "function|line", "What a node stands for" },
  { "times", 0, G_OPTION_ARG_STRING, offsetof (Options, times), "auto|distances|values",
    "What a sample took: the distance to its neighbours of the same thread, or its value; _auto_: the value if it says more than that "
    "there was a sample" },
  { "no-inlines", 0, G_OPTION_ARG_NONE, offsetof (Options, stacks.without_inlined), NULL, "Count inlined functions as those that they stand in" },
  WP_OPTIONS_STACKS (Options, stacks),
  WP_OPTION_FORMAT (Options, format, WP_CALLS_RENDERER_WORDS),
  WP_OPTION_OUTPUT (Options, output),
  WP_OPTION_END,
};

const WpCommand wp_cmd_calls = {
  .name = "calls",
  .group = WP_GROUP_PROFILES,
  .operands = "FILE…",
  .summary = "The call graph: who called whom, and for how long",
  .description = WP_STACKS_FORMATS " Also samples and profiles of Racket's profiler, whose analysis this is, exact, with the same tables, "
                 "graphs for Graphviz (*dot*) and JSON, which Racket reads again.\n\n"
                 "Each function stands between those that called it and those that it called. Shares beside a caller or callee are of the function's "
                 "own total; with those of hidden functions, and of being first or last on the stack, they come to 100 %. "
                 "Of a function that stands on a stack several times each place has its part of the sample.\n\n"
                 "Several files, of other machines or runs too (like those of *record --repeat*), are analyzed each by itself and added up: functions of one "
                 "name and source are one, and so are threads of one machine, number and name; of call graphs, which tell no more, threads of one id. Lines of sources count from 1, columns from 0.",
  .options = rows,
  .size = sizeof (Options),
  .least = 1,
  .most = WP_ANY_NUMBER,
  .run = run,
};
