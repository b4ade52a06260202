/* The question whether the commands that a store's settings name may run, with all of them to be read. */
#pragma once

#include <adwaita.h>

#include "store/trust.h"

#define WP_TRUST_DIALOG_TRUST "trust" /* the response that says yes; every other one is no */

/* An AdwMessageDialog, to be presented; it copies what it shows. */
GtkWidget *wp_trust_dialog_new (GtkWindow *parent, const WpStoreCommands *commands);
