#include "workspace/file/search.h"

#include <glib/gi18n.h>
#include <math.h>
#include <string.h>

#include "base/sort.h"

struct WpFound
{
  GArray *boxes;   /* guint32: in the order of the rows */
  guint8 *marks;   /* by box of the rows */
  guint n_folded;  /* of `boxes`, those that match by what they hide */
  WpUnit unit;     /* what rows are as wide in; */
  double scale;
  gint64 covered;  /* by boxes that match, each stretch of a lane once */
  double share;    /* of the whole width, over time of that of all lanes; NAN: there is none */
};

struct WpSearch
{
  char *text;     /* what was looked for last, or NULL */
  WpFound *found; /* NULL: nothing was looked for */
  guint at;       /* in what was found; G_MAXUINT: at none yet */
};

typedef struct
{
  gint64 start, end;
} Stretch;

/* Of one lane. */
typedef struct
{
  WP_ARRAY (Stretch) stretches;
  gboolean unordered; /* by their starts */
} Lane;

WP_DEFINE_COMPARE (compare_stretches, Stretch, start)

WpSearch *
wp_search_new (void)
{
  WpSearch *self = g_new0 (WpSearch, 1);

  self->at = G_MAXUINT;
  return self;
}

void
wp_found_free (WpFound *self)
{
  g_array_unref (self->boxes);
  g_free (self->marks);
  g_free (self);
}

void
wp_search_free (WpSearch *self)
{
  g_clear_pointer (&self->found, wp_found_free);
  g_free (self->text);
  g_free (self);
}

/* Which of the rows' strings match: names are few beside boxes. */
static guint8 *
matching_strings (const WpStrings *strings, const char *text)
{
  guint32 n = wp_strings_count (strings);
  guint8 *matching = g_new0 (guint8, MAX (n, 1));
  g_autofree char *wanted = g_utf8_casefold (text, -1);
  g_autoptr (GRegex) pattern = g_regex_new (text, G_REGEX_CASELESS | G_REGEX_OPTIMIZE, 0, NULL);

  for (guint32 i = 1; i < n; i++)
    {
      const char *string = wp_strings_get (strings, i);
      g_autofree char *name = g_utf8_casefold (string, -1);

      matching[i] = strstr (name, wanted) != NULL || (pattern != NULL && g_regex_match (pattern, string, 0, NULL));
    }
  return matching;
}

guint32 *
wp_search_matching_stacks (const WpTrace *trace, const char *text)
{
  g_autofree guint8 *names = matching_strings (trace->strings, text);
  guint32 *stacks = g_new0 (guint32, MAX (trace->stacks.len, 1));

  for (WpId s = 1; s < trace->stacks.len; s++)
    {
      WpId function = trace->frames.data[trace->stacks.data[s].frame].function;

      stacks[s] = names[trace->functions.data[function].name] ? s + 1 : stacks[trace->stacks.data[s].parent];
    }
  return stacks;
}

guint32 *
wp_search_matching_named (const WpNamedStacks *named, const char *text)
{
  g_autofree guint8 *names = matching_strings (named->strings, text);
  guint32 *stacks = g_new0 (guint32, named->stacks.len);

  for (WpId s = 1; s < named->stacks.len; s++)
    stacks[s] = names[named->functions.data[named->stacks.data[s].function].name] ? s + 1 : stacks[named->stacks.data[s].parent];
  return stacks;
}

static gboolean
hides_match (const WpRows *rows, const WpBox *box, const guint32 *stacks)
{
  for (guint32 h = stacks != NULL ? box->hidden : 0; h != 0; h = rows->hidden.data[h].next)
    if (wp_search_is_hidden (stacks, &rows->hidden.data[h]))
      return TRUE;
  return FALSE;
}

static gboolean
find_row (WpFound *self, const WpRows *rows, const WpRow *row, const guint8 *matching, const guint32 *stacks)
{
  guint before = self->boxes->len;

  for (guint32 i = row->first; i < row->first + row->n; i++)
    {
      const WpBox *box = &rows->boxes.data[i];

      if (box->ghost || !(matching[box->label] || hides_match (rows, box, stacks)))
        continue;
      self->marks[i] = 1;
      self->n_folded += !matching[box->label];
      g_array_append_val (self->boxes, i);
    }
  return self->boxes->len > before;
}

/* Boxes of a row are in order. */
static void
add_to_lane (Lane *lane, const WpFound *found, guint first, const WpRows *rows)
{
  for (guint i = first; i < found->boxes->len; i++)
    {
      const WpBox *box = &rows->boxes.data[g_array_index (found->boxes, guint32, i)];

      lane->unordered |= lane->stretches.len > 0 && box->start < lane->stretches.data[lane->stretches.len - 1].start;
      wp_array_push (&lane->stretches, ((Stretch) { box->start, box->end }));
    }
}

/* Each is a lane: of Processes. */
static gboolean
has_rows_apart (const WpRows *rows)
{
  return rows->boxes.len > 0 && rows->boxes.data[0].ref_kind == WP_REF_OP;
}

/* How long the stretches of a lane are together, each moment once; it is empty afterwards. */
static gint64
cover_lane (Lane *lane, gint64 until)
{
  gint64 covered = 0;

  if (lane->unordered)
    wp_array_sort (&lane->stretches, compare_stretches);
  for (guint32 i = 0; i < lane->stretches.len; i++)
    {
      const Stretch *s = &lane->stretches.data[i];

      covered += MAX (s->end - MAX (s->start, until), 0);
      until = MAX (until, s->end);
    }
  lane->stretches.len = 0;
  lane->unordered = FALSE;
  return covered;
}

