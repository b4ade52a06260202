/* What the parts of the store share: store.c opens, repository.c finds its repository, registered.c and list.c read, change.c writes, lookup.c
 * finds, watch.c watches. */
#pragma once

#include "store/index.h"
#include "store/kept.h"
#include "store/yaml-file.h"

#define WP_STORE_FOLDER ".perun"

typedef struct WpStoreWatch WpStoreWatch;
typedef struct WpStoreMinors WpStoreMinors;

struct WpStore
{
  char *folder, *objects, *jobs;
  WpVcs *vcs;             /* or NULL */
  char *foreign;          /* real path of another repository than that which the store lies in, where vcs.url names one; or NULL */
  gboolean foreign_within; /* it is among the files of the folder that holds the store */
  WpYaml *local, *shared; /* or NULL: cannot be read */
  GHashTable *notices;    /* text by the file that it is about */
  char *notice;           /* all of them, made on demand */
  GHashTable *heads;      /* of pending files by path: Head (list.c), valid while the file does not change */
  WpStoreMinors *minors;  /* which commits have an index, as far as it was asked; or NULL */
  WpStoreKept *kept;      /* what was read before, for who goes through many; or NULL */
  WpStoreWatch *watch;    /* or NULL */
  WpStoreWaitingFunc waiting; /* or NULL */
  gpointer waiting_data;
};

/* Opens the repository that the store is of, or notes why there is none. `holder`: the folder that `.perun` is in. */
void wp_store_open_vcs (WpStore *self, const char *holder);

/* Keeps what a user should know of a file: a line, or what is one for certain in each line; `text` NULL: nothing any more. Takes over `text`. */
void wp_store_note (WpStore *self, const char *about, char *text);
void wp_store_note_lines (WpStore *self, const char *about, char *text);

/* A commit's index, complete: what its layout has not is read from the objects. In the order of the file. The second refuses an index of
 * which something is lost: written anew it would be lost without a word. */
GPtrArray *wp_store_index (WpStore *self, const char *minor, GError **error);
GPtrArray *wp_store_index_to_change (WpStore *self, const char *minor, WpIndexLayout *layout, GError **error);

/* Replaces it. Called under the lock. */
gboolean wp_store_write_index (WpStore *self, const char *minor, GPtrArray *entries, WpIndexLayout layout, GError **error);
char *wp_store_index_path (const WpStore *self, const char *minor); /* NULL: not a full hash */

/* A descriptor that holds the store's lock until it is closed; -1 and an error. Who holds it is named after a second of waiting
 * (wp_store_on_waiting()) and in the error. */
int wp_store_lock (const WpStore *self, GError **error);

/* A line of `.changes` by what Perun tells such lines apart by (place, type, command); NULL: the line makes no sense. Free with
 * g_free(). */
char *wp_store_change_key (const char *line);

gboolean wp_store_is_hash (const char *text); /* 40 hexadecimal digits */
void wp_store_watch_free (WpStoreWatch *watch);
void wp_store_minors_free (WpStoreMinors *minors);
