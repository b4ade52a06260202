#include "stacks/filter.h"

#include "stacks/filter-steps.h"

/* One step. Takes nothing; gives a new reference. */
typedef WpStacks *(*StepFunc) (WpStacks *stacks, const char *pattern, WpProgress *progress, GError **error);

/* One that makes frames of labels. */
typedef WpStacks *(*FramesFunc) (WpStacks *stacks, const char *keys, const char *unit, WpProgress *progress, GError **error);

static const struct
{
  const char *id;
  StepFunc run; /* one of both is NULL */
  FramesFunc make_frames;
} kinds[WP_FILTER_KIND_COUNT] = {
  [WP_FILTER_TAG_ROOT] = { "tagroot", NULL, wp_filter_tag_root },
  [WP_FILTER_TAG_LEAF] = { "tagleaf", NULL, wp_filter_tag_leaf },
  [WP_FILTER_FOCUS] = { "focus", wp_filter_focus },
  [WP_FILTER_IGNORE] = { "ignore", wp_filter_ignore },
  [WP_FILTER_HIDE] = { "hide", wp_filter_hide },
  [WP_FILTER_SHOW] = { "show", wp_filter_show },
  [WP_FILTER_SHOW_FROM] = { "show_from", wp_filter_show_from },
  [WP_FILTER_TAG_FOCUS] = { "tagfocus", wp_filter_tag_focus },
  [WP_FILTER_TAG_IGNORE] = { "tagignore", wp_filter_tag_ignore },
  [WP_FILTER_TAG_SHOW] = { "tagshow", wp_filter_tag_show },
  [WP_FILTER_TAG_HIDE] = { "taghide", wp_filter_tag_hide },
  [WP_FILTER_PRUNE_FROM] = { "prune_from", wp_filter_prune_from },
};

const char *
wp_filter_kind_id (WpFilterKind kind)
{
  return kinds[kind].id;
}

void
wp_filter_add (WpFilter *self, WpFilterKind kind, const char *pattern)
{
  wp_array_push (self, ((WpFilterStep) { kind, g_strdup (pattern) }));
}

void
wp_filter_clear (WpFilter *self)
{
  for (guint32 i = 0; i < self->len; i++)
    g_free (self->data[i].pattern);
  wp_array_clear (self);
}

char *
wp_filter_text (const WpFilter *self)
{
  GString *text = g_string_new (NULL);

  for (guint32 i = 0; i < self->len; i++)
    {
      g_autofree char *quoted = g_shell_quote (self->data[i].pattern);

      g_string_append_printf (text, "%s%s=%s", i > 0 ? " " : "", kinds[self->data[i].kind].id, quoted);
    }
  return g_string_free (text, FALSE);
}

static WpFilterKind
kind_of (const char *word, gsize n)
{
  for (guint k = 0; k < WP_FILTER_KIND_COUNT; k++)
    if (strlen (kinds[k].id) == n && memcmp (kinds[k].id, word, n) == 0)
      return k;
  return WP_FILTER_KIND_COUNT;
}

gboolean
wp_filter_parse (WpFilter *self, const char *text, GError **error)
{
  g_auto (GStrv) words = NULL;
  GError *wrong = NULL;

  if (!g_shell_parse_argv (text, NULL, &words, &wrong))
    {
      gboolean empty = g_error_matches (wrong, G_SHELL_ERROR, G_SHELL_ERROR_EMPTY_STRING);

      if (!empty)
        g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT, "the filter “%s” cannot be understood: %s", text, wrong->message);
      g_error_free (wrong);
      return empty;
    }
  for (guint i = 0; words[i] != NULL; i++)
    {
      const char *equals = strchr (words[i], '=');
      WpFilterKind kind = equals != NULL ? kind_of (words[i], equals - words[i]) : WP_FILTER_KIND_COUNT;

      if (kind == WP_FILTER_KIND_COUNT)
        {
          g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT, "“%s” is no step of a filter; one is written like focus=PATTERN", words[i]);
          return FALSE;
        }
      wp_filter_add (self, kind, equals + 1);
    }
  return TRUE;
}

static WpStacks *
run_step (const WpFilterStep *step, WpStacks *stacks, const char *unit, WpProgress *progress, GError **error)
{
  if (kinds[step->kind].make_frames != NULL)
    return kinds[step->kind].make_frames (stacks, step->pattern, unit, progress, error);
  return kinds[step->kind].run (stacks, step->pattern, progress, error);
}

WpStacks *
wp_filter_apply_in (const WpFilter *self, WpStacks *stacks, const char *unit, WpProgress *progress, GError **error)
{
  WpStacks *result = wp_stacks_ref (stacks);

  for (guint32 i = 0; i < self->len && result != NULL; i++)
    {
      g_autoptr (WpStacks) before = result;

      result = run_step (&self->data[i], before, unit, progress, error);
    }
  return result;
}

WpStacks *
wp_filter_apply (const WpFilter *self, WpStacks *stacks, WpProgress *progress, GError **error)
{
  return wp_filter_apply_in (self, stacks, "auto", progress, error);
}
