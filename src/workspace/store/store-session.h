/* The version control and the store of one folder. Workers use it one at a time, between wp_store_session_take() and _leave(), since a store
 * is not made for several threads at once. The main thread only holds a reference. The last reference may be a worker's. */
#pragma once

#include "store/trust.h"

typedef enum
{
  WP_STORE_NO_FOLDER,  /* none was chosen */
  WP_STORE_NO_VCS,     /* the folder is not under version control */
  WP_STORE_NO_STORE,   /* it has no store yet */
  WP_STORE_REFUSED,    /* somebody else's repository */
  WP_STORE_UNREADABLE, /* anything else: the error says what */
  WP_STORE_OPEN,
} WpStoreState;

typedef struct
{
  WpStoreState state;
  char *folder;  /* as it was asked for; or NULL */
  char *message; /* why there is no store to show; or NULL */
  WpStore *store; /* or NULL */
  WpVcs *vcs;    /* the store's, or one of its own; or NULL */
  WpStoreCommands *asked; /* what is to be trusted before its repository is used; or NULL */
  WpVcsWalk *walk; /* where reading commits goes on; or NULL: at the end */

  /* private */
  WpVcs *own_vcs;
  GMutex lock;
} WpStoreSession;

WpStoreSession *wp_store_session_open (const char *folder); /* on a worker; `folder` may be NULL */
WpStoreSession *wp_store_session_ref (WpStoreSession *self);
void wp_store_session_unref (WpStoreSession *self); /* NULL is fine */
G_DEFINE_AUTOPTR_CLEANUP_FUNC (WpStoreSession, wp_store_session_unref)

void wp_store_session_take (WpStoreSession *self); /* on a worker */
void wp_store_session_leave (WpStoreSession *self);

/* A file that holds an entry's profile: the pending one itself, or the text of an object with its commit (`minor`) as origin, under a name that
 * tells what it is, in a folder that lasts as long as the program. On a worker that has taken the session. Free with g_free(). */
char *wp_store_session_unpack (WpStoreSession *self, const WpStoreEntry *entry, const char *minor, GError **error);
char *wp_store_unpacked_folder (GError **error); /* made on demand; for whatever is to last as long as the program */
gboolean wp_store_is_unpacked (const char *path);
void wp_store_unpacked_clear (void); /* at the end of the program */
