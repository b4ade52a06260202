/* log: commits, the newest first, each with its profiles. */
#include "cli/command.h"
#include "cli/history.h"
#include "cli/open.h"
#include "cli/store.h"

#include "base/quote.h"

#include <stdio.h>

typedef struct
{
  char *format;
  gboolean brief;
  int most; /* commits; 0 all */
  char *history, *run, *output; /* what of a history is wanted, see cli/history.h */
} Options;

/* "(4|1|1|2 profiles)": all, memory, mixed, time. */
static void
append_numbers (GString *out, const GPtrArray *entries)
{
  static const char *const types[] = { "memory", "mixed", "time" };

  if (entries == NULL || entries->len == 0)
    {
      g_string_append (out, "(no profiles)");
      return;
    }
  g_string_append_printf (out, "(%u", entries->len);
  for (guint t = 0; t < G_N_ELEMENTS (types); t++)
    {
      guint n = 0;

      for (guint i = 0; i < entries->len; i++)
        n += g_str_equal (((const WpStoreEntry *) entries->pdata[i])->type, types[t]);
      g_string_append_printf (out, "|%u", n);
    }
  g_string_append (out, " profiles)");
}

static void
append_brief (GString *out, const WpMinorVersion *info, const GPtrArray *entries)
{
  g_autoptr (GString) numbers = g_string_new (NULL);

  append_numbers (numbers, entries);
  g_string_append_printf (out, "%.8s %-20s %s\n", info->hash, numbers->str, info->subject);
}

static void
append_long (GString *out, WpCliStore *store, const WpMinorVersion *info, const GPtrArray *entries)
{
  g_autofree char *log = wp_store_log (store->store, info->hash);

  g_string_append_printf (out, "Minor version %s\n", info->hash);
  if (entries != NULL)
    wp_cli_count_profiles (out, entries, "registered");
  if (log != NULL)
    g_string_append_printf (out, "Log: %s\n", log);
  wp_cli_append_commit (out, info, "    ");
  g_string_append_c (out, '\n');
}

static void
append_json (GString *out, const WpMinorVersion *info, const GPtrArray *entries)
{
  g_string_append_printf (out, "{ \"commit\": \"%s\", \"time\": %" G_GINT64_FORMAT ", \"author\": ", info->hash, info->time);
  wp_quote_json (out, info->author);
  g_string_append (out, ", \"email\": ");
  wp_quote_json (out, info->email);
  g_string_append (out, ", \"subject\": ");
  wp_quote_json (out, info->subject);
  g_string_append (out, ", \"parents\": [");
  for (guint i = 0; i < info->n_parents; i++)
    g_string_append_printf (out, "%s\"%s\"", i > 0 ? ", " : "", info->parents[i]);
  g_string_append (out, "], \"registered\": ");
  wp_cli_append_entries_json (out, entries, " ");
  g_string_append (out, " }\n");
}

/* One commit. An index that cannot be read is said to be so; the others are shown. */
static int
append_minor (GString *out, WpCliStore *store, const WpMinorVersion *info, const Options *options)
{
  GError *error = NULL;
  g_autoptr (GPtrArray) entries = wp_store_registered (store->store, info->hash, &error);

  if (g_strcmp0 (options->format, "json") == 0)
    append_json (out, info, entries);
  else if (options->brief)
    append_brief (out, info, entries);
  else
    append_long (out, store, info, entries);
  return entries != NULL ? 0 : wp_cli_fail (error);
}

static int
walk (WpCliStore *store, const Options *options)
{
  GError *error = NULL;
  g_autoptr (WpVcsWalk) commits = wp_vcs_walk_new (wp_store_vcs (store->store), store->minor, &error);
  g_autoptr (GString) out = g_string_new (NULL);
  WpMinorVersion info;
  int status = 0;

  if (commits == NULL)
    return wp_cli_fail (error);
  for (int i = 0; (options->most == 0 || i < options->most) && wp_vcs_walk_next (commits, &info, &error); i++)
    {
      status |= append_minor (out, store, &info, options);
      wp_minor_version_clear (&info);
      wp_cli_flush (out);
      if (ferror (stdout))
        break;
    }
  return error != NULL ? wp_cli_fail (error) : status;
}

static int
check_options (const Options *options, int argc)
{
  if (argc > 2 || options->most < 0)
    return wp_cli_usage ("log", argc > 2 ? "one commit, please" : "-n: a negative number");
  if (options->history == NULL && (options->run != NULL || options->output != NULL))
    return wp_cli_usage ("log", "--run and -o go with --history FIGURE");
  if (options->history == NULL && options->format != NULL && !g_str_equal (options->format, "text")
      && !g_str_equal (options->format, "json"))
    return wp_cli_usage ("log", "there is no format “%s”", options->format);
  return 0;
}

static int
show (WpCliStore *store, const Options *options)
{
  if (options->history == NULL)
    return walk (store, options);
  return wp_cli_history (store, &(WpCliHistory) { options->history, options->run, options->format, options->output });
}

int
wp_cmd_log (int argc, char **argv)
{
  Options options = { 0 };
  const GOptionEntry entries[] = {
    { "short", 's', 0, G_OPTION_ARG_NONE, &options.brief, "A line for each commit", NULL },
    { "number", 'n', 0, G_OPTION_ARG_INT, &options.most, "At most so many commits", "N" },
    { "format", 'f', 0, G_OPTION_ARG_STRING, &options.format, "text or json", "FORMAT" },
    { "history", 0, 0, G_OPTION_ARG_STRING, &options.history, "One figure of the profiles, commit by commit", "FIGURE" },
    { "run", 0, 0, G_OPTION_ARG_STRING, &options.run, "With --history: only what was run under this name", "COMMAND" },
    { "output", 'o', 0, G_OPTION_ARG_FILENAME, &options.output, "With --history: a file; .svg, .png, .pdf, .csv, .tsv", "FILE" },
    { NULL },
  };
  g_auto (WpCliStore) store = { 0 };
  int status;

  if (!wp_cli_parse (&argc, &argv, entries))
    status = 2;
  else if ((status = check_options (&options, argc)) != 0)
    ;
  else if (wp_cli_store_open (&store, argc == 2 ? argv[1] : NULL, TRUE) != 0)
    status = 1;
  else
    {
      status = show (&store, &options);
      wp_cli_store_notice (&store);
    }
  g_free (options.format);
  g_free (options.history);
  g_free (options.run);
  g_free (options.output);
  return status;
}
