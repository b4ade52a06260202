/* Depths: what stacks become, by hand; and on all scenarios and the sample recording that no number depends on the depth, and that boxes of one depth are
 * boxes, or unions of boxes, of the next. */
#include "paths/stacks.h"
#include "paths-maker.h"

#include "profile/model/document.h"
#include "view/layout.h"

static WpId
named (WpTrace *trace, const char *module, const char *function)
{
  return wp_trace_named_frame (trace, wp_trace_module (trace, module, NULL), function);
}

/* "main read k:vfs_read git+16": outermost first; k: of the kernel, MODULE+OFFSET without a name. */
static WpId
stack_of (WpTrace *trace, const char *text)
{
  g_auto (GStrv) names = g_strsplit (text, " ", 0);
  WpId stack = 0;

  for (guint i = 0; names[i] != NULL && *names[i] != '\0'; i++)
    {
      const char *plus = strchr (names[i], '+');
      g_autofree char *module = g_strdup_printf ("/usr/bin/%.*s", plus != NULL ? (int) (plus - names[i]) : 0, names[i]);
      WpId frame;

      if (g_str_has_prefix (names[i], "k:"))
        frame = wp_trace_kernel_frame (trace, wp_trace_module (trace, "[kernel]", NULL), names[i] + 2);
      else if (plus != NULL)
        frame = wp_trace_user_frame (trace, wp_trace_module (trace, module, NULL), g_ascii_strtoull (plus + 1, NULL, 10));
      else
        frame = named (trace, "/usr/bin/cat", names[i]);
      stack = wp_trace_stack (trace, stack, frame);
    }
  return stack;
}

static guint
count_charged (const WpDepths *depths, guint32 frame)
{
  guint n = 0;

  for (guint32 i = 0; i < depths->charged.len; i++)
    if (depths->charged.data[i].frame == frame)
      n += wp_depth_count (depths->words.trace, depths->charged.data[i].inner, depths->charged.data[i].outer);
  return n;
}

/* "main · reads (3 hidden)"; what the process' box hides comes first: "(2 hidden) · main". What rules hide: "main (2 charged)". */
static char *
describe_frames (WpDepths *depths, WpId stack)
{
  const WpTrace *trace = depths->words.trace;
  WpDepthFrames frames = { 0 };
  GString *out = g_string_new (NULL);

  wp_depth_frames (depths, stack, &frames);
  for (guint32 i = 0; i < frames.len; i++)
    {
      const WpDepthFrame *frame = &frames.data[i];
      guint hidden = wp_depth_count (trace, frame->inner, frame->outer);

      if (i > 0)
        g_string_append_printf (out, "%s%s", out->len > 0 ? " · " : "",
                                frame->function != 0 ? wp_trace_function_name (trace, frame->function)
                                                     : wp_strings_get (depths->words.strings, frame->label));
      if (hidden > 0)
        g_string_append_printf (out, "%s(%u hidden)", i > 0 ? " " : "", hidden);
      if (count_charged (depths, i) > 0)
        g_string_append_printf (out, "%s(%u charged)", out->len > 0 ? " " : "", count_charged (depths, i));
    }
  wp_array_clear (&frames);
  return g_string_free (out, FALSE);
}

static const struct
{
  const char *stack, *functions;
} folds[] = {
  { "main work", "main · work" },
  /* a call into the kernel */
  { "main read k:entry_SYSCALL_64_after_hwframe k:do_syscall_64 k:ksys_read k:vfs_read k:anon_pipe_read", "main · read · reads a pipe (5 hidden)" },
  { "main k:entry_SYSCALL_64_after_hwframe k:do_syscall_64 k:__x64_sys_unheard k:unheard_of", "main · unheard (4 hidden)" },
  { "main k:entry_SYSCALL_64_after_hwframe k:do_syscall_64", "main · enters the kernel (2 hidden)" },
  { "main k:do_syscall_64 k:__x64_sys_futex k:do_futex", "main · futex (3 hidden)" }, /* it runs there, it does not wait */
  /* no call */
  { "main k:asm_exc_page_fault k:exc_page_fault k:handle_mm_fault", "main · page fault (3 hidden)" },
  { "main k:asm_sysvec_apic_timer_interrupt k:sysvec_apic_timer_interrupt", "main · interrupt (2 hidden)" },
  /* a kernel's own task */
  { "k:ret_from_fork_asm k:ret_from_fork k:kthread k:worker_thread k:process_one_work k:wb_workfn k:wb_writeback", "wb_workfn (7 hidden)" },
  { "k:ret_from_fork k:kthread k:unheard_loop", "unheard_loop (3 hidden)" },
  /* without names */
  { "git+1 git+2 git+3 inflate zlib+7 git+4", "git (unnamed) (3 hidden) · inflate · zlib (unnamed) (1 hidden) · git (unnamed) (1 hidden)" },
  { "git+1 git+2 zlib+7 zlib+8", "git (unnamed) (2 hidden) · zlib (unnamed) (2 hidden)" },
  /* before main() */
  { "_start __libc_start_main@@GLIBC_2.34 __libc_start_call_main main", "(3 hidden) · main" },
  { "git+9 __libc_start_main __libc_start_call_main git+1 git+2", "(3 hidden) · git (unnamed) (2 hidden)" },
  { "clone3 start_thread worker", "(2 hidden) · worker" },
  { "_start main pthread_create clone3", "(1 hidden) · main · pthread_create · clone3" },
  { "_start", "_start" },
  { "_start k:entry_SYSCALL_64_after_hwframe k:do_syscall_64 k:ksys_read", "(1 hidden) · reads (3 hidden)" },
  /* recursion stays */
  { "main walk walk walk", "main · walk · walk · walk" },
};

