#include "workspace/store/store-row-words.h"

#include <glib/gi18n.h>
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

static void
commit_words (const WpStoreCommit *commit, WpStoreRowWords *out)
{
  guint n = commit->profiles != NULL ? commit->profiles->len : 0;
  g_autofree char *date = when (commit->time);

  out->title = g_strdup (*commit->subject != '\0' ? commit->subject : _("(no message)"));
  out->badge = g_strdup (commit->head ? "HEAD" : "");
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

/* “time · perf · make -j8” */
static char *
profile_facts (const WpStoreEntry *entry)
{
  const char *texts[] = { entry->type, entry->collector, entry->cmd, entry->args, entry->workload };
  GString *facts = g_string_new (NULL);

  if (entry->problem != NULL)
    return g_string_free (g_string_append (facts, without_path (entry->problem)), FALSE);
  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    if (*texts[i] != '\0')
      g_string_append_printf (facts, "%s%s", facts->len == 0 ? "" : i < 3 ? " · " : " ", texts[i]);
  return g_string_free (facts, FALSE);
}

/* “mostly waits for vda · time · wakepath · make -j8 · 97.3 % explained” where the profile says that, what most needs the place first. */
static char *
figure_facts (const WpStoreEntry *entry, const WpStoreFigure *figure)
{
  g_autofree char *facts = profile_facts (entry), *percent = NULL;

  if (figure == NULL || figure->most == NULL)
    return g_steal_pointer (&facts);
  percent = figure->percent >= 0 ? g_strdup_printf (_(" · %.1f %% explained"), figure->percent) : g_strdup ("");
  return g_strdup_printf ("%s · %s%s", figure->most, facts, percent);
}

static void
profile_words (const WpStoreEntry *entry, const WpStoreFigure *figure, WpStoreRowWords *out)
{
  gint64 total = figure != NULL ? figure->total : 0;
  g_autofree char *age = when (entry->time);
  char time[WP_FORMAT_MAX] = "";

  out->title = *entry->label != '\0' ? g_strdup (entry->label) : g_path_get_basename (entry->path);
  out->facts = figure_facts (entry, figure);
  if (total > 0)
    wp_format_ns (total, time);
  out->figure = g_strdup (time);
  out->more = total > 0 && figure->percent >= 0 && figure->most == NULL
                ? g_strdup_printf (_("%.1f %% explained · %s"), figure->percent, age)
                : g_steal_pointer (&age);
}

/* --- all of them --------------------------------------------------------------------------------------------------------- */

void
wp_store_row_words (const WpStoreRow *row, const WpStoreFigure *figure, WpStoreRowWords *out)
{
  char **const texts[] = { &out->badge, &out->more };

  *out = (WpStoreRowWords) { 0 };
  if (wp_store_row_kind (row) == WP_STORE_ROW_HEADING)
    heading_words (row, out);
  else if (wp_store_row_profile (row) != NULL)
    profile_words (wp_store_row_profile (row)->entry, figure, out);
  else
    commit_words (wp_store_row_commit (row), out);
  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    if (*texts[i] == NULL)
      *texts[i] = g_strdup ("");
}

void
wp_store_row_words_clear (WpStoreRowWords *self)
{
  g_free (self->title);
  g_free (self->badge);
  g_free (self->figure);
  g_free (self->facts);
  g_free (self->more);
}

char *
wp_store_row_name (const WpStoreRowWords *self)
{
  const char *const texts[] = { self->title, self->badge, self->figure, self->facts, self->more };
  GString *name = g_string_new (NULL);

  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    if (*texts[i] != '\0')
      g_string_append_printf (name, "%s%s", name->len > 0 ? ", " : "", texts[i]);
  return g_string_free (name, FALSE);
}

char *
wp_store_row_tip (const WpStoreRow *row, const WpStoreFigure *figure)
{
  const WpStoreProfile *profile = wp_store_row_profile (row);
  const WpStoreCommit *commit = wp_store_row_commit (row);
  g_autofree char *tip = NULL;

  if (profile != NULL)
    {
      g_autofree char *facts = figure_facts (profile->entry, figure);

      tip = g_strdup_printf ("%s\n%s", profile->entry->path, profile->entry->problem != NULL ? profile->entry->problem : facts);
    }
  else if (commit != NULL)
    tip = g_strdup_printf ("%s\n%s\n\n%.2000s", commit->hash, commit->author, commit->message);
  return tip != NULL && g_utf8_validate (tip, -1, NULL) ? g_strchomp (g_steal_pointer (&tip)) : NULL;
}
