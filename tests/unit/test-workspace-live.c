/* The live view without a display: things stay where they were seen first, looks do not cost more than they may, and a stream that grows is read
 * piece by piece as at once. */
#include "perf-maker.h"
#include "view/rows.h"
#include "workspace/live/live-model.h"
#include "workspace/live/live-order.h"

#include <fcntl.h>
#include <glib/gstdio.h>
#include <unistd.h>

/* --- order -------------------------------------------------------------------------------------------------------- */

static WpId
add_node (WpTree *tree, WpId parent, const char *name, gint64 total)
{
  WpNode *node = wp_array_add (&tree->nodes);

  node->name = wp_strings_intern (tree->strings, name);
  node->parent = parent;
  node->self = node->total = total;
  return tree->nodes.len - 1;
}

/* "b a" of a node's children. */
static char *
children (const WpTree *tree, WpId parent)
{
  GString *text = g_string_new (NULL);

  for (WpId c = tree->nodes.data[parent].first_child; c != 0; c = tree->nodes.data[c].next)
    g_string_append_printf (text, "%s%s", text->len > 0 ? " " : "", wp_strings_get (tree->strings, tree->nodes.data[c].name));
  return g_string_free (text, FALSE);
}

/* A tree whose root has these children, and the first of them others; in order. Both end with NULL. */
static void
assert_order (WpLiveOrder *order, const char *const *names, const gint64 *totals, const char *expected)
{
  g_autoptr (WpTree) tree = wp_tree_alloc ();
  g_autofree char *found = NULL;

  for (guint i = 0; names[i] != NULL; i++)
    add_node (tree, 0, names[i], totals[i]);
  wp_tree_link (tree);
  wp_live_order_tree (order, tree);
  found = children (tree, 0);
  g_assert_cmpstr (found, ==, expected);
}

static void
test_tree (void)
{
  WpLiveOrder *order = wp_live_order_new ();

  assert_order (order, (const char *[]) { "a", "b", NULL }, (gint64[]) { 1, 2 }, "b a"); /* at first the longest */
  assert_order (order, (const char *[]) { "a", "b", NULL }, (gint64[]) { 5, 2 }, "b a");
  assert_order (order, (const char *[]) { "c", "a", "b", NULL }, (gint64[]) { 9, 5, 2 }, "b a c"); /* the new one last */
  assert_order (order, (const char *[]) { "c", "a", NULL }, (gint64[]) { 9, 10 }, "a c");
  assert_order (order, (const char *[]) { "b", "c", "a", NULL }, (gint64[]) { 1, 9, 10 }, "b a c"); /* back at its place */
  wp_live_order_free (order);
}

static WpGrid *
new_grid (const char *const *names, const double *numbers)
{
  WpGrid *grid = wp_grid_new (g_strv_length ((char **) names));

  wp_grid_add (grid, "Function");
  wp_grid_add (grid, "Time");
  wp_grid_add (grid, "Module");
  for (guint32 i = 0; i < grid->n_rows; i++)
    {
      wp_grid_set_text (grid, 0, i, names[i]);
      wp_grid_set_number (grid, 1, i, numbers[i], "some");
      wp_grid_set_text (grid, 2, i, "module");
    }
  return grid;
}

static char *
rows (const WpGrid *grid)
{
  GString *text = g_string_new (NULL);

  for (guint32 i = 0; i < grid->n_rows; i++)
    g_string_append_printf (text, "%s%s %g", i > 0 ? ", " : "", wp_grid_text (grid, 0, i), grid->columns.data[1].numbers[i]);
  return g_string_free (text, FALSE);
}

static void
assert_rows (WpLiveOrder *order, const char *const *names, const double *numbers, const char *expected)
{
  g_autoptr (WpGrid) grid = new_grid (names, numbers), ordered = wp_live_order_grid (order, grid, 0, 2);
  g_autofree char *found = rows (ordered);

  g_assert_cmpstr (found, ==, expected);
  g_assert_cmpstr (wp_grid_text (ordered, 2, 0), ==, "module");
}