static void
test_folds (void)
{
  TraceMaker m;
  g_autoptr (WpPaths) paths = NULL;
  WpId stacks[G_N_ELEMENTS (folds)];
  WpDepths all, functions;

  make_chain (&m);
  for (guint i = 0; i < G_N_ELEMENTS (folds); i++)
    stacks[i] = stack_of (m.trace, folds[i].stack);
  paths = make_paths (m.trace, 1, NULL);
  g_assert_true (wp_depths_init (&all, paths, (WpDepthChoice) { WP_DEPTH_ALL, NULL }, NULL, NULL));
  g_assert_true (wp_depths_init (&functions, paths, (WpDepthChoice) { WP_DEPTH_FUNCTIONS, NULL }, NULL, NULL));
  for (guint i = 0; i < G_N_ELEMENTS (folds); i++)
    {
      g_autofree char *folded = describe_frames (&functions, stacks[i]), *whole = describe_frames (&all, stacks[i]);

      g_assert_cmpstr (folded, ==, folds[i].functions);
      g_assert_null (strstr (whole, "hidden"));
    }
  wp_depths_clear (&all);
  wp_depths_clear (&functions);
  wp_trace_free (m.trace);
}

/* --- what rules hide ---------------------------------------------------------------------------------------------- */

static const struct
{
  WpDepth depth;
  WpHideKind kind;
  const char *rule, *stack, *frames;
} charges[] = {
  { WP_DEPTH_ALL, WP_HIDE_FUNCTION, "walk", "main walk visit walk walk leaf", "main (1 charged) · visit (2 charged) · leaf" },
  { WP_DEPTH_ALL, WP_HIDE_FUNCTION, "wal", "main walk", "main · walk" },
  { WP_DEPTH_ALL, WP_HIDE_FUNCTION, "main", "main walk", "(1 charged) · walk" },
  { WP_DEPTH_ALL, WP_HIDE_MODULE, "cat", "main git+1 walk leaf", "(1 charged) · git+0x1 (2 charged)" },
  { WP_DEPTH_ALL, WP_HIDE_MODULE, "/usr/bin/git", "main git+1 git+2 leaf", "main (2 charged) · leaf" },
  { WP_DEPTH_ALL, WP_HIDE_MODULE, "[kernel]", "main read k:do_syscall_64 k:ksys_read", "main · read (2 charged)" },
  { WP_DEPTH_ALL, WP_HIDE_MATCHING, "^(main|v.*)$", "main walk visit", "(1 charged) · walk (1 charged)" },
  { WP_DEPTH_ALL, WP_HIDE_MATCHING, ".", "main walk visit", "(3 charged)" },
  /* with what the depth hides */
  { WP_DEPTH_FUNCTIONS, WP_HIDE_FUNCTION, "main", "_start main walk", "(1 hidden) (1 charged) · walk" },
  { WP_DEPTH_FUNCTIONS, WP_HIDE_FUNCTION, "inflate", "git+1 git+2 inflate zlib+7", "git (unnamed) (2 hidden) (1 charged) · zlib (unnamed) (1 hidden)" },
  { WP_DEPTH_FUNCTIONS, WP_HIDE_MODULE, "git", "main git+1 git+2 inflate git+4", "main (2 charged) · inflate (1 charged)" },
  { WP_DEPTH_FUNCTIONS, WP_HIDE_FUNCTION, "vfs_read", "main k:do_syscall_64 k:ksys_read k:vfs_read", "main · reads (3 hidden)" },
  { WP_DEPTH_FUNCTIONS, WP_HIDE_MODULE, "[kernel]", "main read k:do_syscall_64 k:ksys_read k:vfs_read", "main · read (3 charged)" },
  { WP_DEPTH_FUNCTIONS, WP_HIDE_FUNCTION, "wb_workfn", "k:kthread k:worker_thread k:process_one_work k:wb_workfn k:wb_writeback", "(5 charged)" },
  { WP_DEPTH_WAITS, WP_HIDE_MATCHING, ".", "main walk", "" },
};

