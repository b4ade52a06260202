#include "plots/grid.h"

#include "base/quote.h"

#include <math.h>

#define LOOK_EVERY 65536 /* rows between looks at whether to stop */

WpGrid *
wp_grid_new (guint32 n_rows)
{
  WpGrid *self = g_new0 (WpGrid, 1);

  self->strings = wp_strings_new ();
  self->n_rows = n_rows;
  return self;
}

void
wp_grid_free (WpGrid *self)
{
  if (self == NULL)
    return;
  for (guint32 c = 0; c < self->columns.len; c++)
    {
      g_free (self->columns.data[c].numbers);
      g_free (self->columns.data[c].texts);
    }
  g_free (self->details);
  wp_array_clear (&self->columns);
  wp_strings_free (self->strings);
  g_free (self);
}

guint32
wp_grid_add (WpGrid *self, const char *name)
{
  WpGridColumn column = { .name = wp_strings_intern (self->strings, name) };

  column.texts = g_new0 (WpId, (gsize) self->n_rows + 1);
  column.numbers = g_new (double, (gsize) self->n_rows + 1);
  for (guint32 i = 0; i < self->n_rows; i++)
    column.numbers[i] = NAN;
  wp_array_push (&self->columns, column);
  return self->columns.len - 1;
}

void
wp_grid_set_text (WpGrid *self, guint32 column, guint32 row, const char *text)
{
  self->columns.data[column].texts[row] = wp_strings_intern (self->strings, text);
  if (*text != '\0')
    g_clear_pointer (&self->columns.data[column].numbers, g_free);
}

void
wp_grid_set_number (WpGrid *self, guint32 column, guint32 row, double number, const char *text)
{
  self->columns.data[column].texts[row] = wp_strings_intern (self->strings, text);
  if (self->columns.data[column].numbers != NULL)
    self->columns.data[column].numbers[row] = number;
}

#define DIGITS 6

/* A fraction of which more is known than can be looked at. */
static void
round_fraction (double number, char buffer[WP_FORMAT_MAX])
{
  int before = fabs (number) < 1 ? 0 : (int) floor (log10 (fabs (number))) + 1;

  if (before == 0)
    g_snprintf (buffer, WP_FORMAT_MAX, "%.*g", DIGITS, number);
  else
    g_snprintf (buffer, WP_FORMAT_MAX, "%.*f", MAX (DIGITS - before, 1), number);
}

const char *
wp_grid_shown (const WpGrid *self, guint32 column, guint32 row, char buffer[WP_FORMAT_MAX])
{
  const WpGridColumn *c = &self->columns.data[column];
  const char *text = wp_strings_get (self->strings, c->texts[row]);
  double number = c->numbers != NULL ? c->numbers[row] : NAN;

  if (c->shown == WP_GRID_TEXT || c->shown == WP_GRID_SHARE || !(fabs (number) < 1e15) || (c->shown == WP_GRID_ROUNDED && number == floor (number)))
    return text;
  if (c->shown == WP_GRID_DECIMALS)
    g_snprintf (buffer, WP_FORMAT_MAX, "%.3f", number);
  else
    round_fraction (number, buffer);
  return c->shown == WP_GRID_DECIMALS || strlen (buffer) < strlen (text) ? buffer : text;
}

/* --- filter --------------------------------------------------------------------------------------------------------- */

/* Which strings hold the text: each is looked at once, however many cells have it. */
static guint8 *
find_strings (const WpGrid *self, const char *filter)
{
  guint32 n = wp_strings_count (self->strings);
  g_autofree char *wanted = g_utf8_casefold (filter, -1);
  guint8 *found = g_new0 (guint8, (gsize) n + 1);

  for (WpId id = 1; id < n; id++)
    {
      g_autofree char *text = g_utf8_casefold (wp_strings_get (self->strings, id), -1);

      found[id] = strstr (text, wanted) != NULL;
    }
  return found;
}

static gboolean
row_matches (const WpGrid *self, const guint8 *found, guint32 row)
{
  for (guint32 c = 0; c < self->columns.len; c++)
    if (found[self->columns.data[c].texts[row]])
      return TRUE;
  return FALSE;
}

/* --- order ---------------------------------------------------------------------------------------------------------- */

typedef struct
{
  double key; /* NAN: empty, always last */
  guint32 row;
} Sorted;

