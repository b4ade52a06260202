/* info: what a file is, what it holds, what is wrong with it. */
#include "base/format.h"
#include "base/json-writer.h"
#include "calls/json.h"
#include "cli/info-calls.h"
#include "cli/info-stacks.h"
#include "cli/open.h"
#include "cli/output.h"
#include "stacks/formats.h"
#include "trace/trace-stacks.h"

#define PROCESSES_SHOWN 10 /* as text */
#define ABSENT_SHOWN 10
#define WHOLE_ENOUGH 0.9 /* share of whole stacks below which there is something to be done */

static void
append_absent_text (GString *out, const WpTrace *trace)
{
  guint n = 0;

  if (trace->diagnostics.n[WP_DIAG_ABSENT_FILES] > 0)
    g_string_append (out, "Not here as they were recorded, so that functions have no names:\n");
  for (WpId i = 0; i < trace->modules.len; i++)
    if (trace->modules.data[i].absent && n++ < ABSENT_SHOWN)
      wp_cli_append_line (out, "  ", wp_trace_string (trace, trace->modules.data[i].path));
  if (n > ABSENT_SHOWN)
    g_string_append_printf (out, "  and %u more\n", n - ABSENT_SHOWN);
}

static void
absent_json (WpJsonWriter *json, const WpTrace *trace)
{
  wp_json_writer_line (json);
  wp_json_writer_array (json, "absent_files", WP_JSON_SPACED);
  for (WpId i = 0; i < trace->modules.len; i++)
    if (trace->modules.data[i].absent)
      wp_json_writer_string (json, NULL, wp_trace_string (trace, trace->modules.data[i].path));
  wp_json_writer_end (json);
}

static void
append_problems (GString *out, const WpTrace *trace)
{
  for (guint i = 0; i < WP_DIAG_COUNT; i++)
    {
      g_autofree char *sentence = wp_diag_sentence (i, trace->diagnostics.n[i]);

      if (sentence != NULL)
        g_string_append_printf (out, "%s.\n", sentence);
    }
}

static void
problems_json (WpJsonWriter *json, const WpTrace *trace)
{
  wp_json_writer_array (json, "problems", WP_JSON_SPACED);
  for (guint i = 0; i < WP_DIAG_COUNT; i++)
    {
      g_autofree char *sentence = wp_diag_sentence (i, trace->diagnostics.n[i]);

      if (sentence != NULL)
        wp_json_writer_string (json, NULL, sentence);
    }
  wp_json_writer_end (json);
}

typedef struct
{
  const WpTrace *trace;
  const WpStackCountArray *counts;
} StackOrder;

static int
compare_stacks (gconstpointer a, gconstpointer b, gpointer data)
{
  const StackOrder *order = data;
  const WpTask *tasks = order->trace->tasks.data;
  const WpStackCountArray *counts = order->counts;
  WpId x = *(const WpId *) a, y = *(const WpId *) b;
  gint32 command = order->trace->command_pid;

  if (command > 0 && (tasks[x].pid == command) != (tasks[y].pid == command))
    return tasks[x].pid == command ? -1 : 1;
  if (counts->data[x].stacks != counts->data[y].stacks)
    return counts->data[x].stacks > counts->data[y].stacks ? -1 : 1;
  return (x > y) - (x < y);
}

/* The processes that have user stacks: what was recorded, then those with the most. */
static void
collect_stacks (const WpTrace *trace, WpStackCountArray *counts, WpIdArray *processes)
{
  StackOrder order = { trace, counts };

  wp_count_process_stacks (trace, counts);
  for (WpId t = 1; t < counts->len; t++)
    if (counts->data[t].stacks > 0)
      wp_array_push (processes, t);
  if (processes->len > 0)
    g_qsort_with_data (processes->data, processes->len, sizeof (WpId), compare_stacks, &order);
}

