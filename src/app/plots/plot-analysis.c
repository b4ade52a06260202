#include "app/plots/plot-analysis.h"

#include <glib/gi18n.h>

#define SIZE "structure-unit-size"
#define TEXT_CHARS 38

static const struct
{
  const char *name, *text;
} processors[WP_N_POSTPROCESSORS] = {
  [WP_POSTPROCESS_REGRESSION] = { N_ ("Regression analysis"), N_ ("How the amounts of each uid depend on another number: models "
                                                                  "for the scatter plot.") },
  [WP_POSTPROCESS_NORMALIZER] = { N_ ("Normalizer"), N_ ("Amounts become shares of the largest one of their type in their snapshot.") },
  [WP_POSTPROCESS_CLUSTERIZER] = { N_ ("Clusterizer"), N_ ("Resources of a uid with similar amounts get the same cluster.") },
  [WP_POSTPROCESS_FILTER] = { N_ ("Filter"), N_ ("Is noted in the profile and changes nothing, as in Perun.") },
};

static const char *const methods[WP_N_REGRESSIONS] = { N_ ("Full: every model, all points"), N_ ("Iterative, in random parts"),
                                                       N_ ("Interval by interval"), N_ ("Initial guess"), N_ ("Bisection") };

static const char *const models[WP_N_MODELS] = {
  [WP_MODEL_LINEAR] = N_ ("Linear"), [WP_MODEL_LOGARITHMIC] = N_ ("Logarithmic"), [WP_MODEL_QUADRATIC] = N_ ("Quadratic"),
  [WP_MODEL_POWER] = N_ ("Power"),   [WP_MODEL_EXPONENTIAL] = N_ ("Exponential"), [WP_MODEL_CONSTANT] = N_ ("Constant"),
};

typedef struct
{
  WpPlotAnalyseFunc analysed;
  gpointer user_data;
  GStrv numeric;
  GtkWidget *button, *processor, *text, *regression, *method, *of, *per, *steps, *models[WP_N_MODELS], *apply;
} Analysis;

static void
analysis_free (gpointer data)
{
  Analysis *self = data;

  g_strfreev (self->numeric);
  g_free (self);
}

/* --- what is chosen ---------------------------------------------------------------------------------------------------- */

static guint
chosen (GtkWidget *drop_down)
{
  return gtk_drop_down_get_selected (GTK_DROP_DOWN (drop_down));
}

static guint
chosen_models (const Analysis *self)
{
  guint set = 0;

  for (guint i = 0; i < WP_N_MODELS; i++)
    set |= gtk_check_button_get_active (GTK_CHECK_BUTTON (self->models[i])) ? 1u << i : 0;
  return set;
}

static gboolean
is_in_steps (WpRegressionMethod method)
{
  return method != WP_REGRESSION_FULL && method != WP_REGRESSION_BISECTION;
}

static void
update (Analysis *self)
{
  gboolean regression;

  if (self->apply == NULL) /* being built */
    return;
  regression = chosen (self->processor) == WP_POSTPROCESS_REGRESSION;
  gtk_label_set_text (GTK_LABEL (self->text), _(processors[chosen (self->processor)].text));
  gtk_widget_set_visible (self->regression, regression);
  gtk_widget_set_sensitive (self->steps, is_in_steps (chosen (self->method)));
  gtk_widget_set_sensitive (self->apply, !regression || (chosen_models (self) != 0 && self->numeric[0] != NULL));
}

static void
on_chosen (GObject *widget, GParamSpec *pspec, Analysis *self)
{
  update (self);
}

static void
on_apply (GtkButton *button, Analysis *self)
{
  WpPostprocess what = { .which = chosen (self->processor), .regression = WP_REGRESSION_DEFAULTS, .clusters = WP_CLUSTERS_DEFAULTS };

  gtk_menu_button_popdown (GTK_MENU_BUTTON (self->button));
  if (what.which == WP_POSTPROCESS_REGRESSION)
    {
      what.regression.method = chosen (self->method);
      what.regression.models = chosen_models (self);
      what.regression.steps = (guint32) gtk_spin_button_get_value_as_int (GTK_SPIN_BUTTON (self->steps));
      what.regression.of = self->numeric[chosen (self->of)];
      what.regression.per = self->numeric[chosen (self->per)];
    }
  self->analysed (&what, self->user_data);
}

/* --- building ------------------------------------------------------------------------------------------------------------ */

static GtkWidget *
add_row (GtkWidget *grid, int row, const char *label, GtkWidget *widget)
{
  GtkWidget *name = gtk_label_new (label);

  gtk_label_set_xalign (GTK_LABEL (name), 1);
  gtk_widget_add_css_class (name, "dim-label");
  gtk_widget_set_hexpand (widget, TRUE);
  gtk_accessible_update_property (GTK_ACCESSIBLE (widget), GTK_ACCESSIBLE_PROPERTY_LABEL, label, -1);
  gtk_grid_attach (GTK_GRID (grid), name, 0, row, 1, 1);
  gtk_grid_attach (GTK_GRID (grid), widget, 1, row, 1, 1);
  return widget;
}

