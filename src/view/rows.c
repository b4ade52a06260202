#include "view/rows.h"

#include "base/moments.h"
#include "base/search.h"
#include "base/sort.h"

#define BRANCH_SHIFT 4 /* the index of longest boxes has one entry for 16 of the level below */

WpRows *
wp_rows_new (void)
{
  WpRows *self = g_new0 (WpRows, 1);

  self->strings = wp_strings_new ();
  self->is_time = TRUE;
  return self;
}

void
wp_rows_free (WpRows *self)
{
  if (self == NULL)
    return;
  wp_strings_free (self->strings);
  wp_array_clear (&self->boxes);
  wp_array_clear (&self->rows);
  wp_array_clear (&self->lines);
  wp_array_clear (&self->notches);
  wp_array_clear (&self->groups);
  wp_array_clear (&self->lines_until);
  wp_array_clear (&self->lengths);
  wp_array_clear (&self->starts);
  wp_array_clear (&self->briefs);
  wp_array_clear (&self->bodies);
  wp_array_clear (&self->hidden);
  for (guint k = 0; k < G_N_ELEMENTS (self->longest); k++)
    wp_array_clear (&self->longest[k]);
  g_free (self);
}

/* --- finishing -------------------------------------------------------------------------------------------------- */

/* Of `level`, where 0 is the boxes themselves. */
static inline WpLongest
longest_at (const WpRows *self, guint level, guint32 i)
{
  return level == 0 ? (WpLongest) { wp_rows_length_of (self, i), i } : self->longest[level - 1].data[i];
}

static void
index_longest (WpRows *self)
{
  guint32 below = self->boxes.len;

  for (guint k = 0; k < G_N_ELEMENTS (self->longest) && below > 1u << BRANCH_SHIFT; k++)
    {
      guint32 n = (below + (1u << BRANCH_SHIFT) - 1) >> BRANCH_SHIFT;

      wp_array_resize (&self->longest[k], n);
      for (guint32 i = 0; i < n; i++)
        {
          guint32 first = i << BRANCH_SHIFT, end = MIN (below - first, 1u << BRANCH_SHIFT) + first;
          WpLongest best = longest_at (self, k, first);

          for (guint32 j = first + 1; j < end; j++)
            {
              WpLongest other = longest_at (self, k, j);

              if (other.length > best.length)
                best = other;
            }
          self->longest[k].data[i] = best;
        }
      below = n;
    }
}

static guint32
brief (gint64 amount)
{
  return (guint32) MIN ((guint64) amount, (guint64) WP_BRIEF_MOST); /* in a block of two rows the second may begin before the first */
}

static void
index_briefs (WpRows *self)
{
  wp_array_reserve (&self->starts, self->boxes.len / WP_BRIEF_BLOCK + 1);
  wp_array_reserve (&self->briefs, self->boxes.len);
  for (guint32 i = 0; i < self->boxes.len; i++)
    {
      const WpBox *box = &self->boxes.data[i];

      if (i % WP_BRIEF_BLOCK == 0)
        wp_array_push (&self->starts, box->start);
      wp_array_push (&self->briefs, ((WpBrief) { brief (box->start - self->starts.data[i / WP_BRIEF_BLOCK]), brief (box->end - box->start), box->kind == WP_BOX_RUN }));
    }
}

static inline void
add_length (WpLengths *sum, const WpRows *self, guint32 box)
{
  gint64 *part = self->briefs.data[box].runs ? &sum->running : &sum->other;

  *part += wp_rows_length_of (self, box);
}

static void
index_lengths (WpRows *self)
{
  WpLengths sum = { 0 };

  for (guint32 i = 0; i < self->boxes.len; i++)
    {
      if (i % WP_LENGTH_BLOCK == 0)
        wp_array_push (&self->lengths, sum);
      add_length (&sum, self, i);
    }
  wp_array_push (&self->lengths, sum);
}

static void
survey_boxes (WpRows *self)
{
  gboolean extent = self->start >= self->end;
  guint64 h = 14695981039346656037u;

  for (guint32 i = 0; i < self->boxes.len; i++)
    {
      const WpBox *b = &self->boxes.data[i];

      self->kinds |= 1u << b->kind;
      self->seen_bodies |= 1u << b->body;
      self->body_kinds |= b->body != WP_BODY_NONE ? 1u << b->kind : 0;
      self->code_kinds |= 1u << wp_box_code_kind (b);
      self->pale |= b->pale;
      h = (h ^ (guint64) b->start ^ (guint64) b->end << 20 ^ (guint64) b->label << 8 ^ b->kind ^ (guint64) b->body << 40
           ^ (guint64) b->pale << 44 ^ (guint64) b->code << 48 ^ (guint64) b->ghost << 50) * 1099511628211u;
      h ^= h >> 29;
      if (!extent)
        continue;
      self->start = i == 0 ? b->start : MIN (self->start, b->start);
      self->end = i == 0 ? b->end : MAX (self->end, b->end);
    }
  self->fingerprint = h ^ self->rows.len;
}

