/* A history as a file whose name tells what it is: a picture of its chart (.svg, .png, .pdf) or its figures (.csv, .tsv, .json). */
#pragma once

#include "paint/paint.h"
#include "store/history.h"
#include "workspace/worker.h"
#include "workspace/shared.h"

/* Whether a file of this name holds figures, and how they are written. */
gboolean wp_history_save_as_text (const char *path, WpHistoryFormat *text);

/* Writes the chart (a WpChart) or, where the name says so, the text, on a worker. The worker's result is the path (g_free). */
WpWorker *wp_history_save (const char *path, WpShared *chart, WpTheme theme, const char *text, WpWorkerDone done, gpointer user_data);
