/* See columns.h. What is no column goes into one GVariant. */
#include "read/sidecar/columns.h"

#include "base/hash.h"
#include "trace/notes.h"

#include <sys/mman.h>

typedef WP_ARRAY (guint8) Rows; /* as all of them lie in a trace */

#define COLUMN(name, first) { G_STRUCT_OFFSET (WpTrace, name), sizeof *((WpTrace *) NULL)->name.data },

static const struct
{
  gsize at;
  guint32 row; /* bytes */
} columns[] = { WP_SIDECAR_EACH_COLUMN (COLUMN) };

/* It lies in the block. */
static GVariant *
variant_in (const WpBlock *block, const char *type)
{
  g_autoptr (GBytes) bytes = g_bytes_new_static (block->data, block->n);

  return g_variant_ref_sink (g_variant_new_from_bytes (G_VARIANT_TYPE (type), bytes, FALSE));
}

/* --- what is no column ------------------------------------------------------------------------------------------------ */

#define REST "((xxuibb)at(maymaymaymaymay)a(uu)a(uu)a(uu)a(ayay)a(xay))"

static void
add_text (GVariantBuilder *builder, const char *text)
{
  g_variant_builder_open (builder, G_VARIANT_TYPE ("may"));
  if (text != NULL)
    g_variant_builder_add_value (builder, g_variant_new_bytestring (text));
  g_variant_builder_close (builder);
}

static GVariant *
texts_of (const WpTrace *trace)
{
  const char *const texts[] = { trace->format, trace->command, trace->host, trace->kernel, trace->missing };
  GVariantBuilder builder;

  g_variant_builder_init (&builder, G_VARIANT_TYPE ("(maymaymaymaymay)"));
  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    add_text (&builder, texts[i]);
  return g_variant_builder_end (&builder);
}

/* Of numbers to strings, both in their pointers. */
static GVariant *
numbers_of (GHashTable *table)
{
  GVariantBuilder builder;
  GHashTableIter iter;
  gpointer key, value;

  g_variant_builder_init (&builder, G_VARIANT_TYPE ("a(uu)"));
  if (table != NULL)
    g_hash_table_iter_init (&iter, table);
  while (table != NULL && g_hash_table_iter_next (&iter, &key, &value))
    g_variant_builder_add (&builder, "(uu)", GPOINTER_TO_UINT (key), GPOINTER_TO_UINT (value));
  return g_variant_builder_end (&builder);
}

static GVariant *
extra_of (GHashTable *table)
{
  GVariantBuilder builder;
  GHashTableIter iter;
  gpointer key, value;

  g_variant_builder_init (&builder, G_VARIANT_TYPE ("a(ayay)"));
  if (table != NULL)
    g_hash_table_iter_init (&iter, table);
  while (table != NULL && g_hash_table_iter_next (&iter, &key, &value))
    g_variant_builder_add (&builder, "(^ay^ay)", key, value);
  return g_variant_builder_end (&builder);
}

static GVariant *
notes_of (struct WpNotes *notes)
{
  g_autoptr (GArray) list = wp_notes_list (notes);
  GVariantBuilder builder;

  g_variant_builder_init (&builder, G_VARIANT_TYPE ("a(xay)"));
  for (guint i = 0; i < list->len; i++)
    g_variant_builder_add (&builder, "(x^ay)", g_array_index (list, WpNote, i).time, g_array_index (list, WpNote, i).text);
  return g_variant_builder_end (&builder);
}

static GVariant *
rest_of (const WpTrace *trace)
{
  GVariant *parts[] = {
    g_variant_new ("(xxuibb)", trace->end, trace->clock_start, trace->n_cpus, trace->command_pid, trace->goes_on, trace->partial),
    g_variant_new_fixed_array (G_VARIANT_TYPE_UINT64, trace->diagnostics.n, WP_DIAG_COUNT, sizeof (guint64)),
    texts_of (trace), numbers_of (trace->arguments), numbers_of (trace->block_devices),
    numbers_of (trace->backing), extra_of (trace->extra), notes_of (trace->notes),
  };

  return g_variant_ref_sink (g_variant_new_tuple (parts, G_N_ELEMENTS (parts)));
}

static void
take_texts (WpTrace *trace, GVariant *texts)
{
  char **const to[] = { &trace->format, &trace->command, &trace->host, &trace->kernel, &trace->missing };

  for (guint i = 0; i < G_N_ELEMENTS (to); i++)
    {
      g_autoptr (GVariant) given = g_variant_get_child_value (texts, i);
      g_autoptr (GVariant) text = g_variant_get_maybe (given);

      *to[i] = text != NULL ? g_variant_dup_bytestring (text, NULL) : NULL;
    }
}

