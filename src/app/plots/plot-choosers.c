#include "app/plots/plot-choosers.h"

#include <glib/gi18n.h>

#include "app/widgets/wrapping-bar.h"

struct WpPlotChoosers
{
  WpPlot plot;
  WpPlotOptions options;
  GStrv fields, numeric, functions;
  GtkWidget *bar;
  GtkWidget *function, *snapshot_text, *snapshot, *peak_button, *play;
  guint peak; /* snapshot, 0: none */
  guint playing; /* source, 0: not */
  WpPlotChosen chosen;
  gpointer user_data;
};

static void
tell (WpPlotChoosers *self)
{
  self->chosen (self->plot, self->user_data);
}

#define PLAY_MS 200
#define NAME_CHARS 22 /* of a choice */

/* --- lists ----------------------------------------------------------------------------------------------------------------- */

/* The first entry is what the view takes by itself. */
static const char *
chosen_text (GtkDropDown *drop_down)
{
  guint i = gtk_drop_down_get_selected (drop_down);

  if (i == 0 || i == GTK_INVALID_LIST_POSITION)
    return NULL;
  return gtk_string_list_get_string (GTK_STRING_LIST (gtk_drop_down_get_model (drop_down)), i);
}

static void
on_func (GtkDropDown *drop_down, GParamSpec *pspec, WpPlotChoosers *self)
{
  self->options.func = (WpGroupFunc) gtk_drop_down_get_selected (drop_down);
  tell (self);
}

static void
on_of (GtkDropDown *drop_down, GParamSpec *pspec, WpPlotChoosers *self)
{
  self->options.of = chosen_text (drop_down);
  tell (self);
}

static void
on_per (GtkDropDown *drop_down, GParamSpec *pspec, WpPlotChoosers *self)
{
  self->options.per = chosen_text (drop_down);
  tell (self);
}

static void
on_by (GtkDropDown *drop_down, GParamSpec *pspec, WpPlotChoosers *self)
{
  self->options.by = chosen_text (drop_down);
  tell (self);
}

static void
on_mode (GtkDropDown *drop_down, GParamSpec *pspec, WpPlotChoosers *self)
{
  self->options.mode = (WpAllocationsMode) gtk_drop_down_get_selected (drop_down);
  gtk_widget_set_visible (gtk_widget_get_parent (self->function), self->options.mode == WP_ALLOCATIONS_FUNC);
  tell (self);
}

static void
setup_choice (GtkSignalListItemFactory *factory, GtkListItem *item, gpointer data)
{
  GtkWidget *label = gtk_label_new (NULL);

  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_MIDDLE);
  gtk_label_set_max_width_chars (GTK_LABEL (label), GPOINTER_TO_INT (data));
  gtk_list_item_set_child (item, label);
}

static void
bind_choice (GtkSignalListItemFactory *factory, GtkListItem *item, gpointer data)
{
  const char *text = gtk_string_object_get_string (GTK_STRING_OBJECT (gtk_list_item_get_item (item)));
  GtkWidget *label = gtk_list_item_get_child (item);

  gtk_label_set_text (GTK_LABEL (label), text);
  gtk_label_set_width_chars (GTK_LABEL (label), (int) MIN (g_utf8_strlen (text, -1), GPOINTER_TO_INT (data)));
  gtk_widget_set_tooltip_text (label, g_utf8_strlen (text, -1) > GPOINTER_TO_INT (data) ? text : NULL);
}

/* Names of functions may be as long as they like: the button stays short, its list is wider. */
static GtkListItemFactory *
new_factory (int chars)
{
  GtkListItemFactory *factory = gtk_signal_list_item_factory_new ();

  g_signal_connect (factory, "setup", G_CALLBACK (setup_choice), GINT_TO_POINTER (chars));
  g_signal_connect (factory, "bind", G_CALLBACK (bind_choice), GINT_TO_POINTER (chars));
  return factory;
}

/* `first` is chosen at the beginning, and means what the view takes by itself; it is not said twice. */
static GtkStringList *
list_choices (const char *first, const char *const *names)
{
  GtkStringList *list = gtk_string_list_new (NULL);

  if (first != NULL)
    gtk_string_list_append (list, first);
  for (guint i = 0; names[i] != NULL; i++)
    if (g_strcmp0 (names[i], first) != 0)
      gtk_string_list_append (list, names[i]);
  return list;
}

