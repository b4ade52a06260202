#include "app/page/explanation-panel.h"

#include <glib/gi18n.h>

#include "app/page/answer-card.h"
#include "app/page/cumulative-graph.h"
#include "app/shell/settings.h"
#include "app/page/table-row.h"
#include "app/page/time-view.h"
#include "app/widgets/after-layout.h"
#include "app/widgets/tab-stop.h"
#include "base/format.h"
#include "paths/terms.h"
#include "view/text.h"

#define SUB_ROWS_MAX 60 /* of a category: the longest ones */

struct _WpExplanationPanel
{
  AdwBin parent_instance;

  GtkStack *stack; /* "table", "empty", "busy" */
  GtkLabel *percent, *caption, *process, *range, *times, *unexplained, *chains, *position;
  WpAnswerCard *answer;
  GtkWidget *hint; /* in the empty one */
  GtkWidget *range_box, *steps, *longest, *neighbours;
  GtkListBox *list;
  GtkWidget *scroller;
  GtkExpander *graph_box;
  WpCumulativeGraph *graph;
  GtkWidget *dashed; /* says what the dashed line is */
  guint expanded;    /* bit c: category c is; WP_CATEGORY_COUNT: what has no time is seen */
  gboolean threads;  /* several are explained */
  gboolean live;     /* recording goes on */
  gboolean parallel; /* rows show their latency, too */
  gboolean longest_first;
  GtkToggleButton *order;
  WpTimeView *bar;
  gboolean filling;
};

