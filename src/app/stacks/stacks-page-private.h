/* The page of stacks with values, for the files that make it. */
#pragma once

#include "app/canvas/view.h"
#include "app/page/content.h"
#include "app/page/search-bar.h"
#include "app/stacks/calls-view.h"
#include "app/stacks/functions-view.h"
#include "app/stacks/source-view.h"
#include "app/stacks/stacks-page.h"

typedef enum
{
  WP_STACKS_FLAME,
  WP_STACKS_FUNCTIONS,
  WP_STACKS_CALLS,
  WP_STACKS_SOURCE,
  WP_STACKS_TIMELINE, /* of stacks whose samples have moments */
  WP_STACKS_N_VIEWS
} WpStacksViewId;

struct _WpStacksPage
{
  AdwBin parent_instance;

  WpStacksModel *model;
  char *title;
  char *folder;    /* of the file */
  WpSaver *saver;
  WpStacksPlace place;
  gboolean plain;  /* of a recording that tells no waits */
  GtkStack *stack; /* a child for each view */
  GtkBox *names;   /* of the views; NULL: the window has them */
  WpStacksViewId current;
  WpView *flame;
  WpView *timeline; /* NULL: samples have no moments */
  gint64 origin;    /* from which moment of the recording it counts */
  WpFunctionsView *functions;
  WpCallsView *calls;
  WpSourceView *source;
  WpSearchBar *search;
  guint32 menu_frame; /* that the open menu is about */
  gboolean focused;   /* the keyboard was given to the first picture */
};

extern const WpContentView wp_stacks_page_views[];
WpView *wp_stacks_page_rows (WpStacksPage *self); /* the current view, if it is one of rows; else NULL */
extern const WpContentAction wp_stacks_page_actions[WP_N_ACTIONS];

void wp_stacks_page_switch (WpStacksPage *self, WpStacksViewId view);
