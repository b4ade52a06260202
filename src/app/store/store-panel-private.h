/* What the files of the Store page share. */
#pragma once

#include "workspace/store-figures.h"
#include "app/store/store-panel.h"
#include "workspace/store-rows.h"
#include "workspace/job.h"

struct _WpStorePanel
{
  AdwBin parent_instance;

  /* the template */
  AdwToastOverlay *toasts;
  GtkStack *stack; /* "busy", "empty", "list" */
  AdwStatusPage *empty;
  GtkWidget *choose, *create, *over, *notice, *trust, *foot;
  GtkLabel *folder_name, *position, *notice_text;
  GtkDropDown *branches, *types, *commands;
  GtkSearchEntry *search;
  GtkToggleButton *with_profiles;
  GtkScrolledWindow *scroller;
  GtkListView *list;
  GMenuModel *menu;
  GtkWidget *popover; /* of `menu`, made on demand */
  GtkWidget *range;   /* the dialog that profiles commits; weak */

  WpStoreRows *rows;
  WpStoreFigures *figures;
  GtkMultiSelection *selection;

  char *folder;            /* what is shown, or is being read; or NULL */
  char *branch;            /* that the user chose; NULL: the one that is checked out */
  WpStoreSession *session; /* or NULL: nothing has been read yet */
  char head[41];           /* "": no commit yet */
  char *head_branch;
  guint dirty;             /* 0: unknown, 1: clean, 2: dirty */
  guint n_minors;
  gboolean more;           /* commits are left to be read */
  char sought[41];         /* a commit that is to be shown once it has been read; "": none */
  gboolean again;          /* something changed while it was read */
  gboolean filling;        /* widgets change, and nobody chose anything */
  gboolean gone;

  WpPage *page;            /* weak */
  WpJob *reading, *reading_more, *looking, *suggesting, *working;
};

/* store-panel.c */
void wp_store_panel_read (WpStorePanel *self);        /* what is shown, again */
void wp_store_panel_toast (WpStorePanel *self, const char *text);
void wp_store_panel_create (WpStorePanel *self);      /* a store in the folder */
void wp_store_panel_open_again (WpStorePanel *self);  /* the same folder, as if it had just been chosen */

/* store-header.c */
void wp_store_panel_show_folder (WpStorePanel *self);
void wp_store_panel_show_position (WpStorePanel *self); /* where HEAD is, and whether the work tree is dirty */
void wp_store_panel_show_branches (WpStorePanel *self, WpStoreReading *reading);
void wp_store_panel_show_kinds (WpStorePanel *self); /* what profiles can be filtered by, of all that have been read */
void wp_store_panel_show_notice (WpStorePanel *self, const char *notice); /* NULL: none */
void wp_store_panel_show_empty (WpStorePanel *self, WpStoreState state, const char *message); /* in place of the list */

/* What is chosen in one of the drop-downs; NULL: nothing, or all where the first row says so. Free with g_free(). */
char *wp_store_panel_chosen (GtkDropDown *drop_down, gboolean has_all);

/* store-list.c */
void wp_store_panel_build_list (WpStorePanel *self);
void wp_store_panel_read_more_if_seen (WpStorePanel *self); /* when the end of what has been read is near, or nothing is found in it */

/* store-selection.c */

/* What can be true of the page and of what is selected in it. */
typedef enum
{
  WP_STORE_FACT_FOLDER = 1 << 0,
  WP_STORE_FACT_STORE = 1 << 1,
  WP_STORE_FACT_COMMIT = 1 << 2,      /* in the repository */
  WP_STORE_FACT_PAGE = 1 << 3,        /* the window shows what can be saved */
  WP_STORE_FACT_ROW = 1 << 4,
  WP_STORE_FACT_PROFILE = 1 << 5,
  WP_STORE_FACT_ONE_PROFILE = 1 << 6, /* and nothing else */
  WP_STORE_FACT_ALL_PENDING = 1 << 7,
  WP_STORE_FACT_ONE_SORT = 1 << 8,    /* all pending or all registered, so that a question about them is one */
  WP_STORE_FACT_PAIR = 1 << 9,        /* two profiles, or two commits that have profiles */
  WP_STORE_FACT_SOUND = 1 << 10,      /* no selected profile has a problem */
  WP_STORE_FACT_KNOWN = 1 << 11,      /* nor is one of an index that cannot be read */
} WpStoreFacts;

WpStoreFacts wp_store_panel_facts (WpStorePanel *self);
GPtrArray *wp_store_panel_selected_rows (WpStorePanel *self); /* WpStoreRow, without headings; free with g_ptr_array_unref() */

/* Hashes of the selected commits, or of those of the selected profiles, each once and the oldest first. Free with g_strfreev(). */
char **wp_store_panel_selected_commits (WpStorePanel *self);

/* store-actions.c */
void wp_store_panel_install_actions (GtkWidgetClass *klass);
void wp_store_panel_update_actions (WpStorePanel *self);
void wp_store_panel_open_row (WpStorePanel *self, guint position);
gboolean wp_store_panel_drop (WpStorePanel *self, GSList *files); /* GFile: adds them to the pending ones */

/* store-drag.c */
GdkContentProvider *wp_store_drag_new (WpStoreSession *session, WpStoreProfile *profile); /* the profile as a file */
