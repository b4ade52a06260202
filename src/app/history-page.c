#include "app/history-page.h"

#include <glib/gi18n.h>
#include <math.h>

#include "app/canvas.h"
#include "app/chart-area.h"
#include "app/history-columns.h"
#include "app/history-save.h"
#include "app/job.h"

#define TYPING 300 /* ms after which a name that is typed is looked up */

/* A point as it stays while more becomes known. */
typedef struct
{
  guint32 line, commit;
} Pick;

struct _WpHistoryPage
{
  AdwBin parent_instance;

  GtkStack *stack; /* "message", "chart" */
  AdwStatusPage *message;
  AdwToastOverlay *toasts;
  GtkDropDown *figures, *lines;
  GtkEntry *name;
  GtkWidget *bar, *open, *compare, *export;
  GtkLabel *foot;
  GtkSpinner *spinner;
  WpChartArea *chart;

  char *folder, *branch, *title;
  WpStoreSession *session;
  WpShared *history;         /* WpHistory; NULL: not yet */
  WpHistoryColumns *columns;
  WpHistoryPoints points;    /* what the chart shows */
  Pick picked[2];
  guint n_picked, left, failed, typing;
  char *problem;             /* of the first profile that could not be read */
  WpJob *gathering, *reading, *unpacking, *saving;
};

