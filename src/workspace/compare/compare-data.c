#include "workspace/compare/compare-data.h"

#include <glib/gi18n.h>

#include "workspace/stacks/open-stacks.h"

WpCompareRequest *
wp_compare_request_new (const char *const *a, const char *const *b, const char *const *names, const char *sample_index, gboolean normalise,
                        WpDepth depth, const WpHideRules *hide, WpShared *opened)
{
  WpCompareRequest *self = g_new0 (WpCompareRequest, 1);

  self->files[WP_SIDE_A] = g_strdupv ((char **) a);
  self->files[WP_SIDE_B] = g_strdupv ((char **) b);
  for (guint side = 0; names != NULL && side < WP_N_SIDES; side++)
    self->names[side] = *names[side] != '\0' ? g_strdup (names[side]) : NULL;
  self->sample_index = g_strdup (sample_index);
  self->normalise = normalise;
  self->depth = depth;
  self->hide = wp_hide_rules_copy (hide);
  self->opened = wp_shared_ref (opened);
  return self;
}

void
wp_compare_request_free (gpointer request)
{
  WpCompareRequest *self = request;

  g_strfreev (self->files[WP_SIDE_A]);
  g_strfreev (self->files[WP_SIDE_B]);
  g_free (self->names[WP_SIDE_A]);
  g_free (self->names[WP_SIDE_B]);
  g_free (self->sample_index);
  wp_hide_rules_free (self->hide);
  wp_shared_unref (self->opened);
  g_free (self);
}

void
wp_compare_data_free (gpointer data)
{
  WpCompareData *self = data;

  for (guint v = 0; v < WP_N_COMPARE_VIEWS; v++)
    {
      wp_shared_unref (self->rows[v]);
      g_free (self->box_of[v]);
    }
  wp_comparison_free (self->comparison);
  g_free (self);
}

/* Takes over `rows`. */
static void
take_rows (WpCompareData *self, WpCompareView view, WpRows *rows)
{
  self->box_of[view] = g_new (guint32, self->comparison->nodes.len);
  for (WpId n = 0; n < self->comparison->nodes.len; n++)
    self->box_of[view][n] = G_MAXUINT32;
  for (guint32 b = 0; b < rows->boxes.len; b++)
    self->box_of[view][rows->boxes.data[b].ref] = b;
  self->rows[view] = wp_shared_new (rows, (GDestroyNotify) wp_rows_free);
}

gpointer
wp_compare_run (gpointer request, WpProgress *progress, GError **error)
{
  const WpCompareRequest *wanted = request;
  const WpCompareOptions options = { .files = { (const char *const *) wanted->files[WP_SIDE_A],
                                                (const char *const *) wanted->files[WP_SIDE_B] },
                                     .names = { wanted->names[WP_SIDE_A], wanted->names[WP_SIDE_B] },
                                     .sample_index = wanted->sample_index, .normalise = wanted->normalise,
                                     .depth = { .depth = wanted->depth, .hide = wanted->hide },
                                     .opened = wp_shared_get (wanted->opened),
                                     .open_stacks = wp_open_stacks };
  WpComparison *comparison = wp_compare (&options, progress, error);
  WpRows *sides[WP_N_SIDES];
  WpCompareData *self;

  if (comparison == NULL)
    return NULL;
  self = g_new0 (WpCompareData, 1);
  self->comparison = comparison;
  wp_layout_diff_sides (comparison, sides);
  take_rows (self, WP_COMPARE_VIEW_A, sides[WP_SIDE_A]);
  take_rows (self, WP_COMPARE_VIEW_B, sides[WP_SIDE_B]);
  take_rows (self, WP_COMPARE_VIEW_VANISHED, wp_layout_diff (comparison, WP_DIFF_VANISHED, FALSE));
  return self;
}

const char *
wp_compare_presences (guint row, guint *presences)
{
  static const struct
  {
    const char *name;
    guint presences;
  } rows[] = { { N_ ("All frames"), 1 << WP_PRESENCE_COMMON | 1 << WP_PRESENCE_NEW | 1 << WP_PRESENCE_VANISHED },
               { N_ ("New"), 1 << WP_PRESENCE_NEW },
               { N_ ("Vanished"), 1 << WP_PRESENCE_VANISHED },
               { N_ ("In both"), 1 << WP_PRESENCE_COMMON } };

  if (row >= G_N_ELEMENTS (rows))
    return NULL;
  *presences = rows[row].presences;
  return _(rows[row].name);
}

WpCompareFrames *
wp_compare_frames_new (WpShared *data, guint presences)
{
  WpCompareFrames *self = g_new0 (WpCompareFrames, 1);

  self->data = wp_shared_ref (data);
  self->presences = presences;
  return self;
}

