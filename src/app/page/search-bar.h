/* The search bar: a text, how many boxes of the canvas it looks at have it in their names, and buttons to go through them. The canvas keeps
 * their colours and fades the others.
 *
 * Signals: changed (): other boxes match; closed (): one has left it. */
#pragma once

#include <adwaita.h>

#include "app/canvas/canvas.h"

#define WP_TYPE_SEARCH_BAR (wp_search_bar_get_type ())
G_DECLARE_FINAL_TYPE (WpSearchBar, wp_search_bar, WP, SEARCH_BAR, AdwBin)

void wp_search_bar_look_at (WpSearchBar *self, WpCanvas *canvas); /* which canvas is searched; nothing changes yet */

/* What folds frames away, and shows those of them that are searched for. */
typedef struct
{
  guint32 *(*matching) (gpointer of, const char *text); /* as wp_search_matching_stacks() has it; NULL: nothing is folded, or it must not be read now */
  gboolean (*open) (gpointer of, const char *text);     /* the folds with matches; FALSE: they are */
  void (*close) (gpointer of);                          /* them again */
  gboolean (*is_busy) (gpointer of);                    /* other rows are on their way */
} WpSearchFolds;

/* Those with matches open when typing has paused, or one goes to a match, and close again with the bar. `of` is an object, which may go before the bar. */
void wp_search_bar_look_behind (WpSearchBar *self, const WpSearchFolds *folds, gpointer of);
void wp_search_bar_open (WpSearchBar *self, const char *text);    /* NULL: the text that is there */
const char *wp_search_bar_text (WpSearchBar *self); /* "" while it is closed */
void wp_search_bar_append (WpSearchBar *self, GtkWidget *widget); /* at its end */
gboolean wp_search_bar_is_open (WpSearchBar *self);
void wp_search_bar_update (WpSearchBar *self);                    /* after the canvas has got other rows, or is another one */
gboolean wp_search_bar_marks (WpSearchBar *self);                 /* it says which boxes of the canvas keep their colours */
gboolean wp_search_bar_has_matches (WpSearchBar *self);           /* or may have: they are still looked for */
void wp_search_bar_close_folds (WpSearchBar *self);               /* those that it opened, or is about to open */
void wp_search_bar_next (WpSearchBar *self, int direction);       /* selects the next match, or with -1 the previous one */