static void
stacks_json (WpJsonWriter *json, const WpTrace *trace)
{
  WpStackCountArray counts = { 0 };
  WpIdArray processes = { 0 };

  collect_stacks (trace, &counts, &processes);
  wp_json_writer_line (json);
  wp_json_writer_uint (json, "stacks", trace->diagnostics.n[WP_DIAG_STACKS]);
  wp_json_writer_uint (json, "stacks_whole", trace->diagnostics.n[WP_DIAG_STACKS_WHOLE]);
  wp_json_writer_uint (json, "stacks_completed", trace->diagnostics.n[WP_DIAG_STACKS_COMPLETED]);
  wp_json_writer_array (json, "stacks_by_process", WP_JSON_SPACED);
  for (guint32 i = 0; i < processes.len; i++)
    {
      WpId leader = processes.data[i];

      wp_json_writer_line (json);
      wp_json_writer_object (json, NULL, WP_JSON_SPACED);
      wp_json_writer_string (json, "name", wp_trace_task_name (trace, leader));
      wp_json_writer_int (json, "pid", trace->tasks.data[leader].pid);
      wp_json_writer_uint (json, "stacks", counts.data[leader].stacks);
      wp_json_writer_uint (json, "stacks_whole", counts.data[leader].whole);
      wp_json_writer_end (json);
    }
  wp_json_writer_line (json);
  wp_json_writer_end (json);
  wp_array_clear (&counts);
  wp_array_clear (&processes);
}

static void
append_share (GString *out, guint64 whole, guint64 all)
{
  g_string_append_printf (out, "%.0f %% of %" G_GUINT64_FORMAT " stacks", 100.0 * whole / all, all);
}

static gboolean
was_copied (const WpTrace *trace)
{
  return trace->extra != NULL && g_strcmp0 (g_hash_table_lookup (trace->extra, "stacks"), "dwarf") == 0;
}

static void
append_stacks_text (GString *out, const WpTrace *trace)
{
  WpStackCountArray counts = { 0 };
  WpIdArray processes = { 0 };
  gboolean cut = FALSE;

  if (trace->diagnostics.n[WP_DIAG_STACKS] == 0)
    return;
  collect_stacks (trace, &counts, &processes);
  append_share (out, trace->diagnostics.n[WP_DIAG_STACKS_WHOLE], trace->diagnostics.n[WP_DIAG_STACKS]);
  g_string_append (out, " reach main() or where a thread begins");
  if (trace->diagnostics.n[WP_DIAG_STACKS_COMPLETED] > 0)
    g_string_append_printf (out, " (%" G_GUINT64_FORMAT " of them completed by an earlier one)",
                            trace->diagnostics.n[WP_DIAG_STACKS_COMPLETED]);
  g_string_append (out, ":\n");
  for (guint32 i = 0; i < MIN (processes.len, PROCESSES_SHOWN); i++)
    {
      const WpStackCount *count = &counts.data[processes.data[i]];

      g_string_append_printf (out, "  %-16s ", wp_trace_task_name (trace, processes.data[i]));
      append_share (out, count->whole, count->stacks);
      g_string_append_c (out, '\n');
      cut = cut || count->whole < WHOLE_ENOUGH * count->stacks;
    }
  if (processes.len > PROCESSES_SHOWN)
    g_string_append_printf (out, "  and %u processes more\n", processes.len - PROCESSES_SHOWN);
  if (cut && was_copied (trace))
    g_string_append (out, "Larger copies of stacks reach further: record with --stack-bytes 16384 or 32768.\n");
  wp_array_clear (&counts);
  wp_array_clear (&processes);
}

static void
events_json (WpJsonWriter *json, const WpTrace *trace)
{
  wp_json_writer_line (json);
  wp_json_writer_array (json, "events", WP_JSON_SPACED);
  for (guint32 i = 0; i < trace->events.len; i++)
    {
      wp_json_writer_line (json);
      wp_json_writer_object (json, NULL, WP_JSON_SPACED);
      wp_json_writer_string (json, "name", wp_trace_string (trace, trace->events.data[i].name));
      wp_json_writer_uint (json, "count", trace->events.data[i].count);
      wp_json_writer_end (json);
    }
  wp_json_writer_line (json);
  wp_json_writer_end (json);
}

/* What is in a recording without operations of tasks; NULL: it has some. */
static WpStacks *
plain_stacks (const WpTrace *trace)
{
  return trace->ops.len == 1 ? wp_trace_stacks (trace, NULL, NULL) : NULL;
}

