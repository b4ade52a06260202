#include "view/fold.h"

#include "base/search.h"

#include <math.h>

#define MARGIN 10          /* cells beyond the edges: corners and outlines of cut boxes stay out of sight */
#define LINES_PER_CELL 6   /* lines kept of those that start in one pixel */
#define LINES_LOOKED_AT 24 /* … and looked at to find them */
#define LINES_EARLIER 400  /* lines kept of those that start left of the area */
#define QUIET_PIXELS 4     /* length from which quiet lines are kept */
#define SHARP_PIXELS 4     /* width from which a box is not shaded at its edges */
#define LINE 64            /* bytes that the processor fetches at once */

/* What some cells of a row show. */
typedef struct
{
  gint64 from, to;
  guint32 box, n;        /* that, where `n` boxes become visible */
  guint32 carry;         /* what reaches into the first of these cells from the left, or G_MAXUINT32 */
  guint32 first, starts; /* … and what starts there; `starts` 0 and no `carry`: all of it is covered */
} Piece;

typedef struct
{
  const WpRows *rows;
  WpSpanArray *spans;
  WpShadeArray *shades;  /* NULL: not asked for */
  double cell;           /* ns */
  double left;           /* the cell number of pixel 0, with its fraction */
  gint64 first, end;     /* cells */
  WP_ARRAY (gint64) ends; /* of each of these cells: the first moment after it */
  WP_ARRAY (guint32) blocks; /* of this row: the last block of starts that begins before that */
  guint32 row;
  guint32 row_first_span;
  WP_ARRAY (Piece) pieces; /* of this row */
  gint64 open_end;       /* the cell the last span of this row reaches */
  guint32 open_box;      /* … and the box that the last of its cells shows */
} Fold;

/* A moment in cells from the start of the rows. */
static inline double
place_of (const Fold *f, gint64 t)
{
  return ((double) t - (double) f->rows->start) / f->cell;
}

/* As floor(), which is a call where the processor may be an old one: there are several for each pixel of each row. */
static inline gint64
whole (double x)
{
  gint64 n = (gint64) x;

  return n - (x < (double) n);
}

static inline gint64
cell_of (const Fold *f, gint64 t)
{
  return whole (place_of (f, t));
}

/* The last cell that a box touches: one that ends on a border does not touch what is beyond it. */
static inline gint64
last_cell_of (const Fold *f, guint32 box)
{
  gint64 start = wp_rows_start_of (f->rows, box);

  return MAX (cell_of (f, start), -whole (-place_of (f, start + wp_rows_length_of (f->rows, box))) - 1);
}

/* The first moment that is not before this cell: near where it must be, by as much as place_of() may be off. */
static gint64
begin_of (const Fold *f, gint64 cell)
{
  double start = (double) f->rows->start, after = (double) cell * f->cell, off = (fabs (start) + fabs (after)) * 0x1p-50 + 2;
  gint64 low, high;

  if (start + after + off >= 0x1p63)
    return G_MAXINT64;
  if (start + after - off <= -0x1p63)
    return G_MININT64;
  low = (gint64) (start + after - off);
  high = (gint64) (start + after + off);
  while (low < high)
    {
      gint64 middle = low + (high - low) / 2;

      if (place_of (f, middle) < (double) cell)
        low = middle + 1;
      else
        high = middle;
    }
  return low;
}

static inline gint64
length (const WpBox *box)
{
  return box->end - box->start;
}

static inline double
covered (const Fold *f, guint32 box, gint64 cell)
{
  gint64 start = wp_rows_start_of (f->rows, box), end = start + wp_rows_length_of (f->rows, box);

  return MIN (place_of (f, end), (double) (cell + 1)) - MAX (place_of (f, start), (double) cell);
}

/* The better of two boxes for a cell; `a` comes first in the row. */
static inline WpLongest
better (const Fold *f, WpLongest a, WpLongest b, gint64 cell)
{
  gboolean wide_a = a.length >= f->cell, wide_b = b.length >= f->cell;

  if (wide_a != wide_b)
    return wide_a ? a : b;
  if (wide_a)
    return covered (f, b.box, cell) > covered (f, a.box, cell) ? b : a;
  return b.length > a.length ? b : a;
}