static void
test_charges (void)
{
  TraceMaker m;
  g_autoptr (WpPaths) paths = NULL;
  WpId stacks[G_N_ELEMENTS (charges)];

  make_chain (&m);
  for (guint i = 0; i < G_N_ELEMENTS (charges); i++)
    stacks[i] = stack_of (m.trace, charges[i].stack);
  paths = make_paths (m.trace, 1, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (charges); i++)
    {
      g_auto (WpHideRules) rules = { 0 };
      g_autofree char *frames = NULL;
      WpDepths depths;

      g_assert_true (wp_hide_rules_add (&rules, charges[i].kind, charges[i].rule, NULL));
      g_assert_true (wp_depths_init (&depths, paths, (WpDepthChoice) { .depth = charges[i].depth, .hide = &rules }, NULL, NULL));
      frames = describe_frames (&depths, stacks[i]);
      g_assert_cmpstr (frames, ==, charges[i].frames);
      wp_depths_clear (&depths);
    }
  wp_trace_free (m.trace);
}

/* Stretches that are opened are shown, whatever the rules. */
static void
test_charges_opened (void)
{
  TraceMaker m;
  g_autoptr (WpPaths) paths = NULL;
  g_auto (WpHideRules) rules = { 0 };
  g_autofree guint8 *opened = NULL;
  g_autofree char *frames = NULL;
  WpId stack, walk;
  WpDepths depths;

  make_chain (&m);
  stack = stack_of (m.trace, "main walk walk visit walk");
  walk = stack_of (m.trace, "main walk walk");
  paths = make_paths (m.trace, 1, NULL);
  opened = g_new0 (guint8, m.trace->stacks.len);
  opened[walk] = 1;
  g_assert_true (wp_hide_rules_add (&rules, WP_HIDE_FUNCTION, "walk", NULL));
  g_assert_true (wp_depths_init (&depths, paths, (WpDepthChoice) { .opened = opened, .hide = &rules }, NULL, NULL));
  frames = describe_frames (&depths, stack);
  g_assert_cmpstr (frames, ==, "main · walk · walk · visit (1 charged)");
  wp_depths_clear (&depths);
  wp_trace_free (m.trace);
}

static void
test_rules (void)
{
  g_auto (WpHideRules) rules = { 0 };
  g_autoptr (GError) error = NULL;
  WpHideRules *copy;

  g_assert_true (wp_hide_rules_add (&rules, WP_HIDE_FUNCTION, "a", NULL));
  g_assert_true (wp_hide_rules_add (&rules, WP_HIDE_MATCHING, "a", NULL));
  g_assert_true (wp_hide_rules_add (&rules, WP_HIDE_FUNCTION, "a", NULL));
  g_assert_cmpuint (rules.len, ==, 2);
  g_assert_false (wp_hide_rules_add (&rules, WP_HIDE_MATCHING, "a(", &error));
  g_assert_nonnull (strstr (error->message, "“a(”"));
  g_assert_cmpuint (rules.len, ==, 2);
  copy = wp_hide_rules_copy (&rules);
  wp_hide_rules_remove (&rules, 0);
  g_assert_cmpuint (rules.len, ==, 1);
  g_assert_cmpint (rules.data[0].kind, ==, WP_HIDE_MATCHING);
  g_assert_cmpuint (copy->len, ==, 2);
  wp_hide_rules_free (copy);
}

/* --- numbers ------------------------------------------------------------------------------------------------------ */

static gboolean
is_base (const WpNode *node)
{
  return node->kind == WP_FRAME_PROCESS || node->kind == WP_FRAME_DISK || node->kind == WP_FRAME_QUEUE || node->kind == WP_FRAME_NET;
}

