/* Four callouts, one after the other, that show a stranger around an explained process: the answer in words, the table, what stands
 * on a wait, and the depths. They come by themselves where the sample is opened for the first time. */
#pragma once

#include "app/page/trace-page.h"

typedef struct
{
  GtkWidget *popover; /* NULL: none is shown */
  guint which;
  gboolean goes_on;      /* Next was pressed */
  gboolean opened_panel; /* the side panel was hidden before */
  guint source;          /* 0, or the next step is about to be taken */
} WpCallouts;

void wp_callouts_start (WpTracePage *page);
void wp_callouts_start_once (WpTracePage *page); /* unless they have been seen */
void wp_callouts_close (WpTracePage *page);      /* the page goes */
