#include "scenes.h"

#include "profile/compare/compare-private.h"
#include "view/layout.h"

static void
add_row (WpRows *rows, const char *label, gboolean group)
{
  wp_array_push (&rows->rows, ((WpRow) { .first = rows->boxes.len, .label = wp_strings_intern (rows->strings, label),
                                         .group = group }));
}

static void
add (WpRows *rows, gint64 start, gint64 end, WpBoxKind kind, const char *label)
{
  wp_array_push (&rows->boxes, ((WpBox) { .start = start, .end = end, .kind = kind,
                                          .label = wp_strings_intern (rows->strings, label) }));
  rows->rows.data[rows->rows.len - 1].n++;
}

static void
add_line (WpRows *rows, gint64 start, gint64 end, guint32 from, guint32 to)
{
  wp_array_push (&rows->lines, ((WpLine) { .start = start, .end = end, .from_row = from, .to_row = to,
                                           .link = rows->lines.len + 1 }));
}

WpRows *
scene_kinds (void)
{
  static const char *const names[WP_BOX_KIND_COUNT] = {
    "compute_everything", "read", "main", "make (4711)", "vda: read 8 KiB", "vda: read 8 KiB, queued", "10.0.0.1:443",
    "waiting on cc1", "eth0", "runnable", "events lost",
  };
  static const guint8 widths[] = { 150, 90, 60, 40, 24, 16, 10, 7, 5, 3, 2, 1 };
  WpRows *rows = wp_rows_new ();

  for (guint kind = 0; kind <= WP_BOX_UNKNOWN; kind++) /* those of a trace */
    {
      gint64 t = 0;

      add_row (rows, names[kind], kind == 4 || kind == 7);
      for (guint i = 0; i < G_N_ELEMENTS (widths); i++, t += 4)
        {
          add (rows, t * 1000, (t + widths[i]) * 1000, kind, names[kind]);
          t += widths[i];
        }
    }
  wp_rows_finish (rows);
  return rows;
}

WpRows *
scene_shares (void)
{
  static const guint shares[] = { 1000, 500, 100, 35, 1 };
  WpRows *rows = wp_rows_new ();

  for (guint r = 0; r < G_N_ELEMENTS (shares); r++)
    {
      g_autofree char *name = g_strdup_printf ("%g %%", shares[r] / 10.0);

      add_row (rows, name, FALSE);
      for (gint64 t = 0; t < 4000; t++)
        add (rows, t * 1000, t * 1000 + shares[r], WP_BOX_RUN, "work");
    }
  add_row (rows, "once", FALSE);
  add (rows, 1000000, 1001000, WP_BOX_RUN, "work");
  add (rows, 2000000, 2400000, WP_BOX_RUN, "work");
  add_row (rows, "with sleeps", TRUE);
  for (gint64 t = 0; t < 4000; t++)
    {
      gint64 ran = 100 + t / 5;

      add (rows, t * 1000, t * 1000 + ran, WP_BOX_RUN, "work");
      add (rows, t * 1000 + ran, (t + 1) * 1000, WP_BOX_SLEEP, "read");
    }
  rows->shaded = TRUE;
  wp_rows_finish (rows);
  return rows;
}

