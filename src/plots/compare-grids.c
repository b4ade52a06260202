#include "plots/compare-grids.h"

#include <glib/gi18n.h>
#include <math.h>

#include "stacks/formats.h"

/* --- frames ------------------------------------------------------------------------------------------------------------- */

enum
{
  FRAME,
  MODULE,
  PRESENCE,
  OWN_A,
  OWN_B,
  OWN_CHANGE,
  OF_A,
  TOTAL_A,
  TOTAL_B,
  TOTAL_CHANGE,
  EVIDENCE,
  N_FRAME_COLUMNS
};

static const char *const frame_columns[N_FRAME_COLUMNS] = {
  [FRAME] = N_ ("Frame"),           [MODULE] = N_ ("Module"),         [PRESENCE] = N_ ("Where"),
  [OWN_A] = N_ ("Own in A"),        [OWN_B] = N_ ("Own in B"),        [OWN_CHANGE] = N_ ("Change of Own"),
  [OF_A] = N_ ("Of A"),             [TOTAL_A] = N_ ("Total in A"),    [TOTAL_B] = N_ ("Total in B"),
  [TOTAL_CHANGE] = N_ ("Change of Total"), [EVIDENCE] = N_ ("Evidence"),
};

static const char *const presences_text[]
  = { [WP_PRESENCE_COMMON] = N_ ("both"), [WP_PRESENCE_NEW] = N_ ("new"), [WP_PRESENCE_VANISHED] = N_ ("vanished") };

static void
set_amount (WpGrid *grid, guint column, guint32 row, const WpComparison *comparison, double amount, gboolean sign)
{
  g_autofree char *text = wp_comparison_amount (comparison, amount, sign);

  wp_grid_set_number (grid, column, row, amount, text);
}

static void
set_frame (WpGrid *grid, guint32 row, const WpComparison *comparison, const WpComparedFrame *frame)
{
  const WpChange *own = &frame->self, *total = &frame->total;
  g_autofree char *evidence = wp_change_evidence_text (own);
  char by[32];

  wp_format_change (own, by);
  wp_grid_set_text (grid, FRAME, row, wp_strings_get (comparison->strings, frame->name));
  wp_grid_set_text (grid, MODULE, row, wp_strings_get (comparison->strings, frame->module));
  wp_grid_set_text (grid, PRESENCE, row, _(presences_text[wp_frame_presence (frame)]));
  set_amount (grid, OWN_A, row, comparison, own->mean[WP_SIDE_A], FALSE);
  set_amount (grid, OWN_B, row, comparison, own->mean[WP_SIDE_B], FALSE);
  set_amount (grid, OWN_CHANGE, row, comparison, wp_change_absolute (own), TRUE);
  wp_grid_set_number (grid, OF_A, row, wp_change_relative (own), by);
  set_amount (grid, TOTAL_A, row, comparison, total->mean[WP_SIDE_A], FALSE);
  set_amount (grid, TOTAL_B, row, comparison, total->mean[WP_SIDE_B], FALSE);
  set_amount (grid, TOTAL_CHANGE, row, comparison, wp_change_absolute (total), TRUE);
  if (own->evidence != WP_EVIDENCE_NONE)
    wp_grid_set_number (grid, EVIDENCE, row, own->adjusted, evidence);
}

WpGrid *
wp_compare_frames_grid (const WpComparison *comparison, guint presences, WpProgress *progress)
{
  guint32 n = 0, row = 0;
  g_autoptr (WpGrid) grid = NULL;

  for (WpId f = 1; f < comparison->frames.len; f++)
    n += presences >> wp_frame_presence (&comparison->frames.data[f]) & 1;
  grid = wp_grid_new (n);
  for (guint c = 0; c < N_FRAME_COLUMNS; c++)
    wp_grid_add (grid, _(frame_columns[c]));
  for (WpId f = 1; f < comparison->frames.len; f++)
    {
      if (presences >> wp_frame_presence (&comparison->frames.data[f]) & 1)
        set_frame (grid, row++, comparison, &comparison->frames.data[f]);
      if (f % 4096 == 0 && !wp_progress_step (progress, (double) f / comparison->frames.len, NULL))
        return NULL;
    }
  return g_steal_pointer (&grid);
}

