/* The palette's promises, the axis, labels, and pictures in their three formats. */
#include "paint/paint-private.h"

#include <glib/gstdio.h>
#include <math.h>
#include <unistd.h>

static void
test_contrast (void)
{
  for (guint theme = 0; theme <= WP_THEME_DARK_CONTRAST; theme++)
    {
      const WpThemeColors *colors = wp_theme_colors (theme);

      g_assert_cmpfloat (wp_contrast (colors->text, colors->background), >=, 4.5);
      g_assert_cmpfloat (wp_contrast (colors->dim_text, colors->background), >=, 4.5);
      g_assert_cmpfloat (wp_contrast (colors->accent, colors->background), >=, 3);
      for (guint kind = 0; kind < WP_BOX_KIND_COUNT; kind++)
        {
          for (guint8 shade = 0; shade < WP_SHADES; shade++)
            g_assert_cmpfloat (wp_contrast (wp_box_ink (theme, (WpLook) { .kind = (guint8) kind }),
                                            wp_box_color (theme, (WpLook) { .kind = (guint8) kind, .shade = shade })),
                               >=, 4.5);
          /* Text on marks that cover the box is read across them. */
          if (wp_mark_tile (wp_box_mark (kind)) != NULL && !wp_mark_is_strip (wp_box_mark (kind)))
            g_assert_cmpfloat (wp_contrast (wp_box_ink (theme, (WpLook) { .kind = (guint8) kind }),
                                            wp_mark_color (theme, (WpLook) { .kind = (guint8) kind })), >=,
                               4.5);
          else if (wp_box_mark (kind) != WP_MARK_NONE)
            g_assert_cmpfloat (wp_contrast (wp_mark_color (theme, (WpLook) { .kind = (guint8) kind }),
                                            wp_box_color (theme, (WpLook) { .kind = (guint8) kind })),
                               >=, 1.9);
        }
    }
}

/* --- colours of processes --- */

/* What a body's boxes are: the name of a process, its functions, the kernel's, each as runs, sleeps, … */
static const WpLook looks[] = {
  { .kind = WP_BOX_PROCESS }, { .kind = WP_BOX_RUN }, { .kind = WP_BOX_RUN, .pale = 1 }, { .kind = WP_BOX_SLEEP },
      { .kind = WP_BOX_SLEEP, .pale = 1 },
  { .kind = WP_BOX_BOTH }, { .kind = WP_BOX_BOTH, .pale = 1 }, { .kind = WP_BOX_RUNNABLE, .pale = 1 },
      { .kind = WP_BOX_OTHER_PATH, .pale = 1 },
  { .kind = WP_BOX_INTERRUPT, .pale = 1 },
};

static void
test_bodies_contrast (void)
{
  for (guint theme = 0; theme <= WP_THEME_DARK_CONTRAST; theme++)
    for (guint8 body = WP_BODY_NEUTRAL; body < WP_BODY_COUNT; body++)
      for (guint i = 0; i < G_N_ELEMENTS (looks); i++)
        {
          WpLook look = looks[i];
          WpMark mark = wp_box_mark (look.kind);

          look.body = body;
          for (look.shade = 0; look.shade < (look.kind == WP_BOX_PROCESS ? 1
                                             : WP_SHADES); look.shade++) /* names have one shade */
            g_assert_cmpfloat (wp_contrast (wp_box_ink (theme, look), wp_box_color (theme, look)), >=, 4.5);
          look.shade = 0;
          look.faded = 1; /* as a ghost is, whose label is to be read */
          g_assert_cmpfloat (wp_contrast (wp_theme_colors (theme)->text, wp_box_color (theme, look)), >=, 4.5);
          look.faded = 0;
          if (wp_mark_tile (mark) != NULL && !wp_mark_is_strip (mark)) /* text is read across it */
            g_assert_cmpfloat (wp_contrast (wp_box_ink (theme, look), wp_mark_color (theme, look)), >=, 4.5);
          if (wp_state_mark (look.kind) != WP_MARK_NONE)
            g_assert_cmpfloat (wp_contrast (wp_state_color (theme, look.kind), wp_box_color (theme, look)), >=, 3);
        }
}

/* How those see who lack one kind of cones (Machado and others 2009), in linear light. */
static const double eyes[][3][3] = {
  { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } },
  { { 0.152286, 1.052583, -0.204868 }, { 0.114503, 0.786281, 0.099216 }, { -0.003882, -0.048116, 1.051998 } },
  { { 0.367322, 0.860646, -0.227968 }, { 0.280085, 0.672501, 0.047413 }, { -0.011820, 0.042940, 0.968881 } },
  { { 1.255528, -0.076749, -0.178779 }, { -0.078411, 0.930809, 0.147602 }, { 0.004733, 0.691367, 0.303900 } },
};

static double
to_linear (double v)
{
  return v <= 0.04045 ? v / 12.92 : pow ((v + 0.055) / 1.055, 2.4);
}

/* A colour in the space Oklab, in which equal distances look alike. */
static void
seen_by (const double eye[3][3], WpRgb c, double lab[3])
{
  const double rgb[3] = { to_linear (c.r), to_linear (c.g), to_linear (c.b) };
  double v[3], l, m, s;

  for (guint i = 0; i < 3; i++)
    v[i] = CLAMP (eye[i][0] * rgb[0] + eye[i][1] * rgb[1] + eye[i][2] * rgb[2], 0, 1);
  l = cbrt (0.4122214708 * v[0] + 0.5363325363 * v[1] + 0.0514459929 * v[2]);
  m = cbrt (0.2119034982 * v[0] + 0.6806995451 * v[1] + 0.1073969566 * v[2]);
  s = cbrt (0.0883024619 * v[0] + 0.2817188376 * v[1] + 0.6299787005 * v[2]);
  lab[0] = 0.2104542553 * l + 0.7936177850 * m - 0.0040720468 * s;
  lab[1] = 1.9779984951 * l - 2.4285922050 * m + 0.4505937099 * s;
  lab[2] = 0.0259040371 * l + 0.7827717662 * m - 0.8086757660 * s;
}

static double
distance (const double eye[3][3], WpRgb a, WpRgb b)
{
  double x[3], y[3];

  seen_by (eye, a, x);
  seen_by (eye, b, y);
  return sqrt ((x[0] - y[0]) * (x[0] - y[0]) + (x[1] - y[1]) * (x[1] - y[1]) + (x[2] - y[2]) * (x[2] - y[2]));
}