enum
{
  SIGNAL_CHOSEN,
  SIGNAL_STEP,
  SIGNAL_WHOLE,
  SIGNAL_GO_TO,
  SIGNAL_REORDERED,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (WpExplanationPanel, wp_explanation_panel, ADW_TYPE_BIN)

gboolean
wp_explanation_panel_choice (WpExplanationPanel *self, WpChoice *choice)
{
  GtkListBoxRow *row = gtk_list_box_get_selected_row (self->list);

  if (row == NULL)
    return FALSE;
  *choice = *wp_table_row_choice (WP_TABLE_ROW (row));
  return TRUE;
}

gboolean
wp_explanation_panel_sentence (WpExplanationPanel *self, guint *clause, guint *mention)
{
  return wp_answer_card_chosen (self->answer, clause, mention);
}

static void
set_can_step (WpExplanationPanel *self, gboolean can)
{
  gtk_widget_set_sensitive (self->longest, can);
  gtk_widget_set_sensitive (self->neighbours, can);
}

void
wp_explanation_panel_set_position (WpExplanationPanel *self, guint at, guint of)
{
  g_autofree char *text = NULL;

  if (of == 0)
    text = g_strdup (_("No boxes in this picture"));
  else if (at == 0)
    text = g_strdup_printf (ngettext ("%u box", "%u boxes", of), of);
  else
    text = g_strdup_printf (_("%u of %u"), at, of);
  gtk_label_set_text (self->position, text);
  set_can_step (self, of > 0);
}

/* The list's children are rows and headings. NULL: there are no more. */
static WpTableRow *
nth_row (WpExplanationPanel *self, guint n)
{
  return (WpTableRow *) gtk_list_box_get_row_at_index (self->list, (int) n);
}

/* Sub-rows follow their category; only those of an expanded one are shown. Categories without time follow the line
 * that they are folded into; a chosen one is seen all the same: the picture shows how little it is. */
static void
show_sub_rows (WpExplanationPanel *self)
{
  gboolean expanded = FALSE, unfolded = FALSE;
  WpTableRow *row;

  for (guint i = 0; (row = nth_row (self, i)) != NULL; i++)
    {
      if (wp_table_row_is_category (row))
        {
          expanded = wp_table_row_expanded (row);
          self->expanded &= ~(1u << wp_table_row_choice (row)->category);
          self->expanded |= (guint) expanded << wp_table_row_choice (row)->category;
          if (wp_table_row_is_fold (row))
            unfolded = expanded;
          gtk_widget_set_visible (GTK_WIDGET (row), unfolded || !wp_table_row_is_empty (row)
                                                      || gtk_list_box_row_is_selected (GTK_LIST_BOX_ROW (row)));
        }
      else
        gtk_widget_set_visible (GTK_WIDGET (row), expanded);
    }
}

static gboolean
is_row_of (WpTableRow *row, const WpTableRowSpec *spec)
{
  const WpChoice *choice = wp_table_row_choice (row);

  return choice->category == spec->choice.category && wp_table_row_is_category (row) == (spec->choice.row == G_MAXUINT32)
         && g_str_equal (wp_table_row_name (row), spec->name);
}

/* Rows that are not wanted any more stand before it. */
static gboolean
skip_to (WpExplanationPanel *self, guint at, const WpTableRowSpec *spec)
{
  guint found = at;
  WpTableRow *row;

  while ((row = nth_row (self, found)) != NULL && !is_row_of (row, spec))
    found++;
  if (row == NULL)
    return FALSE;
  for (; found > at; found--)
    gtk_list_box_remove (self->list, GTK_WIDGET (nth_row (self, at)));
  return TRUE;
}

/* A row that was there before stays, so that nothing moves under the pointer. */
static void
put_row (WpExplanationPanel *self, guint at, const WpTableRowSpec *spec)
{
  GtkWidget *row;

  if (skip_to (self, at, spec))
    {
      wp_table_row_set (nth_row (self, at), spec);
      return;
    }
  row = wp_table_row_new (spec);
  g_signal_connect_swapped (row, "toggled", G_CALLBACK (show_sub_rows), self);
  gtk_list_box_insert (self->list, row, (int) at);
}

/* Rows are sorted by category. Returns how many there are now. */
static guint
put_sub_rows (WpExplanationPanel *self, guint at, const WpExplanation *explanation, WpCategory category)
{
  guint n = 0;

  for (guint32 i = 0; i < explanation->rows.len && n < SUB_ROWS_MAX; i++)
    {
      const WpExplanationRow *row = &explanation->rows.data[i];

      if (row->category != category)
        continue;
      put_row (self, at + n, &(WpTableRowSpec) { .choice = { category, i },
                                                 .name = wp_row_text (row),
                                                 .ns = row->ns,
                                                 .latency = row->latency,
                                                 .wall = self->parallel ? explanation->wall : 0,
                                                 .total = explanation->total });
      n++;
    }
  return at + n;
}

static gboolean
has_sub_rows (const WpExplanation *explanation, WpCategory category)
{
  for (guint32 i = 0; i < explanation->rows.len; i++)
    if (explanation->rows.data[i].category == category)
      return TRUE;
  return FALSE;
}

/* "Took: From the first …", a line for each */
static void
explain_terms (GtkLabel *label, const WpTerm *terms, guint n)
{
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint i = 0; i < n; i++)
    g_string_append_printf (text, "%s%s: %s", i > 0 ? "\n" : "", _(wp_term_name (terms[i])), _(wp_term_help (terms[i])));
  gtk_widget_set_tooltip_text (GTK_WIDGET (label), text->str);
}

/* Over the first row: what the shares are, where there are two. */
static void
show_headings (GtkListBoxRow *row, GtkListBoxRow *before, gpointer data)
{
  static const WpTerm terms[] = { WP_TERM_COUNTED, WP_TERM_LATENCY };
  static const char *const texts[] = { N_ ("of counted"), N_ ("latency") };
  const WpExplanationPanel *self = data;
  GtkWidget *box;

  if (before != NULL || !self->parallel)
    {
      gtk_list_box_row_set_header (row, NULL);
      return;
    }
  box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  gtk_widget_set_halign (box, GTK_ALIGN_END);
  gtk_widget_add_css_class (box, "headings");
  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    {
      GtkWidget *label = gtk_label_new (_(texts[i]));

      explain_terms (GTK_LABEL (label), &terms[i], 1);
      gtk_label_set_xalign (GTK_LABEL (label), 1);
      gtk_widget_add_css_class (label, "share");
      gtk_box_append (GTK_BOX (box), label);
    }
  gtk_list_box_row_set_header (row, box);
}