/* As long as each row's boxes are, or those that stand at the bottom of each lane. */
static gint64
time_of_lanes (const WpRows *rows)
{
  gint64 time = 0;

  for (guint32 r = 0; r < rows->rows.len; r++)
    {
      const WpRow *row = &rows->rows.data[r];
      gint64 until = rows->start;

      if (!has_rows_apart (rows) && r + 1 < rows->rows.len && !rows->rows.data[r + 1].group)
        continue;
      for (guint32 i = row->first; i < row->first + row->n; i++)
        {
          const WpBox *box = &rows->boxes.data[i];

          time += box->ghost ? 0 : MAX (box->end - MAX (box->start, until), 0);
          until = MAX (until, box->end);
        }
    }
  return time;
}

/* What stands on a match stands on the same stretch: each counts once. Lanes go on side by side, as tasks do, and count each. */
static gboolean
find_all (WpFound *self, const WpRows *rows, const guint8 *matching, const guint32 *stacks, WpProgress *progress, GError **error)
{
  gboolean done = TRUE;
  Lane lane = { 0 };

  for (guint32 r = 0; r < rows->rows.len && done; r++)
    {
      guint before = self->boxes->len;

      if (rows->rows.data[r].group || has_rows_apart (rows))
        self->covered += cover_lane (&lane, rows->start);
      if (find_row (self, rows, &rows->rows.data[r], matching, stacks))
        add_to_lane (&lane, self, before, rows);
      done = wp_progress_step (progress, (double) r / rows->rows.len, error);
    }
  self->covered += cover_lane (&lane, rows->start);
  wp_array_clear (&lane.stretches);
  return done;
}

WpFound *
wp_search_find (const WpRows *rows, const guint32 *stacks, const char *text, WpProgress *progress, GError **error)
{
  g_autofree guint8 *matching = NULL;
  WpFound *self;

  if (rows == NULL || *text == '\0')
    return NULL;
  matching = matching_strings (rows->strings, text);
  self = g_new0 (WpFound, 1);
  self->boxes = g_array_new (FALSE, FALSE, sizeof (guint32));
  self->marks = g_new0 (guint8, MAX (rows->boxes.len, 1));
  self->unit = rows->x_unit;
  self->scale = rows->scale != 0 ? rows->scale : 1;
  if (!find_all (self, rows, matching, stacks, progress, error))
    g_clear_pointer (&self, wp_found_free);
  else
    {
      gint64 all = rows->is_time ? time_of_lanes (rows) : rows->end - rows->start;

      self->share = all > 0 ? (double) self->covered / (double) all : NAN;
    }
  return self;
}

guint8 *
wp_search_take (WpSearch *self, WpFound *found, const char *text, guint32 selected)
{
  gboolean keep = found != NULL && self->at != G_MAXUINT && g_strcmp0 (text, self->text) == 0;
  char *copy = g_strdup (text); /* it may be our own */
  guint at;

  wp_search_forget (self);
  g_free (self->text);
  self->text = copy;
  self->found = found;
  self->at = keep && g_array_binary_search (found->boxes, &selected, wp_compare_ids, &at) ? at : G_MAXUINT;
  return found != NULL ? g_steal_pointer (&found->marks) : NULL;
}

guint8 *
wp_search_run (WpSearch *self, const WpRows *rows, const guint32 *stacks, const char *text, guint32 selected)
{
  return wp_search_take (self, wp_search_find (rows, stacks, text, NULL, NULL), text, selected);
}

void
wp_search_forget (WpSearch *self)
{
  g_clear_pointer (&self->found, wp_found_free);
}

guint
wp_search_count (const WpSearch *self)
{
  return self->found != NULL ? self->found->boxes->len : 0;
}

guint
wp_search_count_folded (const WpSearch *self)
{
  return self->found != NULL ? self->found->n_folded : 0;
}

guint32
wp_search_next (WpSearch *self, int direction)
{
  guint n = wp_search_count (self);

  if (n == 0)
    return G_MAXUINT32;
  if (self->at == G_MAXUINT)
    self->at = direction < 0 ? n - 1 : 0;
  else
    self->at = (self->at + (direction < 0 ? n - 1 : 1)) % n;
  return g_array_index (self->found->boxes, guint32, self->at);
}

char *
wp_search_text (const WpSearch *self)
{
  guint n = wp_search_count (self);
  g_autofree char *share = NULL, *count = NULL;

  if (self->text == NULL || *self->text == '\0')
    return g_strdup ("");
  if (n == 0)
    return g_strdup (_("Nothing found"));
  if (self->at == G_MAXUINT)
    count = g_strdup_printf (ngettext ("%u box", "%u boxes", n), n);
  else
    count = g_strdup_printf (_("%u of %u"), self->at + 1, n);
  if (self->found->n_folded > 0)
    {
      g_autofree char *shown = g_steal_pointer (&count);

      count = g_strdup_printf (_("%s, %u in folds"), shown, self->found->n_folded);
    }
  if (isnan (self->found->share))
    return g_steal_pointer (&count);
  share = g_strdup_printf ("%.1f %%", self->found->share * 100);
  return g_strdup_printf ("%s · %s", count, share);
}

char *
wp_search_covered_text (const WpSearch *self)
{
  char text[WP_FORMAT_MAX];

  if (wp_search_count (self) == 0)
    return g_strdup ("");
  return g_strdup (wp_unit_format (self->found->unit, (double) self->found->covered * self->found->scale, text));
}
