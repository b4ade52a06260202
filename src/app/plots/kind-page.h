/* What a page shows of a profile that explains no process: the views that suit it, chosen at the side, each with its choices
 * above it, what is selected below it. Views are drawn by a worker when they are looked at for the first time.
 *
 * Signals: changed () — what can be done with it, or which view is shown; told (char *) — what became of an analysis. */
#pragma once

#include <adwaita.h>

#include "app/canvas/canvas.h"
#include "view/kinds.h"

#define WP_TYPE_KIND_PAGE (wp_kind_page_get_type ())
G_DECLARE_FINAL_TYPE (WpKindPage, wp_kind_page, WP, KIND_PAGE, AdwBin)

GtkWidget *wp_kind_page_new (WpShared *kinds); /* a WpKinds, which from now on is only used by this page's worker */

gboolean wp_kind_page_busy (WpKindPage *self);
gboolean wp_kind_page_unsaved (WpKindPage *self); /* an analysis changed the profile since it was read or saved */
void wp_kind_page_set_unsaved (WpKindPage *self, gboolean unsaved);
WpKind wp_kind_page_current (WpKindPage *self);

/* What the current view shows; NULL where it is something else, or nothing yet. */
WpCanvas *wp_kind_page_canvas (WpKindPage *self);
WpShared *wp_kind_page_rows (WpKindPage *self);
WpShared *wp_kind_page_chart (WpKindPage *self, WpChartView *view);
WpShared *wp_kind_page_grid (WpKindPage *self, guint32 **order, guint32 *n); /* with the rows that are shown; free `order` */
char *wp_kind_page_text (WpKindPage *self); /* the raw text. Free with g_free() */
WpShared *wp_kind_page_kinds (WpKindPage *self); /* to be asked by workers that hold its lock */

void wp_kind_page_zoom (WpKindPage *self, double factor); /* 0: everything */
