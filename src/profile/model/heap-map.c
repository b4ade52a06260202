#include "profile/model/heap-map.h"

#include "base/hash.h"
#include "base/search.h"

#include <glib/gi18n.h>
#include <math.h>

#define RANGE_MIN 500
#define RANGE_MAX 1000000

/* --- what resources say ----------------------------------------------------------------------------------------------- */

typedef struct
{
  const WpValues *values;
  WpValue address, amount, uid, subtype, trace, free; /* keys, and the text "free"; 0: the document has none */
} Keys;

static Keys
keys_of (const WpProfile *profile)
{
  const WpValues *values = profile->values;

  return (Keys) { .values = values,
                  .address = wp_values_find_string (values, "address"),
                  .amount = wp_values_find_string (values, "amount"),
                  .uid = wp_values_find_string (values, "uid"),
                  .subtype = wp_values_find_string (values, "subtype"),
                  .trace = wp_values_find_string (values, "trace"),
                  .free = wp_values_find_string (values, "free") };
}

/* A number as a whole one, within what addresses and their sums can be. */
static gint64
whole (const Keys *keys, WpValue resource, WpValue key)
{
  double d = wp_value_number (keys->values, wp_value_find (keys->values, resource, key));

  return isnan (d) ? 0 : (gint64) CLAMP (d, -1e18, 1e18);
}

static const char *
unit_of (const WpProfile *profile)
{
  WpValue units = wp_value_get (profile->values, profile->header, "units");

  return wp_value_string (profile->values, wp_value_get (profile->values, units, "memory"));
}

static gboolean
refuse (const WpProfile *profile, const char *what, GError **error)
{
  g_set_error (error, WP_JSON_ERROR, WP_JSON_ERROR_VALUE, "%s: %s", profile->path, what);
  return FALSE;
}

static gint64
clamp_range (gint64 min, gint64 max)
{
  return CLAMP (max, min + RANGE_MIN, min + RANGE_MAX);
}

/* --- lives of allocations ---------------------------------------------------------------------------------------------- */

/* What is alive at each address: a queue of allocations, oldest first, linked by row. */
typedef struct
{
  guint32 first, last; /* row + 1; 0: none */
} Queue;

typedef struct
{
  WpHeapMap *map;
  WpOmissions *omissions;
  Keys keys;
  GHashTable *queues;  /* address -> row of `heads` + 1 */
  WP_ARRAY (Queue) heads;
  WpIdArray next;      /* for each allocation: row + 1 of the next one of its address */
  GHashTable *infos;   /* uid -> index + 1 */
  WpIdArray freed;     /* resources of the current snapshot that free */
} Builder;

static Queue *
queue_of (Builder *self, gint64 address)
{
  gpointer known = g_hash_table_lookup (self->queues, &address);

  if (known == NULL)
    {
      wp_array_push (&self->heads, ((Queue) { 0 }));
      known = GUINT_TO_POINTER (self->heads.len);
      g_hash_table_insert (self->queues, g_memdup2 (&address, sizeof address), known);
    }
  return &self->heads.data[GPOINTER_TO_UINT (known) - 1];
}

static guint32
info_of (Builder *self, WpValue uid)
{
  gpointer known = g_hash_table_lookup (self->infos, GUINT_TO_POINTER (uid));

  if (known == NULL)
    {
      wp_array_push (&self->map->info, uid);
      known = GUINT_TO_POINTER (self->map->info.len);
      g_hash_table_insert (self->infos, GUINT_TO_POINTER (uid), known);
    }
  return GPOINTER_TO_UINT (known) - 1;
}

static void
allocate (Builder *self, WpValue resource, WpValue uid, guint32 snapshot)
{
  WpHeapMap *map = self->map;
  gint64 address = whole (&self->keys, resource, self->keys.address);
  Queue *queue = queue_of (self, address);
  guint32 row = map->allocations.len;

  wp_array_push (&map->allocations,
                 ((WpAllocation) { .address = address, .amount = whole (&self->keys, resource, self->keys.amount),
                                   .subtype = wp_value_find (map->values, resource, self->keys.subtype),
                                   .trace = wp_value_find (map->values, resource, self->keys.trace),
                                   .uid = info_of (self, uid), .first = snapshot, .last = G_MAXUINT32 }));
  wp_array_push (&self->next, 0);
  if (queue->first == 0)
    queue->first = row + 1;
  else
    self->next.data[queue->last - 1] = row + 1;
  queue->last = row + 1;
}

