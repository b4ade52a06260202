/* What changed, in words: what the processes' own time went to on both sides, matched by the words for it. */
#include "profile/compare/compare-private.h"

#include <glib/gi18n.h>
#include <math.h>

#include "base/format.h"
#include "base/sort.h"

#define NAMED 3          /* clauses, beside the rest */
#define NOISE 0.01       /* of all time: less is no change, where no test can say more */
#define POOL_BELOW 0.05  /* of all changes: less is said together with others that waited for the same disk */

enum
{
  KEY_WORDS = 1,
  KEY_DISK
};

/* --- gathering ---------------------------------------------------------------------------------------------------- */

static guint32
find_row (WpComparer *self, WpId id, guint key)
{
  guint32 *row = wp_pair_map_at (&self->spent_rows, id, key);

  if (*row == 0)
    {
      wp_array_push (&self->spent, ((WpComparedSpent) { .words = id }));
      *row = self->spent.len;
      wp_array_resize (&self->spent_values, *row * self->columns);
    }
  return *row - 1;
}

static void
add_spent (WpComparer *self, const char *words, const char *disk, gint64 ns)
{
  WpStrings *strings = self->result->strings;
  guint32 n = self->spent.len, row = find_row (self, wp_strings_intern (strings, words), KEY_WORDS);
  WpId id = wp_strings_intern (strings, disk);

  self->spent.data[row].disk = row == n || self->spent.data[row].disk == id ? id : 0; /* of several it is none */
  self->spent_values.data[row * self->columns + self->column] += (double) ns;
}

static void
add_wait (WpComparer *self, const char *who, const char *words, const WpWait *wait)
{
  WpStrings *strings = self->result->strings;
  WpId ids[] = { wp_strings_intern (strings, who), wp_strings_intern (strings, words) };
  guint32 *row = wp_pair_map_at (&self->wait_rows, ids[0], ids[1]);
  gsize at;

  if (*row == 0)
    {
      wp_array_push (&self->waits, ((WpComparerWait) { .who = ids[0], .words = ids[1] }));
      *row = self->waits.len;
      wp_array_resize (&self->wait_values, *row * self->columns);
      wp_array_resize (&self->wait_counts, *row * self->columns);
    }
  at = (gsize) (*row - 1) * self->columns + self->column;
  self->wait_values.data[at] += (double) wait->ns;
  self->wait_counts.data[at] += wait->count;
}

void
wp_comparer_add_answer (WpComparer *self, const WpAnswer *answer)
{
  const WpTrace *trace = answer->words.trace;

  for (guint32 i = 0; i < answer->spent.len; i++)
    {
      const WpSpent *spent = &answer->spent.data[i];

      add_spent (self, wp_spent_words (answer, spent), spent->device != 0 ? wp_trace_task_name (trace, spent->device) : NULL, spent->ns);
    }
  for (guint32 i = 0; i < answer->waits.len; i++)
    add_wait (self, wp_trace_string (trace, answer->waits.data[i].who), wp_strings_get (answer->words.strings, answer->waits.data[i].words),
              &answer->waits.data[i]);
  self->answers++;
  add_spent (self, _("does what the recording does not tell"), NULL, answer->unknown);
}

/* --- what is small ------------------------------------------------------------------------------------------------ */

/* A cold start waits for a hundred files, none of them for long: those of one disk count together. The first `n` rows are things, what comes behind
 * them is disks. */
static void
pool_small (WpComparer *self, guint32 n)
{
  double all = 0, least = wp_comparer_least (self, self->row_values.data);

  for (guint32 i = 0; i < n; i++)
    {
      self->spent.data[i].change = wp_comparer_change (self, self->spent_values.data + (gsize) i * self->columns, least);
      all += fabs (wp_change_absolute (&self->spent.data[i].change));
    }
  for (guint32 i = 0; i < n; i++)
    {
      double change = fabs (wp_change_absolute (&self->spent.data[i].change));
      guint32 pool;

      if (self->spent.data[i].disk == 0 || change == 0 || change >= POOL_BELOW * all)
        continue;
      pool = find_row (self, self->spent.data[i].disk, KEY_DISK);
      self->spent.data[i].pool = pool;
      self->spent.data[pool].n++;
      for (guint k = 0; k < self->columns; k++)
        self->spent_values.data[pool * self->columns + k] += self->spent_values.data[i * self->columns + k];
    }
  for (guint32 p = n; p < self->spent.len; p++)
    self->spent.data[p].change = wp_comparer_change (self, self->spent_values.data + (gsize) p * self->columns, least);
}