static int
compare_rising (const void *a, const void *b)
{
  const Sorted *x = a, *y = b;

  if (isnan (x->key) || isnan (y->key))
    {
      if (isnan (x->key) != isnan (y->key))
        return isnan (x->key) ? 1 : -1;
    }
  else if (x->key != y->key)
    return x->key < y->key ? -1 : 1;
  return x->row < y->row ? -1 : x->row > y->row;
}

static int
compare_strings (const void *a, const void *b, gpointer data)
{
  char **keys = data;

  return strcmp (keys[*(const WpId *) a], keys[*(const WpId *) b]);
}

/* For each string that the column has, its place in the alphabet. */
static double *
rank_strings (const WpGrid *self, const WpGridColumn *column)
{
  guint32 n = wp_strings_count (self->strings), n_used = 0;
  g_autofree char **keys = g_new0 (char *, (gsize) n + 1);
  g_autofree WpId *used = g_new (WpId, (gsize) n + 1);
  double *ranks = g_new (double, (gsize) n + 1);

  ranks[0] = NAN;
  for (guint32 i = 0; i < self->n_rows; i++)
    {
      WpId id = column->texts[i];

      if (id == 0 || keys[id] != NULL)
        continue;
      keys[id] = g_utf8_collate_key (wp_strings_get (self->strings, id), -1);
      used[n_used++] = id;
    }
  g_qsort_with_data (used, (int) n_used, sizeof *used, compare_strings, keys);
  for (guint32 i = 0; i < n_used; i++)
    ranks[used[i]] = i > 0 && strcmp (keys[used[i]], keys[used[i - 1]]) == 0 ? ranks[used[i - 1]] : i;
  for (guint32 i = 0; i < n_used; i++)
    g_free (keys[used[i]]);
  return ranks;
}

static void
sort_rows (const WpGrid *self, guint32 *rows, guint32 n, guint32 column, gboolean descending)
{
  const WpGridColumn *c = &self->columns.data[column];
  g_autofree Sorted *sorted = g_new (Sorted, (gsize) n + 1);
  g_autofree double *ranks = c->numbers == NULL ? rank_strings (self, c) : NULL;

  for (guint32 i = 0; i < n; i++)
    {
      double key = c->numbers != NULL ? c->numbers[rows[i]] : ranks[c->texts[rows[i]]];

      sorted[i] = (Sorted) { descending ? -key : key, rows[i] };
    }
  qsort (sorted, n, sizeof *sorted, compare_rising);
  for (guint32 i = 0; i < n; i++)
    rows[i] = sorted[i].row;
}

guint32 *
wp_grid_order (const WpGrid *self, const char *filter, guint32 column, gboolean descending, guint32 *n, WpProgress *progress)
{
  g_autofree guint8 *found = filter != NULL && *filter != '\0' ? find_strings (self, filter) : NULL;
  guint32 *rows = g_new (guint32, (gsize) self->n_rows + 1);

  *n = 0;
  for (guint32 i = 0; i < self->n_rows; i++)
    {
      if (found == NULL || row_matches (self, found, i))
        rows[(*n)++] = i;
      if (i % LOOK_EVERY == 0 && !wp_progress_step (progress, (double) i / self->n_rows, NULL))
        {
          g_free (rows);
          return NULL;
        }
    }
  if (column < self->columns.len)
    sort_rows (self, rows, *n, column, descending);
  return rows;
}

/* --- as text -------------------------------------------------------------------------------------------------------- */

static void
append_tsv (GString *out, const char *text)
{
  for (; *text != '\0'; text++)
    if (*text == '\t' || *text == '\n')
      g_string_append (out, *text == '\t' ? "\\t" : "\\n");
    else
      g_string_append_c (out, *text);
}

typedef void (*AppendFunc) (GString *out, const char *text);

static void
write_rows (const WpGrid *self, const guint32 *order, guint32 n, char between, const char *end, AppendFunc append, GString *out)
{
  for (guint32 i = 0; i <= n; i++)
    {
      for (guint32 c = 0; c < self->columns.len; c++)
        {
          if (c > 0)
            g_string_append_c (out, between);
          append (out, i == 0 ? wp_strings_get (self->strings, self->columns.data[c].name) : wp_grid_text (self, c, order[i - 1]));
        }
      g_string_append (out, end);
    }
}

void
wp_grid_write (const WpGrid *self, const guint32 *order, guint32 n, GString *out)
{
  write_rows (self, order, n, '\t', "\n", append_tsv, out);
}

void
wp_grid_write_csv (const WpGrid *self, const guint32 *order, guint32 n, GString *out)
{
  write_rows (self, order, n, ',', "\r\n", wp_quote_csv, out);
}