/* "git/git-upload-pack" → what was spent there and its latency, by the kind of the top; processes and devices alone, whatever stands between. */
static GHashTable *
by_process (const WpTree *tree)
{
  GHashTable *sums = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  g_auto (GStrv) keys = g_new0 (char *, tree->nodes.len + 1);

  keys[0] = g_strdup ("");
  for (WpId n = 1; n < tree->nodes.len; n++)
    {
      const WpNode *node = &tree->nodes.data[n];
      gint64 *sum;

      if (!is_base (node))
        {
          keys[n] = g_strdup (keys[node->parent]);
          continue;
        }
      keys[n] = g_strdup_printf ("%s/%s", keys[node->parent], wp_strings_get (tree->strings, node->name));
      sum = g_hash_table_lookup (sums, keys[n]);
      if (sum == NULL)
        g_hash_table_insert (sums, g_strdup (keys[n]), sum = g_new0 (gint64, WP_FRAME_TIMED_COUNT + 1));
      for (guint k = 0; k < WP_FRAME_TIMED_COUNT; k++)
        sum[k] += node->ns[k];
      sum[WP_FRAME_TIMED_COUNT] += node->latency;
    }
  return sums;
}

static void
assert_same_sums (GHashTable *a, GHashTable *b)
{
  GHashTableIter iter;
  gpointer key, value;

  g_assert_cmpuint (g_hash_table_size (a), ==, g_hash_table_size (b));
  g_hash_table_iter_init (&iter, a);
  while (g_hash_table_iter_next (&iter, &key, &value))
    {
      const gint64 *x = value, *y = g_hash_table_lookup (b, key);

      g_assert_nonnull (y);
      g_assert_cmpmem (x, (WP_FRAME_TIMED_COUNT + 1) * sizeof *x, y, (WP_FRAME_TIMED_COUNT + 1) * sizeof *y);
    }
}

static void
assert_same_numbers (const WpTree *a, const WpTree *b)
{
  g_assert_cmpint (a->nodes.data[0].total, ==, b->nodes.data[0].total);
  g_assert_cmpint (a->nodes.data[0].extra, ==, b->nodes.data[0].extra);
  g_assert_cmpint (a->nodes.data[0].latency, ==, b->nodes.data[0].latency);
  g_assert_cmpmem (a->nodes.data[0].ns, sizeof a->nodes.data[0].ns, b->nodes.data[0].ns, sizeof b->nodes.data[0].ns);
}

/* What boxes answer for is what the explanation's rows do: of trees, of stacks with values, and of those read back as a tree. */
static void
check_latency (const WpPaths *paths, const WpTree *tree, WpDepth depth)
{
  g_autoptr (WpExplanation) explanation = wp_explain (paths, 0, G_MAXINT64, NULL, NULL);
  g_autoptr (WpStacks) stacks = wp_paths_stacks (paths, explanation, (WpDepthChoice) { depth, NULL }, NULL, NULL);
  g_autoptr (WpTree) of_stacks = wp_tree_of_stacks (stacks, WP_TREE_BOTH_TYPES, NULL, NULL, NULL);
  g_autoptr (WpTree) alone = wp_tree_of_stacks (stacks, WP_TIME_LATENCY, NULL, NULL, NULL);
  gint64 rows = 0, samples = 0;

  for (WpCategory c = 0; c < WP_CATEGORY_COUNT; c++)
    rows += explanation->latency[c];
  for (guint32 i = 0; i < stacks->n_samples; i++)
    {
      g_assert_cmpint (stacks->values[WP_TIME_LATENCY].data[i], >=, 0);
      samples += stacks->values[WP_TIME_LATENCY].data[i];
    }
  g_assert_cmpint (rows, <=, explanation->wall);
  g_assert_cmpint (tree->nodes.data[0].latency, ==, rows);
  g_assert_cmpint (samples, ==, rows);
  g_assert_cmpint (of_stacks->nodes.data[0].latency, ==, rows);
  g_assert_cmpint (alone->nodes.data[0].total, ==, rows);
}

/* Innermost functions that ran are shown as running; how many of those that did both there are does not matter. */
static void
check_turned_kinds (const WpTree *tree, const WpRows *rows)
{
  gint64 ran = 0, shown[WP_BOX_KIND_COUNT] = { 0 };

  for (guint32 b = 0; b < rows->boxes.len; b++)
    {
      const WpNode *node = &tree->nodes.data[rows->boxes.data[b].ref];

      if (node->parent != 0 || (node->kind != WP_FRAME_RUN && node->kind != WP_FRAME_SLEEP))
        continue;
      ran += node->ns[WP_FRAME_RUN];
      shown[rows->boxes.data[b].kind] += node->total;
    }
  g_assert_cmpint (shown[WP_BOX_RUN], <=, ran);
  g_assert_cmpint (ran, <=, shown[WP_BOX_RUN] + shown[WP_BOX_BOTH]);
}

