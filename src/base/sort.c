#include "base/sort.h"

int
wp_compare_doubles (const void *a, const void *b)
{
  return WP_COMPARE (*(const double *) a, *(const double *) b);
}

int
wp_compare_ids (const void *a, const void *b)
{
  return WP_COMPARE (*(const WpId *) a, *(const WpId *) b);
}

int
wp_compare_texts (const void *a, const void *b)
{
  return strcmp (*(const char *const *) a, *(const char *const *) b);
}

#define BLOCK 8192 /* rows that are sorted at once, and merged from one look at the progress to the next */

/* Merges the neighbouring sorted runs from `start` and from `middle` into `to`. */
static gboolean
merge (char *from, char *to, gsize start, gsize middle, gsize end, gsize size, int (*compare) (const void *, const void *), WpProgress *progress,
       GError **error)
{
  gsize left = start, right = middle;

  for (gsize i = start; i < end; i++)
    {
      gboolean from_left = right >= end || (left < middle && compare (from + left * size, from + right * size) <= 0);

      memcpy (to + i * size, from + (from_left ? left++ : right++) * size, size);
      if (i % BLOCK == 0 && !wp_progress_step (progress, 1, error))
        return FALSE;
    }
  return TRUE;
}

gboolean
wp_sort_many (gpointer rows, gsize n, gsize size, int (*compare) (const void *, const void *), WpProgress *progress, GError **error)
{
  g_autofree char *other = n > BLOCK ? g_malloc_n (n, size) : NULL;
  char *from = rows, *to = other;
  gboolean going_on = TRUE;

  for (gsize start = 0; start < n && going_on; start += BLOCK)
    {
      qsort (from + start * size, MIN (BLOCK, n - start), size, compare);
      going_on = wp_progress_step (progress, 1, error);
    }
  for (gsize width = BLOCK; width < n && going_on; width *= 2)
    {
      for (gsize start = 0; start < n && going_on; start += 2 * width)
        going_on = merge (from, to, start, MIN (start + width, n), MIN (start + 2 * width, n), size, compare, progress, error);
      if (going_on)
        {
          char *merged = to;

          to = from;
          from = merged;
        }
    }
  if (from != (char *) rows)
    memcpy (rows, from, n * size);
  return going_on;
}
