#include "workspace/file/search.h"

#include <glib/gi18n.h>
#include <math.h>
#include <string.h>

#include "base/sort.h"

struct WpSearch
{
  char *text;    /* what was looked for last, or NULL */
  GArray *found; /* guint32: boxes, in the order of the rows */
  guint n_folded; /* of `found`, those that match by what they hide */
  guint at;      /* in `found`; G_MAXUINT: at none yet */
  WpUnit unit;   /* what rows are as wide in; */
  double scale;
  gint64 covered; /* by boxes of `found`, each stretch of a lane once */
  double share;  /* of the whole width that boxes of `found` cover; NAN: widths are times there */
};

typedef struct
{
  guint32 lane;
  gint64 start, end;
} Stretch;

WP_DEFINE_COMPARE_2 (compare_stretches, Stretch, lane, start)

WpSearch *
wp_search_new (void)
{
  WpSearch *self = g_new0 (WpSearch, 1);

  self->found = g_array_new (FALSE, FALSE, sizeof (guint32));
  self->at = G_MAXUINT;
  return self;
}

void
wp_search_free (WpSearch *self)
{
  g_array_unref (self->found);
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

static guint8 *
find (WpSearch *self, const WpRows *rows, const guint32 *stacks, gboolean keep, guint32 selected)
{
  g_autofree guint8 *matching = matching_strings (rows->strings, self->text);
  guint8 *boxes = g_new0 (guint8, MAX (rows->boxes.len, 1));

  for (guint32 i = 0; i < rows->boxes.len; i++)
    if (!rows->boxes.data[i].ghost && (matching[rows->boxes.data[i].label] || hides_match (rows, &rows->boxes.data[i], stacks)))
      {
        boxes[i] = 1;
        self->n_folded += !matching[rows->boxes.data[i].label];
        if (keep && i == selected)
          self->at = self->found->len;
        g_array_append_val (self->found, i);
      }
  return boxes;
}

/* What stands on a match stands on the same stretch: each counts once. Lanes go on side by side, as tasks do, and count each. */
static gint64
find_covered (const WpSearch *self, const WpRows *rows, const guint8 *boxes)
{
  g_autofree Stretch *stretches = g_new (Stretch, MAX (self->found->len, 1));
  gboolean rows_apart = rows->boxes.len > 0 && rows->boxes.data[0].ref_kind == WP_REF_OP;
  gint64 covered = 0, until = 0;
  guint32 n = 0, lane = 0;

  for (guint32 r = 0; r < rows->rows.len; r++)
    {
      const WpRow *row = &rows->rows.data[r];

      lane += row->group || rows_apart;
      for (guint32 i = row->first; i < row->first + row->n; i++)
        if (boxes[i])
          stretches[n++] = (Stretch) { lane, rows->boxes.data[i].start, rows->boxes.data[i].end };
    }
  qsort (stretches, n, sizeof *stretches, compare_stretches);
  for (guint32 i = 0; i < n; i++)
    {
      if (i == 0 || stretches[i].lane != stretches[i - 1].lane)
        until = rows->start;
      covered += MAX (stretches[i].end - MAX (stretches[i].start, until), 0);
      until = MAX (until, stretches[i].end);
    }
  return covered;
}

guint8 *
wp_search_run (WpSearch *self, const WpRows *rows, const guint32 *stacks, const char *text, guint32 selected)
{
  gboolean keep = self->at != G_MAXUINT && wp_search_is_for (self, text);
  char *copy = g_strdup (text); /* it may be our own */
  guint8 *boxes;

  wp_search_forget (self);
  self->at = G_MAXUINT;
  g_free (self->text);
  self->text = copy;
  if (rows == NULL || *copy == '\0')
    return NULL;
  boxes = find (self, rows, stacks, keep, selected);
  self->covered = find_covered (self, rows, boxes);
  self->share = rows->is_time || rows->end <= rows->start ? NAN : (double) self->covered / (double) (rows->end - rows->start);
  self->unit = rows->x_unit;
  self->scale = rows->scale != 0 ? rows->scale : 1;
  return boxes;
}

void
wp_search_forget (WpSearch *self)
{
  g_array_set_size (self->found, 0);
  self->n_folded = 0;
}

gboolean
wp_search_is_for (const WpSearch *self, const char *text)
{
  return g_strcmp0 (text, self->text) == 0;
}

guint
wp_search_count (const WpSearch *self)
{
  return self->found->len;
}

guint
wp_search_count_folded (const WpSearch *self)
{
  return self->n_folded;
}

guint32
wp_search_next (WpSearch *self, int direction)
{
  guint n = self->found->len;

  if (n == 0)
    return G_MAXUINT32;
  if (self->at == G_MAXUINT)
    self->at = direction < 0 ? n - 1 : 0;
  else
    self->at = (self->at + (direction < 0 ? n - 1 : 1)) % n;
  return g_array_index (self->found, guint32, self->at);
}

char *
wp_search_text (const WpSearch *self)
{
  guint n = self->found->len;
  g_autofree char *share = NULL, *count = NULL;

  if (self->text == NULL || *self->text == '\0')
    return g_strdup ("");
  if (n == 0)
    return g_strdup (_("Nothing found"));
  if (self->at == G_MAXUINT)
    count = g_strdup_printf (ngettext ("%u box", "%u boxes", n), n);
  else
    count = g_strdup_printf (_("%u of %u"), self->at + 1, n);
  if (self->n_folded > 0)
    {
      g_autofree char *shown = g_steal_pointer (&count);

      count = g_strdup_printf (_("%s, %u in folds"), shown, self->n_folded);
    }
  if (isnan (self->share))
    return g_steal_pointer (&count);
  share = g_strdup_printf ("%.1f %%", self->share * 100);
  return g_strdup_printf ("%s · %s", count, share);
}

char *
wp_search_covered_text (const WpSearch *self)
{
  char text[WP_FORMAT_MAX];

  if (self->found->len == 0)
    return g_strdup ("");
  return g_strdup (wp_unit_format (self->unit, (double) self->covered * self->scale, text));
}
