#include "workspace/range/range-list.h"

#include <glib/gi18n.h>

#include "workspace/range/range-choice.h"

WpRangeList *
wp_range_list_new (void)
{
  WpRangeList *self = g_new0 (WpRangeList, 1);

  self->commits = g_array_new (FALSE, TRUE, sizeof (WpRangeCommit));
  g_array_set_clear_func (self->commits, wp_range_commit_clear);
  return self;
}

void
wp_range_list_free (WpRangeList *self)
{
  g_strfreev (self->hashes);
  g_array_unref (self->commits);
  g_free (self);
}

void
wp_range_list_set (WpRangeList *self, const GArray *picks)
{
  g_array_set_size (self->commits, 0);
  g_clear_pointer (&self->hashes, g_strfreev);
  if (picks == NULL)
    return;
  self->hashes = g_new0 (char *, picks->len + 1);
  for (guint i = 0; i < picks->len; i++)
    {
      const WpRangePick *pick = &g_array_index (picks, WpRangePick, i);
      WpRangeCommit commit = { .state = WP_RANGE_WAITING, .subject = g_strdup (pick->subject) };

      g_strlcpy (commit.hash, pick->hash, sizeof commit.hash);
      g_array_append_val (self->commits, commit);
      self->hashes[i] = g_strdup (pick->hash);
    }
}

const WpRangeCommit *
wp_range_list_get (const WpRangeList *self, guint position)
{
  return position < self->commits->len ? &g_array_index (self->commits, WpRangeCommit, position) : NULL;
}

static void
take_over (WpRangeCommit *to, const WpRangeCommit *from)
{
  to->state = from->state;
  if (g_strcmp0 (to->problem, from->problem) != 0)
    {
      g_free (to->problem);
      to->problem = g_strdup (from->problem);
    }
  if (to->log == NULL)
    to->log = g_strdup (from->log);
}

void
wp_range_list_take (WpRangeList *self, const WpRange *range)
{
  guint n;
  const WpRangeCommit *commits = wp_range_commits (range, &n);

  for (guint i = 0; i < MIN (n, self->commits->len); i++)
    take_over (&g_array_index (self->commits, WpRangeCommit, i), &commits[i]);
}

gboolean
wp_range_list_is_left (const WpRangeList *self)
{
  for (guint i = 0; i < self->commits->len; i++)
    {
      WpRangeState state = g_array_index (self->commits, WpRangeCommit, i).state;

      if (state == WP_RANGE_WAITING || state == WP_RANGE_FAILED || state == WP_RANGE_STOPPED)
        return TRUE;
    }
  return FALSE;
}

char *
wp_range_list_summary (const WpRangeList *self)
{
  guint counts[WP_RANGE_STATES] = { 0 };

  for (guint i = 0; i < self->commits->len; i++)
    counts[g_array_index (self->commits, WpRangeCommit, i).state]++;
  return g_strdup_printf (_("%u of %u commits: %u registered, %u profiled before, %u failed"),
                          counts[WP_RANGE_DONE] + counts[WP_RANGE_PASSED_OVER] + counts[WP_RANGE_FAILED], self->commits->len,
                          counts[WP_RANGE_DONE], counts[WP_RANGE_PASSED_OVER], counts[WP_RANGE_FAILED]);
}
