/* What the files of the window share. */
#pragma once

#include "app/page/page.h"
#include "app/record/record-dialog.h"
#include "app/shell/side-layout.h"
#include "app/shell/side-panel.h"
#include "app/shell/start-page.h"
#include "app/shell/window.h"

struct _WpWindow
{
  AdwApplicationWindow parent_instance;

  AdwTabView *tabs;
  GtkStack *stack;       /* "start", "tabs" */
  GtkStack *title_stack; /* "name", "views" */
  WpSidePanel *side;
  WpSideLayout *layout;   /* the pages, and the side panel beside or over them */
  AdwSqueezer *names_or_title;
  GtkWidget *view_names, *bottom, *bottom_names; /* the names of the views: in the header bar, or where they do not fit there at the bottom */
  const WpContentView *named;     /* the views whose names these are, or NULL */
  guint fitting;          /* source: it will be seen whether those names fit, 0 = not */
  GtkMenuButton *menu_button;
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

/* window-tabs.c */
const char *wp_window_tab_title (GtkWidget *child); /* NULL: the program's name */
void wp_window_bind_tabs (GtkWidgetClass *klass);
void wp_window_accept_drops (WpWindow *self);
void wp_window_connect_store (WpWindow *self); /* what is opened, compared and plotted from the side panel */