static void
check_trees (const WpPaths *paths, gboolean inverted)
{
  g_autoptr (GHashTable) expected = NULL;
  g_autoptr (WpTree) all = NULL;

  for (WpDepth d = 0; d < WP_DEPTH_COUNT; d++)
    {
      const WpTreeOptions options = { .depth = { d, NULL }, .inverted = inverted };
      g_autoptr (WpTree) tree = wp_tree_new (paths, &options, NULL, NULL);
      g_autoptr (WpRows) rows = wp_layout_tree (tree, FALSE, NULL);

      g_autoptr (GHashTable) sums = by_process (tree);

      check_latency (paths, tree, d);
      if (inverted)
        check_turned_kinds (tree, rows);

      if (d == WP_DEPTH_ALL)
        {
          all = g_steal_pointer (&tree);
          expected = g_steal_pointer (&sums);
          continue;
        }
      assert_same_numbers (tree, all);
      if (!inverted)
        assert_same_sums (sums, expected);
    }
}

/* --- boxes in time order ------------------------------------------------------------------------------------------ */

/* Rows of one lane, from `first` up to the next that begins one. */
static guint32
next_lane (const WpRows *rows, guint32 first)
{
  guint32 r = first + 1;

  while (r < rows->rows.len && !rows->rows.data[r].group)
    r++;
  return r;
}

/* Whether some box of these rows has this stretch within it, or (`edge`) begins or ends at its start. */
static gboolean
has_box (const WpRows *rows, guint32 first, guint32 end, gint64 from, gint64 to, gboolean edge)
{
  for (guint32 r = first; r < end; r++)
    for (guint32 b = rows->rows.data[r].first; b < rows->rows.data[r].first + rows->rows.data[r].n; b++)
      {
        const WpBox *box = &rows->boxes.data[b];

        if (edge ? box->start == from || box->end == from : box->start <= from && box->end >= to)
          return TRUE;
      }
  return FALSE;
}

static gint64
width_of_bases (const WpRows *rows, guint32 first, guint32 end)
{
  gint64 sum = 0;

  for (guint32 r = first; r < end; r++)
    for (guint32 b = rows->rows.data[r].first; b < rows->rows.data[r].first + rows->rows.data[r].n; b++)
      sum += rows->boxes.data[b].frame == 0 ? rows->boxes.data[b].end - rows->boxes.data[b].start : 0;
  return sum;
}

/* Of a sleep without a stack the deepest rows show nothing but the process, where others have words for it. */
static gboolean
all_have_stacks (const WpPaths *paths)
{
  for (WpId p = 1; p < paths->parts.len; p++)
    {
      const WpOp *op = &paths->trace->ops.data[paths->parts.data[p].op];

      if (op->kind == WP_OP_SLEEP && op->detail == 0)
        return FALSE;
    }
  return TRUE;
}

/* Each box of the deeper rows lies within one of the shallower ones, whose edges are all edges of the deeper ones: boxes, or unions of boxes. */
static void
check_lane (const WpRows *shallow, guint32 s, guint32 s_end, const WpRows *deep, guint32 d, guint32 d_end, gboolean edges)
{
  for (guint32 r = d; r < d_end; r++)
    for (guint32 b = deep->rows.data[r].first; b < deep->rows.data[r].first + deep->rows.data[r].n; b++)
      g_assert_true (has_box (shallow, s, s_end, deep->boxes.data[b].start, deep->boxes.data[b].end, FALSE));
  for (guint32 r = s; r < s_end && edges; r++)
    for (guint32 b = shallow->rows.data[r].first; b < shallow->rows.data[r].first + shallow->rows.data[r].n; b++)
      {
        g_assert_true (has_box (deep, d, d_end, shallow->boxes.data[b].start, 0, TRUE));
        g_assert_true (has_box (deep, d, d_end, shallow->boxes.data[b].end, 0, TRUE));
      }
}

