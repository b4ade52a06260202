/* Steps of filters by names of functions, files and modules. */
#include "stacks/filter-steps.h"
#include "stacks/pattern.h"

typedef struct
{
  WpPatternTexts texts;
  const WpFrames *frames; /* of the stacks that are filtered */
} Names;

static gboolean
names_init (Names *self, const WpStacks *stacks, const char *pattern, GError **error)
{
  *self = (Names) { .texts = { .stacks = stacks, .pattern = wp_pattern_new (pattern, error) }, .frames = stacks->frames };
  if (self->texts.pattern == NULL)
    return FALSE;
  self->texts.known = g_new0 (guint8, wp_strings_count (stacks->strings));
  return TRUE;
}

static void
names_clear (Names *self)
{
  g_clear_pointer (&self->texts.pattern, g_regex_unref);
  g_clear_pointer (&self->texts.known, g_free);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Names, names_clear)

static gboolean
matches_line (Names *self, const WpStackLine *line)
{
  const WpStackFunction *function = &self->frames->functions.data[line->function];

  return wp_pattern_texts_match (&self->texts, function->name) || wp_pattern_texts_match (&self->texts, function->file);
}

static gboolean
matches_module (Names *self, const WpLocation *location)
{
  return location->module != 0 && wp_pattern_texts_match (&self->texts, self->frames->modules.data[location->module].file);
}

static gboolean
matches_location (Names *self, const WpLocation *location)
{
  for (guint32 i = 0; i < location->n_lines; i++)
    if (matches_line (self, &self->frames->lines.data[location->first_line + i]))
      return TRUE;
  return matches_module (self, location);
}

/* --- samples stay or go ------------------------------------------------------------------------------------------- */

static WpStacks *
select_samples (WpStacks *stacks, const char *pattern, gboolean others, GError **error)
{
  g_auto (Names) names = { 0 };
  g_autofree guint8 *marked = NULL, *found = NULL;

  if (!names_init (&names, stacks, pattern, error))
    return NULL;
  marked = g_new0 (guint8, names.frames->locations.len);
  for (WpId i = 1; i < names.frames->locations.len; i++)
    marked[i] = matches_location (&names, &names.frames->locations.data[i]);
  found = wp_frames_find (names.frames, marked);
  if (others)
    found[0] = TRUE; /* an empty stack goes, too */
  return wp_stacks_select (stacks, &stacks->sample_stacks, found, others);
}

WpStacks *
wp_filter_focus (WpStacks *stacks, const char *pattern, WpProgress *progress, GError **error)
{
  return select_samples (stacks, pattern, FALSE, error);
}

WpStacks *
wp_filter_ignore (WpStacks *stacks, const char *pattern, WpProgress *progress, GError **error)
{
  return select_samples (stacks, pattern, TRUE, error);
}

/* --- frames stay or go -------------------------------------------------------------------------------------------- */

/* Keeps those lines of a location for which `keep_matching` says what matching ones do; their place is behind all others. */
static void
keep_lines (Names *self, WpFrames *frames, WpLocation *location, gboolean keep_matching)
{
  guint32 first = frames->lines.len;

  for (guint32 i = 0; i < location->n_lines; i++)
    {
      const WpStackLine line = self->frames->lines.data[location->first_line + i];

      if (matches_line (self, &line) == keep_matching)
        wp_array_push (&frames->lines, line);
    }
  location->first_line = first;
  location->n_lines = frames->lines.len - first;
}

/* Lines that match stay, or go. A module that matches is that of all lines of its locations. */
static WpStacks *
select_frames (WpStacks *stacks, const char *pattern, gboolean keep_matching, WpProgress *progress, GError **error)
{
  g_auto (Names) names = { 0 };
  g_autofree WpFate *fates = NULL;
  WpFrames *frames;

  if (!names_init (&names, stacks, pattern, error))
    return NULL;
  frames = wp_frames_copy (stacks->frames);
  fates = g_new (WpFate, frames->locations.len);
  for (WpId i = 1; i < frames->locations.len; i++)
    {
      WpLocation *location = &frames->locations.data[i];

      fates[i] = WP_FATE (WP_STAYS (0), 0, 0);
      if (!keep_matching && !matches_location (&names, location))
        continue;
      if (!matches_module (&names, location))
        keep_lines (&names, frames, location, keep_matching);
      else if (!keep_matching)
        location->n_lines = 0;
      if (location->n_lines == 0)
        fates[i] = WP_FATE (WP_GOES (0), 0, 0);
    }
  return wp_stacks_rebuild (stacks, frames, fates, TRUE, progress, error);
}

WpStacks *
wp_filter_hide (WpStacks *stacks, const char *pattern, WpProgress *progress, GError **error)
{
  return select_frames (stacks, pattern, FALSE, progress, error);
}

WpStacks *
wp_filter_show (WpStacks *stacks, const char *pattern, WpProgress *progress, GError **error)
{
  return select_frames (stacks, pattern, TRUE, progress, error);
}

WpStacks *
wp_filter_show_from (WpStacks *stacks, const char *pattern, WpProgress *progress, GError **error)
{
  g_auto (Names) names = { 0 };
  g_autofree WpFate *fates = NULL;
  WpFrames *frames;

  if (!names_init (&names, stacks, pattern, error))
    return NULL;
  frames = wp_frames_copy (stacks->frames);
  fates = g_new (WpFate, frames->locations.len);
  for (WpId i = 1; i < frames->locations.len; i++)
    {
      WpLocation *location = &frames->locations.data[i];
      gboolean found = matches_module (&names, location);
      guint32 n = location->n_lines;

      while (!found && n > 0 && !matches_line (&names, &frames->lines.data[location->first_line + n - 1]))
        n--;
      if (!found && n > 0)
        {
          location->n_lines = n;
          found = TRUE;
        }
      fates[i] = found ? WP_FATE (WP_STAYS (1), WP_STAYS (1), 0) : WP_FATE (WP_GOES (0), WP_STAYS (1), 0);
    }
  return wp_stacks_rebuild (stacks, frames, fates, TRUE, progress, error);
}
