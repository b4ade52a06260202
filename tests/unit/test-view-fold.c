/* The fold against a slow one that follows its definition word by word, on random rows; the index of longest boxes. */
#include "view/fold.h"
#include "view/viewport.h"

#include <math.h>
#include <unistd.h>

static WpRows *
random_rows (GRand *rand, guint n_rows, guint n_boxes, gint64 longest, gboolean shaded)
{
  WpRows *rows = wp_rows_new ();

  rows->shaded = shaded;
  for (guint r = 0; r < n_rows; r++)
    {
      gint64 t = g_rand_int_range (rand, 0, 50);
      guint32 first = rows->boxes.len;

      for (guint i = 0; i < n_boxes; i++)
        {
          gint64 length = g_rand_int_range (rand, 0, 5) == 0 ? g_rand_int_range (rand, 1, (gint32) longest)
                                                             : g_rand_int_range (rand, 1, 20);
          WpBox box = { .start = t, .end = t + length, .label = g_rand_int_range (rand, 1, 4),
                        .kind = (guint8) g_rand_int_range (rand, 0, 2) };

          wp_array_push (&rows->boxes, box);
          t = box.end + (g_rand_boolean (rand) ? 0 : g_rand_int_range (rand, 0, 1 + (gint32) longest / 4));
        }
      wp_array_push (&rows->rows, ((WpRow) { .first = first, .n = rows->boxes.len - first, .group = r % 3 == 0 }));
    }
  wp_rows_finish (rows);
  return rows;
}

static gint64
length (const WpRows *rows, guint32 box)
{
  return rows->boxes.data[box].end - rows->boxes.data[box].start;
}

static double
pixel (const WpRows *rows, const WpViewport *vp, gint64 t)
{
  return ((double) t - (double) rows->start) / ((vp->end - vp->start) / vp->width);
}

/* Which box a cell shows, by looking at every box of the row. */
static guint32
slow_cell (const WpRows *rows, const WpViewport *vp, guint32 row, gint64 cell)
{
  const WpRow *r = &rows->rows.data[row];
  guint32 best = G_MAXUINT32;
  double best_score = -1;

  for (guint32 i = r->first; i < r->first + r->n; i++)
    {
      double a = pixel (rows, vp, rows->boxes.data[i].start), b = pixel (rows, vp, rows->boxes.data[i].end), score;
      gint64 first = (gint64) floor (a), last = MAX (first, (gint64) ceil (b) - 1);
      double pixels = length (rows, i) * vp->width / (vp->end - vp->start);
      gboolean wide = length (rows, i) >= (vp->end - vp->start) / vp->width;

      if (cell < first || cell > last)
        continue;
      /* Wide ones above all others, among them by what they cover; the others by how long they are (below 1 pixel). */
      score = wide ? 1 + MIN (b, (double) cell + 1) - MAX (a, (double) cell) : pixels * 0.5;
      if (score > best_score)
        {
          best = i;
          best_score = score;
        }
    }
  return best;
}

/* The same box, or two that are narrower than a pixel and look alike. */
static gboolean
is_one_span (const WpRows *rows, const WpViewport *vp, guint32 a, guint32 b)
{
  double pixel_ns = (vp->end - vp->start) / vp->width;

  return a == b
         || (length (rows, a) < pixel_ns && length (rows, b) < pixel_ns
             && rows->boxes.data[a].label == rows->boxes.data[b].label && rows->boxes.data[a].kind == rows->boxes.data[b].kind);
}