/* No two processes look alike to anybody, whether by their names or by their functions. */
static void
test_bodies_differ (void)
{
  static const guint8 tones[] = { WP_BOX_PROCESS, WP_BOX_RUN };

  for (guint theme = 0; theme <= WP_THEME_DARK_CONTRAST; theme++)
    for (guint t = 0; t < G_N_ELEMENTS (tones); t++)
      for (guint8 a = WP_BODY_NEUTRAL; a < WP_BODY_COUNT; a++)
        for (guint8 b = a + 1; b < WP_BODY_COUNT; b++)
          for (guint e = 0; e < (a == WP_BODY_NEUTRAL ? 1 : G_N_ELEMENTS (eyes)); e++) /* what is grey to some is so to them */
            g_assert_cmpfloat (distance (eyes[e], wp_box_color (theme, (WpLook) { .kind = tones[t], .body = a }),
                                         wp_box_color (theme, (WpLook) { .kind = tones[t], .body = b })), >=,
                                             e == 0 ? 0.05 : 0.03);
}

/* Nor is a state told by colour alone. */
static void
test_states_differ (void)
{
  for (guint a = 0; a < WP_BOX_KIND_COUNT; a++)
    for (guint b = a + 1; b < WP_BOX_KIND_COUNT; b++)
      if (wp_state_mark (a) != WP_MARK_NONE)
        g_assert_cmpint (wp_state_mark (a), !=, wp_state_mark (b));
}

/* The colour in the middle of a row's first box. */
static guint32
middle_color (WpColors colors, const WpRows *rows)
{
  g_autoptr (WpPainter) painter = wp_painter_new (NULL, WP_THEME_LIGHT);
  WpViewport vp = { .width = 100, .height = 20, .row_height = 20, .start = 0, .end = 100 };
  cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_RGB24, 100, 20);
  cairo_t *cr = cairo_create (surface);
  guint32 color;

  wp_painter_set_colors (painter, colors);
  wp_painter_boxes (painter, cr, rows, &vp, NULL);
  cairo_destroy (cr);
  cairo_surface_flush (surface);
  color = *(guint32 *) (gpointer) (cairo_image_surface_get_data (surface) + 8 * cairo_image_surface_get_stride (surface)
                                   + 200) & 0xffffff;
  cairo_surface_destroy (surface);
  return color;
}

/* By process two processes that do the same differ, and one that does different things does not; by state it is the other way
 * round. By code neither does, but a library and the kernel differ from the program; nobody's code looks as by state. */
static void
test_schemes (void)
{
  static const WpBox boxes[] = { { .end = 100, .kind = WP_BOX_RUN, .body = WP_BODY_FIRST },
                                 { .end = 100, .kind = WP_BOX_SLEEP, .body = WP_BODY_FIRST },
                                 { .end = 100, .kind = WP_BOX_RUN, .body = WP_BODY_FIRST + 1 },
                                 { .end = 100, .kind = WP_BOX_RUN, .body = WP_BODY_FIRST, .code = 1 },
                                 { .end = 100, .kind = WP_BOX_SLEEP, .body = WP_BODY_FIRST + 1, .code = 1 },
                                 { .end = 100, .kind = WP_BOX_BOTH, .body = WP_BODY_FIRST, .code = 2 },
                                 { .end = 100, .kind = WP_BOX_SLEEP, .body = WP_BODY_FIRST, .code = 3 } };
  static const guint32 kinds = 1u << WP_BOX_SLEEP;
  guint32 colors[WP_COLORS_COUNT][G_N_ELEMENTS (boxes)];

  for (guint i = 0; i < G_N_ELEMENTS (boxes); i++)
    {
      g_autoptr (WpRows) rows = wp_rows_new ();

      wp_array_push (&rows->rows, ((WpRow) { .n = 1 }));
      wp_array_push (&rows->boxes, boxes[i]);
      wp_rows_finish (rows);
      for (WpColors c = 0; c < WP_COLORS_COUNT; c++)
        colors[c][i] = middle_color (c, rows);
      g_assert_true (boxes[i].code == 0 || !(rows->code_kinds & kinds));
    }
  g_assert_cmphex (colors[WP_COLORS_CODE][0], ==, colors[WP_COLORS_STATE][0]);
  g_assert_cmphex (colors[WP_COLORS_CODE][3], ==, colors[WP_COLORS_CODE][4]);
  for (guint i = 3; i < 6; i++)
    g_assert_cmphex (colors[WP_COLORS_CODE][i], !=, colors[WP_COLORS_CODE][i == 3 ? 5 : 6]);
  g_assert_cmphex (colors[WP_COLORS_PROCESS][0], ==, colors[WP_COLORS_PROCESS][1]);
  g_assert_cmphex (colors[WP_COLORS_PROCESS][0], !=, colors[WP_COLORS_PROCESS][2]);
  g_assert_cmphex (colors[WP_COLORS_STATE][0], !=, colors[WP_COLORS_STATE][1]);
  g_assert_cmphex (colors[WP_COLORS_STATE][0], ==, colors[WP_COLORS_STATE][2]);
  for (WpColors c = 0; c < WP_COLORS_COUNT; c++)
    g_assert_cmpint (wp_colors_from_id (wp_colors_id (c)), ==, c);
  g_assert_cmpint (wp_colors_from_id ("rainbow"), ==, WP_COLORS_COUNT);
}

#define BIT(kind) (1u << (kind))

/* Kinds of boxes that one picture may have: of a trace; of stacks with values, an explained process' too; of a comparison. */
static const guint pictures[] = {
  BIT (WP_BOX_PROGRAM) - 1,
  BIT (WP_BOX_PROGRAM) | BIT (WP_BOX_LIBRARY) | BIT (WP_BOX_KERNEL) | BIT (WP_BOX_LABEL) | BIT (WP_BOX_PROCESS) | BIT (WP_BOX_DISK) | BIT (WP_BOX_QUEUE)
    | BIT (WP_BOX_NET),
  BIT (WP_BOX_KIND_COUNT) - BIT (WP_BOX_NEW),
};

/* No kind is told from another one of its picture by colour alone. */
static void
test_marks_differ (void)
{
  for (guint a = 0; a < WP_BOX_KIND_COUNT; a++)
    {
      g_assert_nonnull (wp_box_kind_name (a));
      for (guint b = a + 1; b < WP_BOX_KIND_COUNT; b++)
        {
          for (guint p = 0; p < G_N_ELEMENTS (pictures); p++)
            if (pictures[p] & BIT (a) && pictures[p] & BIT (b))
              g_assert_cmpint (wp_box_mark (a), !=, wp_box_mark (b));
          g_assert_cmpstr (wp_box_kind_name (a), !=, wp_box_kind_name (b));
        }
    }
}

