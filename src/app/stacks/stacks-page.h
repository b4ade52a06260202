/* What a page shows of stacks with values: the filter above, below it one of the views. See page/content.h. */
#pragma once

#include "app/page/saver.h"
#include "workspace/shared.h"

#include <adwaita.h>

#define WP_TYPE_STACKS_PAGE (wp_stacks_page_get_type ())
G_DECLARE_FINAL_TYPE (WpStacksPage, wp_stacks_page, WP, STACKS_PAGE, AdwBin)

/* Where the names of its views are. */
typedef enum
{
  WP_STACKS_ALONE,  /* in the header bar of the window */
  /* In the page: it is a view itself, of all tasks of a recording; processes are roots at first, with the marks of
   * programs. */
  WP_STACKS_WITHIN,
} WpStacksPlace;

/* `stacks`: a WpShared of WpStacks that has types. `folder`: of the file, where sources are looked for, too; may be NULL. */
GtkWidget *wp_stacks_page_new (WpShared *stacks, const char *title, const char *folder, WpStacksPlace place, WpSaver *saver);
void wp_stacks_page_set_origin (WpStacksPage *self, gint64 origin); /* of a recording: from which moment its timeline counts */
void wp_stacks_page_set_plain (GtkWidget *self); /* it is a recording that tells no waits: its banner says what to do */
