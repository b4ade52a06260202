/* Walks along commits, as git's: a heap of commits whose children were given, the newest first. libgit2's own walk reads all commits before it
 * gives the first one in order of time, and finds nothing in a shallow clone. */
#include "store/vcs-private.h"

#define FEW 500 /* commits that are read sooner than a file is looked for and written: no less than that is kept */

typedef struct
{
  gint64 time;
  guint64 number; /* of those of one time, the one that was found first */
  guint32 row;
  WpMinorVersion *info; /* NULL: its row says all that is wanted */
} Waiting;

struct WpVcsWalk
{
  WpVcs *vcs; /* not owned */
  WpVcsWalkKind kind;
  WP_ARRAY (Waiting) heap;
  WP_ARRAY (guint8) seen; /* of rows of commits: whether they are in the heap, or were */
  guint64 number;
  guint given;
};

/* --- heap ----------------------------------------------------------------------------------------------------------------- */

static gboolean
comes_before (const Waiting *a, const Waiting *b)
{
  return a->time != b->time ? a->time > b->time : a->number < b->number;
}

static void
swap_waiting (Waiting *a, Waiting *b)
{
  Waiting c = *a;

  *a = *b;
  *b = c;
}

static void
heap_push (WpVcsWalk *self, Waiting waiting)
{
  guint32 i = self->heap.len;
  Waiting *rows;

  wp_array_push (&self->heap, waiting);
  rows = self->heap.data;
  for (; i > 0 && comes_before (&rows[i], &rows[(i - 1) / 2]); i = (i - 1) / 2)
    swap_waiting (&rows[i], &rows[(i - 1) / 2]);
}

static Waiting
heap_pop (WpVcsWalk *self)
{
  Waiting *rows = self->heap.data, top = rows[0];
  guint32 n = --self->heap.len;

  rows[0] = rows[n];
  for (guint32 i = 0, best = 0;; i = best)
    {
      for (guint32 child = 2 * i + 1; child <= 2 * i + 2 && child < n; child++)
        if (comes_before (&rows[child], &rows[best]))
          best = child;
      if (best == i)
        return top;
      swap_waiting (&rows[i], &rows[best]);
    }
}

/* --- commits -------------------------------------------------------------------------------------------------------------- */

/* Asks version control. NULL: it does not have it. */
static WpMinorVersion *
read_commit (WpVcs *vcs, guint32 row)
{
  WpMinorVersion *info = g_new0 (WpMinorVersion, 1);
  char hash[41];

  wp_commits_hash (&vcs->commits, row, hash);
  if (!vcs->row->info (vcs->self, hash, info, NULL))
    {
      g_free (info);
      return NULL;
    }
  if (!wp_commits_has_read (&vcs->commits, row))
    wp_commits_set (&vcs->commits, row, info);
  return info;
}

static void
free_info (WpMinorVersion *info)
{
  if (info == NULL)
    return;
  wp_minor_version_clear (info);
  g_free (info);
}

static void
push (WpVcsWalk *self, guint32 row, WpMinorVersion *info)
{
  WpCommits *commits = &self->vcs->commits;

  if (self->seen.len < commits->ids.len)
    wp_array_resize (&self->seen, commits->ids.len);
  self->seen.data[row] = TRUE;
  heap_push (self, (Waiting) { commits->rows.data[row].time, self->number++, row, info });
}

/* A commit that a shallow or damaged repository does not have ends its line of history, though it may be kept. */
static void
walk_to (WpVcsWalk *self, guint32 row)
{
  WpVcs *vcs = self->vcs;
  WpMinorVersion *info = NULL;

  if (row < self->seen.len && self->seen.data[row])
    return;
  if (self->kind == WP_VCS_WALK_BRIEF && wp_commits_has_read (&vcs->commits, row))
    {
      if (!vcs->row->has (vcs->self, vcs->commits.ids.data[row].bytes))
        return;
    }
  else if ((info = read_commit (vcs, row)) == NULL)
    return;
  if (self->kind == WP_VCS_WALK_BRIEF && wp_commits_has_read (&vcs->commits, row))
    g_clear_pointer (&info, free_info);
  push (self, row, info);
}

/* --- walks ---------------------------------------------------------------------------------------------------------------- */

WpVcsWalk *
wp_vcs_walk_new (WpVcs *self, const char *head, WpVcsWalkKind kind, GError **error)
{
  WpMinorVersion info;
  WpVcsWalk *walk;

  if (!self->row->info (self->self, head, &info, error))
    return NULL;
  walk = g_new0 (WpVcsWalk, 1);
  walk->vcs = self;
  walk->kind = kind;
  walk_to (walk, wp_commits_row (&self->commits, info.hash));
  wp_minor_version_clear (&info);
  return walk;
}

/* Once for many: looking for it costs as much as reading some commits. */
static void
look_up_kept (WpVcs *vcs)
{
  if (vcs->looked_up || !vcs->row->is_lasting (vcs->self))
    return;
  vcs->looked_up = TRUE;
  wp_commits_load (&vcs->commits, wp_vcs_place (vcs));
}

gboolean
wp_vcs_walk_next (WpVcsWalk *self, WpMinorVersion *info, GError **error G_GNUC_UNUSED)
{
  WpVcs *vcs = self->vcs;
  Waiting next;

  if (self->heap.len == 0)
    return FALSE;
  if (self->kind == WP_VCS_WALK_BRIEF && self->given++ == FEW)
    look_up_kept (vcs);
  next = heap_pop (self);
  for (guint32 i = 0; i < vcs->commits.rows.data[next.row].n; i++)
    walk_to (self, vcs->commits.parents.data[vcs->commits.rows.data[next.row].first + i]);
  if (next.info != NULL)
    {
      *info = *next.info;
      g_free (next.info);
    }
  else
    wp_commits_describe (&vcs->commits, next.row, info);
  if (self->kind == WP_VCS_WALK_BRIEF)
    g_clear_pointer (&info->message, g_free);
  return TRUE;
}

static void
keep (WpVcs *vcs)
{
  if (vcs->looked_up && vcs->commits.n_new >= FEW)
    wp_commits_save (&vcs->commits, wp_vcs_place (vcs));
}

void
wp_vcs_walk_free (WpVcsWalk *self)
{
  if (self == NULL)
    return;
  keep (self->vcs);
  for (guint32 i = 0; i < self->heap.len; i++)
    free_info (self->heap.data[i].info);
  wp_array_clear (&self->heap);
  wp_array_clear (&self->seen);
  g_free (self);
}
