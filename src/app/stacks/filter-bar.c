#include "app/stacks/filter-bar.h"

#include <glib/gi18n.h>

#include "app/stacks/label-list.h"
#include "app/widgets/chip.h"
#include "app/widgets/error-style.h"
#include "app/widgets/wrapping-bar.h"
#include "stacks/measure.h"

struct _WpFilterBar
{
  AdwBin parent_instance;

  WpStacksModel *model;
  GtkWidget *choosers;
  GtkDropDown *type, *by;
  GtkToggleButton *mean;
  GtkMenuButton *labels;
  GtkLabel *summary;
  GtkEntry *entry;
  GtkRevealer *steps_revealer;
  GtkBox *steps;
  GtkWidget *undo;
};

G_DEFINE_FINAL_TYPE (WpFilterBar, wp_filter_bar, ADW_TYPE_BIN)

/* What a step does, as its chip says it. Ids of the text form stay English. */
static const char *const kind_names[WP_FILTER_KIND_COUNT] = {
  [WP_FILTER_TAG_ROOT] = N_("Label as root"), [WP_FILTER_TAG_LEAF] = N_("Label as leaf"), [WP_FILTER_FOCUS] = N_("Focus"),
  [WP_FILTER_IGNORE] = N_("Ignore"),          [WP_FILTER_HIDE] = N_("Hide"),              [WP_FILTER_SHOW] = N_("Show only"),
  [WP_FILTER_SHOW_FROM] = N_("Show from"),    [WP_FILTER_TAG_FOCUS] = N_("Label"),        [WP_FILTER_TAG_IGNORE] = N_("Not label"),
  [WP_FILTER_TAG_SHOW] = N_("Show labels"),   [WP_FILTER_TAG_HIDE] = N_("Hide labels"),   [WP_FILTER_PRUNE_FROM] = N_("Prune from"),
};

/* --- choosers ----------------------------------------------------------------------------------------------------- */

/* The first type has no mean: that of itself would be one everywhere. */
static void
choose_type (WpFilterBar *self)
{
  WpStacksChoice choice = *wp_stacks_model_choice (self->model);

  choice.type = gtk_drop_down_get_selected (self->type);
  choice.mean = choice.type > 0 && gtk_toggle_button_get_active (self->mean);
  gtk_widget_set_sensitive (GTK_WIDGET (self->mean), choice.type > 0);
  wp_stacks_model_choose (self->model, &choice);
}

static void
on_type (GtkDropDown *drop_down, GParamSpec *pspec, WpFilterBar *self)
{
  choose_type (self);
}

static void
on_mean (GtkToggleButton *button, WpFilterBar *self)
{
  choose_type (self);
}

static void
on_by (GtkDropDown *drop_down, GParamSpec *pspec, WpFilterBar *self)
{
  WpStacksChoice choice = *wp_stacks_model_choice (self->model);

  choice.by = (WpFramesBy) gtk_drop_down_get_selected (drop_down);
  wp_stacks_model_choose (self->model, &choice);
}

static GtkWidget *
build_types (WpFilterBar *self)
{
  const WpStacks *stacks = wp_stacks_model_stacks (self->model);
  GtkStringList *names = gtk_string_list_new (NULL);

  for (guint32 t = 0; t < stacks->types.len; t++)
    gtk_string_list_take (names, wp_stacks_type_shown (stacks, t));
  self->type = GTK_DROP_DOWN (gtk_drop_down_new (G_LIST_MODEL (names), NULL));
  gtk_drop_down_set_selected (self->type, wp_stacks_model_choice (self->model)->type);
  gtk_widget_set_tooltip_text (GTK_WIDGET (self->type), _("Which values are counted"));
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->type), GTK_ACCESSIBLE_PROPERTY_LABEL, _("Values"), -1);
  g_signal_connect (self->type, "notify::selected", G_CALLBACK (on_type), self);
  return GTK_WIDGET (self->type);
}