static void
check_row (const WpRows *rows, const WpViewport *vp, guint32 row, const WpSpan *spans, guint32 n)
{
  double left = pixel (rows, vp, 0) + vp->start / ((vp->end - vp->start) / vp->width);
  gint64 first = (gint64) floor (left), last = (gint64) ceil (left + vp->width) - 1;
  guint32 s = 0, before = G_MAXUINT32, span_before = 0;

  for (gint64 cell = first; cell <= last; cell++, span_before = s)
    {
      double middle = (double) cell + 0.5 - left;
      guint32 expected = slow_cell (rows, vp, row, cell);

      while (s < n && spans[s].x1 <= middle)
        s++;
      if (before != G_MAXUINT32 && expected != G_MAXUINT32)
        g_assert_cmpint (s == span_before, ==, is_one_span (rows, vp, before, expected));
      before = expected;
      if (expected == G_MAXUINT32)
        {
          g_assert_false (s < n && spans[s].x0 <= middle);
          continue;
        }
      g_assert_cmpuint (s, <, n);
      g_assert_cmpfloat (spans[s].x0, <=, middle);
      g_assert_cmpuint (rows->boxes.data[spans[s].box].label, ==, rows->boxes.data[expected].label);
      g_assert_cmpuint (spans[s].kind, ==, rows->boxes.data[expected].kind);
      g_assert_cmpint (length (rows, spans[s].box), >=, length (rows, expected));
    }
  for (guint32 i = 1; i < n; i++) /* in order and apart */
    g_assert_cmpfloat (spans[i].x0, >=, spans[i - 1].x1);
}

static void
check_fold (const WpRows *rows, const WpViewport *vp)
{
  WpSpanArray spans = { 0 };
  guint32 at = 0;

  wp_fold (rows, vp, &spans);
  for (guint32 r = 0; r < rows->rows.len; r++)
    {
      guint32 n = 0;

      while (at + n < spans.len && spans.data[at + n].row == r)
        n++;
      check_row (rows, vp, r, spans.data + at, n);
      g_assert_cmpuint (n, <=, (guint32) vp->width + 21);
      at += n;
    }
  g_assert_cmpuint (at, ==, spans.len);
  wp_array_clear (&spans);
}

/* What of a cell is covered by boxes that are runs, as the one that is shown, or are none, as that one; by looking at every box of the row. */
static double
slow_share (const WpRows *rows, const WpViewport *vp, guint32 row, gint64 cell, gboolean runs)
{
  const WpRow *r = &rows->rows.data[row];
  double share = 0;

  for (guint32 i = r->first; i < r->first + r->n; i++)
    if ((rows->boxes.data[i].kind == WP_BOX_RUN) == runs)
      share += MAX (0, MIN (pixel (rows, vp, rows->boxes.data[i].end), (double) cell + 1)
                         - MAX (pixel (rows, vp, rows->boxes.data[i].start), (double) cell));
  return share;
}

/* Each pixel of each span is as pale as little of it is covered; a wide box is not. */
static void
check_shades (const WpRows *rows, const WpViewport *vp)
{
  double left = pixel (rows, vp, 0) + vp->start / ((vp->end - vp->start) / vp->width);
  WpSpanArray spans = { 0 };
  WpShadeArray shades = { 0 };
  guint32 at = 0;

  wp_fold_shaded (rows, vp, &spans, &shades);
  for (guint32 s = 0; s < spans.len; s++)
    for (gint64 cell = (gint64) floor (MAX (spans.data[s].x0, 0) + left + 0.5); (double) cell + 0.5 - left < MIN (spans.data[s].x1, vp->width); cell++)
      {
        double middle = (double) cell + 0.5 - left, share;
        const WpBox *box = &rows->boxes.data[spans.data[s].box];
        gboolean wide = (double) (box->end - box->start) >= (vp->end - vp->start) / vp->width && spans.data[s].x1 - spans.data[s].x0 >= 4;
        guint parts = WP_SHARES;

        while (at < shades.len && (shades.data[at].span < s || (shades.data[at].span == s && shades.data[at].x1 <= middle)))
          at++;
        if (at < shades.len && shades.data[at].span == s && shades.data[at].x0 <= middle)
          parts = shades.data[at].share;
        share = slow_share (rows, vp, spans.data[s].row, cell, spans.data[s].kind == WP_BOX_RUN) * WP_SHARES;
        if (wide)
          g_assert_cmpuint (parts, ==, WP_SHARES);
        else
          {
            g_assert_cmpfloat (share, <=, parts + 1e-6);
            g_assert_true (parts == 1 || share > parts - 1 - 1e-6);
          }
      }
  wp_array_clear (&spans);
  wp_array_clear (&shades);
}

