#include "cli/functions.h"

#include "base/json-writer.h"
#include "base/quote.h"
#include "stacks/measure.h"

void
wp_cli_functions_put_numbers (const WpCliFunctions *self, guint32 node, gint64 *sum)
{
  const WpGraphNode *row = &self->graph->nodes.data[node];
  gint64 flat = wp_graph_value (row->flat), cum = wp_graph_value (row->cum), total = self->graph->total;
  g_autofree char *flat_text = wp_measure_text (flat, self->profile->unit, self->trimmed->unit);
  g_autofree char *cum_text = wp_measure_text (cum, self->profile->unit, self->trimmed->unit);
  char shares[3][WP_FORMAT_MAX];

  *sum = wp_sum (*sum, flat);
  g_string_append_printf (self->out, "%10s %s %s %10s %s", flat_text, wp_measure_share (flat, total, shares[0]),
                          wp_measure_share (*sum, total, shares[1]), cum_text, wp_measure_share (cum, total, shares[2]));
}

/* --- tables ------------------------------------------------------------------------------------------------------- */

/* What a table says of a function: of its file and module, those of one of its frames. */
typedef struct
{
  const char *name, *unit;
  char *file, *module; /* copies */
  gint64 self, total;
  double self_share, total_share; /* of the whole: 0 … 1 */
} Row;

static double
share_of (gint64 value, gint64 total)
{
  return total != 0 ? (double) value / (double) total : 0;
}

static Row
make_row (const WpCliFunctions *self, guint32 node)
{
  const WpGraphNode *found = &self->graph->nodes.data[node];
  const WpStacks *stacks = self->profile->stacks;
  const WpFrames *frames = stacks->frames;
  Row row = { .name = found->frame->name, .unit = self->profile->unit, .self = wp_graph_value (found->flat), .total = wp_graph_value (found->cum) };

  row.file = wp_stacks_dup_shown (stacks, frames->functions.data[found->frame->function].file);
  row.module = wp_stacks_dup_shown (stacks, frames->modules.data[frames->locations.data[found->frame->location].module].file);
  row.self_share = share_of (row.self, self->graph->total);
  row.total_share = share_of (row.total, self->graph->total);
  return row;
}

static void
row_clear (Row *row)
{
  g_free (row->file);
  g_free (row->module);
}

static void
append_number (GString *out, char separator, gint64 value, double share)
{
  g_string_append_printf (out, "%c%" G_GINT64_FORMAT "%c", separator, value, separator);
  wp_json_append_real (out, share);
}

static void
append_line (GString *out, const Row *row, char separator, void (*append) (GString *out, const char *text))
{
  append (out, row->name);
  g_string_append_c (out, separator);
  append (out, row->file);
  g_string_append_c (out, separator);
  append (out, row->module);
  append_number (out, separator, row->self, row->self_share);
  append_number (out, separator, row->total, row->total_share);
  g_string_append_c (out, separator);
  append (out, row->unit);
}

static void
write_row (WpJsonWriter *json, const Row *row)
{
  wp_json_writer_line (json);
  wp_json_writer_object (json, NULL, WP_JSON_SPACED);
  wp_json_writer_string (json, "function", row->name);
  wp_json_writer_string (json, "file", row->file);
  wp_json_writer_string (json, "module", row->module);
  wp_json_writer_int (json, "self", row->self);
  wp_json_writer_real (json, "self_share", row->self_share);
  wp_json_writer_int (json, "total", row->total);
  wp_json_writer_real (json, "total_share", row->total_share);
  wp_json_writer_end (json);
}

static void
put_json (const WpCliFunctions *self)
{
  const WpStacks *stacks = self->profile->stacks;
  g_autoptr (WpJsonWriter) json = wp_json_writer_new_text (self->out);

  wp_json_writer_object (json, NULL, WP_JSON_SPACED);
  wp_json_writer_string (json, "type", wp_stacks_text (stacks, stacks->types.data[self->profile->type].type));
  wp_json_writer_string (json, "unit", self->profile->unit);
  wp_json_writer_int (json, "total", self->graph->total);
  wp_json_writer_array (json, "functions", WP_JSON_SPACED);
  for (guint32 i = 0; i < self->trimmed->nodes.len; i++)
    {
      Row row = make_row (self, self->trimmed->nodes.data[i]);

      write_row (json, &row);
      row_clear (&row);
    }
  wp_json_writer_line (json);
  wp_json_writer_end (json);
  wp_json_writer_end (json);
}

void
wp_cli_functions_put_table (const WpCliFunctions *self, const char *format)
{
  gboolean csv = g_str_equal (format, "csv");

  if (g_str_equal (format, "json"))
    {
      put_json (self);
      return;
    }
  g_string_append (self->out, csv ? "function,file,module,self,self_share,total,total_share,unit\r\n"
                                  : "function\tfile\tmodule\tself\tself_share\ttotal\ttotal_share\tunit\n");
  for (guint32 i = 0; i < self->trimmed->nodes.len; i++)
    {
      Row row = make_row (self, self->trimmed->nodes.data[i]);

      append_line (self->out, &row, csv ? ',' : '\t', csv ? wp_quote_csv : wp_quote_tsv);
      g_string_append (self->out, csv ? "\r\n" : "\n");
      row_clear (&row);
    }
}