/* By how many: what is no number of anything, as times in recordings, says nothing of each. */
static gboolean
has_mean (const WpStacks *stacks)
{
  const char *unit = stacks->types.len > 1 ? wp_stacks_text (stacks, stacks->types.data[0].unit) : "ns";

  return !wp_measure_is_alike (unit, "ns") && !wp_measure_is_alike (unit, "bytes");
}

static GtkWidget *
build_mean (WpFilterBar *self)
{
  const WpStacks *stacks = wp_stacks_model_stacks (self->model);
  g_autofree char *first = wp_stacks_dup_shown (stacks, stacks->types.data[0].type);
  g_autofree char *tooltip = g_strdup_printf (_("Values divided by those of %s"), first);
  GtkWidget *button = gtk_toggle_button_new_with_label (_("Mean"));

  self->mean = GTK_TOGGLE_BUTTON (button);
  gtk_widget_set_tooltip_text (button, tooltip);
  gtk_widget_set_visible (button, has_mean (stacks));
  gtk_widget_set_sensitive (button, wp_stacks_model_choice (self->model)->type > 0);
  g_signal_connect (button, "toggled", G_CALLBACK (on_mean), self);
  return button;
}

static GtkWidget *
build_by (WpFilterBar *self)
{
  static const char *const names[WP_FRAMES_BY_COUNT] = {
    [WP_FRAMES_BY_FUNCTION] = N_("Functions"), [WP_FRAMES_BY_FILE_FUNCTION] = N_("Functions of files"), [WP_FRAMES_BY_LINE] = N_("Lines"),
    [WP_FRAMES_BY_FILE] = N_("Files"),         [WP_FRAMES_BY_ADDRESS] = N_("Addresses"),
  };
  GtkStringList *list = gtk_string_list_new (NULL);

  for (guint b = 0; b < WP_FRAMES_BY_COUNT; b++)
    gtk_string_list_append (list, _(names[b]));
  self->by = GTK_DROP_DOWN (gtk_drop_down_new (G_LIST_MODEL (list), NULL));
  gtk_widget_set_tooltip_text (GTK_WIDGET (self->by), _("What a frame stands for"));
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->by), GTK_ACCESSIBLE_PROPERTY_LABEL, _("Frames"), -1);
  g_signal_connect (self->by, "notify::selected", G_CALLBACK (on_by), self);
  return GTK_WIDGET (self->by);
}

/* --- inlined functions -------------------------------------------------------------------------------------------- */

static void
on_inlined (GtkToggleButton *button, WpFilterBar *self)
{
  WpStacksChoice choice = *wp_stacks_model_choice (self->model);

  choice.without_inlined = !gtk_toggle_button_get_active (button);
  wp_stacks_model_choose (self->model, &choice);
}

static gboolean
has_inlined (const WpFrames *frames)
{
  for (WpId i = 1; i < frames->locations.len; i++)
    if (frames->locations.data[i].n_lines > 1)
      return TRUE;
  return FALSE;
}

static GtkWidget *
build_inlined (WpFilterBar *self)
{
  GtkWidget *button = gtk_toggle_button_new_with_label (_("Inlined"));

  gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (button), TRUE);
  gtk_widget_set_tooltip_text (button, _("Inlined functions are frames of their own"));
  gtk_widget_set_visible (button, has_inlined (wp_stacks_model_stacks (self->model)->frames));
  g_signal_connect (button, "toggled", G_CALLBACK (on_inlined), self);
  return button;
}

/* --- labels ------------------------------------------------------------------------------------------------------- */

static void
on_label_chosen (WpLabelList *list, const char *pattern, WpFilterBar *self)
{
  gtk_menu_button_popdown (self->labels);
  wp_stacks_model_add_step (self->model, WP_FILTER_TAG_FOCUS, pattern);
}

