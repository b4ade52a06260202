/* What a page shows of a profile that explains no process: the views that suit it, chosen at the side, each with its choices
 * above it. Views are drawn by a worker when they are looked at for the first time.
 *
 * Signal: changed () — what can be done with it, or which view is shown. */
#pragma once

#include <adwaita.h>

#include "app/canvas.h"
#include "view/kinds.h"

#define WP_TYPE_KIND_PAGE (wp_kind_page_get_type ())
G_DECLARE_FINAL_TYPE (WpKindPage, wp_kind_page, WP, KIND_PAGE, AdwBin)

GtkWidget *wp_kind_page_new (WpShared *kinds); /* a WpKinds, which from now on is only used by this page's worker */

gboolean wp_kind_page_busy (WpKindPage *self);
void wp_kind_page_show (WpKindPage *self, WpKind kind);
WpKind wp_kind_page_current (WpKindPage *self);

/* What the current view shows; NULL where it is something else, or nothing yet. */
WpCanvas *wp_kind_page_canvas (WpKindPage *self);
WpShared *wp_kind_page_rows (WpKindPage *self);
WpShared *wp_kind_page_chart (WpKindPage *self, WpChartView *view);
char *wp_kind_page_text (WpKindPage *self); /* a table as TSV, or the raw text. Free with g_free() */

void wp_kind_page_zoom (WpKindPage *self, double factor); /* 0: everything */
