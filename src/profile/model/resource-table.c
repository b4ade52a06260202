#include "profile/model/resource-table.h"

#include "base/hash.h"
#include "base/json-writer.h"
#include "base/quote.h"
#include "profile/model/values-private.h"

#define CELLS_FREE (8 * 1024 * 1024) /* so many cells any table may have, … */
#define CELLS_OF_WORD 8               /* … and so many for each word of the document's values */
#define PIECE_BYTES 65536
#define NAMED_KEYS 12 /* in a message */

/* --- filling ---------------------------------------------------------------------------------------------------------- */

static guint
column_of (WpResourceTable *self, GHashTable *known, WpValue key)
{
  guint column = GPOINTER_TO_UINT (g_hash_table_lookup (known, GUINT_TO_POINTER (key)));

  if (column != 0)
    return column - 1;
  wp_array_push (&self->columns, key);
  g_ptr_array_add (self->cells, g_new0 (WpValue, (gsize) self->n_rows + 1));
  g_hash_table_insert (known, GUINT_TO_POINTER (key), GUINT_TO_POINTER (self->columns.len));
  return self->columns.len - 1;
}

static gboolean
fill_row (WpResourceTable *self, GHashTable *known, const WpItemArray *items, guint32 row)
{
  for (guint32 k = 0; k < items->len; k++)
    {
      guint column = column_of (self, known, items->data[k].key);

      ((WpValue *) g_ptr_array_index (self->cells, column))[row] = items->data[k].value;
      if ((guint64) self->columns.len * self->n_rows > CELLS_FREE + CELLS_OF_WORD * (guint64) self->values->words.len)
        return FALSE;
    }
  return TRUE;
}

static gboolean
fill (WpResourceTable *self, WpProfile *profile, WpProgress *progress, GError **error)
{
  g_autoptr (WpFlattener) flattener = wp_flattener_new (profile->values);
  g_autoptr (GHashTable) known = g_hash_table_new (wp_hash_pointer, NULL);
  WpItemArray items = { 0 };
  gboolean good = TRUE;

  for (guint32 i = 0; good && i < self->n_rows; i++)
    {
      items.len = 0;
      wp_flatten (flattener, profile->resources.data[i].value, &items);
      good = fill_row (self, known, &items, i);
      if (!good)
        g_set_error (error, WP_JSON_ERROR, WP_JSON_ERROR_VALUE, "%s: resource %u: more than %u different keys are too many for a table",
                     profile->path, i, self->columns.len - 1);
      else if (i % 4096 == 0)
        good = wp_progress_step (progress, (double) i / self->n_rows, error);
    }
  wp_array_clear (&items);
  return good;
}

WpResourceTable *
wp_resource_table_new (WpProfile *profile, WpProgress *progress, GError **error)
{
  g_autoptr (WpResourceTable) self = g_new0 (WpResourceTable, 1);
  WpValue *snapshots;

  self->values = profile->values;
  self->path = profile->path;
  self->n_rows = profile->resources.len;
  self->cells = g_ptr_array_new_with_free_func (g_free);
  if (!fill (self, profile, progress, error))
    return NULL;
  snapshots = g_new (WpValue, (gsize) self->n_rows + 1);
  for (guint32 i = 0; i < self->n_rows; i++)
    snapshots[i] = wp_values_int (self->values, profile->resources.data[i].snapshot);
  wp_array_push (&self->columns, wp_values_string (self->values, "snapshots"));
  g_ptr_array_add (self->cells, snapshots);
  return g_steal_pointer (&self);
}

void
wp_resource_table_free (WpResourceTable *self)
{
  if (self == NULL)
    return;
  wp_array_clear (&self->columns);
  g_ptr_array_unref (self->cells);
  g_free (self);
}

const WpValue *
wp_resource_table_column (const WpResourceTable *self, const char *name)
{
  WpValue key = wp_values_find_string (self->values, name);

  for (guint32 i = self->columns.len; key != 0 && i-- > 0;)
    if (self->columns.data[i] == key)
      return g_ptr_array_index (self->cells, i);
  return NULL;
}

/* --- what must be there ----------------------------------------------------------------------------------------------- */

static gboolean
is_numerical (const WpResourceTable *self, const WpValue *column)
{
  for (guint32 i = 0; i < self->n_rows; i++)
    if (wp_value_is_number (self->values, column[i]))
      return TRUE;
  return FALSE;
}

/* "; there are amount, uid, …" */
static char *
keys_there_are (const WpResourceTable *self, gboolean numerical)
{
  g_autoptr (GString) text = g_string_new (NULL);
  guint n = 0;

  for (guint32 i = 0; i < self->columns.len; i++)
    if ((!numerical || is_numerical (self, g_ptr_array_index (self->cells, i))) && ++n <= NAMED_KEYS)
      g_string_append_printf (text, "%s%s", n == 1 ? (numerical ? "; numbers are in " : "; there are ") : ", ",
                              wp_value_string (self->values, self->columns.data[i]));
  if (n > NAMED_KEYS)
    g_string_append_printf (text, " and %u more", n - NAMED_KEYS);
  return g_string_free (g_steal_pointer (&text), FALSE);
}