static void
test_shades (void)
{
  GRand *rand = g_rand_new_with_seed (23);

  for (guint i = 0; i < 200; i++)
    {
      g_autoptr (WpRows) rows = random_rows (rand, 1 + i % 3, 1 + i % 131, 2 + i * 3, TRUE);
      WpViewport vp = { .width = g_rand_int_range (rand, 1, 120), .height = 1000, .row_height = 20 };

      wp_viewport_fit (&vp, rows);
      for (guint k = 0; k < 6; k++)
        {
          check_shades (rows, &vp);
          wp_viewport_zoom (&vp, rows, g_rand_double_range (rand, 0.7, 3), g_rand_double_range (rand, 0, vp.width));
          wp_viewport_pan (&vp, rows, g_rand_double_range (rand, -30, 30), 0);
        }
    }
  g_rand_free (rand);
}

static void
test_random (void)
{
  GRand *rand = g_rand_new_with_seed (4711);

  for (guint i = 0; i < 300; i++)
    {
      g_autoptr (WpRows) rows = random_rows (rand, 1 + i % 4, 1 + i % 97, 2 + i * 3, FALSE);
      WpViewport vp = { .width = g_rand_int_range (rand, 1, 120), .height = 1000, .row_height = 20 };

      wp_viewport_fit (&vp, rows);
      for (guint k = 0; k < 6; k++)
        {
          check_fold (rows, &vp);
          wp_viewport_zoom (&vp, rows, g_rand_double_range (rand, 0.7, 3), g_rand_double_range (rand, 0, vp.width));
          wp_viewport_pan (&vp, rows, g_rand_double_range (rand, -30, 30), 0);
        }
    }
  g_rand_free (rand);
}

/* Where x is no time but a size or an address it may go as far as numbers do. */
static void
test_far (void)
{
  g_autoptr (WpRows) rows = wp_rows_new ();
  WpViewport vp = { .width = 1920, .height = 20, .row_height = 20 };
  WpSpanArray spans = { 0 };
  guint32 n = 0;

  for (gint64 i = 0; i < 4096; i++)
    wp_array_push (&rows->boxes, ((WpBox) { .start = i << 51, .end = i < 4095 ? (i + 1) << 51 : G_MAXINT64, .label = 1 + (WpId) i % 2 }));
  wp_array_push (&rows->rows, ((WpRow) { .n = rows->boxes.len }));
  wp_rows_finish (rows);
  wp_viewport_fit (&vp, rows);
  alarm (60);
  wp_fold (rows, &vp, &spans);
  alarm (0);
  for (guint32 i = 0; i < spans.len; i++)
    n += spans.data[i].n_boxes;
  g_assert_cmpuint (n, ==, rows->boxes.len);
  wp_array_clear (&spans);
}

/* Each box that is a pixel wide is seen, and every visible box is counted once. */
static void
test_seen_and_counted (void)
{
  GRand *rand = g_rand_new_with_seed (12);

  for (guint i = 0; i < 200; i++)
    {
      g_autoptr (WpRows) rows = random_rows (rand, 1, 60, 80, FALSE);
      WpViewport vp = { .width = g_rand_int_range (rand, 5, 400), .height = 100, .row_height = 20 };
      double cell;
      WpSpanArray spans = { 0 };
      guint32 counted = 0, b = 0;

      for (guint32 k = 0; k < rows->boxes.len; k++) /* all different, so that nothing is unified */
        rows->boxes.data[k].label = k + 1;
      wp_viewport_fit (&vp, rows);
      cell = (vp.end - vp.start) / vp.width;
      wp_fold (rows, &vp, &spans);
      for (guint32 s = 0; s < spans.len; s++)
        {
          g_assert_cmpuint (spans.data[s].n_boxes, >, 0);
          counted += spans.data[s].n_boxes;
          for (; b < spans.data[s].box; b++)
            g_assert_true (rows->boxes.data[b].end - rows->boxes.data[b].start < cell);
          b = spans.data[s].box + 1;
        }
      g_assert_cmpuint (counted, ==, rows->boxes.len);
      wp_array_clear (&spans);
    }
  g_rand_free (rand);
}