static void
test_nice_step (void)
{
  static const double spans[] = { 3, 60, 1000, 4711, 1e6, 3.3e9, 3.6e12 };

  for (guint i = 0; i < G_N_ELEMENTS (spans); i++)
    for (double width = 100; width < 4000; width *= 1.7)
      {
        double step = wp_nice_step (spans[i], width, 50), mantissa = step / pow (10, floor (log10 (step) + 1e-9));

        g_assert_true (fabs (mantissa - 1) < 1e-6 || fabs (mantissa - 2) < 1e-6 || fabs (mantissa - 5) < 1e-6);
        g_assert_true (step / spans[i] * width >= 50 || step >= spans[i]);
        g_assert_true (step <= 1 || step / spans[i] * width < 5 * (50 + 24) || step < spans[i] * 5);
      }
}

static WpRows *
some_rows (guint n_rows)
{
  WpRows *rows = wp_rows_new ();
  WpId label = wp_strings_intern (rows->strings, "operator<< & \"friends\" \xff");

  for (guint r = 0; r < n_rows; r++)
    {
      guint32 first = rows->boxes.len;

      for (guint i = 0; i < WP_BOX_KIND_COUNT; i++)
        wp_array_push (&rows->boxes, ((WpBox) { .start = i * 1000, .end = i * 1000 + 900, .kind = i,
                                                .label = label }));
      wp_array_push (&rows->rows, ((WpRow) { .first = first, .n = WP_BOX_KIND_COUNT,
                                             .label = wp_strings_intern (rows->strings, "task <1>") }));
    }
  wp_array_push (&rows->lines, ((WpLine) { .start = 100, .end = 5000, .from_row = 0, .to_row = n_rows - 1,
                                           .link = 1 }));
  wp_rows_finish (rows);
  return rows;
}

static char *
temporary_folder (void)
{
  return g_dir_make_tmp ("wakepath-paint-XXXXXX", NULL);
}

static char *
write_titled (const WpRows *rows, WpPictureFormat format, const char *title, gsize *length)
{
  g_autofree char *folder = temporary_folder ();
  g_autofree char *path = g_build_filename (folder, "picture", NULL);
  g_autoptr (GError) error = NULL;
  char *contents = NULL;

  g_assert_true (wp_picture_write (path, format, rows, title, 800, &(WpPictureStyle) { WP_THEME_LIGHT }, &error));
  g_assert_no_error (error);
  g_assert_true (g_file_get_contents (path, &contents, length, NULL));
  g_unlink (path);
  g_assert_cmpint (g_rmdir (folder), ==, 0); /* no temporary file is left */
  return contents;
}

static char *
write_picture (const WpRows *rows, WpPictureFormat format, gsize *length)
{
  return write_titled (rows, format, "A & B <title>", length);
}

static void
test_png (void)
{
  g_autoptr (WpRows) rows = some_rows (3);
  gsize length;
  g_autofree char *png = write_picture (rows, WP_PICTURE_PNG, &length);

  g_assert_cmpuint (length, >, 1000);
  g_assert_cmpmem (png, 8, "\x89PNG\r\n\x1a\n", 8);
  g_assert_cmpuint (GUINT32_FROM_BE (*(guint32 *) (png + 16)), ==, 800);
}

static void
test_pdf (void)
{
  g_autoptr (WpRows) rows = some_rows (3);
  gsize length;
  g_autofree char *pdf = write_picture (rows, WP_PICTURE_PDF, &length);

  g_assert_true (g_str_has_prefix (pdf, "%PDF-"));
  g_assert_nonnull (g_strstr_len (pdf + length - 32, 32, "%%EOF"));
}

typedef struct
{
  guint rects, titles, texts;
  gboolean in_title;
  GString *first_title;
} Seen;

static void
start_element (GMarkupParseContext *context, const char *name, const char **names, const char **values, gpointer data,
               GError **error)
{
  Seen *seen = data;

  seen->rects += strcmp (name, "rect") == 0;
  seen->titles += strcmp (name, "title") == 0;
  seen->texts += strcmp (name, "text") == 0;
  seen->in_title = strcmp (name, "title") == 0;
}

static void
text (GMarkupParseContext *context, const char *s, gsize n, gpointer data, GError **error)
{
  Seen *seen = data;

  if (seen->in_title && seen->titles == 2)
    g_string_append_len (seen->first_title, s, n);
  seen->in_title = FALSE;
}

/* It parses, and each box can tell its name. */
static void
test_svg (void)
{
  static const GMarkupParser parser = { .start_element = start_element, .text = text };
  g_autoptr (WpRows) rows = some_rows (3);
  gsize length;
  g_autofree char *svg = write_picture (rows, WP_PICTURE_SVG, &length);
  Seen seen = { .first_title = g_string_new (NULL) };
  g_autoptr (GMarkupParseContext) context = g_markup_parse_context_new (&parser, 0, &seen, NULL);
  g_autoptr (GError) error = NULL;

  g_assert_true (g_markup_parse_context_parse (context, svg, length, &error));
  g_assert_true (g_markup_parse_context_end_parse (context, &error));
  g_assert_no_error (error);
  g_assert_cmpuint (seen.titles, ==, 1 + 3 * WP_BOX_KIND_COUNT + 3); /* the picture, the boxes, the names */
  g_assert_cmpuint (seen.rects, >=, 3 * WP_BOX_KIND_COUNT);
  g_assert_cmpuint (seen.texts, >, 10);
  g_assert_true (g_str_has_prefix (seen.first_title->str, "operator<< & \"friends\""));
  g_assert_nonnull (strstr (seen.first_title->str, "Running, 900 ns"));
  g_string_free (seen.first_title, TRUE);
}

/* It ends in the picture; the picture's own name has all of it. */
static void
test_long_title (void)
{
  g_autoptr (WpRows) rows = some_rows (3);
  g_autofree char *title = g_strnfill (300, 'w');
  gsize length;
  g_autofree char *svg = write_titled (rows, WP_PICTURE_SVG, title, &length);
  const char *shown = strstr (svg, ">wwww"), *other = shown != NULL ? strstr (shown + 1, ">wwww") : NULL;

  g_assert_nonnull (other);
  g_assert_cmpuint (strspn (shown + 1, "w"), ==, 300);
  g_assert_true (g_str_has_prefix (other + 1 + strspn (other + 1, "w"), "…</text>"));
  g_assert_cmpuint (strspn (other + 1, "w"), <, 120);
}

static void
test_many_rows (void)
{
  g_autoptr (WpRows) rows = some_rows (5000); /* 100,000 pixels at full height */
  gsize length;
  g_autofree char *png = write_picture (rows, WP_PICTURE_PNG, &length);

  g_assert_cmpuint (GUINT32_FROM_BE (*(guint32 *) (png + 20)), <=, 32767);
  g_assert_cmpuint (GUINT32_FROM_BE (*(guint32 *) (png + 20)), >, 20000);
}

