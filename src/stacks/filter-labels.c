/* Steps of filters by labels. */
#include "stacks/filter-steps.h"
#include "stacks/labels.h"
#include "stacks/measure.h"
#include "stacks/pattern.h"

/* --- which labels match ------------------------------------------------------------------------------------------- */

/* "4kb", "4kb:", ":4kb" or "4kb:64kb" of numbers, brought to the unit of the first one. */
typedef struct
{
  double least, most;
  const char *unit;
} Range;

typedef struct
{
  const WpStacks *stacks;
  gboolean has_key;  /* else labels of any key */
  WpId key;
  gboolean is_range;
  Range range;
  char *unit_text;   /* that the range's unit may be */
  GHashTable *units;
  GPtrArray *patterns;
} Match;

static void
match_clear (Match *self)
{
  g_clear_pointer (&self->unit_text, g_free);
  g_clear_pointer (&self->units, g_hash_table_unref);
  g_clear_pointer (&self->patterns, g_ptr_array_unref);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Match, match_clear)

/* The number and unit at the beginning of a text; what follows. NULL: none. */
static const char *
read_number (const char *text, gint64 *number, char **unit)
{
  const char *p = text + (*text == '+' || *text == '-'), *digits = p, *letters;
  char *end;

  while (g_ascii_isdigit (*p))
    p++;
  if (p == digits)
    return NULL;
  *number = g_ascii_strtoll (text, &end, 10);
  letters = p;
  while (g_ascii_isalpha (*p))
    p++;
  *unit = g_strndup (letters, p - letters);
  return p;
}

/* FALSE: the text is no range, but a pattern. */
static gboolean
read_range (Match *self, const char *text)
{
  gboolean only_most = *text == ':';
  g_autofree char *second = NULL;
  const char *rest, *unit;
  gint64 number;

  rest = read_number (text + only_most, &number, &self->unit_text);
  if (rest == NULL || (*rest != '\0' && *rest != ':') || (only_most && *rest != '\0'))
    return FALSE;
  self->range.least = self->range.most = wp_measure (number, self->unit_text, self->unit_text, &self->range.unit);
  if (only_most)
    self->range.least = -G_MAXDOUBLE;
  if (*rest == '\0')
    return TRUE;
  self->range.most = G_MAXDOUBLE;
  if (rest[1] == '\0')
    return TRUE;
  rest = read_number (rest + 1, &number, &second);
  if (rest == NULL || *rest != '\0')
    return FALSE;
  self->range.most = wp_measure (number, second, self->range.unit, &unit);
  return g_str_equal (unit, self->range.unit);
}

static gboolean
read_patterns (Match *self, const char *text, GError **error)
{
  g_auto (GStrv) parts = g_strsplit (text, ",", -1);

  self->patterns = g_ptr_array_new_with_free_func ((GDestroyNotify) g_regex_unref);
  for (guint i = 0; parts[0] != NULL && parts[i] != NULL; i++)
    {
      GRegex *pattern = wp_pattern_new (parts[i], error);

      if (pattern == NULL)
        return FALSE;
      g_ptr_array_add (self->patterns, pattern);
    }
  return TRUE;
}

static gboolean
match_init (Match *self, const WpStacks *stacks, const char *text, GError **error)
{
  const char *equals = strchr (text, '=');

  *self = (Match) { .stacks = stacks, .has_key = equals != NULL };
  if (equals != NULL)
    {
      g_autofree char *key = g_strndup (text, equals - text);

      self->key = wp_label_key (stacks, key);
      text = equals + 1;
    }
  self->is_range = read_range (self, text);
  self->units = wp_label_units (stacks);
  return self->is_range || read_patterns (self, text, error);
}

static gboolean
is_in_range (const Match *self, const WpLabel *label)
{
  const char *unit;
  double value;

  if (!label->is_number || (self->has_key && label->key != self->key))
    return FALSE;
  value = wp_measure (label->number, g_hash_table_lookup (self->units, GUINT_TO_POINTER (label->key)), self->range.unit, &unit);
  return g_str_equal (unit, self->range.unit) && value >= self->range.least && value <= self->range.most;
}

