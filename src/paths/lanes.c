/* Lanes: paths that do not overlap in time may share one. */
#include "paths/paths-private.h"

typedef struct
{
  gint64 end;
  guint32 lane;
} WpLane;

static gboolean
slept_throughout (const WpPaths *paths, const WpPath *path)
{
  return path->base && wp_slept_throughout (&paths->trace->ops.data[paths->parts.data[path->first_part].op]);
}

/* Idle threads come behind those that did something. */
static int
compare_paths (const void *a, const void *b, void *data)
{
  const WpPaths *paths = data;
  const WpPath *x = &paths->paths.data[*(const WpId *) a], *y = &paths->paths.data[*(const WpId *) b];

  if (x->base != y->base)
    return x->base ? -1 : 1;
  if (slept_throughout (paths, x) != slept_throughout (paths, y))
    return slept_throughout (paths, x) ? 1 : -1;
  if (x->started != y->started)
    return y->started ? -1 : 1;
  if (x->start != y->start)
    return x->start < y->start ? -1 : 1;
  return *(const WpId *) a < *(const WpId *) b ? -1 : 1;
}

/* A heap of lanes by the end of what is in them. */
static void
sift_down (WpLane *heap, guint32 n, guint32 i)
{
  for (;;)
    {
      guint32 child = 2 * i + 1;
      WpLane swap = heap[i];

      if (child + 1 < n && heap[child + 1].end < heap[child].end)
        child++;
      if (child >= n || heap[child].end >= heap[i].end)
        return;
      heap[i] = heap[child];
      heap[child] = swap;
      i = child;
    }
}

static void
sift_up (WpLane *heap, guint32 i)
{
  for (; i > 0 && heap[(i - 1) / 2].end > heap[i].end; i = (i - 1) / 2)
    {
      WpLane swap = heap[i];

      heap[i] = heap[(i - 1) / 2];
      heap[(i - 1) / 2] = swap;
    }
}

/* Every base path has a lane of its own; the others share those that are free, those that were started have theirs below. */
void
wp_paths_assign_lanes (WpPaths *paths)
{
  guint32 n = paths->paths.len - 1, in_heap = 0;
  g_autofree WpId *order = g_new (WpId, n + 1);
  g_autofree WpLane *heap = g_new (WpLane, n + 1);

  for (guint32 i = 0; i < n; i++)
    order[i] = i + 1;
  g_qsort_with_data (order, n, sizeof *order, (GCompareDataFunc) compare_paths, paths);
  for (guint32 i = 0; i < n; i++)
    {
      WpPath *path = &paths->paths.data[order[i]];

      if (i > 0 && path->started && !paths->paths.data[order[i - 1]].started)
        in_heap = 0;
      if (!path->base && in_heap > 0 && heap[0].end <= path->start)
        {
          path->lane = heap[0].lane;
          heap[0].end = path->end;
          sift_down (heap, in_heap, 0);
          continue;
        }
      path->lane = paths->n_lanes++;
      if (!path->base)
        {
          heap[in_heap] = (WpLane) { .end = path->end, .lane = path->lane };
          sift_up (heap, in_heap++);
        }
    }
}