typedef void (*SelectedFunc) (GtkDropDown *drop_down, GParamSpec *pspec, WpPlotChoosers *self);

static GtkWidget *
add_list (WpPlotChoosers *self, const char *label, const char *first, const char *const *names, SelectedFunc selected)
{
  GtkStringList *list = list_choices (first, names);
  GtkExpression *text = gtk_property_expression_new (GTK_TYPE_STRING_OBJECT, NULL, "string");
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6), *name = gtk_label_new (label), *drop_down;
  g_autoptr (GtkListItemFactory) factory = new_factory (NAME_CHARS), list_factory = new_factory (3 * NAME_CHARS);

  drop_down = gtk_drop_down_new (G_LIST_MODEL (list), text);
  gtk_drop_down_set_factory (GTK_DROP_DOWN (drop_down), factory);
  gtk_drop_down_set_list_factory (GTK_DROP_DOWN (drop_down), list_factory);
  gtk_drop_down_set_enable_search (GTK_DROP_DOWN (drop_down), g_list_model_get_n_items (G_LIST_MODEL (list)) > 12);
  gtk_accessible_update_property (GTK_ACCESSIBLE (drop_down), GTK_ACCESSIBLE_PROPERTY_LABEL, label, -1);
  g_signal_connect (drop_down, "notify::selected", G_CALLBACK (selected), self);
  gtk_widget_add_css_class (name, "dim-label");
  gtk_box_append (GTK_BOX (box), name);
  gtk_box_append (GTK_BOX (box), drop_down);
  wp_wrapping_bar_insert (self->bar, box, -1);
  return box;
}

/* --- switches -------------------------------------------------------------------------------------------------------------- */

static void
on_stacked (GtkToggleButton *button, WpPlotChoosers *self)
{
  self->options.stacked = gtk_toggle_button_get_active (button);
  tell (self);
}

static void
on_accumulate (GtkToggleButton *button, WpPlotChoosers *self)
{
  self->options.accumulate = gtk_toggle_button_get_active (button);
  tell (self);
}

static void
on_icicle (GtkToggleButton *button, WpPlotChoosers *self)
{
  self->options.icicle = gtk_toggle_button_get_active (button);
  tell (self);
}

static void
on_inverted (GtkToggleButton *button, WpPlotChoosers *self)
{
  self->options.inverted = gtk_toggle_button_get_active (button);
  tell (self);
}

static const struct
{
  WpPlotChoice choice;
  const char *label, *tooltip;
  void (*toggled) (GtkToggleButton *button, WpPlotChoosers *self);
  gboolean active;
} switches[] = {
  { WP_CHOOSE_STACKED, N_ ("Stacked"), N_ ("On top of one another instead of side by side"), on_stacked, TRUE },
  { WP_CHOOSE_ACCUMULATE, N_ ("Accumulate"), N_ ("Add up all that came before"), on_accumulate, TRUE },
  { WP_CHOOSE_INVERTED, N_ ("Inverted"), N_ ("Innermost functions first"), on_inverted, FALSE },
  { WP_CHOOSE_ICICLE, N_ ("Icicle"), N_ ("Roots at the top"), on_icicle, FALSE },
};

static void
add_switches (WpPlotChoosers *self, guint choices)
{
  for (guint i = 0; i < G_N_ELEMENTS (switches); i++)
    if (choices & switches[i].choice)
      {
        GtkWidget *button = gtk_toggle_button_new_with_label (_(switches[i].label));

        gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (button), switches[i].active);
        gtk_widget_set_tooltip_text (button, _(switches[i].tooltip));
        gtk_widget_add_css_class (button, "flat");
        g_signal_connect (button, "toggled", G_CALLBACK (switches[i].toggled), self);
        wp_wrapping_bar_insert (self->bar, button, -1);
      }
}

/* --- snapshots ------------------------------------------------------------------------------------------------------------- */

static void
show_snapshot (WpPlotChoosers *self)
{
  g_autofree char *text = self->options.snapshot == 0 ? g_strdup (_ ("All snapshots"))
                                                      : g_strdup_printf (_ ("Snapshot %u"), self->options.snapshot);

  gtk_label_set_text (GTK_LABEL (self->snapshot_text), text);
}

