/* status: the profiles of a commit, and pending ones. */
#include "cli/columns.h"
#include "cli/command.h"
#include "cli/output.h"
#include "cli/store.h"

/* Columns of the lists, as format.status names them. */
enum { TYPE, COLLECTOR, TIME, SOURCE, CMD, ARGS, WORKLOAD, LABEL, CHECKSUM, POSTPROCESSORS, N_COLUMNS };
static const char *const column_names[N_COLUMNS + 1] = {
  [TYPE] = "type", [COLLECTOR] = "collector", [TIME] = "time",   [SOURCE] = "source",     [CMD] = "cmd",
  [ARGS] = "args", [WORKLOAD] = "workload",   [LABEL] = "label", [CHECKSUM] = "checksum", [POSTPROCESSORS] = "postprocessors",
};
#define DEFAULT_FORMAT "%type% %collector% (%time%) %source%"

/* The texts of one profile. Free with g_strfreev(). */
static char **
texts_of (const WpStoreEntry *entry)
{
  char **texts = g_new0 (char *, N_COLUMNS + 1);

  texts[TYPE] = g_strdup (entry->type);
  texts[COLLECTOR] = g_strdup (entry->collector);
  texts[TIME] = wp_cli_date (entry->time);
  texts[SOURCE] = g_strdup (entry->path);
  texts[CMD] = g_strdup (entry->cmd);
  texts[ARGS] = g_strdup (entry->args);
  texts[WORKLOAD] = g_strdup (entry->workload);
  texts[LABEL] = g_strdup (entry->label);
  texts[CHECKSUM] = g_strdup (entry->sha1);
  texts[POSTPROCESSORS] = g_strjoinv (",", entry->postprocessors);
  return texts;
}

static void
append_list (GString *out, const char *format, const GPtrArray *entries, char kind)
{
  g_autoptr (WpCliColumns) columns = wp_cli_columns_new (format, column_names);
  g_autoptr (GPtrArray) rows = g_ptr_array_new_with_free_func ((GDestroyNotify) g_strfreev);

  for (guint i = 0; i < entries->len; i++)
    {
      g_ptr_array_add (rows, texts_of (entries->pdata[i]));
      wp_cli_columns_measure (columns, rows->pdata[i]);
    }
  for (guint i = 0; i < entries->len; i++)
    {
      const WpStoreEntry *entry = entries->pdata[i];

      g_string_append_printf (out, "%4u@%c  ", i, kind);
      wp_cli_columns_append (columns, out, rows->pdata[i]);
      if (entry->problem != NULL)
        wp_cli_append_line (out, "        ", entry->problem);
    }
}

/* --- parts of the page --------------------------------------------------------------------------------------------------- */

typedef struct
{
  WpCliStore store;
  WpMinorVersion info;
  char *branch;
  GPtrArray *registered, *pending, *changes;
  guint unreadable;
} Status;

static void
status_clear (Status *self)
{
  wp_minor_version_clear (&self->info);
  g_free (self->branch);
  g_clear_pointer (&self->registered, g_ptr_array_unref);
  g_clear_pointer (&self->pending, g_ptr_array_unref);
  g_clear_pointer (&self->changes, g_ptr_array_unref);
  wp_cli_store_clear (&self->store);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Status, status_clear)

/* An index that is damaged is said to be so, and the rest is shown all the same. 0, or the exit status. */
static int
load_status (Status *self, const char *key)
{
  WpStore *store = self->store.store;
  WpVcs *vcs = wp_store_vcs (store);
  GError *error = NULL;
  int status = 0;

  if (*self->store.minor != '\0')
    {
      if (!wp_vcs_info (vcs, self->store.minor, &self->info, &error))
        status = wp_cli_fail (g_steal_pointer (&error));
      self->registered = wp_store_registered_by (store, self->store.minor, key, &error);
      if (self->registered == NULL)
        status = wp_cli_fail (g_steal_pointer (&error));
      self->changes = wp_store_changes (store, self->store.minor, &self->unreadable, &error);
      if (self->changes == NULL && error != NULL)
        status = wp_cli_fail (g_steal_pointer (&error));
    }
  if (vcs != NULL)
    self->branch = wp_vcs_head_branch (vcs, &error);
  if (error != NULL)
    status = wp_cli_fail (g_steal_pointer (&error));
  self->pending = wp_store_pending_by (store, key, &error);
  return self->pending != NULL ? status : wp_cli_fail (error);
}