/* Numbers of processes are signed, those of devices are not. */
static GHashTable *
take_numbers (GVariant *pairs, gboolean is_signed)
{
  GHashTable *table = g_variant_n_children (pairs) > 0 ? g_hash_table_new (wp_hash_pointer, NULL) : NULL;
  GVariantIter iter;
  guint32 key, value;

  g_variant_iter_init (&iter, pairs);
  while (g_variant_iter_next (&iter, "(uu)", &key, &value))
    g_hash_table_insert (table, is_signed ? GINT_TO_POINTER ((gint32) key) : GUINT_TO_POINTER (key), GUINT_TO_POINTER (value));
  return table;
}

static GHashTable *
take_extra (GVariant *pairs)
{
  GHashTable *table = g_variant_n_children (pairs) > 0 ? g_hash_table_new_full (wp_hash_string, g_str_equal, g_free, g_free) : NULL;
  GVariantIter iter;
  char *key, *value;

  g_variant_iter_init (&iter, pairs);
  while (g_variant_iter_next (&iter, "(^ay^ay)", &key, &value))
    g_hash_table_replace (table, key, value);
  return table;
}

static void
take_notes (WpTrace *trace, GVariant *notes)
{
  GVariantIter iter;
  gint64 time;
  char *text;

  g_variant_iter_init (&iter, notes);
  while (g_variant_iter_next (&iter, "(x^ay)", &time, &text))
    {
      wp_notes_set (trace->notes, time, text);
      g_free (text);
    }
}

static gboolean
take_diagnostics (WpTrace *trace, GVariant *counts)
{
  gsize n;
  const guint64 *given = g_variant_get_fixed_array (counts, &n, sizeof *given);

  if (n == WP_DIAG_COUNT)
    memcpy (trace->diagnostics.n, given, n * sizeof *given);
  return n == WP_DIAG_COUNT;
}

static gboolean
take_rest (WpTrace *trace, const WpBlock *block)
{
  g_autoptr (GVariant) rest = variant_in (block, REST);
  g_autoptr (GVariant) numbers = NULL, counts = NULL, texts = NULL, arguments = NULL, devices = NULL, backing = NULL;
  g_autoptr (GVariant) extra = NULL, notes = NULL;

  if (!g_variant_is_normal_form (rest))
    return FALSE;
  g_variant_get (rest, "(@(xxuibb)@at@(maymaymaymaymay)@a(uu)@a(uu)@a(uu)@a(ayay)@a(xay))", &numbers, &counts, &texts, &arguments, &devices,
                 &backing, &extra, &notes);
  g_variant_get (numbers, "(xxuibb)", &trace->end, &trace->clock_start, &trace->n_cpus, &trace->command_pid, &trace->goes_on, &trace->partial);
  take_texts (trace, texts);
  trace->arguments = take_numbers (arguments, TRUE);
  trace->block_devices = take_numbers (devices, FALSE);
  trace->backing = take_numbers (backing, FALSE);
  trace->extra = take_extra (extra);
  take_notes (trace, notes);
  return take_diagnostics (trace, counts) && wp_sidecar_fit_rest (trace);
}

/* --- what it was made of ---------------------------------------------------------------------------------------------- */

#define ASKED "a(aytxxx)"

static GVariant *
asked_of (const GArray *asked)
{
  GVariantBuilder builder;

  g_variant_builder_init (&builder, G_VARIANT_TYPE (ASKED));
  for (guint i = 0; i < asked->len; i++)
    {
      const WpAskedFile *file = &g_array_index (asked, WpAskedFile, i);

      g_variant_builder_add (&builder, "(^aytxxx)", file->path, file->stamp.inode, file->stamp.size, file->stamp.modified, file->stamp.changed);
    }
  return g_variant_ref_sink (g_variant_builder_end (&builder));
}

/* Of the first `most` of them. */
static gboolean
are_same (const WpBlock *block, guint most)
{
  g_autoptr (GVariant) asked = variant_in (block, ASKED);
  gboolean same = g_variant_is_normal_form (asked) && g_variant_n_children (asked) > 0;
  const char *path;
  WpFileStamp stamp;
  GVariantIter iter;

  g_variant_iter_init (&iter, asked);
  for (guint i = 0; same && i < most
                    && g_variant_iter_next (&iter, "(^&aytxxx)", &path, &stamp.inode, &stamp.size, &stamp.modified, &stamp.changed); i++)
    {
      const WpFileStamp now = wp_file_stamp (path);

      same = wp_file_stamp_equal (&now, &stamp);
      if (!same)
        g_debug ("%s is not as it was when it was read", path);
    }
  return same;
}