static void
on_snapshot (GtkRange *range, WpPlotChoosers *self)
{
  guint snapshot = (guint) gtk_range_get_value (range);

  if (snapshot == self->options.snapshot)
    return;
  self->options.snapshot = snapshot;
  show_snapshot (self);
  tell (self);
}

void
wp_plot_choosers_step (WpPlotChoosers *self, int by)
{
  if (self->snapshot != NULL)
    gtk_range_set_value (GTK_RANGE (self->snapshot), gtk_range_get_value (GTK_RANGE (self->snapshot)) + by);
}

void
wp_plot_choosers_set_peak (WpPlotChoosers *self, guint snapshot)
{
  self->peak = snapshot;
  if (self->peak_button != NULL)
    gtk_widget_set_sensitive (self->peak_button, snapshot > 0);
}

static void
on_peak (GtkButton *button, WpPlotChoosers *self)
{
  gtk_range_set_value (GTK_RANGE (self->snapshot), self->peak);
}

static void
add_peak (WpPlotChoosers *self)
{
  self->peak_button = gtk_button_new_with_label (_ ("Peak"));
  gtk_widget_add_css_class (self->peak_button, "flat");
  gtk_widget_set_tooltip_text (self->peak_button, _ ("The snapshot in which most is allocated"));
  gtk_widget_set_sensitive (self->peak_button, FALSE);
  g_signal_connect (self->peak_button, "clicked", G_CALLBACK (on_peak), self);
  gtk_box_append (GTK_BOX (self->bar), self->peak_button);
}

void
wp_plot_choosers_play (WpPlotChoosers *self)
{
  if (self->play != NULL)
    gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (self->play), !gtk_toggle_button_get_active (GTK_TOGGLE_BUTTON (self->play)));
}

/* Ends with the last snapshot. A picture that takes longer than a step is passed over. */
static gboolean
play_on (gpointer data)
{
  WpPlotChoosers *self = data;
  GtkAdjustment *at = gtk_range_get_adjustment (GTK_RANGE (self->snapshot));

  wp_plot_choosers_step (self, 1);
  if (gtk_adjustment_get_value (at) < gtk_adjustment_get_upper (at))
    return G_SOURCE_CONTINUE;
  self->playing = 0;
  wp_plot_choosers_play (self);
  return G_SOURCE_REMOVE;
}

static void
on_play (GtkToggleButton *button, WpPlotChoosers *self)
{
  GtkAdjustment *at = gtk_range_get_adjustment (GTK_RANGE (self->snapshot));
  gboolean playing = gtk_toggle_button_get_active (button);

  gtk_button_set_icon_name (GTK_BUTTON (button), playing ? "media-playback-pause-symbolic" : "media-playback-start-symbolic");
  g_clear_handle_id (&self->playing, g_source_remove);
  if (!playing)
    return;
  if (gtk_adjustment_get_value (at) >= gtk_adjustment_get_upper (at))
    gtk_range_set_value (GTK_RANGE (self->snapshot), 1);
  self->playing = g_timeout_add (PLAY_MS, play_on, self);
}

/* Nobody looks any more. */
static void
on_unmap (GtkWidget *button, WpPlotChoosers *self)
{
  gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (button), FALSE);
}

static void
add_play (WpPlotChoosers *self)
{
  self->play = gtk_toggle_button_new ();
  gtk_button_set_icon_name (GTK_BUTTON (self->play), "media-playback-start-symbolic");
  gtk_widget_set_tooltip_text (self->play, _ ("Play through the snapshots (P); one back and forth: comma and period"));
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->play), GTK_ACCESSIBLE_PROPERTY_LABEL, _ ("Play"), -1);
  g_signal_connect (self->play, "toggled", G_CALLBACK (on_play), self);
  g_signal_connect (self->play, "unmap", G_CALLBACK (on_unmap), self);
  gtk_box_append (GTK_BOX (self->bar), g_object_ref (self->play));
}

