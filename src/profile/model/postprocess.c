#include "profile/model/postprocess.h"

#include "base/hash.h"

#include <math.h>

/* --- normalizer ------------------------------------------------------------------------------------------------------- */

typedef struct
{
  const WpProfile *profile;
  GHashTable *most; /* snapshot << 32 | type -> the greatest amount */
} Normalizer;

static gint64
group_of (const Normalizer *self, guint32 i)
{
  WpResource resource = self->profile->resources.data[i];
  WpValue type = wp_value_get (self->profile->values, resource.value, "type");

  return (gint64) ((guint64) resource.snapshot << 32 | type);
}

static void
note_amount (Normalizer *self, guint32 i)
{
  gint64 group = group_of (self, i);
  double amount = wp_value_number (self->profile->values, wp_profile_field (self->profile, i, "amount"));
  double *most = g_hash_table_lookup (self->most, &group);

  if (isnan (amount))
    return;
  if (most == NULL)
    g_hash_table_insert (self->most, g_memdup2 (&group, sizeof group), g_memdup2 (&amount, sizeof amount));
  else if (*most == 0 || amount > *most)
    *most = amount;
}

static void
divide_amount (const Normalizer *self, WpProfile *profile, guint32 i)
{
  gint64 group = group_of (self, i);
  WpResource *resource = &profile->resources.data[i];
  double amount = wp_value_number (profile->values, wp_profile_field (profile, i, "amount"));
  const double *most = g_hash_table_lookup (self->most, &group);

  if (isnan (amount))
    return;
  amount = *most == 0 ? 1 : amount / *most;
  resource->value = wp_values_set (profile->values, resource->value, "amount", wp_values_real (profile->values, amount));
}

static WpValue
empty_params (WpProfile *profile)
{
  return wp_values_object (profile->values, NULL, 0);
}

/* Of a saved recording the tables go: shares of an amount are no times, so that it explains nothing any more. */
void
wp_postprocess_normalize (WpProfile *profile)
{
  Normalizer normalizer = { .profile = profile };

  profile->root = wp_values_set (profile->values, profile->root, "wakepath", 0);

  normalizer.most = g_hash_table_new_full (wp_hash_int64, g_int64_equal, g_free, g_free);
  for (guint32 i = 0; i < profile->resources.len; i++)
    note_amount (&normalizer, i);
  for (guint32 i = 0; i < profile->resources.len; i++)
    divide_amount (&normalizer, profile, i);
  g_hash_table_unref (normalizer.most);
  wp_profile_add_postprocessor (profile, "normalizer", empty_params (profile));
}

void
wp_postprocess_filter (WpProfile *profile)
{
  wp_profile_add_postprocessor (profile, "filter", empty_params (profile));
}

/* --- clusterizer ------------------------------------------------------------------------------------------------------ */

typedef struct
{
  WpValue type, subtype, uid; /* the uid as its text */
  double amount;
  guint32 row;
} Member;

static gboolean
is_same_group (const Member *a, const Member *b)
{
  return a->type == b->type && a->subtype == b->subtype && a->uid == b->uid;
}

static int
compare_ids (WpValue a, WpValue b)
{
  return a < b ? -1 : a > b;
}

static int
compare_members (const void *a, const void *b)
{
  const Member *x = a, *y = b;
  int by_group = compare_ids (x->uid, y->uid);

  by_group = by_group != 0 ? by_group : compare_ids (x->type, y->type);
  by_group = by_group != 0 ? by_group : compare_ids (x->subtype, y->subtype);
  if (by_group != 0 || x->amount != y->amount)
    return by_group != 0 ? by_group : x->amount < y->amount ? -1 : 1;
  return x->row < y->row ? -1 : 1;
}

static Member *
sorted_members (WpProfile *profile)
{
  g_autoptr (WpFlattener) flattener = wp_flattener_new (profile->values);
  Member *members = g_new (Member, (gsize) profile->resources.len + 1);

  for (guint32 i = 0; i < profile->resources.len; i++)
    {
      WpValue uid = wp_profile_field (profile, i, "uid");
      double amount = wp_value_number (profile->values, wp_profile_field (profile, i, "amount"));

      members[i] = (Member) { .type = wp_profile_field (profile, i, "type"),
                              .subtype = wp_profile_field (profile, i, "subtype"),
                              .uid = uid != 0 ? wp_flatten_joined (flattener, uid) : 0,
                              .amount = isnan (amount) ? 0 : amount, .row = i };
    }
  qsort (members, profile->resources.len, sizeof *members, compare_members);
  return members;
}

static void
set_cluster (WpProfile *profile, guint32 row, guint32 cluster)
{
  WpResource *resource = &profile->resources.data[row];

  resource->value = wp_values_set (profile->values, resource->value, "cluster", wp_values_int (profile->values, cluster));
}

static void
number_group (WpProfile *profile, const WpClusters *options, const Member *members, guint32 n)
{
  double width = options->relative_width ? options->width * n : options->width;
  guint32 cluster = 1, first = 0;

  for (guint32 i = 0; i < n; i++)
    {
      double start = members[first].amount;
      double end = options->relative_height ? start * (1 + options->height) : start + options->height;

      if (i > 0 && (options->strategy == WP_CLUSTER_SORT_ORDER || i - first >= width || members[i].amount > end))
        {
          cluster++;
          first = i;
        }
      set_cluster (profile, members[i].row, cluster);
    }
}

static WpValue
cluster_params (WpProfile *profile, const WpClusters *options)
{
  WpValues *values = profile->values;
  WpValue words[] = {
    wp_values_string (values, "strategy"),
    wp_values_string (values, options->strategy == WP_CLUSTER_SORT_ORDER ? "sort_order" : "sliding_window"),
    wp_values_string (values, "window_width"), wp_values_real (values, options->width),
    wp_values_string (values, "width_measure"), wp_values_string (values, options->relative_width ? "relative" : "absolute"),
    wp_values_string (values, "window_height"), wp_values_real (values, options->height),
    wp_values_string (values, "height_measure"), wp_values_string (values, options->relative_height ? "relative" : "absolute"),
  };

  return wp_values_object (values, words, options->strategy == WP_CLUSTER_SORT_ORDER ? 1 : 5);
}

void
wp_postprocess_clusters (WpProfile *profile, const WpClusters *options)
{
  g_autofree Member *members = sorted_members (profile);

  for (guint32 i = 0, end; i < profile->resources.len; i = end)
    {
      for (end = i + 1; end < profile->resources.len && is_same_group (&members[i], &members[end]);)
        end++;
      number_group (profile, options, members + i, end - i);
    }
  wp_profile_add_postprocessor (profile, "clusterizer", cluster_params (profile, options));
}