void
wp_cli_append_commit (GString *out, const WpMinorVersion *info, const char *indent)
{
  g_autofree char *date = wp_cli_date (info->time);
  g_auto (GStrv) lines = g_strsplit (info->message, "\n", -1);

  g_string_append_printf (out, "Author: %s <%s> %s\n", info->author, info->email, date);
  for (guint i = 0; i < info->n_parents; i++)
    g_string_append_printf (out, "Parent: %s\n", info->parents[i]);
  g_string_append_c (out, '\n');
  for (char **line = lines; *line != NULL; line++)
    if (**line != '\0' || line[1] != NULL)
      g_string_append_printf (out, "%s%s\n", **line != '\0' ? indent : "", *line);
}

static void
append_changes (GString *out, const Status *self, gboolean brief)
{
  guint better = 0, worse = 0, n = self->changes != NULL ? self->changes->len : 0;

  if (n > 0)
    wp_store_count_changes (self->changes, &better, &worse);
  g_string_append_printf (out, "%u change%s: %u optimization%s, %u degradation%s\n", n, n == 1 ? "" : "s", better, better == 1 ? "" : "s",
                          worse, worse == 1 ? "" : "s");
  for (guint i = 0; i < n && !brief; i++)
    {
      const WpStoreChange *change = self->changes->pdata[i];

      g_string_append_printf (out, "  %s: %s of %s from %s to %s (%s), compared with %.8s\n", change->location, change->result,
                              change->type, change->from, change->to, change->command, change->source);
    }
  if (self->unreadable > 0)
    g_string_append_printf (out, "  %u line%s of the file of changes make%s no sense\n", self->unreadable, self->unreadable == 1 ? "" : "s",
                            self->unreadable == 1 ? "s" : "");
}

static void
append_text (GString *out, const Status *self, gboolean brief)
{
  const char *format = wp_store_setting (self->store.store, "format.status");

  if (*self->store.minor == '\0')
    g_string_append (out, "There is no commit yet\n");
  else
    g_string_append_printf (out, "On major version %s (minor version: %s)\n", self->branch != NULL ? self->branch : "?",
                            self->store.minor);
  if (!brief && self->info.message != NULL)
    {
      g_string_append_c (out, '\n');
      wp_cli_append_commit (out, &self->info, "");
    }
  for (guint i = 0; i < 2; i++)
    {
      const GPtrArray *entries = i == 0 ? self->registered : self->pending;

      if (entries == NULL)
        continue;
      g_string_append (out, brief ? "" : "\n");
      wp_cli_count_profiles (out, entries, i == 0 ? "registered" : "pending");
      if (!brief)
        append_list (out, format != NULL ? format : DEFAULT_FORMAT, entries, i == 0 ? 'i' : 'p');
    }
  if (self->changes != NULL)
    {
      g_string_append (out, brief ? "" : "\n");
      append_changes (out, self, brief);
    }
}

/* --- JSON --------------------------------------------------------------------------------------------------------------- */

typedef struct
{
  const char *key, *text;
} Field;

static void
write_fields (WpJsonWriter *json, const Field *fields, guint n)
{
  for (guint i = 0; i < n; i++)
    wp_json_writer_string (json, fields[i].key, fields[i].text);
}

static void
write_entry (WpJsonWriter *json, const WpStoreEntry *entry)
{
  const Field fields[]
    = { { "name", entry->path }, { "sha1", entry->sha1 }, { "type", entry->type }, { "cmd", entry->cmd }, { "args", entry->args },
        { "workload", entry->workload }, { "label", entry->label }, { "collector", entry->collector }, { "origin", entry->origin } };

  wp_json_writer_object (json, NULL, WP_JSON_SPACED);
  wp_json_writer_int (json, "time", entry->time);
  write_fields (json, fields, G_N_ELEMENTS (fields));
  wp_json_writer_array (json, "postprocessors", WP_JSON_TIGHT);
  for (guint i = 0; entry->postprocessors[i] != NULL; i++)
    wp_json_writer_string (json, NULL, entry->postprocessors[i]);
  wp_json_writer_end (json);
  wp_json_writer_string_or_null (json, "problem", entry->problem);
  wp_json_writer_end (json);
}

