/* Colours and marks. The hues are those of the GNOME palette; what tells kinds apart without colour is the mark. */
#include "paint/paint-private.h"

#include <glib/gi18n.h>
#include <math.h>

#define HEX(c) { ((c) >> 16) / 255.0, ((c) >> 8 & 255) / 255.0, ((c) & 255) / 255.0 }
#define N_THEMES (WP_THEME_DARK_CONTRAST + 1)

static const struct
{
  const char *name;
  WpMark mark;
  WpRgb color[N_THEMES]; /* light, dark, light with high contrast, dark with high contrast */
} kinds[WP_BOX_KIND_COUNT] = {
  [WP_BOX_RUN] = { N_ ("Running"), WP_MARK_NONE, { HEX (0xf28b80), HEX (0xa5373c), HEX (0xff9a8f), HEX (0xff9a8f) } },
  [WP_BOX_SLEEP] = { N_ ("Sleeping"), WP_MARK_DASHES, { HEX (0x99c1f1), HEX (0x28579b), HEX (0xa4ccff),
                                                        HEX (0x9cc8ff) } },
  [WP_BOX_BOTH] = { N_ ("Running and sleeping"), WP_MARK_LINE,
                    { HEX (0xcda5e0), HEX (0x72408c), HEX (0xdcb4f0), HEX (0xdcb0f2) } },
  [WP_BOX_PROCESS] = { N_ ("Process"), WP_MARK_TAB, { HEX (0xd3d1cd), HEX (0x504e55), HEX (0xdedddA),
                                                      HEX (0xd0cfcc) } },
  [WP_BOX_DISK] = { N_ ("Blocking I/O"), WP_MARK_TICKS, { HEX (0x86d9a0), HEX (0x22714c), HEX (0x8ff0a4),
                                                          HEX (0x8ff0a4) } },
  [WP_BOX_QUEUE] = { N_ ("I/O queue"), WP_MARK_DOTS, { HEX (0x84d8e2), HEX (0x1b6d7b), HEX (0x93ecf5),
                                                       HEX (0x8ce9f4) } },
  [WP_BOX_NET] = { N_ ("Network"), WP_MARK_WAVES, { HEX (0xbcd873), HEX (0x566d20), HEX (0xcdeb7e), HEX (0xcdeb7e) } },
  [WP_BOX_OTHER_PATH] = { N_ ("Waiting on other path"), WP_MARK_HATCH,
                          { HEX (0xf8e36a), HEX (0x6d560a), HEX (0xfff07a), HEX (0xfff07a) } },
  [WP_BOX_INTERRUPT] = { N_ ("Interrupt"), WP_MARK_CUT_CORNER,
                         { HEX (0xffbb70), HEX (0x98500f), HEX (0xffc37d), HEX (0xffbe6f) } },
  [WP_BOX_RUNNABLE] = { N_ ("Waiting for a CPU"), WP_MARK_FINE_HATCH,
                        { HEX (0xdce8f7), HEX (0x33445e), HEX (0xe8f1ff), HEX (0xd9e7fb) } },
  [WP_BOX_UNKNOWN] = { N_ ("Unknown (not recorded)"), WP_MARK_CROSS_HATCH,
                       { HEX (0xebe9e6), HEX (0x39373d), HEX (0xf6f5f4), HEX (0xeeeeec) } },
  [WP_BOX_PROGRAM] = { N_ ("Program"), WP_MARK_NONE, { HEX (0xf7b267), HEX (0x8f5216), HEX (0xffbe75), HEX (0xffbe75) } },
  [WP_BOX_LIBRARY] = { N_ ("Library"), WP_MARK_DASHES, { HEX (0x9bd6c8), HEX (0x27655a), HEX (0xa6e6d7), HEX (0xa6e6d7) } },
  [WP_BOX_KERNEL] = { N_ ("Kernel"), WP_MARK_LINE, { HEX (0xc6b9ea), HEX (0x55467f), HEX (0xd5c9f7), HEX (0xd5c9f7) } },
  [WP_BOX_LABEL] = { N_ ("Label"), WP_MARK_CUT_CORNER, { HEX (0xdcd5c6), HEX (0x5a5343), HEX (0xe6dfd0), HEX (0xdad3c4) } },
  /* From orange over grey to blue: colour-blind people tell these apart. */
  [WP_BOX_NEW] = { N_ ("New"), WP_MARK_PLUS, { HEX (0xe8821e), HEX (0xa34808), HEX (0xff9a2e), HEX (0xff9a2e) } },
  [WP_BOX_MUCH_MORE] = { N_ ("Much more"), WP_MARK_UP_UP,
                         { HEX (0xf5a552), HEX (0x96480f), HEX (0xffb463), HEX (0xffb463) } },
  [WP_BOX_MORE] = { N_ ("More"), WP_MARK_UP, { HEX (0xfad2a4), HEX (0x6e4220), HEX (0xffdcb0), HEX (0xffdcb0) } },
  [WP_BOX_SAME] = { N_ ("About the same"), WP_MARK_EQUAL,
                    { HEX (0xe2e1df), HEX (0x47464b), HEX (0xeeeeec), HEX (0xdddcda) } },
  [WP_BOX_LESS] = { N_ ("Less"), WP_MARK_DOWN, { HEX (0xb9d6f5), HEX (0x2d4a73), HEX (0xc8e1ff), HEX (0xc8e1ff) } },
  [WP_BOX_MUCH_LESS] = { N_ ("Much less"), WP_MARK_DOWN_DOWN,
                         { HEX (0x7eb4ee), HEX (0x1f559f), HEX (0x8fc3ff), HEX (0x8fc3ff) } },
  [WP_BOX_VANISHED] = { N_ ("Vanished"), WP_MARK_CROSSES,
                        { HEX (0x6f9fe8), HEX (0x3c3fa8), HEX (0x7fb0ff), HEX (0x7fb0ff) } },
};