/* What a cell shows: of `n` boxes from `first` on, which start there, and `carry`, which reaches into it from the left. */
static guint32
best_of (const Fold *f, guint32 first, guint32 n, guint32 carry, gint64 cell)
{
  guint32 last = first + n - 1;
  WpLongest best = { wp_rows_length_of (f->rows, last), last };

  if (n > 1)
    best = better (f, wp_rows_longest (f->rows, first, n - 1), best, cell);
  if (carry != G_MAXUINT32)
    best = better (f, (WpLongest) { wp_rows_length_of (f->rows, carry), carry }, best, cell);
  return best.box;
}

/* What of a cell is covered by what is like what it shows. */
static double
share_of (const Fold *f, const Piece *piece)
{
  const WpBrief *briefs = f->rows->briefs.data;
  guint32 last = piece->first + piece->starts - 1;
  guint runs = briefs[piece->box].runs;
  double share = 0;

  if (piece->carry == G_MAXUINT32 && piece->starts == 0)
    return 1;
  if (piece->carry != G_MAXUINT32 && briefs[piece->carry].runs == runs)
    share += covered (f, piece->carry, piece->from);
  if (piece->starts > 1)
    {
      WpLengths within = wp_rows_lengths (f->rows, piece->first, piece->starts - 1);

      share += (double) (runs ? within.running : within.other) / f->cell;
    }
  if (piece->starts > 0 && briefs[last].runs == runs)
    share += covered (f, last, piece->from);
  return share;
}

/* Of the cells from … to of the last span. */
static void
shade (Fold *f, gint64 from, gint64 to, double share)
{
  guint8 parts = (guint8) CLAMP (ceil (share * WP_SHARES), 1, WP_SHARES);
  WpShade *last = f->shades->len > 0 ? &f->shades->data[f->shades->len - 1] : NULL;
  WpShade shade = { (float) ((double) from - f->left), (float) ((double) to - f->left), f->spans->len - 1, parts };

  if (parts == WP_SHARES)
    return;
  if (last != NULL && last->span == shade.span && last->x1 == shade.x0 && last->share == shade.share)
    last->x1 = shade.x1;
  else
    wp_array_push (f->shades, shade);
}

/* Whether what two cells beside each other show is one span: the same box, or crumbs that look alike. */
static gboolean
go_together (const Fold *f, guint32 a, guint32 b)
{
  const WpBox *x = &f->rows->boxes.data[a], *y = &f->rows->boxes.data[b];

  return a == b
         || (length (x) < f->cell && length (y) < f->cell && x->label == y->label && x->kind == y->kind && x->body == y->body
             && x->pale == y->pale && x->ghost == y->ghost);
}

static inline void
show_box (WpSpan *span, guint32 box, const WpBox *b)
{
  span->box = box;
  span->label = b->label;
  span->kind = b->kind;
  span->body = b->body;
  span->pale = b->pale;
  span->ghost = b->ghost;
  span->code = b->code;
}

/* Cells from … to (exclusive) show `box`; `n` boxes become visible there. */
static void
show (Fold *f, gint64 from, gint64 to, guint32 box, guint32 n)
{
  const WpBox *b = &f->rows->boxes.data[box];
  WpSpan *open = f->spans->len > f->row_first_span ? &f->spans->data[f->spans->len - 1] : NULL;

  if (open == NULL || f->open_end != from || !go_together (f, f->open_box, box))
    {
      open = wp_array_add (f->spans);
      *open = (WpSpan) { .x0 = (float) ((double) from - f->left), .row = f->row };
      show_box (open, box, b);
    }
  else if (length (b) > length (&f->rows->boxes.data[open->box]))
    show_box (open, box, b);
  open->x1 = (float) ((double) to - f->left);
  open->n_boxes += n;
  f->open_end = to;
  f->open_box = box;
}

/* Boxes that are shown lie far from each other: all of a row are on their way before the first is looked at. */
static void
add_piece (Fold *f, Piece piece)
{
  __builtin_prefetch (&f->rows->boxes.data[piece.box]);
  wp_array_push (&f->pieces, piece);
}

