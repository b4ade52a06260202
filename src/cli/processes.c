/* processes: what runs on this machine, to choose from: processes, or the threads of some. */
#include "base/json-writer.h"
#include "base/quote.h"
#include "base/sort.h"
#include "cli/command.h"
#include "cli/output.h"
#include "record/processes.h"
#include "record/threads.h"

#include <string.h>

#define MEASURE_US (G_USEC_PER_SEC / 5)
#define COMMAND_SHOWN 120 /* characters, as text */

typedef struct
{
  gboolean threads;
  char *format;
} Options;

/* How a list is written: as lines below a head, of text or of columns; or as JSON. */
typedef struct
{
  const char *head, *tsv_head;
  const char *list; /* in JSON */
  void (*text) (GString *out, gconstpointer row);
  void (*tsv) (GString *out, gconstpointer row);
  void (*json) (WpJsonWriter *json, gconstpointer row);
} Form;

/* --- processes ---------------------------------------------------------------------------------------------------- */

/* The busiest first. */
static int
compare (const void *a, const void *b)
{
  const WpProcess *x = *(const WpProcess *const *) a, *y = *(const WpProcess *const *) b;

  return x->share != y->share ? WP_COMPARE (y->share, x->share) : WP_COMPARE (x->pid, y->pid);
}

static GPtrArray *
choose (const WpProcesses *processes, const char *words)
{
  GPtrArray *chosen = g_ptr_array_new ();

  for (guint32 i = 0; i < processes->rows.len; i++)
    if (wp_process_matches (&processes->rows.data[i], words))
      g_ptr_array_add (chosen, &processes->rows.data[i]);
  g_ptr_array_sort (chosen, compare);
  return chosen;
}

static void
append_text (GString *out, gconstpointer of)
{
  const WpProcess *row = of;
  glong length = g_utf8_strlen (row->command, -1);
  g_autofree char *command = g_utf8_substring (row->command, 0, MIN (length, COMMAND_SHOWN));

  g_string_append_printf (out, "%8d %6.1f %c %7u  %-12s %-24s %s%s\n", row->pid, row->share * 100, row->stat.state, row->stat.threads, row->user,
                          *row->unit != '\0' ? row->unit : "-", command, length > COMMAND_SHOWN ? "…" : "");
}

static void
append_tsv (GString *out, gconstpointer of)
{
  const WpProcess *row = of;
  const char *const texts[] = { row->user, row->unit, row->stat.name, row->command };

  g_string_append_printf (out, "%d\t%.4f\t%" G_GINT64_FORMAT "\t%c\t%u", row->pid, row->share, row->stat.cpu_ns, row->stat.state, row->stat.threads);
  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    {
      g_string_append_c (out, '\t');
      wp_quote_tsv (out, texts[i]);
    }
  g_string_append_c (out, '\n');
}

static void
write_row (WpJsonWriter *json, gconstpointer of)
{
  const WpProcess *row = of;
  char state[2] = { row->stat.state };

  wp_json_writer_int (json, "pid", row->pid);
  wp_json_writer_real (json, "cpu_share", row->share);
  wp_json_writer_int (json, "cpu_ns", row->stat.cpu_ns);
  wp_json_writer_string (json, "state", state);
  wp_json_writer_uint (json, "threads", row->stat.threads);
  wp_json_writer_string (json, "user", row->user);
  wp_json_writer_string (json, "unit", row->unit);
  wp_json_writer_string (json, "name", row->stat.name);
  wp_json_writer_string (json, "command", row->command);
}

static const Form of_processes = {
  .head = "     PID  CPU % S THREADS  USER         UNIT                     COMMAND\n",
  .tsv_head = "pid\tcpu_share\tcpu_ns\tstate\tthreads\tuser\tunit\tname\tcommand\n",
  .list = "processes",
  .text = append_text,
  .tsv = append_tsv,
  .json = write_row,
};

/* --- threads ------------------------------------------------------------------------------------------------------ */

static void
append_thread_text (GString *out, gconstpointer of)
{
  const WpThreadRow *row = of;

  g_string_append_printf (out, "%8d %8d %6.1f %c  %s\n", row->pid, row->tid, row->share * 100, row->stat.state, row->stat.name);
}