enum
{
  SIGNAL_CHANGED,
  SIGNAL_FINISHED,
  SIGNAL_COMMIT,
  SIGNAL_OPEN,
  SIGNAL_COMPARE,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (WpHistoryPage, wp_history_page, ADW_TYPE_BIN)

const char *
wp_history_page_title (WpHistoryPage *self)
{
  return self->title;
}

gboolean
wp_history_page_busy (WpHistoryPage *self)
{
  return self->gathering != NULL;
}

static void
toast (WpHistoryPage *self, const char *text)
{
  g_autofree char *escaped = g_markup_escape_text (text, -1);

  adw_toast_overlay_add_toast (self->toasts, adw_toast_new (escaped));
}

static void
show_message (WpHistoryPage *self, const char *icon, const char *title, const char *text)
{
  g_autofree char *escaped = g_markup_escape_text (text, -1);

  adw_status_page_set_icon_name (self->message, icon);
  adw_status_page_set_title (self->message, title);
  adw_status_page_set_description (self->message, escaped);
  gtk_stack_set_visible_child_name (self->stack, "message");
}

/* --- which figure ----------------------------------------------------------------------------------------------------------- */

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

static void
fill_figures (WpHistoryPage *self)
{
  g_autoptr (GtkStringList) list = gtk_string_list_new (NULL);

  for (guint k = 0; k < N_HEADS; k++)
    gtk_string_list_take (list, wp_figure_name (&(WpFigure) { .kind = k }));
  for (guint c = 0; c < WP_CATEGORY_COUNT; c++)
    gtk_string_list_append (list, _(wp_category_name (c)));
  for (guint i = 0; i < G_N_ELEMENTS (named); i++)
    gtk_string_list_append (list, _(named[i].name));
  gtk_drop_down_set_model (self->figures, G_LIST_MODEL (list));
}

/* FALSE: its name is missing. The text belongs to the entry. */
static gboolean
chosen_figure (WpHistoryPage *self, WpFigure *figure)
{
  guint chosen = gtk_drop_down_get_selected (self->figures);

  if (chosen < N_HEADS)
    *figure = (WpFigure) { .kind = chosen };
  else if (chosen < N_FIXED)
    *figure = (WpFigure) { .kind = WP_FIGURE_CATEGORY, .category = chosen - N_HEADS };
  else
    *figure = (WpFigure) { .kind = named[MIN (chosen - N_FIXED, G_N_ELEMENTS (named) - 1)].kind,
                           .of = (char *) gtk_editable_get_text (GTK_EDITABLE (self->name)) };
  return figure->of == NULL || *figure->of != '\0';
}

static guint32
chosen_line (WpHistoryPage *self)
{
  guint chosen = gtk_drop_down_get_selected (self->lines);

  return chosen == 0 || chosen == GTK_INVALID_LIST_POSITION ? WP_HISTORY_ALL : chosen - 1;
}

static void
fill_lines (WpHistoryPage *self)
{
  const WpHistory *history = wp_shared_get (self->history);
  g_autoptr (GtkStringList) list = gtk_string_list_new (NULL);

  gtk_string_list_append (list, _("All commands"));
  for (guint32 l = 0; l < history->lines.len; l++)
    gtk_string_list_append (list, history->lines.data[l].name);
  gtk_drop_down_set_model (self->lines, G_LIST_MODEL (list));
  gtk_widget_set_visible (GTK_WIDGET (self->lines), history->lines.len > 1);
}

/* --- what is shown ------------------------------------------------------------------------------------------------------------ */

static guint32
row_of (const WpHistoryPage *self, const Pick *pick)
{
  for (guint32 p = 0; p < self->points.points.len; p++)
    if (self->points.points.data[p].line == pick->line && self->points.points.data[p].commit == pick->commit)
      return p;
  return G_MAXUINT32;
}

/* The older one is A. */
static void
picked_rows (const WpHistoryPage *self, guint32 rows[2])
{
  guint first = self->n_picked == 2 && self->picked[1].commit < self->picked[0].commit;

  rows[0] = self->n_picked > 0 ? row_of (self, &self->picked[first]) : G_MAXUINT32;
  rows[1] = self->n_picked > 1 ? row_of (self, &self->picked[!first]) : G_MAXUINT32;
}

static void
show_foot (WpHistoryPage *self)
{
  const WpHistory *history = wp_shared_get (self->history);
  g_autoptr (GString) text = g_string_new (NULL);
  guint damaged = history->unreadable + self->failed;

  if (self->left > 0)
    g_string_append_printf (text, ngettext ("Reading: %u profile is left", "Reading: %u profiles are left", self->left), self->left);
  else
    g_string_append (text, _("Click a point to see its commit, another one with Shift to compare the two"));
  if (self->points.other_units > 0)
    g_string_append_printf (text, ngettext (" · %u profile of another unit is left out", " · %u profiles of another unit are left out",
                                            self->points.other_units), self->points.other_units);
  if (damaged > 0)
    g_string_append_printf (text, ngettext (" · %u profile cannot be read", " · %u profiles cannot be read", damaged), damaged);
  gtk_label_set_label (self->foot, text->str);
  gtk_widget_set_tooltip_text (GTK_WIDGET (self->foot), self->problem != NULL ? self->problem : text->str);
  gtk_spinner_set_spinning (self->spinner, self->left > 0);
  gtk_widget_set_visible (GTK_WIDGET (self->spinner), self->left > 0);
}

static void
show_chart (WpHistoryPage *self)
{
  WpFigure figure;
  guint32 rows[2];
  gboolean named_well = chosen_figure (self, &figure);
  g_autoptr (WpShared) chart = NULL;

  wp_history_points (wp_shared_get (self->history), wp_history_columns_values (self->columns, &figure), chosen_line (self),
                     &self->points);
  picked_rows (self, rows);
  gtk_widget_set_sensitive (self->open, rows[0] != G_MAXUINT32 && self->unpacking == NULL);
  gtk_widget_set_sensitive (self->compare, rows[0] != G_MAXUINT32 && rows[1] != G_MAXUINT32 && self->unpacking == NULL);
  gtk_widget_set_sensitive (self->export, self->points.points.len > 0);
  show_foot (self);
  if (!named_well)
    show_message (self, "edit-find-symbolic", _("Which One?"), _("Type the name of a function or field."));
  else if (self->points.points.len == 0 && self->left > 0)
    show_message (self, NULL, _("Reading Profiles"), "");
  else if (self->points.points.len == 0)
    show_message (self, "dialog-information-symbolic", _("No Such Figure"), _("None of these profiles has it."));
  else
    {
      chart = wp_shared_new (wp_history_chart (wp_shared_get (self->history), &figure, &self->points, rows),
                             (GDestroyNotify) wp_chart_free);
      wp_chart_area_replace_chart (self->chart, chart);
      gtk_stack_set_visible_child_name (self->stack, "chart");
    }
}

/* --- reading figures ------------------------------------------------------------------------------------------------------------ */

static void read_next (WpHistoryPage *self);

static void
on_read (gpointer result, const GError *error, gpointer data)
{
  WpHistoryPage *self = data;
  WpHistoryValues *values = result;

  self->reading = NULL;
  if (values == NULL)
    return;
  wp_history_columns_take (self->columns, values);
  self->failed += values->failed;
  if (self->problem == NULL)
    self->problem = g_steal_pointer (&values->problem);
  wp_history_values_free (values);
  read_next (self);
}

static void
read_next (WpHistoryPage *self)
{
  WpFigure figure;
  WpHistoryReading *reading = NULL;

  wp_job_drop (&self->reading);
  self->left = 0;
  if (chosen_figure (self, &figure))
    reading = wp_history_columns_next (self->columns, self->session, &figure, chosen_line (self), &self->left);
  if (reading != NULL)
    self->reading = wp_job_start (&(WpJobSpec) { .run = wp_history_read_some, .done = on_read, .data = reading,
                                                 .free_data = wp_history_reading_free, .free_result = wp_history_values_free,
                                                 .user_data = self });
  show_chart (self);
}

static void
on_gathered (gpointer result, const GError *error, gpointer data)
{
  WpHistoryPage *self = data;
  WpHistoryGathered *gathered = result;
  const WpHistory *history;

  self->gathering = NULL;
  if (gathered == NULL)
    show_message (self, "dialog-error-symbolic", _("Cannot Show the History"), error->message);
  else
    {
      self->session = wp_store_session_ref (gathered->session);
      self->history = wp_shared_ref (gathered->history);
      self->columns = wp_history_columns_new (self->history);
      wp_history_gathered_free (gathered);
      history = wp_shared_get (self->history);
      fill_lines (self);
      gtk_widget_set_visible (self->bar, history->profiles.len > 0);
      if (history->profiles.len > 0)
        read_next (self);
      else
        show_message (self, "wakepath-history-symbolic", _("No Profiles Yet"),
                      _("No commit of this branch has a profile. Register some, or profile a range of commits."));
    }
  g_signal_emit (self, signals[SIGNAL_CHANGED], 0);
}

static void
on_chosen (WpHistoryPage *self)
{
  guint chosen = gtk_drop_down_get_selected (self->figures);
  gboolean asks = chosen >= N_FIXED && chosen != GTK_INVALID_LIST_POSITION;

  gtk_widget_set_visible (GTK_WIDGET (self->name), asks);
  if (asks)
    gtk_entry_set_placeholder_text (self->name, _(named[chosen - N_FIXED].of));
  if (self->columns != NULL)
    read_next (self);
}

static gboolean
on_typed_enough (gpointer data)
{
  WpHistoryPage *self = data;

  self->typing = 0;
  on_chosen (self);
  return G_SOURCE_REMOVE;
}

static void
on_typed (WpHistoryPage *self)
{
  g_clear_handle_id (&self->typing, g_source_remove);
  self->typing = g_timeout_add (TYPING, on_typed_enough, self);
}

/* --- points --------------------------------------------------------------------------------------------------------------------- */

static void
on_picked (WpChartArea *area, guint point, gboolean too, WpHistoryPage *self)
{
  const WpHistory *history = wp_shared_get (self->history);
  const WpHistoryPoint *at;
  Pick pick;

  if (point >= self->points.points.len)
    return;
  at = &self->points.points.data[point];
  pick = (Pick) { at->line, at->commit };
  if (!too || self->n_picked == 0)
    self->n_picked = 0;
  else if (pick.line != self->picked[0].line || pick.commit != self->picked[0].commit)
    self->n_picked = 1;
  else
    return;
  self->picked[self->n_picked++] = pick;
  show_chart (self);
  g_signal_emit (self, signals[SIGNAL_COMMIT], 0, history->commits.data[pick.commit].hash);
}

static WpHistoryWish *
wish_new (WpHistoryPage *self)
{
  WpHistoryWish *wish = g_new0 (WpHistoryWish, 1);

  wish->session = wp_store_session_ref (self->session);
  wish->history = wp_shared_ref (self->history);
  for (guint side = 0; side < 2; side++)
    wish->profiles[side] = g_array_new (FALSE, FALSE, sizeof (guint32));
  return wish;
}

static void
unpack (WpHistoryPage *self, WpHistoryWish *wish, WpJobDone done)
{
  wp_job_drop (&self->unpacking);
  self->unpacking = wp_job_start (&(WpJobSpec) { .run = wp_history_unpack, .done = done, .data = wish,
                                                 .free_data = wp_history_wish_free, .free_result = wp_history_files_free,
                                                 .user_data = self });
  show_chart (self);
}

static void
on_unpacked_to_open (gpointer result, const GError *error, gpointer data)
{
  WpHistoryPage *self = data;
  WpHistoryFiles *files = result;

  self->unpacking = NULL;
  if (files != NULL)
    {
      g_autoptr (GFile) file = g_file_new_for_path (files->paths[0]->pdata[0]);

      g_signal_emit (self, signals[SIGNAL_OPEN], 0, file, files->names[0]->pdata[0]);
      wp_history_files_free (files);
    }
  else
    toast (self, error->message);
  show_chart (self);
}

/* The one of the point's profiles that is nearest to their median. */
static guint32
typical (WpHistoryPage *self, const WpHistoryPoint *point)
{
  WpFigure figure;
  const WpFigureValue *values;
  guint32 best = point->first;
  double least = INFINITY;

  chosen_figure (self, &figure);
  values = wp_history_columns_values (self->columns, &figure);
  for (guint32 i = point->first; i < point->first + point->n; i++)
    if (fabs (values[i].value - point->median) < least)
      {
        least = fabs (values[i].value - point->median);
        best = i;
      }
  return best;
}

static void
open_point (WpHistoryPage *self, guint32 point)
{
  WpHistoryWish *wish;
  guint32 profile;

  if (point >= self->points.points.len)
    return;
  wish = wish_new (self);
  profile = typical (self, &self->points.points.data[point]);
  g_array_append_val (wish->profiles[0], profile);
  unpack (self, wish, on_unpacked_to_open);
}

static void
on_opened (WpChartArea *area, guint point, WpHistoryPage *self)
{
  open_point (self, point);
}

static void
on_open (WpHistoryPage *self)
{
  guint32 rows[2];

  picked_rows (self, rows);
  open_point (self, self->n_picked == 2 && rows[1] != G_MAXUINT32 ? rows[1] : rows[0]);
}

static void
on_unpacked_to_compare (gpointer result, const GError *error, gpointer data)
{
  WpHistoryPage *self = data;
  WpHistoryFiles *files = result;

  self->unpacking = NULL;
  if (files != NULL)
    {
      g_signal_emit (self, signals[SIGNAL_COMPARE], 0, files->paths[0]->pdata, files->paths[1]->pdata);
      wp_history_files_free (files);
    }
  else
    toast (self, error->message);
  show_chart (self);
}

static void
on_compare (WpHistoryPage *self)
{
  WpHistoryWish *wish = wish_new (self);
  guint32 rows[2];

  picked_rows (self, rows);
  for (guint side = 0; side < 2; side++)
    for (guint32 i = 0; rows[side] != G_MAXUINT32 && i < self->points.points.data[rows[side]].n; i++)
      {
        guint32 profile = self->points.points.data[rows[side]].first + i;

        g_array_append_val (wish->profiles[side], profile);
      }
  unpack (self, wish, on_unpacked_to_compare);
}

/* --- taking it away --------------------------------------------------------------------------------------------------------------- */

static void
on_saved (gpointer result, const GError *error, gpointer data)
{
  WpHistoryPage *self = data;
  g_autofree char *path = result;
  g_autofree char *text = path != NULL ? g_strdup_printf (_("Saved as %s"), path) : g_strdup (error->message);

  self->saving = NULL;
  toast (self, text);
}

static void
save (WpHistoryPage *self, const char *path)
{
  g_autoptr (GString) text = g_string_new (NULL);
  WpHistoryFormat format;
  WpFigure figure;

  if (wp_history_save_as_text (path, &format) && chosen_figure (self, &figure))
    wp_history_write (text, wp_shared_get (self->history), &figure, &self->points, wp_history_columns_values (self->columns, &figure),
                      format);
  wp_job_drop (&self->saving);
  self->saving = wp_history_save (path, wp_chart_area_chart (self->chart), text->str, on_saved, self);
}

static void
on_file_chosen (GtkNativeDialog *dialog, int response, WpHistoryPage *self)
{
  g_autoptr (GFile) file = response == GTK_RESPONSE_ACCEPT ? gtk_file_chooser_get_file (GTK_FILE_CHOOSER (dialog)) : NULL;

  if (file != NULL && g_file_peek_path (file) != NULL && self->points.points.len > 0)
    save (self, g_file_peek_path (file));
  g_object_unref (dialog);
  g_object_unref (self);
}

static void
on_export (WpHistoryPage *self)
{
  GtkFileChooserNative *chooser
    = gtk_file_chooser_native_new (_("Export History"), GTK_WINDOW (gtk_widget_get_root (GTK_WIDGET (self))),
                                   GTK_FILE_CHOOSER_ACTION_SAVE, _("_Save"), _("_Cancel"));

  gtk_file_chooser_set_current_name (GTK_FILE_CHOOSER (chooser), "history.svg");
  gtk_native_dialog_set_modal (GTK_NATIVE_DIALOG (chooser), TRUE);
  g_signal_connect (chooser, "response", G_CALLBACK (on_file_chosen), g_object_ref (self));
  gtk_native_dialog_show (GTK_NATIVE_DIALOG (chooser));
}

/* --- the widget --------------------------------------------------------------------------------------------------------------------- */

#define CHOICE "/org/wakepath/Wakepath/choice.ui" /* commands may be long */
#define CHOICE_LIST "/org/wakepath/Wakepath/choice-list.ui"

static GtkDropDown *
drop_down_new (WpHistoryPage *self, const char *name)
{
  GtkExpression *text = gtk_property_expression_new (GTK_TYPE_STRING_OBJECT, NULL, "string");
  GtkWidget *made = gtk_drop_down_new (NULL, text);
  g_autoptr (GtkListItemFactory) shown = gtk_builder_list_item_factory_new_from_resource (NULL, CHOICE);
  g_autoptr (GtkListItemFactory) listed = gtk_builder_list_item_factory_new_from_resource (NULL, CHOICE_LIST);

  gtk_drop_down_set_factory (GTK_DROP_DOWN (made), shown);
  gtk_drop_down_set_list_factory (GTK_DROP_DOWN (made), listed);
  gtk_drop_down_set_enable_search (GTK_DROP_DOWN (made), TRUE);
  gtk_accessible_update_property (GTK_ACCESSIBLE (made), GTK_ACCESSIBLE_PROPERTY_LABEL, name, -1);
  gtk_box_append (GTK_BOX (self->bar), made);
  return GTK_DROP_DOWN (made);
}

static GtkWidget *
button_new (WpHistoryPage *self, const char *label, const char *tooltip, GCallback clicked)
{
  GtkWidget *button = gtk_button_new_with_label (label);

  gtk_widget_set_tooltip_text (button, tooltip);
  g_signal_connect_object (button, "clicked", clicked, self, G_CONNECT_SWAPPED);
  gtk_box_append (GTK_BOX (self->bar), button);
  return button;
}

static void
build_bar (WpHistoryPage *self)
{
  GtkWidget *space = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 0);