static void
show_pieces (Fold *f)
{
  for (guint32 i = 0; i < f->pieces.len; i++)
    {
      const Piece *piece = &f->pieces.data[i];
      gint64 from = MAX (piece->from, f->first), to = MIN (piece->to, f->end);

      if (from >= to)
        continue;
      show (f, from, to, piece->box, piece->n);
      if (f->shades != NULL)
        shade (f, from, to, share_of (f, piece));
    }
}

/* Which block begins last before the end of each cell, of the boxes low … high (exclusive): in steps that double, from half of what the cell before had,
 * then halving. Starts of blocks lie close together; the boxes of a block do not, and are on their way before the first is looked at. */
static void
find_blocks (Fold *f, guint32 low, guint32 high)
{
  const gint64 *starts = f->rows->starts.data;
  guint32 block = low / WP_BRIEF_BLOCK, end = (high - 1) / WP_BRIEF_BLOCK, before = 0;

  for (guint32 k = 0; k < f->ends.len; k++)
    {
      const gint64 until = f->ends.data[k];
      guint32 first = block, step = MAX (before / 2, 1);

      while (block < end)
        {
          guint32 next = end - block > step ? block + step : end;

          if (starts[next] < until)
            {
              block = next;
              step *= 2;
              continue;
            }
          block = WP_SEARCH (block + 1, next, i, starts[i] < until) - 1;
          break;
        }
      before = block - first;
      if (before > 0)
        for (guint32 i = 0; i < WP_BRIEF_BLOCK; i += LINE / sizeof (WpBrief))
          __builtin_prefetch (&f->rows->briefs.data[block * WP_BRIEF_BLOCK + i]);
      f->blocks.data[k] = block;
    }
}

/* Of box `low`, which starts in `cell` or before, and those behind it: the first that starts after the cell; `high`: none before it does. */
static guint32
first_after (const Fold *f, guint32 low, guint32 high, gint64 cell)
{
  guint32 block = f->blocks.data[cell - f->first];
  gint64 until = f->ends.data[cell - f->first];

  low = MAX (low, block * WP_BRIEF_BLOCK) + 1;
  high = MIN (high, (block + 1) * WP_BRIEF_BLOCK);
  return WP_SEARCH (low, high, i, wp_rows_start_of (f->rows, i) < until);
}

/* The first box of a row that ends after the left edge. */
static guint32
first_visible (const Fold *f, const WpRow *row)
{
  return WP_SEARCH (row->first, row->first + row->n, i, last_cell_of (f, i) < f->first);
}

/* The last cell of a box that reaches there. */
static void
add_end (Fold *f, guint32 box, guint32 n)
{
  gint64 cell = last_cell_of (f, box);

  add_piece (f, (Piece) { .from = cell, .to = cell + 1, .box = box, .n = n, .carry = box });
}

static void
fold_row (Fold *f, guint32 row_number)
{
  const WpRow *row = &f->rows->rows.data[row_number];
  guint32 i = first_visible (f, row), end = row->first + row->n;
  guint32 carry = G_MAXUINT32; /* the box that reaches into the cell from the left */
  guint32 carry_uncounted = 0;

  f->row = row_number;
  f->row_first_span = f->spans->len;
  f->pieces.len = 0;
  if (i < end)
    find_blocks (f, i, end);
  while (i < end)
    {
      gint64 cell = MAX (cell_of (f, wp_rows_start_of (f->rows, i)), f->first), reach;
      guint32 next, n, last, winner;

      if (cell >= f->end)
        break;
      if (carry != G_MAXUINT32 && last_cell_of (f, carry) < cell)
        {
          add_end (f, carry, carry_uncounted);
          carry = G_MAXUINT32;
          carry_uncounted = 0;
        }
      next = first_after (f, i, end, cell);
      last = next - 1;
      n = next - i + (carry != G_MAXUINT32 ? carry_uncounted : 0);
      winner = best_of (f, i, next - i, carry, cell);
      reach = last_cell_of (f, last);
      if (reach > cell && winner != last)
        n--;
      carry_uncounted = reach > cell && winner != last;
      add_piece (f, (Piece) { cell, cell + 1, winner, n, carry, i, next - i });
      if (reach > cell + 1)
        {
          add_piece (f, (Piece) { .from = cell + 1, .to = reach, .box = last, .n = carry_uncounted, .carry = G_MAXUINT32 });
          carry_uncounted = 0;
        }
      carry = reach > cell ? last : G_MAXUINT32;
      i = next;
    }
  if (carry != G_MAXUINT32)
    add_end (f, carry, carry_uncounted);
  show_pieces (f);
}