WpRows *
scene_flame (void)
{
  WpRows *rows = wp_rows_new ();

  rows->end = 12000000;
  add_row (rows, "", FALSE);
  add (rows, 2400000, 5200000, WP_BOX_DISK, "vda: read 128 KiB");
  add (rows, 5300000, 6300000, WP_BOX_RUN, "parse_line");
  add (rows, 6300000, 6900000, WP_BOX_RUN, "parse_number");
  add_row (rows, "", FALSE);
  add (rows, 1300000, 2300000, WP_BOX_RUN, "open_input");
  add (rows, 2300000, 5300000, WP_BOX_SLEEP, "read");
  add (rows, 5300000, 6900000, WP_BOX_RUN, "std::vector<std::pair<int, std::string>>::push_back(value_type const&)");
  add_row (rows, "", FALSE);
  add (rows, 1200000, 6950000, WP_BOX_BOTH, "main");
  add (rows, 7600000, 9800000, WP_BOX_OTHER_PATH, "waiting on worker");
  add (rows, 9800000, 10050000, WP_BOX_RUNNABLE, "runnable");
  add_row (rows, "", FALSE);
  add (rows, 0, 900000, WP_BOX_RUN, "start_child");
  add (rows, 1200000, 6950000, WP_BOX_PROCESS, "child");
  add (rows, 7200000, 7600000, WP_BOX_RUN, "collect");
  add (rows, 7600000, 10050000, WP_BOX_SLEEP, "pthread_cond_wait");
  add (rows, 10050000, 11200000, WP_BOX_RUN, "write_report");
  add (rows, 11200000, 12000000, WP_BOX_INTERRUPT, "eth0");
  add_row (rows, "", FALSE);
  add (rows, 0, 12000000, WP_BOX_BOTH, "main");
  add_row (rows, "tool", FALSE);
  add (rows, 0, 12000000, WP_BOX_PROCESS, "tool");
  add_row (rows, "", TRUE);
  add (rows, 800000, 9700000, WP_BOX_RUN, "worker_loop");
  add_row (rows, "worker", FALSE);
  add (rows, 800000, 9750000, WP_BOX_PROCESS, "worker");
  add_line (rows, 700000, 800000, 5, 7);
  add_line (rows, 9700000, 10050000, 7, 5);
  wp_rows_finish (rows);
  return rows;
}

WpRows *
scene_consolidated (void)
{
  WpRows *rows = wp_rows_new ();

  rows->is_time = FALSE;
  rows->end = 80000000;
  add_row (rows, "", FALSE);
  add (rows, 0, 22000000, WP_BOX_RUN, "hash_block");
  add (rows, 30000000, 41000000, WP_BOX_QUEUE, "vda queue");
  add_row (rows, "", FALSE);
  add (rows, 0, 30000000, WP_BOX_RUN, "hash_file");
  add (rows, 30000000, 52000000, WP_BOX_DISK, "vda");
  add (rows, 60000000, 70000000, WP_BOX_NET, "93.184.216.34:443");
  add_row (rows, "", FALSE);
  add (rows, 0, 55000000, WP_BOX_BOTH, "main");
  add (rows, 60000000, 75000000, WP_BOX_UNKNOWN, "events lost");
  add_row (rows, "", FALSE);
  add (rows, 0, 56000000, WP_BOX_PROCESS, "sha256sum");
  add (rows, 60000000, 80000000, WP_BOX_PROCESS, "curl");
  wp_rows_finish (rows);
  return rows;
}

WpRows *
scene_dense (void)
{
  static const char *const names[] = { "alpha", "beta", "gamma", "delta" };
  WpRows *rows = wp_rows_new ();
  guint32 h = 1;

  for (guint r = 0; r < 2; r++)
    {
      add_row (rows, r == 0 ? "busy" : "busier", FALSE);
      for (gint64 i = 0; i < 20000; i++)
        {
          h = h * 1664525 + 1013904223;
          add (rows, i * 100, i * 100 + 20 + h % 80, r == 0 ? WP_BOX_RUN : h >> 16 & 1 ? WP_BOX_RUN : WP_BOX_SLEEP,
               names[r == 0 ? i / 7000 : h >> 20 & 3]);
        }
    }
  add_row (rows, "quiet", FALSE);
  add (rows, 0, 600000, WP_BOX_SLEEP, "poll");
  add (rows, 600000, 2000000, WP_BOX_RUN, "render");
  for (guint i = 0; i < 3000; i++)
    add_line (rows, i * 600, i * 600 + 90, i % 3, (i + 1) % 3);
  wp_rows_finish (rows);
  return rows;
}

WpRows *
scene_names (void)
{
  static const char *const names[] = {
    "a", "kworker/u8:2-events_unbound_with_a_long_name (1234567)",
    "org.gnome.Something.Very.Long.Indeed.Service (42)", "naïve façade Ωmega (7)", "\xff\xfe broken \xc3 (9)",
  };
  WpRows *rows = wp_rows_new ();

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      add_row (rows, names[i], i == 2);
      add (rows, 0, 400000, WP_BOX_RUN, names[i]);
      add (rows, 400000, 450000 + i * 40000, WP_BOX_SLEEP, names[i]);
      add (rows, 700000, 2000000, WP_BOX_BOTH, names[i]);
    }
  wp_rows_finish (rows);
  return rows;
}

