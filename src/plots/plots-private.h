/* What the files of the views of profiles share. */
#pragma once

#include "plots/plots.h"

typedef gboolean (*WpPlotDraw) (WpPlots *self, const WpPlotOptions *options, WpPlotPicture *picture, WpProgress *progress,
                                GError **error);

gboolean wp_plot_flame (WpPlots *self, const WpPlotOptions *options, WpPlotPicture *picture, WpProgress *progress, GError **error);
gboolean wp_plot_heap_map (WpPlots *self, const WpPlotOptions *options, WpPlotPicture *picture, WpProgress *progress, GError **error);
gboolean wp_plot_heat_map (WpPlots *self, const WpPlotOptions *options, WpPlotPicture *picture, WpProgress *progress, GError **error);
gboolean wp_plot_allocations (WpPlots *self, const WpPlotOptions *options, WpPlotPicture *picture, WpProgress *progress, GError **error);
gboolean wp_plot_scatter (WpPlots *self, const WpPlotOptions *options, WpPlotPicture *picture, WpProgress *progress, GError **error);
gboolean wp_plot_bars (WpPlots *self, const WpPlotOptions *options, WpPlotPicture *picture, WpProgress *progress, GError **error);
gboolean wp_plot_flow (WpPlots *self, const WpPlotOptions *options, WpPlotPicture *picture, WpProgress *progress, GError **error);
gboolean wp_plot_resources (WpPlots *self, const WpPlotOptions *options, WpPlotPicture *picture, WpProgress *progress, GError **error);
gboolean wp_plot_models (WpPlots *self, const WpPlotOptions *options, WpPlotPicture *picture, WpProgress *progress, GError **error);

/* A value as people read it: numbers and texts as they are, objects joined. The string is valid until the next call. */
const char *wp_plot_text (WpPlots *self, WpValue value, GString *buffer);

/* What a flow goes along unless something else is chosen; NULL: nothing suits. */
const char *wp_plot_flow_field (const WpPlots *self);

/* A trace as text, a line a frame, innermost first; added to what is there. */
void wp_plot_append_trace (const WpPlots *self, WpValue trace, GString *text);

/* What a box of a heap map says. */
char *wp_plot_describe_allocation (const WpRows *rows, const WpPlotNotes *notes, const WpBox *box, guint frames);

/* Whether resource i frees what another one allocated. */
gboolean wp_plot_frees (const WpPlots *self, guint32 i);

/* The amount of resource i in `self->unit`; NaN: it has none. */
double wp_plot_amount (const WpPlots *self, guint32 i);

/* How the header calls the unit of amounts within brackets: "amount (ms)"; just the name where the unit is formatted. */
char *wp_plot_axis_name (const WpPlots *self, const char *field);