/* The list is made when it is asked for: it counts all samples that the filter leaves. */
static void
on_labels_wanted (GtkMenuButton *button, gpointer data)
{
  WpFilterBar *self = data;
  const WpStacksViews *views = wp_shared_get (wp_stacks_model_views (self->model));
  GtkWidget *popover = gtk_popover_new (), *list;

  list = wp_label_list_new (views != NULL ? views->stacks : wp_stacks_model_stacks (self->model), wp_stacks_model_choice (self->model)->type);
  g_signal_connect_object (list, "chosen", G_CALLBACK (on_label_chosen), self, 0);
  gtk_popover_set_child (GTK_POPOVER (popover), list);
  gtk_menu_button_set_popover (button, popover);
}

static GtkWidget *
build_labels (WpFilterBar *self)
{
  self->labels = GTK_MENU_BUTTON (gtk_menu_button_new ());
  gtk_menu_button_set_label (self->labels, _("Labels"));
  gtk_widget_set_tooltip_text (GTK_WIDGET (self->labels), _("Only samples with one of these labels"));
  gtk_widget_set_visible (GTK_WIDGET (self->labels), wp_stacks_model_stacks (self->model)->labels->sets.len > 1);
  gtk_menu_button_set_create_popup_func (self->labels, on_labels_wanted, self, NULL);
  return GTK_WIDGET (self->labels);
}

/* --- steps -------------------------------------------------------------------------------------------------------- */

static void
on_step_removed (GtkButton *button, WpFilterBar *self)
{
  wp_stacks_model_remove_step (self->model, GPOINTER_TO_UINT (g_object_get_data (G_OBJECT (button), "step")));
}

static void
on_cleared (GtkButton *button, WpFilterBar *self)
{
  wp_stacks_model_clear_filter (self->model);
}

static void
on_undo (GtkButton *button, WpFilterBar *self)
{
  wp_stacks_model_undo (self->model);
}

/* "^runtime\.main$" is one function, "task=^sort$" one label, and they are shown as such. */
static char *
shown_pattern (const char *pattern)
{
  const char *equals = strstr (pattern, "=^"), *from = equals != NULL ? equals + 1 : pattern;
  gsize n = strlen (from);
  g_autoptr (GString) text = g_string_new_len (pattern, from - pattern);

  if (n < 2 || from[0] != '^' || from[n - 1] != '$')
    return g_utf8_make_valid (pattern, -1);
  for (gsize i = 1; i + 1 < n; i++)
    if (from[i] != '\\' || i + 2 >= n)
      g_string_append_c (text, from[i]);
    else
      g_string_append_c (text, from[++i]);
  return g_utf8_make_valid (text->str, (gssize) text->len);
}

static GtkWidget *
new_chip (WpFilterBar *self, guint32 step)
{
  const WpFilterStep *row = &wp_stacks_model_filter (self->model)->data[step];
  g_autofree char *pattern = shown_pattern (row->pattern), *text = g_strdup_printf ("%s: %s", _(kind_names[row->kind]), pattern);
  g_autofree char *whole = g_strdup_printf ("%s=%s", wp_filter_kind_id (row->kind), row->pattern);
  g_autofree char *valid = g_utf8_make_valid (whole, -1);
  GtkWidget *button, *chip = wp_chip_new (text, valid, &button);

  g_object_set_data (G_OBJECT (button), "step", GUINT_TO_POINTER (step));
  g_signal_connect (button, "clicked", G_CALLBACK (on_step_removed), self);
  return chip;
}

