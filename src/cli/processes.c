/* processes: what runs on this machine, to choose from. */
#include "base/json-writer.h"
#include "base/quote.h"
#include "base/sort.h"
#include "cli/command.h"
#include "cli/output.h"
#include "record/processes.h"

#include <string.h>

#define MEASURE_US (G_USEC_PER_SEC / 5)
#define COMMAND_SHOWN 120 /* characters, as text */

typedef struct
{
  char *format;
} Options;

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
append_text (GString *out, const WpProcess *row)
{
  glong length = g_utf8_strlen (row->command, -1);
  g_autofree char *command = g_utf8_substring (row->command, 0, MIN (length, COMMAND_SHOWN));

  g_string_append_printf (out, "%8d %6.1f %c %7u  %-12s %-24s %s%s\n", row->pid, row->share * 100, row->state, row->threads, row->user,
                          *row->unit != '\0' ? row->unit : "-", command, length > COMMAND_SHOWN ? "…" : "");
}

static void
append_tsv (GString *out, const WpProcess *row)
{
  const char *const texts[] = { row->user, row->unit, row->name, row->command };

  g_string_append_printf (out, "%d\t%.4f\t%" G_GINT64_FORMAT "\t%c\t%u", row->pid, row->share, row->cpu_ns, row->state, row->threads);
  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    {
      g_string_append_c (out, '\t');
      wp_quote_tsv (out, texts[i]);
    }
  g_string_append_c (out, '\n');
}

static void
write_row (WpJsonWriter *json, const WpProcess *row)
{
  char state[2] = { row->state };

  wp_json_writer_line (json);
  wp_json_writer_object (json, NULL, WP_JSON_SPACED);
  wp_json_writer_int (json, "pid", row->pid);
  wp_json_writer_real (json, "cpu_share", row->share);
  wp_json_writer_int (json, "cpu_ns", row->cpu_ns);
  wp_json_writer_string (json, "state", state);
  wp_json_writer_uint (json, "threads", row->threads);
  wp_json_writer_string (json, "user", row->user);
  wp_json_writer_string (json, "unit", row->unit);
  wp_json_writer_string (json, "name", row->name);
  wp_json_writer_string (json, "command", row->command);
  wp_json_writer_end (json);
}

static void
write_json (GString *out, const GPtrArray *chosen)
{
  g_autoptr (WpJsonWriter) json = wp_json_writer_new_text (out);

  wp_json_writer_object (json, NULL, WP_JSON_SPACED);
  wp_json_writer_array (json, "processes", WP_JSON_SPACED);
  for (guint i = 0; i < chosen->len; i++)
    write_row (json, chosen->pdata[i]);
  wp_json_writer_line (json);
  wp_json_writer_end (json);
  wp_json_writer_end (json);
}

static int
run (gpointer data, int n, char **operands)
{
  Options *options = data;
  g_autofree char *words = g_strjoinv (" ", operands);
  g_autoptr (WpProcesses) before = wp_processes_read (NULL), processes = NULL;
  g_autoptr (GPtrArray) chosen = NULL;
  g_autoptr (GString) out = g_string_new (NULL);
  gboolean text;

  g_usleep (MEASURE_US);
  processes = wp_processes_read (before);
  chosen = choose (processes, words);
  wp_cli_default (&options->format, "text");
  text = g_str_equal (options->format, "text");
  if (g_str_equal (options->format, "json"))
    write_json (out, chosen);
  else
    {
      g_string_append (out, text ? "     PID  CPU % S THREADS  USER         UNIT                     COMMAND\n"
                                 : "pid\tcpu_share\tcpu_ns\tstate\tthreads\tuser\tunit\tname\tcommand\n");
      for (guint i = 0; i < chosen->len; i++)
        (text ? append_text : append_tsv) (out, chosen->pdata[i]);
    }
  wp_cli_flush (out);
  return 0;
}

static const WpOption rows[] = {
  WP_OPTION_TEXT_FORMAT (Options, format, "text|tsv|json"),
  WP_OPTION_END,
};

const WpCommand wp_cmd_processes = {
  .name = "processes",
  .group = WP_GROUP_RECORDINGS,
  .operands = "[WORD…]",
  .summary = "The processes that run now, the busiest first",
  .description = "What *record --attach* takes, to choose from. With words, those that have each of them in their name, command, user or unit, or as their number.",
  .options = rows,
  .size = sizeof (Options),
  .least = 0,
  .most = WP_ANY_NUMBER,
  .run = run,
};
