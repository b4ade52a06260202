/* log: commits, the newest first, each with its profiles. */
#include "cli/columns.h"
#include "cli/command.h"
#include "cli/history.h"
#include "cli/output.h"
#include "cli/store.h"
#include "store/names.h"

#include <stdio.h>
#include <string.h>

typedef struct
{
  char *format;
  gboolean brief;
  int most; /* commits */
  char *history, *command, *output; /* what of a history is wanted, see cli/history.h */
} Options;

typedef struct
{
  WpCliStore *store;
  const Options *options;
  WpStoreNames *names;   /* which commits may have profiles or changes; NULL for the first ones */
  WpCliColumns *columns; /* of the short log, with the texts of commits that wait to be printed; else NULL */
  GPtrArray *rows;
} Session;

/* Columns of the short log, as format.shortlog names them; "id" is what older documentation calls the checksum. */
enum { CHECKSUM, ID, STATS, DESC, CHANGES, DATE, AUTHOR, EMAIL, PARENTS, N_COLUMNS };
static const char *const column_names[N_COLUMNS + 1] = {
  [CHECKSUM] = "checksum", [ID] = "id",         [STATS] = "stats", [DESC] = "desc",       [CHANGES] = "changes",
  [DATE] = "date",         [AUTHOR] = "author", [EMAIL] = "email", [PARENTS] = "parents",
};
#define DEFAULT_FORMAT "%checksum:8% (%stats%) %desc% %changes%"
#define ASKED_EACH 500 /* so many commits are looked up in the store, then all names there are listed */
#define BLOCK 200 /* commits whose columns are aligned and printed at once: the first of many come at once */

/* "4|1|1|2 profiles": all, memory, mixed, time. */
static char *
numbers_of (const GPtrArray *entries)
{
  const char *type;
  guint n;
  g_autoptr (GString) out = g_string_new (NULL);

  if (entries == NULL || entries->len == 0)
    return g_strdup ("--no--profiles--");
  g_string_append_printf (out, "%u", entries->len);
  for (guint t = 0; (type = wp_cli_count_type (entries, t, &n)) != NULL; t++)
    g_string_append_printf (out, "|%u", n);
  g_string_append (out, " profiles");
  return g_strdup (out->str);
}

/* "++-": a sign for each optimization and degradation that checks have found, at most so many as one can see. */
static char *
signs_of (WpStore *store, const char *minor)
{
  g_autoptr (GPtrArray) changes = wp_store_changes (store, minor, NULL, NULL);
  guint better = 0, worse = 0;
  char *signs;

  if (changes != NULL)
    wp_store_count_changes (changes, &better, &worse);
  better = MIN (better, 99);
  worse = MIN (worse, 99);
  signs = g_strnfill ((gsize) better + worse, '-');
  memset (signs, '+', better);
  return signs;
}

static char *
parents_of (const WpMinorVersion *info)
{
  g_autoptr (GString) out = g_string_new (NULL);

  for (guint i = 0; i < info->n_parents; i++)
    g_string_append_printf (out, "%s%s", i > 0 ? " " : "", info->parents[i]);
  return g_strdup (out->str);
}

static gboolean
may_have (const Session *self, const WpMinorVersion *info)
{
  return self->names == NULL || wp_store_names_may_have (self->names, info->hash);
}

static char *
text_of (const Session *self, const WpMinorVersion *info, const GPtrArray *entries, guint column)
{
  switch (column)
    {
    case STATS: return numbers_of (entries);
    case DESC: return g_strdup (info->subject);
    case CHANGES: return may_have (self, info) ? signs_of (self->store->store, info->hash) : g_strdup ("");
    case DATE: return wp_cli_date (info->time);
    case AUTHOR: return g_strdup (info->author);
    case EMAIL: return g_strdup (info->email);
    case PARENTS: return parents_of (info);
    default: return g_strdup (info->hash);
    }
}

static void
free_texts (gpointer data)
{
  char **texts = data;

  for (guint column = 0; column < N_COLUMNS; column++)
    g_free (texts[column]);
  g_free (texts);
}

/* The texts of one commit: of the columns that the format has. Free with free_texts(). */
static char **
texts_of (const Session *self, const WpMinorVersion *info, const GPtrArray *entries)
{
  char **texts = g_new0 (char *, N_COLUMNS);

  for (guint column = 0; column < N_COLUMNS; column++)
    if (wp_cli_columns_has (self->columns, column))
      texts[column] = text_of (self, info, entries, column);
  return texts;
}

/* Prints the commits that wait in the session. */
static void
flush_brief (Session *self, GString *out)
{
  for (guint i = 0; i < self->rows->len; i++)
    wp_cli_columns_measure (self->columns, self->rows->pdata[i]);
  for (guint i = 0; i < self->rows->len; i++)
    wp_cli_columns_append (self->columns, out, self->rows->pdata[i]);
  g_ptr_array_set_size (self->rows, 0);
}

static void
append_brief (Session *self, GString *out, const WpMinorVersion *info, const GPtrArray *entries)
{
  g_ptr_array_add (self->rows, texts_of (self, info, entries));
  if (self->rows->len >= BLOCK)
    flush_brief (self, out);
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
  g_autoptr (WpJsonWriter) json = wp_json_writer_new_text (out);

  wp_json_writer_object (json, NULL, WP_JSON_SPACED);
  wp_json_writer_string (json, "commit", info->hash);
  wp_json_writer_int (json, "time", info->time);
  wp_json_writer_string (json, "author", info->author);
  wp_json_writer_string (json, "email", info->email);
  wp_json_writer_string (json, "subject", info->subject);
  wp_json_writer_array (json, "parents", WP_JSON_TIGHT);
  for (guint i = 0; i < info->n_parents; i++)
    wp_json_writer_string (json, NULL, info->parents[i]);
  wp_json_writer_end (json);
  wp_cli_write_entries (json, "registered", entries, FALSE);
  wp_json_writer_end (json);
}