static void
append_thread_tsv (GString *out, gconstpointer of)
{
  const WpThreadRow *row = of;

  g_string_append_printf (out, "%d\t%d\t%.4f\t%" G_GINT64_FORMAT "\t%c\t", row->pid, row->tid, row->share, row->stat.cpu_ns, row->stat.state);
  wp_quote_tsv (out, row->stat.name);
  g_string_append_c (out, '\n');
}

static void
write_thread (WpJsonWriter *json, gconstpointer of)
{
  const WpThreadRow *row = of;
  char state[2] = { row->stat.state };

  wp_json_writer_int (json, "pid", row->pid);
  wp_json_writer_int (json, "tid", row->tid);
  wp_json_writer_real (json, "cpu_share", row->share);
  wp_json_writer_int (json, "cpu_ns", row->stat.cpu_ns);
  wp_json_writer_string (json, "state", state);
  wp_json_writer_string (json, "name", row->stat.name);
}

static const Form of_threads = {
  .head = "     PID      TID  CPU % S  NAME\n",
  .tsv_head = "pid\ttid\tcpu_share\tcpu_ns\tstate\tname\n",
  .list = "threads",
  .text = append_thread_text,
  .tsv = append_thread_tsv,
  .json = write_thread,
};

/* --- both --------------------------------------------------------------------------------------------------------- */

static void
write_json (GString *out, const Form *form, const GPtrArray *rows)
{
  g_autoptr (WpJsonWriter) json = wp_json_writer_new_text (out);

  wp_json_writer_object (json, NULL, WP_JSON_SPACED);
  wp_json_writer_array (json, form->list, WP_JSON_SPACED);
  for (guint i = 0; i < rows->len; i++)
    {
      wp_json_writer_line (json);
      wp_json_writer_object (json, NULL, WP_JSON_SPACED);
      form->json (json, rows->pdata[i]);
      wp_json_writer_end (json);
    }
  wp_json_writer_line (json);
  wp_json_writer_end (json);
  wp_json_writer_end (json);
}

static void
write_rows (const Form *form, const char *format, const GPtrArray *rows)
{
  g_autoptr (GString) out = g_string_new (NULL);
  gboolean text = g_str_equal (format, "text");

  if (g_str_equal (format, "json"))
    write_json (out, form, rows);
  else
    {
      g_string_append (out, text ? form->head : form->tsv_head);
      for (guint i = 0; i < rows->len; i++)
        (text ? form->text : form->tsv) (out, rows->pdata[i]);
    }
  wp_cli_flush (out);
}

static void
write_threads (const char *format, const GPtrArray *processes)
{
  g_autofree gint32 *pids = g_new0 (gint32, processes->len + 1);
  g_autoptr (WpThreadRows) threads = NULL;
  g_autoptr (GPtrArray) rows = g_ptr_array_new ();

  for (guint i = 0; i < processes->len; i++)
    pids[i] = ((const WpProcess *) processes->pdata[i])->pid;
  threads = wp_threads_measure (pids);
  for (guint32 i = 0; i < threads->rows.len; i++)
    g_ptr_array_add (rows, &threads->rows.data[i]);
  write_rows (&of_threads, format, rows);
}

static int
run (gpointer data, int n, char **operands)
{
  Options *options = data;
  g_autofree char *words = g_strjoinv (" ", operands);
  g_autoptr (WpProcesses) before = wp_processes_read (NULL), processes = NULL;
  g_autoptr (GPtrArray) chosen = NULL;

  wp_cli_default (&options->format, "text");
  if (options->threads)
    {
      chosen = choose (before, words);
      write_threads (options->format, chosen);
      return 0;
    }
  g_usleep (MEASURE_US);
  processes = wp_processes_read (before);
  chosen = choose (processes, words);
  write_rows (&of_processes, options->format, chosen);
  return 0;
}

static const WpOption rows[] = {
  { "threads", 0, G_OPTION_ARG_NONE, offsetof (Options, threads), NULL, "Their threads, for *record --tid*" },
  WP_OPTION_TEXT_FORMAT (Options, format, "text|tsv|json"),
  WP_OPTION_END,
};

const WpCommand wp_cmd_processes = {
  .name = "processes",
  .group = WP_GROUP_RECORDINGS,
  .operands = "[WORD…]",
  .summary = "The processes that run now, the busiest first",
  .description = "What *record --attach* takes, to choose from, or the threads that *record --tid* takes. With words, those that have each of them in their name, command, user or unit, or as their number.",
  .options = rows,
  .size = sizeof (Options),
  .least = 0,
  .most = WP_ANY_NUMBER,
  .run = run,
};
