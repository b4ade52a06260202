/* What a page shows of its file once that is open, behind one interface: WpTracePage (app/page) shows recordings and explained processes,
 * WpStacksPage and WpCallsPage (app/stacks) stacks with values and call graphs, WpPlotPage (app/plots) every other profile. And what can be done with it: a list of actions, of which each of them knows some.
 *
 * Signals:
 *   changed ()            what can be done, or its state
 *   problems-changed ()   what one must know before believing what is seen
 *   told (char *text)     what became of something, in words that go away by themselves */
#pragma once

#include <gtk/gtk.h>

#include "workspace/file/workspace.h"

typedef enum
{
  WP_ACTION_VIEW,
  WP_ACTION_ZOOM_IN,
  WP_ACTION_ZOOM_OUT,
  WP_ACTION_ZOOM_FIT,
  WP_ACTION_FIT_HEIGHT,
  WP_ACTION_FIT_SELECTION,
  WP_ACTION_BACK,
  WP_ACTION_FORWARD,
  WP_ACTION_SHOW_SLEEPS,
  WP_ACTION_SUMMARY,
  WP_ACTION_BY_CPU,
  WP_ACTION_MERGE_THREADS,
  WP_ACTION_STARTED_WORK,
  WP_ACTION_INVERTED,
  WP_ACTION_COLLAPSE_RECURSION,
  WP_ACTION_ICICLE,
  WP_ACTION_DEPTH,
  WP_ACTION_COLORS,
  WP_ACTION_SINCE_PROCESS,
  WP_ACTION_LEGEND,
  WP_ACTION_TURN_ROW, /* the key of a row of Processes, as text; empty: of that of the selected box */
  WP_ACTION_PIN_ROW,  /* the same */
  WP_ACTION_LINKS,
  WP_ACTION_WAIT_CHAIN,
  WP_ACTION_DETAILS,
  WP_ACTION_OPEN_FLAME,
  WP_ACTION_EXPLAIN_ALSO,
  WP_ACTION_OPEN_FOLD,
  WP_ACTION_TURN_GHOST,
  WP_ACTION_COPY_NAME,
  WP_ACTION_COPY_DETAILS,
  WP_ACTION_COPY_MARKDOWN,
  WP_ACTION_COPY_PICTURE,
  WP_ACTION_SEARCH_NAME,
  WP_ACTION_FILTER_TASK,
  WP_ACTION_MARK_SELECTION,
  WP_ACTION_CLEAR_MARK,
  WP_ACTION_CUT_BRANCH,
  WP_ACTION_RESTORE_BRANCHES,
  WP_ACTION_HIDE_FUNCTION,
  WP_ACTION_HIDE_MODULE,
  WP_ACTION_HIDE_MATCHES,
  WP_ACTION_UNDO,
  WP_ACTION_RAW_EVENTS,
  WP_ACTION_ADD_NOTE,
  WP_ACTION_NOTES,
  WP_ACTION_EXPORT_NOTES,
  WP_ACTION_GO_TO_WAKER,
  WP_ACTION_GO_TO_WOKEN,
  WP_ACTION_SEARCH,
  WP_ACTION_NEXT_MATCH,
  WP_ACTION_PREVIOUS_MATCH,
  WP_ACTION_STEP_NEXT,
  WP_ACTION_STEP_PREVIOUS,
  WP_ACTION_STEP_LONGEST,
  WP_ACTION_SAVE,
  WP_ACTION_SAVE_RECORDING,
  WP_ACTION_EXPORT_PICTURE,
  WP_ACTION_EXPORT_VISIBLE,
  WP_ACTION_EXPORT_TABLE,
  WP_ACTION_COPY_TABLE,
  WP_ACTION_SHOW_AROUND,
  WP_N_ACTIONS
} WpAction;

/* What the window knows of an action: it makes win.NAME of it. */
typedef struct
{
  const char *name;
  const char *type;    /* of its state, else of its parameter: "b", "s" or NULL */
  gboolean stateful;
  const char *setting; /* what keeps a "b" for the next time; or NULL */
  gboolean otherwise;  /* what a "b" is before anything else is said */
  gboolean writes;     /* it writes a file: not while another one of the page is written */
} WpActionInfo;

extern const WpActionInfo wp_actions[WP_N_ACTIONS];

gboolean wp_action_kept (WpAction action); /* of a "b": what its setting says */
void wp_action_keep (WpAction action, gboolean on);

/* One of the views of a content that the window names in its header bar. */
typedef struct
{
  const char *id;      /* of WP_ACTION_VIEW */
  const char *name;    /* both to be translated */
  const char *tooltip;
} WpContentView;

#define WP_TYPE_CONTENT (wp_content_get_type ())
G_DECLARE_INTERFACE (WpContent, wp_content, WP, CONTENT, GtkWidget)

/* How a content does an action. `which` is the row's own: functions serve several rows. */
typedef struct
{
  void (*activate) (gpointer content, GVariant *value, int which);
  gboolean (*enabled) (gpointer content, int which);  /* NULL: always */
  GVariant *(*state) (gpointer content, int which);   /* floating; of stateful actions */
  int which;
} WpContentAction;

struct _WpContentInterface
{
  GTypeInterface parent_interface;

  const WpContentAction *actions; /* WP_N_ACTIONS of them; one without `activate` it does not know */
  const WpContentView *(*views) (WpContent *self); /* ends with an empty row; NULL: the window names none */
  gboolean (*busy) (WpContent *self);
  gboolean (*unsaved) (WpContent *self);       /* NULL: never */
  WpProblems *(*problems) (WpContent *self);   /* NULL while nobody knows them */
  WpWorkspace *(*workspace) (WpContent *self); /* NULL: it explains nothing */
};

const WpContentView *wp_content_views (WpContent *self);
gboolean wp_content_busy (WpContent *self);
gboolean wp_content_unsaved (WpContent *self); /* what is shown has been changed and would be lost */
WpProblems *wp_content_problems (WpContent *self);
WpWorkspace *wp_content_workspace (WpContent *self); /* or NULL */
void wp_content_changed (WpContent *self); /* emit the signals */
void wp_content_problems_changed (WpContent *self);
void wp_content_tell (WpContent *self, const char *text);

gboolean wp_content_can (WpContent *self, WpAction action);
GVariant *wp_content_state (WpContent *self, WpAction action); /* floating; NULL: it has none */
void wp_content_do (WpContent *self, WpAction action, GVariant *value);
