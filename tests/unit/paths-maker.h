/* Control paths of traces that a test has made. */
#pragma once

#include "paths/tree.h"
#include "trace-maker.h"

#define US G_GINT64_CONSTANT (1000)

/* `spec` as --task has it; NULL: the recorded command's. */
static inline WpPaths *
paths_of (const WpTrace *trace, const char *spec, const WpPathOptions *options)
{
  WpIdArray tasks = { 0 };
  WpPaths *paths;

  g_assert_true (wp_paths_find_tasks (trace, spec, &tasks, NULL));
  paths = wp_paths_new (trace, tasks.data, tasks.len, options, NULL, NULL);
  g_assert_cmpstr (wp_paths_check (paths), ==, NULL);
  wp_array_clear (&tasks);
  return paths;
}

static inline WpPaths *
make_paths (const WpTrace *trace, gint32 tid, const WpPathOptions *options)
{
  g_autofree char *spec = g_strdup_printf ("%d", tid);

  return paths_of (trace, spec, options);
}

/* What stands on the bottom of a path, or on a part: "tid kind start-end" in µs, what stands on it in brackets. */
static inline void
describe_parts (GString *out, const WpPaths *paths, WpId first)
{
  for (WpId p = first; p != 0; p = paths->parts.data[p].next)
    {
      const WpPart *part = &paths->parts.data[p];
      const WpOp *op = &paths->trace->ops.data[part->op];

      g_string_append_printf (out, "%s%d %s %g-%g", p != first ? ", " : "", paths->trace->tasks.data[op->task].tid,
                              wp_op_kind_id (op->kind), part->start / 1e3, part->end / 1e3);
      if (part->waits_path != 0)
        g_string_append_printf (out, " waits %u", part->waits_path);
      if (part->first_child != 0)
        {
          g_string_append (out, " [");
          describe_parts (out, paths, part->first_child);
          g_string_append_c (out, ']');
        }
    }
}

static inline void
assert_path (const WpPaths *paths, WpId path, const char *expected)
{
  g_autoptr (GString) out = g_string_new (NULL);

  g_assert_cmpuint (path, <, paths->paths.len);
  describe_parts (out, paths, paths->paths.data[path].first_part);
  g_assert_cmpstr (out->str, ==, expected);
}

/* 1 calls 2, 2 calls 3, 3 answers 2, 2 answers 1. */
static inline void
make_chain (TraceMaker *m)
{
  trace_maker_init (m);
  trace_maker_switch (m, 0, 0, 0, 0, 1);
  trace_maker_wake (m, 1000 * US, 0, 1, 2);
  trace_maker_switch (m, 1000 * US, 0, 1, 1, 2);
  trace_maker_wake (m, 2000 * US, 0, 2, 3);
  trace_maker_switch (m, 2000 * US, 0, 2, 1, 3);
  trace_maker_wake (m, 3000 * US, 0, 3, 2);
  trace_maker_switch (m, 3000 * US, 0, 3, 1, 2);
  trace_maker_wake (m, 4000 * US, 0, 2, 1);
  trace_maker_switch (m, 4000 * US, 0, 2, 1, 1);
  trace_maker_switch (m, 5000 * US, 0, 1, 16, 0);
  trace_maker_finish (m);
}