static void
add_slider (WpPlotChoosers *self, guint32 n)
{
  GtkWidget *scale = gtk_scale_new_with_range (GTK_ORIENTATION_HORIZONTAL, 0, MAX (n, 1), 1);

  gtk_scale_set_digits (GTK_SCALE (scale), 0);
  gtk_widget_set_hexpand (scale, TRUE);
  gtk_accessible_update_property (GTK_ACCESSIBLE (scale), GTK_ACCESSIBLE_PROPERTY_LABEL, _ ("Snapshot"), -1);
  g_signal_connect (scale, "value-changed", G_CALLBACK (on_snapshot), self);
  self->snapshot_text = gtk_label_new (NULL);
  gtk_label_set_width_chars (GTK_LABEL (self->snapshot_text), 14);
  gtk_label_set_xalign (GTK_LABEL (self->snapshot_text), 0);
  gtk_box_append (GTK_BOX (self->bar), self->snapshot_text);
  gtk_box_append (GTK_BOX (self->bar), scale);
  self->snapshot = scale;
  add_peak (self);
  add_play (self);
  show_snapshot (self);
}

/* --- all of it ------------------------------------------------------------------------------------------------------------- */

static void
add_lists (WpPlotChoosers *self, const WpPlots *plots, guint choices)
{
  const char *funcs[WP_N_GROUP_FUNCS + 1] = { NULL };
  const char *const modes[] = { _ ("All, by time"), _ ("Largest first"), _ ("Functions by number"), _ ("Functions by amount"),
                                _ ("Of one function"), NULL };
  gboolean number = self->plot == WP_PLOT_FLOW || self->plot == WP_PLOT_SCATTER;
  const char *along = wp_plot_along (plots, self->plot);

  for (guint i = 0; i < WP_N_GROUP_FUNCS; i++)
    funcs[i] = wp_group_func_id ((WpGroupFunc) i);
  if (choices & WP_CHOOSE_FUNC)
    add_list (self, _ ("Show"), NULL, funcs, on_func);
  if (choices & WP_CHOOSE_OF)
    add_list (self, _ ("of"), "amount", (const char *const *) (choices & WP_CHOOSE_FUNC ? self->fields : self->numeric), on_of);
  if (choices & WP_CHOOSE_PER)
    add_list (self, number && choices & WP_CHOOSE_FUNC ? _ ("through") : _ ("per"), along,
              (const char *const *) (number ? self->numeric : self->fields), on_per);
  if (choices & WP_CHOOSE_BY)
    add_list (self, _ ("by"), "uid", (const char *const *) self->fields, on_by);
  if (!(choices & WP_CHOOSE_MODE))
    return;
  add_list (self, _ ("Show"), NULL, modes, on_mode);
  self->function = add_list (self, _ ("function"), _ ("(any)"), (const char *const *) self->functions, on_of);
  gtk_widget_set_visible (gtk_widget_get_parent (self->function), FALSE);
}

WpPlotChoosers *
wp_plot_choosers_new (WpPlot plot, const WpPlots *plots, WpPlotChosen chosen, gpointer user_data)
{
  WpPlotChoosers *self = g_new0 (WpPlotChoosers, 1);
  guint choices = wp_plot_choices (plot);

  self->plot = plot;
  self->options = WP_PLOT_OPTIONS_DEFAULT;
  self->chosen = chosen;
  self->user_data = user_data;
  if (choices == 0)
    return self;
  self->fields = g_strdupv (plots->fields);
  self->numeric = g_strdupv (plots->numeric);
  self->functions = g_strdupv (plots->functions);
  if (choices & WP_CHOOSE_SNAPSHOT)
    {
      self->bar = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 12);
      gtk_widget_add_css_class (self->bar, "toolbar");
      add_slider (self, plots->n_snapshots);
      return self;
    }
  self->bar = wp_wrapping_bar_new ();
  gtk_widget_add_css_class (self->bar, "toolbar");
  add_lists (self, plots, choices);
  add_switches (self, choices);
  return self;
}

void
wp_plot_choosers_free (WpPlotChoosers *self)
{
  g_clear_handle_id (&self->playing, g_source_remove);
  if (self->play != NULL)
    g_signal_handlers_disconnect_by_data (self->play, self);
  g_clear_object (&self->play);
  g_strfreev (self->fields);
  g_strfreev (self->numeric);
  g_strfreev (self->functions);
  g_free (self);
}

GtkWidget *
wp_plot_choosers_widget (WpPlotChoosers *self)
{
  return self->bar;
}

const WpPlotOptions *
wp_plot_choosers_options (WpPlotChoosers *self)
{
  return &self->options;
}