/* Where a box is opened: at its end, as far as that is seen, if something is folded in it and there is room. */
static void
test_fold_mark (void)
{
  g_autoptr (WpRows) rows = some_rows (3);
  g_autoptr (WpPainter) painter = wp_painter_new (NULL, WP_THEME_LIGHT);
  WpViewport vp = { .width = 600, .height = 110, .row_height = 22 };
  cairo_rectangle_t place;
  guint32 box = 0;

  while (rows->boxes.data[box].end - rows->boxes.data[box].start < 10)
    g_assert_cmpuint (++box, <, rows->boxes.len);
  wp_viewport_fit (&vp, rows);
  wp_viewport_show (&vp, rows, rows->boxes.data[box].start, rows->boxes.data[box].end);
  g_assert_false (wp_painter_fold_mark (painter, rows, &vp, box, &place)); /* nothing is folded */
  rows->boxes.data[box].hidden = 1;
  g_assert_true (wp_painter_fold_mark (painter, rows, &vp, box, &place));
  g_assert_cmpfloat_with_epsilon (place.x + place.width, MIN (600, wp_viewport_x (&vp, rows->boxes.data[box].end)), 1);
  g_assert_cmpuint (wp_rows_row_at_y (rows, &vp, place.y + vp.y + place.height / 2), ==, wp_rows_row_of (rows, box));
  g_assert_false (wp_painter_fold_mark (painter, rows, &vp, rows->boxes.len, &place));
  vp.row_height = 8;
  g_assert_false (wp_painter_fold_mark (painter, rows, &vp, box, &place));
  vp.row_height = 22;
  wp_viewport_zoom (&vp, rows, 0.01, vp.start);
  g_assert_false (wp_painter_fold_mark (painter, rows, &vp, box, &place) && place.x < 0);
  vp.width = 40;
  g_assert_false (wp_painter_fold_mark (painter, rows, &vp, box, &place));
}

/* Where texts are read from the right it is at the other end. */
static void
test_fold_mark_from_right (void)
{
  g_autoptr (WpRows) rows = some_rows (3);
  PangoContext *context = pango_font_map_create_context (pango_cairo_font_map_get_default ());
  WpPainter *painter = wp_painter_new (context, WP_THEME_LIGHT);
  WpViewport vp = { .width = 600, .height = 110, .row_height = 22 };
  cairo_rectangle_t place;

  pango_context_set_base_dir (context, PANGO_DIRECTION_RTL);
  rows->boxes.data[0].hidden = 1;
  wp_viewport_fit (&vp, rows);
  wp_viewport_show (&vp, rows, rows->boxes.data[0].start, rows->boxes.data[0].end);
  g_assert_true (wp_painter_fold_mark (painter, rows, &vp, 0, &place));
  g_assert_cmpfloat_with_epsilon (place.x, MAX (0, wp_viewport_x (&vp, rows->boxes.data[0].start)), 1);
  wp_painter_free (painter);
  g_object_unref (context);
}

/* The visible part: its rows and its time only, with what is faded and marked there. */
static void
test_visible (void)
{
  g_autoptr (WpRows) rows = some_rows (40);
  g_autofree guint8 *highlight = g_new0 (guint8, rows->boxes.len);
  g_autofree char *folder = temporary_folder ();
  WpViewport vp = { .width = 600, .height = 110, .row_height = 22 };
  WpPaintState state = WP_PAINT_STATE_DEFAULT;
  g_autoptr (WpPainter) painter = wp_painter_new (NULL, WP_THEME_LIGHT);
  guint legend = (guint) wp_painter_legend_lines (painter, NULL, rows, vp.width, WP_PICTURE_LEGEND);
  gsize lengths[3];

  g_assert_cmpuint (legend, >, WP_PICTURE_LEGEND); /* nothing of it is cut off */
  wp_viewport_fit (&vp, rows);
  wp_viewport_show (&vp, rows, rows->start + 2000, rows->start + 4000);
  vp.y = wp_rows_y (rows, &vp, 20);
  state.highlight = highlight;
  state.mark_start = rows->start + 2500;
  state.mark_end = rows->start + 3500;
  for (WpPictureFormat format = WP_PICTURE_PNG; format <= WP_PICTURE_PDF; format++)
    {
      g_autofree char *path = g_build_filename (folder, "picture", NULL);
      g_autofree char *contents = NULL;
      g_autoptr (GError) error = NULL;

      g_assert_true (wp_picture_write_visible (path, format, rows, &vp, &state, "t", &(WpPictureStyle) { WP_THEME_LIGHT },
                                               &error));
      g_assert_no_error (error);
      g_assert_true (g_file_get_contents (path, &contents, &lengths[format], NULL));
      if (format == WP_PICTURE_PNG) /* the rows that are seen, title, axis and legend */
        g_assert_cmpuint (GUINT32_FROM_BE (*(guint32 *) (contents + 20)), ==, 110 + 34 + 26 + legend);
      if (format == WP_PICTURE_SVG)
        {
          g_assert_nonnull (strstr (contents, "clip-path"));
          g_assert_nonnull (strstr (contents, "1.00 µs")); /* the marked range */
          g_assert_null (strstr (contents, " y=\"-22"));   /* no row above the first that is seen */
        }
      g_unlink (path);
    }
  g_assert_cmpuint (lengths[WP_PICTURE_SVG], <, 40000);
  g_assert_cmpint (g_rmdir (folder), ==, 0);
}

/* The wait chain stands above the rows: bands with names, and what is lit in them. */
static void
test_strip_above (void)
{
  g_autoptr (WpRows) rows = some_rows (3), strip = wp_rows_new ();
  g_autofree char *folder = temporary_folder (), *path = g_build_filename (folder, "picture", NULL);
  guint heights[2];

  for (guint i = 0; i < 2; i++)
    {
      wp_array_push (&strip->rows, ((WpRow) { .first = i, .n = 1, .group = 1,
                                              .label = wp_strings_intern (strip->strings, i == 0 ? "first" : "second") }));
      wp_array_push (&strip->boxes, ((WpBox) { .start = rows->start + i * 500, .end = rows->start + 500 + i * 500,
                                               .kind = WP_BOX_RUN, .body = WP_BODY_FIRST }));
    }
  wp_array_push (&strip->lines, ((WpLine) { .start = rows->start + 500, .end = rows->start + 500, .to_row = 1 }));
  wp_rows_finish (strip);
  for (guint i = 0; i < 2; i++)
    {
      WpPictureStyle style = { .strip = i == 1 ? strip : NULL };
      g_autofree char *png = NULL, *svg = NULL;

      g_assert_true (wp_picture_write (path, WP_PICTURE_PNG, rows, "t", 800, &style, NULL));
      g_assert_true (g_file_get_contents (path, &png, NULL, NULL));
      heights[i] = GUINT32_FROM_BE (*(guint32 *) (gpointer) (png + 20));
      g_assert_true (wp_picture_write (path, WP_PICTURE_PDF, rows, "t", 800, &style, NULL));
      g_assert_true (wp_picture_write (path, WP_PICTURE_SVG, rows, "t", 800, &style, NULL));
      g_assert_true (g_file_get_contents (path, &svg, NULL, NULL));
      g_assert_true ((strstr (svg, "<title>first — Running, 500 ns</title>") != NULL) == (i == 1));
      g_assert_true ((strstr (svg, ">second</text>") != NULL) == (i == 1));
    }
  g_assert_cmpuint (heights[1], ==, heights[0] + (guint) wp_strip_height (strip));
  g_unlink (path);
  g_assert_cmpint (g_rmdir (folder), ==, 0);
}

