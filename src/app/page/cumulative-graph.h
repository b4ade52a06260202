/* The graph under the explanation table: how the categories add up, with and without waiting on other paths.
 *
 * Signal: category-clicked (uint): a category's step was clicked. */
#pragma once

#include <gtk/gtk.h>

#include "paths/explain.h"

#define WP_TYPE_CUMULATIVE_GRAPH (wp_cumulative_graph_get_type ())
G_DECLARE_FINAL_TYPE (WpCumulativeGraph, wp_cumulative_graph, WP, CUMULATIVE_GRAPH, GtkDrawingArea)

void wp_cumulative_graph_show (WpCumulativeGraph *self, const WpExplanation *explanation); /* read, not kept */
void wp_cumulative_graph_choose (WpCumulativeGraph *self, WpCategory category); /* WP_CATEGORY_COUNT: none */
