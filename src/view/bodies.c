#include "view/bodies.h"

#include "base/sort.h"

#include <glib/gi18n.h>
#include <string.h>

#define HUES (WP_BODY_OF_MODULE - WP_BODY_FIRST)

/* Colours are kept in minds and in pictures. */
guint32
wp_body_hash (const char *name)
{
  guint32 h = 2166136261u;

  for (const char *p = name; *p != '\0'; p++)
    h = (h ^ (guint8) *p) * 16777619u;
  return h ^ h >> 16;
}

/* The last hue is for those who find theirs taken. */
static guint8
wanted_by (const char *name)
{
  return (guint8) (WP_BODY_FIRST + wp_body_hash (name) % (HUES - 1));
}

static guint8
take (WpBodies *self, guint8 wanted)
{
  guint8 body = wanted;

  for (guint i = 0; i < HUES && self->taken & 1u << body; i++)
    body = body + 1 < WP_BODY_OF_MODULE ? body + 1 : WP_BODY_FIRST;
  if (self->taken & 1u << body)
    return wanted;
  self->taken |= 1u << body;
  return body;
}

static void
start (WpBodies *self)
{
  *self = (WpBodies) { .names = wp_strings_new () };
}

static WpId
add_name (WpBodies *self, const char *name)
{
  WpId id = wp_strings_intern (self->names, name);

  if (self->of_name.len <= id)
    wp_array_resize (&self->of_name, id + 1);
  return id;
}

static void
add_process (WpBodies *self, WpId name)
{
  if (self->of_name.data[name] != WP_BODY_NONE)
    return;
  self->of_name.data[name] = take (self, wanted_by (wp_strings_get (self->names, name)));
  wp_array_push (&self->order, name);
}

/* --- of paths ----------------------------------------------------------------------------------------------------- */

typedef struct
{
  gint64 first;
  WpId task, name;
} Use;

WP_DEFINE_COMPARE_2 (compare_uses, Use, first, task)

static WpId
process_name (WpBodies *self, const WpTrace *trace, WpId leader)
{
  const char *name = wp_trace_task_name (trace, leader);
  g_autofree char *own = g_strndup (name, strcspn (name, "/"));

  return add_name (self, *own != '\0' ? own : name);
}

/* When each process that takes part does so first: by the task that leads it. */
static gint64 *
find_first (const WpPaths *paths)
{
  const WpTrace *trace = paths->trace;
  gint64 *first = g_new (gint64, MAX (trace->tasks.len, 1));

  for (WpId t = 0; t < trace->tasks.len; t++)
    first[t] = G_MAXINT64;
  for (WpId p = 1; p < paths->parts.len; p++)
    {
      WpId task = trace->ops.data[paths->parts.data[p].op].task, leader = wp_trace_leader (trace, task);

      if (trace->tasks.data[task].kind == WP_TASK_THREAD)
        first[leader] = MIN (first[leader], paths->parts.data[p].start);
    }
  return first;
}

/* `first`: by leader, the smaller the earlier it chooses; G_MAXINT64: it does not take part. */
static void
choose (WpBodies *self, const WpTrace *trace, const gint64 *first)
{
  WP_ARRAY (Use) uses = { 0 };

  start (self);
  wp_array_resize (&self->of_task, trace->tasks.len);
  for (WpId t = 1; t < trace->tasks.len; t++)
    if (first[t] < G_MAXINT64)
      wp_array_push (&uses, ((Use) { first[t], t, process_name (self, trace, t) }));
  wp_array_sort (&uses, compare_uses);
  for (guint32 i = 0; i < uses.len; i++)
    {
      gboolean kernel = (trace->tasks.data[uses.data[i].task].flags & WP_TASK_KERNEL) != 0;

      if (!kernel)
        add_process (self, uses.data[i].name);
      self->kernel |= kernel;
      self->of_task.data[uses.data[i].task] = kernel ? WP_BODY_NEUTRAL : self->of_name.data[uses.data[i].name];
    }
  for (WpId t = 1; t < trace->tasks.len; t++)
    {
      WpId leader = wp_trace_leader (trace, t), name;

      if (first[leader] == G_MAXINT64 || trace->tasks.data[t].kind != WP_TASK_THREAD)
        continue;
      self->of_task.data[t] = self->of_task.data[leader];
      name = add_name (self, wp_trace_task_name (trace, t)); /* a thread's boxes may have a name of their own */
      if (self->of_name.data[name] == WP_BODY_NONE)
        self->of_name.data[name] = self->of_task.data[t];
    }
  wp_array_clear (&uses);
}

void
wp_bodies_of_paths (WpBodies *self, const WpPaths *paths)
{
  g_autofree gint64 *first = find_first (paths);

  choose (self, paths->trace, first);
}

void
wp_bodies_of_runs (WpBodies *self, const WpTrace *trace)
{
  g_autofree gint64 *first = g_new0 (gint64, MAX (trace->tasks.len, 1));

  for (WpId o = 1; o < trace->ops.len; o++)
    if (trace->ops.data[o].kind == WP_OP_RUN && !(trace->tasks.data[trace->ops.data[o].task].flags & WP_TASK_IDLE))
      first[wp_trace_leader (trace, trace->ops.data[o].task)] -= trace->ops.data[o].end - trace->ops.data[o].start;
  for (WpId t = 0; t < trace->tasks.len; t++)
    if (first[t] == 0)
      first[t] = G_MAXINT64;
  choose (self, trace, first);
}

/* --- of a tree ---------------------------------------------------------------------------------------------------- */

void
wp_bodies_of_tree (WpBodies *self, const WpTree *tree)
{
  start (self);
  for (WpId n = 1; n < tree->nodes.len; n++)
    if (tree->nodes.data[n].kind == WP_FRAME_PROCESS)
      add_process (self, add_name (self, wp_strings_get (tree->strings, tree->nodes.data[n].name)));
}

/* --- what is asked ------------------------------------------------------------------------------------------------ */

void
wp_bodies_clear (WpBodies *self)
{
  wp_strings_free (self->names);
  wp_array_clear (&self->of_name);
  wp_array_clear (&self->of_task);
  wp_array_clear (&self->order);
}

guint8
wp_bodies_of_task (const WpBodies *self, WpId task)
{
  return task < self->of_task.len ? self->of_task.data[task] : WP_BODY_NONE;
}

guint8
wp_bodies_of_name (const WpBodies *self, const char *name)
{
  WpId id = wp_strings_find (self->names, name);

  return id != 0 && id < self->of_name.len ? self->of_name.data[id] : WP_BODY_NONE;
}

void
wp_bodies_tell (const WpBodies *self, WpRows *rows)
{
  for (guint32 i = 0; i < self->order.len; i++)
    {
      WpId name = self->order.data[i];

      wp_array_push (&rows->bodies, ((WpNamedBody) { wp_strings_intern (rows->strings, wp_strings_get (self->names, name)),
                                                     self->of_name.data[name] }));
    }
  if (self->kernel)
    wp_array_push (&rows->bodies, ((WpNamedBody) { wp_strings_intern (rows->strings, _("Threads of the kernel")),
                                                   WP_BODY_NEUTRAL }));
}
