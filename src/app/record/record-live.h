/* A recording that is under way, on the screen: its state, live counters, and what one can do with it.
 *
 * Signals: pause (), resume (), snapshot (); rate (guint): so many CPU samples a second; sample (gboolean chosen): of whom; interest (int pid): the process to open it with;
 * stop ();
 * discard (), to keep nothing; printed (): what the command printed is asked for */
#pragma once

#include <adwaita.h>

#include "record/recorder.h"

#define WP_TYPE_RECORD_LIVE (wp_record_live_get_type ())
G_DECLARE_FINAL_TYPE (WpRecordLive, wp_record_live, WP, RECORD_LIVE, AdwBin)

void wp_record_live_show (WpRecordLive *self, const WpRecorder *recorder);
void wp_record_live_set_interest (WpRecordLive *self, const char *name); /* of the process that it opens with; NULL: none */
void wp_record_live_set_keep (WpRecordLive *self, double seconds); /* only the last so many; 0: everything */
void wp_record_live_set_run (WpRecordLive *self, guint number, gint64 before_us); /* which run of the command, and how long the last was; 0: the only one */
void wp_record_live_rate_is_set (WpRecordLive *self); /* what “rate” asked for has been done, as far as it can be */
void wp_record_live_set_printed (WpRecordLive *self, gboolean command, const char *line); /* whether one is recorded, and its last line, or NULL */
void wp_record_live_focus (WpRecordLive *self); /* gives the keyboard to Stop */

/* Messages begin in lower case, since on a terminal they follow the program's name. Free with g_free(). */
char *wp_record_sentence (const char *message);