static void
append_pauses (GString *out, const WpTrace *trace)
{
  for (guint32 i = 0; i < trace->lost.len; i++)
    {
      const WpLost *lost = &trace->lost.data[i];
      char start[WP_FORMAT_MAX], length[WP_FORMAT_MAX];

      if (lost->paused)
        g_string_append_printf (out, "Paused at %s, for %s.\n", wp_format_ns (lost->start, start),
                                wp_format_ns (lost->end - lost->start, length));
    }
}

static void
pauses_json (WpJsonWriter *json, const WpTrace *trace)
{
  wp_json_writer_array (json, "pauses", WP_JSON_SPACED);
  for (guint32 i = 0; i < trace->lost.len; i++)
    {
      const WpLost *lost = &trace->lost.data[i];

      if (!lost->paused)
        continue;
      wp_json_writer_object (json, NULL, WP_JSON_SPACED);
      wp_json_writer_int (json, "start_ns", lost->start);
      wp_json_writer_int (json, "end_ns", lost->end);
      wp_json_writer_end (json);
    }
  wp_json_writer_end (json);
}

/* "chosen processes"; NULL: CPU samples are of all. */
static const char *
sampled_only (const WpTrace *trace)
{
  return trace->extra != NULL ? g_hash_table_lookup (trace->extra, "sampled") : NULL;
}

static void
append_marks (GString *out, const WpTrace *trace)
{
  if (trace->marks.len > 0)
    g_string_append_printf (out, "Marks of programs: %u (label “mark” of samples; “wakepath-cli marks” lists them)\n", trace->marks.len);
}

static void
append_rates (GString *out, const WpTrace *trace)
{
  char time[WP_FORMAT_MAX];

  for (guint32 i = 0; i < trace->rates.len; i++)
    g_string_append_printf (out, "From %s on: %" G_GINT64_FORMAT " CPU samples a second.\n",
                            wp_format_ns (trace->rates.data[i].time, time), trace->rates.data[i].rate);
}

static void
rates_json (WpJsonWriter *json, const WpTrace *trace)
{
  wp_json_writer_array (json, "rates", WP_JSON_SPACED);
  for (guint32 i = 0; i < trace->rates.len; i++)
    {
      wp_json_writer_object (json, NULL, WP_JSON_SPACED);
      wp_json_writer_int (json, "from_ns", trace->rates.data[i].time);
      wp_json_writer_int (json, "rate", trace->rates.data[i].rate);
      wp_json_writer_end (json);
    }
  wp_json_writer_end (json);
}

static void
info_json (GString *out, const WpDocument *document)
{
  const WpTrace *trace = document->trace;
  g_autoptr (WpJsonWriter) json = wp_json_writer_new_text (out);
  g_autoptr (WpStacks) plain = plain_stacks (trace);

  wp_json_writer_object (json, NULL, WP_JSON_SPACED);
  wp_json_writer_string (json, "format", trace->format != NULL ? trace->format : wp_format_name (document->format));
  wp_json_writer_string_or_null (json, "command", trace->command);
  wp_json_writer_int (json, "from", trace->clock_start);
  wp_json_writer_int (json, "duration_ns", trace->end);
  events_json (json, trace);
  if (plain != NULL)
    wp_cli_info_types_json (json, plain);
  stacks_json (json, trace);
  absent_json (json, trace);
  wp_json_writer_line (json);
  wp_json_writer_uint (json, "lost", trace->diagnostics.n[WP_DIAG_LOST]);
  wp_json_writer_uint (json, "marks", trace->marks.len);
  pauses_json (json, trace);
  rates_json (json, trace);
  wp_json_writer_string (json, "sampled", sampled_only (trace) != NULL ? sampled_only (trace) : "all processes");
  problems_json (json, trace);
  wp_json_writer_end (json);
}

