#include "store/history.h"

#include <math.h>

#include "base/hash.h"
#include "profile/fit/statistics.h"
#include "profile/model/figures-stacks.h"
#include "stacks/perun.h"
#include "store/objects.h"
#include "store/store-private.h"

#define PEEK (256 * 1024) /* where a saved recording has its figures, and stacks their types */

void
wp_history_free (WpHistory *self)
{
  if (self == NULL)
    return;
  for (guint32 i = 0; i < self->commits.len; i++)
    g_free (self->commits.data[i].subject);
  for (guint32 i = 0; i < self->profiles.len; i++)
    {
      wp_store_entry_free (self->profiles.data[i].entry);
      g_free (self->profiles.data[i].type);
    }
  for (guint32 i = 0; i < self->lines.len; i++)
    g_free (self->lines.data[i].name);
  wp_array_clear (&self->commits);
  wp_array_clear (&self->profiles);
  wp_array_clear (&self->lines);
  g_free (self);
}

/* --- gathering ------------------------------------------------------------------------------------------------------------ */

typedef struct
{
  WpHistory *history;
  WpStore *store;
  GHashTable *lines; /* what was run → line + 1 */
  WP_ARRAY (guint32) line_of; /* of each profile */
} Gathering;

/* What a postprocessor has changed is another thing: normalized times are shares. */
static char *
line_key (const WpStoreEntry *entry, const char *type)
{
  g_autofree char *postprocessors = g_strjoinv (",", entry->postprocessors);

  return g_strjoin ("\n", entry->cmd, entry->args, entry->workload, entry->type, entry->collector, postprocessors, type, NULL);
}

static char *
line_name (const WpStoreEntry *entry, const char *type)
{
  g_autoptr (GString) name = g_string_new (entry->cmd);

  if (*entry->args != '\0')
    g_string_append_printf (name, " %s", entry->args);
  if (*entry->workload != '\0')
    g_string_append_printf (name, " %s", entry->workload);
  if (name->len == 0)
    g_string_assign (name, entry->path);
  if (type != NULL)
    g_string_append_printf (name, " · %s", type);
  return g_strdup (name->str);
}

static guint32
find_line (Gathering *self, const WpStoreEntry *entry, const char *type)
{
  char *key = line_key (entry, type);
  guint line = GPOINTER_TO_UINT (g_hash_table_lookup (self->lines, key));

  if (line == 0)
    {
      WpHistoryLine *added = wp_array_add (&self->history->lines);

      added->name = line_name (entry, type);
      line = self->history->lines.len;
      g_hash_table_insert (self->lines, g_steal_pointer (&key), GUINT_TO_POINTER (line));
    }
  g_free (key);
  self->history->lines.data[line - 1].n++;
  return line - 1;
}

static void
add_profile (Gathering *self, const WpStoreEntry *entry, const char *type)
{
  WpHistory *history = self->history;

  wp_array_push (&self->line_of, find_line (self, entry, type));
  wp_array_push (&history->profiles, ((WpHistoryProfile) { history->commits.len - 1, wp_store_entry_copy (entry), g_strdup (type) }));
}

static GPtrArray *
names_of (const GPtrArray *types)
{
  GPtrArray *names = g_ptr_array_new_with_free_func (g_free);

  for (guint t = 0; t < types->len; t++)
    g_ptr_array_add (names, g_strdup (((const WpTypeTotal *) types->pdata[t])->name));
  return names;
}

/* The value types stand at the beginning of the object. Where that cannot be read, reading the profile says why. */
static GPtrArray *
read_types (WpStore *store, const WpStoreEntry *entry)
{
  g_autofree char *path = wp_store_entry_file (store, entry), *text = NULL;
  g_autoptr (GPtrArray) types = NULL, names = NULL;
  gboolean whole;
  gsize n;

  text = path != NULL ? wp_object_peek (path, PEEK, &n, &whole, NULL) : NULL;
  if (text == NULL)
    return NULL;
  types = wp_type_totals_read (path, text, n);
  names = types != NULL ? names_of (types) : NULL;
  wp_store_kept_set_types (store->kept, entry->sha1, names);
  return g_steal_pointer (&names);
}

/* Names of value types; NULL: it was not made of stacks. */
static GPtrArray *
types_of (WpStore *store, const WpStoreEntry *entry)
{
  GPtrArray *types;
  gboolean known;

  if (!g_str_equal (entry->collector, WP_PERUN_STACKS))
    return NULL;
  types = wp_store_kept_types (store->kept, entry->sha1, &known);
  return known ? types : read_types (store, entry);
}

static void
add_entry (Gathering *self, const WpStoreEntry *entry)
{
  g_autoptr (GPtrArray) types = types_of (self->store, entry);

  if (types == NULL)
    add_profile (self, entry, NULL);
  for (guint t = 0; types != NULL && t < types->len; t++)
    add_profile (self, entry, types->pdata[t]);
}

