/* A bar that is revealed and hidden. One that is hidden is not there for assistive technology either. */
#pragma once

#include <gtk/gtk.h>

void wp_reveal (GtkRevealer *bar, gboolean shown);

/* For the template of a widget that has such bars: handler of their notify::child-revealed, "on_revealed" there. */
void wp_reveal_bind (GtkWidgetClass *klass);