/* What was expanded and chosen before is again, where it is still there; a sub-row has the same name then. */
static void
restore_rows (WpExplanationPanel *self, guint expanded, const WpChoice *chosen, const char *name)
{
  WpTableRow *row;

  for (guint i = 0; (row = nth_row (self, i)) != NULL; i++)
    {
      const WpChoice *choice = wp_table_row_choice (row);

      if (wp_table_row_is_category (row) && (expanded & 1u << choice->category))
        wp_table_row_set_expanded (row, TRUE);
      if (choice->category == chosen->category && (choice->row == G_MAXUINT32) == (chosen->row == G_MAXUINT32)
          && g_strcmp0 (wp_table_row_name (row), name) == 0)
        gtk_list_box_select_row (self->list, GTK_LIST_BOX_ROW (row));
    }
  show_sub_rows (self); /* with the chosen one */
  gtk_list_box_invalidate_headers (self->list);
  self->expanded = expanded;
}

static void
put_fold (WpExplanationPanel *self, guint at, guint n)
{
  g_autofree char *name = g_strdup_printf (ngettext ("%u more without time", "%u more without time", n), n);

  put_row (self, at, &(WpTableRowSpec) { .choice = { WP_CATEGORY_COUNT, G_MAXUINT32 }, .name = name, .expandable = TRUE });
}

static const char *
category_name (const WpExplanationPanel *self, WpCategory category)
{
  return self->live && category == WP_CATEGORY_UNFINISHED ? _("Still waiting") : _(wp_category_name (category));
}

static void
fill_list (WpExplanationPanel *self, const WpExplanation *explanation)
{
  WpCategory order[WP_CATEGORY_COUNT];
  guint n = wp_explanation_order (explanation, self->longest_first, order), at = 0;
  WpTableRow *row;
  gint64 before = 0;

  for (guint i = 0; i < WP_CATEGORY_COUNT; i++)
    {
      WpCategory c = order[i];

      if (i == n)
        put_fold (self, at++, WP_CATEGORY_COUNT - n);
      put_row (self, at++, &(WpTableRowSpec) { .choice = { c, G_MAXUINT32 },
                                               .name = category_name (self, c),
                                               .help = _(wp_category_help (c)),
                                               .ns = explanation->ns[c],
                                               .latency = explanation->latency[c],
                                               .wall = self->parallel ? explanation->wall : 0,
                                               .total = explanation->total,
                                               .before = before,
                                               .expandable = has_sub_rows (explanation, c) });
      before += explanation->ns[c];
      at = put_sub_rows (self, at, explanation, c);
    }
  while ((row = nth_row (self, at)) != NULL)
    gtk_list_box_remove (self->list, GTK_WIDGET (row));
}

/* "0.1 ms unexplained, mostly: no wakeup seen" */
static char *
unaccounted (const WpExplanation *explanation)
{
  const WpExplanationRow *most = NULL;
  char time[WP_FORMAT_MAX];

  for (guint32 i = explanation->rows.len; i-- > 0 && explanation->rows.data[i].category == WP_CATEGORY_UNACCOUNTED;)
    most = &explanation->rows.data[i];
  wp_format_ns (explanation->ns[WP_CATEGORY_UNACCOUNTED], time);
  if (most == NULL)
    return g_strdup (_("nothing unexplained"));
  return g_strdup_printf (most->ns == explanation->ns[WP_CATEGORY_UNACCOUNTED] ? _("%s unexplained: %s")
                                                                               : _("%s unexplained, mostly: %s"),
                          time, wp_row_text (most));
}

/* Where several threads are explained, most of the total is idle threads that wait on one another: what is without them
 * comes first then. */
