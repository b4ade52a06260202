/* What the files of the views of profiles share. */
#pragma once

#include "view/kinds.h"

typedef gboolean (*WpKindDraw) (WpKinds *self, const WpKindOptions *options, WpKindPicture *picture, WpProgress *progress,
                                GError **error);

gboolean wp_kind_flame (WpKinds *self, const WpKindOptions *options, WpKindPicture *picture, WpProgress *progress, GError **error);
gboolean wp_kind_heap_map (WpKinds *self, const WpKindOptions *options, WpKindPicture *picture, WpProgress *progress, GError **error);
gboolean wp_kind_heat_map (WpKinds *self, const WpKindOptions *options, WpKindPicture *picture, WpProgress *progress, GError **error);
gboolean wp_kind_allocations (WpKinds *self, const WpKindOptions *options, WpKindPicture *picture, WpProgress *progress, GError **error);
gboolean wp_kind_scatter (WpKinds *self, const WpKindOptions *options, WpKindPicture *picture, WpProgress *progress, GError **error);
gboolean wp_kind_bars (WpKinds *self, const WpKindOptions *options, WpKindPicture *picture, WpProgress *progress, GError **error);
gboolean wp_kind_flow (WpKinds *self, const WpKindOptions *options, WpKindPicture *picture, WpProgress *progress, GError **error);
gboolean wp_kind_resources (WpKinds *self, const WpKindOptions *options, WpKindPicture *picture, WpProgress *progress, GError **error);
gboolean wp_kind_models (WpKinds *self, const WpKindOptions *options, WpKindPicture *picture, WpProgress *progress, GError **error);

/* A value as people read it: numbers and texts as they are, objects joined. The string is valid until the next call. */
const char *wp_kind_text (WpKinds *self, WpValue value, GString *buffer);

/* What a flow goes along unless something else is chosen; NULL: nothing suits. */
const char *wp_kind_flow_field (const WpKinds *self);

/* A trace as text, a line a frame, innermost first; added to what is there. */
void wp_kind_append_trace (const WpKinds *self, WpValue trace, GString *text);

/* What a box of a heap map says. */
char *wp_kind_describe_allocation (const WpRows *rows, const WpKindNotes *notes, const WpBox *box, guint frames);

/* Whether resource i frees what another one allocated. */
gboolean wp_kind_frees (const WpKinds *self, guint32 i);

/* The amount of resource i in `self->unit`; NaN: it has none. */
double wp_kind_amount (const WpKinds *self, guint32 i);

/* How the header calls the unit of amounts within brackets: "amount (ms)"; just the name where the unit is formatted. */
char *wp_kind_axis_name (const WpKinds *self, const char *field);
