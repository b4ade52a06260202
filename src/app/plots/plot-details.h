/* Text about what is selected, below a view: it can be selected and copied, and takes no room while there is none. */
#pragma once

#include <gtk/gtk.h>

GtkWidget *wp_plot_details_new (void);
const char *wp_plot_details_text (GtkWidget *details); /* "": nothing is selected */
void wp_plot_details_show (GtkWidget *details, const char *text); /* NULL or "": nothing is selected */
