#include "workspace/store/store-row-words.h"

#include <glib/gi18n.h>
#include <math.h>
#include <string.h>

#include "base/format.h"
#include "workspace/store/time-ago.h"

static char *
when (gint64 seconds)
{
  g_autoptr (GDateTime) time = seconds != 0 ? g_date_time_new_from_unix_local (seconds) : NULL; /* 0: of what cannot be read */

  return time != NULL ? wp_ago (time) : g_strdup ("");
}

/* --- the kinds of row --------------------------------------------------------------------------------------------------- */

static void
heading_words (const WpStoreRow *row, WpStoreRowWords *out)
{
  out->title = g_strdup (_("Pending"));
  out->figure = g_strdup_printf ("%u", wp_store_row_count (row));
  out->facts = g_strdup (_("Not registered with a commit yet"));
}

/* “12 % slower” */
static char *
change_text (const WpStoreBadge *badge)
{
  double percent = fabs (badge->by) * 100;

  if (badge->by == 0)
    return NULL;
  return g_strdup_printf (badge->by > 0 ? _("%.*f %% slower") : _("%.*f %% faster"), percent < 9.95 ? 1 : 0, percent);
}

static void
commit_words (const WpStoreCommit *commit, const WpStoreBadge *badge, WpStoreRowWords *out)
{
  guint n = commit->profiles != NULL ? commit->profiles->len : 0;
  g_autofree char *date = when (commit->time);

  out->title = g_strdup (*commit->subject != '\0' ? commit->subject : _("(no message)"));
  out->badge = g_strdup (commit->head ? "HEAD" : "");
  out->change = badge != NULL ? change_text (badge) : NULL;
  out->figure = g_strndup (commit->hash, 7);
  out->facts = g_strdup_printf ("%s · %s", commit->author, date);
  out->more = n > 0 ? g_strdup_printf (ngettext ("%u profile", "%u profiles", n), n) : NULL;
}

/* Of “/a/b.perf: what is wrong” what is wrong: the row has the file's name already. */
static const char *
without_path (const char *problem)
{
  const char *colon = *problem == '/' ? strstr (problem, ": ") : NULL;

  return colon != NULL ? colon + 2 : problem;
}

static void
append_text (GString *text, const char *between, const char *more)
{
  if (more != NULL && *more != '\0')
    g_string_append_printf (text, "%s%s", text->len == 0 ? "" : between, more);
}

char *
wp_store_what_was_run (const WpStoreEntry *entry)
{
  GString *text = g_string_new (entry->cmd);

  append_text (text, " ", entry->args);
  append_text (text, " ", entry->workload);
  if (text->len > 0)
    return g_string_free (text, FALSE);
  g_string_free (text, TRUE);
  return g_path_get_basename (entry->path);
}

/* “mostly waits for vda · time · wakepath · 97.3 % explained”, what most needs the place first. */
static char *
profile_facts (const WpStoreEntry *entry, const char *most, double percent)
{
  GString *facts = g_string_new (most);
  g_autofree char *explained = most != NULL && percent >= 0 ? g_strdup_printf (_("%.1f %% explained"), percent) : NULL;

  append_text (facts, " · ", entry->type);
  append_text (facts, " · ", entry->collector);
  append_text (facts, " · ", explained);
  return g_string_free (facts, FALSE);
}

static char *
facts_of (const WpStoreEntry *entry, const WpStoreFigure *figure)
{
  if (entry->problem != NULL)
    return g_strdup (without_path (entry->problem));
  return profile_facts (entry, figure != NULL ? figure->most : NULL, figure != NULL ? figure->percent : -1);
}

static char *
time_text (double ns)
{
  char time[WP_FORMAT_MAX] = "";

  return g_strdup (ns > 0 ? wp_format_ns ((gint64) ns, time) : "");
}

/* What cannot be read is called by its file: nothing else is known of it. `run`: which one of repeats, or 0. */
static char *
title_of (const WpStoreEntry *entry, guint run)
{
  if (*entry->label != '\0')
    return g_strdup (entry->label);
  if (run > 0)
    return g_strdup_printf (_("Run %u"), run);
  return entry->problem != NULL ? g_path_get_basename (entry->path) : wp_store_what_was_run (entry);
}

static void
profile_words (const WpStoreEntry *entry, guint run, const WpStoreFigure *figure, WpStoreRowWords *out)
{
  gint64 total = figure != NULL ? figure->total : 0;
  g_autofree char *age = when (entry->time);

  out->title = title_of (entry, run);
  out->facts = facts_of (entry, figure);
  out->figure = time_text ((double) total);
  out->more = total > 0 && figure->percent >= 0 && figure->most == NULL
                ? g_strdup_printf (_("%.1f %% explained · %s"), figure->percent, age)
                : g_steal_pointer (&age);
}