static void
add_commit (Gathering *self, const WpMinorVersion *info, const GPtrArray *entries)
{
  WpHistory *history = self->history;
  WpHistoryCommit *commit = NULL;

  for (guint i = 0; i < entries->len; i++)
    {
      const WpStoreEntry *entry = entries->pdata[i];

      if (entry->problem != NULL)
        {
          history->unreadable++;
          continue;
        }
      if (commit == NULL)
        {
          commit = wp_array_add (&history->commits);
          g_strlcpy (commit->hash, info->hash, sizeof commit->hash);
          commit->subject = g_strdup (info->subject);
          commit->time = info->time;
        }
      add_entry (self, entry);
    }
}

/* Until all commits with profiles have come by: those of other branches never do. */
static gboolean
walk (Gathering *self, WpStore *store, const char *head, WpProgress *progress, GError **error)
{
  g_autoptr (GHashTable) minors = wp_store_minors (store, error);
  g_autoptr (WpVcsWalk) commits = minors != NULL ? wp_vcs_walk_new (wp_store_vcs (store), head, WP_VCS_WALK_BRIEF, error) : NULL;
  guint left = minors != NULL ? g_hash_table_size (minors) : 0;
  GError *problem = NULL;
  WpMinorVersion info;

  if (commits == NULL)
    return FALSE;
  while (left > 0 && wp_progress_step (progress, 0, &problem) && wp_vcs_walk_next (commits, &info, &problem))
    {
      if (g_hash_table_contains (minors, info.hash))
        {
          g_autoptr (GPtrArray) entries = wp_store_registered (store, info.hash, NULL);

          left--;
          self->history->unreadable += entries == NULL;
          if (entries != NULL)
            add_commit (self, &info, entries);
        }
      wp_minor_version_clear (&info);
    }
  if (problem != NULL)
    g_propagate_error (error, problem);
  return problem == NULL;
}

/* --- in order ----------------------------------------------------------------------------------------------------------------- */

static int
compare_lines (gconstpointer a, gconstpointer b, gpointer data)
{
  const WpHistoryLine *lines = data, *p = &lines[*(const guint32 *) a], *q = &lines[*(const guint32 *) b];

  return p->n != q->n ? (p->n < q->n) - (p->n > q->n) : g_strcmp0 (p->name, q->name);
}

static void
reverse_commits (WpHistory *self)
{
  for (guint32 i = 0, j = self->commits.len; i + 1 < j; i++)
    {
      WpHistoryCommit commit = self->commits.data[i];

      self->commits.data[i] = self->commits.data[--j];
      self->commits.data[j] = commit;
    }
}

/* Lines by their size; profiles go to their lines, from the oldest commit on. */
static void
put_in_order (Gathering *self)
{
  WpHistory *history = self->history;
  guint32 n_lines = history->lines.len, n = history->profiles.len, at = 0;
  g_autofree guint32 *order = g_new (guint32, n_lines), *next = g_new (guint32, n_lines);
  WpHistoryLine *lines = g_new (WpHistoryLine, n_lines);
  WpHistoryProfile *profiles = g_new (WpHistoryProfile, n);

  for (guint32 l = 0; l < n_lines; l++)
    order[l] = l;
  if (n_lines > 1)
    g_qsort_with_data (order, (int) n_lines, sizeof *order, compare_lines, history->lines.data);
  for (guint32 l = 0; l < n_lines; l++)
    {
      lines[l] = history->lines.data[order[l]];
      lines[l].first = next[order[l]] = at;
      at += lines[l].n;
    }
  for (guint32 i = n; i-- > 0;)
    {
      WpHistoryProfile *profile = &profiles[next[self->line_of.data[i]]++];

      *profile = history->profiles.data[i];
      profile->commit = history->commits.len - 1 - profile->commit;
    }
  for (guint32 l = 0; l < n_lines; l++)
    history->lines.data[l] = lines[l];
  for (guint32 i = 0; i < n; i++)
    history->profiles.data[i] = profiles[i];
  g_free (lines);
  g_free (profiles);
  reverse_commits (history);
}

/* Two lines of one name: what else tells them apart is added. */
static void
name_lines (WpHistory *self)
{
  g_autoptr (GHashTable) seen = g_hash_table_new (wp_hash_string, g_str_equal);

  for (guint32 l = 0; l < self->lines.len; l++)
    {
      WpHistoryLine *line = &self->lines.data[l];
      const WpStoreEntry *entry = self->profiles.data[line->first].entry;

      if (g_hash_table_contains (seen, line->name))
        {
          g_autofree char *before = line->name, *postprocessors = g_strjoinv (", ", entry->postprocessors);

          line->name = g_strdup_printf ("%s (%s, %s%s%s)", before, entry->type, entry->collector, *postprocessors != '\0' ? ", " : "", postprocessors);
        }
      g_hash_table_add (seen, line->name);
    }
}

