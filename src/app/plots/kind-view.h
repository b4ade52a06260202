/* One of the views of a profile that explains no process: what is chosen in it, the picture or a message in its place, and what of the picture
 * was clicked. */
#pragma once

#include "app/plots/chart-area.h"
#include "app/plots/grid-table.h"
#include "app/plots/kind-choosers.h"
#include "app/plots/kind-details.h"
#include "app/canvas/view.h"

typedef struct
{
  GtkStack *stack; /* "shown", "message" */
  AdwStatusPage *message;
  WpView *view;    /* one of these */
  WpChartArea *chart;
  WpGridTable *table;
  GtkTextView *text;
  WpKindChoosers *choosers;
  WpKindNotes *notes; /* of the rows, or NULL */
  GtkWidget *details;
  gboolean drawn, wanted;
} WpKindView;

/* Its widget; `chosen` is called when something else is chosen. It stays where it is in memory for as long as the widget lives. */
GtkWidget *wp_kind_view_build (WpKindView *self, WpKind kind, WpKinds *kinds, WpKindChosen chosen, gpointer data);
void wp_kind_view_clear (WpKindView *self);
void wp_kind_view_show (WpKindView *self, WpKindPicture *picture); /* takes what is in the picture */
void wp_kind_view_show_message (WpKindView *self, const char *message);
char *wp_kind_view_text (const WpKindView *self); /* NULL: it shows none; free with g_free() */