static void
check_lanes (const WpRows *shallow, const WpRows *deep, gboolean edges, gboolean widths)
{
  guint32 s = 0, d = 0;

  while (s < shallow->rows.len && d < deep->rows.len)
    {
      guint32 s_end = next_lane (shallow, s), d_end = next_lane (deep, d);

      if (widths)
        g_assert_cmpint (width_of_bases (shallow, s, s_end), ==, width_of_bases (deep, d, d_end));
      check_lane (shallow, s, s_end, deep, d, d_end, edges);
      s = s_end;
      d = d_end;
    }
  g_assert_cmpuint (s, ==, shallow->rows.len);
  g_assert_cmpuint (d, ==, deep->rows.len);
}

/* Something stands on a wait and begins before it or ends after it. In time order it is cut where a run beside the wait is as high: how much, hangs on the depth. */
static gboolean
hangs_over (const WpPaths *paths)
{
  for (WpId p = 1; p < paths->parts.len; p++)
    {
      const WpPart *part = &paths->parts.data[p], *parent = &paths->parts.data[part->parent];

      if (part->parent != 0 && (part->start < parent->start || part->end > parent->end))
        return TRUE;
    }
  return FALSE;
}

static void
check_flames (const WpPaths *paths)
{
  g_autoptr (WpExplanation) explanation = wp_explain (paths, 0, G_MAXINT64, NULL, NULL);
  g_autoptr (WpRows) deeper = wp_layout_flame (paths, explanation, (WpDepthChoice) { 0 }, NULL, NULL);

  for (WpDepth depth = WP_DEPTH_FUNCTIONS; depth < WP_DEPTH_COUNT; depth++)
    {
      g_autoptr (WpRows) rows = wp_layout_flame (paths, explanation, (WpDepthChoice) { depth, NULL }, NULL, NULL);

      check_lanes (rows, deeper, all_have_stacks (paths) && !hangs_over (paths), !hangs_over (paths));
      wp_rows_free (deeper);
      deeper = g_steal_pointer (&rows);
    }
}

/* --- rules -------------------------------------------------------------------------------------------------------- */

static const struct
{
  WpHideKind kind;
  const char *text;
} hide_rules[] = {
  { WP_HIDE_MATCHING, "." },        /* whatever has a name */
  { WP_HIDE_MATCHING, "[a-m]$" },   /* some here and there */
  { WP_HIDE_MODULE, "[kernel]" },
  { WP_HIDE_FUNCTION, "main" },
};

/* Whatever is hidden, the numbers are those without, and boxes are those without, or unions of them. What hangs over is cut in time order where
 * a run beside its wait has more frames left than the wait: there widths and edges differ. */
static void
check_rule (const WpPaths *paths, const WpExplanation *explanation, WpDepth depth, WpHideKind kind, const char *text)
{
  g_auto (WpHideRules) rules = { 0 };
  WpTreeOptions options = { .depth = { .depth = depth } };
  g_autoptr (WpTree) whole = wp_tree_new (paths, &options, NULL, NULL), charged = NULL, inverted = NULL;
  g_autoptr (WpRows) all = wp_layout_flame (paths, explanation, options.depth, NULL, NULL), rows = NULL;
  g_autoptr (GHashTable) expected = by_process (whole), sums = NULL;
  const WpNode *root = &whole->nodes.data[0];

  g_assert_true (wp_hide_rules_add (&rules, kind, text, NULL));
  options.depth.hide = &rules;
  charged = wp_tree_new (paths, &options, NULL, NULL);
  assert_same_numbers (charged, whole);
  sums = by_process (charged);
  assert_same_sums (sums, expected);
  for (WpId n = 1; n < charged->nodes.len; n++)
    g_assert_false (charged->nodes.data[n].function != 0 && wp_hide_rules_hide (&rules, paths->trace, charged->nodes.data[n].function));
  rows = wp_layout_flame (paths, explanation, options.depth, NULL, NULL);
  check_lanes (rows, all, !hangs_over (paths), FALSE);
  options.inverted = TRUE;
  inverted = wp_tree_new (paths, &options, NULL, NULL);
  g_assert_cmpmem (inverted->nodes.data[0].ns, sizeof root->ns, root->ns, sizeof root->ns);
}

static void
check_rules (const WpPaths *paths)
{
  g_autoptr (WpExplanation) explanation = wp_explain (paths, 0, G_MAXINT64, NULL, NULL);

  for (WpDepth depth = 0; depth < WP_DEPTH_COUNT; depth++)
    for (guint i = 0; i < G_N_ELEMENTS (hide_rules); i++)
      check_rule (paths, explanation, depth, hide_rules[i].kind, hide_rules[i].text);
}

