/* What has happened, in words that go away by themselves, or when the next ones come. Unlike a toast of its own kind it takes as many lines as it
 * needs: what a message says to do stands at its end. */
#pragma once

#include <adwaita.h>

void wp_toast (AdwToastOverlay *overlay, const char *text); /* plain text */

/* With a button that activates an action; it stays for long. */
void wp_toast_with_button (AdwToastOverlay *overlay, const char *text, const char *label, const char *action);

void wp_toast_dismiss (AdwToastOverlay *overlay); /* what was said last is true no more */
