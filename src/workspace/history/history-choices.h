/* The figures that a history can be plotted of, as rows of a list: what profiles say of themselves, the categories of an explanation, and
 * figures of a function or field whose name is typed. */
#pragma once

#include "profile/model/figures.h"

guint wp_history_n_choices (void);
char *wp_history_choice_name (guint choice);        /* for people, translated. Free with g_free() */
const char *wp_history_choice_asks (guint choice);  /* which name is asked for, translated; NULL: none */

/* `name`: what was typed, which the figure borrows. */
WpFigure wp_history_choice_figure (guint choice, const char *name);
