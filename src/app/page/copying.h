/* What a page puts on the clipboard: what is said of what is selected, as text or as Markdown, and pictures. */
#pragma once

#include <gtk/gtk.h>

#include "workspace/file/export.h"

/* `said`: lines, the first one a name; `stack` (may be NULL): functions, a line each, innermost first. */
void wp_copy_said (GtkWidget *widget, const char *said, const char *stack, gboolean markdown);

/* The picture that an export would write; takes it. Returns what became of it: free with g_free(). */
char *wp_copy_picture (GtkWidget *widget, WpExport *picture);