void
wp_cli_write_entries (WpJsonWriter *json, const char *key, const GPtrArray *entries, gboolean lines)
{
  wp_json_writer_array (json, key, WP_JSON_SPACED);
  for (guint i = 0; entries != NULL && i < entries->len; i++)
    {
      if (lines)
        wp_json_writer_line (json);
      write_entry (json, entries->pdata[i]);
    }
  wp_json_writer_end (json);
}

static void
write_changes (WpJsonWriter *json, const GPtrArray *changes)
{
  wp_json_writer_array (json, "changes", WP_JSON_SPACED);
  for (guint i = 0; changes != NULL && i < changes->len; i++)
    {
      const WpStoreChange *change = changes->pdata[i];
      const Field fields[]
        = { { "location", change->location }, { "result", change->result }, { "type", change->type }, { "from", change->from },
            { "to", change->to }, { "rate", change->rate }, { "confidence_type", change->confidence_type },
            { "confidence", change->confidence }, { "source", change->source }, { "command", change->command } };

      wp_json_writer_line (json);
      wp_json_writer_object (json, NULL, WP_JSON_SPACED);
      write_fields (json, fields, G_N_ELEMENTS (fields));
      wp_json_writer_end (json);
    }
  wp_json_writer_end (json);
}

static void
append_json (GString *out, const Status *self)
{
  g_autoptr (WpJsonWriter) json = wp_json_writer_new_text (out);

  wp_json_writer_object (json, NULL, WP_JSON_SPACED);
  wp_json_writer_string (json, "store", wp_store_folder (self->store.store));
  wp_json_writer_string (json, "branch", self->branch);
  wp_json_writer_string (json, "commit", self->store.minor);
  wp_json_writer_line (json);
  wp_cli_write_entries (json, "registered", self->registered, TRUE);
  wp_json_writer_line (json);
  wp_cli_write_entries (json, "pending", self->pending, TRUE);
  wp_json_writer_line (json);
  write_changes (json, self->changes);
  wp_json_writer_uint (json, "unreadable_changes", self->unreadable);
  wp_json_writer_end (json);
}

typedef struct
{
  char *minor, *key, *format;
  gboolean brief;
} Options;

static int
run (gpointer data, int n G_GNUC_UNUSED, char **operands G_GNUC_UNUSED)
{
  const Options *options = data;
  g_auto (Status) self = { 0 };
  g_autoptr (GString) out = g_string_new (NULL);
  int status;

  if (options->key != NULL && !wp_store_is_sort_key (options->key))
    return wp_cli_usage ("--sort-by: there is no key “%s”, only time, type, cmd, args, workload, label, collector and source", options->key);
  status = wp_cli_store_open (&self.store, options->minor, FALSE);
  if (status != 0)
    return status;
  status = load_status (&self, options->key);
  if (g_strcmp0 (options->format, "json") == 0)
    append_json (out, &self);
  else
    append_text (out, &self, options->brief);
  wp_cli_flush (out);
  wp_cli_store_notice (&self.store);
  return status;
}

static const WpOption rows[] = {
  WP_OPTION_MINOR (Options, minor),
  { "short", 's', G_OPTION_ARG_NONE, offsetof (Options, brief), NULL, "Numbers only" },
  { "sort-by", 0, G_OPTION_ARG_STRING, offsetof (Options, key), "KEY",
    "Order of the lists, this time: by time, type, cmd, args, workload, label, collector or source" },
  WP_OPTION_TEXT_FORMAT (Options, format, "text|json"),
  WP_OPTION_END,
};

const WpCommand wp_cmd_status = {
  .name = "status",
  .group = WP_GROUP_STORE,
  .operands = "",
  .summary = "The profiles of a commit, and pending ones",
  .options = rows,
  .size = sizeof (Options),
  .least = 0,
  .most = 0,
  .run = run,
};