static void
show_steps (WpFilterBar *self)
{
  const WpFilter *filter = wp_stacks_model_filter (self->model);
  GtkWidget *child, *all;

  while ((child = gtk_widget_get_first_child (GTK_WIDGET (self->steps))) != NULL)
    gtk_box_remove (self->steps, child);
  all = gtk_button_new_with_label (_("Everything"));
  gtk_widget_add_css_class (all, "flat");
  gtk_widget_set_tooltip_text (all, _("Remove all steps of the filter"));
  gtk_widget_set_sensitive (all, filter->len > 0);
  g_signal_connect (all, "clicked", G_CALLBACK (on_cleared), self);
  gtk_box_append (self->steps, all);
  for (guint32 i = 0; i < filter->len; i++)
    {
      GtkWidget *arrow = gtk_image_new_from_icon_name ("pan-end-symbolic");

      gtk_widget_add_css_class (arrow, "dim-label");
      gtk_box_append (self->steps, arrow);
      gtk_box_append (self->steps, new_chip (self, i));
    }
  gtk_widget_set_sensitive (self->undo, wp_stacks_model_can_undo (self->model));
  gtk_revealer_set_reveal_child (self->steps_revealer, filter->len > 0 || wp_stacks_model_can_undo (self->model));
}

static GtkWidget *
build_steps (WpFilterBar *self)
{
  GtkWidget *bar = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6), *scrolled = gtk_scrolled_window_new ();

  self->undo = gtk_button_new_from_icon_name ("edit-undo-symbolic");
  gtk_widget_add_css_class (self->undo, "flat");
  gtk_widget_set_tooltip_text (self->undo, _("Undo the last change of the filter"));
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->undo), GTK_ACCESSIBLE_PROPERTY_LABEL, _("Undo the last change of the filter"), -1);
  g_signal_connect (self->undo, "clicked", G_CALLBACK (on_undo), self);
  self->steps = GTK_BOX (gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 3));
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (scrolled), GTK_POLICY_AUTOMATIC, GTK_POLICY_NEVER);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scrolled), GTK_WIDGET (self->steps));
  gtk_widget_set_hexpand (scrolled, TRUE);
  gtk_widget_add_css_class (bar, "view-toolbar");
  gtk_box_append (GTK_BOX (bar), scrolled);
  gtk_box_append (GTK_BOX (bar), self->undo);
  self->steps_revealer = GTK_REVEALER (gtk_revealer_new ());
  gtk_revealer_set_child (self->steps_revealer, bar);
  return GTK_WIDGET (self->steps_revealer);
}

/* --- typing a step ------------------------------------------------------------------------------------------------ */

static void
show_wrong (WpFilterBar *self, const char *message)
{
  wp_set_wrong (GTK_WIDGET (self->entry), message != NULL);
  gtk_entry_set_icon_from_icon_name (self->entry, GTK_ENTRY_ICON_SECONDARY, message != NULL ? "dialog-warning-symbolic" : NULL);
  gtk_entry_set_icon_tooltip_text (self->entry, GTK_ENTRY_ICON_SECONDARY, message);
}

static void
on_typed (GtkEditable *entry, WpFilterBar *self)
{
  show_wrong (self, NULL);
}

static void
on_entered (GtkEntry *entry, WpFilterBar *self)
{
  g_autoptr (GError) error = NULL;
  const char *text = gtk_editable_get_text (GTK_EDITABLE (entry));

  if (*text == '\0')
    return;
  if (wp_stacks_model_type_step (self->model, text, &error))
    gtk_editable_set_text (GTK_EDITABLE (entry), "");
  else
    show_wrong (self, error->message);
}

static GtkWidget *
build_entry (WpFilterBar *self)
{
  self->entry = GTK_ENTRY (gtk_entry_new ());
  gtk_entry_set_placeholder_text (self->entry, _("Focus on… or hide=…"));
  gtk_entry_set_icon_from_icon_name (self->entry, GTK_ENTRY_ICON_PRIMARY, "wakepath-filter-symbolic");
  gtk_widget_set_tooltip_text (GTK_WIDGET (self->entry),
                               _("A regular expression, or steps like focus=PATTERN ignore=PATTERN hide=PATTERN tagfocus=KEY=PATTERN"));
  gtk_editable_set_width_chars (GTK_EDITABLE (self->entry), 18);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->entry), GTK_ACCESSIBLE_PROPERTY_LABEL, _("Add to the filter"), -1);
  g_signal_connect (self->entry, "activate", G_CALLBACK (on_entered), self);
  g_signal_connect (self->entry, "changed", G_CALLBACK (on_typed), self);
  return GTK_WIDGET (self->entry);
}

