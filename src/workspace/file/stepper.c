#include "workspace/file/stepper.h"

#include "workspace/file/boxes.h"

struct WpStepper
{
  const WpRows *rows;
  const WpAnalysis *analysis;
  GArray *stops;  /* guint32: boxes of a consolidated view, else indexes of pieces */
  GArray *ns;     /* gint64: how long each is */
  guint at;       /* in `stops`; G_MAXUINT: at none yet */
  guint32 *first; /* by operation, in rows whose boxes are operations: one more than its first box, 0 none; NULL: not needed yet */
  guint32 *next;  /* by box: the same of the next box of its operation */
};

WpStepper *
wp_stepper_new (void)
{
  WpStepper *self = g_new0 (WpStepper, 1);

  self->stops = g_array_new (FALSE, FALSE, sizeof (guint32));
  self->ns = g_array_new (FALSE, FALSE, sizeof (gint64));
  self->at = G_MAXUINT;
  return self;
}

void
wp_stepper_free (WpStepper *self)
{
  wp_stepper_clear (self);
  g_array_unref (self->stops);
  g_array_unref (self->ns);
  g_free (self);
}

void
wp_stepper_clear (WpStepper *self)
{
  self->rows = NULL;
  self->analysis = NULL;
  self->at = G_MAXUINT;
  g_array_set_size (self->stops, 0);
  g_array_set_size (self->ns, 0);
  g_clear_pointer (&self->first, g_free);
  g_clear_pointer (&self->next, g_free);
}

guint
wp_stepper_count (const WpStepper *self)
{
  return self->stops->len;
}

/* Waiting on another path has a box of its own on that of the node. */
static void
collect_boxes (WpStepper *self, const WpChoice *choice)
{
  gboolean waiting = choice->category == WP_CATEGORY_OTHER_PATH;
  g_autofree gint64 *ns = wp_choice_nodes (self->analysis, choice);

  for (guint32 i = 0; i < self->rows->boxes.len; i++)
    {
      const WpBox *box = &self->rows->boxes.data[i];

      if (ns[box->ref] == 0 || waiting != (box->kind == WP_BOX_OTHER_PATH))
        continue;
      g_array_append_val (self->stops, i);
      g_array_append_val (self->ns, ns[box->ref]);
    }
}

static void
collect_pieces (WpStepper *self, const WpChoice *choice)
{
  const WpExplanation *explanation = self->analysis->explanation;

  g_array_unref (self->stops);
  self->stops = wp_choice_pieces (explanation, choice);
  for (guint i = 0; i < self->stops->len; i++)
    {
      const WpPiece *piece = &explanation->pieces.data[g_array_index (self->stops, guint32, i)];
      gint64 ns = piece->end - piece->start;

      g_array_append_val (self->ns, ns);
    }
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
  const gint64 *ns = (const gint64 *) self->ns->data;
  guint best = 0;

  for (guint i = 1; i < self->ns->len; i++)
    if (ns[i] > ns[best])
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
  guint32 which = g_array_index (self->stops, guint32, i);
  const WpBox *boxes = self->rows->boxes.data;
  const WpPiece *piece;

  if (!self->rows->is_time)
    {
      *stop = (WpStop) { which, (double) boxes[which].start, (double) boxes[which].end };
      return TRUE;
    }
  piece = &self->analysis->explanation->pieces.data[which];
  *stop = (WpStop) { G_MAXUINT32, (double) piece->start, (double) piece->end };
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