/* --- checks --------------------------------------------------------------------------------------------------------------- */

static const char *const check_names[WP_N_CHECKS] = {
  [WP_CHECK_AVERAGE_AMOUNT_THRESHOLD] = N_ ("Average amount"),
  [WP_CHECK_BEST_MODEL_ORDER_EQUALITY] = N_ ("Order of the best model"),
  [WP_CHECK_POLYNOMIAL_REGRESSION] = N_ ("Polynomial regression"),
  [WP_CHECK_LINEAR_REGRESSION] = N_ ("Linear regression"),
  [WP_CHECK_FAST_CHECK] = N_ ("Fast check"),
  [WP_CHECK_INTEGRAL_COMPARISON] = N_ ("Integral comparison"),
  [WP_CHECK_LOCAL_STATISTICS] = N_ ("Local statistics"),
  [WP_CHECK_EXCLUSIVE_TIME_OUTLIERS] = N_ ("Exclusive time outliers"),
};

static const struct
{
  const char *name;
  guint rank; /* the worst first */
} changes[WP_N_CHANGES] = {
  [WP_CHANGE_TOTAL_DEGRADATION] = { N_ ("total degradation"), 0 },
  [WP_CHANGE_SEVERE_DEGRADATION] = { N_ ("severe degradation"), 1 },
  [WP_CHANGE_DEGRADATION] = { N_ ("degradation"), 2 },
  [WP_CHANGE_NOT_IN_BASELINE] = { N_ ("only in B"), 3 },
  [WP_CHANGE_MAYBE_DEGRADATION] = { N_ ("maybe degradation"), 4 },
  [WP_CHANGE_TOTAL_OPTIMIZATION] = { N_ ("total optimization"), 5 },
  [WP_CHANGE_SEVERE_OPTIMIZATION] = { N_ ("severe optimization"), 6 },
  [WP_CHANGE_OPTIMIZATION] = { N_ ("optimization"), 7 },
  [WP_CHANGE_NOT_IN_TARGET] = { N_ ("only in A"), 8 },
  [WP_CHANGE_MAYBE_OPTIMIZATION] = { N_ ("maybe optimization"), 9 },
  [WP_CHANGE_UNKNOWN] = { N_ ("unknown"), 10 },
  [WP_CHANGE_NONE] = { N_ ("no change"), 11 },
};

enum
{
  VERDICT,
  CHECK,
  WHERE,
  WHAT,
  FROM,
  TO,
  RATE,
  CONFIDENCE,
  N_CHECK_COLUMNS
};

static const char *const check_columns[N_CHECK_COLUMNS] = {
  [VERDICT] = N_ ("Verdict"), [CHECK] = N_ ("Check"), [WHERE] = N_ ("Where"), [WHAT] = N_ ("Of What"),
  [FROM] = N_ ("From"),       [TO] = N_ ("To"),       [RATE] = N_ ("Rate"),   [CONFIDENCE] = N_ ("Confidence"),
};

/* What one check said in one place, or why it did not. */
typedef struct
{
  WpCheck check;
  const WpCheckVerdict *verdict; /* NULL: it does not apply */
  const char *reason;
} Said;

static int
compare_said (gconstpointer a, gconstpointer b)
{
  const Said *p = a, *q = b;
  guint r = p->verdict != NULL ? changes[p->verdict->change].rank : WP_N_CHANGES;
  guint s = q->verdict != NULL ? changes[q->verdict->change].rank : WP_N_CHANGES;

  if (r != s)
    return (r > s) - (r < s);
  if (p->check != q->check)
    return (p->check > q->check) - (p->check < q->check);
  return p->verdict != NULL ? g_strcmp0 (p->verdict->location, q->verdict->location) : 0;
}

static void
set_number (WpGrid *grid, guint column, guint32 row, double number, const char *before)
{
  char text[64];

  g_snprintf (text, sizeof text, "%s%.4g", before, number);
  if (isfinite (number))
    wp_grid_set_number (grid, column, row, number, text);
}

