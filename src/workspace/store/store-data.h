/* What the Store page shows, as a worker has read it: commits with their profiles, and pending profiles. All of it is immutable and
 * reference-counted. Two readings share nothing: their commits and profiles are compared by what they hold. */
#pragma once

#include "workspace/store/store-session.h"
#include "base/progress.h"

typedef struct
{
  WpStoreEntry *entry;
  char minor[41]; /* the commit it is registered with; "": it is pending */
  char *search;   /* what the filter looks in, casefolded */
  char *file;     /* its name, casefolded: only long words are looked for in it */
  char *configuration; /* what was run: type, command, arguments, workload and collector as one text */
} WpStoreProfile;

typedef struct
{
  char hash[41];
  char *author, *subject, *message;
  char *search;
  gint64 time;
  gboolean head;       /* what the work tree stands on */
  GPtrArray *profiles; /* WpStoreProfile, repeats beside each other; NULL: none */
  char parent[41];     /* the first one; "": it has none */
} WpStoreCommit;

/* Both are of the same thing that was run at the same commit. What cannot be read is a repeat of nothing. */
gboolean wp_store_profile_repeats (const WpStoreProfile *a, const WpStoreProfile *b);

WpStoreProfile *wp_store_profile_ref (WpStoreProfile *self);
void wp_store_profile_unref (WpStoreProfile *self);
gboolean wp_store_profile_equal (const WpStoreProfile *a, const WpStoreProfile *b);
gboolean wp_store_profiles_equal (const GPtrArray *a, const GPtrArray *b); /* one by one; NULL equals NULL */
char *wp_store_profile_name (const WpStoreProfile *self); /* what a tab is called: “time.perf @ 1a2b3c4” */
WpStoreCommit *wp_store_commit_ref (WpStoreCommit *self);
void wp_store_commit_unref (WpStoreCommit *self);
gboolean wp_store_commit_equal (const WpStoreCommit *a, const WpStoreCommit *b);

/* What is read at once. */
typedef struct
{
  WpStoreSession *session;
  char *branch;          /* whose commits these are; NULL: there is no commit */
  char *head_branch;     /* "HEAD" when detached; NULL: unknown */
  char head[41];         /* "": no commit yet */
  GPtrArray *branches;   /* char *; local ones */
  GPtrArray *pending;    /* WpStoreProfile, repeats beside each other */
  GPtrArray *commits;    /* WpStoreCommit, the first ones of the branch */
  gboolean more;         /* there are more */
  guint n_minors;        /* commits that have profiles, on any branch; G_MAXUINT: not known yet */
  char *notice;          /* what a user should know, or NULL */
} WpStoreReading;

void wp_store_reading_free (gpointer reading);

typedef struct
{
  WpStoreSession *session; /* NULL: `folder` is opened */
  char *folder;            /* or NULL */
  gboolean create;         /* makes a store there */
  char *branch;            /* NULL: the one that is checked out */
  guint n;                 /* how many commits at most */
  GPtrArray *known;        /* WpStoreCommit: those that were read before; or NULL */
} WpStoreReadRequest;

void wp_store_commits_drop (GPtrArray *commits); /* as g_ptr_array_unref(), but a thread frees what would take long */

/* Workers (workspace/worker.h). `data` is a WpStoreReadRequest. */
gpointer wp_store_read_all (gpointer data, WpProgress *progress, GError **error);  /* gives a WpStoreReading */
gpointer wp_store_read_more (gpointer data, WpProgress *progress, GError **error); /* the same with the next `n` commits only */
gpointer wp_store_read_dirty (gpointer data, WpProgress *progress, GError **error); /* gives GINT_TO_POINTER of 1: clean, 2: dirty */
void wp_store_read_request_free (gpointer request);
