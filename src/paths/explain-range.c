/* A time range of an explanation that is there already: what a moment was spent on does not hang on the range, so pieces are cut to it. */
#include "paths/explain-private.h"

/* The row of the range for one of the whole: made when its first piece is met, so that rows come in the same order as when the range is explained anew. */
static guint32
row_in_range (WpExplanation *out, const WpExplanation *whole, guint32 row, guint32 *place)
{
  const WpExplanationRow *like = &whole->rows.data[row];

  if (place[row] == 0)
    {
      wp_array_push (&out->rows, ((WpExplanationRow) { .category = like->category, .name = g_strdup (like->name), .rival = like->rival }));
      place[row] = out->rows.len;
    }
  return place[row] - 1;
}

static void
cut_piece (WpExplanation *out, const WpExplanation *whole, const WpPiece *piece, guint32 *place)
{
  gint64 start = MAX (piece->start, out->from), end = MIN (piece->end, out->to);

  if (start < end)
    wp_explain_add (out, row_in_range (out, whole, piece->row, place), piece->part, start, end);
}

WpExplanation *
wp_explain_range (const WpPaths *paths, const WpExplanation *whole, gint64 from, gint64 to, WpProgress *progress, GError **error)
{
  WpExplanation *out = g_new0 (WpExplanation, 1);
  g_autofree guint32 *place = g_new0 (guint32, whole->rows.len + 1); /* by row of the whole: one more than that of the range */
  gboolean going_on = TRUE;

  wp_progress_phase (progress, "Explaining");
  out->from = from;
  out->to = to;
  out->processes = whole->processes;
  for (guint32 i = 0; i < whole->pieces.len && going_on; i++)
    {
      cut_piece (out, whole, &whole->pieces.data[i], place);
      going_on = wp_progress_row (progress, i, error);
    }
  if (going_on)
    return wp_explain_finish (paths, out, progress, error);
  wp_explanation_free (out);
  return NULL;
}