void
wp_compare_frames_free (gpointer frames)
{
  WpCompareFrames *self = frames;

  wp_shared_unref (self->data);
  g_free (self);
}

gpointer
wp_compare_frames_run (gpointer frames, WpProgress *progress, GError **error)
{
  const WpCompareFrames *self = frames;
  const WpCompareData *data = wp_shared_get (self->data);
  WpGrid *grid = wp_compare_frames_grid (data->comparison, self->presences, progress);

  if (grid == NULL)
    wp_progress_step (progress, 1, error); /* it was cancelled */
  return grid;
}

/* From the roots up to the outermost box that the other view lacks. Where it lacks even the root, in proportion. */
double
wp_compare_map (const WpCompareData *self, WpCompareView from, WpCompareView to, double x)
{
  const WpRows *rows = wp_compare_rows (self, from), *other = wp_compare_rows (self, to);
  gint64 place = (gint64) CLAMP (x, (double) rows->start, (double) rows->end - 1);
  double extent = MAX (1.0, (double) (rows->end - rows->start));
  double mapped = (x - (double) rows->start) / extent * (double) (other->end - other->start);

  for (guint32 r = rows->rows.len; r-- > 0;)
    {
      guint32 b = wp_rows_box_at (rows, r, place), there;
      const WpBox *box, *image;

      if (b == G_MAXUINT32)
        break;
      box = &rows->boxes.data[b];
      there = self->box_of[to][box->ref];
      if (there == G_MAXUINT32)
        break;
      image = &other->boxes.data[there];
      mapped = (double) image->start
               + (x - (double) box->start) / (double) (box->end - box->start) * (double) (image->end - image->start);
    }
  return mapped;
}

const char *
wp_compare_hideable (const WpCompareData *self, WpId node, WpHideKind kind)
{
  const WpComparison *c = self->comparison;
  const WpComparedFrame *frame = &c->frames.data[c->nodes.data[node].frame];
  const char *name = wp_strings_get (c->strings, frame->name), *module = wp_strings_get (c->strings, frame->module);

  if (!c->has_depths || *module == '\0')
    return NULL;
  if (kind == WP_HIDE_FUNCTION)
    return g_str_equal (name, WP_COMPARED_NO_SYMBOL) ? NULL : name;
  return g_str_equal (module, WP_COMPARED_ANONYMOUS) ? NULL : module;
}

guint
wp_compare_count_folded (const WpCompareData *self, WpId node)
{
  const WpComparison *c = self->comparison;
  guint most = 0;

  for (guint32 h = c->nodes.data[node].hidden; h != 0; h = c->hidden.data[h].next)
    {
      guint n = 0;

      for (WpId s = c->hidden.data[h].inner; s != c->hidden.data[h].outer; s = c->stacks->stacks.data[s].parent)
        n++;
      most = MAX (most, n);
    }
  return most;
}

/* "30.0 ms (12.3 %), itself 10.0 ms": shares are of all that is compared on that side. */
static char *
side_text (const WpComparison *c, const WpComparedNode *node, WpSide side)
{
  g_autofree char *total = wp_comparison_amount (c, node->total[side], FALSE), *own = wp_comparison_amount (c, node->self[side], FALSE);
  double all = c->nodes.data[0].total[side];
  char share[WP_FORMAT_MAX];

  return all > 0 ? g_strdup_printf (_("%s (%s), itself %s"), total, wp_format_share (node->total[side] / all, share), own) : g_steal_pointer (&total);
}

char *
wp_compare_describe (const WpCompareData *self, WpId node)
{
  const WpComparison *c = self->comparison;
  const WpComparedNode *n = &c->nodes.data[node];
  const WpComparedFrame *frame = &c->frames.data[n->frame];
  const char *module = wp_strings_get (c->strings, frame->module);
  const WpChange total = { .mean = { n->total[WP_SIDE_A], n->total[WP_SIDE_B] } };
  g_autofree char *a = side_text (c, n, WP_SIDE_A), *b = side_text (c, n, WP_SIDE_B);
  g_autofree char *change = wp_comparison_amount (c, wp_change_absolute (&total), TRUE);
  char by[32];

  wp_format_change (&total, by);
  return g_strdup_printf (_("%s%s%s\nA: %s\nB: %s\nChange: %s (%s)%s"), wp_strings_get (c->strings, frame->name),
                          *module != '\0' ? " — " : "", module, a, b, change, by,
                          n->evidence == WP_EVIDENCE_NOISE ? _("\nIs noise, as far as the test can tell") : "");
}
