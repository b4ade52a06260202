#include "read/symbols/functions.h"

#include "base/search.h"
#include "base/sort.h"

typedef struct
{
  guint64 start, end;
  guint32 name; /* in `names` */
  guint32 order;
  gboolean label;
} Function;

struct WpFunctions
{
  WP_ARRAY (Function) rows; /* sorted, one for each address */
  GString *names;
};

WpFunctions *
wp_functions_new (void)
{
  WpFunctions *self = g_new0 (WpFunctions, 1);

  self->names = g_string_new (NULL);
  return self;
}

void
wp_functions_free (WpFunctions *self)
{
  if (self == NULL)
    return;
  wp_array_clear (&self->rows);
  g_string_free (self->names, TRUE);
  g_free (self);
}

void
wp_functions_add (WpFunctions *self, guint64 start, guint64 size, guint32 order, const char *name, gsize n,
                  const char *suffix)
{
  Function *function;

  if (self->names->len > G_MAXUINT32 / 2 || self->rows.len > G_MAXUINT32 / 4)
    return;
  function = wp_array_add (&self->rows);
  function->start = start;
  function->end = start + MIN (size, G_MAXUINT64 - start);
  function->order = order;
  function->name = self->names->len;
  g_string_append_len (self->names, name, n);
  g_string_append (self->names, suffix);
  g_string_append_c (self->names, '\0');
}

void
wp_functions_is_label (WpFunctions *self)
{
  if (self->rows.len > 0)
    self->rows.data[self->rows.len - 1].label = TRUE;
}

guint32
wp_functions_count (const WpFunctions *self)
{
  return self->rows.len;
}

static int
compare (const void *a, const void *b)
{
  const Function *x = a, *y = b;

  if (x->start != y->start)
    return x->start < y->start ? -1 : 1;
  if (x->label != y->label)
    return x->label ? 1 : -1;
  if (x->order != y->order)
    return x->order < y->order ? -1 : 1;
  return (x->name > y->name) - (x->name < y->name);
}

/* Labels within functions go. */
static void
drop_labels (WpFunctions *self)
{
  guint64 covered = 0; /* up to here by functions whose sizes are known */
  guint32 n = 0;

  for (guint32 i = 0; i < self->rows.len; i++)
    {
      const Function row = self->rows.data[i];

      if (!row.label)
        covered = MAX (covered, row.end);
      else if (row.start < covered)
        continue;
      self->rows.data[n++] = row;
    }
  self->rows.len = n;
}

void
wp_functions_sort (WpFunctions *self)
{
  guint32 n = 0;

  wp_array_sort (&self->rows, compare);
  for (guint32 i = 0; i < self->rows.len; i++)
    if (n == 0 || self->rows.data[n - 1].start != self->rows.data[i].start)
      self->rows.data[n++] = self->rows.data[i];
  self->rows.len = n;
  drop_labels (self);
  for (guint32 i = 0; i < self->rows.len; i++)
    if (self->rows.data[i].end == self->rows.data[i].start)
      self->rows.data[i].end = i + 1 < self->rows.len ? self->rows.data[i + 1].start : G_MAXUINT64;
}

gint64
wp_functions_find (const WpFunctions *self, guint64 address)
{
  const guint32 low = WP_SEARCH (0, self->rows.len, i, self->rows.data[i].start <= address);

  return low > 0 && address < self->rows.data[low - 1].end ? (gint64) low - 1 : -1;
}

const char *
wp_functions_name (const WpFunctions *self, guint32 row)
{
  return self->names->str + self->rows.data[row].name;
}

void
wp_functions_range (const WpFunctions *self, guint32 row, guint64 *start, guint64 *end)
{
  *start = self->rows.data[row].start;
  *end = self->rows.data[row].end;
}
