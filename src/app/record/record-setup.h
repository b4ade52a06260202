/* What is to be recorded, and how: the first page of the Record dialog. Its settings are those of the last recording.
 *
 * Signals: changed (): whether it is_ready() may be another answer; turned (): it asks for something else, and needs more or less height; activated (): Enter;
 * cancelled (): Escape, where a list would have taken it. */
#pragma once

#include <adwaita.h>

#include "record/recorder.h"

#define WP_TYPE_RECORD_SETUP (wp_record_setup_get_type ())
G_DECLARE_FINAL_TYPE (WpRecordSetup, wp_record_setup, WP, RECORD_SETUP, AdwBin)

gboolean wp_record_setup_is_ready (WpRecordSetup *self); /* enough is chosen */

/* Fills in what was chosen, but for what belongs to the output; returns the name of what is recorded, and in `interest` that of the process to look at, or
 * NULL; g_free() both. NULL with an error (to be shown to the user): what was chosen is not there any more; `options` may be filled in in part. */
char *wp_record_setup_take (WpRecordSetup *self, WpRecordOptions *options, char **interest, GError **error);
gboolean wp_record_setup_can_take (WpRecordSetup *self); /* it would not fail */

void wp_record_setup_keep (WpRecordSetup *self); /* as the settings that the next dialog begins with */
void wp_record_setup_focus (WpRecordSetup *self);       /* what is asked for first gets the keyboard; it is within a window */