static void
info_text (GString *out, const WpDocument *document)
{
  const WpTrace *trace = document->trace;
  guint32 samples = trace->samples.len - 1 - (guint32) trace->diagnostics.n[WP_DIAG_SAMPLES_HELD_BACK];
  g_autoptr (WpStacks) plain = plain_stacks (trace);
  char buffer[WP_FORMAT_MAX];

  g_string_append_printf (out, "%s: %s\n", document->path, wp_format_name (document->format));
  if (trace->command != NULL)
    wp_cli_append_fact (out, "Command", trace->command);
  if (trace->kernel != NULL)
    wp_cli_append_fact (out, "Kernel", trace->kernel);
  g_string_append_printf (out, "Duration: %s on %u CPUs\n", wp_format_ns (trace->end, buffer), trace->n_cpus);
  if (plain != NULL)
    g_string_append_printf (out, "Tasks: %u, samples: %u\n", trace->tasks.len - 1, samples);
  else
    g_string_append_printf (out, "Tasks: %u, operations: %u, links: %u, samples: %u\n", trace->tasks.len - 1, trace->ops.len - 1,
                            trace->links.len - 1, samples);
  for (guint32 i = 0; i < trace->events.len; i++)
    g_string_append_printf (out, "%12" G_GUINT64_FORMAT "  %s\n", trace->events.data[i].count,
                            wp_trace_string (trace, trace->events.data[i].name));
  if (plain != NULL)
    {
      g_string_append (out, "Nothing in it explains a process; it holds stacks with these values:\n");
      wp_cli_info_types_text (out, plain);
    }
  append_marks (out, trace);
  append_stacks_text (out, trace);
  append_absent_text (out, trace);
  append_pauses (out, trace);
  append_rates (out, trace);
  if (sampled_only (trace) != NULL)
    g_string_append_printf (out, "CPU samples: of %s only.\n", sampled_only (trace));
  append_problems (out, trace);
  if (trace->missing != NULL)
    g_string_append_printf (out, "Not recorded:\n%s\n", trace->missing);
}

/* --- profiles of other collectors ----------------------------------------------------------------------------------------- */

/* A profile's texts under the names of its format; NULL: it does not say. */
typedef struct
{
  const char *key, *name, *text;
} Fact;

#define N_FACTS 7

static void
collect_facts (const WpProfile *profile, Fact facts[N_FACTS])
{
  const Fact all[N_FACTS] = {
    { "type", "Type", wp_profile_header (profile, "type") },
    { "unit", "Unit", wp_profile_unit (profile) },
    { "cmd", "Command", wp_profile_header (profile, "cmd") },
    { "args", "Arguments", wp_profile_header (profile, "args") },
    { "workload", "Workload", wp_profile_header (profile, "workload") },
    { "collector", "Collector", wp_profile_collector_name (profile) },
    { "origin", "Commit", profile->origin != NULL ? profile->origin : "" },
  };

  memcpy (facts, all, sizeof all);
}

static const char *
postprocessor_name (const WpProfile *profile, guint32 i)
{
  return wp_value_string (profile->values, wp_value_get (profile->values, profile->postprocessors.data[i], "name"));
}

static void
profile_text (GString *out, const WpProfile *profile)
{
  g_autoptr (GString) names = g_string_new (NULL);
  Fact facts[N_FACTS];

  g_string_append_printf (out, "%s: %s\n", profile->path, wp_format_name (WP_FORMAT_PERUN));
  collect_facts (profile, facts);
  for (guint i = 0; i < N_FACTS; i++)
    if (*facts[i].text != '\0')
      wp_cli_append_fact (out, facts[i].name, facts[i].text);
  for (guint32 i = 0; i < profile->postprocessors.len; i++)
    g_string_append_printf (names, "%s%s", i == 0 ? "" : ", ", postprocessor_name (profile, i));
  if (names->len > 0)
    wp_cli_append_fact (out, "Postprocessors", names->str);
  g_string_append_printf (out, "Resources: %u, snapshots: %u, models: %u\n", profile->resources.len, profile->snapshots.len,
                          profile->models.len);
  g_string_append (out, "It explains no process; the window and “wakepath-cli view” show it.\n");
}

static void
postprocessors_json (WpJsonWriter *json, const WpProfile *profile)
{
  wp_json_writer_array (json, "postprocessors", WP_JSON_TIGHT);
  for (guint32 i = 0; i < profile->postprocessors.len; i++)
    wp_json_writer_string (json, NULL, postprocessor_name (profile, i));
  wp_json_writer_end (json);
}

