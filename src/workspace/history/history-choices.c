#include "workspace/history/history-choices.h"

#include <glib/gi18n.h>

static const struct
{
  WpFigureKind kind;
  const char *name;
  const char *of; /* what its name is asked for */
} named[] = {
  { WP_FIGURE_SELF, N_ ("Function itself"), N_ ("Function") },
  { WP_FIGURE_FUNCTION, N_ ("Function with all it calls"), N_ ("Function") },
  { WP_FIGURE_SUM, N_ ("Sum of a field"), N_ ("Field, such as amount") },
  { WP_FIGURE_MEAN, N_ ("Mean of a field"), N_ ("Field, such as amount") },
  { WP_FIGURE_MAX, N_ ("Largest of a field"), N_ ("Field, such as amount") },
};

#define N_HEADS (WP_FIGURE_ACCOUNTED + 1)
#define N_FIXED (N_HEADS + WP_CATEGORY_COUNT)

guint
wp_history_n_choices (void)
{
  return N_FIXED + G_N_ELEMENTS (named);
}

char *
wp_history_choice_name (guint choice)
{
  if (choice < N_HEADS)
    return wp_figure_name (&(WpFigure) { .kind = choice });
  return g_strdup (choice < N_FIXED ? _(wp_category_name (choice - N_HEADS)) : _(named[choice - N_FIXED].name));
}

const char *
wp_history_choice_asks (guint choice)
{
  return choice >= N_FIXED && choice < wp_history_n_choices () ? _(named[choice - N_FIXED].of) : NULL;
}

WpFigure
wp_history_choice_figure (guint choice, const char *name)
{
  if (choice < N_HEADS)
    return (WpFigure) { .kind = choice };
  if (choice < N_FIXED)
    return (WpFigure) { .kind = WP_FIGURE_CATEGORY, .category = choice - N_HEADS };
  return (WpFigure) { .kind = named[MIN (choice - N_FIXED, G_N_ELEMENTS (named) - 1)].kind, .of = (char *) name };
}
