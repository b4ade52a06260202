/* A window: header bar, tabs, or the start page while nothing is open. */
#pragma once

#include <adwaita.h>

#define WP_TYPE_WINDOW (wp_window_get_type ())
G_DECLARE_FINAL_TYPE (WpWindow, wp_window, WP, WINDOW, AdwApplicationWindow)

GtkWidget *wp_window_new (GtkApplication *application);

/* Opens `file` in a tab, or goes to the tab that shows it as it is; one that has changed since is opened anew. `title`: what the tab is called; NULL: the file's name. */
void wp_window_open (WpWindow *self, GFile *file, const char *title);

/* Compares files in a new tab; NULL-terminated lists, at least one each; `names` as wp_compare_model_new() has them. The action win.compare does so
 * for two paths. */
void wp_window_compare (WpWindow *self, const char *const *a, const char *const *b, const char *const *names);
void wp_window_show_store_of (WpWindow *self, const char *folder); /* if it belongs to one */
/* Something that was begun here goes on, and would be given up: a recording (see wp_record_dialog_holds()), or what the store's panel does (see
 * wp_store_panel_holds()). It is asked what becomes of it. */
gboolean wp_window_holds (WpWindow *self, const char *action);
char *wp_window_topic (WpWindow *self); /* the page of the help (help-pages.h) that is about what is seen, or NULL. Free with g_free() */
void wp_window_keep_size (WpWindow *self); /* for the next time */
void wp_window_gather_unsaved (WpWindow *self, GPtrArray *pages); /* appends the pages (not owned) whose content is not saved */
