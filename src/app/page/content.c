#include "app/page/content.h"

#include "app/shell/settings.h"

enum
{
  SIGNAL_CHANGED,
  SIGNAL_PROBLEMS_CHANGED,
  SIGNAL_TOLD,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

G_DEFINE_INTERFACE (WpContent, wp_content, GTK_TYPE_WIDGET)

const WpActionInfo wp_actions[WP_N_ACTIONS] = {
  [WP_ACTION_VIEW] = { "view", "s", TRUE, NULL, FALSE },
  [WP_ACTION_ZOOM_IN] = { .name = "zoom-in" },
  [WP_ACTION_ZOOM_OUT] = { .name = "zoom-out" },
  [WP_ACTION_ZOOM_FIT] = { .name = "zoom-fit" },
  [WP_ACTION_FIT_HEIGHT] = { "fit-height", "b", TRUE, NULL, FALSE },
  [WP_ACTION_FIT_SELECTION] = { .name = "fit-selection" },
  [WP_ACTION_BACK] = { .name = "back" },
  [WP_ACTION_FORWARD] = { .name = "forward" },
  [WP_ACTION_SHOW_SLEEPS] = { "show-sleeps", "b", TRUE, "show-sleeps", FALSE },
  [WP_ACTION_SUMMARY] = { "summary", "b", TRUE, "summary", FALSE },
  [WP_ACTION_BY_CPU] = { "by-cpu", "b", TRUE, NULL, FALSE },
  [WP_ACTION_MERGE_THREADS] = { "merge-threads", "b", TRUE, "merge-threads", FALSE },
  [WP_ACTION_STARTED_WORK] = { "started-work", "b", TRUE, "started-work", FALSE },
  [WP_ACTION_INVERTED] = { "inverted", "b", TRUE, NULL, FALSE },
  [WP_ACTION_COLLAPSE_RECURSION] = { "collapse-recursion", "b", TRUE, NULL, FALSE },
  [WP_ACTION_ICICLE] = { "icicle", "b", TRUE, NULL, FALSE },
  [WP_ACTION_DEPTH] = { "depth", "s", TRUE, NULL, FALSE },
  [WP_ACTION_COLORS] = { "colours", "s", TRUE, NULL, FALSE },
  [WP_ACTION_SINCE_PROCESS] = { "since-process", "b", TRUE, "since-process", FALSE },
  [WP_ACTION_LEGEND] = { "legend", "b", TRUE, "show-legend", TRUE },
  [WP_ACTION_TURN_ROW] = { .name = "turn-row", .type = "s" },
  [WP_ACTION_PIN_ROW] = { .name = "pin-row", .type = "s" },
  [WP_ACTION_LINKS] = { "links", "b", TRUE, NULL, TRUE },
  [WP_ACTION_WAIT_CHAIN] = { "wait-chain", "b", TRUE, "show-wait-chain", TRUE },
  [WP_ACTION_DETAILS] = { "details", "b", TRUE, "show-details", TRUE },
  [WP_ACTION_EXPLAIN_ALSO] = { .name = "explain-also" },
  [WP_ACTION_OPEN_FLAME] = { .name = "open-flame" },
  [WP_ACTION_OPEN_FOLD] = { .name = "open-fold" },
  [WP_ACTION_TURN_GHOST] = { .name = "turn-ghost" },
  [WP_ACTION_COPY_NAME] = { .name = "copy-name" },
  [WP_ACTION_COPY_DETAILS] = { .name = "copy-details" },
  [WP_ACTION_COPY_MARKDOWN] = { .name = "copy-markdown" },
  [WP_ACTION_COPY_PICTURE] = { .name = "copy-picture" },
  [WP_ACTION_SEARCH_NAME] = { .name = "search-name" },
  [WP_ACTION_FILTER_TASK] = { .name = "filter-task" },
  [WP_ACTION_MARK_SELECTION] = { .name = "mark-selection" },
  [WP_ACTION_CLEAR_MARK] = { .name = "clear-mark" },
  [WP_ACTION_CUT_BRANCH] = { .name = "cut-branch" },
  [WP_ACTION_RESTORE_BRANCHES] = { .name = "restore-branches" },
  [WP_ACTION_HIDE_FUNCTION] = { .name = "hide-function" },
  [WP_ACTION_HIDE_MODULE] = { .name = "hide-module" },
  [WP_ACTION_HIDE_MATCHES] = { .name = "hide-matches" },
  [WP_ACTION_UNDO] = { .name = "undo" },
  [WP_ACTION_RAW_EVENTS] = { .name = "raw-events" },
  [WP_ACTION_ADD_NOTE] = { .name = "add-note" },
  [WP_ACTION_NOTES] = { .name = "notes" },
  [WP_ACTION_EXPORT_NOTES] = { .name = "export-notes", .writes = TRUE },
  [WP_ACTION_GO_TO_WAKER] = { .name = "go-to-waker" },
  [WP_ACTION_GO_TO_WOKEN] = { .name = "go-to-woken" },
  [WP_ACTION_SEARCH] = { .name = "search" },
  [WP_ACTION_NEXT_MATCH] = { .name = "next-match" },
  [WP_ACTION_PREVIOUS_MATCH] = { .name = "previous-match" },
  [WP_ACTION_STEP_NEXT] = { .name = "step-next" },
  [WP_ACTION_STEP_PREVIOUS] = { .name = "step-previous" },
  [WP_ACTION_STEP_LONGEST] = { .name = "step-longest" },
  [WP_ACTION_SAVE] = { .name = "save", .writes = TRUE },
  [WP_ACTION_SAVE_RECORDING] = { .name = "save-recording", .writes = TRUE },
  [WP_ACTION_EXPORT_PICTURE] = { .name = "export-picture", .writes = TRUE },
  [WP_ACTION_EXPORT_VISIBLE] = { .name = "export-visible", .writes = TRUE },
  [WP_ACTION_EXPORT_TABLE] = { .name = "export-table", .writes = TRUE },
  [WP_ACTION_COPY_TABLE] = { .name = "copy-table", .type = "s" },
  [WP_ACTION_SHOW_AROUND] = { .name = "show-around" },
};

gboolean
wp_action_kept (WpAction action)
{
  const WpActionInfo *info = &wp_actions[action];

  return info->setting != NULL ? wp_settings_boolean (info->setting, info->otherwise) : info->otherwise;
}

void
wp_action_keep (WpAction action, gboolean on)
{
  if (wp_actions[action].setting != NULL)
    wp_settings_set_boolean (wp_actions[action].setting, on);
}

const WpContentView *
wp_content_views (WpContent *self)
{
  WpContentInterface *iface = WP_CONTENT_GET_IFACE (self);

  return iface->views != NULL ? iface->views (self) : NULL;
}

gboolean
wp_content_busy (WpContent *self)
{
  return WP_CONTENT_GET_IFACE (self)->busy (self);
}

gboolean
wp_content_unsaved (WpContent *self)
{
  WpContentInterface *iface = WP_CONTENT_GET_IFACE (self);

  return iface->unsaved != NULL && iface->unsaved (self);
}

WpProblems *
wp_content_problems (WpContent *self)
{
  return WP_CONTENT_GET_IFACE (self)->problems (self);
}

WpWorkspace *
wp_content_workspace (WpContent *self)
{
  WpContentInterface *iface = WP_CONTENT_GET_IFACE (self);

  return iface->workspace != NULL ? iface->workspace (self) : NULL;
}

void
wp_content_changed (WpContent *self)
{
  g_signal_emit (self, signals[SIGNAL_CHANGED], 0);
}

void
wp_content_problems_changed (WpContent *self)
{
  g_signal_emit (self, signals[SIGNAL_PROBLEMS_CHANGED], 0);
}

void
wp_content_tell (WpContent *self, const char *text)
{
  g_signal_emit (self, signals[SIGNAL_TOLD], 0, text);
}

static const WpContentAction *
row_of (WpContent *self, WpAction action)
{
  return &WP_CONTENT_GET_IFACE (self)->actions[action];
}

gboolean
wp_content_can (WpContent *self, WpAction action)
{
  const WpContentAction *row = row_of (self, action);

  return row->activate != NULL && (row->enabled == NULL || row->enabled (self, row->which));
}

GVariant *
wp_content_state (WpContent *self, WpAction action)
{
  const WpContentAction *row = row_of (self, action);

  return row->state != NULL ? row->state (self, row->which) : NULL;
}

void
wp_content_do (WpContent *self, WpAction action, GVariant *value)
{
  const WpContentAction *row = row_of (self, action);

  row->activate (self, value, row->which);
}

static void
wp_content_default_init (WpContentInterface *iface)
{
  signals[SIGNAL_CHANGED]
    = g_signal_new ("changed", WP_TYPE_CONTENT, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  signals[SIGNAL_PROBLEMS_CHANGED]
    = g_signal_new ("problems-changed", WP_TYPE_CONTENT, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  signals[SIGNAL_TOLD]
    = g_signal_new ("told", WP_TYPE_CONTENT, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1, G_TYPE_STRING);
}
