/* status: the profiles of a commit, and pending ones. */
#include "cli/command.h"
#include "cli/open.h"
#include "cli/store.h"

#include "base/quote.h"

#include <string.h>

/* Columns of the lists, as format.status names them. */
static const struct
{
  const char *name;
  gssize column; /* of WpStoreEntry: a text; -1 the time, -2 the postprocessors */
} columns[] = {
  { "type", G_STRUCT_OFFSET (WpStoreEntry, type) },         { "collector", G_STRUCT_OFFSET (WpStoreEntry, collector) },
  { "time", -1 },                                           { "source", G_STRUCT_OFFSET (WpStoreEntry, path) },
  { "cmd", G_STRUCT_OFFSET (WpStoreEntry, cmd) },           { "args", G_STRUCT_OFFSET (WpStoreEntry, args) },
  { "workload", G_STRUCT_OFFSET (WpStoreEntry, workload) }, { "label", G_STRUCT_OFFSET (WpStoreEntry, label) },
  { "checksum", G_STRUCT_OFFSET (WpStoreEntry, path) },     { "postprocessors", -2 },
};
#define DEFAULT_FORMAT "%type% %collector% (%time%) %source%"

/* A piece of a format: text, then a column. */
typedef struct
{
  char *text;
  gssize column;
  gboolean last, sha1;
  glong width;
} Piece;

static char *
column_text (const WpStoreEntry *entry, const Piece *piece)
{
  if (piece->sha1)
    return g_strdup (entry->sha1);
  if (piece->column == -1)
    return wp_cli_date (entry->time);
  if (piece->column == -2)
    return g_strjoinv (",", entry->postprocessors);
  return g_strdup (G_STRUCT_MEMBER (char *, entry, piece->column));
}

static gboolean
find_column (const char *name, Piece *piece)
{
  for (guint i = 0; i < G_N_ELEMENTS (columns); i++)
    if (g_str_equal (columns[i].name, name))
      {
        piece->column = columns[i].column;
        piece->sha1 = g_str_equal (name, "checksum");
        return TRUE;
      }
  return FALSE;
}

static void
clear_piece (gpointer data)
{
  g_free (((Piece *) data)->text);
}

/* "%type% (%time%)"; what is called nothing stays as it is. A width, "%source:20%", is passed over: columns are as wide as they
 * need. */
static GArray *
parse_format (const char *format)
{
  GArray *pieces = g_array_new (FALSE, TRUE, sizeof (Piece));
  g_auto (GStrv) parts = g_strsplit (format, "%", -1);
  g_autoptr (GString) text = g_string_new (NULL);

  g_array_set_clear_func (pieces, clear_piece);
  for (guint i = 0; parts[i] != NULL; i++)
    {
      g_autofree char *name = g_strndup (parts[i], strcspn (parts[i], ":"));
      Piece piece = { 0 };

      if (i % 2 == 0 || parts[i + 1] == NULL || !find_column (name, &piece))
        {
          g_string_append_printf (text, i % 2 == 0 ? "%s" : "%%%s%%", parts[i]);
          continue;
        }
      piece.text = g_strdup (text->str);
      g_string_truncate (text, 0);
      g_array_append_val (pieces, piece);
    }
  g_array_append_val (pieces, ((Piece) { .text = g_strdup (text->str), .last = TRUE }));
  return pieces;
}

static void
measure (GArray *pieces, const GPtrArray *entries)
{
  for (guint p = 0; p < pieces->len; p++)
    {
      Piece *piece = &g_array_index (pieces, Piece, p);

      piece->width = 0;
      for (guint i = 0; i < entries->len && !piece->last; i++)
        {
          g_autofree char *text = column_text (entries->pdata[i], piece);

          piece->width = MAX (piece->width, g_utf8_strlen (text, -1));
        }
    }
}

static void
append_row (GString *out, const GArray *pieces, const WpStoreEntry *entry)
{
  for (guint p = 0; p < pieces->len; p++)
    {
      const Piece *piece = &g_array_index (pieces, Piece, p);
      g_autofree char *text = piece->last ? NULL : column_text (entry, piece);

      g_string_append (out, piece->text);
      if (text == NULL)
        continue;
      g_string_append (out, text);
      for (glong n = g_utf8_strlen (text, -1); n < piece->width; n++)
        g_string_append_c (out, ' ');
    }
  while (out->len > 0 && out->str[out->len - 1] == ' ')
    g_string_truncate (out, out->len - 1);
  g_string_append_c (out, '\n');
}

static void
append_list (GString *out, GArray *pieces, const GPtrArray *entries, char kind)
{
  measure (pieces, entries);
  for (guint i = 0; i < entries->len; i++)
    {
      const WpStoreEntry *entry = entries->pdata[i];

      g_string_append_printf (out, "%4u@%c  ", i, kind);
      append_row (out, pieces, entry);
      if (entry->problem != NULL)
        g_string_append_printf (out, "        %s\n", entry->problem);
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
      self->changes = wp_store_changes (store, self->store.minor, &self->unreadable, NULL);
    }
  if (vcs != NULL)
    self->branch = wp_vcs_head_branch (vcs, NULL);
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

  for (guint i = 0; i < n; i++)
    {
      const WpStoreChange *change = self->changes->pdata[i];

      better += g_str_has_suffix (change->result, "Optimization");
      worse += g_str_has_suffix (change->result, "Degradation");
    }
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
  g_autoptr (GArray) pieces = parse_format (format != NULL ? format : DEFAULT_FORMAT);

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
        append_list (out, pieces, entries, i == 0 ? 'i' : 'p');
    }
  if (self->changes != NULL)
    {
      g_string_append (out, brief ? "" : "\n");
      append_changes (out, self, brief);
    }
}

