/* Figures of all profiles of a history, as far as they have been read: a column for each figure. For the main thread. */
#pragma once

#include "workspace/history/history-data.h"

typedef struct WpHistoryColumns WpHistoryColumns;

WpHistoryColumns *wp_history_columns_new (WpShared *history);
void wp_history_columns_free (WpHistoryColumns *self);

/* A value for each profile; NaN: not read, or there is none. Lives until the columns go. */
const WpFigureValue *wp_history_columns_values (WpHistoryColumns *self, const WpFigure *figure);

/* What to read next for a figure of a line (or WP_HISTORY_ALL): the newest commits first. Figures that come with it are read in passing.
 * NULL: everything is there. */
WpHistoryReading *wp_history_columns_next (WpHistoryColumns *self, WpStoreSession *session, const WpFigure *figure, guint32 line,
                                           guint *left);
void wp_history_columns_take (WpHistoryColumns *self, const WpHistoryValues *values);