  self->bar = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  gtk_widget_add_css_class (self->bar, "view-toolbar");
  gtk_widget_set_visible (self->bar, FALSE);
  self->figures = drop_down_new (self, _("Figure"));
  self->name = GTK_ENTRY (gtk_entry_new ());
  gtk_widget_set_visible (GTK_WIDGET (self->name), FALSE);
  gtk_editable_set_width_chars (GTK_EDITABLE (self->name), 22);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->name), GTK_ACCESSIBLE_PROPERTY_LABEL, _("Name of the function or field"), -1);
  gtk_box_append (GTK_BOX (self->bar), GTK_WIDGET (self->name));
  self->lines = drop_down_new (self, _("Command"));
  gtk_widget_set_hexpand (space, TRUE);
  gtk_box_append (GTK_BOX (self->bar), space);
  self->open = button_new (self, _("Open"), _("Open a typical profile of the picked point"), G_CALLBACK (on_open));
  self->compare = button_new (self, _("Compare"), _("Compare all profiles of the two picked points"), G_CALLBACK (on_compare));
  self->export = button_new (self, _("Export…"), _("Save the plot as a picture or its values as a table"), G_CALLBACK (on_export));
}

static GtkWidget *
build_foot (WpHistoryPage *self)
{
  GtkWidget *foot = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);

  gtk_widget_add_css_class (foot, "panel-foot");
  self->spinner = GTK_SPINNER (gtk_spinner_new ());
  self->foot = GTK_LABEL (gtk_label_new (NULL));
  gtk_label_set_ellipsize (self->foot, PANGO_ELLIPSIZE_END);
  gtk_label_set_xalign (self->foot, 0);
  gtk_widget_set_hexpand (GTK_WIDGET (self->foot), TRUE);
  gtk_box_append (GTK_BOX (foot), GTK_WIDGET (self->spinner));
  gtk_box_append (GTK_BOX (foot), GTK_WIDGET (self->foot));
  g_object_bind_property (self->bar, "visible", foot, "visible", G_BINDING_SYNC_CREATE);
  return foot;
}

