/* Figures: single numbers that a profile comes to, such as its total time or what a function takes; what is plotted over commits.
 *
 * A figure is named by a text: "total", "wall", "accounted" (percent), the id of a category of the explanation, "self:FUNCTION",
 * "total:FUNCTION" (recursion counts once), and of profiles that explain no process "sum:FIELD", "mean:FIELD" and "max:FIELD" of a
 * field of their resources that is a number. */
#pragma once

#include "base/json-reader.h"
#include "base/unit.h"
#include "paths/explain.h"

typedef enum
{
  WP_FIGURE_TOTAL,     /* of any other profile: the sum of its amounts */
  WP_FIGURE_WALL,
  WP_FIGURE_ACCOUNTED, /* percent */
  WP_FIGURE_CATEGORY,
  WP_FIGURE_SELF,
  WP_FIGURE_FUNCTION,
  WP_FIGURE_SUM,
  WP_FIGURE_MEAN,
  WP_FIGURE_MAX,
} WpFigureKind;

typedef struct
{
  WpFigureKind kind;
  WpCategory category;
  char *of; /* function or field; else NULL */
} WpFigure;

gboolean wp_figure_parse (const char *text, WpFigure *figure, GError **error);
WpFigure *wp_figure_copy (const WpFigure *self);
void wp_figure_free (WpFigure *self);
void wp_figure_clear (WpFigure *self);
char *wp_figure_id (const WpFigure *self);   /* the text above. Free with g_free() */
char *wp_figure_name (const WpFigure *self); /* for people, translated. Free with g_free() */

typedef struct
{
  double value;         /* NaN: the profile has no such figure */
  WpUnit unit;          /* times are ns */
  char unit_name[24];   /* what a plain number counts: "%", "" */
} WpFigureValue;

/* What a saved recording says of itself before its tables; times in ns. */
typedef struct
{
  gint64 total, accounted; /* accounted -1: it does not say */
  gint64 unfinished;       /* of both, what had not ended with the recording */
  gint64 wall_start, wall_end;
  char *most; /* "mostly waits for vda", in the user's language; NULL: it does not say */
} WpFigureHead;

void wp_figure_head_clear (WpFigureHead *self);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (WpFigureHead, wp_figure_head_clear)

/* In percent, as wp_explanation_percent() has it; -1: it does not say. */
double wp_figure_head_percent (const WpFigureHead *head);

/* From the beginning of a document; clear it afterwards. FALSE: it is no saved recording. */
gboolean wp_figure_read_head (WpJsonReader *reader, WpFigureHead *head);

/* What these figures are, a value each. `type`: which value type of a profile that was made of stacks, NULL: its default one; others have
 * none. `whole` FALSE: `text` is only the beginning of the profile; FALSE without an error is given when
 * that does not tell. `name` is for messages. */
gboolean wp_figures_read (const WpFigure *figures, guint n_figures, const char *type, const char *name, const char *text, gsize n,
                          gboolean whole, WpFigureValue *values, WpProgress *progress, GError **error);