const WpValue *
wp_resource_table_need (const WpResourceTable *self, const char *name, gboolean numerical, GError **error)
{
  const WpValue *column = wp_resource_table_column (self, name);
  const char *wrong = column == NULL                                   ? "no resource has the key"
                      : numerical && !is_numerical (self, column) ? "no resource has a number at the key"
                                                                       : NULL;
  g_autofree char *keys = wrong != NULL ? keys_there_are (self, numerical) : NULL;

  if (wrong == NULL)
    return column;
  g_set_error (error, WP_JSON_ERROR, WP_JSON_ERROR_VALUE, "%s: %s “%s”%s", self->path, wrong, name, keys);
  return NULL;
}

/* --- writing ---------------------------------------------------------------------------------------------------------- */

static void
append_csv (const WpValues *values, WpValue cell, GString *out)
{
  g_autoptr (GString) text = g_string_new (NULL);

  if (cell == 0)
    return;
  wp_value_str (values, cell, text);
  if (text->len > 0)
    wp_quote_csv (out, text->str);
  else
    g_string_append (out, "\"\""); /* a cell without a value is empty */
}

static void
append_tsv (const WpValues *values, WpValue cell, GString *out)
{
  g_autoptr (GString) text = g_string_new (NULL);

  if (cell == 0)
    return;
  wp_value_str (values, cell, text);
  wp_quote_tsv (out, text->str);
}

typedef struct
{
  const WpResourceTable *table;
  GString *out;
  WpTextFunc write;
  gpointer data;
} Output;

static void
flush_full (const Output *self)
{
  if (self->out->len < PIECE_BYTES)
    return;
  self->write (self->out->str, self->out->len, self->data);
  g_string_truncate (self->out, 0);
}

static WpValue
cell_at (const WpResourceTable *self, guint32 column, guint32 row)
{
  return ((const WpValue *) g_ptr_array_index (self->cells, column))[row];
}

static void
write_lines (const Output *self, char separator, void (*append) (const WpValues *values, WpValue cell, GString *out))
{
  const WpResourceTable *table = self->table;

  for (guint32 k = 0; k < table->columns.len; k++)
    {
      g_string_append_len (self->out, &separator, k > 0);
      append (table->values, table->columns.data[k], self->out);
    }
  g_string_append_c (self->out, '\n');
  for (guint32 i = 0; i < table->n_rows; i++)
    {
      for (guint32 k = 0; k < table->columns.len; k++)
        {
          g_string_append_len (self->out, &separator, k > 0);
          append (table->values, cell_at (table, k, i), self->out);
        }
      g_string_append_c (self->out, '\n');
      flush_full (self);
    }
}

static void
write_cell (WpJsonWriter *json, const WpValues *values, WpValue value)
{
  GString *out = wp_json_writer_value (json, NULL);

  if (value == 0)
    g_string_append (out, "NaN");
  else
    wp_value_write (values, value, -1, out);
}

static void
write_json (const Output *self)
{
  const WpResourceTable *table = self->table;
  g_autoptr (WpJsonWriter) json = wp_json_writer_new_text (self->out);

  wp_json_writer_object (json, NULL, WP_JSON_TIGHT);
  wp_json_writer_array (json, "columns", WP_JSON_TIGHT);
  for (guint32 k = 0; k < table->columns.len; k++)
    write_cell (json, table->values, table->columns.data[k]);
  wp_json_writer_end (json);
  wp_json_writer_array (json, "rows", WP_JSON_TIGHT);
  for (guint32 i = 0; i < table->n_rows; i++)
    {
      wp_json_writer_line (json);
      wp_json_writer_array (json, NULL, WP_JSON_TIGHT);
      for (guint32 k = 0; k < table->columns.len; k++)
        write_cell (json, table->values, cell_at (table, k, i));
      wp_json_writer_end (json);
      flush_full (self);
    }
  wp_json_writer_end (json);
  wp_json_writer_end (json);
}

void
wp_resource_table_write (const WpResourceTable *self, WpResourceTableFormat format, WpTextFunc write, gpointer data)
{
  g_autoptr (GString) out = g_string_new (NULL);
  const Output output = { self, out, write, data };

  if (format == WP_RESOURCE_TABLE_JSON)
    write_json (&output);
  else if (format == WP_RESOURCE_TABLE_TSV)
    write_lines (&output, '\t', append_tsv);
  else
    write_lines (&output, ',', append_csv);
  write (out->str, out->len, data);
}