/* --- JSON --------------------------------------------------------------------------------------------------------------- */

void
wp_cli_append_entry_json (GString *out, const WpStoreEntry *entry)
{
  const struct { const char *key; const char *text; } fields[]
    = { { "name", entry->path }, { "sha1", entry->sha1 }, { "type", entry->type }, { "cmd", entry->cmd }, { "args", entry->args },
        { "workload", entry->workload }, { "label", entry->label }, { "collector", entry->collector }, { "origin", entry->origin } };

  g_string_append_printf (out, "{ \"time\": %" G_GINT64_FORMAT, entry->time);
  for (guint i = 0; i < G_N_ELEMENTS (fields); i++)
    {
      g_string_append_printf (out, ", \"%s\": ", fields[i].key);
      wp_quote_json (out, fields[i].text);
    }
  g_string_append (out, ", \"postprocessors\": [");
  for (guint i = 0; entry->postprocessors[i] != NULL; i++)
    {
      g_string_append (out, i > 0 ? ", " : "");
      wp_quote_json (out, entry->postprocessors[i]);
    }
  g_string_append (out, "], \"problem\": ");
  if (entry->problem != NULL)
    wp_quote_json (out, entry->problem);
  else
    g_string_append (out, "null");
  g_string_append (out, " }");
}

void
wp_cli_append_entries_json (GString *out, const GPtrArray *entries, const char *before)
{
  g_string_append_c (out, '[');
  for (guint i = 0; entries != NULL && i < entries->len; i++)
    {
      g_string_append_printf (out, "%s%s", i > 0 ? "," : "", before);
      wp_cli_append_entry_json (out, entries->pdata[i]);
    }
  g_string_append_c (out, ']');
}

static void
append_changes_json (GString *out, const GPtrArray *changes)
{
  g_string_append_c (out, '[');
  for (guint i = 0; changes != NULL && i < changes->len; i++)
    {
      const WpStoreChange *change = changes->pdata[i];
      const struct { const char *key; const char *text; } fields[]
        = { { "location", change->location }, { "result", change->result }, { "type", change->type }, { "from", change->from },
            { "to", change->to }, { "rate", change->rate }, { "confidence_type", change->confidence_type },
            { "confidence", change->confidence }, { "source", change->source }, { "command", change->command } };

      g_string_append (out, i > 0 ? ",\n    {" : "\n    {");
      for (guint f = 0; f < G_N_ELEMENTS (fields); f++)
        {
          g_string_append_printf (out, "%s \"%s\": ", f > 0 ? "," : "", fields[f].key);
          wp_quote_json (out, fields[f].text);
        }
      g_string_append (out, " }");
    }
  g_string_append_c (out, ']');
}

static void
append_json (GString *out, const Status *self)
{
  g_string_append (out, "{ \"store\": ");
  wp_quote_json (out, wp_store_folder (self->store.store));
  g_string_append (out, ", \"branch\": ");
  wp_quote_json (out, self->branch != NULL ? self->branch : "");
  g_string_append_printf (out, ", \"commit\": \"%s\",\n  \"registered\": ", self->store.minor);
  wp_cli_append_entries_json (out, self->registered, "\n    ");
  g_string_append (out, ",\n  \"pending\": ");
  wp_cli_append_entries_json (out, self->pending, "\n    ");
  g_string_append (out, ",\n  \"changes\": ");
  append_changes_json (out, self->changes);
  g_string_append_printf (out, ", \"unreadable_changes\": %u }\n", self->unreadable);
}

int
wp_cmd_status (int argc, char **argv)
{
  g_autofree char *key = NULL, *format = NULL, *minor = NULL;
  gboolean brief = FALSE;
  const GOptionEntry entries[] = {
    { "minor", 'm', 0, G_OPTION_ARG_STRING, &minor, "The commit", "COMMIT" },
    { "short", 's', 0, G_OPTION_ARG_NONE, &brief, "Numbers only", NULL },
    { "sort-by", 0, 0, G_OPTION_ARG_STRING, &key, "Order of the lists, this time", "KEY" },
    { "format", 'f', 0, G_OPTION_ARG_STRING, &format, "text or json", "FORMAT" },
    { NULL },
  };
  g_auto (Status) self = { 0 };
  g_autoptr (GString) out = g_string_new (NULL);
  int status;

  if (!wp_cli_parse (&argc, &argv, entries))
    return 2;
  if (argc > 1 || (format != NULL && !g_str_equal (format, "text") && !g_str_equal (format, "json")))
    return wp_cli_usage ("status", argc > 1 ? "what is “%s”?" : "there is no format “%s”", argc > 1 ? argv[1] : format);
  status = wp_cli_store_open (&self.store, minor, FALSE);
  if (status != 0)
    return status;
  status = load_status (&self, key);
  if (g_strcmp0 (format, "json") == 0)
    append_json (out, &self);
  else
    append_text (out, &self, brief);
  wp_cli_flush (out);
  wp_cli_store_notice (&self.store);
  return status;
}