WpHistory *
wp_history_new (WpStore *store, const char *head, WpProgress *progress, GError **error)
{
  g_autoptr (WpHistory) history = g_new0 (WpHistory, 1);
  Gathering self = { .history = history, .store = store, .lines = g_hash_table_new_full (wp_hash_string, g_str_equal, g_free, NULL) };
  gboolean done;

  wp_progress_phase (progress, "Looking through the commits");
  wp_store_use_kept (store);
  done = walk (&self, store, head, progress, error);
  if (done)
    {
      put_in_order (&self);
      name_lines (history);
    }
  g_hash_table_unref (self.lines);
  wp_array_clear (&self.line_of);
  return done ? g_steal_pointer (&history) : NULL;
}

static gboolean
read_figures (WpStore *store, const WpHistoryProfile *profile, const WpFigure *figures, guint n_figures, WpFigureValue *values, WpProgress *progress,
              GError **error)
{
  g_autofree char *path = wp_store_entry_file (store, profile->entry), *text = NULL;
  g_autoptr (GBytes) all = NULL;
  GError *problem = NULL;
  gboolean whole;
  gsize n;

  text = path != NULL ? wp_object_peek (path, PEEK, &n, &whole, &problem) : NULL;
  if (text != NULL && wp_figures_read (figures, n_figures, profile->type, path, text, n, whole, values, progress, &problem))
    return TRUE;
  if (problem == NULL)
    all = wp_store_read (store, profile->entry, &problem);
  if (problem == NULL)
    wp_figures_read (figures, n_figures, profile->type, path, g_bytes_get_data (all, NULL), g_bytes_get_size (all), TRUE, values,
                     progress, &problem);
  if (problem != NULL)
    g_propagate_error (error, problem);
  return problem == NULL;
}

gboolean
wp_history_read (WpStore *store, const WpHistoryProfile *profile, const WpFigure *figures, guint n_figures,
                 WpFigureValue *values, WpProgress *progress, GError **error)
{
  const char *sha1 = profile->entry->sha1;

  if (store->kept != NULL && wp_store_kept_figures (store->kept, sha1, profile->type, figures, n_figures, values))
    return TRUE;
  if (!read_figures (store, profile, figures, n_figures, values, progress, error))
    return FALSE;
  if (store->kept != NULL)
    wp_store_kept_set_figures (store->kept, sha1, profile->type, figures, n_figures, values);
  return TRUE;
}

/* --- medians ------------------------------------------------------------------------------------------------------------------ */

static gboolean
has_unit (const WpHistoryPoint *point, WpUnit unit, const char *name)
{
  return point->unit == unit && g_str_equal (point->unit_name, name);
}

static void
set_unit (WpHistoryPoint *point, WpUnit unit, const char *name)
{
  point->unit = unit;
  g_strlcpy (point->unit_name, name, sizeof point->unit_name);
}

/* `point` has its place and, unless it is the first of its line, its unit. FALSE: nothing is known. */
static gboolean
take_values (WpHistoryPoints *points, WpHistoryPoint *point, gboolean first, const WpFigureValue *values, double *known)
{
  for (guint32 i = point->first; i < point->first + point->n; i++)
    {
      if (isnan (values[i].value))
        continue;
      if (first && point->known == 0)
        set_unit (point, values[i].unit, values[i].unit_name);
      if (has_unit (point, values[i].unit, values[i].unit_name))
        known[point->known++] = values[i].value;
      else
        points->other_units++;
    }
  if (point->known == 0)
    return FALSE;
  point->median = wp_median (known, point->known);
  point->low = known[0];
  point->high = known[point->known - 1];
  return TRUE;
}

static void
add_line (const WpHistory *self, guint32 l, const WpFigureValue *values, WpHistoryPoints *points)
{
  const WpHistoryLine *line = &self->lines.data[l];
  g_autofree double *known = g_new (double, line->n);
  guint32 end = line->first + line->n;
  WpHistoryPoint before = { .line = l };

  for (guint32 i = line->first, next; i < end; i = next)
    {
      WpHistoryPoint point = { .line = l, .commit = self->profiles.data[i].commit, .first = i };

      for (next = i + 1; next < end && self->profiles.data[next].commit == point.commit;)
        next++;
      point.n = next - i;
      set_unit (&point, before.unit, before.unit_name);
      if (!take_values (points, &point, before.n == 0, values, known))
        continue;
      wp_array_push (&points->points, point);
      before = point;
    }
}

void
wp_history_points_of_one_unit (WpHistoryPoints *points)
{
  WpHistoryPoint *data = points->points.data;
  guint32 n = 0;

  for (guint32 p = 0; p < points->points.len; p++)
    if (has_unit (&data[p], data[0].unit, data[0].unit_name))
      data[n++] = data[p];
    else
      points->other_units += data[p].known;
  points->points.len = n;
}

void
wp_history_points (const WpHistory *self, const WpFigureValue *values, guint32 line, WpHistoryPoints *points)
{
  points->points.len = 0;
  points->other_units = 0;
  for (guint32 l = 0; l < self->lines.len; l++)
    if (line == WP_HISTORY_ALL || l == line)
      add_line (self, l, values, points);
}

void
wp_history_points_clear (WpHistoryPoints *points)
{
  wp_array_clear (&points->points);
}
