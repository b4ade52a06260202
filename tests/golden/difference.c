#include "difference.h"

#define ALIKE 24
#define RED 0xff0000

static gboolean
differs (guint32 a, guint32 b)
{
  for (guint shift = 0; shift < 24; shift += 8)
    if (ABS ((int) (a >> shift & 255) - (int) (b >> shift & 255)) > ALIKE)
      return TRUE;
  return FALSE;
}

static guint32 *
line_of (cairo_surface_t *surface, int y)
{
  return (guint32 *) (cairo_image_surface_get_data (surface) + y * cairo_image_surface_get_stride (surface));
}

/* Those that touch the pixel and are not counted yet go onto the stack. */
static void
push_neighbours (guint8 *marks, GArray *stack, int at, int w, int h)
{
  int x = at % w, y = at / w;

  for (int v = MAX (y - 1, 0); v <= MIN (y + 1, h - 1); v++)
    for (int u = MAX (x - 1, 0); u <= MIN (x + 1, w - 1); u++)
      {
        int next = v * w + u;

        if (marks[next])
          g_array_append_val (stack, next);
        marks[next] = 0;
      }
}

/* Takes the marks away. */
static guint
largest_region (guint8 *marks, int w, int h)
{
  g_autoptr (GArray) stack = g_array_new (FALSE, FALSE, sizeof (int));
  guint largest = 0;

  for (int i = 0; i < w * h; i++)
    if (marks[i])
      {
        guint n = 0;

        marks[i] = 0;
        g_array_append_val (stack, i);
        for (; stack->len > 0; n++)
          {
            int at = g_array_index (stack, int, stack->len - 1);

            g_array_set_size (stack, stack->len - 1);
            push_neighbours (marks, stack, at, w, h);
          }
        largest = MAX (largest, n);
      }
  return largest;
}

Difference
picture_difference (cairo_surface_t *a, cairo_surface_t *b, cairo_surface_t *map)
{
  int w = cairo_image_surface_get_width (a), h = cairo_image_surface_get_height (a);
  g_autofree guint8 *marks = g_malloc0 ((gsize) w * h);
  guint different = 0;

  cairo_surface_flush (a);
  cairo_surface_flush (b);
  for (int y = 0; y < h; y++)
    {
      const guint32 *p = line_of (a, y), *q = line_of (b, y);
      guint32 *m = line_of (map, y);

      for (int x = 0; x < w; x++)
        {
          gboolean differ = differs (p[x], q[x]);

          marks[y * w + x] = differ;
          different += differ;
          m[x] = differ ? RED : (p[x] >> 2 & 0x3f3f3f) + 0xc0c0c0;
        }
    }
  cairo_surface_mark_dirty (map);
  return (Difference) { .share = (double) different / w / h, .region = largest_region (marks, w, h) };
}
