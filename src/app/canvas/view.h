/* One view of a page: a canvas with its axis, minimap, row names, scroll bar and legend; or, while there is nothing to
 * see, a page that says why.
 *
 * Signals: row-opened (uint row): a row's name was clicked; note-opened (uint note): a flag was; cancelled (): Cancel was pressed while busy. */
#pragma once

#include <adwaita.h>

#include "app/canvas/canvas.h"
#include "app/canvas/strip.h"

#define WP_TYPE_VIEW (wp_view_get_type ())
G_DECLARE_FINAL_TYPE (WpView, wp_view, WP, VIEW, AdwBin)

GtkWidget *wp_view_new (const char *name);
WpCanvas *wp_view_canvas (WpView *self);
GtkBox *wp_view_toolbar (WpView *self); /* above the canvas; empty at first */

void wp_view_set_rows (WpView *self, WpShared *rows, gboolean keep_place); /* NULL: what wp_view_show_empty() said */
void wp_view_show_empty (WpView *self, const char *icon, const char *title, const char *text);
void wp_view_offer (WpView *self, const char *label, const char *action); /* a button below what wp_view_show_empty() said */
void wp_view_show_busy (WpView *self, const char *title, double fraction); /* negative: nobody knows */
gboolean wp_view_has_boxes (WpView *self); /* to be seen: no such page is in their place */

/* The wait chain above the canvas, where there is more than one band. NULL: none. */
void wp_view_set_strip (WpView *self, WpShared *rows, const char *description);
void wp_view_show_strip (WpView *self, gboolean shown);
WpStrip *wp_view_strip (WpView *self);
void wp_view_choose_row (WpView *self, gint32 key); /* marks the name of a row, by its key; 0: none */

/* Flags in the axis and the overview of a view over time; `notes`: WpNote, copied. */
void wp_view_set_notes (WpView *self, const GArray *notes);
void wp_view_set_colors (WpView *self, WpColors colors);
void wp_view_set_legend (WpView *self, gboolean legend);
