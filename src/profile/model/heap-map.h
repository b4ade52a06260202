/* What was allocated where, snapshot by snapshot: Perun's heap map and heat map of a memory profile. */
#pragma once

#include "profile/model/profile.h"

/* One allocation. It is in the maps of all snapshots from `first` to `last`: it is seen once more in the snapshot that frees it. */
typedef struct
{
  gint64 address, amount;
  WpValue subtype, trace; /* 0: none */
  guint32 uid;      /* of `info` */
  guint32 first, last;
} WpAllocation;

typedef struct
{
  WpValue time; /* a STRING, or 0 */
  guint32 n;    /* allocations in its map; the others are 0 where it is empty */
  gint64 min_address, max_address, min_amount, max_amount, sum_amount;
} WpHeapSnapshot;

typedef struct
{
  WpValues *values; /* the profile's, which must outlive the map */
  const char *unit; /* of memory */
  WpIdArray info;   /* distinct uids in the order of their first use; plain list */
  WP_ARRAY (WpAllocation) allocations;  /* by `first`; plain list */
  WP_ARRAY (WpHeapSnapshot) snapshots;  /* plain list */
  gint64 min_address, max_address;      /* at least 500 and at most 1,000,000 apart */
  gint64 min_amount, max_amount, max_sum_amount;
} WpHeapMap;

/* A free ends the oldest allocation of its address that is alive. Resources without a uid and those outside of snapshots do not count.
 * NULL and an error when nothing was allocated. */
WpHeapMap *wp_heap_map_new (WpProfile *profile, GError **error);
void wp_heap_map_free (WpHeapMap *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (WpHeapMap, wp_heap_map_free)

/* Appends the map of a snapshot: what it allocated, then what was alive before; rows of `allocations`. */
void wp_heap_map_at (const WpHeapMap *self, guint32 snapshot, WpIdArray *rows);

/* How often each byte of the address range was allocated or freed. */
typedef struct
{
  const char *unit;
  gint64 min_address, max_address;
  WP_ARRAY (guint32) map; /* max_address − min_address values */
} WpHeatMap;

WpHeatMap *wp_heat_map_new (WpProfile *profile, GError **error);
void wp_heat_map_free (WpHeatMap *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (WpHeatMap, wp_heat_map_free)