/* --- the bar ------------------------------------------------------------------------------------------------------ */

static void
on_changed (WpStacksModel *model, WpFilterBar *self)
{
  show_steps (self);
}

static void
on_made (WpStacksModel *model, WpFilterBar *self)
{
  const WpStacksViews *views = wp_shared_get (wp_stacks_model_views (model));
  g_autofree char *text = views != NULL ? wp_stacks_views_summary (views) : NULL;

  gtk_label_set_text (self->summary, text != NULL ? text : "");
}

void
wp_filter_bar_prepend (WpFilterBar *self, GtkWidget *widget)
{
  g_object_set (widget, "halign", GTK_ALIGN_START, "margin-start", 6, "margin-top", 6, NULL);
  gtk_box_prepend (GTK_BOX (adw_bin_get_child (ADW_BIN (self))), widget);
}

static void
wp_filter_bar_finalize (GObject *object)
{
  g_clear_object (&WP_FILTER_BAR (object)->model);
  G_OBJECT_CLASS (wp_filter_bar_parent_class)->finalize (object);
}

static void
wp_filter_bar_class_init (WpFilterBarClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = wp_filter_bar_finalize;
}

static void
wp_filter_bar_init (WpFilterBar *self)
{
}

GtkWidget *
wp_filter_bar_new (WpStacksModel *model)
{
  WpFilterBar *self = g_object_new (WP_TYPE_FILTER_BAR, NULL);
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0), *first = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);

  self->model = g_object_ref (model);
  self->choosers = wp_wrapping_bar_new ();
  g_object_set (self->choosers, "column-spacing", 6, "row-spacing", 6, "hexpand", TRUE, NULL);
  gtk_widget_add_css_class (self->choosers, "filter-choosers");
  gtk_widget_add_css_class (first, "view-toolbar");
  wp_wrapping_bar_insert (self->choosers, build_types (self), -1);
  wp_wrapping_bar_insert (self->choosers, build_mean (self), -1);
  wp_wrapping_bar_insert (self->choosers, build_by (self), -1);
  wp_wrapping_bar_insert (self->choosers, build_inlined (self), -1);
  wp_wrapping_bar_insert (self->choosers, build_labels (self), -1);
  gtk_box_append (GTK_BOX (first), self->choosers);
  self->summary = GTK_LABEL (gtk_label_new (NULL));
  gtk_label_set_ellipsize (self->summary, PANGO_ELLIPSIZE_END);
  gtk_label_set_xalign (self->summary, 1);
  gtk_widget_add_css_class (GTK_WIDGET (self->summary), "numeric");
  gtk_widget_add_css_class (GTK_WIDGET (self->summary), "dim-label");
  gtk_box_append (GTK_BOX (first), GTK_WIDGET (self->summary));
  gtk_widget_set_valign (GTK_WIDGET (self->summary), GTK_ALIGN_CENTER);
  gtk_box_append (GTK_BOX (first), build_entry (self));
  gtk_widget_set_valign (GTK_WIDGET (self->entry), GTK_ALIGN_CENTER);
  gtk_box_append (GTK_BOX (box), first);
  gtk_box_append (GTK_BOX (box), build_steps (self));
  adw_bin_set_child (ADW_BIN (self), box);
  g_signal_connect_object (model, "changed", G_CALLBACK (on_changed), self, 0);
  g_signal_connect_object (model, "made", G_CALLBACK (on_made), self, 0);
  show_steps (self);
  return GTK_WIDGET (self);
}