WP_DEFINE_COMPARE_2 (compare_lines, WpLine, start, link)

/* Nearly all come in order: only those that come late are sorted, and merged with the others. */
static void
sort_lines (WpRows *self)
{
  WP_ARRAY (WpLine) late = { 0 };
  WpLine *lines = self->lines.data;
  guint32 kept = 0;

  for (guint32 i = 0; i < self->lines.len; i++)
    if (kept > 0 && compare_lines (&lines[kept - 1], &lines[i]) > 0)
      wp_array_push (&late, lines[i]);
    else
      lines[kept++] = lines[i];
  wp_array_sort (&late, compare_lines);
  for (guint32 to = self->lines.len, left = late.len; left > 0;)
    lines[--to] = kept > 0 && compare_lines (&lines[kept - 1], &late.data[left - 1]) > 0 ? lines[--kept] : late.data[--left];
  wp_array_clear (&late);
}

static void
index_lines (WpRows *self)
{
  gboolean sorted = TRUE;

  for (guint32 i = 1; i < self->lines.len && sorted; i++)
    sorted = self->lines.data[i - 1].start <= self->lines.data[i].start;
  if (!sorted)
    sort_lines (self);
  for (guint32 i = 0; i < self->lines.len; i++)
    {
      if (i % WP_LINE_BLOCK == 0)
        wp_array_push (&self->lines_until, G_MININT64);
      self->lines_until.data[i / WP_LINE_BLOCK] = MAX (self->lines_until.data[i / WP_LINE_BLOCK],
                                                       self->lines.data[i].end);
    }
}

void
wp_rows_finish (WpRows *self)
{
  g_return_if_fail (!self->finished);
  survey_boxes (self);
  index_briefs (self);
  index_longest (self);
  if (self->shaded)
    index_lengths (self);
  index_lines (self);
  for (guint32 r = 0; r < self->rows.len; r++)
    {
      if (self->rows.data[r].group && r > 0)
        wp_array_push (&self->groups, r);
      self->folds |= self->rows.data[r].fold != WP_FOLD_NONE;
    }
  self->finished = TRUE;
}

/* --- looking things up -------------------------------------------------------------------------------------------- */

WpLongest
wp_rows_longest (const WpRows *self, guint32 first, guint32 n)
{
  WpLongest best = longest_at (self, 0, first);
  guint32 low = first, high = first + n;

  /* Climbs the levels: at each, the ends that do not fill a block are looked at one by one. */
  for (guint k = 0;; k++)
    {
      gboolean top = k == G_N_ELEMENTS (self->longest) || self->longest[k].len == 0;
      guint32 low_end = top ? high : MIN (high, (low + (1u << BRANCH_SHIFT) - 1) & ~((1u << BRANCH_SHIFT) - 1));
      guint32 high_start = top ? high : MAX (low_end, high & ~((1u << BRANCH_SHIFT) - 1));

      for (guint32 i = low < low_end ? low : high_start; i < high; i = i + 1 == low_end ? high_start : i + 1)
        {
          WpLongest other = longest_at (self, k, i);

          if (other.length > best.length || (other.length == best.length && other.box < best.box))
            best = other;
        }
      if (top || low_end >= high_start)
        return best;
      low = low_end >> BRANCH_SHIFT;
      high = high_start >> BRANCH_SHIFT;
    }
}

/* Of all boxes before this one. */
static WpLengths
lengths_before (const WpRows *self, guint32 box)
{
  guint32 block = box / WP_LENGTH_BLOCK;
  WpLengths sum = self->lengths.data[block];

  for (guint32 i = block * WP_LENGTH_BLOCK; i < box; i++)
    add_length (&sum, self, i);
  return sum;
}

WpLengths
wp_rows_lengths (const WpRows *self, guint32 first, guint32 n)
{
  WpLengths before = lengths_before (self, first), after = lengths_before (self, first + n);

  return (WpLengths) { after.running - before.running, after.other - before.other };
}

guint32
wp_rows_box_at (const WpRows *self, guint32 row, gint64 x)
{
  guint32 first, end;

  if (row >= self->rows.len)
    return G_MAXUINT32;
  end = self->rows.data[row].first + self->rows.data[row].n;
  first = WP_SEARCH (self->rows.data[row].first, end, i, self->boxes.data[i].end <= x);
  return first < end && self->boxes.data[first].start <= x ? first : G_MAXUINT32;
}

guint32
wp_rows_row_of (const WpRows *self, guint32 box)
{
  guint32 low;

  if (box >= self->boxes.len)
    return G_MAXUINT32;
  low = WP_SEARCH (0, self->rows.len, i, self->rows.data[i].first <= box); /* empty rows share their successor's first */
  return low > 0 && box < self->rows.data[low - 1].first + self->rows.data[low - 1].n ? low - 1 : G_MAXUINT32;
}

/* --- gathering ---------------------------------------------------------------------------------------------------- */

