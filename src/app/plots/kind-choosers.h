/* What can be chosen in a view of a profile, as widgets in a bar: they hold the options and tell when those change. */
#pragma once

#include <gtk/gtk.h>

#include "view/kinds.h"

typedef struct WpKindChoosers WpKindChoosers;
typedef void (*WpKindChosen) (WpKind kind, gpointer user_data);

/* Reads what there is to choose from `kinds`, and does not keep it. */
WpKindChoosers *wp_kind_choosers_new (WpKind kind, const WpKinds *kinds, WpKindChosen chosen, gpointer user_data);
void wp_kind_choosers_free (WpKindChoosers *self); /* widgets that still live may not be used after this */
GtkWidget *wp_kind_choosers_widget (WpKindChoosers *self); /* NULL: there is nothing to choose */
void wp_kind_choosers_step (WpKindChoosers *self, int by); /* to another snapshot, where there are any */
void wp_kind_choosers_set_peak (WpKindChoosers *self, guint snapshot); /* where a button leads, once it is known; 0: nowhere */
void wp_kind_choosers_play (WpKindChoosers *self);         /* starts or stops going through the snapshots */
const WpKindOptions *wp_kind_choosers_options (WpKindChoosers *self); /* its texts live until the next change */