static void
fill_percent (WpExplanationPanel *self, const WpExplanation *explanation)
{
  g_autofree char *with = g_strdup_printf ("%.1f %%", wp_explanation_percent (explanation, FALSE));
  g_autofree char *without = g_strdup_printf ("%.1f %%", wp_explanation_percent (explanation, TRUE));
  gint64 unfinished = explanation->ns[WP_CATEGORY_UNFINISHED];
  gboolean waits = explanation->ns[WP_CATEGORY_OTHER_PATH] > 0;
  g_autofree char *caption = NULL, *open = NULL;
  char time[WP_FORMAT_MAX];

  if (!waits)
    caption = g_strdup (_(wp_term_name (WP_TERM_EXPLAINED)));
  else if (self->threads)
    caption = g_strdup_printf (_("explained without waiting for other lanes; %s with it"), with);
  else
    caption = g_strdup_printf (_("explained; %s without waiting for other lanes"), without);
  gtk_label_set_text (self->percent, waits && self->threads ? without : with);
  open = g_strdup_printf (_("%s; left out: %s still waiting"), caption, wp_format_ns (unfinished, time));
  gtk_label_set_text (self->caption, unfinished > 0 ? open : caption);
}

/* A number and its unit stay on one line. */
static char *
unbroken (const char *time)
{
  g_auto (GStrv) words = g_strsplit (time, " ", -1);

  return g_strjoinv ("\302\240", words);
}

static void
fill_range (WpExplanationPanel *self, const WpExplanation *explanation, gint64 origin)
{
  gint64 step = MAX ((explanation->to - explanation->from) / 100, 1);
  char start[WP_FORMAT_MAX], end[WP_FORMAT_MAX], length[WP_FORMAT_MAX];
  g_autofree char *from = unbroken (wp_format_time (explanation->from - origin, step, start));
  g_autofree char *to = unbroken (wp_format_time (explanation->to - origin, step, end));
  g_autofree char *all = unbroken (wp_format_ns (explanation->to - explanation->from, length));
  g_autofree char *text = g_strdup_printf (_("%s – %s (%s)"), from, to, all);

  gtk_label_set_text (self->range, text);
  gtk_widget_set_tooltip_text (GTK_WIDGET (self->range), text);
}

static void
explain_head (WpExplanationPanel *self)
{
  static const WpTerm explained[] = { WP_TERM_EXPLAINED, WP_TERM_LANE };
  static const WpTerm times[] = { WP_TERM_TOOK, WP_TERM_COUNTED };
  static const WpTerm chains[] = { WP_TERM_CHAIN };

  explain_terms (self->percent, explained, 1);
  explain_terms (self->caption, explained, G_N_ELEMENTS (explained));
  explain_terms (self->times, times, G_N_ELEMENTS (times));
  explain_terms (self->unexplained, explained, 1);
  explain_terms (self->chains, chains, G_N_ELEMENTS (chains));
}

static void
fill_head (WpExplanationPanel *self, const WpExplanation *explanation, const WpPaths *explained, gboolean range,
           gint64 origin)
{
  char wall[WP_FORMAT_MAX], total[WP_FORMAT_MAX];
  g_autofree char *processes
    = g_strdup_printf (ngettext ("%u process", "%u processes", explanation->processes), explanation->processes);
  g_autofree char *paths = g_strdup_printf (ngettext ("%u chain of work", "%u chains of work", explanation->control_paths),
                                            explanation->control_paths);
  g_autofree char *rest = unaccounted (explanation), *times = NULL, *chains = g_strdup_printf ("%s · %s", processes, paths);

  wp_format_ns (explanation->wall, wall);
  if (!wp_explanation_is_parallel (explanation))
    times = g_strdup_printf (_("Took %s"), wall);
  else
    times = g_strdup_printf (_("Took %s\nTime counted, parallel included: %s"), wall, wp_format_ns (explanation->total, total));
  gtk_label_set_text (self->process, explained->name);
  gtk_label_set_text (self->times, times);
  gtk_label_set_text (self->unexplained, rest);
  gtk_label_set_text (self->chains, chains);
  fill_percent (self, explanation);
  gtk_widget_set_visible (self->range_box, range);
  if (range)
    fill_range (self, explanation, origin);
}

