/* The source of a function with what each line took, or its instructions with what each of them took. A worker reads files; what was asked for
 * last is what is shown. Folders in which sources were found, and whether instructions are shown, are kept in the settings. */
#pragma once

#include <adwaita.h>

#include "workspace/stacks/source-request.h"

#define WP_TYPE_SOURCE_VIEW (wp_source_view_get_type ())
G_DECLARE_FINAL_TYPE (WpSourceView, wp_source_view, WP, SOURCE_VIEW, AdwBin)

GtkWidget *wp_source_view_new (void);

/* `stacks` is a shared WpStacks, filtered already. The request is copied. */
void wp_source_view_show (WpSourceView *self, WpShared *stacks, const WpSourceRequest *request);

/* Nothing is chosen: a page says how to choose a function. */
void wp_source_view_clear (WpSourceView *self);

/* What the button “Choose Folder…” does with the folder that was chosen. */
void wp_source_view_add_folder (WpSourceView *self, const char *folder);

/* Instructions instead of source lines. What is chosen by the widget's own toggle stays for the next function. */
void wp_source_view_set_disassembly (WpSourceView *self, gboolean disassembly);
