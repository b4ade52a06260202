/* Colours and marks. The hues are those of the GNOME palette; what tells kinds apart without colour is the mark. */
#include "paint/paint-private.h"

#include "base/find.h"

#include <glib/gi18n.h>
#include <math.h>

#define HEX(c) { ((c) >> 16) / 255.0, ((c) >> 8 & 255) / 255.0, ((c) & 255) / 255.0 }
#define N_THEMES (WP_THEME_DARK_CONTRAST + 1)

static const struct
{
  const char *name;
  WpMark mark;
  WpRgb color[N_THEMES]; /* light, dark, light with high contrast, dark with high contrast */
  const char *id;        /* in files, where it is not the name */
  WpMark band;           /* of boxes of processes … */
  WpRgb state[N_THEMES]; /* … and its colour */
  const char *help;      /* what it says of time; NULL: nothing that its name does not say */
} kinds[WP_BOX_KIND_COUNT] = {
  [WP_BOX_RUN] = { N_ ("Running"), WP_MARK_NONE, { HEX (0xf28b80), HEX (0xa5373c), HEX (0xff9a8f), HEX (0xff9a8f) },
                    .band = WP_MARK_SOLID, .state = { HEX (0x9a1627), HEX (0xffada5), HEX (0x7f0016), HEX (0x7f0016) },
                    .help = N_ ("It was on a CPU.") },
  [WP_BOX_SLEEP] = { N_ ("Sleeping"), WP_MARK_DASHES, { HEX (0x99c1f1), HEX (0x28579b), HEX (0xa4ccff),
                                                        HEX (0x9cc8ff) },
                    .band = WP_MARK_DASHED, .state = { HEX (0x13478b), HEX (0x9ccaff), HEX (0x00306e), HEX (0x00306e) },
                    .help = N_ ("It was on no CPU, since it waited for something or had asked to sleep.") },
  [WP_BOX_BOTH] = { N_ ("Running and sleeping"), WP_MARK_LINE,
                    { HEX (0xcda5e0), HEX (0x72408c), HEX (0xdcb4f0), HEX (0xdcb0f2) },
                    .help = N_ ("The same function ran at some times and slept at others.") },
  [WP_BOX_PROCESS] = { N_ ("Process"), WP_MARK_TAB, { HEX (0xd3d1cd), HEX (0x504e55), HEX (0xdedddA),
                                                      HEX (0xd0cfcc) },
                    .help = N_ ("The name of a process; what it did stands on top of it.") },
  [WP_BOX_DISK] = { N_ ("Disk"), WP_MARK_TICKS, { HEX (0x86d9a0), HEX (0x22714c), HEX (0x8ff0a4), HEX (0x8ff0a4) }, "Blocking I/O",
                    .help = N_ ("A disk worked on a request.") },
  [WP_BOX_QUEUE] = { N_ ("Queued for the disk"), WP_MARK_DOTS, { HEX (0x84d8e2), HEX (0x1b6d7b), HEX (0x93ecf5), HEX (0x8ce9f4) },
                     "I/O queue",
                    .help = N_ ("A request waited until its disk began with it.") },
  [WP_BOX_NET] = { N_ ("Network"), WP_MARK_WAVES, { HEX (0xbcd873), HEX (0x566d20), HEX (0xcdeb7e), HEX (0xcdeb7e) },
                    .help = N_ ("Another machine, or the way there and back, took that long to answer.") },
  [WP_BOX_OTHER_PATH] = { N_ ("Waiting for another lane"), WP_MARK_HATCH,
                          { HEX (0xf8e36a), HEX (0x6d560a), HEX (0xfff07a), HEX (0xfff07a) }, "Waiting on other path",
                    .band = WP_MARK_DOUBLE, .state = { HEX (0x634500), HEX (0xf8e36a), HEX (0x443000), HEX (0x443000) },
                    .help = N_ ("What it waits for is drawn in a lane of its own.") },
  [WP_BOX_INTERRUPT] = { N_ ("Interrupt"), WP_MARK_CUT_CORNER,
                         { HEX (0xffbb70), HEX (0x98500f), HEX (0xffc37d), HEX (0xffbe6f) },
                    .band = WP_MARK_BROKEN, .state = { HEX (0x803a00), HEX (0xffbb70), HEX (0x5a2900), HEX (0x5a2900) },
                    .help = N_ ("A device's interrupt handler ran; or, on a wait, its interrupt ended that, and no request in the recording says what for.") },
  [WP_BOX_RUNNABLE] = { N_ ("Waiting for a CPU"), WP_MARK_FINE_HATCH,
                        { HEX (0xdce8f7), HEX (0x33445e), HEX (0xe8f1ff), HEX (0xd9e7fb) },
                    .band = WP_MARK_DOTTED, .state = { HEX (0x3d3846), HEX (0xd0cfd6), HEX (0x1c1920), HEX (0x1c1920) },
                    .help = N_ ("What it waited for had come, but no CPU was free for it.") },
  [WP_BOX_UNKNOWN] = { N_ ("Unknown (not recorded)"), WP_MARK_CROSS_HATCH,
                       { HEX (0xebe9e6), HEX (0x39373d), HEX (0xf6f5f4), HEX (0xeeeeec) },
                    .help = N_ ("Nothing in the recording says what was done then.") },
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

/* Of each body, or module, the name of the process, its own functions, and where the kernel works or waits for it. The hues are as far
 * from one another, for colour-blind people too, as muted ones that stay away from those of devices can be; their lightness
 * differs for that. */
typedef enum
{
  TONE_NAME,
  TONE_OWN,
  TONE_PALE,
  TONE_COUNT
} Tone;

static const WpRgb bodies[WP_BODY_COUNT][N_THEMES][TONE_COUNT] = {
  [WP_BODY_NEUTRAL] = { { HEX (0x9f9d99), HEX (0xc3c1bd), HEX (0xe3e2df) }, { HEX (0x6e6c73), HEX (0x54525a), HEX (0x3a383f) },
                        { HEX (0xaaa8a4), HEX (0xcac8c4), HEX (0xe9e8e6) }, { HEX (0xaaa8a4), HEX (0xcac8c4), HEX (0xe9e8e6) } },
  [WP_BODY_FIRST] = { /* blue */
    { HEX (0x70b0f1), HEX (0xa8cff7), HEX (0xdfedfc) }, { HEX (0x3c76b4), HEX (0x315984), HEX (0x293f57) },
    { HEX (0x76b6f7), HEX (0xafd5fe), HEX (0xe5f4ff) }, { HEX (0x76b6f7), HEX (0xafd5fe), HEX (0xe5f4ff) } },
  [WP_BODY_FIRST + 1] = { /* orange */
    { HEX (0xf4a761), HEX (0xf7bb89), HEX (0xfee4cd) }, { HEX (0x944d24), HEX (0x733f20), HEX (0x513624) },
    { HEX (0xfbae68), HEX (0xfec190), HEX (0xffebd3) }, { HEX (0xfbae68), HEX (0xfec190), HEX (0xffebd3) } },
  [WP_BODY_FIRST + 2] = { /* violet */
    { HEX (0x9874ca), HEX (0xbba1e0), HEX (0xe3d8f6) }, { HEX (0x6b459a), HEX (0x4e356f), HEX (0x372a49) },
    { HEX (0x9e7ad1), HEX (0xc2a8e7), HEX (0xeadefc) }, { HEX (0x9e7ad1), HEX (0xc2a8e7), HEX (0xeadefc) } },
  [WP_BODY_FIRST + 3] = { /* teal */
    { HEX (0x3b8f93), HEX (0x78b2b6), HEX (0xc3dfe2) }, { HEX (0x105e60), HEX (0x174d4e), HEX (0x1b3636) },
    { HEX (0x429599), HEX (0x7fb8bd), HEX (0xcae6e8) }, { HEX (0x429599), HEX (0x7fb8bd), HEX (0xcae6e8) } },
  [WP_BODY_FIRST + 4] = { /* yellow */
    { HEX (0xe9c858), HEX (0xf0e19b), HEX (0xfaf4d4) }, { HEX (0x857424), HEX (0x706326), HEX (0x484125) },
    { HEX (0xefcf5f), HEX (0xf7e7a1), HEX (0xfcf6d6) }, { HEX (0xefcf5f), HEX (0xf7e7a1), HEX (0xfcf6d6) } },
  [WP_BODY_FIRST + 5] = { /* rose */
    { HEX (0xe983a4), HEX (0xfbbdcf), HEX (0xffe3ea) }, { HEX (0xb4566f), HEX (0x90475a), HEX (0x59353d) },
    { HEX (0xf089aa), HEX (0xffc3d5), HEX (0xffe9f1) }, { HEX (0xf089aa), HEX (0xffc3d5), HEX (0xffe9f1) } },
  [WP_BODY_FIRST + 6] = { /* brown */
    { HEX (0x9e785f), HEX (0xbd9b81), HEX (0xe5d4c7) }, { HEX (0x684a35), HEX (0x4f3726), HEX (0x392c24) },
    { HEX (0xa57e65), HEX (0xc4a287), HEX (0xebdbcd) }, { HEX (0xa57e65), HEX (0xc4a287), HEX (0xebdbcd) } },
  [WP_BODY_OF_MODULE] = { /* moss */
    { HEX (0x7a9a3c), HEX (0x98b04f), HEX (0xe3edcd) }, { HEX (0x364323), HEX (0x4d5c38), HEX (0x2d3427) },
    { HEX (0x81ae42), HEX (0x98b95c), HEX (0xe9f3d3) }, { HEX (0x81ae42), HEX (0x98b95c), HEX (0xe9f3d3) } },
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
  [WP_MARK_SOLID] = { 0x00, 0x00, 0xff, 0xff },
  [WP_MARK_DASHED] = { 0x00, 0x00, 0xf0, 0xf0 },
  [WP_MARK_DOTTED] = { 0x00, 0x00, 0xcc, 0xcc },
  [WP_MARK_DOUBLE] = { 0x00, 0xff, 0x00, 0xff },
  [WP_MARK_BROKEN] = { 0x00, 0x00, 0xfe, 0xfe },
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

static WpRgb
base_color (WpTheme theme, WpLook look)
{
  if (look.body == WP_BODY_NONE)
    return kinds[look.kind].color[theme];
  return bodies[look.body][theme][look.kind == WP_BOX_PROCESS ? TONE_NAME : look.pale ? TONE_PALE : TONE_OWN];
}

WpRgb
wp_box_color (WpTheme theme, WpLook look)
{
  static const double steps[WP_SHADES] = { 0, 0.10, -0.08 };
  WpRgb base = base_color (theme, look);
  WpRgb c = steps[look.shade] >= 0 ? mix (base, themes[theme].background, steps[look.shade])
                                   : mix (base, themes[theme].text, -steps[look.shade]);

  return look.faded ? mix (c, themes[theme].background, 0.78) : c;
}

WpRgb
wp_box_ink (WpTheme theme, WpLook look)
{
  return look.faded ? mix (themes[theme].text, themes[theme].background, 0.5) : best_ink (base_color (theme, look));
}

WpRgb
wp_mark_color (WpTheme theme, WpLook look)
{
  WpMark mark = wp_box_mark (look.kind);
  gboolean all_over = mark >= WP_MARK_HATCH && mark <= WP_MARK_CROSS_HATCH;
  WpRgb base = wp_box_color (theme, (WpLook) { look.kind, look.body, look.pale, 0, look.faded });

  return mix (base, best_ink (base), look.faded ? 0.12 : all_over ? 0.16 : 0.5);
}

WpRgb
wp_state_color (WpTheme theme, WpBoxKind kind)
{
  return kinds[kind].state[theme];
}

WpMark
wp_state_mark (WpBoxKind kind)
{
  return kinds[kind].band;
}

WpMark
wp_box_mark (WpBoxKind kind)
{
  return kinds[kind].mark;
}

const guint8 *
wp_mark_tile (WpMark mark)
{
  return wp_mark_is_strip (mark) || (mark >= WP_MARK_HATCH && mark <= WP_MARK_CROSS_HATCH) ? tiles[mark] : NULL;
}

gboolean
wp_mark_is_strip (WpMark mark)
{
  return (mark >= WP_MARK_DASHES && mark <= WP_MARK_CROSSES) || mark >= WP_MARK_SOLID;
}

guint8
wp_box_shade (WpBoxKind kind, const char *label)
{
  guint32 h = 0;

  if (kind == WP_BOX_PROCESS || (wp_mark_tile (kinds[kind].mark) != NULL && !wp_mark_is_strip (kinds[kind].mark)))
    return 0;

  for (guint i = 0; label[i] != '\0' && i < 64; i++)
    h = h * 31 + (guint8) label[i];
  return (h ^ h >> 7 ^ h >> 15) % WP_SHADES;
}

static const char *const colors_ids[WP_COLORS_COUNT] = { [WP_COLORS_PROCESS] = "process", [WP_COLORS_STATE] = "state",
                                                           [WP_COLORS_CODE] = "code", [WP_COLORS_MODULE] = "module" };

const char *
wp_colors_id (WpColors colors)
{
  return colors_ids[colors];
}

WpColors
wp_colors_from_id (const char *id)
{
  return WP_FIND_NAME (colors_ids, id);
}

const char *
wp_box_kind_name (WpBoxKind kind)
{
  return kinds[kind].name;
}

const char *
wp_box_kind_help (WpBoxKind kind)
{
  return kinds[kind].help;
}

const char *
wp_box_kind_id (WpBoxKind kind)
{
  return kinds[kind].id != NULL ? kinds[kind].id : kinds[kind].name;
}

