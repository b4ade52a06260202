/* Checks of a commit's profiles, as `perun check` makes them: each configuration (collector, command, arguments, workload and
 * postprocessors) against the profiles of the nearest ancestor that has it, by the checks that the settings choose for it. */
#pragma once

#include "profile/checks/checks.h"
#include "store/store.h"

/* One configuration by one check. */
typedef struct
{
  char source[41];      /* the ancestor */
  char *command;        /* cmd, args and workload */
  GPtrArray *baseline, *target; /* names of the profiles: char * */
  WpCheck check;
  GPtrArray *verdicts;  /* WpCheckVerdict; NULL: see problem */
  char *problem;        /* why there are none, or NULL */
} WpStoreChecked;

typedef struct WpStoreChecker WpStoreChecker;

/* Remembers what it read of commits, so that many can be checked; the store stays the caller's. */
WpStoreChecker *wp_store_checker_new (WpStore *store);
void wp_store_checker_free (WpStoreChecker *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (WpStoreChecker, wp_store_checker_free)

/* WpStoreChecked, the nearest ancestors first; several profiles of one configuration count as a set (wp_check_run_sets()). `checks` (of
 * WpCheck) NULL: what the settings say. What cannot be read is a problem of its own configuration. NULL and an error: the commit, its index
 * or the settings cannot be read. Free with g_ptr_array_unref(). */
GPtrArray *wp_store_checker_run (WpStoreChecker *self, const char *minor, const GArray *checks, GError **error);

/* The checks that degradation.strategies and degradation.apply choose for a profile, each once; where nobody says, the first one. FALSE
 * and an error: a rule makes no sense. */
gboolean wp_store_strategies (const WpStore *store, const WpProfile *profile, GArray *checks, GError **error);

/* Adds what was found (all but what did not change) to the commit's `.changes`, as Perun 0.16.9 does: a line replaces that of the same
 * place, type and command, others stay. Nothing found: nothing is written. */
gboolean wp_store_save_changes (WpStore *store, const char *minor, const GPtrArray *checked, GError **error);
void wp_store_checked_free (WpStoreChecked *checked);
