/* The store at a large repository: 100,000 commits, 10,000 profiles, made once in a folder that stays.
 *
 *   bench-store FOLDER [COMMITS PROFILES]
 *
 * Medians of how long the Store page and the commands wait: opening, the first rows, a status, 50 rows of log, all that have profiles. */
#include <stdlib.h>

#include "large-store.h"
#include "store/store.h"

#define ROWS 50
#define TIMES 15

/* --- measuring ---------------------------------------------------------------------------------------------------------- */

typedef struct
{
  const char *repo;
  WpStore *store;
  guint rows, found;
} Run;

static void
open_store (Run *self)
{
  g_autoptr (GError) error = NULL;

  g_clear_pointer (&self->store, wp_store_free);
  self->store = wp_store_open (self->repo, &error);
  if (self->store == NULL || wp_store_vcs (self->store) == NULL)
    g_error ("%s", error != NULL ? error->message : "no repository");
}

static void
walk_rows (Run *self)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (WpVcsWalk) walk = NULL;
  WpMinorVersion info;
  char head[41];

  self->found = 0;
  if (!wp_vcs_head (wp_store_vcs (self->store), head, &error) || (walk = wp_vcs_walk_new (wp_store_vcs (self->store), head, WP_VCS_WALK_WHOLE, &error)) == NULL)
    g_error ("%s", error->message);
  for (guint i = 0; i < self->rows && wp_vcs_walk_next (walk, &info, &error); i++)
    {
      g_autoptr (GPtrArray) entries = wp_store_registered (self->store, info.hash, &error);

      self->found += entries != NULL ? entries->len : 0;
      wp_minor_version_clear (&info);
    }
}

/* A window or a command that begins: opened, then the first rows. */
static void
first_rows (Run *self)
{
  self->rows = ROWS;
  open_store (self);
  walk_rows (self);
}

static void
status (Run *self)
{
  g_autoptr (GPtrArray) pending = NULL;
  gboolean dirty;

  self->rows = 1;
  open_store (self);
  walk_rows (self);
  pending = wp_store_pending (self->store, NULL);
  wp_vcs_is_dirty (wp_store_vcs (self->store), &dirty, NULL);
}

/* The first time that a store is asked: every file is looked into. */
static void
all_minors_anew (Run *self)
{
  g_autoptr (GHashTable) minors = NULL;

  open_store (self);
  minors = wp_store_minors (self->store, NULL);
  self->found = g_hash_table_size (minors);
}

static void
all_minors (Run *self)
{
  g_autoptr (GHashTable) minors = wp_store_minors (self->store, NULL);

  self->found = g_hash_table_size (minors);
}

static void
all_rows (Run *self)
{
  self->rows = G_MAXUINT;
  walk_rows (self);
}

static int
compare_times (const void *a, const void *b)
{
  return (*(const gint64 *) a > *(const gint64 *) b) - (*(const gint64 *) a < *(const gint64 *) b);
}

static double
measure (Run *run, const char *name, void (*what) (Run *run), guint times)
{
  gint64 took[TIMES];

  for (guint i = 0; i < times; i++)
    {
      gint64 begun = g_get_monotonic_time ();

      what (run);
      took[i] = g_get_monotonic_time () - begun;
    }
  qsort (took, times, sizeof *took, compare_times);
  g_print ("%-44s %8.2f ms (median of %u, longest %.2f ms), %u profiles\n", name, (double) took[times / 2] / 1000, times,
           (double) took[times - 1] / 1000, run->found);
  return (double) took[times / 2] / 1000;
}

int
main (int argc, char **argv)
{
  guint commits = argc > 2 ? (guint) atoi (argv[2]) : 100000, profiles = argc > 3 ? (guint) atoi (argv[3]) : 10000;
  g_autofree char *repo = NULL;
  Run run = { 0 };
  double rows;

  if (argc < 2)
    g_error ("bench-store FOLDER [COMMITS PROFILES]");
  large_store_make (argv[1], commits, profiles);
  repo = g_build_filename (argv[1], "repo", NULL);
  run.repo = repo;
  g_print ("%u commits, %u profiles\n", commits, profiles);
  measure (&run, "opening", open_store, TIMES);
  rows = measure (&run, "opening and the first 50 rows", first_rows, TIMES);
  measure (&run, "status", status, TIMES);
  measure (&run, "which commits have profiles", all_minors_anew, TIMES);
  measure (&run, "the same, asked again", all_minors, TIMES);
  measure (&run, "all commits with their profiles", all_rows, 1);
  wp_store_free (run.store);
  if (rows > 100)
    g_printerr ("the first rows took more than 100 ms\n");
  return rows > 100;
}