/* Panning by whole pixels moves the spans and changes nothing else. */
static void
test_pan_is_stable (void)
{
  GRand *rand = g_rand_new_with_seed (99);
  g_autoptr (WpRows) rows = random_rows (rand, 1, 3000, 30, FALSE);
  WpViewport vp = { .width = 200, .height = 100, .row_height = 20 };
  WpSpanArray a = { 0 }, b = { 0 };

  wp_viewport_fit (&vp, rows);
  vp.end = vp.start + 200 * 16; /* 16 ns a pixel */
  vp.start += 1600;
  vp.end += 1600;
  wp_fold (rows, &vp, &a);
  wp_viewport_pan (&vp, rows, 7, 0);
  wp_fold (rows, &vp, &b);
  for (guint32 i = 0, j = 0; i < a.len; i++)
    {
      if (a.data[i].x0 < 12 || a.data[i].x1 > 195)
        continue;
      while (j < b.len && b.data[j].box < a.data[i].box)
        j++;
      g_assert_cmpuint (j, <, b.len);
      g_assert_cmpuint (b.data[j].box, ==, a.data[i].box);
      g_assert_cmpfloat_with_epsilon (b.data[j].x0, a.data[i].x0 - 7, 1e-3);
      g_assert_cmpfloat_with_epsilon (b.data[j].x1, a.data[i].x1 - 7, 1e-3);
    }
  wp_array_clear (&a);
  wp_array_clear (&b);
  g_rand_free (rand);
}

/* Five processes of one name, one after the other, with less than a pixel between them: five boxes, wherever pixels begin. */
static void
test_calls_stay_apart (void)
{
  for (guint width = 16; width < 64; width++)
    {
      g_autoptr (WpRows) rows = wp_rows_new ();
      WpViewport vp = { .width = width, .height = 100, .row_height = 20 };
      WpSpanArray spans = { 0 };

      for (gint64 i = 0; i < 5; i++)
        wp_array_push (&rows->boxes, ((WpBox) { .start = 1000 * i, .end = 1000 * i + 998, .label = 1, .kind = WP_BOX_PROCESS }));
      wp_array_push (&rows->rows, ((WpRow) { .n = 5 }));
      wp_rows_finish (rows);
      wp_viewport_fit (&vp, rows);
      wp_fold (rows, &vp, &spans);
      g_assert_cmpuint (spans.len, ==, 5);
      wp_array_clear (&spans);
    }
}

static void
test_longest (void)
{
  GRand *rand = g_rand_new_with_seed (5);
  g_autoptr (WpRows) rows = random_rows (rand, 1, 5000, 100000, FALSE);

  for (guint i = 0; i < 3000; i++)
    {
      guint32 first = g_rand_int_range (rand, 0, rows->boxes.len);
      guint32 n = g_rand_int_range (rand, 1, rows->boxes.len - first + 1);
      guint32 best = first;

      for (guint32 k = first; k < first + n; k++)
        if (length (rows, k) > length (rows, best))
          best = k;
      g_assert_cmpuint (wp_rows_longest (rows, first, n).box, ==, best);
    }
  g_rand_free (rand);
}

