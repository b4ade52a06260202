#include "stacks/raw-text.h"

#include "base/text-writer.h"

#define SAMPLES_PER_STEP 4096

static const char *const mapping_has[] = { "[FN]", "[FL]", "[LN]", "[IN]" };

static void
put_text (WpTextWriter *out, const WpStacks *stacks, WpId id)
{
  gsize n;
  const char *bytes = wp_strings_bytes (stacks->strings, id, &n);

  wp_text_writer_put (out, bytes, n);
}

static void
put_header (WpTextWriter *out, const WpStacks *stacks)
{
  const WpStacksHeader *header = &stacks->header;

  for (guint32 i = 0; i < stacks->comments.len; i++)
    wp_text_writer_printf (out, "Comment: %s\n", wp_stacks_text (stacks, stacks->comments.data[i]));
  if (header->doc_url != 0)
    wp_text_writer_printf (out, "Doc: %s\n", wp_stacks_text (stacks, header->doc_url));
  wp_text_writer_printf (out, "PeriodType: %s %s\n", wp_stacks_text (stacks, header->period_type.type),
                         wp_stacks_text (stacks, header->period_type.unit));
  wp_text_writer_printf (out, "Period: %" G_GINT64_FORMAT "\n", header->period);
  if (header->time != 0)
    wp_text_writer_printf (out, "Time: %" G_GINT64_FORMAT " ns\n", header->time);
  if (header->duration != 0)
    wp_text_writer_printf (out, "Duration: %" G_GINT64_FORMAT " ns\n", header->duration);
  wp_text_writer_printf (out, "Samples:\n");
  for (guint32 i = 0; i < stacks->types.len; i++)
    {
      WpValueType type = stacks->types.data[i];

      wp_text_writer_printf (out, "%s%s/%s%s", i > 0 ? " " : "", wp_stacks_text (stacks, type.type), wp_stacks_text (stacks, type.unit),
                             type.type == header->default_type ? "[dflt]" : "");
    }
  wp_text_writer_printf (out, "\n");
}

/* Whether any of the numbers that follow under one key has a unit. */
static gboolean
has_unit (const WpLabel *labels, guint32 n)
{
  for (guint32 i = 0; i < n && labels[i].is_number && labels[i].key == labels[0].key; i++)
    if (labels[i].unit != 0)
      return TRUE;
  return FALSE;
}

/* "key:[a b] other:[1 kb 2 kb]": texts in one line, numbers in another. */
static void
put_labels (WpTextWriter *out, const WpStacks *stacks, WpId set)
{
  const WpLabelSet *row = &stacks->labels->sets.data[set];
  const WpLabel *labels = stacks->labels->labels.data + row->first;
  gboolean with_unit = FALSE;

  for (guint32 i = 0; i < row->n; i++)
    {
      gboolean first = i == 0 || labels[i - 1].is_number != labels[i].is_number;
      gboolean last = i + 1 == row->n || labels[i + 1].is_number != labels[i].is_number;
      gboolean goes_on = !first && labels[i - 1].key == labels[i].key;

      if (first)
        wp_text_writer_printf (out, "%16s", "");
      if (!goes_on)
        {
          with_unit = has_unit (labels + i, row->n - i);
          wp_text_writer_printf (out, "%s", first ? "" : "] ");
          put_text (out, stacks, labels[i].key);
        }
      wp_text_writer_printf (out, "%s", goes_on ? " " : ":[");
      if (!labels[i].is_number)
        put_text (out, stacks, labels[i].text);
      else
        wp_text_writer_printf (out, with_unit ? "%" G_GINT64_FORMAT " %s" : "%" G_GINT64_FORMAT, labels[i].number,
                               wp_stacks_text (stacks, labels[i].unit));
      if (last)
        wp_text_writer_printf (out, "]\n");
    }
}

