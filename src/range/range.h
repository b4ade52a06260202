/* Profiles a range of commits: each is checked out into a work tree of its own, built, recorded, explained and registered. The
 * user's work tree is never touched.
 *
 * A commit that has profiles of this command already, postprocessed in the same way, is passed over, so a range that was stopped goes on where it was. What a
 * commit's build and commands print, and why it failed, is kept in the store, logs/COMMIT-range.log.
 *
 * Works on the main context of the thread that calls wp_range_start(); never blocks it. */
#pragma once

#include "record/recorder.h"
#include "store/jobs.h"

typedef enum
{
  WP_RANGE_WAITING,
  WP_RANGE_CHECKING_OUT,
  WP_RANGE_BUILDING,
  WP_RANGE_RECORDING,
  WP_RANGE_EXPLAINING, /* and registering */
  WP_RANGE_DONE,
  WP_RANGE_PASSED_OVER, /* has been profiled before */
  WP_RANGE_FAILED,
  WP_RANGE_STOPPED, /* by its user, under way: it begins anew when the range goes on */
  WP_RANGE_STATES,
} WpRangeState;

const char *wp_range_state_name (WpRangeState state); /* "waiting", "checking out", … */

typedef struct
{
  char hash[41];
  char *subject;
  WpRangeState state;
  guint recorded; /* profiles that were registered */
  char *problem;  /* why it failed; else NULL */
  char *log;      /* the file with what was printed; it may not be there */
} WpRangeCommit;

void wp_range_commit_clear (gpointer commit); /* frees its texts */

typedef struct
{
  char *folder;    /* where the store is found, which tells the repository */
  char **commits;  /* full hashes, NULL-terminated, in the order in which they are worked through */
  char *build;     /* a line for the shell, run in the work tree; NULL: nothing is built */
  GPtrArray *jobs; /* WpStoreJob: what is recorded in the work tree, one after the other; is shared and not changed any more */
  guint repeat;    /* profiles of each job and commit; 0 counts as 1 */
  GArray *postprocesses; /* WpPostprocess: what is done to each profile before it is registered; or NULL */
  const char *log; /* the end of the logs' names, "range" where it is NULL; not copied */
  gboolean again;  /* commits too that have profiles of this command */
  double duration; /* of one recording, seconds; 0: until the command ends */
  guint rate;      /* as in WpRecordOptions, and so is the next */
  WpStackMode stacks;
} WpRangeOptions;

/* Takes rate, duration and stacks from the parameters of the collector “wakepath” in local.yml, those that are there. Fails where one makes no
 * sense. */
gboolean wp_range_take_settings (WpRangeOptions *options, const WpStore *store, GError **error);

typedef struct WpRange WpRange;

/* Called on the main context whenever a commit's state changes, and when all is over. */
typedef void (*WpRangeFunc) (WpRange *self, gpointer data);

WpRange *wp_range_new (const WpRangeOptions *options, WpRangeFunc func, gpointer data); /* copies the options */
void wp_range_free (WpRange *self); /* stops; what is under way is dropped */
G_DEFINE_AUTOPTR_CLEANUP_FUNC (WpRange, wp_range_free)

void wp_range_start (WpRange *self);
void wp_range_stop (WpRange *self); /* the commit at hand is given up and cleaned away; then it is over */

gboolean wp_range_is_over (const WpRange *self);
const WpRangeCommit *wp_range_commits (const WpRange *self, guint *n);
const GError *wp_range_error (const WpRange *self); /* why it could not begin, or NULL */