static void
build (WpHistoryPage *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);

  build_bar (self);
  self->stack = GTK_STACK (gtk_stack_new ());
  self->message = ADW_STATUS_PAGE (adw_status_page_new ());
  self->chart = WP_CHART_AREA (wp_chart_area_new (_("History")));
  gtk_stack_add_named (self->stack, GTK_WIDGET (self->message), "message");
  gtk_stack_add_named (self->stack, GTK_WIDGET (self->chart), "chart");
  gtk_widget_set_vexpand (GTK_WIDGET (self->stack), TRUE);
  gtk_box_append (GTK_BOX (box), self->bar);
  gtk_box_append (GTK_BOX (box), GTK_WIDGET (self->stack));
  gtk_box_append (GTK_BOX (box), build_foot (self));
  self->toasts = ADW_TOAST_OVERLAY (adw_toast_overlay_new ());
  adw_toast_overlay_set_child (self->toasts, box);
  adw_bin_set_child (ADW_BIN (self), GTK_WIDGET (self->toasts));
}

static void
connect (WpHistoryPage *self)
{
  g_signal_connect_object (self->figures, "notify::selected", G_CALLBACK (on_chosen), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->lines, "notify::selected", G_CALLBACK (on_chosen), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->name, "changed", G_CALLBACK (on_typed), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->chart, "point-picked", G_CALLBACK (on_picked), self, 0);
  g_signal_connect_object (self->chart, "point-opened", G_CALLBACK (on_opened), self, 0);
}

