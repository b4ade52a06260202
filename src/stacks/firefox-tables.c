#include "stacks/firefox-tables.h"

#include <math.h>

#include "base/find.h"

#define MOST_CELLS 64 /* of a row that has a schema */

static const struct
{
  const char *table, *name;
} columns[WP_FIREFOX_N_COLUMNS] = {
  [WP_FIREFOX_STACK_FRAME] = { "stackTable", "frame" },
  [WP_FIREFOX_STACK_PREFIX] = { "stackTable", "prefix" },
  [WP_FIREFOX_STACK_PREFIX_OFFSET] = { "stackTable", "prefixOffset" },
  [WP_FIREFOX_FRAME_FUNC] = { "frameTable", "func" },
  [WP_FIREFOX_FRAME_LOCATION] = { "frameTable", "location" },
  [WP_FIREFOX_FRAME_ADDRESS] = { "frameTable", "address" },
  [WP_FIREFOX_FRAME_LIB] = { "frameTable", "lib" },
  [WP_FIREFOX_FRAME_INLINE_DEPTH] = { "frameTable", "inlineDepth" },
  [WP_FIREFOX_FRAME_SYMBOL] = { "frameTable", "nativeSymbol" },
  [WP_FIREFOX_FRAME_LINE] = { "frameTable", "line" },
  [WP_FIREFOX_FRAME_COLUMN] = { "frameTable", "column" },
  [WP_FIREFOX_FUNC_NAME] = { "funcTable", "name" },
  [WP_FIREFOX_FUNC_RESOURCE] = { "funcTable", "resource" },
  [WP_FIREFOX_FUNC_FILE] = { "funcTable", "fileName" },
  [WP_FIREFOX_FUNC_SOURCE] = { "funcTable", "source" },
  [WP_FIREFOX_FUNC_LINE] = { "funcTable", "lineNumber" },
  [WP_FIREFOX_RESOURCE_LIB] = { "resourceTable", "lib" },
  [WP_FIREFOX_SYMBOL_NAME] = { "nativeSymbols", "name" },
  [WP_FIREFOX_SOURCE_FILE] = { "sources", "filename" },
  [WP_FIREFOX_SAMPLE_STACK] = { "samples", "stack" },
  [WP_FIREFOX_SAMPLE_TIME] = { "samples", "time" },
  [WP_FIREFOX_SAMPLE_TIME_DELTA] = { "samples", "timeDeltas" },
  [WP_FIREFOX_SAMPLE_WEIGHT] = { "samples", "weight" },
  [WP_FIREFOX_SAMPLE_CPU] = { "samples", "threadCPUDelta" },
};

/* A table that is read. Rows of cells are kept as columns by the cells' places until the table is over: its schema, which says what they are, may
 * stand behind them. */
typedef struct
{
  WpFirefoxTables *tables;
  const char *table; /* of `columns` */
  WpJsonReader *json;
  WpStrings *strings;
  guint8 schema[MOST_CELLS]; /* place → one more than a column's id; 0: none of ours, or not known yet */
  WpFirefoxColumn cells[MOST_CELLS];
  guint32 n_rows;
} Reader;

char *
wp_firefox_column_name (WpFirefoxColumnId column)
{
  return g_strconcat (columns[column].table, ".", columns[column].name, NULL);
}

static guint
find_column (const char *table, const char *name)
{
  guint i = 0;

  while (i < WP_FIREFOX_N_COLUMNS && !(g_str_equal (columns[i].table, table) && g_str_equal (columns[i].name, name)))
    i++;
  return i;
}

/* `column`: N_COLUMNS of a cell of which it is not known. */
static double
read_cell (Reader *self, guint column)
{
  gint64 whole = 0;
  double real = 0;

  switch (wp_json_reader_kind (self->json))
    {
    case WP_JSON_NULL:
      wp_json_reader_skip (self->json);
      return NAN;
    case WP_JSON_STRING:
      if (column != WP_FIREFOX_SOURCE_FILE)
        break;
      return wp_strings_intern (self->strings, wp_json_reader_string (self->json));
    case WP_JSON_NUMBER:
      switch (wp_json_reader_number (self->json, &whole, &real))
        {
        case WP_JSON_WHOLE:
          return (double) whole;
        case WP_JSON_REAL:
          if (isfinite (real))
            return real;
          break;
        default:
          break;
        }
      wp_json_reader_fail (self->json, NULL, "not a number that can be counted with");
      return NAN;
    default:
      break;
    }
  wp_json_reader_skip (self->json);
  if (column < WP_FIREFOX_N_COLUMNS)
    wp_json_reader_fail (self->json, NULL, "not a number");
  return NAN;
}

static void
read_column (Reader *self, guint id)
{
  WpFirefoxColumn *column = &self->tables->columns[id];

  column->len = 0;
  if (wp_json_reader_kind (self->json) == WP_JSON_NULL)
    wp_json_reader_skip (self->json);
  else if (wp_json_reader_array (self->json))
    while (wp_json_reader_item (self->json))
      wp_array_push (column, read_cell (self, id));
}