static gboolean
put_samples (WpTextWriter *out, const WpStacks *stacks, WpProgress *progress, GError **error)
{
  WpIdArray stack = { 0 };

  for (guint32 i = 0; i < stacks->n_samples; i++)
    {
      if (i % SAMPLES_PER_STEP == 0 && !wp_progress_step (progress, (double) i / stacks->n_samples, error))
        {
          wp_array_clear (&stack);
          return FALSE;
        }
      for (guint32 t = 0; t < stacks->types.len; t++)
        wp_text_writer_printf (out, " %10" G_GINT64_FORMAT, stacks->values[t].data[i]);
      wp_text_writer_printf (out, ": ");
      wp_frames_stack (stacks->frames, stacks->sample_stacks.data[i], &stack);
      for (guint32 l = 0; l < stack.len; l++)
        wp_text_writer_printf (out, "%u ", stack.data[l]);
      wp_text_writer_printf (out, "\n");
      put_labels (out, stacks, stacks->sample_labels.data[i]);
    }
  wp_array_clear (&stack);
  return TRUE;
}

static void
put_line (WpTextWriter *out, const WpStacks *stacks, const WpStackLine *line)
{
  const WpStackFunction *function = &stacks->frames->functions.data[line->function];

  put_text (out, stacks, function->name);
  wp_text_writer_printf (out, " ");
  put_text (out, stacks, function->file);
  wp_text_writer_printf (out, ":%" G_GINT64_FORMAT ":%" G_GINT64_FORMAT " s=%" G_GINT64_FORMAT, line->line, line->column, function->start_line);
  if (function->name == function->system_name)
    return;
  wp_text_writer_printf (out, "(");
  put_text (out, stacks, function->system_name);
  wp_text_writer_printf (out, ")");
}

static void
put_locations (WpTextWriter *out, const WpStacks *stacks)
{
  const WpFrames *frames = stacks->frames;

  wp_text_writer_printf (out, "Locations\n");
  for (WpId i = 1; i < frames->locations.len; i++)
    {
      const WpLocation *location = &frames->locations.data[i];

      wp_text_writer_printf (out, "%6u: 0x%" G_GINT64_MODIFIER "x ", i, location->address);
      if (location->module != 0)
        wp_text_writer_printf (out, "M=%u ", location->module);
      wp_text_writer_printf (out, "%s", location->folded ? "[F] " : "");
      for (guint32 l = 0; l < location->n_lines; l++)
        {
          wp_text_writer_printf (out, "%s", l > 0 ? "\n             " : "");
          put_line (out, stacks, &frames->lines.data[location->first_line + l]);
        }
      wp_text_writer_printf (out, "\n");
    }
}

static void
put_mappings (WpTextWriter *out, const WpStacks *stacks)
{
  const WpFrames *frames = stacks->frames;

  wp_text_writer_printf (out, "Mappings\n");
  for (WpId i = 1; i < frames->modules.len; i++)
    {
      const WpStackModule *mapping = &frames->modules.data[i];

      wp_text_writer_printf (out, "%u: 0x%" G_GINT64_MODIFIER "x/0x%" G_GINT64_MODIFIER "x/0x%" G_GINT64_MODIFIER "x ", i, mapping->start,
                             mapping->limit, mapping->offset);
      put_text (out, stacks, mapping->file);
      wp_text_writer_printf (out, " ");
      put_text (out, stacks, mapping->build_id);
      wp_text_writer_printf (out, " ");
      for (guint h = 0; h < G_N_ELEMENTS (mapping_has); h++)
        wp_text_writer_printf (out, "%s", mapping->has >> h & 1 ? mapping_has[h] : "");
      wp_text_writer_printf (out, "\n");
    }
}

gboolean
wp_raw_text_write (const WpStacks *stacks, int fd, WpProgress *progress, GError **error)
{
  g_auto (WpTextWriter) out = { .fd = fd };

  put_header (&out, stacks);
  if (!put_samples (&out, stacks, progress, error))
    return FALSE;
  put_locations (&out, stacks);
  put_mappings (&out, stacks);
  return wp_text_writer_finish (&out, error);
}