static void
test_errors (void)
{
  g_autoptr (WpRows) rows = some_rows (2);
  g_autoptr (WpRows) too_many = some_rows (50000);
  g_autoptr (GError) error = NULL;
  g_autofree char *folder = temporary_folder ();
  g_autofree char *path = g_build_filename (folder, "picture.png", NULL);

  g_assert_false (wp_picture_write ("/nowhere/at/all/picture.png", WP_PICTURE_PNG, rows, "t", 800,
                                    &(WpPictureStyle) { WP_THEME_DARK },
                                    &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND);
  g_assert_nonnull (strstr (error->message, "/nowhere/at/all/picture.png"));
  g_clear_error (&error);
  g_assert_false (wp_picture_write (path, WP_PICTURE_PNG, too_many, "t", 800, &(WpPictureStyle) { WP_THEME_DARK }, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_NOT_SUPPORTED);
  g_assert_cmpint (g_rmdir (folder), ==, 0);
}

/* Nothing visible, nothing at all, absurd sizes: none of it may draw wildly or fail. */
static void
test_odd_sizes (void)
{
  g_autoptr (WpRows) rows = some_rows (3);
  g_autoptr (WpRows) none = wp_rows_new ();
  g_autoptr (WpPainter) painter = wp_painter_new (NULL, WP_THEME_DARK);
  cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_ARGB32, 300, 200);
  cairo_t *cr = cairo_create (surface);
  static const double sizes[] = { 0, 0.4, 1, 7, 300 };

  wp_rows_finish (none);
  for (guint i = 0; i < G_N_ELEMENTS (sizes) * G_N_ELEMENTS (sizes); i++)
    for (guint k = 0; k < 2; k++)
      {
        const WpRows *r = k == 0 ? rows : none;
        WpViewport vp = { .width = sizes[i % 5], .height = sizes[i / 5], .row_height = 1 + i };

        wp_viewport_fit (&vp, r);
        wp_viewport_zoom (&vp, r, 1 + i * 1000.0, 3);
        wp_painter_boxes (painter, cr, r, &vp, &(WpPaintState) { .selected = 0, .hovered = 1, .mark_start = 1,
                                                                 .mark_end = 5, .lines = TRUE });
        wp_painter_axis (painter, cr, r, &vp, 20);
        wp_painter_minimap (painter, cr, r, &vp, sizes[i % 5], sizes[i / 5]);
        wp_painter_row_names (painter, cr, r, &vp, sizes[i % 5]);
        wp_painter_legend (painter, cr, r, 20);
        g_assert_cmpint (cairo_status (cr), ==, CAIRO_STATUS_SUCCESS);
      }
  cairo_destroy (cr);
  cairo_surface_destroy (surface);
}

/* Who cannot see axis and legend is told what they say. */
static void
test_words (void)
{
  g_autoptr (WpPainter) painter = wp_painter_new (NULL, WP_THEME_LIGHT);
  g_autoptr (WpRows) rows = some_rows (3);
  WpViewport all = { .start = (double) rows->start, .end = (double) rows->end, .width = 1000 }, part = all;
  g_autofree char *legend = NULL, *whole = wp_painter_place_words (painter, rows, &all), *some = NULL, *of_recording = NULL;

  rows->kinds = 1u << WP_BOX_RUN | 1u << WP_BOX_SLEEP;
  part.end = all.start + (all.end - all.start) / 4;
  legend = wp_painter_legend_words (painter, rows);
  some = wp_painter_place_words (painter, rows, &part);
  g_assert_true (g_str_has_prefix (legend, wp_box_kind_name (WP_BOX_RUN)));
  g_assert_nonnull (strstr (legend, wp_box_kind_help (WP_BOX_SLEEP)));
  g_assert_true (g_str_has_prefix (whole, "All of "));
  g_assert_true (g_str_has_prefix (some, "From 0 "));
  rows->start = 2000;
  rows->of_recording = TRUE; /* all its views count from the same moment, as their axes do */
  part.start += 5000;
  part.end += 5000;
  of_recording = wp_painter_place_words (painter, rows, &part);
  g_assert_true (g_str_has_prefix (of_recording, "From 5.0"));
  rows->of_recording = FALSE;
  rows->start = 0;
  g_assert_true (g_str_has_suffix (some, "(25 %)") || g_str_has_suffix (some, "(25.0 %)"));
  for (guint width = 100; width < 1100; width++)
    {
      WpViewport fitted = { .width = width };
      g_autofree char *words = NULL;

      wp_viewport_fit (&fitted, rows);
      wp_viewport_snap (&fitted, rows);
      words = wp_painter_place_words (painter, rows, &fitted);
      g_assert_true (g_str_has_prefix (words, "All of "));
    }
}

/* What does not fit into one line goes into the next: measured and painted alike, and nothing is beyond the edge. */
static void
test_legend_lines (void)
{
  g_autoptr (WpRows) rows = some_rows (3);
  g_autoptr (WpPainter) painter = wp_painter_new (NULL, WP_THEME_LIGHT);
  cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_ARGB32, 300, 400);
  cairo_t *cr = cairo_create (surface);
  double whole, height;

  rows->kinds = 1u << WP_BOX_RUN | 1u << WP_BOX_SLEEP | 1u << WP_BOX_BOTH | 1u << WP_BOX_DISK | 1u << WP_BOX_RUNNABLE;
  whole = wp_painter_legend (painter, cr, rows, 20);
  g_assert_cmpfloat (wp_painter_legend_lines (painter, NULL, rows, whole, 20), ==, 20);
  g_assert_cmpfloat (whole, >, 300);
  height = wp_painter_legend_lines (painter, NULL, rows, 300, 20);
  g_assert_cmpfloat (height, >=, 40);
  g_assert_cmpfloat (height, <=, 100);
  g_assert_cmpfloat (wp_painter_legend_lines (painter, cr, rows, 300, 20), ==, height);
  g_assert_cmpfloat (wp_painter_legend_lines (painter, NULL, rows, 1, 20), ==, 100);
  g_assert_cmpstr (wp_painter_legend_help (painter, rows, 1, 20, 10, 5), ==, wp_box_kind_help (WP_BOX_RUN));
  g_assert_cmpstr (wp_painter_legend_help (painter, rows, 1, 20, 10, 25), ==, wp_box_kind_help (WP_BOX_SLEEP));
  g_assert_null (wp_painter_legend_help (painter, rows, 1, 20, 10, 105));
  cairo_destroy (cr);
  cairo_surface_destroy (surface);
}