static void
read_schema (Reader *self)
{
  const char *key;

  memset (self->schema, 0, sizeof self->schema);
  if (!wp_json_reader_object (self->json))
    return;
  while ((key = wp_json_reader_key (self->json)) != NULL)
    {
      guint column = find_column (self->table, key);
      gint64 place = wp_json_reader_int (self->json, 0, MOST_CELLS - 1);

      if (column < WP_FIREFOX_N_COLUMNS)
        self->schema[place] = (guint8) (column + 1);
    }
}

static gboolean
is_of_sources (const Reader *self)
{
  return g_str_equal (self->table, columns[WP_FIREFOX_SOURCE_FILE].table);
}

/* Cells at the end of a row may be missing, and are null then. */
static void
read_rows (Reader *self, gboolean has_schema)
{
  guint unknown = is_of_sources (self) ? WP_FIREFOX_SOURCE_FILE : WP_FIREFOX_N_COLUMNS;

  self->n_rows = 0;
  for (guint place = 0; place < MOST_CELLS; place++)
    self->cells[place].len = 0;
  wp_json_reader_array (self->json);
  for (; wp_json_reader_item (self->json); self->n_rows++)
    {
      wp_json_reader_array (self->json);
      for (guint place = 0; wp_json_reader_item (self->json); place++)
        if (place >= MOST_CELLS || (has_schema && self->schema[place] == 0))
          wp_json_reader_skip (self->json);
        else
          {
            WpFirefoxColumn *cells = &self->cells[place];

            while (cells->len < self->n_rows)
              wp_array_push (cells, NAN);
            wp_array_push (cells, read_cell (self, has_schema ? self->schema[place] - 1u : unknown));
          }
    }
}

/* Cells become the columns that the schema says they are. */
static void
take_cells (Reader *self)
{
  for (guint place = 0; place < MOST_CELLS; place++)
    {
      WpFirefoxColumn *cells = &self->cells[place];

      if (self->schema[place] != 0 && self->n_rows > 0)
        {
          WpFirefoxColumn *column = &self->tables->columns[self->schema[place] - 1];

          while (cells->len < self->n_rows)
            wp_array_push (cells, NAN);
          wp_array_clear (column);
          *column = *cells;
          *cells = (WpFirefoxColumn) { 0 };
        }
      wp_array_clear (cells);
    }
}

static void
read_weight_type (Reader *self)
{
  static const char *const names[WP_FIREFOX_N_WEIGHTS] = { "samples", "tracing-ms", "bytes" };
  guint found = WP_FIND_NAME (names, wp_json_reader_string (self->json));

  if (found < WP_FIREFOX_N_WEIGHTS)
    self->tables->weight = found;
  else
    wp_json_reader_fail (self->json, NULL, "not a type of weights: samples, tracing-ms or bytes");
}

static void
read_table (Reader *self)
{
  gboolean has_schema = FALSE;
  const char *key;

  if (!wp_json_reader_object (self->json))
    return;
  while ((key = wp_json_reader_key (self->json)) != NULL)
    {
      guint column = find_column (self->table, key);

      if (column < WP_FIREFOX_N_COLUMNS)
        read_column (self, column);
      else if (g_str_equal (key, "schema"))
        {
          read_schema (self);
          has_schema = TRUE;
        }
      else if (g_str_equal (key, "data"))
        read_rows (self, has_schema);
      else if (g_str_equal (key, "weightType") && wp_json_reader_kind (self->json) == WP_JSON_STRING)
        read_weight_type (self);
      else
        wp_json_reader_skip (self->json);
    }
  take_cells (self);
}

static void
read_strings (WpFirefoxTables *self, WpJsonReader *json, WpStrings *strings)
{
  self->strings.len = 0;
  wp_json_reader_array (json);
  while (wp_json_reader_item (json))
    wp_array_push (&self->strings, wp_strings_intern (strings, wp_json_reader_string (json)));
}

gboolean
wp_firefox_tables_read (WpFirefoxTables *self, const char *key, WpJsonReader *json, WpStrings *strings)
{
  guint first = WP_FIND_ROW (columns, table, key);
  Reader reader = { .tables = self, .json = json, .strings = strings };

  if (g_str_equal (key, "stringArray") || g_str_equal (key, "stringTable"))
    {
      read_strings (self, json, strings);
      return TRUE;
    }
  if (first == WP_FIREFOX_N_COLUMNS)
    return FALSE;
  reader.table = columns[first].table;
  read_table (&reader);
  return TRUE;
}

void
wp_firefox_tables_clear (WpFirefoxTables *self)
{
  for (guint i = 0; i < WP_FIREFOX_N_COLUMNS; i++)
    wp_array_clear (&self->columns[i]);
  wp_array_clear (&self->strings);
  wp_array_clear (&self->libs);
}
