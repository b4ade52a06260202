/* What a page puts on the clipboard: what is said of what is selected, as text or as Markdown, and pictures. */
#pragma once

#include <gtk/gtk.h>

#include "workspace/file/export.h"

/* `said`: lines, the first one a name; `stack` (may be NULL): functions, a line each, innermost first. */
void wp_copy_said (GtkWidget *widget, const char *said, const char *stack, gboolean markdown);

/* The picture that an export would write; takes it. A worker draws it. `tell` is told what became of it, as long as the widget is shown in a window. */
void wp_copy_picture (GtkWidget *widget, WpExport *picture, void (*tell) (gpointer widget, const char *text));
