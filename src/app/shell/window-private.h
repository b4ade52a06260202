/* What the files of the window share. */
#pragma once

#include "app/page/page.h"
#include "app/record/record-dialog.h"
#include "app/shell/side-panel.h"
#include "app/shell/start-page.h"
#include "app/shell/window.h"

struct _WpWindow
{
  AdwApplicationWindow parent_instance;

  AdwTabView *tabs;
  GtkStack *stack;       /* "start", "tabs" */
  GtkStack *title_stack; /* "name", "views" */
  WpStartPage *start_page;
  GtkPaned *across;
  WpSidePanel *side;
  AdwFlap *flap;          /* slides over the picture */
  GtkWidget *over;        /* in it, holds the side panel while the window is narrow */
  AdwSqueezer *names_or_title;
  GtkWidget *view_names, *bottom; /* the names of the views: in the header bar, or where they do not fit there at the bottom */
  gboolean narrow;        /* the side panel has no place beside the picture, and does not show unless it is asked for */
  gboolean side_shown;
  GtkWidget *focus_before; /* weak: what had the keyboard before the panel came over the picture */
  guint fitting;   /* source: it will be seen whether it fits, 0 = not */
  GtkWidget *navigation, *zoom, *search_button; /* only with a page */
  WpRecordDialog *dialog; /* while it is there */
};

WpPage *wp_window_page (WpWindow *self); /* of the selected tab, or NULL: it shows none */
void wp_window_update (WpWindow *self);      /* after the selected tab or its state changed */

/* window-actions.c: what the window itself can do, as win.* */
void wp_window_install_actions (GtkWidgetClass *klass);

/* window-page-actions.c: what the page can do, as win.* */
void wp_window_add_page_actions (WpWindow *self);
void wp_window_update_page_actions (WpWindow *self, WpPage *page); /* NULL: none can be used */

/* window-side.c: the side panel and its width */
void wp_window_build_side (WpWindow *self);
void wp_window_keep_side (WpWindow *self);
void wp_window_fit (WpWindow *self); /* after the window's width changed */
void wp_window_bind_side (GtkWidgetClass *klass); /* callbacks of the template, as below */

/* window-tabs.c */
const char *wp_window_tab_title (GtkWidget *child); /* NULL: the program's name */
void wp_window_bind_tabs (GtkWidgetClass *klass);
void wp_window_accept_drops (WpWindow *self);
void wp_window_show_history (WpWindow *self, const char *folder, const char *branch); /* in a new tab */