/* What is gone keeps its row. */
static void
test_table (void)
{
  WpLiveOrder *order = wp_live_order_new ();

  assert_rows (order, (const char *[]) { "b", "a", NULL }, (double[]) { 2, 1 }, "b 2, a 1");
  assert_rows (order, (const char *[]) { "a", "c", NULL }, (double[]) { 3, 2 }, "b 0, a 3, c 2");
  assert_rows (order, (const char *[]) { "c", "b", NULL }, (double[]) { 5, 1 }, "b 1, a 0, c 5");
  wp_live_order_free (order);
}

/* --- cost --------------------------------------------------------------------------------------------------------- */

static void
test_interval (void)
{
  g_assert_cmpint (wp_live_interval_us (0), ==, 1000000);
  g_assert_cmpint (wp_live_interval_us (0.049), ==, 1000000);
  g_assert_cmpint (wp_live_interval_us (0.1), ==, 2000000);
  for (double cost = 0.001; cost < 100; cost *= 1.5)
    g_assert_cmpfloat (cost / ((double) wp_live_interval_us (cost) / 1e6), <=, 0.0501);
  g_assert_cmpint (wp_live_interval_us (1e300), >, 0);
}

/* --- looks -------------------------------------------------------------------------------------------------------- */

static GByteArray *
one_round (guint64 t)
{
  static const guint64 user[] = { PERF_CONTEXT_USER, MAKER_USER + 0x170, MAKER_USER + 0x260 };
  GByteArray *out = g_byte_array_new ();

  maker_switch (out, t + 1000000, 0, 0, "swapper/0", 0, 11, "pass");
  for (guint i = 0; i < 40; i++) /* ten times as many as are kept */
    maker_sample (out, 3, 11, t + 1100000 + i * 90000, 0, user, 3, NULL);
  maker_switch (out, t + 5000000, 0, 11, "pass", 1, 0, "swapper/0");
  maker_u32 (out, WP_PERF_RECORD_FINISHED_ROUND);
  maker_u32 (out, 8 << 16);
  return out;
}

static void
append (int fd, guint64 *bytes, GByteArray *data)
{
  g_assert_cmpint (write (fd, data->data, data->len), ==, (gssize) data->len);
  *bytes += data->len;
  g_byte_array_unref (data);
}

static GByteArray *
beginning (void)
{
  GByteArray *records = g_byte_array_new ();

  maker_comm (records, 11, "pass", FALSE, 0, 0);
  maker_mmap2 (records, 11, MAKER_USER, 0x1000, 0x1000, "/nowhere/pass", 0);
  return maker_stream (records, FALSE);
}

static double
of_function (const WpGrid *grid, const char *name, guint32 column)
{
  for (guint32 i = 0; i < grid->n_rows; i++)
    if (g_str_equal (wp_grid_text (grid, WP_LIVE_NAME, i), name))
      return grid->columns.data[column].numbers[i];
  g_test_message ("there is no function %s", name);
  return -1;
}

/* One function runs and another one, of the same caller, waits. */
static void
assert_functions (const WpGrid *grid)
{
  double ran = of_function (grid, "pass+0x1170", WP_LIVE_RUNNING), waited = of_function (grid, "__schedule", WP_LIVE_WAITING);

  g_assert_cmpfloat (ran, >, 0);
  g_assert_cmpfloat (waited, >, 0);
  g_assert_cmpfloat (of_function (grid, "pass+0x1170", WP_LIVE_WAITING), ==, 0);
  g_assert_cmpfloat (of_function (grid, "pass+0x1170", WP_LIVE_TOTAL), ==, ran);
  g_assert_cmpfloat (of_function (grid, "__schedule", WP_LIVE_RUNNING), ==, 0);
  g_assert_cmpfloat (of_function (grid, "pass+0x1150", WP_LIVE_TOTAL), ==, waited);
  g_assert_cmpfloat (of_function (grid, "pass+0x125f", WP_LIVE_TOTAL), ==, ran + waited);
}

