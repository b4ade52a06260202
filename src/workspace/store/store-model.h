/* The store that a window shows, without a display: of which folder, what has been read of it and what is being read, and what is done
 * with it. Workers read and work; everything here is for the main thread.
 *
 * From a folder chosen to its rows: wp_store_model_open() starts a worker that opens the session and reads the first commits; its reading
 * goes into the rows (a list model, which reports its changes itself) and what stands beside the rows is asked from here after “changed”.
 * More commits are read as wp_store_model_read_more() is called, and all of it again when the store's files change.
 *
 * Signals:
 *   read ()                       the rows are those of a new reading; “changed” follows
 *   changed ()                    what can be asked here is another; the rows may be, too
 *   folder-changed ()             wp_store_model_folder() is another
 *   found (guint position)        the row of the commit that was sought
 *   failed (const char *text)     a sentence for the user; what was shown stays
 *   done (WpStoreOutcome *outcome) work has been done; the outcome belongs to the model */
#pragma once

#include "workspace/worker.h"
#include "workspace/store/store-badges.h"
#include "workspace/store/store-figures.h"
#include "workspace/store/store-rows.h"
#include "workspace/store/store-work.h"

#define WP_TYPE_STORE_MODEL (wp_store_model_get_type ())
G_DECLARE_FINAL_TYPE (WpStoreModel, wp_store_model, WP, STORE_MODEL, GObject)

WpStoreModel *wp_store_model_new (void); /* of no folder, and nothing is read yet */

/* --- which store ----------------------------------------------------------------------------------------------------- */

void wp_store_model_open (WpStoreModel *self, const char *folder);    /* NULL: none. What was shown before goes */
void wp_store_model_suggest (WpStoreModel *self, const char *folder); /* the same once it is known that it belongs to a store; else nothing */
void wp_store_model_create (WpStoreModel *self);                      /* makes a store in the folder, and opens it */
void wp_store_model_trust (WpStoreModel *self, WpStoreSession *asked); /* believes what its settings name, and opens the folder again */

const char *wp_store_model_folder (WpStoreModel *self); /* or NULL */

/* --- reading --------------------------------------------------------------------------------------------------------- */

void wp_store_model_read (WpStoreModel *self); /* all of it again; what is the same stays where it is */
void wp_store_model_choose_branch (WpStoreModel *self, const char *branch);
void wp_store_model_seek (WpStoreModel *self, const char *hash); /* a commit of the branch, however far: then “found” */

/* Reads the next commits if somebody waits for them: the end of the list is near, a commit is sought, or a filter looks through all. */
void wp_store_model_read_more (WpStoreModel *self, gboolean end_is_near);
gboolean wp_store_model_is_reading (WpStoreModel *self);
gboolean wp_store_model_has_more (WpStoreModel *self); /* commits are left that have not been read */

/* --- what there is ---------------------------------------------------------------------------------------------------- */

WpStoreRows *wp_store_model_rows (WpStoreModel *self);       /* the same one for as long as the model lives */
WpStoreFigures *wp_store_model_figures (WpStoreModel *self); /* likewise */
WpStoreBadges *wp_store_model_badges (WpStoreModel *self);   /* likewise */
WpStoreSession *wp_store_model_session (WpStoreModel *self); /* NULL: nothing has been read yet */
const WpStoreReading *wp_store_model_last (WpStoreModel *self); /* what was read last, of an open store, but for its rows; else NULL */
const char *wp_store_model_head (WpStoreModel *self);        /* the hash of HEAD; "": there is no commit */
const char *wp_store_model_branch (WpStoreModel *self);      /* that was chosen; NULL: the one that is checked out */
const char *wp_store_model_failure (WpStoreModel *self);     /* why the last reading failed; NULL: it did not */

typedef enum
{
  WP_STORE_TREE_UNKNOWN,
  WP_STORE_TREE_CLEAN,
  WP_STORE_TREE_DIRTY,
} WpStoreTree;

WpStoreTree wp_store_model_tree (WpStoreModel *self); /* the work tree */

/* --- what is done ----------------------------------------------------------------------------------------------------- */

/* On the profiles among some rows (WpStoreRow); NULL: none. */
WpStoreWork *wp_store_model_work_new (WpStoreModel *self, const GPtrArray *rows);

/* One at a time: while another one is under way they do nothing and give FALSE. They take over the work. */
gboolean wp_store_model_unpack (WpStoreModel *self, WpStoreWork *work);
gboolean wp_store_model_change (WpStoreModel *self, WpStoreWork *work, WpWorkerRun run); /* one of store-work.h; then reads again */
gboolean wp_store_model_is_working (WpStoreModel *self);
gboolean wp_store_model_is_changing (WpStoreModel *self); /* … on something that would not be done if it were given up */
