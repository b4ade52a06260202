/* A tab that plots one figure of the profiles of a branch, commit by commit: the median of a commit's profiles and how far they spread. Profiles
 * that have not been read yet are read while the others are shown.
 *
 * Signals:
 *   changed (), finished ()                 as of a WpPage
 *   commit (const char *hash)               a point was picked
 *   open (GFile *file, const char *title)   a profile is to be shown in a tab
 *   compare (GStrv a, GStrv b)              files of two points, the older one first */
#pragma once

#include <adwaita.h>

#define WP_TYPE_HISTORY_PAGE (wp_history_page_get_type ())
G_DECLARE_FINAL_TYPE (WpHistoryPage, wp_history_page, WP, HISTORY_PAGE, AdwBin)

/* Of the store in `folder`; `branch` NULL: HEAD. */
GtkWidget *wp_history_page_new (const char *folder, const char *branch);
const char *wp_history_page_title (WpHistoryPage *self);
gboolean wp_history_page_busy (WpHistoryPage *self); /* while the commits are looked through */