gboolean
wp_sidecar_is_up_to_date (const WpSidecarBlocks *self)
{
  return are_same (&self->blocks[WP_SIDECAR_ASKED], G_MAXUINT);
}

gboolean
wp_sidecar_has_recording (const WpSidecarBlocks *self)
{
  return are_same (&self->blocks[WP_SIDECAR_ASKED], 1);
}

/* --- blocks ----------------------------------------------------------------------------------------------------------- */

void
wp_sidecar_blocks_empty (WpSidecarBlocks *self)
{
  *self = (WpSidecarBlocks) { 0 };
  self->blocks[WP_SIDECAR_ASKED].row = 1;
  self->blocks[WP_SIDECAR_TEXTS].row = 1;
  self->blocks[WP_SIDECAR_ENDS].row = sizeof (guint64);
  self->blocks[WP_SIDECAR_REST].row = 1;
  for (guint i = 0; i < G_N_ELEMENTS (columns); i++)
    self->blocks[WP_SIDECAR_COLUMNS + i].row = columns[i].row;
}

void
wp_sidecar_append_rows (const WpSidecarBlocks *self, GString *text)
{
  for (guint i = 0; i < WP_SIDECAR_BLOCKS; i++)
    g_string_append_printf (text, "%u ", self->blocks[i].row);
}

gboolean
wp_sidecar_blocks_of (WpSidecarBlocks *self, const WpTrace *trace, const GArray *asked)
{
  wp_sidecar_blocks_empty (self);
  if (!wp_strings_pack (trace->strings, &self->texts, &self->ends))
    return FALSE;
  self->asked = asked_of (asked);
  self->rest = rest_of (trace);
  if (g_variant_get_size (self->rest) > G_MAXUINT32)
    return FALSE;
  self->blocks[WP_SIDECAR_ASKED] = (WpBlock) { g_variant_get_data (self->asked), (guint32) g_variant_get_size (self->asked), 1 };
  self->blocks[WP_SIDECAR_TEXTS] = (WpBlock) { self->texts.data, self->texts.len, 1 };
  self->blocks[WP_SIDECAR_ENDS] = (WpBlock) { self->ends.data, self->ends.len, sizeof (guint64) };
  self->blocks[WP_SIDECAR_REST] = (WpBlock) { g_variant_get_data (self->rest), (guint32) g_variant_get_size (self->rest), 1 };
  for (guint i = 0; i < G_N_ELEMENTS (columns); i++)
    {
      const Rows *rows = G_STRUCT_MEMBER_P (trace, columns[i].at);

      self->blocks[WP_SIDECAR_COLUMNS + i] = (WpBlock) { rows->data, rows->len, columns[i].row };
    }
  return TRUE;
}

void
wp_sidecar_blocks_clear (WpSidecarBlocks *self)
{
  wp_array_clear (&self->texts);
  wp_array_clear (&self->ends);
  g_clear_pointer (&self->asked, g_variant_unref);
  g_clear_pointer (&self->rest, g_variant_unref);
}

/* --- back ----------------------------------------------------------------------------------------------------------- */

static void
lend_columns (WpTrace *trace, const WpBlock *blocks)
{
  for (guint i = 0; i < G_N_ELEMENTS (columns); i++)
    {
      Rows *rows = G_STRUCT_MEMBER_P (trace, columns[i].at);

      wp_array_clear (rows);
      wp_array_lend (rows, (guint8 *) blocks[i].data, blocks[i].n);
    }
}

static gboolean
take_strings (WpTrace *trace, const WpBlock *texts, const WpBlock *ends)
{
  WpStrings *strings = wp_strings_unpack (texts->data, texts->n, ends->data, ends->n);

  if (strings == NULL)
    return FALSE;
  wp_strings_free (trace->strings);
  trace->strings = strings;
  return TRUE;
}

WpTrace *
wp_sidecar_trace (const WpSidecarBlocks *self, void *map, gsize size)
{
  g_autoptr (WpTrace) trace = wp_trace_new ();
  const WpBlock *blocks = self->blocks;

  lend_columns (trace, blocks + WP_SIDECAR_COLUMNS);
  trace->lent = map;
  trace->lent_size = size;
  trace->named = TRUE;
  if (!take_strings (trace, &blocks[WP_SIDECAR_TEXTS], &blocks[WP_SIDECAR_ENDS]) || !wp_sidecar_rows_are_there (trace)
      || !wp_blocks_check (map, blocks, WP_SIDECAR_BLOCKS, wp_sidecar_fit, trace) || !take_rest (trace, &blocks[WP_SIDECAR_REST]))
    return NULL;
  return g_steal_pointer (&trace);
}