static gboolean
is_json (const Options *options)
{
  return g_strcmp0 (options->format, "json") == 0;
}

static gboolean
has_messages (const Options *options)
{
  return !is_json (options) && !options->brief;
}

/* One commit. An index that cannot be read is said to be so; the others are shown. */
static int
append_minor (Session *self, GString *out, const WpMinorVersion *info)
{
  GError *error = NULL;
  g_autoptr (GPtrArray) entries = may_have (self, info) ? wp_store_registered (self->store->store, info->hash, &error) : g_ptr_array_new ();

  if (is_json (self->options))
    append_json (out, info, entries);
  else if (self->options->brief)
    append_brief (self, out, info, entries);
  else
    append_long (out, self->store, info, entries);
  return entries != NULL ? 0 : wp_cli_fail (error);
}

static int
walk_commits (Session *self)
{
  GError *error = NULL;
  g_autoptr (WpVcsWalk) commits = wp_vcs_walk_new (wp_store_vcs (self->store->store), self->store->minor,
                                                   has_messages (self->options) ? WP_VCS_WALK_WHOLE : WP_VCS_WALK_BRIEF, &error);
  g_autoptr (GString) out = g_string_new (NULL);
  int most = self->options->most, status = 0;
  WpMinorVersion info;

  if (commits == NULL)
    return wp_cli_fail (error);
  for (int i = 0; i < most && !ferror (stdout) && wp_vcs_walk_next (commits, &info, &error); i++)
    {
      if (i == ASKED_EACH)
        {
          self->names = wp_store_names_new (self->store->store);
          wp_store_use_kept (self->store->store);
        }
      status |= append_minor (self, out, &info);
      wp_minor_version_clear (&info);
      if (out->len > 0)
        wp_cli_flush (out);
    }
  if (self->options->brief)
    flush_brief (self, out);
  wp_cli_flush (out);
  return error != NULL ? wp_cli_fail (error) : status;
}

static int
walk (WpCliStore *store, const Options *options)
{
  const char *format = wp_store_setting (store->store, "format.shortlog");
  g_autoptr (WpCliColumns) columns = wp_cli_columns_new (format != NULL ? format : DEFAULT_FORMAT, column_names);
  g_autoptr (GPtrArray) rows = g_ptr_array_new_with_free_func (free_texts);

  Session session = { .store = store, .options = options, .columns = columns, .rows = rows };
  int status = walk_commits (&session);

  wp_store_names_free (session.names);
  return status;
}

static int
check_options (const Options *options)
{
  if (options->most < 0)
    return wp_cli_usage ("-n: a negative number");
  if (options->history != NULL)
    return 0;
  if (options->command != NULL || options->output != NULL)
    return wp_cli_usage ("--command and -o go with --history FIGURE");
  if (options->format != NULL && !g_str_equal (options->format, "text") && !g_str_equal (options->format, "json"))
    return wp_cli_usage ("--format: “%s” goes with --history FIGURE; commits are text or json", options->format);
  return 0;
}

static int
show (WpCliStore *store, const Options *options)
{
  if (options->history == NULL)
    return walk (store, options);
  return wp_cli_history (store, &(WpCliHistory) { options->history, options->command, options->format, options->output });
}

static int
run (gpointer data, int n G_GNUC_UNUSED, char **operands)
{
  const Options *options = data;
  g_auto (WpCliStore) store = { 0 };
  int status = check_options (options);

  if (status != 0)
    return status;
  if (wp_cli_store_open (&store, operands[0], TRUE) != 0)
    return 1;
  status = show (&store, options);
  wp_cli_store_notice (&store);
  return status;
}

static const WpOption rows[] = {
  { "short", 's', G_OPTION_ARG_NONE, offsetof (Options, brief), NULL, "A line for each commit" },
  { "number", 'n', G_OPTION_ARG_INT, offsetof (Options, most), "N", "At most so many commits; else all of them" },
  { "history", 0, G_OPTION_ARG_STRING, offsetof (Options, history), "FIGURE",
    "One figure of the profiles over the commits: total, wall, accounted, the id of a category, self:_FUNCTION_, total:_FUNCTION_, "
    "sum:_FIELD_, mean:_FIELD_, max:_FIELD_" },
  WP_OPTION_COMMAND (Options, command, "With *--history*: profiles of the commands with this in them, or of the one that is just this"),
  { "run", 0, G_OPTION_ARG_STRING, offsetof (Options, command), "TEXT", NULL },
  { "output", 'o', G_OPTION_ARG_FILENAME, offsetof (Options, output), "FILE", "With *--history*: write to this file; without -f its name tells the format" },
  { "format", 'f', G_OPTION_ARG_STRING, offsetof (Options, format), "text|json|csv|tsv|svg|png|pdf",
    "The output's format; of commits text or json, an object a line" },
  WP_OPTION_END,
};

const WpCommand wp_cmd_log = {
  .name = "log",
  .group = WP_GROUP_STORE,
  .operands = "[COMMIT]",
  .summary = "Commits with their profiles, the newest first",
  .description = "What was read of many commits or profiles is kept in _~/.cache/wakepath/kept_, so that they need not be read again. The files there "
                 "may be removed at any time.",
  .options = rows,
  .defaults = &(const Options) { .most = G_MAXINT },
  .size = sizeof (Options),
  .most = 1,
  .run = run,
};