static void
test_find (void)
{
  GRand *rand = g_rand_new_with_seed (6);
  g_autoptr (WpRows) rows = random_rows (rand, 5, 50, 40, FALSE);

  for (guint32 r = 0; r < rows->rows.len; r++)
    for (guint32 i = rows->rows.data[r].first; i < rows->rows.data[r].first + rows->rows.data[r].n; i++)
      {
        g_assert_cmpuint (wp_rows_row_of (rows, i), ==, r);
        g_assert_cmpuint (wp_rows_box_at (rows, r, rows->boxes.data[i].start), ==, i);
        g_assert_cmpuint (wp_rows_box_at (rows, r, rows->boxes.data[i].end - 1), ==, i);
      }
  g_assert_cmpuint (wp_rows_row_of (rows, rows->boxes.len), ==, G_MAXUINT32);
  g_assert_cmpuint (wp_rows_box_at (rows, 0, -1), ==, G_MAXUINT32);
  g_assert_cmpuint (wp_rows_box_at (rows, 9, 0), ==, G_MAXUINT32);
  g_rand_free (rand);
}

static void
test_rows_y (void)
{
  GRand *rand = g_rand_new_with_seed (7);
  g_autoptr (WpRows) rows = random_rows (rand, 20, 3, 10, FALSE);
  WpViewport vp = { .width = 100, .height = 90, .row_height = 20 };
  double y = 0;
  guint32 first, last;

  for (guint32 r = 0; r < 20; r++)
    {
      if (r > 0 && rows->rows.data[r].group)
        {
          g_assert_cmpuint (wp_rows_row_at_y (rows, &vp, y + 1), ==, G_MAXUINT32);
          y += WP_GROUP_SPACE (&vp);
        }
      g_assert_cmpfloat_with_epsilon (wp_rows_y (rows, &vp, r), y, 1e-9);
      g_assert_cmpuint (wp_rows_row_at_y (rows, &vp, y), ==, r);
      g_assert_cmpuint (wp_rows_row_at_y (rows, &vp, y + 19.5), ==, r);
      y += 20;
    }
  g_assert_cmpfloat_with_epsilon (wp_rows_y (rows, &vp, 20), y, 1e-9);
  g_assert_cmpuint (wp_rows_row_at_y (rows, &vp, y), ==, G_MAXUINT32);
  vp.y = 25;
  wp_rows_visible (rows, &vp, &first, &last);
  g_assert_cmpuint (first, ==, 1);
  g_assert_cmpuint (last, ==, 6);
  g_rand_free (rand);
}

static void
test_gather (void)
{
  g_autoptr (WpRows) rows = wp_rows_new ();
  WpGather gather = { 0 };

  wp_array_resize (&rows->rows, 3);
  wp_gather_add (&gather, 2, &(WpBox) { .start = 5, .end = 9, .label = 1 });
  wp_gather_add (&gather, 0, &(WpBox) { .start = 4, .end = 8, .label = 2 });
  wp_gather_add (&gather, 0, &(WpBox) { .start = 0, .end = 6, .label = 3 });
  wp_gather_add (&gather, 0, &(WpBox) { .start = 5, .end = 6, .label = 4 });
  wp_gather_finish (&gather, rows);
  wp_rows_finish (rows);
  g_assert_cmpuint (rows->boxes.len, ==, 3);
  g_assert_cmpuint (rows->rows.data[0].n, ==, 2);
  g_assert_cmpuint (rows->boxes.data[0].label, ==, 3);
  g_assert_cmpint (rows->boxes.data[1].start, ==, 6);
  g_assert_cmpint (rows->boxes.data[1].end, ==, 8);
  g_assert_cmpuint (rows->rows.data[1].n, ==, 0);
  g_assert_cmpuint (rows->boxes.data[rows->rows.data[2].first].label, ==, 1);
  g_assert_cmpuint (wp_rows_row_of (rows, 2), ==, 2);
  g_assert_cmpint (rows->start, ==, 0);
  g_assert_cmpint (rows->end, ==, 9);
}

static void
test_empty (void)
{
  g_autoptr (WpRows) rows = wp_rows_new ();
  WpViewport vp = { .width = 100, .height = 100, .row_height = 20 };
  WpSpanArray spans = { 0 };
  WpIdArray lines = { 0 };

  wp_rows_finish (rows);
  wp_viewport_fit (&vp, rows);
  wp_fold (rows, &vp, &spans);
  wp_fold_lines (rows, &vp, &lines);
  g_assert_cmpuint (spans.len + lines.len, ==, 0);
}