static void
on_row_selected (GtkListBox *list, GtkListBoxRow *row, WpExplanationPanel *self)
{
  WpCategory category;

  if (self->filling)
    return;
  set_can_step (self, row != NULL);
  if (row == NULL)
    gtk_label_set_text (self->position, "");
  else
    wp_answer_card_leave (self->answer);
  category = row != NULL ? wp_table_row_choice (WP_TABLE_ROW (row))->category : WP_CATEGORY_COUNT;
  wp_cumulative_graph_choose (self->graph, category);
  wp_time_view_choose (self->bar, category);
  g_signal_emit (self, signals[SIGNAL_CHOSEN], 0);
}

void
wp_explanation_panel_show (WpExplanationPanel *self, const WpExplanation *explanation, const WpPaths *paths,
                           gboolean range, gint64 origin)
{
  WpChoice choice = { WP_CATEGORY_COUNT, G_MAXUINT32 };
  g_autofree char *name = NULL;
  GtkListBoxRow *row = gtk_list_box_get_selected_row (self->list);
  guint expanded;

  if (explanation == NULL)
    {
      gtk_list_box_unselect_all (self->list);
      gtk_stack_set_visible_child_name (self->stack, "empty");
      return;
    }
  if (wp_explanation_panel_choice (self, &choice))
    name = g_strdup (wp_table_row_name (WP_TABLE_ROW (row)));
  self->filling = TRUE;
  self->longest_first = wp_settings_boolean ("longest-first", self->longest_first);
  gtk_toggle_button_set_active (self->order, self->longest_first);
  self->parallel = wp_explanation_is_parallel (explanation);
  self->threads = paths->base_tasks.len > 1;
  fill_head (self, explanation, paths, range, origin);
  expanded = self->expanded;
  fill_list (self, explanation);
  restore_rows (self, expanded, &choice, name);
  wp_cumulative_graph_show (self->graph, explanation);
  wp_time_view_show (self->bar, explanation, self->longest_first);
  gtk_widget_set_visible (self->dashed, explanation->ns[WP_CATEGORY_OTHER_PATH] > 0);
  self->filling = FALSE;
  gtk_stack_set_visible_child_name (self->stack, "table");
  on_row_selected (self->list, gtk_list_box_get_selected_row (self->list), self);
}

void
wp_explanation_panel_show_answer (WpExplanationPanel *self, const WpAnswer *answer)
{
  wp_answer_card_show (self->answer, answer);
}

GtkWidget *
wp_explanation_panel_answer (WpExplanationPanel *self)
{
  return GTK_WIDGET (self->answer);
}

GtkWidget *
wp_explanation_panel_table (WpExplanationPanel *self)
{
  return gtk_widget_get_parent (GTK_WIDGET (self->list));
}

void
wp_explanation_panel_set_live (WpExplanationPanel *self)
{
  self->live = TRUE;
  gtk_widget_set_visible (self->steps, FALSE);
}

void
wp_explanation_panel_show_busy (WpExplanationPanel *self)
{
  gtk_stack_set_visible_child_name (self->stack, "busy");
}

void
wp_explanation_panel_set_hint (WpExplanationPanel *self, gboolean hint)
{
  gtk_widget_set_visible (self->hint, hint);
}

static void
on_category_clicked (GtkWidget *picture, guint category, WpExplanationPanel *self)
{
  WpTableRow *row;

  for (guint i = 0; (row = nth_row (self, i)) != NULL; i++)
    if (wp_table_row_is_category (row) && wp_table_row_choice (row)->category == category)
      gtk_list_box_select_row (self->list, GTK_LIST_BOX_ROW (row));
}

