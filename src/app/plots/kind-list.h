/* The names of a profile's views, beside them: one stop of the Tab key, the arrows go through it and choose at once.
 *
 * Signals:
 *   chosen (guint kind)   by the user, or because another one was chosen from outside */
#pragma once

#include <adwaita.h>

#include "view/kinds.h"

#define WP_TYPE_KIND_LIST (wp_kind_list_get_type ())
G_DECLARE_FINAL_TYPE (WpKindList, wp_kind_list, WP, KIND_LIST, AdwBin)

GtkWidget *wp_kind_list_new (const char *name); /* for assistive technology */

/* Bit k of `offered`: WpKind k is in the list. `current` is chosen; nothing is told of it. */
void wp_kind_list_set (WpKindList *self, guint offered, WpKind current);
void wp_kind_list_choose (WpKindList *self, WpKind kind);
