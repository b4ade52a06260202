#include "workspace/stacks/source-text.h"

#include "base/hash.h"
#include "base/quote.h"
#include "base/sort.h"

/* --- rows ----------------------------------------------------------------------------------------------------------- */

static WpSourceText *
new_text (void)
{
  WpSourceText *self = g_new0 (WpSourceText, 1);

  self->text = g_string_new (NULL);
  return self;
}

static gboolean
is_hotter (const WpSourceRow *row, const WpSourceRow *than)
{
  gint64 flat = wp_magnitude (row->flat), other = wp_magnitude (than->flat);

  return flat > other || (flat == other && wp_magnitude (row->cum) > wp_magnitude (than->cum));
}

/* What would turn text around, so that it reads as another one, is written as its number, and so is what a text view takes for the end of a line:
 * rows and lines are the same. */
static void
add_row (WpSourceText *self, const WpSourceRow *row, const char *text)
{
  gsize before;

  if (self->rows.len > 0)
    g_string_append_c (self->text, '\n');
  before = self->text->len;
  wp_quote_terminal (self->text, text, strlen (text));
  g_strdelimit (self->text->str + before, "\n", ' ');
  wp_array_push (&self->rows, *row);
  if (is_hotter (row, &self->rows.data[self->hottest]))
    self->hottest = self->rows.len - 1;
}

void
wp_source_text_free (WpSourceText *self)
{
  g_string_free (self->text, TRUE);
  wp_array_clear (&self->rows);
  g_free (self->file);
  g_free (self->path);
  g_free (self->tried);
  g_free (self);
}

/* --- sources -------------------------------------------------------------------------------------------------------- */

static void
add_line (WpSourceText *self, const WpSourceFile *source, gint64 line, const WpLineValue *values)
{
  g_autofree char *text = source != NULL ? wp_source_file_line (source, line) : NULL;
  WpSourceRow row = { .kind = WP_ROW_LINE, .number = (guint64) MAX (line, 0) };

  if (values != NULL)
    {
      row.flat = wp_graph_value (values->flat);
      row.cum = wp_graph_value (values->cum);
    }
  add_row (self, &row, text != NULL ? text : "");
}

/* Lines in the range, with the text that they have; and those with a value that lie before or behind it. */
static void
add_lines (WpSourceText *self, const WpRoutine *routine, const WpSourceFile *source, gint64 end)
{
  gint64 start = routine->start;
  guint32 i = 0;

  for (; i < routine->lines.len && routine->lines.data[i].line < start; i++)
    add_line (self, source, routine->lines.data[i].line, &routine->lines.data[i]);
  for (gint64 line = start; line <= end; line++)
    add_line (self, source, line, wp_routine_line (routine, line));
  for (; i < routine->lines.len; i++)
    if (routine->lines.data[i].line > end)
      add_line (self, source, routine->lines.data[i].line, &routine->lines.data[i]);
}

static char *
join (const GPtrArray *lines)
{
  GString *joined = g_string_new (NULL);

  for (guint i = 0; i < lines->len; i++)
    {
      g_autofree char *line = g_utf8_make_valid (lines->pdata[i], -1);

      g_string_append_printf (joined, "%s%s", i > 0 ? "\n" : "", line);
    }
  return g_string_free (joined, FALSE);
}

static WpSourceText *
text_of (const WpListing *listing, guint32 routine)
{
  const WpRoutine *row = &listing->routines->routines.data[routine];
  const WpSourceFile *source = listing->sources[routine];
  gboolean is_found = source != NULL && source->path != NULL;
  WpSourceText *self = new_text ();

  self->flat = wp_graph_value (row->flat);
  self->cum = wp_graph_value (row->cum);
  if (source != NULL)
    {
      self->file = g_utf8_make_valid (source->name, -1);
      self->path = g_strdup (source->path);
      self->tried = join (source->tried);
    }
  add_lines (self, row, is_found ? source : NULL, is_found ? wp_listing_end (listing, routine) : 0);
  return self;
}

static int
compare_texts (gconstpointer a, gconstpointer b)
{
  const WpSourceText *const *x = a, *const *y = b;

  return WP_COMPARE (wp_magnitude ((*y)->cum), wp_magnitude ((*x)->cum));
}

GPtrArray *
wp_source_texts (const WpListing *listing)
{
  GPtrArray *texts = g_ptr_array_new_with_free_func ((GDestroyNotify) wp_source_text_free);

  for (guint32 i = 0; i < listing->routines->routines.len; i++)
    g_ptr_array_add (texts, text_of (listing, i));
  g_ptr_array_sort (texts, compare_texts);
  return texts;
}

/* --- code ----------------------------------------------------------------------------------------------------------- */

/* "main.c:12  the line", or without it where the file is nowhere. */
static void
add_source (WpSourceText *self, GHashTable *sources, const WpSourcePlaces *places, const WpInstruction *instruction)
{
  WpSourceFile *source = g_hash_table_lookup (sources, instruction->file);
  g_autofree char *base = g_path_get_basename (instruction->file), *line = NULL, *text = NULL;

  if (source == NULL)
    {
      source = wp_source_file_find (instruction->file, places);
      g_hash_table_insert (sources, g_strdup (instruction->file), source);
    }
  line = wp_source_file_line (source, instruction->line);
  text = g_strdup_printf ("%s:%u  %s", base, instruction->line, line != NULL ? g_strstrip (line) : "");
  add_row (self, &(WpSourceRow) { .kind = WP_ROW_SOURCE }, text);
}

static void
add_block (WpSourceText *self, const WpCodeBlock *block, GHashTable *sources, const WpSourcePlaces *places)
{
  const WpInstruction *last = NULL;

  add_row (self, &(WpSourceRow) { .kind = WP_ROW_FUNCTION }, block->instructions->function);
  for (guint32 i = 0; i < block->instructions->rows.len; i++)
    {
      const WpInstruction *instruction = &block->instructions->rows.data[i];
      const WpSourceRow row = { WP_ROW_INSTRUCTION, instruction->address, wp_graph_value (block->values[i].flat),
                                wp_graph_value (block->values[i].cum) };
      g_autofree char *text = g_strconcat ("    ", instruction->text, NULL);

      if (instruction->file != NULL && instruction->line > 0
          && (last == NULL || last->line != instruction->line || g_strcmp0 (last->file, instruction->file) != 0))
        {
          add_source (self, sources, places, instruction);
          last = instruction;
        }
      add_row (self, &row, text);
      self->flat = wp_sum (self->flat, row.flat);
      self->cum = wp_magnitude (row.cum) > wp_magnitude (self->cum) ? row.cum : self->cum;
    }
}

WpSourceText *
wp_code_text (const WpCodeListing *listing, const WpStacks *stacks, const WpSourcePlaces *places)
{
  g_autoptr (GHashTable) sources = g_hash_table_new_full (wp_hash_string, g_str_equal, g_free, (GDestroyNotify) wp_source_file_free);
  WpSourceText *self = new_text ();

  for (guint32 i = 0; i < listing->blocks.len; i++)
    add_block (self, &listing->blocks.data[i], sources, places);
  if (listing->blocks.len > 0)
    self->file = g_utf8_make_valid (wp_stacks_text (stacks, listing->blocks.data[0].module_file), -1);
  self->tried = join (listing->problems);
  return self;
}