static void
on_row_activated (GtkListBox *list, GtkListBoxRow *row, WpExplanationPanel *self)
{
  if (wp_table_row_is_fold (WP_TABLE_ROW (row)))
    wp_table_row_set_expanded (WP_TABLE_ROW (row), !wp_table_row_expanded (WP_TABLE_ROW (row)));
}

static void
on_order (GtkToggleButton *button, WpExplanationPanel *self)
{
  if (self->filling)
    return;
  self->longest_first = gtk_toggle_button_get_active (button);
  wp_settings_set_boolean ("longest-first", self->longest_first);
  g_signal_emit (self, signals[SIGNAL_REORDERED], 0);
}

static void
bring_up_graph (GtkWidget *scroller)
{
  GtkAdjustment *scrolled = gtk_scrolled_window_get_vadjustment (GTK_SCROLLED_WINDOW (scroller));

  gtk_adjustment_set_value (scrolled, gtk_adjustment_get_upper (scrolled));
}

/* What opens at the lower edge would not be seen. */
static void
on_graph_expanded (GtkExpander *expander, GParamSpec *pspec, WpExplanationPanel *self)
{
  gboolean expanded = gtk_expander_get_expanded (expander);

  wp_settings_set_boolean ("show-graph", expanded);
  if (expanded)
    wp_after_layout (self->scroller, bring_up_graph);
}

static void
on_previous (GtkButton *button, WpExplanationPanel *self)
{
  g_signal_emit (self, signals[SIGNAL_STEP], 0, -1);
}

static void
on_next (GtkButton *button, WpExplanationPanel *self)
{
  g_signal_emit (self, signals[SIGNAL_STEP], 0, 1);
}

static void
on_longest (GtkButton *button, WpExplanationPanel *self)
{
  g_signal_emit (self, signals[SIGNAL_STEP], 0, 0);
}

static void
on_whole (GtkButton *button, WpExplanationPanel *self)
{
  g_signal_emit (self, signals[SIGNAL_WHOLE], 0);
}

static void
on_sentence (WpAnswerCard *card, WpExplanationPanel *self)
{
  self->filling = TRUE;
  gtk_list_box_unselect_all (self->list);
  self->filling = FALSE;
  on_row_selected (self->list, NULL, self);
}

void
wp_explanation_panel_leave_sentence (WpExplanationPanel *self)
{
  guint clause, mention;

  if (!wp_answer_card_chosen (self->answer, &clause, &mention))
    return;
  wp_answer_card_leave (self->answer);
  g_signal_emit (self, signals[SIGNAL_CHOSEN], 0);
}

/* Escape; where no sentence is chosen it goes on to whoever else wants it. */
static gboolean
leave (GtkWidget *widget, GVariant *parameters, gpointer data)
{
  WpExplanationPanel *self = WP_EXPLANATION_PANEL (widget);
  guint clause, mention;
  gboolean chosen = wp_answer_card_chosen (self->answer, &clause, &mention);

  wp_explanation_panel_leave_sentence (self);
  return chosen;
}

static void
on_go_to (WpAnswerCard *card, guint op, WpExplanationPanel *self)
{
  g_signal_emit (self, signals[SIGNAL_GO_TO], 0, op);
}

