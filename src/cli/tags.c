/* tags: what samples with each label took. */
#include "cli/output.h"
#include "cli/stacks.h"
#include "stacks/measure.h"
#include "stacks/tags.h"

typedef struct
{
  WpCliStacksOptions stacks;
  char *output;
} Options;

static void
put_tag (const WpCliStacks *profile, const WpTag *tag, const char *unit, GString *out)
{
  g_autofree char *sum = wp_measure_text (tag->sum, profile->unit, unit), *total = wp_measure_text (profile->total, profile->unit, unit);
  char share[WP_FORMAT_MAX];

  g_string_append_printf (out, " %s: Total %s of %s (%s)\n", tag->key, sum, total, wp_measure_share (tag->sum, profile->total, share));
  for (guint32 i = 0; i < tag->values.len; i++)
    {
      const WpTagValue *value = &tag->values.data[i];
      g_autofree char *text = wp_measure_text (value->sum, profile->unit, unit);

      g_string_append_printf (out, "%*s%s (%s): %s\n", (int) g_utf8_strlen (tag->key, -1) + 3, "", text,
                              wp_measure_share (value->sum, profile->total, share), value->text);
    }
  g_string_append_c (out, '\n');
}

static int
run (gpointer data, int n, char **operands)
{
  Options *options = data;
  g_auto (WpCliStacks) profile = { 0 };
  g_autoptr (GString) out = g_string_new (NULL);
  g_autoptr (WpTags) tags = NULL;
  const char *unit = options->stacks.unit != NULL ? options->stacks.unit : "auto";
  int status = wp_cli_stacks_open (&profile, &options->stacks, operands, (guint) n);

  if (status != 0)
    return status;
  tags = wp_tags_new (profile.stacks, profile.type, unit);
  for (guint32 i = 0; i < tags->tags.len; i++)
    put_tag (&profile, &tags->tags.data[i], unit, out);
  return wp_cli_put (out, options->output);
}

static const WpOption rows[] = {
  WP_OPTIONS_STACKS (Options, stacks),
  WP_OPTIONS_STACKS_BASE (Options, stacks),
  WP_OPTIONS_STACKS_VALUES (Options, stacks),
  WP_OPTION_OUTPUT (Options, output),
  WP_OPTION_END,
};

const WpCommand wp_cmd_tags = {
  .name = "tags",
  .group = WP_GROUP_PROFILES,
  .operands = "FILE…",
  .summary = "What samples with each label took",
  .description = WP_STACKS_MERGED,
  .options = rows,
  .size = sizeof (Options),
  .least = 1,
  .most = WP_ANY_NUMBER,
  .run = run,
};