static void
release (Builder *self, WpValue resource, guint32 snapshot)
{
  Queue *queue = queue_of (self, whole (&self->keys, resource, self->keys.address));

  if (queue->first == 0)
    return;
  self->map->allocations.data[queue->first - 1].last = snapshot;
  queue->first = self->next.data[queue->first - 1];
}

/* What a snapshot frees is freed when all of its allocations are there. */
static void
end_snapshot (Builder *self, guint32 snapshot)
{
  for (guint32 i = 0; i < self->freed.len; i++)
    release (self, self->freed.data[i], snapshot);
  self->freed.len = 0;
}

/* Values that are no numbers were reported when the profile was read. */
static gboolean
has_address (const Builder *self, const WpResource *resource)
{
  WpValue address = wp_value_find (self->keys.values, resource->value, self->keys.address);

  if (address == 0)
    wp_omissions_add (self->omissions, "address", N_ ("is missing"), N_ ("left out of the maps of memory"), "snapshots[%u]", resource->snapshot);
  return wp_value_is_number (self->keys.values, address) && isfinite (wp_value_number (self->keys.values, address));
}

static void
find_lives (Builder *self, const WpProfile *profile)
{
  guint32 current = 0;

  for (guint32 i = 0; i < profile->resources.len; i++)
    {
      WpResource resource = profile->resources.data[i];
      WpValue uid = wp_value_find (self->map->values, resource.value, self->keys.uid);
      WpValue subtype = wp_value_find (self->map->values, resource.value, self->keys.subtype);

      if (resource.snapshot >= profile->snapshots.len || !wp_value_is_true (self->map->values, uid)
          || !has_address (self, &resource))
        continue;
      if (resource.snapshot != current)
        end_snapshot (self, current);
      current = resource.snapshot;
      if (subtype != 0 && subtype == self->keys.free)
        wp_array_push (&self->freed, resource.value);
      else
        allocate (self, resource.value, uid, current);
    }
  end_snapshot (self, current);
}

/* --- figures of snapshots ---------------------------------------------------------------------------------------------- */

/* The least of some values of the allocations that are alive: a heap whose top is dropped when it is over. */
typedef struct
{
  gint64 value;
  guint32 last;
} Alive;

typedef WP_ARRAY (Alive) AliveHeap;

static void
heap_push (AliveHeap *heap, Alive alive)
{
  guint32 at = heap->len;

  wp_array_push (heap, alive);
  while (at > 0 && heap->data[(at - 1) / 2].value > alive.value)
    {
      heap->data[at] = heap->data[(at - 1) / 2];
      at = (at - 1) / 2;
    }
  heap->data[at] = alive;
}

static void
heap_pop (AliveHeap *heap)
{
  Alive moved = heap->data[--heap->len];
  guint32 at = 0;

  for (;;)
    {
      guint32 child = 2 * at + 1;

      if (child >= heap->len)
        break;
      if (child + 1 < heap->len && heap->data[child + 1].value < heap->data[child].value)
        child++;
      if (heap->data[child].value >= moved.value)
        break;
      heap->data[at] = heap->data[child];
      at = child;
    }
  heap->data[at] = moved;
}

static gint64
heap_least (AliveHeap *heap, guint32 snapshot)
{
  while (heap->len > 0 && heap->data[0].last < snapshot)
    heap_pop (heap);
  return heap->len > 0 ? heap->data[0].value : 0;
}

enum
{
  MIN_ADDRESS,
  MAX_ADDRESS,
  MIN_AMOUNT,
  MAX_AMOUNT,
  N_HEAPS
};

static void
push_all (AliveHeap *heaps, const WpAllocation *allocation)
{
  gint64 values[N_HEAPS] = { allocation->address, -(allocation->address + allocation->amount), allocation->amount,
                             -allocation->amount };

  for (guint i = 0; i < N_HEAPS; i++)
    heap_push (&heaps[i], (Alive) { values[i], allocation->last });
}