static void
wp_explanation_panel_class_init (WpExplanationPanelClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  g_type_ensure (WP_TYPE_ANSWER_CARD);
  g_type_ensure (WP_TYPE_CUMULATIVE_GRAPH);
  g_type_ensure (WP_TYPE_TIME_VIEW);
  signals[SIGNAL_CHOSEN]
    = g_signal_new ("chosen", WP_TYPE_EXPLANATION_PANEL, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  signals[SIGNAL_STEP] = g_signal_new ("step", WP_TYPE_EXPLANATION_PANEL, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                       G_TYPE_NONE, 1, G_TYPE_INT);
  signals[SIGNAL_WHOLE]
    = g_signal_new ("whole", WP_TYPE_EXPLANATION_PANEL, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  signals[SIGNAL_GO_TO]
    = g_signal_new ("go-to", WP_TYPE_EXPLANATION_PANEL, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1, G_TYPE_UINT);

  signals[SIGNAL_REORDERED]
    = g_signal_new ("reordered", WP_TYPE_EXPLANATION_PANEL, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);

  g_type_ensure (WP_TYPE_TAB_STOP);
  gtk_widget_class_set_template_from_resource (widget_class, "/org/wakepath/Wakepath/explanation-panel.ui");
  gtk_widget_class_bind_template_child (widget_class, WpExplanationPanel, bar);
  gtk_widget_class_bind_template_child (widget_class, WpExplanationPanel, order);
  gtk_widget_class_bind_template_callback (widget_class, on_row_activated);
  gtk_widget_class_bind_template_child (widget_class, WpExplanationPanel, stack);
  gtk_widget_class_bind_template_child (widget_class, WpExplanationPanel, hint);
  gtk_widget_class_bind_template_child (widget_class, WpExplanationPanel, answer);
  gtk_widget_class_bind_template_child (widget_class, WpExplanationPanel, percent);
  gtk_widget_class_bind_template_child (widget_class, WpExplanationPanel, caption);
  gtk_widget_class_bind_template_child (widget_class, WpExplanationPanel, process);
  gtk_widget_class_bind_template_child (widget_class, WpExplanationPanel, range);
  gtk_widget_class_bind_template_child (widget_class, WpExplanationPanel, range_box);
  gtk_widget_class_bind_template_child (widget_class, WpExplanationPanel, times);
  gtk_widget_class_bind_template_child (widget_class, WpExplanationPanel, unexplained);
  gtk_widget_class_bind_template_child (widget_class, WpExplanationPanel, chains);
  gtk_widget_class_bind_template_child (widget_class, WpExplanationPanel, position);
  gtk_widget_class_bind_template_child (widget_class, WpExplanationPanel, steps);
  gtk_widget_class_bind_template_child (widget_class, WpExplanationPanel, longest);
  gtk_widget_class_bind_template_child (widget_class, WpExplanationPanel, neighbours);
  gtk_widget_class_bind_template_child (widget_class, WpExplanationPanel, list);
  gtk_widget_class_bind_template_child (widget_class, WpExplanationPanel, scroller);
  gtk_widget_class_bind_template_child (widget_class, WpExplanationPanel, graph_box);
  gtk_widget_class_bind_template_child (widget_class, WpExplanationPanel, graph);
  gtk_widget_class_bind_template_child (widget_class, WpExplanationPanel, dashed);
  gtk_widget_class_bind_template_callback (widget_class, gtk_spinner_start);
  gtk_widget_class_bind_template_callback (widget_class, gtk_spinner_stop);
  gtk_widget_class_bind_template_callback (widget_class, on_category_clicked);
  gtk_widget_class_bind_template_callback (widget_class, on_go_to);
  gtk_widget_class_bind_template_callback (widget_class, on_sentence);
  gtk_widget_class_add_binding (widget_class, GDK_KEY_Escape, 0, leave, NULL);
  gtk_widget_class_bind_template_callback (widget_class, on_row_selected);
  gtk_widget_class_bind_template_callback (widget_class, on_previous);
  gtk_widget_class_bind_template_callback (widget_class, on_next);
  gtk_widget_class_bind_template_callback (widget_class, on_longest);
  gtk_widget_class_bind_template_callback (widget_class, on_whole);
}

static void
wp_explanation_panel_init (WpExplanationPanel *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  explain_head (self);
  g_signal_connect (self->order, "toggled", G_CALLBACK (on_order), self);
  gtk_list_box_set_header_func (self->list, show_headings, self, NULL);
  gtk_expander_set_expanded (self->graph_box, wp_settings_boolean ("show-graph", FALSE));
  g_signal_connect (self->graph_box, "notify::expanded", G_CALLBACK (on_graph_expanded), self);
}