static const WpThemeColors themes[N_THEMES] = {
  [WP_THEME_LIGHT] = { .background = HEX (0xffffff), .text = HEX (0x2e3436), .dim_text = HEX (0x65646a),
                       .grid = HEX (0xededeb),
                       .separator = HEX (0xcfcdc9), .link = HEX (0x3d3846), .accent = HEX (0x1a5fb4) },
  [WP_THEME_DARK] = { .background = HEX (0x1e1e1e), .text = HEX (0xf2f2f2), .dim_text = HEX (0xaeadb2),
                      .grid = HEX (0x2b2b2d),
                      .separator = HEX (0x4a494e), .link = HEX (0xdeddda), .accent = HEX (0x99c1f1) },
  [WP_THEME_LIGHT_CONTRAST] = { .background = HEX (0xffffff), .text = HEX (0x000000), .dim_text = HEX (0x303030),
                                .grid = HEX (0xd0d0d0), .separator = HEX (0x505050), .link = HEX (0x000000),
                                .accent = HEX (0x0b3d91), .outlines = TRUE },
  [WP_THEME_DARK_CONTRAST] = { .background = HEX (0x000000), .text = HEX (0xffffff), .dim_text = HEX (0xd8d8d8),
                               .grid = HEX (0x3c3c3c), .separator = HEX (0xb0b0b0), .link = HEX (0xffffff),
                               .accent = HEX (0xffff66), .outlines = TRUE },
};

static const guint8 tiles[WP_MARK_COUNT][WP_TILE] = {
  [WP_MARK_DASHES] = { 0x00, 0x00, 0xf8, 0x00 },
  [WP_MARK_LINE] = { 0x00, 0x00, 0xff, 0x00 },
  [WP_MARK_TICKS] = { 0x88, 0x88, 0x88, 0x88 },
  [WP_MARK_DOTS] = { 0x00, 0x66, 0x66, 0x00 },
  [WP_MARK_WAVES] = { 0x08, 0x14, 0x22, 0xc1 },
  [WP_MARK_PLUS] = { 0x10, 0x38, 0x10, 0x00 },
  [WP_MARK_UP_UP] = { 0x22, 0x77, 0x00, 0x00 },
  [WP_MARK_UP] = { 0x10, 0x38, 0x7c, 0x00 },
  [WP_MARK_EQUAL] = { 0x00, 0x18, 0x00, 0x18 },
  [WP_MARK_DOWN] = { 0x7c, 0x38, 0x10, 0x00 },
  [WP_MARK_DOWN_DOWN] = { 0x00, 0x77, 0x22, 0x00 },
  [WP_MARK_CROSSES] = { 0x28, 0x10, 0x28, 0x00 },
  [WP_MARK_HATCH] = { 0x03, 0x06, 0x0c, 0x18, 0x30, 0x60, 0xc0, 0x81 },
  [WP_MARK_FINE_HATCH] = { 0x88, 0x44, 0x22, 0x11, 0x88, 0x44, 0x22, 0x11 },
  [WP_MARK_CROSS_HATCH] = { 0x82, 0x44, 0x28, 0x10, 0x28, 0x44, 0x82, 0x01 },
};