/* --- what is opened ----------------------------------------------------------------------------------------------- */

/* With all stacks opened, any depth is that of all frames; what hides something says which stack to open. */
static void
check_opened (const WpPaths *paths)
{
  g_autofree guint8 *opened = g_new (guint8, paths->trace->stacks.len);
  g_autoptr (WpTree) all = wp_tree_new (paths, NULL, NULL, NULL);
  g_autoptr (GString) expected = g_string_new (NULL);

  wp_tree_folded (all, expected);
  memset (opened, 1, paths->trace->stacks.len);
  for (WpDepth d = WP_DEPTH_FUNCTIONS; d < WP_DEPTH_COUNT; d++)
    {
      g_autoptr (WpTree) tree = wp_tree_new (paths, &(WpTreeOptions) { .depth = { d, opened } }, NULL, NULL);
      g_autoptr (GString) folded = g_string_new (NULL);

      wp_tree_folded (tree, folded);
      g_assert_cmpstr (folded->str, ==, expected->str);
      g_assert_cmpuint (tree->hidden.len, <=, 1);
    }
}

/* What was waited for a CPU, in words, is what the table says. Where events were lost the table says nothing, and words may. */
static void
check_cpu_waits (const WpPaths *paths)
{
  static const char cpu[] = ";waits for a CPU ";
  g_autoptr (WpTree) tree = wp_tree_new (paths, &(WpTreeOptions) { .depth = { .depth = WP_DEPTH_WAITS } }, NULL, NULL);
  g_autoptr (WpExplanation) explanation = wp_explain (paths, 0, G_MAXINT64, NULL, NULL);
  gint64 table = explanation->ns[WP_CATEGORY_SCHEDULER] + explanation->ns[WP_CATEGORY_INVOLUNTARY], words = 0;
  g_autoptr (GString) folded = g_string_new (NULL);
  g_auto (GStrv) lines = NULL;

  wp_tree_folded (tree, folded);
  lines = g_strsplit (folded->str, "\n", -1);
  for (char **line = lines; *line != NULL; line++)
    {
      const char *found = g_strrstr (*line, cpu);

      if (found != NULL && strchr (found + 1, ';') == NULL)
        words += g_ascii_strtoll (found + strlen (cpu), NULL, 10);
    }
  g_assert_cmpint (words, >=, table);
  g_assert_cmpint (words, <=, table + explanation->ns[WP_CATEGORY_UNACCOUNTED]);
}

static void
check_task (const WpTrace *trace, gint32 tid)
{
  g_autoptr (WpPaths) paths = make_paths (trace, tid, NULL);

  check_trees (paths, FALSE);
  check_trees (paths, TRUE);
  check_flames (paths);
  check_rules (paths);
  check_opened (paths);
  check_cpu_waits (paths);
}

static void
test_scenario (gconstpointer path)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (WpTrace) trace = wp_read (path, NULL, NULL, &error);

  g_assert_no_error (error);
  for (WpId t = 1; t < trace->tasks.len; t++)
    if (trace->tasks.data[t].kind == WP_TASK_THREAD && trace->tasks.data[t].n_ops > 0)
      check_task (trace, trace->tasks.data[t].tid);
}

/* The words of a task's first sleep that this ended, in a scenario. */
static void
assert_words (const char *scenario, const char *task, WpCause cause, const char *expected)
{
  g_autofree char *path = g_strdup_printf ("%s/%s.trace", g_getenv ("WP_SCENARIOS"), scenario);
  g_autoptr (WpTrace) trace = wp_read (path, NULL, NULL, NULL);
  g_autoptr (WpPaths) paths = NULL;
  WpIdArray tasks = { 0 };
  WpWaitWords words;
  WpId op = 1;

  g_assert_true (wp_paths_find_tasks (trace, task, &tasks, NULL));
  paths = wp_paths_new (trace, tasks.data, tasks.len, NULL, NULL, NULL);
  wp_wait_words_init (&words, paths);
  while (trace->ops.data[op].task != tasks.data[0] || trace->ops.data[op].kind != WP_OP_SLEEP || trace->ops.data[op].cause != cause)
    g_assert_cmpuint (++op, <, trace->ops.len);
  g_assert_cmpstr (wp_strings_get (words.strings, wp_wait_words_of (&words, op)), ==, expected);
  wp_wait_words_clear (&words);
  wp_array_clear (&tasks);
}

