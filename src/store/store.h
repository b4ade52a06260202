/* The store: profiles kept per commit in `.perun`, laid out exactly as Perun 0.16.9 lays it out (objects, indexes, jobs, logs,
 * local.yml), every era's store read. Reading never writes. What is written is written under a lock, to a temporary name, synced and
 * renamed: killed at any moment the store is whole.
 *
 * Names of minor versions are full hashes here; wp_vcs_resolve() makes them. */
#pragma once

#include "profile/model/profile.h"
#include "store/vcs.h"

#define WP_STORE_ERROR (wp_store_error_quark ())
GQuark wp_store_error_quark (void);
typedef enum
{
  WP_STORE_ERROR_NONE_HERE, /* no store in this folder nor above it */
  WP_STORE_ERROR_EXISTS,
  WP_STORE_ERROR_DAMAGED,   /* an index, an object: the message says which */
  WP_STORE_ERROR_NOT_FOUND,
  WP_STORE_ERROR_ORIGIN,    /* a profile of another commit, or of none */
  WP_STORE_ERROR_LOCKED,
  WP_STORE_ERROR_FOREIGN,   /* settings name what the user has not opened */
  WP_STORE_ERROR_TAG,       /* 99@i where there are not so many */
  WP_STORE_ERROR_PROFILE,   /* a file that cannot be kept: no profile, or of a type that Perun has not */
} WpStoreError;

/* One registered or pending profile, as its index says. Strings are never NULL. */
typedef struct
{
  gint64 time;     /* seconds since 1970: when the file that was added was last changed */
  char sha1[41];   /* of the object; pending: "" */
  char minor[41];  /* registered: the commit that has it; else "" */
  char *path;      /* base name of the file that was added; pending: of the file in jobs */
  char *type, *cmd, *args, *workload, *collector;
  char *label;     /* newest era; else "" */
  char **postprocessors; /* NULL-terminated */
  char *origin;    /* pending: the commit it says, or ""; else "" */
  char *problem;   /* why it cannot be read, or NULL: nothing else suffers from it */
} WpStoreEntry;

WpStoreEntry *wp_store_entry_new (void);
void wp_store_entry_free (WpStoreEntry *entry);
WpStoreEntry *wp_store_entry_copy (const WpStoreEntry *entry);

/* Calls may come from any thread, one at a time for each WpStore. */
typedef struct WpStore WpStore;

