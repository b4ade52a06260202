/* The processes to choose from, as one list (a GListModel of WpProcessRow): those that match what was typed, in an
 * order. A worker reads them again when it is asked to. A row stays the same object as long as its process lives, so
 * what is selected stays selected wherever it moves. While the list is held, rows keep their places: figures go on,
 * who has ended is told in its row, and who is new comes last.
 *
 * Signal: refreshed (): they have been read. Of a row: changed (): its figures are others, or it has ended. */
#pragma once

#include <gio/gio.h>

#include "record/processes.h"

#define WP_TYPE_PROCESS_ROW (wp_process_row_get_type ())
G_DECLARE_FINAL_TYPE (WpProcessRow, wp_process_row, WP, PROCESS_ROW, GObject)

const WpProcess *wp_process_row_get (WpProcessRow *self); /* as it was read last */
gboolean wp_process_row_has_ended (WpProcessRow *self);
char *wp_process_row_describe (WpProcessRow *self); /* "cron (712)"; free with g_free() */

typedef enum
{
  WP_PROCESS_NAME,
  WP_PROCESS_PID,
  WP_PROCESS_USER,
  WP_PROCESS_SHARE,
  WP_PROCESS_UNIT,
  WP_PROCESS_COMMAND,
} WpProcessColumn;

int wp_process_compare (WpProcessColumn column, const WpProcess *a, const WpProcess *b); /* smallest first; else by pid */

#define WP_TYPE_PROCESS_MODEL (wp_process_model_get_type ())
G_DECLARE_FINAL_TYPE (WpProcessModel, wp_process_model, WP, PROCESS_MODEL, GObject)

WpProcessModel *wp_process_model_new (void);
void wp_process_model_refresh (WpProcessModel *self); /* “refreshed” follows; nothing where a worker reads them already */
void wp_process_model_take (WpProcessModel *self, WpProcesses *processes); /* what was read; takes it over */

void wp_process_model_set_words (WpProcessModel *self, const char *words);                   /* see wp_process_matches() */
void wp_process_model_set_order (WpProcessModel *self, GCompareDataFunc func, gpointer data); /* of WpProcessRow; NULL: the busiest first */
void wp_process_model_hold (WpProcessModel *self, gboolean held);

guint wp_process_model_count (WpProcessModel *self); /* of all, whatever was typed */
gboolean wp_process_model_is_partial (WpProcessModel *self); /* others' processes are hidden from us */

/* A choice in the words of “record --attach”: the unit, where all of it is chosen; else the name of the first. Free with g_free(). */
char *wp_process_model_remember (WpProcessModel *self, GPtrArray *rows);
/* The processes that such words mean now: all of a unit, else the only one with the name. The list ends with 0; free with
 * g_free(). NULL: none, or nobody can tell which. */
gint32 *wp_process_model_recall (WpProcessModel *self, const char *words);