static void
test_lines (void)
{
  g_autoptr (WpRows) rows = wp_rows_new ();
  WpViewport vp = { .width = 100, .height = 1000, .row_height = 20 };
  WpIdArray lines = { 0 };

  wp_array_resize (&rows->rows, 4);
  rows->end = 100000;
  wp_array_push (&rows->lines, ((WpLine) { .start = 60000, .end = 61000, .from_row = 0, .to_row = 1, .link = 3 }));
  wp_array_push (&rows->lines, ((WpLine) { .start = 100, .end = 90000, .from_row = 0, .to_row = 3, .link = 1 }));
  for (guint i = 0; i < 1000; i++)
    wp_array_push (&rows->lines, ((WpLine) { .start = 200 + i, .end = 210 + i, .from_row = 1, .to_row = 2,
                                             .link = 10 + i }));
  wp_array_push (&rows->lines, ((WpLine) { .start = 62000, .end = 62010, .from_row = 0, .to_row = 1, .link = 4,
                                           .quiet = TRUE }));
  wp_rows_finish (rows);
  wp_viewport_fit (&vp, rows);
  wp_fold_lines (rows, &vp, &lines);
  g_assert_cmpuint (lines.len, <, 30);
  g_assert_cmpuint (rows->lines.data[lines.data[0]].link, ==, 1);
  g_assert_cmpuint (rows->lines.data[lines.data[lines.len - 1]].link, ==, 3);
  wp_viewport_show (&vp, rows, 50000, 50100); /* inside the long one */
  wp_fold_lines (rows, &vp, &lines);
  g_assert_cmpuint (lines.len, ==, 1);
  g_assert_cmpuint (rows->lines.data[lines.data[0]].link, ==, 1);
  wp_viewport_show (&vp, rows, 62000, 62010); /* near enough for the quiet one */
  wp_fold_lines (rows, &vp, &lines);
  g_assert_cmpuint (lines.len, ==, 2);
  wp_array_clear (&lines);
}

/* Whatever order they came in, by start, then by link; none is missing. */
static void
test_late_lines (void)
{
  enum { LINES = 3000 };
  g_autoptr (WpRows) rows = wp_rows_new ();
  guint64 links = 0;

  wp_array_resize (&rows->rows, 2);
  for (guint32 i = 1; i <= LINES; i++)
    wp_array_push (&rows->lines, ((WpLine) { .start = i / 2 - (i % 7 == 0 ? i % 500 : 0), .end = i, .to_row = 1, .link = i }));
  wp_rows_finish (rows);
  g_assert_cmpuint (rows->lines.len, ==, LINES);
  for (guint32 i = 0; i < LINES; i++)
    {
      const WpLine *line = &rows->lines.data[i];

      links += line->link;
      g_assert_true (i == 0 || line[-1].start < line->start || (line[-1].start == line->start && line[-1].link < line->link));
    }
  g_assert_cmpuint (links, ==, (guint64) LINES * (LINES + 1) / 2);
}

enum { GATHER_ROWS = 5, GATHER_BOXES = 40 };

static void
gather_one (WpGather *gather, guint32 row, guint32 i)
{
  wp_gather_add (gather, row, &(WpBox) { .start = i * 10, .end = i * 10 + 8, .ref = i * GATHER_ROWS + row });
}

/* `settled` rows come row by row, all but the last box of the last of them; the rest in turns. */
static WpRows *
gather_rows (guint32 settled)
{
  WpRows *rows = wp_rows_new ();
  WpGather gather = { 0 };

  wp_array_resize (&rows->rows, GATHER_ROWS);
  for (guint32 r = 0; r < settled; r++)
    for (guint32 i = 0; i < GATHER_BOXES - (r + 1 == settled); i++)
      gather_one (&gather, r, i);
  for (guint32 i = 0; i < GATHER_BOXES; i++)
    for (guint32 r = settled; r < GATHER_ROWS; r++)
      gather_one (&gather, r, i);
  if (settled > 0)
    gather_one (&gather, settled - 1, GATHER_BOXES - 1);
  wp_gather_finish (&gather, rows);
  return rows;
}