/* A row between two others that n links cross, one pixel high at a time: how many of its pixels are not as without links, and how much darker the darkest is. */
static guint
changed_by_links (guint32 n, guint32 hovered, guint *darker)
{
  WpRows *rows = wp_rows_new ();
  WpViewport vp = { .start = 0, .end = 100000, .width = 1000, .height = 66, .row_height = 22 };
  WpPaintState state = { .selected = G_MAXUINT32, .hovered = hovered, .lines = TRUE };
  cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_RGB24, 1000, 66);
  cairo_t *cr = cairo_create (surface);
  g_autoptr (WpPainter) painter = wp_painter_new (NULL, WP_THEME_LIGHT);
  guint changed = 0, ground;
  const guint32 *pixels;

  for (guint32 r = 0; r < 3; r++)
    {
      wp_array_push (&rows->boxes, ((WpBox) { .start = 0, .end = 100000, .kind = WP_BOX_RUN }));
      wp_array_push (&rows->rows, ((WpRow) { .first = r, .n = 1, .ref = r + 1 }));
    }
  for (guint32 i = 0; i < n; i++)
    wp_array_push (&rows->lines, ((WpLine) { .start = 500 + i * (99000 / n), .end = 500 + i * (99000 / n), .from_row = 0, .to_row = 2 }));
  wp_rows_finish (rows);
  wp_painter_boxes (painter, cr, rows, &vp, &state);
  cairo_destroy (cr);
  cairo_surface_flush (surface);
  pixels = (const guint32 *) (const void *) (cairo_image_surface_get_data (surface) + 33 * cairo_image_surface_get_stride (surface));
  *darker = 0;
  ground = pixels[1] >> 8 & 0xff;
  for (guint x = 1; x < 999; x++)
    {
      changed += (pixels[x] >> 8 & 0xff) != ground;
      *darker = MAX (*darker, ground - MIN (ground, pixels[x] >> 8 & 0xff));
    }
  cairo_surface_destroy (surface);
  wp_rows_free (rows);
  return changed;
}

/* Links are no veil over boxes: few are faint, many are bundled; those of the box that the pointer is on are not. */
static void
test_links (void)
{
  guint faint, lit, bundled;

  g_assert_cmpuint (changed_by_links (5, G_MAXUINT32, &faint), ==, 5);
  g_assert_cmpuint (changed_by_links (5, 0, &lit), ==, 5);
  g_assert_cmpuint (lit, >, 2 * faint);
  g_assert_cmpuint (changed_by_links (5, 1, &lit), ==, 5);
  g_assert_cmpuint (lit, <=, faint);
  g_assert_cmpuint (changed_by_links (900, G_MAXUINT32, &bundled), <=, 1000 / 8 + 1);
  g_assert_cmpuint (bundled, ==, faint);
}

/* Whether a column of an image has anything but nothing. */
static gboolean
is_painted (cairo_surface_t *surface, int x)
{
  const guint8 *data = cairo_image_surface_get_data (surface);

  for (int y = 0; y < cairo_image_surface_get_height (surface); y++)
    if (((const guint32 *) (gconstpointer) (data + y * cairo_image_surface_get_stride (surface)))[x] != 0)
      return TRUE;
  return FALSE;
}

/* Where people read from right to left, the first swatch is at the right; a line of a picture stays as it is. */
static void
test_legend_from_right (void)
{
  g_autoptr (WpRows) rows = some_rows (3);
  PangoContext *context = pango_font_map_create_context (pango_cairo_font_map_get_default ());
  WpPainter *painter = wp_painter_new (context, WP_THEME_LIGHT);
  cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_ARGB32, 300, 20);
  cairo_t *cr = cairo_create (surface);

  rows->kinds = 1u << WP_BOX_RUN;
  pango_context_set_base_dir (context, PANGO_DIRECTION_RTL);
  wp_painter_legend_lines (painter, cr, rows, 300, 20);
  cairo_surface_flush (surface);
  g_assert_false (is_painted (surface, 20));
  g_assert_true (is_painted (surface, 280)); /* 8 from the edge, 22 wide */
  g_assert_false (is_painted (surface, 295));
  cairo_destroy (cr);
  cairo_surface_destroy (surface);
  wp_painter_free (painter);
  g_object_unref (context);
}

static guint
inked_columns (cairo_surface_t *surface)
{
  guint n = 0;

  cairo_surface_flush (surface);
  for (int x = 0; x < cairo_image_surface_get_width (surface); x++)
    for (int y = 0; y < cairo_image_surface_get_height (surface); y++)
      if (cairo_image_surface_get_data (surface)[y * cairo_image_surface_get_stride (surface) + x] != 0)
        {
          n = x + 1;
          break;
        }
  return n;
}

/* A label never leaves the room it is given, at any width, cut at its end or in its middle. */
static void
test_label_fits (void)
{
  static const char *const texts[] = { "std::vector<int>::push_back", "жизнь", "שלום עולם",
                                       "e\u0301e\u0301e\u0301e\u0301e\u0301e\u0301", "日本語の名前がここに" };
  g_autoptr (WpPainter) painter = wp_painter_new (NULL, WP_THEME_LIGHT);

  for (guint t = 0; t < G_N_ELEMENTS (texts); t++)
    for (guint width = 0; width < 220; width += 3)
      for (gboolean middle = FALSE; middle <= TRUE; middle++)
        {
          cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_A8, 256, 30);
          cairo_t *cr = cairo_create (surface);
          const WpBoxLabel *label;

          wp_labels_set_size (painter->labels, 11);
          label = wp_labels_get (painter->labels, texts[t]);
          wp_labels_show (painter->labels, cr, label, 0, 0, width, 30, middle);
          cairo_destroy (cr);
          g_assert_cmpuint (inked_columns (surface), <=, width + 2);
          if (width >= 60)
            g_assert_cmpuint (inked_columns (surface), >, 15);
          cairo_surface_destroy (surface);
        }
}

