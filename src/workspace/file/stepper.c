#include "workspace/file/stepper.h"

#include "base/sort.h"
#include "workspace/file/boxes.h"

/* A box of a consolidated view; or pieces of one part that follow each other: a sample ends no stretch. */
typedef struct
{
  guint32 which; /* the box, or the longest of the pieces */
  gint64 ns;
  gint64 start, end; /* of pieces */
} Stretch;

struct WpStepper
{
  const WpRows *rows;
  const WpAnalysis *analysis;
  GArray *stops;  /* Stretch */
  guint at;       /* in `stops`; G_MAXUINT: at none yet */
  guint32 *first; /* by operation, in rows whose boxes are operations: one more than its first box, 0 none; NULL: not needed yet */
  guint32 *next;  /* by box: the same of the next box of its operation */
};

WpStepper *
wp_stepper_new (void)
{
  WpStepper *self = g_new0 (WpStepper, 1);

  self->stops = g_array_new (FALSE, FALSE, sizeof (Stretch));
  self->at = G_MAXUINT;
  return self;
}

void
wp_stepper_free (WpStepper *self)
{
  wp_stepper_clear (self);
  g_array_unref (self->stops);
  g_free (self);
}

void
wp_stepper_clear (WpStepper *self)
{
  self->rows = NULL;
  self->analysis = NULL;
  self->at = G_MAXUINT;
  g_array_set_size (self->stops, 0);
  g_clear_pointer (&self->first, g_free);
  g_clear_pointer (&self->next, g_free);
}

guint
wp_stepper_count (const WpStepper *self)
{
  return self->stops->len;
}

static void
collect_boxes (WpStepper *self, const WpChoice *choice)
{
  g_autofree gint64 *ns = wp_choice_nodes (self->analysis, choice);

  for (guint32 i = 0; i < self->rows->boxes.len; i++)
    {
      const WpBox *box = &self->rows->boxes.data[i];
      Stretch stretch = { .which = i, .ns = ns[box->ref] };

      if (stretch.ns > 0 && wp_layout_shows (box, choice->category))
        g_array_append_val (self->stops, stretch);
    }
}

static int
compare_starts (const void *a, const void *b)
{
  const Stretch *x = a, *y = b;

  return x->start != y->start ? WP_COMPARE (x->start, y->start) : WP_COMPARE (x->which, y->which);
}

/* Pieces stand by part, then time; stops go by time. */
static void
collect_pieces (WpStepper *self, const WpChoice *choice)
{
  const WpPiece *pieces = self->analysis->explanation->pieces.data;
  g_autoptr (GArray) chosen = wp_choice_pieces (self->analysis->explanation, choice);
  WpId last = 0;

  g_array_sort (chosen, wp_compare_ids);
  for (guint i = 0; i < chosen->len; i++)
    {
      guint32 which = g_array_index (chosen, guint32, i);
      const WpPiece *piece = &pieces[which];
      Stretch stretch = { .which = which, .ns = piece->end - piece->start, .start = piece->start, .end = piece->end };
      Stretch *open = self->stops->len > 0 ? &g_array_index (self->stops, Stretch, self->stops->len - 1) : NULL;

      if (open == NULL || piece->part != last || piece->start != open->end)
        g_array_append_val (self->stops, stretch);
      else
        {
          if (stretch.ns > pieces[open->which].end - pieces[open->which].start)
            open->which = which;
          open->ns += stretch.ns;
          open->end = stretch.end;
        }
      last = piece->part;
    }
  g_array_sort (self->stops, compare_starts);
}

void
wp_stepper_choose (WpStepper *self, const WpRows *rows, const WpAnalysis *analysis, const WpChoice *choice)
{
  wp_stepper_clear (self);
  self->rows = rows;
  self->analysis = analysis;
  if (rows->is_time)
    collect_pieces (self, choice);
  else
    collect_boxes (self, choice);
}

static guint
longest (const WpStepper *self)
{
  const Stretch *stops = (const Stretch *) (gpointer) self->stops->data;
  guint best = 0;

  for (guint i = 1; i < self->stops->len; i++)
    if (stops[i].ns > stops[best].ns)
      best = i;
  return best;
}

/* Where each operation is drawn: a filter may hide all but a few of many pieces, and each of them asks. */
static void
index_ops (WpStepper *self)
{
  const WpBox *boxes = self->rows->boxes.data;
  guint32 n = self->rows->boxes.len;

  self->first = g_new0 (guint32, wp_analysis_trace (self->analysis)->ops.len);
  self->next = g_new0 (guint32, MAX (n, 1));
  for (guint32 i = n; i-- > 0;)
    if (boxes[i].ref_kind == WP_REF_OP)
      {
        self->next[i] = self->first[boxes[i].ref];
        self->first[boxes[i].ref] = i + 1;
      }
}

static guint32
find_op_box (WpStepper *self, const WpPiece *piece)
{
  guint32 best = G_MAXUINT32;
  int frame = -1;

  if (self->first == NULL)
    index_ops (self);
  for (guint32 i = self->first[self->analysis->paths->parts.data[piece->part].op]; i != 0; i = self->next[i - 1])
    {
      const WpBox *box = &self->rows->boxes.data[i - 1];

      if (box->frame <= frame || box->start >= piece->end || box->end <= piece->start)
        continue;
      best = i - 1;
      frame = box->frame;
    }
  return best;
}

/* FALSE: this view does not draw it. */
static gboolean
find_stop (WpStepper *self, guint i, WpStop *stop)
{
  const Stretch *stretch = &g_array_index (self->stops, Stretch, i);
  guint32 which = stretch->which;
  const WpBox *boxes = self->rows->boxes.data;
  const WpPiece *piece;

  if (!self->rows->is_time)
    {
      *stop = (WpStop) { which, (double) boxes[which].start, (double) boxes[which].end };
      return TRUE;
    }
  piece = &self->analysis->explanation->pieces.data[which];
  *stop = (WpStop) { G_MAXUINT32, (double) stretch->start, (double) stretch->end };
  if (self->rows->boxes.len > 0 && boxes[0].ref_kind == WP_REF_OP)
    stop->box = find_op_box (self, piece);
  else
    stop->box = wp_box_of_part (self->rows, self->analysis, piece->part, piece->start, piece->end);
  return stop->box != G_MAXUINT32;
}

guint
wp_stepper_step (WpStepper *self, WpStep step, WpStop *stop)
{
  guint n = self->stops->len, at = self->at;

  for (guint tried = 0; tried < n; tried++)
    {
      if (step == WP_STEP_LONGEST && tried == 0)
        at = longest (self);
      else if (at == G_MAXUINT)
        at = step == WP_STEP_PREVIOUS ? n - 1 : 0;
      else
        at = (at + (step == WP_STEP_PREVIOUS ? n - 1 : 1)) % n;
      if (find_stop (self, at, stop))
        {
          self->at = at;
          return at + 1;
        }
    }
  return 0;
}