static void
wp_history_page_dispose (GObject *object)
{
  WpHistoryPage *self = WP_HISTORY_PAGE (object);
  WpJob **const jobs[] = { &self->gathering, &self->reading, &self->unpacking, &self->saving };

  for (guint i = 0; i < G_N_ELEMENTS (jobs); i++)
    wp_job_drop (jobs[i]);
  g_clear_handle_id (&self->typing, g_source_remove);
  if (self->figures != NULL)
    {
      g_signal_handlers_disconnect_by_data (self->figures, self);
      g_signal_handlers_disconnect_by_data (self->lines, self);
      g_signal_handlers_disconnect_by_data (self->name, self);
      self->figures = NULL;
    }
  G_OBJECT_CLASS (wp_history_page_parent_class)->dispose (object);
}

static void
wp_history_page_finalize (GObject *object)
{
  WpHistoryPage *self = WP_HISTORY_PAGE (object);

  wp_history_columns_free (self->columns);
  wp_history_points_clear (&self->points);
  wp_shared_unref (self->history);
  wp_store_session_unref (self->session);
  g_free (self->folder);
  g_free (self->branch);
  g_free (self->title);
  g_free (self->problem);
  G_OBJECT_CLASS (wp_history_page_parent_class)->finalize (object);
}

static void
wp_history_page_class_init (WpHistoryPageClass *klass)
{
  GType type = WP_TYPE_HISTORY_PAGE;

  G_OBJECT_CLASS (klass)->dispose = wp_history_page_dispose;
  G_OBJECT_CLASS (klass)->finalize = wp_history_page_finalize;
  signals[SIGNAL_CHANGED] = g_signal_new ("changed", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  signals[SIGNAL_FINISHED] = g_signal_new ("finished", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  signals[SIGNAL_COMMIT] = g_signal_new ("commit", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1, G_TYPE_STRING);
  signals[SIGNAL_OPEN]
    = g_signal_new ("open", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 2, G_TYPE_FILE, G_TYPE_STRING);
  signals[SIGNAL_COMPARE]
    = g_signal_new ("compare", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 2, G_TYPE_STRV, G_TYPE_STRV);
}

static void
wp_history_page_init (WpHistoryPage *self)
{
  build (self);
  fill_figures (self);
  connect (self);
  show_message (self, NULL, _("Looking Through the Commits"), "");
}

GtkWidget *
wp_history_page_new (const char *folder, const char *branch)
{
  WpHistoryPage *self = g_object_new (WP_TYPE_HISTORY_PAGE, NULL);
  WpHistoryRequest *request = g_new0 (WpHistoryRequest, 1);
  g_autofree char *base = g_path_get_basename (folder);

  self->folder = g_strdup (folder);
  self->branch = g_strdup (branch);
  /* Translators: a folder, or a folder and a branch */
  self->title = branch != NULL ? g_strdup_printf (_("History of %s, %s"), base, branch) : g_strdup_printf (_("History of %s"), base);
  request->folder = g_strdup (folder);
  request->branch = g_strdup (branch);
  self->gathering = wp_job_start (&(WpJobSpec) { .run = wp_history_gather, .done = on_gathered, .data = request,
                                                 .free_data = wp_history_request_free, .free_result = wp_history_gathered_free,
                                                 .user_data = self });
  return GTK_WIDGET (self);
}