static GtkWidget *
new_list (Analysis *self, const char *const *names, guint n, gboolean translate)
{
  GtkStringList *list = gtk_string_list_new (NULL);
  GtkWidget *drop_down;

  for (guint i = 0; i < n; i++)
    gtk_string_list_append (list, translate ? _(names[i]) : names[i]);
  drop_down = gtk_drop_down_new (G_LIST_MODEL (list), NULL);
  g_signal_connect (drop_down, "notify::selected", G_CALLBACK (on_chosen), self);
  return drop_down;
}

static void
select_field (const Analysis *self, GtkWidget *drop_down, const char *field)
{
  for (guint i = 0; self->numeric[i] != NULL; i++)
    if (g_str_equal (self->numeric[i], field))
      gtk_drop_down_set_selected (GTK_DROP_DOWN (drop_down), i);
}

static GtkWidget *
build_models (Analysis *self)
{
  GtkWidget *grid = gtk_grid_new ();

  gtk_grid_set_column_spacing (GTK_GRID (grid), 12);
  for (guint i = 0; i < WP_N_MODELS; i++)
    {
      self->models[i] = gtk_check_button_new_with_label (_(models[i]));
      gtk_check_button_set_active (GTK_CHECK_BUTTON (self->models[i]), TRUE);
      g_signal_connect (self->models[i], "notify::active", G_CALLBACK (on_chosen), self);
      gtk_grid_attach (GTK_GRID (grid), self->models[i], (int) i % 2, (int) i / 2, 1, 1);
    }
  return grid;
}

static GtkWidget *
build_regression (Analysis *self)
{
  GtkWidget *grid = gtk_grid_new ();
  guint n = g_strv_length (self->numeric);

  gtk_grid_set_column_spacing (GTK_GRID (grid), 12);
  gtk_grid_set_row_spacing (GTK_GRID (grid), 6);
  self->method = add_row (grid, 0, _ ("Method"), new_list (self, methods, WP_N_REGRESSIONS, TRUE));
  self->of = add_row (grid, 1, _ ("Of"), new_list (self, (const char *const *) self->numeric, n, FALSE));
  self->per = add_row (grid, 2, _ ("By"), new_list (self, (const char *const *) self->numeric, n, FALSE));
  self->steps = add_row (grid, 3, _ ("Parts"), gtk_spin_button_new_with_range (2, 1000, 1));
  gtk_spin_button_set_value (GTK_SPIN_BUTTON (self->steps), 3);
  add_row (grid, 4, _ ("Models"), build_models (self));
  select_field (self, self->of, "amount");
  select_field (self, self->per, "snapshots");
  select_field (self, self->per, SIZE);
  return grid;
}

static GtkWidget *
build (Analysis *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 12);
  const char *names[WP_N_POSTPROCESSORS];

  for (guint i = 0; i < WP_N_POSTPROCESSORS; i++)
    names[i] = processors[i].name;
  g_object_set (box, "margin-start", 12, "margin-end", 12, "margin-top", 12, "margin-bottom", 12, NULL);
  self->regression = build_regression (self);
  self->processor = new_list (self, names, WP_N_POSTPROCESSORS, TRUE);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->processor), GTK_ACCESSIBLE_PROPERTY_LABEL, _ ("Analysis"), -1);
  self->text = gtk_label_new (NULL);
  gtk_label_set_wrap (GTK_LABEL (self->text), TRUE);
  gtk_label_set_xalign (GTK_LABEL (self->text), 0);
  gtk_label_set_max_width_chars (GTK_LABEL (self->text), TEXT_CHARS);
  gtk_widget_add_css_class (self->text, "dim-label");
  self->apply = gtk_button_new_with_label (_ ("Apply"));
  gtk_widget_add_css_class (self->apply, "suggested-action");
  gtk_widget_set_halign (self->apply, GTK_ALIGN_END);
  g_signal_connect (self->apply, "clicked", G_CALLBACK (on_apply), self);
  gtk_box_append (GTK_BOX (box), self->processor);
  gtk_box_append (GTK_BOX (box), self->text);
  gtk_box_append (GTK_BOX (box), self->regression);
  gtk_box_append (GTK_BOX (box), self->apply);
  return box;
}

GtkWidget *
wp_plot_analysis_new (const WpPlots *plots, WpPlotAnalyseFunc analysed, gpointer user_data)
{
  Analysis *self = g_new0 (Analysis, 1);
  GtkWidget *popover = gtk_popover_new ();

  self->analysed = analysed;
  self->user_data = user_data;
  self->numeric = g_strdupv (plots->numeric);
  self->button = gtk_menu_button_new ();
  g_object_set_data_full (G_OBJECT (self->button), "analysis", self, analysis_free);
  gtk_menu_button_set_label (GTK_MENU_BUTTON (self->button), _ ("Analyse"));
  gtk_menu_button_set_direction (GTK_MENU_BUTTON (self->button), GTK_ARROW_UP);
  gtk_widget_set_tooltip_text (self->button, _ ("Fit models to the resources, normalize or cluster them; Save Profile keeps the result"));
  gtk_popover_set_child (GTK_POPOVER (popover), build (self));
  gtk_menu_button_set_popover (GTK_MENU_BUTTON (self->button), popover);
  update (self);
  return self->button;
}