/* Whether it is a thing or a disk that is said by itself: a disk of one thing is that thing. */
static gboolean
is_alone (const WpComparer *self, const WpComparedSpent *spent)
{
  return spent->n != 1 && (spent->pool == 0 || self->spent.data[spent->pool].n < 2);
}

/* Where the whole is a change for certain, it is made of something, and each part is judged by its own p. Where it is not, parts are lines
 * among others. */
static void
adjust_spent (WpComparer *self)
{
  g_autofree WpChange **family = g_new (WpChange *, self->spent.len);
  guint32 n = 0;

  for (guint32 i = 0; i < self->spent.len; i++)
    if (is_alone (self, &self->spent.data[i]))
      family[n++] = &self->spent.data[i].change;
  if (self->result->rows.data[0].change.evidence != WP_EVIDENCE_CHANGE)
    wp_comparer_adjust (family, n);
}

/* --- sentences ---------------------------------------------------------------------------------------------------- */

static gboolean
is_noise (const WpChange *change, double all)
{
  return change->evidence == WP_EVIDENCE_NOISE || (change->evidence == WP_EVIDENCE_NONE && fabs (wp_change_absolute (change)) < NOISE * all);
}

static const char *
format (double ns, char buffer[WP_FORMAT_MAX])
{
  return wp_format_ns ((gint64) round (fabs (ns)), buffer);
}

static void
add_clause (WpComparison *self, char *text, double ns)
{
  wp_array_push (&self->answer, ((WpComparedClause) { .text = text, .ns = ns }));
}

/* "takes 900 ms more: 1.24 s, before it was 344 ms." */
static char *
head_text (const char *name, const WpChange *change)
{
  double by = wp_change_absolute (change);
  char a[WP_FORMAT_MAX], b[WP_FORMAT_MAX], more[WP_FORMAT_MAX];

  format (change->mean[WP_SIDE_A], a);
  format (change->mean[WP_SIDE_B], b);
  format (by, more);
  if (!is_noise (change, MAX (change->mean[WP_SIDE_A], change->mean[WP_SIDE_B])))
    return g_strdup_printf (by > 0 ? _("%s takes %s more: %s, before it was %s.") : _("%s takes %s less: %s, before it was %s."), name, more, b, a);
  if (g_str_equal (a, b))
    return g_strdup_printf (_("%s takes as long as before: %s."), name, b);
  return g_strdup_printf (_("%s takes about as long as before: %s, before it was %s."), name, b, a);
}

/* Of several threads the times add up to more than it took; what follows is about these. */
static void
append_threads (GString *text, const WpChange *total)
{
  double by = wp_change_absolute (total);
  char a[WP_FORMAT_MAX], b[WP_FORMAT_MAX], more[WP_FORMAT_MAX];

  format (total->mean[WP_SIDE_A], a);
  format (total->mean[WP_SIDE_B], b);
  g_string_append_c (text, ' ');
  g_string_append_printf (text, by < 0 ? _("Its threads together take %s less: %s, before it was %s.")
                                       : _("Its threads together take %s more: %s, before it was %s."), format (by, more), b, a);
}

static void
say_head (WpComparer *self, const WpChange *wall, const WpChange *total)
{
  WpComparison *out = self->result;
  g_autofree char *first = head_text (out->profiles[WP_SIDE_B].data[0].facts[WP_FACT_TASK], wall);
  GString *text = g_string_new (first);

  if (fabs (total->mean[WP_SIDE_A] - wall->mean[WP_SIDE_A]) >= 1 || fabs (total->mean[WP_SIDE_B] - wall->mean[WP_SIDE_B]) >= 1)
    append_threads (text, total);
  if (self->columns > 2)
    g_string_append_printf (text, " %s", _("All times are means."));
  add_clause (out, g_string_free (text, FALSE), wp_change_absolute (total));
}

static void
say_spent (WpComparer *self, const WpComparedSpent *spent)
{
  const char *words = wp_strings_get (self->result->strings, spent->words);
  double by = wp_change_absolute (&spent->change);
  g_autofree char *together = spent->n == 0 ? NULL : g_strdup_printf (_("waits for %s, %u different files or calls together"), words, spent->n);
  const char *what = together != NULL ? together : words;
  char time[WP_FORMAT_MAX], *text;

  format (by, time);
  if (spent->change.mean[WP_SIDE_A] == 0)
    text = g_strdup_printf (_("For %s it %s, which it did not do before."), time, what);
  else if (spent->change.mean[WP_SIDE_B] == 0)
    text = g_strdup_printf (_("For %s less it %s, which it does no longer."), time, what);
  else
    text = g_strdup_printf (by > 0 ? _("For %s more it %s.") : _("For %s less it %s."), time, what);
  add_clause (self->result, text, by);
}