/* A stream under way, and where it is to be written to. */
typedef struct
{
  char *folder, *path, *output;
  int fd;
} Stream;

static void
set_up (Stream *self)
{
  self->folder = g_dir_make_tmp ("wakepath-live-XXXXXX", NULL);
  self->path = g_build_filename (self->folder, "stream", NULL);
  self->output = g_build_filename (self->folder, "output", NULL);
  self->fd = open (self->path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  g_assert_cmpint (self->fd, >=, 0);
}

static void
tear_down (Stream *self)
{
  close (self->fd);
  g_unlink (self->path);
  g_assert_cmpint (g_rmdir (self->folder), ==, 0);
  g_free (self->folder);
  g_free (self->path);
  g_free (self->output);
}

/* Each look has what came since, and what was there before, in its window. */
static void
test_looks (void)
{
  g_autoptr (GError) error = NULL;
  WpLiveWish wish = { .ns = 25000000 };
  WpLiveReader *reader;
  Stream stream;
  int fd;

  set_up (&stream);
  fd = stream.fd;
  reader = wp_live_reader_new (fd, stream.output, 11, &error);
  g_assert_no_error (error);
  append (fd, &wish.whole, beginning ());
  for (guint i = 0; i < 20; i++)
    {
      WpLiveReading *reading;

      append (fd, &wish.whole, one_round (i * 10000000));
      reading = wp_live_reader_read (reader, &wish, NULL, &error);
      g_assert_no_error (error);
      g_assert_cmpint (reading->pid, ==, 11);
      g_assert_false (reading->asleep);
      g_assert_cmpstr (reading->paths->name, ==, "pass");
      g_assert_cmpint (reading->explanation->wall, <=, 25000000);
      g_assert_cmpuint (reading->processes.len, ==, 1);
      if (i >= 3)
        assert_functions (wp_shared_get (reading->functions));
      if (i >= 3)
        g_assert_cmpint (reading->wall, >, 20000000);
      wp_live_reading_free (reading);
    }
  wp_live_reader_free (reader);
  tear_down (&stream);
}

/* This task runs for a moment. */
static GByteArray *
short_round (guint64 t, gint32 tid)
{
  GByteArray *out = g_byte_array_new ();

  maker_switch (out, t + 1000000, 0, 0, "swapper/0", 0, tid, "busy");
  maker_switch (out, t + 2000000, 0, tid, "busy", 1, 0, "swapper/0");
  maker_u32 (out, WP_PERF_RECORD_FINISHED_ROUND);
  maker_u32 (out, 8 << 16);
  return out;
}

/* The command went to sleep long before anybody looked. A child of it that runs does not hide it. */
static void
test_hanging (void)
{
  static const guint64 wait[] = { PERF_CONTEXT_KERNEL, MAKER_KERNEL + 0x110, MAKER_KERNEL + 0x430, PERF_CONTEXT_USER, MAKER_USER + 0x150 };
  WpLiveWish wish = { .ns = 25000000 };
  GByteArray *round = g_byte_array_new ();
  WpLiveReading *reading;
  WpLiveReader *reader;
  Stream stream;

  set_up (&stream);
  reader = wp_live_reader_new (stream.fd, stream.output, 11, NULL);
  append (stream.fd, &wish.whole, beginning ());
  maker_switch (round, 1000000, 0, 0, "swapper/0", 0, 11, "pass");
  maker_fork (round, 11, 12, 2000000);
  maker_switch_at (round, 3000000, 0, 11, "pass", 1, 0, "swapper/0", wait, G_N_ELEMENTS (wait));
  append (stream.fd, &wish.whole, round);
  for (guint i = 1; i < 20; i++)
    append (stream.fd, &wish.whole, short_round (i * 10000000, 77));
  reading = wp_live_reader_read (reader, &wish, NULL, NULL);
  g_assert_true (reading->asleep);
  g_assert_cmpstr (reading->paths->name, ==, "pass");
  g_assert_cmpstr (reading->answer->clauses.data[1].text, ==, "It still waits for a child, for 21.0 ms so far.");
  wp_live_reading_free (reading);
  for (guint i = 20; i < 24; i++)
    append (stream.fd, &wish.whole, short_round (i * 10000000, 12));
  reading = wp_live_reader_read (reader, &wish, NULL, NULL);
  g_assert_false (reading->asleep);
  g_assert_cmpuint (reading->paths->base_tasks.len, ==, 2);
  wp_live_reading_free (reading);
  wp_live_reader_free (reader);
  tear_down (&stream);
}

/* A box is found again by its names. */
static void
test_box (void)
{
  WpLiveWish wish = { .ns = G_MAXINT32 };
  WpLiveReading *reading;
  WpLiveReader *reader;
  Stream stream;
  guint32 n;

  set_up (&stream);
  reader = wp_live_reader_new (stream.fd, stream.output, 11, NULL);
  append (stream.fd, &wish.whole, beginning ());
  append (stream.fd, &wish.whole, one_round (0));
  reading = wp_live_reader_read (reader, &wish, NULL, NULL);
  n = ((const WpRows *) wp_shared_get (reading->rows))->boxes.len;
  g_assert_cmpuint (n, >, 2);
  for (guint32 box = 0; box < n; box++)
    {
      g_auto (GStrv) names = wp_live_reading_path (reading, box);
      g_autofree char *text = wp_live_reading_describe (reading, box);

      g_assert_cmpuint (wp_live_reading_find (reading, names), ==, box);
      g_assert_nonnull (strchr (text, '\n'));
    }
  g_assert_cmpuint (wp_live_reading_find (reading, (char *[]) { (char *) "nobody", NULL }), ==, G_MAXUINT32);
  wp_live_reading_free (reading);
  wp_live_reader_free (reader);
  tear_down (&stream);
}

static gboolean
has_box (const WpLiveReading *reading, const char *name)
{
  const WpRows *rows = wp_shared_get (reading->rows);

  for (guint32 box = 0; box < rows->boxes.len; box++)
    if (g_str_equal (wp_rows_string (rows, rows->boxes.data[box].label), name))
      return TRUE;
  return FALSE;
}

/* At the depth of functions what the kernel does is words. */
static void
test_depth (void)
{
  WpLiveWish wish = { .ns = G_MAXINT32 };
  WpLiveReader *reader;
  Stream stream;

  set_up (&stream);
  reader = wp_live_reader_new (stream.fd, stream.output, 11, NULL);
  append (stream.fd, &wish.whole, beginning ());
  append (stream.fd, &wish.whole, one_round (0));
  append (stream.fd, &wish.whole, one_round (100000000));
  for (guint all = 0; all < 2; all++)
    {
      WpLiveReading *reading;

      wish.depth = all ? WP_DEPTH_ALL : WP_DEPTH_FUNCTIONS;
      append (stream.fd, &wish.whole, one_round (200000000 + all * 100000000));
      reading = wp_live_reader_read (reader, &wish, NULL, NULL);
      g_assert_cmpint (has_box (reading, "__schedule"), ==, all);
      g_assert_cmpint (has_box (reading, "pass"), ==, TRUE);
      g_assert_cmpint (has_box (reading, "waits"), ==, !all);
      g_assert_cmpuint (reading->answer->clauses.len, >, 2);
      g_assert_true (g_str_has_prefix (reading->answer->clauses.data[0].text, "pass takes"));
      wp_live_reading_free (reading);
    }
  wp_live_reader_free (reader);
  tear_down (&stream);
}

/* What is old goes from a flight recorder's stream. Who has followed it does not miss it; who has not is told. */
static void
test_hole (void)
{
  for (guint followed = 0; followed < 2; followed++)
    {
      g_autoptr (GError) error = NULL;
      g_autofree guint8 *zeros = NULL;
      WpLiveWish wish = { .ns = G_MAXINT32 };
      guint64 first = 0;
      WpLiveReading *reading;
      WpLiveReader *reader;
      Stream stream;

      set_up (&stream);
      reader = wp_live_reader_new (stream.fd, stream.output, 11, NULL);
      append (stream.fd, &wish.whole, beginning ());
      append (stream.fd, &wish.whole, one_round (0));
      g_assert_true (wp_live_reader_follow (reader, wish.whole, NULL, &error));
      first = wish.whole;
      for (guint i = 1; i < 5; i++)
        append (stream.fd, &wish.whole, one_round (i * 10000000));
      if (followed)
        g_assert_true (wp_live_reader_follow (reader, wish.whole, NULL, &error));
      zeros = g_malloc0 (wish.whole - first);
      g_assert_cmpint (pwrite (stream.fd, zeros, wish.whole - first, (off_t) first), ==, (gssize) (wish.whole - first));
      append (stream.fd, &wish.whole, one_round (50000000));
      reading = wp_live_reader_read (reader, &wish, NULL, &error);
      g_assert_cmpint (reading != NULL, ==, followed);
      if (reading != NULL)
        {
          g_assert_cmpstr (reading->paths->name, ==, "pass");
          wp_live_reading_free (reading);
        }
      else
        g_assert_error (error, G_FILE_ERROR, G_FILE_ERROR_FAILED);
      wp_live_reader_free (reader);
      tear_down (&stream);
    }
}

/* --- one recording after another ---------------------------------------------------------------------------------- */

static void
wait_for_look (WpLiveModel *model, guint64 whole)
{
  wp_live_model_grown (model, whole);
  while (wp_live_model_failure (model) == NULL && wp_live_model_reading (model) == NULL)
    g_main_context_iteration (NULL, TRUE);
}

/* What became of one says nothing of the next one. */
static void
test_again (void)
{
  g_autoptr (WpLiveModel) model = wp_live_model_new ();
  guint64 size = 0;
  Stream bad, good;

  set_up (&bad);
  set_up (&good);
  close (bad.fd);
  bad.fd = open (bad.path, O_WRONLY | O_CLOEXEC); /* which cannot be read */
  append (good.fd, &size, beginning ());
  append (good.fd, &size, one_round (0));
  wp_live_model_begin (model, bad.fd, "/nowhere/at/all", 11, FALSE);
  g_assert_true (wp_live_model_has_begun (model)); /* so that it is not tried again and again */
  g_assert_nonnull (wp_live_model_failure (model));
  wp_live_model_end (model);
  g_assert_nonnull (wp_live_model_failure (model));
  g_assert_false (wp_live_model_has_begun (model));
  wp_live_model_begin (model, bad.fd, bad.output, 11, TRUE);
  g_assert_null (wp_live_model_failure (model));
  wp_live_model_set_on (model, FALSE);
  wait_for_look (model, 100); /* it is followed while it is off */
  g_assert_nonnull (wp_live_model_failure (model));
  wp_live_model_set_on (model, TRUE);
  for (guint i = 0; i < 2; i++)
    {
      wp_live_model_end (model);
      wp_live_model_begin (model, good.fd, good.output, 11, FALSE);
      g_assert_null (wp_live_model_failure (model));
      g_assert_null (wp_live_model_reading (model));
      wait_for_look (model, size);
      g_assert_null (wp_live_model_failure (model));
      g_assert_cmpint (wp_live_model_reading (model)->pid, ==, 11);
    }
  wp_live_model_end (model);
  g_assert_nonnull (wp_live_model_reading (model));
  wp_live_model_clear (model);
  g_assert_null (wp_live_model_reading (model));
  tear_down (&bad);
  tear_down (&good);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/live/tree", test_tree);
  g_test_add_func ("/live/table", test_table);
  g_test_add_func ("/live/interval", test_interval);
  g_test_add_func ("/live/looks", test_looks);
  g_test_add_func ("/live/hanging", test_hanging);
  g_test_add_func ("/live/box", test_box);
  g_test_add_func ("/live/depth", test_depth);
  g_test_add_func ("/live/hole", test_hole);
  g_test_add_func ("/live/again", test_again);
  return g_test_run ();
}