/* Boxes that are wide enough to have edges; what else is seen of their last pixels does not count: it may be beyond the edge of the area. */
static void
sharpen (Fold *f)
{
  guint32 n = 0;

  for (guint32 i = 0; i < f->shades->len; i++)
    {
      const WpSpan *span = &f->spans->data[f->shades->data[i].span];

      if (span->x1 - span->x0 < SHARP_PIXELS || (span->n_boxes > 1 && (double) wp_rows_length_of (f->rows, span->box) < f->cell))
        f->shades->data[n++] = f->shades->data[i];
    }
  f->shades->len = n;
}

static gboolean
fold_start (Fold *f, const WpRows *rows, const WpViewport *viewport)
{
  g_return_val_if_fail (rows->finished, FALSE);
  if (viewport->width < 1 || viewport->end <= viewport->start)
    return FALSE;
  f->rows = rows;
  f->cell = (viewport->end - viewport->start) / viewport->width;
  f->left = (viewport->start - (double) rows->start) / f->cell;
  f->first = (gint64) floor (f->left) - MARGIN;
  f->end = (gint64) ceil (f->left + viewport->width) + MARGIN;
  return TRUE;
}

void
wp_fold (const WpRows *rows, const WpViewport *viewport, WpSpanArray *spans)
{
  wp_fold_shaded (rows, viewport, spans, NULL);
}

void
wp_fold_shaded (const WpRows *rows, const WpViewport *viewport, WpSpanArray *spans, WpShadeArray *shades)
{
  Fold f = { .spans = spans, .shades = rows->shaded ? shades : NULL };
  guint32 first, last;

  spans->len = 0;
  if (shades != NULL)
    shades->len = 0;
  if (!fold_start (&f, rows, viewport))
    return;
  wp_rows_visible (rows, viewport, &first, &last);
  wp_array_resize (&f.ends, (guint32) (f.end - f.first));
  wp_array_resize (&f.blocks, f.ends.len);
  for (guint32 k = 0; k < f.ends.len; k++)
    f.ends.data[k] = begin_of (&f, f.first + k + 1);
  for (guint32 r = first; r < last; r++)
    fold_row (&f, r);
  if (f.shades != NULL)
    sharpen (&f);
  wp_array_clear (&f.ends);
  wp_array_clear (&f.blocks);
  wp_array_clear (&f.pieces);
}

/* The first of the notches from `low` on that is of a later row, or of this row and ends after `time`. */
static guint32
notch_after (const WpRows *rows, guint32 low, guint32 row, double time)
{
  return WP_SEARCH (low, rows->notches.len, i, rows->notches.data[i].row < row
                                                 || (rows->notches.data[i].row == row && (double) rows->notches.data[i].end <= time));
}

void
wp_fold_notches (const WpRows *rows, const WpViewport *viewport, WpIdArray *notches)
{
  double pixel = (viewport->end - viewport->start) / viewport->width;
  guint32 first, last, i;

  notches->len = 0;
  wp_rows_visible (rows, viewport, &first, &last);
  i = WP_SEARCH (0, rows->notches.len, k, rows->notches.data[k].row < first);
  while (i < rows->notches.len && rows->notches.data[i].row < last)
    {
      const guint32 row = rows->notches.data[i].row;

      for (i = notch_after (rows, i, row, viewport->start); i < rows->notches.len && rows->notches.data[i].row == row;)
        {
          const WpNotch *notch = &rows->notches.data[i];
          double length = (double) (notch->end - notch->start);

          if ((double) notch->start >= viewport->end)
            break;
          if (length >= WP_NOTCH_LEAST * pixel)
            wp_array_push (notches, i);
          i = notch_after (rows, i + 1, row, (double) notch->start + MAX (length, pixel));
        }
      i = notch_after (rows, i, row, G_MAXDOUBLE);
    }
}