/* Of one key its value is looked at, else "key:value". */
static gboolean
matches_label (const Match *self, const GRegex *pattern, const WpLabel *label)
{
  g_autoptr (GString) text = g_string_new (NULL);
  const char *bytes;
  gsize n;

  if (label->is_number || (self->has_key && label->key != self->key))
    return FALSE;
  if (!self->has_key)
    {
      bytes = wp_strings_bytes (self->stacks->strings, label->key, &n);
      g_string_append_len (text, bytes, (gssize) n);
      g_string_append_c (text, ':');
    }
  bytes = wp_strings_bytes (self->stacks->strings, label->text, &n);
  g_string_append_len (text, bytes, (gssize) n);
  return wp_pattern_matches (pattern, text->str, text->len);
}

static gboolean
has_match (const Match *self, const WpLabelSet *set, const GRegex *pattern)
{
  for (guint32 i = set->first; i < set->first + set->n; i++)
    {
      const WpLabel *label = &self->stacks->labels->labels.data[i];

      if (pattern != NULL ? matches_label (self, pattern, label) : is_in_range (self, label))
        return TRUE;
    }
  return FALSE;
}

/* Without a key each pattern must match some label; with one, any pattern any of its values. */
static gboolean
matches_set (const Match *self, const WpLabelSet *set)
{
  if (self->is_range)
    return has_match (self, set, NULL);
  for (guint i = 0; i < self->patterns->len; i++)
    if (has_match (self, set, self->patterns->pdata[i]) == self->has_key)
      return self->has_key;
  return !self->has_key;
}

static WpStacks *
select_samples (WpStacks *stacks, const char *pattern, gboolean others, GError **error)
{
  const WpLabelSets *sets = stacks->labels;
  g_auto (Match) match = { 0 };
  g_autofree guint8 *marked = NULL;

  if (!match_init (&match, stacks, pattern, error))
    return NULL;
  marked = g_new0 (guint8, sets->sets.len);
  for (WpId i = 0; i < sets->sets.len; i++)
    marked[i] = matches_set (&match, &sets->sets.data[i]);
  return wp_stacks_select (stacks, &stacks->sample_labels, marked, others);
}

WpStacks *
wp_filter_tag_focus (WpStacks *stacks, const char *pattern, WpProgress *progress, GError **error)
{
  return select_samples (stacks, pattern, FALSE, error);
}

WpStacks *
wp_filter_tag_ignore (WpStacks *stacks, const char *pattern, WpProgress *progress, GError **error)
{
  return select_samples (stacks, pattern, TRUE, error);
}

/* --- labels stay or go -------------------------------------------------------------------------------------------- */

static WpStacks *
select_labels (WpStacks *stacks, const char *text, gboolean matching, GError **error)
{
  g_autoptr (GRegex) pattern = wp_pattern_new (text, error);
  const WpLabelSets *sets = stacks->labels;
  g_autofree WpId *places = g_new0 (WpId, sets->sets.len);
  g_autofree guint8 *known = g_new0 (guint8, wp_strings_count (stacks->strings));
  WpPatternTexts texts = { stacks, pattern, known };
  g_auto (WpStacksMaker) maker = { 0 };
  WpStacks *self;

  if (pattern == NULL)
    return NULL;
  maker.stacks = wp_stacks_new_like (stacks, wp_frames_ref (stacks->frames));
  wp_label_sets_unref (maker.stacks->labels);
  maker.stacks->labels = wp_label_sets_new ();
  for (WpId i = 1; i < sets->sets.len; i++)
    {
      const WpLabelSet *set = &sets->sets.data[i];

      for (guint32 l = set->first; l < set->first + set->n; l++)
        if (wp_pattern_texts_match (&texts, sets->labels.data[l].key) == matching)
          wp_array_push (&maker.label_row, sets->labels.data[l]);
      places[i] = wp_stacks_maker_label_set (&maker);
    }
  self = wp_stacks_maker_take (&maker);
  wp_stacks_take (self, stacks, NULL);
  for (guint32 i = 0; i < self->n_samples; i++)
    self->sample_labels.data[i] = places[self->sample_labels.data[i]];
  return self;
}

WpStacks *
wp_filter_tag_show (WpStacks *stacks, const char *pattern, WpProgress *progress, GError **error)
{
  return select_labels (stacks, pattern, TRUE, error);
}

WpStacks *
wp_filter_tag_hide (WpStacks *stacks, const char *pattern, WpProgress *progress, GError **error)
{
  return select_labels (stacks, pattern, FALSE, error);
}