static void
empty_json (WpJsonWriter *json, const char *key)
{
  wp_json_writer_array (json, key, WP_JSON_TIGHT);
  wp_json_writer_end (json);
}

/* With the keys that every file has. */
static void
profile_json (GString *out, const WpProfile *profile)
{
  g_autofree char *command = wp_profile_command (profile);
  g_autoptr (WpJsonWriter) json = wp_json_writer_new_text (out);
  Fact facts[N_FACTS];

  wp_json_writer_object (json, NULL, WP_JSON_SPACED);
  wp_json_writer_string (json, "format", "perun");
  wp_json_writer_string (json, "command", command);
  wp_json_writer_string_or_null (json, "from", NULL);
  wp_json_writer_string_or_null (json, "duration_ns", NULL);
  wp_json_writer_line (json);
  collect_facts (profile, facts);
  for (guint i = 0; i < N_FACTS; i++)
    wp_json_writer_string (json, facts[i].key, facts[i].text);
  postprocessors_json (json, profile);
  wp_json_writer_line (json);
  wp_json_writer_uint (json, "resources", profile->resources.len);
  wp_json_writer_uint (json, "snapshots", profile->snapshots.len);
  wp_json_writer_uint (json, "models", profile->models.len);
  wp_json_writer_line (json);
  empty_json (json, "events");
  wp_json_writer_uint (json, "lost", 0);
  empty_json (json, "problems");
  wp_json_writer_end (json);
}

/* Of a file that has one of their formats: what is in the store has none of them. -1: it is none of these. */
static int
stacks_info (GString *out, const char *path, gboolean json)
{
  const WpStacksFormat *format = NULL;
  GError *error = NULL;
  g_autoptr (WpStacks) stacks = wp_stacks_open (path, &format, NULL, &error);

  if (stacks != NULL && json)
    wp_cli_info_stacks_json (out, format->id, stacks);
  else if (stacks != NULL)
    wp_cli_info_stacks_text (out, path, format->id, stacks);
  else if (format != NULL)
    return wp_cli_fail (error);
  g_clear_error (&error);
  return stacks != NULL ? 0 : -1;
}

static int
calls_info (const char *path, gboolean json)
{
  g_autoptr (GString) out = g_string_new (NULL);
  GError *error = NULL;
  g_autoptr (WpCalls) calls = wp_calls_json_open (path, NULL, &error);

  if (calls == NULL)
    return wp_cli_fail (error);
  if (json)
    wp_cli_info_calls_json (out, calls);
  else
    wp_cli_info_calls_text (out, path, calls);
  wp_cli_flush (out);
  return 0;
}

typedef struct
{
  char *idle_task, *format;
} Options;

static int
run (gpointer data, int n G_GNUC_UNUSED, char **operands)
{
  const Options *options = data;
  g_auto (WpCliFile) file = { 0 };
  g_autoptr (GString) out = g_string_new (NULL);
  gboolean json = g_strcmp0 (options->format, "json") == 0;
  int status;

  if (wp_calls_json_is (operands[0]))
    return calls_info (operands[0], json);
  status = stacks_info (out, operands[0], json);
  if (status == 0)
    wp_cli_flush (out);
  if (status >= 0)
    return status;
  status = wp_cli_open (&file, operands[0], options->idle_task, WP_CLI_PROFILES | WP_CLI_PLAIN);
  if (status != 0)
    return status;
  if (file.profile != NULL)
    (json ? profile_json : profile_text) (out, file.profile);
  else
    (json ? info_json : info_text) (out, file.document);
  wp_cli_flush (out);
  return 0;
}

static const WpOption rows[] = {
  WP_OPTION_IDLE_TASK (Options, idle_task),
  WP_OPTION_TEXT_FORMAT (Options, format, "text|json"),
  WP_OPTION_END,
};

const WpCommand wp_cmd_info = {
  .name = "info",
  .group = WP_GROUP_RECORDINGS,
  .operands = "FILE",
  .summary = "What a file is, what it holds, what is wrong with it",
  .options = rows,
  .size = sizeof (Options),
  .least = 1,
  .most = 1,
  .run = run,
};