/* The largest change that is not said yet, or NULL. */
static WpComparedSpent *
next_spent (WpComparer *self, double least)
{
  WpComparedSpent *found = NULL;

  for (guint32 i = 0; i < self->spent.len; i++)
    {
      WpComparedSpent *spent = &self->spent.data[i];
      double by = fabs (wp_change_absolute (&spent->change));

      if (!spent->said && by > 0 && is_alone (self, spent) && !is_noise (&spent->change, least)
          && (found == NULL || by > fabs (wp_change_absolute (&found->change))))
        found = spent;
    }
  return found;
}

/* What the named ones leave of the whole change. */
static void
say_rest (WpComparison *self)
{
  double rest = self->answer.data[0].ns;
  char time[WP_FORMAT_MAX];

  for (guint32 i = 1; i < self->answer.len; i++)
    rest -= self->answer.data[i].ns;
  if (self->answer.len > 1 && fabs (rest) >= 1)
    add_clause (self, g_strdup_printf (rest > 0 ? _("All else together: %s more.") : _("All else together: %s less."), format (rest, time)), rest);
}

/* --- the longest waits -------------------------------------------------------------------------------------------- */

/* The largest change first; of equal ones the longest, on either side. */
static int
compare_waits (const void *a, const void *b)
{
  const WpComparerWait *x = a, *y = b;
  double by_x = fabs (wp_change_absolute (&x->change)), by_y = fabs (wp_change_absolute (&y->change));
  double most_x = MAX (x->change.mean[WP_SIDE_A], x->change.mean[WP_SIDE_B]);
  double most_y = MAX (y->change.mean[WP_SIDE_A], y->change.mean[WP_SIDE_B]);

  if (by_x != by_y)
    return WP_COMPARE (by_y, by_x);
  if (most_x != most_y)
    return WP_COMPARE (most_y, most_x);
  return x->who != y->who ? WP_COMPARE (x->who, y->who) : WP_COMPARE (x->words, y->words);
}

static void
list_waits (WpComparer *self)
{
  WpComparison *out = self->result;
  double least = wp_comparer_least (self, self->row_values.data);
  g_autofree WpChange **family = g_new (WpChange *, self->waits.len);

  for (guint32 i = 0; i < self->waits.len; i++)
    {
      WpComparerWait *wait = &self->waits.data[i];
      const double *counts = self->wait_counts.data + (gsize) i * self->columns;

      wait->change = wp_comparer_change (self, self->wait_values.data + (gsize) i * self->columns, least);
      family[i] = &wait->change;
      for (guint side = 0; side < WP_N_SIDES; side++)
        wait->count[side] = wp_mean (counts + (side == WP_SIDE_A ? 0 : self->n[WP_SIDE_A]), self->n[side]);
    }
  wp_comparer_adjust (family, self->waits.len); /* all of them, though only those that changed most are kept */
  if (self->waits.len > 0)
    qsort (self->waits.data, self->waits.len, sizeof *self->waits.data, compare_waits);
  for (guint32 i = 0; i < MIN (self->waits.len, WP_COMPARED_WAITS); i++)
    {
      const WpComparerWait *wait = &self->waits.data[i];
      char *name = g_strdup_printf ("%s %s", wp_strings_get (out->strings, wait->who), wp_strings_get (out->strings, wait->words));

      wp_array_push (&out->waits, ((WpComparedWait) { .row = { .id = (char *) "", .name = name, .unit = out->unit, .unit_name = (char *) "",
                                                               .change = wait->change },
                                                      .count = { wait->count[WP_SIDE_A], wait->count[WP_SIDE_B] } }));
    }
}

/* --- all of it ---------------------------------------------------------------------------------------------------- */

void
wp_comparer_say (WpComparer *self)
{
  guint32 n = self->spent.len;
  WpChange total = { .p = NAN, .adjusted = NAN };
  WpComparedSpent *spent;
  double all;

  if (n == 0 || self->answers < self->columns) /* one of the profiles explains nothing */
    return;
  pool_small (self, n);
  adjust_spent (self);
  for (guint32 i = 0; i < n; i++)
    for (guint side = 0; side < WP_N_SIDES; side++)
      total.mean[side] += self->spent.data[i].change.mean[side];
  all = MAX (total.mean[WP_SIDE_A], total.mean[WP_SIDE_B]);
  say_head (self, &self->result->rows.data[0].change, &total);
  for (guint i = 0; i < NAMED && (spent = next_spent (self, all)) != NULL; i++)
    {
      spent->said = TRUE;
      say_spent (self, spent);
    }
  say_rest (self->result);
  list_waits (self);
}