/* --- a comparison ---------------------------------------------------------------------------------------------------- */

static WpComparison *
compare_texts (const char *a, const char *b)
{
  g_autoptr (WpComparer) comparer = wp_comparer_new (1, 1);
  const char *const texts[] = { a, b };

  for (guint side = 0; side < WP_N_SIDES; side++)
    {
      g_autoptr (WpProfile) profile = wp_profile_parse ("scene", texts[side], strlen (texts[side]), NULL, NULL);

      wp_comparer_add_profile (comparer, side, profile, NULL);
    }
  return wp_comparer_finish (comparer, FALSE);
}

#define HEAD "{\"header\": {\"type\": \"time\", \"cmd\": \"x\", \"units\": {\"time\": \"ms\"}}, \"global\": {\"resources\": ["
#define STACK(amount, f, g) \
  "{\"amount\": " amount ", \"uid\": \"" f "\", \"trace\": [{\"function\": \"" f "\"}, {\"function\": \"" g "\"}, {\"function\": \"main\"}]}"

WpRows *
scene_diff (void)
{
  g_autoptr (WpComparison) comparison
    = compare_texts (HEAD STACK ("20", "parse", "load") ", " STACK ("30", "swap", "sort") ", " STACK ("20", "old", "sort") ", "
                       STACK ("25", "print", "show") ", " STACK ("14", "wait", "show") "]}}",
                     HEAD STACK ("20", "parse", "load") ", " STACK ("60", "swap", "sort") ", " STACK ("15", "cache", "load") ", "
                       STACK ("29", "print", "show") ", " STACK ("5", "wait", "show") "]}}");

  return wp_layout_diff (comparison, WP_DIFF_A, FALSE);
}

WpDiagram *
scene_diagram (void)
{
  static const struct
  {
    const char *name;
    guint32 layer;
    double size;
    WpBoxKind kind;
  } nodes[] = {
    { "main", 0, 12, WP_BOX_PROGRAM },
    { "parse", 1, 14, WP_BOX_PROGRAM },
    { "std::unordered_map<std::string, std::vector<Token>>::operator[]", 1, 13, WP_BOX_LIBRARY },
    { "read", 2, 22, WP_BOX_LIBRARY },
    { "expect", 2, 12, WP_BOX_PROGRAM },
    { "vfs_read", 3, 16, WP_BOX_KERNEL },
  };
  static const struct
  {
    guint32 from, to;
    double share;
    const char *note;
  } edges[] = {
    { 0, 1, 1, "80.1 %" }, { 0, 2, 0.2, "16.2 %" }, { 1, 3, 0.6, "48.0 %" }, { 1, 4, 0.1, "8.0 %" }, { 4, 1, 0.05, "4.0 %" },
    { 3, 5, 0.6, "47.9 %" }, { 0, 5, 0.02, "1.1 %" }, { 4, 4, 0.03, "2.0 %" }, { 4, 3, 0.04, "3.0 %" },
  };
  WpDiagram *diagram = wp_diagram_new ();

  for (guint i = 0; i < G_N_ELEMENTS (nodes); i++)
    wp_array_push (&diagram->nodes, ((WpDiagramNode) { .width = 130, .height = 34 + nodes[i].size, .size = nodes[i].size, .layer = nodes[i].layer, .kind = nodes[i].kind,
                                                       .name = wp_strings_intern (diagram->strings, nodes[i].name),
                                                       .note = wp_strings_intern (diagram->strings, "12.3 % of 45.6 %") }));
  for (guint i = 0; i < G_N_ELEMENTS (edges); i++)
    wp_array_push (&diagram->edges, ((WpDiagramEdge) { .from = edges[i].from, .to = edges[i].to, .share = edges[i].share,
                                                       .note = wp_strings_intern (diagram->strings, edges[i].note) }));
  g_assert_true (wp_diagram_lay_out (diagram, NULL, NULL));
  return diagram;
}
