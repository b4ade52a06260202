/* What the files of a range share: range.c has the commits one after the other, range-commit.c what is done at one of them,
 * range-profile.c how a recording becomes a registered profile, range-tree.c the folder that all this happens in, range-step.c the threads. */
#pragma once

#include "range/range.h"

/* In the folder of a range. */
#define WP_RANGE_RECORDING_FILE "recording.data"
#define WP_RANGE_PROFILE_FILE "profile.perf"

struct WpRange
{
  WpRangeOptions options;
  WpRangeFunc func;
  gpointer data;
  WpStore *store;
  WpVcs *vcs;       /* the store's */
  GArray *commits;  /* WpRangeCommit */
  guint at;         /* the commit at hand */
  guint *wanted;    /* of each job, at the commit at hand: profiles that are still to be made */
  guint job;        /* the one at hand */
  WpWorkFolder *work; /* of this range: its work trees and recordings; or NULL */
  char *tree;       /* the work tree at hand, or NULL */
  GSubprocess *build;
  WpRecorder *recorder;
  GCancellable *cancellable;
  GError *error;
  guint recorded_source; /* tells that a recording is over: a recorder is not freed within its own call */
  gboolean busy;    /* a thread or a build is at work */
  gboolean stopped, over, freed;
};

WpRangeCommit *wp_range_current (const WpRange *self);
void wp_range_set_state (WpRange *self, WpRangeState state); /* of the commit at hand */
void wp_range_end_commit (WpRange *self, WpRangeState state); /* goes on with the next one */
void wp_range_fail_commit (WpRange *self, GError *error);     /* takes the error */
gboolean wp_range_give_up (WpRange *self); /* ends the commit where the range is to stop */
void wp_range_destroy (WpRange *self);

void wp_range_begin_commit (WpRange *self);
void wp_range_end_work (WpRange *self);      /* a build or recording comes to its end by itself then */
void wp_range_drop_recorder (WpRange *self); /* whatever goes on in a work tree ends before it is taken away */

/* What a thread does with the range, and what happens afterwards. Nobody else touches the store meanwhile. */
typedef gboolean (*WpRangeStepFunc) (WpRange *self, GError **error);
typedef void (*WpRangeThenFunc) (WpRange *self, GError *error); /* error NULL: done; takes it */
void wp_range_in_thread (WpRange *self, WpRangeStepFunc step, WpRangeThenFunc then);

/* Steps. */
gboolean wp_range_count_profiles (WpRange *self, GError **error); /* what is wanted of each job, and has not been made before */
gboolean wp_range_check_out (WpRange *self, GError **error);
gboolean wp_range_explain_and_register (WpRange *self, GError **error);
gboolean wp_range_remove_tree (WpRange *self, GError **error);

const WpStoreJob *wp_range_next_job (WpRange *self); /* that profiles are still wanted of, or NULL */
char *wp_range_recording_path (const WpRange *self);

gboolean wp_range_make_folder (WpRange *self, GError **error); /* cleans up after crashes first */