/* Counts and sums: each allocation adds to its first snapshot and is taken away after its last one. */
static void
count_alive (WpHeapMap *map)
{
  guint32 n = map->snapshots.len, count = 0;
  g_autofree guint64 *sums = g_new0 (guint64, (gsize) n + 1); /* unsigned: what overflows wraps */
  g_autofree gint32 *counts = g_new0 (gint32, (gsize) n + 1);
  guint64 sum = 0;

  for (guint32 i = 0; i < map->allocations.len; i++)
    {
      const WpAllocation *allocation = &map->allocations.data[i];

      sums[allocation->first] += (guint64) allocation->amount;
      counts[allocation->first]++;
      if (allocation->last < n)
        {
          sums[allocation->last + 1] -= (guint64) allocation->amount;
          counts[allocation->last + 1]--;
        }
    }
  for (guint32 s = 0; s < n; s++)
    {
      sum += sums[s];
      map->snapshots.data[s].sum_amount = (gint64) sum;
      map->snapshots.data[s].n = count += (guint32) counts[s];
    }
}

static void
fill_snapshots (WpHeapMap *map, const WpProfile *profile)
{
  AliveHeap heaps[N_HEAPS] = { 0 };
  guint32 next = 0;

  wp_array_resize (&map->snapshots, profile->snapshots.len);
  count_alive (map);
  for (guint32 s = 0; s < map->snapshots.len; s++)
    {
      WpHeapSnapshot *snapshot = &map->snapshots.data[s];

      snapshot->time = profile->snapshots.data[s];
      for (; next < map->allocations.len && map->allocations.data[next].first == s; next++)
        push_all (heaps, &map->allocations.data[next]);
      snapshot->min_address = heap_least (&heaps[MIN_ADDRESS], s);
      snapshot->max_address = -heap_least (&heaps[MAX_ADDRESS], s);
      snapshot->min_amount = heap_least (&heaps[MIN_AMOUNT], s);
      snapshot->max_amount = -heap_least (&heaps[MAX_AMOUNT], s);
    }
  for (guint i = 0; i < N_HEAPS; i++)
    wp_array_clear (&heaps[i]);
}

static void
fill_stats (WpHeapMap *map)
{
  map->min_address = map->min_amount = G_MAXINT64;
  map->max_address = map->max_amount = map->max_sum_amount = G_MININT64;
  for (guint32 s = 0; s < map->snapshots.len; s++)
    {
      const WpHeapSnapshot *snapshot = &map->snapshots.data[s];

      if (snapshot->n == 0)
        continue;
      map->min_address = MIN (map->min_address, snapshot->min_address);
      map->max_address = MAX (map->max_address, snapshot->max_address);
      map->min_amount = MIN (map->min_amount, snapshot->min_amount);
      map->max_amount = MAX (map->max_amount, snapshot->max_amount);
      map->max_sum_amount = MAX (map->max_sum_amount, snapshot->sum_amount);
    }
  map->max_address = clamp_range (map->min_address, map->max_address);
}

/* --- the map ---------------------------------------------------------------------------------------------------------- */

static int
compare_resources (const void *a, const void *b, gpointer resources)
{
  const WpResource *list = resources, *x = &list[*(const guint32 *) a], *y = &list[*(const guint32 *) b];

  return x->snapshot != y->snapshot ? (x->snapshot < y->snapshot ? -1 : 1) : x < y ? -1 : x > y;
}

/* Resources of the newer shape stand by kind, not by snapshot. NULL: they are in order. */
static WpProfile *
in_order (const WpProfile *profile)
{
  WpProfile *sorted = NULL;
  g_autofree guint32 *rows = NULL;
  guint32 n = profile->resources.len, i;

  for (i = 1; i < n && profile->resources.data[i - 1].snapshot <= profile->resources.data[i].snapshot;)
    i++;
  if (i >= n)
    return NULL;
  rows = g_new (guint32, n);
  for (i = 0; i < n; i++)
    rows[i] = i;
  g_qsort_with_data (rows, (gint) n, sizeof *rows, compare_resources, profile->resources.data);
  sorted = g_memdup2 (profile, sizeof *profile);
  sorted->resources.data = g_new (WpResource, n);
  for (i = 0; i < n; i++)
    sorted->resources.data[i] = profile->resources.data[rows[i]];
  return sorted;
}