WpStore *wp_store_open (const char *folder, GError **error); /* searched upward */
WpStore *wp_store_init (const char *folder, const char *vcs_type, GError **error); /* vcs_type NULL: git where there is one, made where there is none */
void wp_store_free (WpStore *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (WpStore, wp_store_free)

/* Settings of local.yml, where it has none those of the user's shared.yml, by their path: "format.status", "collectors.0.name". A value
 * is NULL where nobody says, a list empty. Lists are freed with g_strfreev(). */
const char *wp_store_setting (const WpStore *self, const char *path);
gboolean wp_store_setting_is_true (const WpStore *self, const char *path); /* "true", "yes", "on", "1", …, as Python has it */
char **wp_store_setting_list (const WpStore *self, const char *path);
char **wp_store_setting_keys (const WpStore *self, const char *path); /* of a mapping; of a list "0", "1", … */

const char *wp_store_folder (const WpStore *self); /* of `.perun` itself */
WpVcs *wp_store_vcs (const WpStore *self);         /* NULL where the repository is gone or may not be used, and a notice says which; then only pending profiles are there */
const char *wp_store_notice (const WpStore *self); /* what a user should know (a stale url, a checksum that does not fit), a line each, or NULL;
                                                    * valid until the next call */

/* Entries of WpStoreEntry, sorted as local.yml and shared.yml say (format.sort_profiles_by), so that row i is the tag i@i or i@p. Free
 * with g_ptr_array_unref(). A commit without profiles has none. */
GPtrArray *wp_store_registered (WpStore *self, const char *minor, GError **error);
GPtrArray *wp_store_pending (WpStore *self, GError **error);

gboolean wp_store_is_sort_key (const char *key);

/* The same in another order: "time", "type", "cmd", "args", "workload", "collector", "source". NULL: as the settings say. */
GPtrArray *wp_store_registered_by (WpStore *self, const char *minor, const char *key, GError **error);
GPtrArray *wp_store_pending_by (WpStore *self, const char *key, GError **error);
gboolean wp_store_has_profiles (const WpStore *self, const char *minor); /* whether there is an index; it may be empty */

/* What a check has found for a commit: a line of its `.changes`. */
typedef struct
{
  char *location;
  char *result;     /* Degradation, MaybeDegradation, …, Optimization */
  char *type, *from, *to;
  char *rate;       /* "" before 0.16.6 */
  char *confidence_type, *confidence;
  char *source;     /* the commit compared with */
  char *command;
} WpStoreChange;

/* WpStoreChange in the order of the file; free with g_ptr_array_unref(). `unreadable`, when not NULL: how many lines make no sense (0.17.1 to
 * 0.20.3 scrambled them). */
GPtrArray *wp_store_changes (WpStore *self, const char *minor, guint *unreadable, GError **error);

void wp_store_count_changes (const GPtrArray *changes, guint *better, guint *worse); /* those that are certain */

/* The file of what was printed while a commit's profiles were collected, or NULL: there is none. Free with g_free(). */
char *wp_store_log (const WpStore *self, const char *minor);

/* Which commits have profiles, without reading their indexes: a set of the hashes that have an index (char *, as keys). */
GHashTable *wp_store_minors (WpStore *self, GError **error);

/* For who goes through many commits: from here on what was read before is used where its files are as they were (kept.h), and kept for the
 * next time. */
void wp_store_use_kept (WpStore *self);

/* Registers a file's profile with a commit. Its origin must be that commit unless `force`. `keep`: the file stays. Gives the object's
 * sha1. Adding what is there already is no error. Files of other formats (stacks/formats.h) are made a profile of Perun's: they are of any
 * commit, and stay. */
typedef enum
{
  WP_STORE_ADD_FORCE = 1 << 0,
  WP_STORE_ADD_KEEP = 1 << 1,
} WpStoreAddFlags;
gboolean wp_store_add (WpStore *self, const char *minor, const char *path, WpStoreAddFlags flags, char sha1[41], GError **error);

/* Takes an entry out of a commit's index; the object stays. */
gboolean wp_store_remove (WpStore *self, const char *minor, const WpStoreEntry *entry, GError **error);
gboolean wp_store_remove_pending (WpStore *self, const WpStoreEntry *entry, GError **error);

/* The profile of an entry, its sha1 checked; and its text, for saving it elsewhere. */
WpProfile *wp_store_load (WpStore *self, const WpStoreEntry *entry, WpProgress *progress, GError **error);
GBytes *wp_store_read (WpStore *self, const WpStoreEntry *entry, GError **error);
char *wp_store_entry_file (const WpStore *self, const WpStoreEntry *entry); /* the object's or pending file's path */

/* A file's name by a template such as "%collector%-%cmd%-%date%", and ".perf". NULL: the template makes no sense. */
char *wp_store_name (const WpProfile *profile, const char *format, GError **error);

/* Puts a copy of a profile's file, of any of these formats, among the pending ones, as one of this commit, under a name made by
 * format.output_profile_template; gives the copy's path. */
char *wp_store_add_pending (WpStore *self, const char *path, const char *minor, WpProgress *progress, GError **error);

/* The same, and registers it at once where profiles.register_after_run wants that: `sha1` is then the object's, else "". */
char *wp_store_keep (WpStore *self, const char *path, const char *minor, char sha1[41], WpProgress *progress, GError **error);

/* What a user typed: a tag (0@i, 2@p), a range of tags (0@p-3@p), COMMIT:NAME, a path, the name or part of the name of a registered or
 * pending profile. `minor` NULL: registered ones do not count. Gives the matches, WpStoreEntry; those that are plain files have `path` as given and sha1 "". More than
 * one match is for the caller to ask about. */
GPtrArray *wp_store_lookup (WpStore *self, const char *minor, const char *spec, GError **error);
GPtrArray *wp_store_find_files (const char *folder, const char *part); /* `.perf` files below it with this in their path; never NULL */
gboolean wp_store_is_guess (const WpStoreEntry *entry, const char *spec); /* only a part of its name was typed: ask */

/* Called, in the thread that waits, when somebody else has held the store's lock for a second: `holder` says who. */
typedef void (*WpStoreWaitingFunc) (WpStore *self, const char *holder, gpointer data);
void wp_store_on_waiting (WpStore *self, WpStoreWaitingFunc waiting, gpointer data);

/* Called in the main context some time after anything in the store changed, by whomever. 0 stops. */
typedef void (*WpStoreChangedFunc) (WpStore *self, gpointer data);
void wp_store_watch (WpStore *self, WpStoreChangedFunc changed, gpointer data);