/* “4 runs · 46.0 ms” */
static void
runs_words (const GPtrArray *all, const WpStoreRuns *runs, WpStoreRowWords *out)
{
  const WpStoreEntry *first = ((const WpStoreProfile *) all->pdata[0])->entry;
  g_autofree char *n = g_strdup_printf (ngettext ("%u run", "%u runs", all->len), all->len), *facts = profile_facts (first, runs != NULL ? runs->most : NULL, -1);
  gint64 newest = 0;

  for (guint i = 0; i < all->len; i++)
    newest = MAX (newest, ((const WpStoreProfile *) all->pdata[i])->entry->time);
  out->title = wp_store_what_was_run (first);
  out->more = when (newest);
  if (runs != NULL)
    {
      g_autofree char *median = time_text (runs->median), *low = time_text (runs->low), *high = time_text (runs->high);

      out->figure = g_strdup_printf ("%s · %s", n, median);
      out->facts = g_strdup_printf ("%s … %s · %s", low, high, facts);
      return;
    }
  out->figure = g_steal_pointer (&n);
  out->facts = g_steal_pointer (&facts);
}

/* --- all of them --------------------------------------------------------------------------------------------------------- */

void
wp_store_row_words (const WpStoreRow *row, const WpStoreRowFigures *figures, WpStoreRowWords *out)
{
  char **const texts[] = { &out->badge, &out->change, &out->more };

  *out = (WpStoreRowWords) { 0 };
  if (wp_store_row_kind (row) == WP_STORE_ROW_HEADING)
    heading_words (row, out);
  else if (wp_store_row_runs (row) != NULL)
    runs_words (wp_store_row_runs (row), figures->runs, out);
  else if (wp_store_row_profile (row) != NULL)
    profile_words (wp_store_row_profile (row)->entry, wp_store_row_run (row), figures->figure, out);
  else
    commit_words (wp_store_row_commit (row), figures->badge, out);
  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    if (*texts[i] == NULL)
      *texts[i] = g_strdup ("");
}

void
wp_store_row_words_clear (WpStoreRowWords *self)
{
  g_free (self->title);
  g_free (self->badge);
  g_free (self->change);
  g_free (self->figure);
  g_free (self->facts);
  g_free (self->more);
}

char *
wp_store_row_name (const WpStoreRowWords *self)
{
  const char *const texts[] = { self->title, self->badge, self->change, self->figure, self->facts, self->more };
  GString *name = g_string_new (NULL);

  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    if (*texts[i] != '\0')
      g_string_append_printf (name, "%s%s", name->len > 0 ? ", " : "", texts[i]);
  return g_string_free (name, FALSE);
}

/* “make -j8: 12 % slower than at 1a2b3c4 Subject (test of Mann and Whitney, p = 0.03, 4 and 5 runs)” */
static char *
badge_tip (const WpStoreBadge *badge)
{
  g_autofree char *change = badge != NULL ? change_text (badge) : NULL;
  g_autofree char *tested = NULL, *tip = NULL;

  if (change == NULL)
    return g_strdup ("");
  if (badge->n_tested > 1) /* Translators: the method that corrects for many tests */
    tested = g_strdup_printf (_("; %u commands tested, p after Benjamini and Hochberg"), badge->n_tested);
  tip = g_strdup_printf (_("%s: %s than at %s (test of Mann and Whitney, p = %.2g, %u and %u runs%s)"), badge->what, change, badge->before, badge->p,
                         badge->runs[0], badge->runs[1], tested != NULL ? tested : "");
  return g_strconcat ("\n\n", tip, NULL);
}

/* The file, and what the row has no place for. */
static char *
profile_tip (const WpStoreEntry *entry, const WpStoreFigure *figure)
{
  g_autofree char *facts = facts_of (entry, figure), *what = wp_store_what_was_run (entry);

  return entry->problem != NULL ? g_strdup_printf ("%s\n%s", entry->path, entry->problem)
                                : g_strdup_printf ("%s\n%s\n%s", what, entry->path, facts);
}

char *
wp_store_row_tip (const WpStoreRow *row, const WpStoreRowFigures *figures)
{
  const WpStoreProfile *profile = wp_store_row_profile (row);
  const WpStoreCommit *commit = wp_store_row_commit (row);
  g_autofree char *tip = NULL, *change = NULL, *message = NULL;

  if (profile != NULL)
    tip = profile_tip (profile->entry, figures->figure);
  else if (wp_store_row_runs (row) != NULL)
    tip = wp_store_what_was_run (((const WpStoreProfile *) wp_store_row_runs (row)->pdata[0])->entry);
  else if (commit != NULL)
    {
      change = badge_tip (figures->badge);
      message = g_strchomp (g_strdup_printf ("%.2000s", commit->message));
      tip = g_strdup_printf ("%s\n%s\n\n%s%s", commit->hash, commit->author, message, change);
    }
  return tip != NULL && g_utf8_validate (tip, -1, NULL) ? g_strchomp (g_steal_pointer (&tip)) : NULL;
}