static void
set_said (WpGrid *grid, guint32 row, const Said *said)
{
  const WpCheckVerdict *verdict = said->verdict;
  gboolean confident = verdict != NULL && !g_str_equal (verdict->confidence_type, "no");
  g_autofree char *before = confident ? g_strdup_printf ("%s = ", verdict->confidence_type) : NULL, *from = NULL, *to = NULL;

  wp_grid_set_text (grid, CHECK, row, _(check_names[said->check]));
  wp_grid_set_text (grid, VERDICT, row, verdict != NULL ? _(changes[verdict->change].name) : _("does not apply"));
  wp_grid_set_text (grid, WHERE, row, verdict != NULL ? verdict->location : said->reason);
  if (verdict == NULL)
    return;
  wp_grid_set_text (grid, WHAT, row, verdict->type);
  from = wp_verdict_from (verdict);
  to = wp_verdict_to (verdict);
  wp_grid_set_text (grid, FROM, row, from);
  wp_grid_set_text (grid, TO, row, to);
  set_number (grid, RATE, row, verdict->rate, "");
  if (confident)
    set_number (grid, CONFIDENCE, row, verdict->confidence, before);
}

typedef struct
{
  GArray *said;        /* Said */
  GPtrArray *verdicts; /* what each check gave */
  GPtrArray *reasons;  /* char * */
} Gathering;

/* Why a check found nothing to compare. */
static const char *
reason_of (WpCheck check)
{
  gboolean models = check != WP_CHECK_AVERAGE_AMOUNT_THRESHOLD && check != WP_CHECK_EXCLUSIVE_TIME_OUTLIERS;

  return models ? N_ ("no function has a model in both") : N_ ("nothing is in both");
}

/* Which files there are is told above, and one of a store has but the name of its copy here. */
static const char *
without_path (const char *message, const GPtrArray *profiles)
{
  for (guint i = 0; i < profiles->len; i++)
    {
      const char *path = ((const WpProfile *) profiles->pdata[i])->path;

      if (g_str_has_prefix (message, path) && g_str_has_prefix (message + strlen (path), ": "))
        return message + strlen (path) + strlen (": ");
    }
  return message;
}

static void
gather (Gathering *self, WpChecked *checked, WpCheck check, const GPtrArray *baseline, const GPtrArray *target)
{
  g_autoptr (GError) error = NULL;
  GPtrArray *verdicts = wp_check_run_sets (check, baseline, target, &error);
  Said said = { .check = check };

  for (guint i = 0; verdicts != NULL && i < verdicts->len; i++)
    {
      said.verdict = verdicts->pdata[i];
      checked->n[said.verdict->change]++;
      g_array_append_val (self->said, said);
    }
  if (verdicts != NULL)
    g_ptr_array_add (self->verdicts, verdicts);
  if (verdicts != NULL && verdicts->len > 0)
    {
      checked->applied++;
      return;
    }
  checked->failed++;
  said.reason = g_strdup (error != NULL ? without_path (without_path (error->message, baseline), target) : _(reason_of (check)));
  g_ptr_array_add (self->reasons, (char *) said.reason);
  g_array_append_val (self->said, said);
}

static WpGrid *
grid_of (const GArray *said)
{
  WpGrid *grid = wp_grid_new (said->len);

  for (guint c = 0; c < N_CHECK_COLUMNS; c++)
    wp_grid_add (grid, _(check_columns[c]));
  for (guint i = 0; i < said->len; i++)
    set_said (grid, i, &g_array_index (said, Said, i));
  return grid;
}

static gboolean
run_checks (WpChecked *checked, const GPtrArray *baseline, const GPtrArray *target, WpProgress *progress, GError **error)
{
  Gathering gathering = { g_array_new (FALSE, FALSE, sizeof (Said)), g_ptr_array_new_with_free_func ((GDestroyNotify) g_ptr_array_unref),
                          g_ptr_array_new_with_free_func (g_free) };
  gboolean done = TRUE;

  for (guint c = 0; done && c < WP_N_CHECKS; c++)
    {
      done = wp_progress_step (progress, (double) c / WP_N_CHECKS, error);
      if (done)
        gather (&gathering, checked, c, baseline, target);
    }
  g_array_sort (gathering.said, compare_said);
  if (done)
    checked->grid = grid_of (gathering.said);
  g_array_unref (gathering.said);
  g_ptr_array_unref (gathering.verdicts);
  g_ptr_array_unref (gathering.reasons);
  return done;
}

