/* A page: what one tab shows of one opened file. It opens the file in a worker, shows its progress, then the three views
 * with details and explanation. What can be done with it is a table of actions, which its window turns into win.*.
 *
 * Signals:
 *   changed ()    title, or which actions can be used, or their state
 *   finished ()   nothing is to be shown any more: opening was cancelled */
#pragma once

#include <adwaita.h>

#include "workspace/shared.h"

#define WP_TYPE_PAGE (wp_page_get_type ())
G_DECLARE_FINAL_TYPE (WpPage, wp_page, WP, PAGE, AdwBin)

typedef struct
{
  const char *name;
  const char *type; /* "b": an option of the page; "s": of its state when it has one, else of its parameter; or NULL */
  void (*activate) (WpPage *page, GVariant *value); /* of an option: what is to be done when it has changed */
  gboolean (*enabled) (WpPage *page);  /* NULL: once the views are there */
  GVariant *(*state) (WpPage *page);   /* NULL: it has none, or is an option */
  gboolean (*kinds) (WpPage *page);    /* the same as `enabled` for a profile that explains no process; NULL: never */
  gsize option;                        /* where the page keeps an option: the offset of a gboolean */
  const char *setting;                 /* what keeps it beyond; or NULL */
} WpPageAction;

extern const WpPageAction wp_page_actions[];
extern const guint wp_page_n_actions;

/* Opens `file`. `title`: what the tab is called; NULL: the file's name. */
GtkWidget *wp_page_new (GFile *file, const char *title);
GFile *wp_page_file (WpPage *self);
const char *wp_page_title (WpPage *self);
GtkWidget *wp_page_panel (WpPage *self); /* its explanation, for the side panel of its window */
WpShared *wp_page_share_analysis (WpPage *self); /* WpAnalysis of the process of interest; NULL: none. Drop it with wp_shared_unref() */
gboolean wp_page_unsaved (WpPage *self); /* what is shown has been changed and would be lost */
gboolean wp_page_shows_profile (WpPage *self); /* of another kind: it is what is in the file */
const char *wp_page_recorder_text (WpPage *self, const char *key); /* what the recorder said ("folder", "commit"), or NULL */
gboolean wp_page_busy (WpPage *self);
gboolean wp_page_has_views (WpPage *self); /* the file is open */
gboolean wp_page_action_enabled (WpPage *self, const WpPageAction *action);
gboolean wp_page_action_has_state (const WpPageAction *action);
GVariant *wp_page_action_state (WpPage *self, const WpPageAction *action); /* floating; of one that has a state */
void wp_page_action_activate (WpPage *self, const WpPageAction *action, GVariant *value);