WpHeapMap *
wp_heap_map_new (WpProfile *profile, GError **error)
{
  g_autoptr (WpHeapMap) map = g_new0 (WpHeapMap, 1);
  WpProfile *sorted = in_order (profile);
  Builder builder = { .map = map, .omissions = &profile->omissions, .keys = keys_of (profile) };

  map->values = profile->values;
  map->unit = unit_of (profile);
  builder.queues = g_hash_table_new_full (wp_hash_int64, g_int64_equal, g_free, NULL);
  builder.infos = g_hash_table_new (wp_hash_pointer, NULL);
  find_lives (&builder, sorted != NULL ? sorted : profile);
  g_hash_table_unref (builder.queues);
  g_hash_table_unref (builder.infos);
  wp_array_clear (&builder.heads);
  wp_array_clear (&builder.next);
  wp_array_clear (&builder.freed);
  if (sorted != NULL)
    {
      g_free (sorted->resources.data);
      g_free (sorted);
    }
  if (map->allocations.len == 0)
    {
      refuse (profile, "nothing was allocated in a snapshot, so there is no heap map", error);
      return NULL;
    }
  fill_snapshots (map, profile);
  fill_stats (map);
  return g_steal_pointer (&map);
}

void
wp_heap_map_free (WpHeapMap *self)
{
  if (self == NULL)
    return;
  wp_array_clear (&self->info);
  wp_array_clear (&self->allocations);
  wp_array_clear (&self->snapshots);
  g_free (self);
}

void
wp_heap_map_at (const WpHeapMap *self, guint32 snapshot, WpIdArray *rows)
{
  const guint32 low = WP_SEARCH (0, self->allocations.len, i, self->allocations.data[i].first < snapshot);

  for (guint32 i = low; i < self->allocations.len && self->allocations.data[i].first == snapshot; i++)
    wp_array_push (rows, i);
  for (guint32 i = 0; i < low; i++)
    if (self->allocations.data[i].last >= snapshot)
      wp_array_push (rows, i);
}

/* --- heat ------------------------------------------------------------------------------------------------------------- */

static gboolean
find_heat_range (WpHeatMap *map, const WpProfile *profile, const Keys *keys)
{
  map->min_address = G_MAXINT64;
  map->max_address = G_MININT64;
  for (guint32 i = 0; i < profile->resources.len; i++)
    {
      WpResource resource = profile->resources.data[i];
      gint64 address = whole (keys, resource.value, keys->address);

      if (resource.snapshot >= profile->snapshots.len)
        continue;
      map->max_address = MAX (map->max_address, address + whole (keys, resource.value, keys->amount));
      if (address > 0)
        map->min_address = MIN (map->min_address, address);
    }
  if (map->min_address == G_MAXINT64)
    return FALSE;
  map->max_address = clamp_range (map->min_address, map->max_address);
  return TRUE;
}

/* Where each resource begins and ends; adding up makes the counts. */
static void
fill_heat (WpHeatMap *map, const WpProfile *profile, const Keys *keys)
{
  gint64 length = map->max_address - map->min_address;
  guint32 count = 0;

  wp_array_resize (&map->map, (guint32) length + 1);
  for (guint32 i = 0; i < profile->resources.len; i++)
    {
      WpResource resource = profile->resources.data[i];
      gint64 start = whole (keys, resource.value, keys->address) - map->min_address;
      gint64 end = MIN (start + whole (keys, resource.value, keys->amount), length);

      if (resource.snapshot >= profile->snapshots.len || start < 0 || start >= end)
        continue;
      map->map.data[start]++;
      map->map.data[end]--;
    }
  for (gint64 i = 0; i < length; i++)
    map->map.data[i] = count += map->map.data[i];
  map->map.len = (guint32) length;
}

WpHeatMap *
wp_heat_map_new (WpProfile *profile, GError **error)
{
  g_autoptr (WpHeatMap) map = g_new0 (WpHeatMap, 1);
  Keys keys = keys_of (profile);

  map->unit = unit_of (profile);
  if (!find_heat_range (map, profile, &keys))
    {
      refuse (profile, "no resource of a snapshot has an address, so there is no heat map", error);
      return NULL;
    }
  fill_heat (map, profile, &keys);
  return g_steal_pointer (&map);
}

void
wp_heat_map_free (WpHeatMap *self)
{
  if (self == NULL)
    return;
  wp_array_clear (&self->map);
  g_free (self);
}