static void
test_words (void)
{
  assert_words ("call-tree", "A", WP_CAUSE_TASK, "reads pipe from B");
  assert_words ("fork-wait-file", "A", WP_CAUSE_TASK, "waits for child B");
  assert_words ("de-facto-start", "A", WP_CAUSE_TIMER, "waits in poll until a time limit");
  assert_words ("burst-nanosleep", "A", WP_CAUSE_TIMER, "sleeps on purpose");
  assert_words ("idle-worker", "kworker/u4:1", WP_CAUSE_NONE, "still waits for work");
  assert_words ("idle-worker", "kworker/u4:2", WP_CAUSE_NONE, "still waits for work");
}

/* Whatever can be opened: the sample, profiles that earlier versions saved. */
static void
test_document (gconstpointer path)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (WpDocument) document = wp_document_open (path, NULL, NULL, &error);
  WpIdArray tasks = { 0 };
  g_autoptr (WpPaths) made = NULL;

  g_assert_no_error (error);
  if (document->saved == NULL)
    {
      g_assert_true (wp_paths_find_tasks (document->trace, NULL, &tasks, NULL));
      made = wp_paths_new (document->trace, tasks.data, tasks.len, NULL, NULL, NULL);
    }
  check_trees (made != NULL ? made : document->saved, FALSE);
  check_flames (made != NULL ? made : document->saved);
  check_rules (made != NULL ? made : document->saved);
  check_opened (made != NULL ? made : document->saved);
  wp_array_clear (&tasks);
}

/* A function that was there before a preemption and after it is one box; the innermost that is known to be on both sides has a notch. */
static void
test_notches (void)
{
  g_autofree char *path = g_build_filename (g_getenv ("WP_SCENARIOS"), "at-least-here.trace", NULL);
  g_autoptr (WpTrace) trace = wp_read (path, NULL, NULL, NULL);
  g_autoptr (WpPaths) paths = NULL;
  WpIdArray tasks = { 0 };

  g_assert_true (wp_paths_find_tasks (trace, "A", &tasks, NULL));
  paths = wp_paths_new (trace, tasks.data, tasks.len, NULL, NULL, NULL);
  for (WpDepth depth = 0; depth < WP_DEPTH_COUNT; depth++)
    {
      g_autoptr (WpRows) rows = wp_layout_flame (paths, NULL, (WpDepthChoice) { depth, NULL }, NULL, NULL);

      g_assert_cmpuint (rows->notches.len, ==, depth == WP_DEPTH_WAITS ? 0 : 2);
      for (guint32 i = 0; i < rows->notches.len; i++)
        {
          const WpNotch *notch = &rows->notches.data[i];
          const WpBox *box = &rows->boxes.data[wp_rows_box_at (rows, notch->row, notch->start)];

          g_assert_cmpint (notch->start, ==, i == 0 ? 500 * US : 700 * US);
          g_assert_cmpint (notch->end, ==, notch->start + 100 * US);
          g_assert_cmpstr (wp_rows_string (rows, box->label), ==, "parse");
          g_assert_true (box->start < notch->start && box->end > notch->end);
        }
    }
  wp_array_clear (&tasks);
}

int
main (int argc, char **argv)
{
  g_autoptr (GDir) folder = NULL;
  const char *name;

  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/depth/folds", test_folds);
  g_test_add_func ("/depth/charges", test_charges);
  g_test_add_func ("/depth/charges/opened", test_charges_opened);
  g_test_add_func ("/depth/rules", test_rules);
  g_test_add_func ("/depth/words", test_words);
  g_test_add_func ("/depth/notches", test_notches);
  g_test_add_data_func ("/depth/sample", g_getenv ("WP_SAMPLE"), test_document);
  g_test_add_data_func_full ("/depth/saved/web", g_build_filename (g_getenv ("WP_SAVED"), "web.perf.gz", NULL), test_document, g_free);
  g_test_add_data_func_full ("/depth/saved/xterm", g_build_filename (g_getenv ("WP_SAVED"), "xterm.perf.gz", NULL), test_document, g_free);
  folder = g_dir_open (g_getenv ("WP_SCENARIOS"), 0, NULL);
  while (folder != NULL && (name = g_dir_read_name (folder)) != NULL)
    if (g_str_has_suffix (name, ".trace"))
      {
        g_autofree char *test = g_strdup_printf ("/depth/scenarios/%s", name);

        g_test_add_data_func_full (test, g_build_filename (g_getenv ("WP_SCENARIOS"), name, NULL), test_scenario, g_free);
      }
  return g_test_run ();
}
