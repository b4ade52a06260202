#include "base/moments.h"

#include "base/free-aside.h"
#include "base/sort.h"

#define FEW 48 /* so many are put in order one by one */

WP_DEFINE_COMPARE (compare_moments, WpMoment, at)

/* Whether they are in order already; says what they reach over. */
static gboolean
survey (const WpMoments *self, gint64 *first, gint64 *last)
{
  gboolean sorted = TRUE;

  *first = *last = self->data[0].at;
  for (guint32 i = 1; i < self->len; i++)
    {
      sorted = sorted && self->data[i - 1].at <= self->data[i].at;
      *first = MIN (*first, self->data[i].at);
      *last = MAX (*last, self->data[i].at);
    }
  return sorted;
}

static void
insert_one_by_one (WpMoment *rows, guint32 n)
{
  for (guint32 i = 1; i < n; i++)
    {
      WpMoment row = rows[i];
      guint32 to = i;

      for (; to > 0 && rows[to - 1].at > row.at; to--)
        rows[to] = rows[to - 1];
      rows[to] = row;
    }
}

/* Spreads them over stretches of 2^shift ns; `ends` has where each stretch ends then. */
static gboolean
spread (const WpMoments *self, gint64 first, guint shift, guint32 *ends, guint32 n_stretches, WpMoment *to, WpProgress *progress, GError **error)
{
  guint32 sum = 0;

  for (guint32 i = 0; i < self->len; i++)
    {
      ends[((guint64) self->data[i].at - (guint64) first) >> shift]++;
      if (!wp_progress_row (progress, i, error))
        return FALSE;
    }
  for (guint32 s = 0; s < n_stretches; s++)
    {
      guint32 n = ends[s];

      ends[s] = sum;
      sum += n;
    }
  for (guint32 i = 0; i < self->len; i++)
    {
      to[ends[((guint64) self->data[i].at - (guint64) first) >> shift]++] = self->data[i];
      if (!wp_progress_row (progress, i, error))
        return FALSE;
    }
  return TRUE;
}

static gboolean
sort_stretches (WpMoment *rows, const guint32 *ends, guint32 n_stretches, WpProgress *progress, GError **error)
{
  for (guint32 s = 0, from = 0; s < n_stretches; from = ends[s++])
    {
      if (ends[s] - from <= FEW)
        insert_one_by_one (rows + from, ends[s] - from);
      else if (!wp_sort_many (rows + from, ends[s] - from, sizeof *rows, compare_moments, progress, error))
        return FALSE;
      if (!wp_progress_row (progress, s, error))
        return FALSE;
    }
  return TRUE;
}

gboolean
wp_moments_sort (WpMoments *self, WpProgress *progress, GError **error)
{
  gint64 first, last;
  guint shift = 0;
  guint32 n_stretches;
  WpMoment *spread_out;
  guint32 *ends;
  gboolean going_on;

  if (self->len < 2 || survey (self, &first, &last))
    return wp_progress_step (progress, 0, error);
  while (((guint64) last - (guint64) first) >> shift > self->len / 2)
    shift++;
  n_stretches = (guint32) (((guint64) last - (guint64) first) >> shift) + 1;
  ends = g_new0 (guint32, n_stretches);
  spread_out = g_new (WpMoment, self->len);
  going_on = spread (self, first, shift, ends, n_stretches, spread_out, progress, error)
             && sort_stretches (spread_out, ends, n_stretches, progress, error);
  wp_free_many_aside (ends, n_stretches, g_free);
  wp_free_many_aside (self->data, self->len, g_free);
  self->data = spread_out;
  self->cap = self->len;
  return going_on;
}

gboolean
wp_moments_group (WpMoments *self, guint32 n, WpMomentGroups *groups, WpProgress *progress, GError **error)
{
  gboolean going_on = wp_moments_sort (self, progress, error);

  *groups = (WpMomentGroups) { .first = g_new0 (guint32, (gsize) n + 2) };
  wp_array_reserve (&groups->ids, self->len);
  groups->ids.len = self->len;
  for (guint32 i = 0; i < self->len && going_on; i++)
    {
      groups->first[self->data[i].what + 2]++;
      going_on = wp_progress_row (progress, i, error);
    }
  for (guint32 what = 0; what < n; what++)
    groups->first[what + 2] += groups->first[what + 1];
  for (guint32 i = 0; i < self->len && going_on; i++)
    {
      groups->ids.data[groups->first[self->data[i].what + 1]++] = self->data[i].id; /* so that in the end each begins where it should */
      going_on = wp_progress_row (progress, i, error);
    }
  return going_on;
}

void
wp_moment_groups_clear (WpMomentGroups *groups)
{
  g_clear_pointer (&groups->first, g_free);
  wp_free_many_aside (g_steal_pointer (&groups->ids.data), groups->ids.len, g_free);
  groups->ids = (WpIdArray) { 0 };
}
