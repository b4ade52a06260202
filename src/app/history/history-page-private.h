/* What the files of the history plot share. */
#pragma once

#include "workspace/history-columns.h"
#include "app/history/history-page.h"
#include "app/plots/chart-area.h"
#include "workspace/job.h"

/* A point as it stays while more becomes known. */
typedef struct
{
  guint32 line, commit;
} WpHistoryPick;

struct _WpHistoryPage
{
  AdwBin parent_instance;

  GtkStack *stack; /* "message", "chart" */
  AdwStatusPage *message;
  AdwToastOverlay *toasts;
  GtkDropDown *figures, *lines;
  GtkEntry *name;
  GtkWidget *bar, *open, *compare, *export;
  GtkLabel *foot;
  GtkSpinner *spinner;
  WpChartArea *chart;

  char *title;
  WpStoreSession *session;
  WpShared *history;         /* WpHistory; NULL: not yet */
  WpHistoryColumns *columns;
  WpHistoryPoints points;    /* what the chart shows */
  WpHistoryPick picked[2];
  guint n_picked, left, failed, typing;
  char *problem;             /* of the first profile that could not be read */
  WpJob *gathering, *reading, *unpacking, *saving;
};

/* history-page.c */
void wp_history_page_read (WpHistoryPage *self); /* what of the chosen figure is not known yet; shows what is */
void wp_history_page_show (WpHistoryPage *self);
void wp_history_page_toast (WpHistoryPage *self, const char *text);
void wp_history_page_export (WpHistoryPage *self);

/* history-bar.c */
void wp_history_page_build_bar (WpHistoryPage *self);
void wp_history_page_fill_lines (WpHistoryPage *self);
gboolean wp_history_page_figure (WpHistoryPage *self, WpFigure *figure); /* the chosen one, its text the entry's; FALSE: the name is missing */
guint32 wp_history_page_line (WpHistoryPage *self);                      /* the chosen command's, or WP_HISTORY_ALL */

/* history-picks.c */
void wp_history_page_connect_points (WpHistoryPage *self);
void wp_history_page_picked (const WpHistoryPage *self, guint32 rows[2]); /* the older one first; G_MAXUINT32: none */
void wp_history_page_open_picked (WpHistoryPage *self);
void wp_history_page_compare_picked (WpHistoryPage *self);