WP_DEFINE_COMPARE_2 (compare_boxes, WpBox, start, end)

static gboolean
is_sorted (const WpBox *boxes, guint32 n)
{
  for (guint32 i = 1; i < n; i++)
    if (boxes[i - 1].start > boxes[i].start)
      return FALSE;
  return TRUE;
}

/* Those that begin at once are few: by their ends. */
static void
sort_ends (WpBox *boxes, guint32 n)
{
  for (guint32 first = 0, end; first < n; first = end)
    {
      for (end = first + 1; end < n && boxes[end].start == boxes[first].start;)
        end++;
      if (end - first > 1)
        qsort (boxes + first, end - first, sizeof *boxes, compare_boxes);
    }
}

/* By start, then end. Boxes are large: their moments are put in order, and they follow. */
static void
sort_row (WpBox *boxes, guint32 n)
{
  WpMoments starts = { 0 };
  WpBox *sorted = g_new (WpBox, n);

  wp_array_reserve (&starts, n);
  for (guint32 i = 0; i < n; i++)
    wp_array_push (&starts, ((WpMoment) { .at = boxes[i].start, .id = i }));
  wp_moments_sort (&starts, NULL, NULL);
  for (guint32 i = 0; i < n; i++)
    sorted[i] = boxes[starts.data[i].id];
  sort_ends (sorted, n);
  memcpy (boxes, sorted, n * sizeof *boxes);
  wp_array_clear (&starts);
  g_free (sorted);
}

/* Cuts what overlaps and drops what is hidden entirely; returns how many are left. */
static guint32
clip_row (WpBox *boxes, guint32 n)
{
  guint32 kept = 0;

  for (guint32 i = 0; i < n; i++)
    {
      WpBox box = boxes[i];

      if (kept > 0 && box.start < boxes[kept - 1].end)
        {
          if (box.end <= boxes[kept - 1].end)
            continue;
          box.start = boxes[kept - 1].end;
        }
      boxes[kept++] = box;
    }
  return kept;
}

/* Says in each row which boxes are its own. */
static void
count_boxes (const WpGather *self, WpRows *rows)
{
  for (guint32 i = 0; i < rows->rows.len; i++)
    rows->rows.data[i].n = 0;
  for (guint32 i = 0; i < self->boxes.len; i++)
    rows->rows.data[self->rows.data[i]].n++;
  for (guint32 i = 0, first = 0; i < rows->rows.len; i++)
    {
      rows->rows.data[i].first = first;
      first += rows->rows.data[i].n;
    }
}

/* How many of the first boxes stand where they belong: all of a layout that goes row after row, and most where only its last rows came mixed. */
static guint32
count_settled (const WpGather *self)
{
  guint32 n = 1, lowest = G_MAXUINT32;

  while (n < self->rows.len && self->rows.data[n - 1] <= self->rows.data[n])
    n++;
  for (guint32 i = n; i < self->rows.len; i++)
    lowest = MIN (lowest, self->rows.data[i]);
  return WP_SEARCH (0, MIN (n, self->rows.len), i, self->rows.data[i] <= lowest);
}

/* Those that are not settled go to their rows by way of a copy; no others are touched. */
static void
move_boxes (WpGather *self, WpRows *rows)
{
  const guint32 settled = count_settled (self), left = self->boxes.len - settled;
  g_autofree guint32 *next = NULL; /* by row */
  g_autofree WpBox *mixed = NULL;

  wp_array_clear (&rows->boxes);
  rows->boxes.data = g_steal_pointer (&self->boxes.data);
  rows->boxes.len = self->boxes.len;
  rows->boxes.cap = self->boxes.cap;
  if (left == 0)
    return;
  next = g_new (guint32, rows->rows.len);
  for (guint32 i = 0; i < rows->rows.len; i++)
    next[i] = rows->rows.data[i].first;
  for (guint32 i = 0; i < settled; i++)
    next[self->rows.data[i]]++;
  mixed = g_memdup2 (rows->boxes.data + settled, left * sizeof *mixed);
  for (guint32 i = 0; i < left; i++)
    rows->boxes.data[next[self->rows.data[settled + i]]++] = mixed[i];
}

void
wp_gather_finish (WpGather *self, WpRows *rows)
{
  guint32 kept = 0;

  count_boxes (self, rows);
  move_boxes (self, rows);
  for (guint32 i = 0; i < rows->rows.len; i++)
    {
      WpRow *row = &rows->rows.data[i];
      WpBox *boxes = rows->boxes.data + row->first;

      if (!is_sorted (boxes, row->n))
        sort_row (boxes, row->n);
      row->n = clip_row (boxes, row->n);
      if (row->n > 0 && kept < row->first)
        memmove (rows->boxes.data + kept, boxes, row->n * sizeof *boxes);
      row->first = kept;
      kept += row->n;
    }
  rows->boxes.len = kept;
  wp_array_trim (&rows->boxes);
  wp_array_clear (&self->boxes);
  wp_array_clear (&self->rows);
}
