/* traces: each sample with its labels, its value and its stack. */
#include "cli/output.h"
#include "cli/stacks.h"
#include "stacks/labels.h"
#include "stacks/measure.h"
#include "stacks/proportion.h"
#include "stacks/sums.h"

#define SEPARATOR "-----------+-------------------------------------------------------\n"

typedef struct
{
  WpCliStacksOptions stacks;
  char *output;
} Options;

typedef struct
{
  const WpCliStacks *profile;
  const Options *options;
  WpFrameNames *names;
  GHashTable *units; /* of numbers in labels */
  WpIdArray stack;
  GString *out;
} Traces;

/* A line for each key: "     bytes:  4kB 64kB". */
static void
put_labels (const Traces *self, WpId set)
{
  const WpStacks *stacks = self->profile->stacks;
  const WpLabelSet *row = &stacks->labels->sets.data[set];
  const WpLabel *labels = stacks->labels->labels.data + row->first;

  for (guint32 i = 0; i < row->n; i++)
    {
      gboolean goes_on = i > 0 && labels[i - 1].key == labels[i].key && labels[i - 1].is_number == labels[i].is_number;
      g_autofree char *changed = NULL, *text = NULL;

      if (!goes_on)
        g_string_append_printf (self->out, "%s%10s: ", i > 0 ? "\n" : "", wp_stacks_shown (stacks, labels[i].key, &changed));
      if (labels[i].is_number)
        text = wp_measure_text (labels[i].number, g_hash_table_lookup (self->units, GUINT_TO_POINTER (labels[i].key)), "auto");
      g_free (g_steal_pointer (&changed));
      g_string_append_printf (self->out, " %s", text != NULL ? text : wp_stacks_shown (stacks, labels[i].text, &changed));
    }
  if (row->n > 0)
    g_string_append_c (self->out, '\n');
}

static void
put_stack (const Traces *self, const char *value)
{
  for (guint32 i = 0; i < self->stack.len; i++)
    {
      guint32 first = self->names->first[self->stack.data[i]], end = self->names->first[self->stack.data[i] + 1];

      for (guint32 f = end; f-- > first;)
        {
          g_string_append_printf (self->out, "%10s   %s%s\n", value, self->names->names.data[self->names->frames.data[f]].name,
                                  f > first ? " (inline)" : "");
          value = "";
        }
    }
}

static void
put_sample (Traces *self, guint32 sample)
{
  const WpStacks *stacks = self->profile->stacks;
  gint64 value = stacks->values[self->profile->type].data[sample], divisor = stacks->values[0].data[sample];
  g_autofree char *text = NULL;

  wp_frames_stack (stacks->frames, stacks->sample_stacks.data[sample], &self->stack);
  if (self->stack.len == 0)
    return;
  if (self->options->stacks.mean && divisor != 0)
    value = wp_quotient (value, divisor);
  text = wp_measure_text (value, self->profile->unit, self->options->stacks.unit != NULL ? self->options->stacks.unit : "auto");
  g_string_append (self->out, SEPARATOR);
  put_labels (self, stacks->sample_labels.data[sample]);
  put_stack (self, text);
}

static int
run (gpointer data, int n, char **operands)
{
  Options *options = data;
  g_auto (WpCliStacks) profile = { 0 };
  g_autoptr (GString) out = g_string_new (NULL);
  WpFrameNameOptions names = wp_cli_stacks_frames (&options->stacks);
  Traces self = { .profile = &profile, .options = options, .out = out };
  int status = wp_cli_stacks_open (&profile, &options->stacks, operands, (guint) n);
  GError *error = NULL;

  if (status != 0)
    return status;
  if (!wp_stacks_check_proportion (profile.stacks, WP_EACH_SAMPLE_NAMED, &error))
    return wp_cli_fail (error);
  self.names = wp_frame_names_new (profile.stacks, &names);
  self.units = wp_label_units (profile.stacks);
  wp_cli_stacks_put_type (&profile, &options->stacks, out);
  for (guint32 i = 0; i < profile.stacks->n_samples; i++)
    {
      put_sample (&self, i);
      if (options->output == NULL)
        wp_cli_flush_full (out);
    }
  g_string_append (out, SEPARATOR);
  wp_frame_names_free (self.names);
  g_hash_table_unref (self.units);
  wp_array_clear (&self.stack);
  return wp_cli_put (out, options->output);
}

static const WpOption rows[] = {
  WP_OPTIONS_STACKS (Options, stacks),
  WP_OPTIONS_STACKS_BASE (Options, stacks),
  WP_OPTIONS_STACKS_FRAMES (Options, stacks),
  WP_OPTIONS_STACKS_VALUES (Options, stacks),
  WP_OPTION_OUTPUT (Options, output),
  WP_OPTION_END,
};

const WpCommand wp_cmd_traces = {
  .name = "traces",
  .group = WP_GROUP_PROFILES,
  .operands = "FILE…",
  .summary = "Each sample with its labels and its stack",
  .description = WP_STACKS_MERGED,
  .options = rows,
  .size = sizeof (Options),
  .least = 1,
  .most = WP_ANY_NUMBER,
  .run = run,
};