/* However far one zooms into a long box, its label is in sight. */
static void
test_label_in_sight (void)
{
  g_autoptr (WpRows) rows = wp_rows_new ();
  g_autoptr (WpPainter) painter = wp_painter_new (NULL, WP_THEME_LIGHT);
  WpViewport vp = { .width = 400, .height = 22, .row_height = 22 };
  WpRgb ink = wp_box_ink (WP_THEME_LIGHT, (WpLook) { .kind = (guint8) WP_BOX_RUN });

  wp_array_push (&rows->boxes, ((WpBox) { .end = 1000000, .label = wp_strings_intern (rows->strings, "MMMMMMMM") }));
  wp_array_push (&rows->rows, ((WpRow) { .n = 1 }));
  wp_rows_finish (rows);
  wp_viewport_fit (&vp, rows);
  for (guint i = 0; i < 40; i++)
    {
      cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_RGB24, 400, 22);
      cairo_t *cr = cairo_create (surface);
      guint dark = 0, limit = (guint) (255 * ink.b) + 30; /* of the first byte of a pixel */

      wp_painter_boxes (painter, cr, rows, &vp, NULL);
      cairo_destroy (cr);
      cairo_surface_flush (surface);
      for (int y = 4; y < 18; y++)
        for (int x = 0; x < 400; x++)
          dark += cairo_image_surface_get_data (surface)[y * cairo_image_surface_get_stride (surface) + x * 4] < limit;
      g_assert_cmpuint (dark, >, 80);
      cairo_surface_destroy (surface);
      wp_viewport_zoom (&vp, rows, 1.3, 313);
    }
}

static gboolean
is_inked (cairo_surface_t *surface, int x, guint limit)
{
  for (int y = 4; y < 18; y++)
    if (cairo_image_surface_get_data (surface)[y * cairo_image_surface_get_stride (surface) + x * 4] < limit)
      return TRUE;
  return FALSE;
}

/* It has one label, at its left end, however wide it is. */
static void
test_one_label (void)
{
  g_autoptr (WpRows) rows = wp_rows_new ();
  g_autoptr (WpPainter) painter = wp_painter_new (NULL, WP_THEME_LIGHT);
  WpViewport vp = { .width = 3000, .height = 22, .row_height = 22 };
  WpRgb ink = wp_box_ink (WP_THEME_LIGHT, (WpLook) { .kind = (guint8) WP_BOX_RUN });
  cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_RGB24, 3000, 22);
  cairo_t *cr = cairo_create (surface);
  guint limit = (guint) (255 * ink.b) + 30, near = 0;

  wp_array_push (&rows->boxes, ((WpBox) { .end = 1000000, .label = wp_strings_intern (rows->strings, "MMMMMMMM") }));
  wp_array_push (&rows->rows, ((WpRow) { .n = 1 }));
  wp_rows_finish (rows);
  wp_viewport_fit (&vp, rows);
  wp_painter_boxes (painter, cr, rows, &vp, NULL);
  cairo_destroy (cr);
  cairo_surface_flush (surface);
  for (int x = 0; x < 200; x++)
    near += is_inked (surface, x, limit);
  for (int x = 200; x < 2900; x++)
    g_assert_false (is_inked (surface, x, limit));
  g_assert_cmpuint (near, >, 20);
  cairo_surface_destroy (surface);
}

/* Two calls of one function, one right after the other, have a gap between them from two pixels on. */
static void
test_seams (void)
{
  g_autoptr (WpPainter) painter = wp_painter_new (NULL, WP_THEME_LIGHT);
  WpRgb ground = wp_theme_colors (WP_THEME_LIGHT)->background;

  for (guint each = 2; each < 9; each++)
    {
      g_autoptr (WpRows) rows = wp_rows_new ();
      WpViewport vp = { .width = each * 20, .height = 22, .row_height = 22, .end = 20 };
      cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_RGB24, (int) each * 20, 22);
      cairo_t *cr = cairo_create (surface);
      guint gaps = 0;

      for (guint i = 0; i < 20; i++)
        wp_array_push (&rows->boxes, ((WpBox) { .start = i, .end = i + 1, .label = wp_strings_intern (rows->strings, "f") }));
      wp_array_push (&rows->rows, ((WpRow) { .n = 20 }));
      wp_rows_finish (rows);
      wp_painter_boxes (painter, cr, rows, &vp, NULL);
      cairo_destroy (cr);
      cairo_surface_flush (surface);
      for (guint x = 0; x < each * 20; x++)
        gaps += cairo_image_surface_get_data (surface)[10 * cairo_image_surface_get_stride (surface) + (int) x * 4] == (guint8) lround (ground.b * 255);
      g_assert_cmpuint (gaps, >=, 19);
      cairo_surface_destroy (surface);
    }
}

/* Rows of narrow boxes of every kind, with gaps that leave pixels half covered. */
static WpRows *
rows_of_many (guint n_rows, guint n)
{
  WpRows *rows = wp_rows_new ();
  guint32 random = 7;

  rows->shaded = TRUE;
  for (guint r = 0; r < n_rows; r++)
    {
      gint64 time = 0;

      wp_array_push (&rows->rows, ((WpRow) { .first = rows->boxes.len, .n = n }));
      for (guint i = 0; i < n; i++)
        {
          gint64 length = 40 + (gint64) (random = random * 1664525 + 1013904223) % 900;

          wp_array_push (&rows->boxes, ((WpBox) { .start = time, .end = time + MAX (length, 1), .kind = (guint8) (i % WP_BOX_KIND_COUNT),
                                                  .body = i % WP_BODY_COUNT, .pale = i % 3 == 0, .label = wp_strings_intern (rows->strings, i % 2 ? "a" : "b") }));
          time += MAX (length, 1) + i % 5 * 30;
        }
    }
  rows->end = n * 500;
  wp_rows_finish (rows);
  return rows;
}

static guint32
color_at (cairo_surface_t *surface, int x, int y)
{
  const guint8 *row = cairo_image_surface_get_data (surface) + (gsize) y * (gsize) cairo_image_surface_get_stride (surface);

  return ((const guint32 *) (gconstpointer) row)[x] & 0xffffff;
}