static WpRgb
mix (WpRgb a, WpRgb b, double share_of_b)
{
  return (WpRgb) { a.r + (b.r - a.r) * share_of_b, a.g + (b.g - a.g) * share_of_b, a.b + (b.b - a.b) * share_of_b };
}

static double
linear (double v)
{
  return v <= 0.04045 ? v / 12.92 : pow ((v + 0.055) / 1.055, 2.4);
}

static double
luminance (WpRgb c)
{
  return 0.2126 * linear (c.r) + 0.7152 * linear (c.g) + 0.0722 * linear (c.b);
}

double
wp_contrast (WpRgb a, WpRgb b)
{
  double x = luminance (a) + 0.05, y = luminance (b) + 0.05;

  return x > y ? x / y : y / x;
}

const WpThemeColors *
wp_theme_colors (WpTheme theme)
{
  return &themes[theme];
}

static const WpRgb black = HEX (0x141218), white = HEX (0xffffff);

static WpRgb
best_ink (WpRgb on)
{
  return wp_contrast (black, on) >= wp_contrast (white, on) ? black : white;
}

WpRgb
wp_box_color (WpTheme theme, WpBoxKind kind, guint shade, gboolean faded)
{
  static const double steps[WP_SHADES] = { 0, 0.10, -0.08 };
  WpRgb base = kinds[kind].color[theme];
  WpRgb c = steps[shade] >= 0 ? mix (base, themes[theme].background, steps[shade])
                              : mix (base, themes[theme].text, -steps[shade]);

  return faded ? mix (c, themes[theme].background, 0.78) : c;
}

WpRgb
wp_box_ink (WpTheme theme, WpBoxKind kind, gboolean faded)
{
  return faded ? mix (themes[theme].text, themes[theme].background, 0.5) : best_ink (kinds[kind].color[theme]);
}

WpRgb
wp_mark_color (WpTheme theme, WpBoxKind kind, gboolean faded)
{
  WpRgb base = wp_box_color (theme, kind, 0, faded);
  gboolean all_over = wp_box_mark (kind) >= WP_MARK_HATCH && wp_box_mark (kind) <= WP_MARK_CROSS_HATCH;

  return mix (base, best_ink (base), faded ? 0.12 : all_over ? 0.16 : 0.5);
}

WpMark
wp_box_mark (WpBoxKind kind)
{
  return kinds[kind].mark;
}

const guint8 *
wp_mark_tile (WpMark mark)
{
  return mark >= WP_MARK_DASHES && mark <= WP_MARK_CROSS_HATCH ? tiles[mark] : NULL;
}

gboolean
wp_mark_is_strip (WpMark mark)
{
  return mark >= WP_MARK_DASHES && mark <= WP_MARK_CROSSES;
}

guint
wp_box_shade (WpBoxKind kind, const char *label)
{
  guint32 h = 0;

  if (kind == WP_BOX_PROCESS || (wp_mark_tile (kinds[kind].mark) != NULL && !wp_mark_is_strip (kinds[kind].mark)))
    return 0;

  for (guint i = 0; label[i] != '\0' && i < 64; i++)
    h = h * 31 + (guint8) label[i];
  return (h ^ h >> 7 ^ h >> 15) % WP_SHADES;
}

const char *
wp_box_kind_name (WpBoxKind kind)
{
  return kinds[kind].name;
}

