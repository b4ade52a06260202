/* The live view of what is being recorded: consolidated view, explanation and functions of its last seconds, with
 * the process, the seconds and what it costs. */
#pragma once

#include <adwaita.h>

#include "record/recorder.h"

#define WP_TYPE_LIVE_VIEW (wp_live_view_get_type ())
G_DECLARE_FINAL_TYPE (WpLiveView, wp_live_view, WP, LIVE_VIEW, AdwBin)

void wp_live_view_show (WpLiveView *self, const WpRecorder *recorder); /* whenever the recorder tells something */