/* Boxes end up in the same places, however many of them come row by row. */
static void
test_gather_by_row (void)
{
  for (guint32 settled = 0; settled <= GATHER_ROWS; settled++)
    {
      g_autoptr (WpRows) rows = gather_rows (settled);

      g_assert_cmpuint (rows->boxes.len, ==, GATHER_ROWS * GATHER_BOXES);
      for (guint32 r = 0; r < GATHER_ROWS; r++)
        {
          g_assert_cmpuint (rows->rows.data[r].first, ==, r * GATHER_BOXES);
          g_assert_cmpuint (rows->rows.data[r].n, ==, GATHER_BOXES);
          for (guint32 i = 0; i < GATHER_BOXES; i++)
            g_assert_cmpuint (rows->boxes.data[r * GATHER_BOXES + i].ref, ==, i * GATHER_ROWS + r);
        }
    }
}

/* All notches of some pixels are found, wherever one looks; each pixel of a row is looked at once. */
static void
test_notches (void)
{
  GRand *rand = g_rand_new_with_seed (5);
  WpRows *rows = wp_rows_new ();
  WpIdArray found = { 0 };

  for (guint r = 0; r < 40; r++)
    {
      gint64 time = 0;

      wp_array_push (&rows->rows, ((WpRow) { 0 }));
      while (r % 3 == 0 && time < 1000000)
        {
          gint64 length = 1 + g_rand_int_range (rand, 0, g_rand_boolean (rand) ? 50 : 5000);

          time += g_rand_int_range (rand, 0, 3000);
          wp_array_push (&rows->notches, ((WpNotch) { time, time + length, r }));
          time += length;
        }
    }
  wp_rows_finish (rows);
  for (guint i = 0; i < 500; i++)
    {
      double start = g_rand_double_range (rand, 0, 900000), end = start + g_rand_double_range (rand, 100, 100000);
      WpViewport vp = { .start = start, .end = end, .y = g_rand_int_range (rand, 0, 500), .width = 300, .height = 200, .row_height = 20 };
      guint32 first, last, n = 0;

      wp_rows_visible (rows, &vp, &first, &last);
      wp_fold_notches (rows, &vp, &found);
      for (guint32 k = 0; k < rows->notches.len; k++)
        {
          const WpNotch *notch = &rows->notches.data[k];

          if (notch->end <= start || notch->start >= end || notch->row >= last || notch->row < first
              || (notch->end - notch->start) / (end - start) * 300 < WP_NOTCH_LEAST)
            continue;
          g_assert_cmpuint (n, <, found.len);
          g_assert_cmpuint (found.data[n++], ==, k);
        }
      g_assert_cmpuint (n, ==, found.len);
    }
  wp_array_clear (&found);
  wp_rows_free (rows);
  g_rand_free (rand);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/fold/shades", test_shades);
  g_test_add_func ("/fold/random", test_random);
  g_test_add_func ("/fold/far", test_far);
  g_test_add_func ("/fold/seen-and-counted", test_seen_and_counted);
  g_test_add_func ("/fold/pan-is-stable", test_pan_is_stable);
  g_test_add_func ("/fold/calls-stay-apart", test_calls_stay_apart);
  g_test_add_func ("/fold/empty", test_empty);
  g_test_add_func ("/fold/lines", test_lines);
  g_test_add_func ("/fold/late-lines", test_late_lines);
  g_test_add_func ("/fold/gather-by-row", test_gather_by_row);
  g_test_add_func ("/rows/longest", test_longest);
  g_test_add_func ("/rows/find", test_find);
  g_test_add_func ("/rows/y", test_rows_y);
  g_test_add_func ("/rows/gather", test_gather);
  g_test_add_func ("/fold/notches", test_notches);
  return g_test_run ();
}
