/* Processes to choose from: a search over a table whose figures go on every two seconds, for as long as it is seen.
 *
 * Property for-one: one of them can be chosen, from fewer columns; else several.
 * Signals: chosen (): others are chosen, or what is chosen has ended; activated (): by Return or a double click; cancelled (): by Escape */
#pragma once

#include <adwaita.h>

#include "workspace/record/process-model.h"

#define WP_TYPE_PROCESS_LIST (wp_process_list_get_type ())
G_DECLARE_FINAL_TYPE (WpProcessList, wp_process_list, WP, PROCESS_LIST, AdwBin)

GPtrArray *wp_process_list_chosen (WpProcessList *self); /* of WpProcessRow, the oldest process first */
char *wp_process_list_words (WpProcessList *self);       /* that say what is chosen, for wp_process_list_choose(); g_free() */
void wp_process_list_choose (WpProcessList *self, const char *words); /* once they have been read */
void wp_process_list_refresh (WpProcessList *self);      /* now */