static WpProfile *
load (const char *path, WpProgress *progress, GError **error)
{
  g_autoptr (GError) unknown = NULL;
  WpFormat format = wp_sniff (path, &unknown);

  if (format == WP_FORMAT_UNKNOWN && wp_stacks_format_of_file (path) != NULL)
    g_set_error (error, G_IO_ERROR, G_IO_ERROR_NOT_SUPPORTED,
                 _("%s holds stacks with values, and Perun’s checks compare profiles as Perun has them"), path);
  else if (format == WP_FORMAT_UNKNOWN)
    g_propagate_error (error, g_steal_pointer (&unknown));
  if (format == WP_FORMAT_UNKNOWN)
    return NULL;
  if (format == WP_FORMAT_PERUN)
    return wp_profile_load (path, progress, error);
  g_set_error (error, G_IO_ERROR, G_IO_ERROR_NOT_SUPPORTED,
               _("%s is a recording, and Perun’s checks compare profiles: save the explanation of a process and compare that"), path);
  return NULL;
}

static GPtrArray *
load_all (const char *const *paths, WpProgress *progress, GError **error)
{
  g_autoptr (GPtrArray) profiles = g_ptr_array_new_with_free_func ((GDestroyNotify) wp_profile_free);

  for (; *paths != NULL; paths++)
    {
      WpProfile *profile = load (*paths, progress, error);

      if (profile == NULL)
        return NULL;
      g_ptr_array_add (profiles, profile);
    }
  return g_steal_pointer (&profiles);
}

WpChecked *
wp_checked_new (const char *const *baseline, const char *const *target, WpProgress *progress, GError **error)
{
  g_autoptr (GPtrArray) a = load_all (baseline, progress, error);
  g_autoptr (GPtrArray) b = a != NULL ? load_all (target, progress, error) : NULL;
  g_autoptr (WpChecked) checked = g_new0 (WpChecked, 1);

  wp_progress_phase (progress, "Checking");
  return b != NULL && run_checks (checked, a, b, progress, error) ? g_steal_pointer (&checked) : NULL;
}

void
wp_checked_free (WpChecked *self)
{
  if (self == NULL)
    return;
  wp_grid_free (self->grid);
  g_free (self);
}

static void
append_count (GString *text, guint n, const char *format)
{
  g_autofree char *count = g_strdup_printf ("%u", n);
  g_autoptr (GString) words = g_string_new (format);

  if (n == 0)
    return;
  g_string_replace (words, "%u", count, 1);
  g_string_append_printf (text, "%s%s", text->len > 0 ? " · " : "", words->str);
}

char *
wp_checked_summary (const WpChecked *self)
{
  const guint *n = self->n, one_side = n[WP_CHANGE_NOT_IN_BASELINE] + n[WP_CHANGE_NOT_IN_TARGET];
  guint worse = n[WP_CHANGE_DEGRADATION] + n[WP_CHANGE_SEVERE_DEGRADATION] + n[WP_CHANGE_TOTAL_DEGRADATION];
  guint better = n[WP_CHANGE_OPTIMIZATION] + n[WP_CHANGE_SEVERE_OPTIMIZATION] + n[WP_CHANGE_TOTAL_OPTIMIZATION];
  guint maybe_worse = n[WP_CHANGE_MAYBE_DEGRADATION], maybe_better = n[WP_CHANGE_MAYBE_OPTIMIZATION], none = n[WP_CHANGE_NONE];
  g_autoptr (GString) text = g_string_new (NULL);

  append_count (text, worse, ngettext ("%u degradation", "%u degradations", worse));
  append_count (text, maybe_worse, ngettext ("%u maybe a degradation", "%u maybe degradations", maybe_worse));
  append_count (text, better, ngettext ("%u optimization", "%u optimizations", better));
  append_count (text, maybe_better, ngettext ("%u maybe an optimization", "%u maybe optimizations", maybe_better));
  append_count (text, one_side, ngettext ("%u on one side only", "%u on one side only", one_side));
  append_count (text, none, ngettext ("%u without a change", "%u without a change", none));
  append_count (text, self->failed, ngettext ("%u check does not apply", "%u checks do not apply", self->failed));
  return g_strdup (text->str);
}
