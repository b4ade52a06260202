#include "view/module-hues.h"

#include "base/hash.h"
#include "stacks/tree.h"
#include "view/bodies.h"

#include <glib/gi18n.h>
#include <stdlib.h>
#include <string.h>

G_STATIC_ASSERT (WP_BODY_FIRST + WP_MODULE_HUES == WP_BODY_COUNT);

/* By stack: how long it was the stack of some part, ns. */
static gint64 *
find_times (const WpPaths *paths)
{
  const WpTrace *trace = paths->trace;
  gint64 *times = g_new0 (gint64, MAX (trace->stacks.len, 1));
  WpSliceArray slices = { 0 };

  for (WpId p = 1; p < paths->parts.len; p++)
    {
      wp_part_slices (paths, p, &slices);
      for (guint32 i = 0; i < slices.len; i++)
        times[slices.data[i].stack] += slices.data[i].end - slices.data[i].start;
    }
  wp_array_clear (&slices);
  return times;
}

static WpId
module_of (const WpTrace *trace, WpId stack)
{
  return trace->frames.data[trace->stacks.data[stack].frame].module;
}

/* By module the first of its name: files of one name are one, as versions of a library for several programs are. Free with g_free(). */
static WpId *
find_named (const WpTrace *trace)
{
  WpId *named = g_new0 (WpId, MAX (trace->modules.len, 1));
  g_autoptr (GHashTable) first = g_hash_table_new (wp_hash_string, g_str_equal);

  for (WpId m = 1; m < trace->modules.len; m++)
    {
      const char *name = wp_trace_module_name (trace, m);
      gpointer known = g_hash_table_lookup (first, name);

      if (known == NULL)
        g_hash_table_insert (first, (gpointer) name, GUINT_TO_POINTER (m));
      named[m] = known != NULL ? GPOINTER_TO_UINT (known) : m;
    }
  return named;
}

/* By first module of a name: how long it was on stacks; once where its frames call one another. */
static gint64 *
find_weights (const WpPaths *paths, const WpId *named)
{
  const WpTrace *trace = paths->trace;
  gint64 *weights = g_new0 (gint64, MAX (trace->modules.len, 1));
  g_autofree gint64 *times = find_times (paths);

  for (WpId s = trace->stacks.len; s-- > 1;) /* what stands on a stack comes after it */
    {
      WpId parent = trace->stacks.data[s].parent;

      if (parent == 0 || module_of (trace, parent) != module_of (trace, s))
        weights[named[module_of (trace, s)]] += times[s];
      times[parent] += times[s];
    }
  return weights;
}

static gboolean
is_kernels (const WpTrace *trace, WpId module)
{
  const char *path = wp_trace_string (trace, trace->modules.data[module].path);

  return *path != '\0' && wp_module_frame_kind (path) == WP_FRAME_OF_KERNEL;
}

static int
compare_weights (const void *a, const void *b, void *data)
{
  const gint64 *weights = data;
  WpId x = *(const WpId *) a, y = *(const WpId *) b;

  return weights[x] != weights[y] ? (weights[x] > weights[y] ? -1 : 1) : x < y ? -1 : x > y;
}

/* The one that its name wants, or the next that is free. Libraries keep theirs when their version changes. */
static guint8
take (guint32 *taken, const char *name)
{
  g_autofree char *plain = g_strndup (name, strstr (name, ".so") != NULL ? (gsize) (strstr (name, ".so") - name) : strlen (name));
  guint hue = wp_body_hash (plain) % WP_MODULE_HUES;

  while (*taken & 1u << hue)
    hue = (hue + 1) % WP_MODULE_HUES;
  *taken |= 1u << hue;
  return (guint8) (WP_BODY_FIRST + hue);
}

void
wp_module_hues_init (WpModuleHues *self, const WpPaths *paths)
{
  const WpTrace *trace = paths->trace;
  g_autofree WpId *named = find_named (trace);
  g_autofree gint64 *weights = find_weights (paths, named);
  guint32 taken = 0;

  *self = (WpModuleHues) { .trace = trace, .of_module = g_new0 (guint8, MAX (trace->modules.len, 1)) };
  for (WpId m = 1; m < trace->modules.len; m++)
    if (weights[m] > 0 && !is_kernels (trace, m))
      wp_array_push (&self->order, m);
  if (self->order.len > 1)
    g_qsort_with_data (self->order.data, self->order.len, sizeof *self->order.data, compare_weights, weights);
  self->others = self->order.len > WP_MODULE_HUES;
  self->order.len = MIN (self->order.len, WP_MODULE_HUES);
  for (guint32 i = 0; i < self->order.len; i++)
    self->of_module[self->order.data[i]] = take (&taken, wp_trace_module_name (trace, self->order.data[i]));
  for (WpId m = 1; m < trace->modules.len; m++)
    self->of_module[m] = self->of_module[named[m]];
}

void
wp_module_hues_clear (WpModuleHues *self)
{
  g_free (self->of_module);
  wp_array_clear (&self->order);
}

guint8
wp_module_hue (const WpModuleHues *self, WpId module, guint8 code)
{
  guint8 hue = code != WP_FRAME_OF_KERNEL ? self->of_module[module] : WP_BODY_NONE;

  return hue != WP_BODY_NONE ? hue : WP_BODY_NEUTRAL;
}

void
wp_module_hues_tell (const WpModuleHues *self, WpRows *rows)
{
  rows->by_module = TRUE;
  for (guint32 i = 0; i < self->order.len; i++)
    wp_array_push (&rows->bodies, ((WpNamedBody) { wp_strings_intern (rows->strings, wp_trace_module_name (self->trace, self->order.data[i])),
                                                   self->of_module[self->order.data[i]] }));
  if (self->others)
    wp_array_push (&rows->bodies, ((WpNamedBody) { wp_strings_intern (rows->strings, _("Other modules")), WP_BODY_NEUTRAL }));
}