/* --- where rows are ----------------------------------------------------------------------------------------------- */

/* How many groups start at or before `row`. */
static guint32
groups_until (const WpRows *rows, guint32 row)
{
  return WP_SEARCH (0, rows->groups.len, i, rows->groups.data[i] <= row);
}

double
wp_rows_y (const WpRows *rows, const WpViewport *viewport, guint32 row)
{
  return row * viewport->row_height + groups_until (rows, row) * WP_GROUP_SPACE (viewport);
}

/* The first row whose bottom edge is below `y`. */
static guint32
first_row_below (const WpRows *rows, const WpViewport *viewport, double y)
{
  return WP_SEARCH (0, rows->rows.len, i, wp_rows_y (rows, viewport, i) + viewport->row_height <= y);
}

guint32
wp_rows_row_at_y (const WpRows *rows, const WpViewport *viewport, double y)
{
  guint32 row = first_row_below (rows, viewport, y);

  return row < rows->rows.len && wp_rows_y (rows, viewport, row) <= y ? row : G_MAXUINT32;
}

void
wp_rows_visible (const WpRows *rows, const WpViewport *viewport, guint32 *first, guint32 *last)
{
  *first = first_row_below (rows, viewport, viewport->y);
  *last = first_row_below (rows, viewport, viewport->y + viewport->height);
  if (*last < rows->rows.len && wp_rows_y (rows, viewport, *last) < viewport->y + viewport->height)
    ++*last;
}

/* --- lines -------------------------------------------------------------------------------------------------------- */

/* The first line from `low` on that starts in `cell` or after it: in steps that double, then halving. */
static guint32
first_line_in (const Fold *f, guint32 low, gint64 cell)
{
  const WpLine *lines = f->rows->lines.data;
  guint32 n = f->rows->lines.len, step = 1;

  while (n - low > step && cell_of (f, lines[low + step].start) < cell)
    {
      low += step;
      step *= 2;
    }
  return WP_SEARCH (low, MIN (n, low + step + 1), i, cell_of (f, lines[i].start) < cell);
}

static gboolean
add_line (const Fold *f, guint32 i, guint32 first, guint32 last, WpIdArray *lines)
{
  const WpLine *l = &f->rows->lines.data[i];

  if (cell_of (f, l->end) < f->first || MIN (l->from_row, l->to_row) >= last || MAX (l->from_row, l->to_row) < first
      || (l->quiet && (double) (l->end - l->start) < QUIET_PIXELS * f->cell))
    return FALSE;
  wp_array_push (lines, i);
  return TRUE;
}

/* Those that start left of the area and last into it: blocks that end before it are passed over. */
static void
add_earlier_lines (const Fold *f, guint32 end, guint32 first, guint32 last, WpIdArray *lines)
{
  for (guint32 i = 0; i < end && lines->len < LINES_EARLIER;)
    if (cell_of (f, f->rows->lines_until.data[i / WP_LINE_BLOCK]) < f->first)
      i += WP_LINE_BLOCK - i % WP_LINE_BLOCK;
    else
      add_line (f, i++, first, last, lines);
}

void
wp_fold_lines (const WpRows *rows, const WpViewport *viewport, WpIdArray *lines)
{
  Fold f = { 0 };
  guint32 first, last, i, kept = 0, looked_at = 0;
  gint64 here = G_MININT64;

  lines->len = 0;
  if (!fold_start (&f, rows, viewport))
    return;
  wp_rows_visible (rows, viewport, &first, &last);
  i = first_line_in (&f, 0, f.first);
  add_earlier_lines (&f, i, first, last, lines);
  while (i < rows->lines.len)
    {
      gint64 cell = cell_of (&f, rows->lines.data[i].start);

      if (cell >= f.end)
        break;
      if (cell != here)
        {
          here = cell;
          kept = looked_at = 0;
        }
      if (kept == LINES_PER_CELL || looked_at++ == LINES_LOOKED_AT)
        i = first_line_in (&f, i, cell + 1);
      else
        kept += add_line (&f, i++, first, last, lines);
    }
}