/* Very many boxes are filled pixel by pixel: the picture is the same as that of each row by itself, which has few. */
static void
test_many_boxes (void)
{
  g_autoptr (WpRows) rows = rows_of_many (16, 400);

  for (guint theme = 0; theme <= WP_THEME_DARK_CONTRAST; theme++)
    {
      g_autoptr (WpPainter) painter = wp_painter_new (NULL, theme);
      cairo_surface_t *all = cairo_image_surface_create (CAIRO_FORMAT_RGB24, 1600, 16 * 22), *one = cairo_image_surface_create (CAIRO_FORMAT_RGB24, 1600, 22);
      WpViewport vp = { .width = 1600, .height = 16 * 22, .row_height = 22 };
      cairo_t *cr = cairo_create (all);

      wp_viewport_fit (&vp, rows);
      wp_painter_boxes (painter, cr, rows, &vp, NULL);
      cairo_destroy (cr);
      cairo_surface_flush (all);
      g_assert_cmpuint (painter->spans.len, >, 2000);
      for (guint r = 0; r < 16; r++)
        {
          vp.y = r * 22;
          vp.height = 22;
          cr = cairo_create (one);
          wp_painter_boxes (painter, cr, rows, &vp, NULL);
          cairo_destroy (cr);
          cairo_surface_flush (one);
          g_assert_cmpuint (painter->spans.len + painter->shades.len, <, 2000);
          for (int y = 0; y < 22; y++)
            for (int x = 0; x < 1600; x++)
              g_assert_cmphex (color_at (all, x, (int) r * 22 + y), ==, color_at (one, x, y));
        }
      cairo_surface_destroy (all);
      cairo_surface_destroy (one);
    }
}

/* Ticks are multiples of the step within the two values, no more than asked for; none where there can be none. */
static void
test_ticks (void)
{
  static const struct
  {
    double from, to, step, most;
    guint n;
    double first;
  } rows[] = {
    { 0, 10, 2, 100, 6, 0 },
    { -3, 3, 2, 100, 3, -2 },
    { 0.3, 0.9, 0.3, 100, 3, 0.3 },
    { 1, 1, 1, 100, 1, 1 },
    { 1.1, 1.9, 1, 100, 0, 0 },
    { 0, 10, 2, 3, 3, 0 },
    { 0, 10, 2, -1, 0, 0 },
    { 0, 10, 2, NAN, 0, 0 },
    { 5, 1, 1, 100, 0, 0 },
    { 0, 1e308, 1e307, 100, 11, 0 },
    { -1e308, 1e308, 1e308, 100, 0, 0 }, /* further apart than there are numbers */
    { 0, 1e308, 5e-324, 100, 0, 0 },
    { 0x1p53, 0x1p53 + 2, 0.05, 100, 41, 0x1p53 }, /* less than can be added to it */
    { 1e300, 1e300, 1, 100, 1, 1e300 },
    { 0, 5e-324, 5e-324, 100, 2, 0 },
    { 0, 10, 0, 100, 0, 0 },
    { 0, 10, NAN, 100, 0, 0 },
    { NAN, 10, 1, 100, 0, 0 },
    { 0, NAN, 1, 100, 0, 0 },
    { 0, INFINITY, 1, 100, 0, 0 },
    { -INFINITY, INFINITY, 1, 100, 0, 0 },
    { 0, 10, INFINITY, 100, 0, 0 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      WpTicks ticks = wp_ticks (rows[i].from, rows[i].to, rows[i].step, rows[i].most);

      g_test_message ("%g to %g by %g", rows[i].from, rows[i].to, rows[i].step);
      g_assert_cmpuint (ticks.n, ==, rows[i].n);
      for (guint k = 0; k < ticks.n; k++)
        g_assert_true (fabs (wp_tick (&ticks, k) - (rows[i].first + k * rows[i].step)) <= fabs (rows[i].first) * 1e-12);
    }
}

/* Axes of values that hardly differ, and of those as far apart as there are, come to an end: an alarm ends the program where they do
 * not. */
static void
test_extreme_axes (void)
{
  static const double extents[][2] = { { 0x1p53, 0x1p53 + 2 }, { 0, 1e308 }, { -1e308, 1e308 }, { 0, 5e-324 }, { 1e300, 1e300 } };
  g_autoptr (WpPainter) painter = wp_painter_new (NULL, WP_THEME_LIGHT);
  cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_RGB24, 800, 500);
  cairo_t *cr = cairo_create (surface);

  alarm (60);
  for (guint i = 0; i < G_N_ELEMENTS (extents); i++)
    {
      g_autoptr (WpChart) chart = wp_chart_new ("t", "x", "y");
      WpChartView view;

      wp_chart_begin (chart, WP_SERIES_POINTS, "s", 0);
      wp_chart_point (chart, extents[i][0], extents[i][0]);
      wp_chart_point (chart, extents[i][1], extents[i][1]);
      wp_chart_finish (chart);
      view = wp_chart_whole (chart);
      wp_painter_chart (painter, cr, &(WpChartPlace) { .chart = chart, .view = &view, .width = 800, .height = 500 }, G_MAXUINT32);
    }
  alarm (0);
  cairo_destroy (cr);
  cairo_surface_destroy (surface);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/palette/contrast", test_contrast);
  g_test_add_func ("/palette/bodies-contrast", test_bodies_contrast);
  g_test_add_func ("/palette/bodies-differ", test_bodies_differ);
  g_test_add_func ("/palette/states-differ", test_states_differ);
  g_test_add_func ("/palette/schemes", test_schemes);
  g_test_add_func ("/palette/marks-differ", test_marks_differ);
  g_test_add_func ("/axis/nice-step", test_nice_step);
  g_test_add_func ("/axis/ticks", test_ticks);
  g_test_add_func ("/axis/extremes", test_extreme_axes);
  g_test_add_func ("/labels/fit", test_label_fits);
  g_test_add_func ("/labels/in-sight", test_label_in_sight);
  g_test_add_func ("/labels/one", test_one_label);
  g_test_add_func ("/paint/seams", test_seams);
  g_test_add_func ("/paint/many-boxes", test_many_boxes);
  g_test_add_func ("/painter/odd-sizes", test_odd_sizes);
  g_test_add_func ("/paint/legend-lines", test_legend_lines);
  g_test_add_func ("/paint/words", test_words);
  g_test_add_func ("/paint/links", test_links);
  g_test_add_func ("/paint/legend-from-right", test_legend_from_right);
  g_test_add_func ("/picture/png", test_png);
  g_test_add_func ("/picture/pdf", test_pdf);
  g_test_add_func ("/picture/svg", test_svg);
  g_test_add_func ("/picture/long-title", test_long_title);
  g_test_add_func ("/picture/many-rows", test_many_rows);
  g_test_add_func ("/paint/fold-mark", test_fold_mark);
  g_test_add_func ("/paint/fold-mark-from-right", test_fold_mark_from_right);
  g_test_add_func ("/picture/visible-part", test_visible);
  g_test_add_func ("/picture/strip-above", test_strip_above);
  g_test_add_func ("/picture/errors", test_errors);
  return g_test_run ();
}
