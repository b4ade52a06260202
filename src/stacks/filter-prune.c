/* Pruning: what is called from certain functions goes. They are found by their names without arguments. */
#include "stacks/filter.h"
#include "stacks/filter-steps.h"
#include "stacks/pattern.h"

/* Where a function's name is cut: at its arguments. “(anonymous namespace)” and “operator()” have no arguments there. */
static gsize
simple_length (const char *name, gsize n)
{
  static const char anonymous[] = "(anonymous namespace)", operator[] = "operator()";

  for (gsize i = 0; i < n; i++)
    {
      if (name[i] != '(')
        continue;
      if (n - i >= strlen (anonymous) && memcmp (name + i, anonymous, strlen (anonymous)) == 0)
        i += strlen (anonymous) - 1;
      else if (i >= strlen ("operator") && n - i >= 2 && memcmp (name + i - strlen ("operator"), operator, strlen (operator)) == 0)
        i++;
      else
        return i;
    }
  return n;
}

/* With one dot at its beginning left out, as some linkers write it. */
static gboolean
matches (const WpStacks *stacks, const GRegex *pattern, WpId name)
{
  gsize n;
  const char *text = wp_strings_bytes (stacks->strings, name, &n);

  if (n > 0 && text[0] == '.')
    {
      text++;
      n--;
    }
  return wp_pattern_matches (pattern, text, simple_length (text, n));
}

/* Whether each function matches. */
static guint8 *
find_functions (const WpStacks *stacks, const GRegex *drop, const GRegex *keep)
{
  const WpFrames *frames = stacks->frames;
  guint8 *found = g_new0 (guint8, frames->functions.len);

  for (WpId i = 1; i < frames->functions.len; i++)
    {
      WpId name = frames->functions.data[i].name;

      found[i] = name != 0 && matches (stacks, drop, name) && (keep == NULL || !matches (stacks, keep, name));
    }
  return found;
}

/* --- from the innermost match on ---------------------------------------------------------------------------------- */

WpStacks *
wp_filter_prune_from (WpStacks *stacks, const char *text, WpProgress *progress, GError **error)
{
  g_autoptr (GRegex) pattern = wp_pattern_new (text, error);
  g_autofree guint8 *functions = NULL, *marked = NULL;
  WpFrames *frames;

  if (pattern == NULL)
    return NULL;
  functions = find_functions (stacks, pattern, NULL);
  frames = wp_frames_copy (stacks->frames);
  marked = g_new0 (guint8, frames->locations.len);
  for (WpId i = 1; i < frames->locations.len; i++)
    {
      WpLocation *location = &frames->locations.data[i];

      for (guint32 l = 0; l < location->n_lines && !marked[i]; l++)
        if (functions[frames->lines.data[location->first_line + l].function])
          {
            location->first_line += l;
            location->n_lines -= l;
            marked[i] = TRUE;
          }
    }
  return wp_stacks_cut (stacks, frames, marked, progress, error);
}

/* --- drop_frames -------------------------------------------------------------------------------------------------- */

enum
{
  BEFORE_USER = 0, /* nothing is dropped before something of the program was seen: else nothing would be left */
  IN_USER = 1,
  BEHIND = 2
};

static const WpFate user = WP_FATE (WP_STAYS (IN_USER), WP_STAYS (IN_USER), WP_GOES (BEHIND)); /* a location of the program */
static const WpFate dropped = WP_FATE (WP_STAYS (BEFORE_USER), WP_GOES (BEHIND), WP_GOES (BEHIND)); /* all of it */
static const WpFate beneath = WP_FATE (WP_STAYS (BEFORE_USER), WP_STAYS (BEHIND), WP_GOES (BEHIND)); /* its inner lines */

/* The whole name has to match. A pattern that is none drops nothing, as in pprof. */
static GRegex *
whole_pattern (const WpStacks *stacks, WpId text)
{
  g_autofree char *whole = g_strdup_printf ("\\A(?:%s)\\z", wp_stacks_text (stacks, text));

  return text != 0 ? wp_pattern_new (whole, NULL) : NULL;
}

WpStacks *
wp_stacks_drop_frames (WpStacks *stacks, WpProgress *progress, GError **error)
{
  g_autoptr (GRegex) drop = whole_pattern (stacks, stacks->header.drop), keep = whole_pattern (stacks, stacks->header.keep);
  g_autofree guint8 *functions = NULL;
  g_autofree WpFate *fates = NULL;
  WpFrames *frames;

  if (drop == NULL || (keep == NULL && stacks->header.keep != 0))
    return wp_stacks_ref (stacks);
  functions = find_functions (stacks, drop, keep);
  frames = wp_frames_copy (stacks->frames);
  fates = g_new (WpFate, frames->locations.len);
  for (WpId i = 1; i < frames->locations.len; i++)
    {
      WpLocation *location = &frames->locations.data[i];
      guint32 n = location->n_lines;

      while (n > 0 && !functions[frames->lines.data[location->first_line + n - 1].function])
        n--;
      fates[i] = n == 0 ? user : n == location->n_lines ? dropped : beneath;
      if (fates[i] != beneath)
        continue;
      location->first_line += n;
      location->n_lines -= n;
    }
  return wp_stacks_rebuild (stacks, frames, fates, FALSE, progress, error);
}
