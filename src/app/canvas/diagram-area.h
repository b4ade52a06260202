/* Shows a diagram of nodes and edges: zooms, pans, selects, with a small map in a corner. It knows nothing of what nodes stand for.
 *
 * Signals:
 *   node-selected (uint node)    WP_NO_NODE: nothing is selected
 *   node-opened (uint node)      double click or Return
 *   menu-wanted (uint node, double x, double y)
 *   place-changed ()
 *
 * Keyboard, wheel and pointer are those of the canvas (picture-widget.h). */
#pragma once

#include <gtk/gtk.h>

#include "paint/paint.h"
#include "workspace/shared.h"

#define WP_TYPE_DIAGRAM_AREA (wp_diagram_area_get_type ())
G_DECLARE_FINAL_TYPE (WpDiagramArea, wp_diagram_area, WP, DIAGRAM_AREA, GtkWidget)

/* What a tooltip and assistive technology say of a node, or of an edge. Free with g_free(). */
typedef char *(*WpDiagramDescribe) (guint node, guint edge, gpointer user_data); /* one of both is WP_NO_NODE */

GtkWidget *wp_diagram_area_new (void);

/* Shows another diagram, owned by `owner`, which is referenced; NULL: none. `selected`: which of its nodes stands for the same as the selected one, and is selected then and
 * stays where it is; WP_NO_NODE: none. What describes nodes is asked about the new ones from here on. */
void wp_diagram_area_set_diagram (WpDiagramArea *self, const WpDiagram *diagram, WpShared *owner, guint selected);
const WpDiagram *wp_diagram_area_diagram (WpDiagramArea *self); /* may be NULL */
void wp_diagram_area_set_describe (WpDiagramArea *self, WpDiagramDescribe func, gpointer user_data);

guint wp_diagram_area_selected (WpDiagramArea *self);
void wp_diagram_area_select (WpDiagramArea *self, guint node, gboolean reveal);
void wp_diagram_area_set_highlight (WpDiagramArea *self, guint8 *nodes); /* a byte a node, taken; NULL: all */

void wp_diagram_area_step (WpDiagramArea *self, int direction); /* +1 in, -1 out, 0 everything */
