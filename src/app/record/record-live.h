/* A recording that is under way, on the screen: its state, live counters, pause and stop.
 *
 * Signals: pause (), also to go on; stop (), also to discard what is being finished */
#pragma once

#include <adwaita.h>

#include "record/recorder.h"

#define WP_TYPE_RECORD_LIVE (wp_record_live_get_type ())
G_DECLARE_FINAL_TYPE (WpRecordLive, wp_record_live, WP, RECORD_LIVE, AdwBin)

void wp_record_live_show (WpRecordLive *self, const WpRecorder *recorder);
void wp_record_live_focus (WpRecordLive *self); /* gives the keyboard to Stop */

/* Messages begin in lower case, since on a terminal they follow the program's name. Free with g_free(). */
char *wp_record_sentence (const char *message);
