#include "app/record/live-view.h"

#include <glib/gi18n.h>

#include "app/canvas/view.h"
#include "app/page/explanation-panel.h"
#include "app/plots/grid-table.h"
#include "app/shell/settings.h"
#include "app/widgets/depth-chooser.h"
#include "app/widgets/status-page.h"
#include "base/format.h"
#include "base/thread-time.h"
#include "workspace/live/live-model.h"

struct _WpLiveView
{
  AdwBin parent_instance;

  GtkStack *stack; /* "views", "message" */
  AdwViewStack *views;
  AdwBin *depth_bin, *consolidated, *functions_place;
  WpView *flame;
  WpExplanationPanel *explanation;
  WpGridTable *functions;
  AdwStatusPage *message;
  GtkMenuButton *process;
  GtkLabel *process_name, *cost;
  GtkListBox *processes;
  GtkDropDown *seconds;
  GtkSwitch *on;

  WpLiveModel *model;
  gint32 pid;      /* whose views are shown */
  char **selected; /* names of the selected box and of those that it stands on, or NULL */
  GdkFrameClock *clock; /* until what the last look showed is drawn */
  double since, shown;  /* of a processor: when drawing began, and what showing that look has taken */
};

enum
{
  PROP_DEPTH = 1, /* string: the state of live.depth */
  N_PROPERTIES
};

static GParamSpec *properties[N_PROPERTIES];

G_DEFINE_FINAL_TYPE (WpLiveView, wp_live_view, ADW_TYPE_BIN)

static const guint windows[] = { 2, 5, 10, 30 }; /* in the order of the rows in live-view.ui */

/* --- one view ----------------------------------------------------------------------------------------------------- */

static char *
describe (guint box, double time, gpointer data)
{
  WpLiveView *self = data;
  const WpLiveReading *reading = wp_live_model_reading (self->model);

  return reading != NULL && reading->rows == wp_canvas_shared_rows (wp_view_canvas (self->flame)) ? wp_live_reading_describe (reading, box)
                                                                                              : g_strdup ("");
}

/* The same box of the next look is selected again. */
static void
on_box_selected (WpCanvas *canvas, guint box, WpLiveView *self)
{
  const WpLiveReading *reading = wp_live_model_reading (self->model);

  if (reading == NULL || reading->rows != wp_canvas_shared_rows (canvas))
    return;
  g_clear_pointer (&self->selected, g_strfreev);
  if (box != WP_NO_BOX)
    self->selected = wp_live_reading_path (reading, box);
}

static gboolean
shows_everything (WpCanvas *canvas)
{
  const WpRows *rows = wp_canvas_rows (canvas);

  return rows == NULL || wp_viewport_shows_all (wp_canvas_viewport (canvas), rows);
}

/* Who has zoomed stays there; who sees everything goes on to. */
static void
show_consolidated (WpLiveView *self, const WpLiveReading *reading, gboolean same)
{
  WpCanvas *canvas = wp_view_canvas (self->flame);
  gboolean everything = shows_everything (canvas);
  guint box;

  if (reading->rows == wp_canvas_shared_rows (canvas))
    return;
  wp_view_set_rows (self->flame, reading->rows, same && !everything);
  box = self->selected != NULL ? wp_live_reading_find (reading, self->selected) : WP_NO_BOX;
  if (box != WP_NO_BOX)
    wp_canvas_select (canvas, box, FALSE);
}

static void
show_functions (WpLiveView *self, const WpLiveReading *reading, gboolean same)
{
  wp_grid_table_update (self->functions, reading->functions);
}

/* Where there are fewer sentences than before, what stands below stays where it is. */
static void
show_answer (WpLiveView *self, const WpAnswer *answer)
{
  GtkWidget *card = wp_explanation_panel_answer (self->explanation);

  gtk_widget_set_size_request (card, -1, gtk_widget_get_height (card));
  wp_explanation_panel_show_answer (self->explanation, answer);
}

static void
show_explanation (WpLiveView *self, const WpLiveReading *reading, gboolean same)
{
  wp_explanation_panel_show (self->explanation, reading->explanation, reading->paths, FALSE, 0);
  show_answer (self, reading->answer);
}

/* By the names of the pages. Only the one that is seen is filled. */
static const struct
{
  const char *name;
  void (*show) (WpLiveView *self, const WpLiveReading *reading, gboolean same);
} pages[] = {
  { "consolidated", show_consolidated }, { "explanation", show_explanation }, { "functions", show_functions },
};

/* --- what there is ------------------------------------------------------------------------------------------------ */

/* What stands in the place of the views; FALSE: they do. */
static gboolean
find_message (WpLiveView *self, const char **title, char **text)
{
  const WpLiveReading *reading = wp_live_model_reading (self->model);
  const char *failure = wp_live_model_failure (self->model);

  *text = NULL;
  if (failure != NULL)
    {
      *title = _("No Live View");
      *text = g_strdup_printf (_("%s. Recording goes on."), failure);
    }
  else if (!wp_live_model_is_on (self->model))
    {
      *title = _("Live View Is Off");
      *text = g_strdup (_("Recording goes on. Everything is shown when it is over."));
    }
  else if (reading == NULL)
    {
      *title = _("Waiting for the First Seconds");
      *text = g_strdup ("");
    }
  else if (reading->explanation == NULL)
    {
      *title = _("Nothing to See");
      *text = g_strdup (_("The process has not been seen in these seconds. Choose another one, or more seconds."));
    }
  return *text != NULL;
}

static void
show_cost (WpLiveView *self)
{
  g_autofree char *text = NULL;
  double interval = wp_live_model_interval (self->model);

  if (!wp_live_model_is_on (self->model) || wp_live_model_reading (self->model) == NULL)
    text = g_strdup ("");
  else if (interval < 1.05) /* Translators: of a processor core */
    text = g_strdup_printf (_("Live view: %.1f %% of a core, every second"), 100 * wp_live_model_share (self->model));
  else
    text = g_strdup_printf (_("Live view: %.1f %% of a core, every %.1f seconds"), 100 * wp_live_model_share (self->model), interval);
  gtk_label_set_text (self->cost, text);
}

static void
show_process (WpLiveView *self)
{
  const WpLiveReading *reading = wp_live_model_reading (self->model);
  g_autofree char *text = NULL;

  if (reading == NULL || reading->paths == NULL)
    text = g_strdup (_("Process"));
  else if (reading->asleep) /* Translators: a process, of whose sleep there was no end */
    text = g_strdup_printf (_("%s (%d), asleep"), reading->paths->name, reading->pid);
  else
    text = g_strdup_printf ("%s (%d)", reading->paths->name, reading->pid);
  gtk_label_set_text (self->process_name, text);
}

static void
show_views (WpLiveView *self)
{
  const WpLiveReading *reading = wp_live_model_reading (self->model);
  const char *name = adw_view_stack_get_visible_child_name (self->views), *title;
  gboolean same = reading != NULL && reading->pid == self->pid;
  g_autofree char *text = NULL;

  show_process (self);
  show_cost (self);
  if (find_message (self, &title, &text))
    {
      adw_status_page_set_title (self->message, title);
      wp_status_page_say (self->message, text);
      gtk_stack_set_visible_child_name (self->stack, "message");
      return;
    }
  gtk_stack_set_visible_child_name (self->stack, "views");
  for (guint i = 0; i < G_N_ELEMENTS (pages); i++)
    if (g_strcmp0 (pages[i].name, name) == 0)
      pages[i].show (self, reading, same);
  self->pid = reading->pid;
}

static void
on_before_paint (GdkFrameClock *clock, WpLiveView *self)
{
  self->since = wp_thread_seconds ();
}

static void
forget_clock (WpLiveView *self)
{
  if (self->clock == NULL)
    return;
  g_signal_handlers_disconnect_by_data (self->clock, self);
  g_clear_object (&self->clock);
}

static void
on_after_paint (GdkFrameClock *clock, WpLiveView *self)
{
  wp_live_model_spent (self->model, self->shown + wp_thread_seconds () - self->since);
  forget_clock (self);
}

/* What it takes to change widgets, and the next frame. */
static void
on_looked (WpLiveModel *model, WpLiveView *self)
{
  double since = wp_thread_seconds ();
  GdkFrameClock *clock = gtk_widget_get_frame_clock (GTK_WIDGET (self));

  show_views (self);
  self->shown = wp_thread_seconds () - since;
  wp_live_model_spent (self->model, self->shown);
  forget_clock (self);
  if (clock == NULL)
    return;
  self->clock = g_object_ref (clock);
  g_signal_connect (clock, "before-paint", G_CALLBACK (on_before_paint), self);
  g_signal_connect (clock, "after-paint", G_CALLBACK (on_after_paint), self);
}

void
wp_live_view_show (WpLiveView *self, const WpRecorder *recorder)
{
  int fd = wp_recorder_stream (recorder);

  if (wp_recorder_state (recorder) < WP_RECORDER_RECORDING)
    wp_live_model_clear (self->model);
  else if (fd < 0)
    wp_live_model_end (self->model);
  if (fd < 0)
    return;
  if (!wp_live_model_has_begun (self->model))
    wp_live_model_begin (self->model, fd, wp_recorder_output (recorder), wp_recorder_command_pid (recorder), wp_recorder_forgets (recorder));
  wp_live_model_grown (self->model, wp_recorder_counters (recorder)->bytes);
}

/* --- what is chosen ----------------------------------------------------------------------------------------------- */

static GtkWidget *
new_process_row (const WpLiveProcess *process, gint64 wall)
{
  GtkWidget *row = gtk_list_box_row_new (), *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 12), *label;
  g_autofree char *name = g_strdup_printf ("%s (%d)", process->name, process->pid);
  char share[WP_FORMAT_MAX];

  label = gtk_label_new (name);
  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_END);
  gtk_widget_set_hexpand (label, TRUE);
  gtk_box_append (GTK_BOX (box), label);
  wp_format_share (wall > 0 ? (double) process->ns / (double) wall : 0, share);
  label = gtk_label_new (share);
  gtk_widget_add_css_class (label, "numeric");
  gtk_widget_add_css_class (label, "dim-label");
  gtk_box_append (GTK_BOX (box), label);
  gtk_list_box_row_set_child (GTK_LIST_BOX_ROW (row), box);
  g_object_set_data (G_OBJECT (row), "pid", GINT_TO_POINTER (process->pid));
  return row;
}

/* As they are when one looks; it does not change under the pointer. */
static void
on_processes_wanted (GtkMenuButton *button, gpointer data)
{
  WpLiveView *self = data;
  const WpLiveReading *reading = wp_live_model_reading (self->model);
  GtkListBoxRow *row;

  while ((row = gtk_list_box_get_row_at_index (self->processes, 0)) != NULL)
    gtk_list_box_remove (self->processes, GTK_WIDGET (row));
  for (guint32 i = 0; reading != NULL && i < reading->processes.len; i++)
    gtk_list_box_append (self->processes, new_process_row (&reading->processes.data[i], reading->wall));
}

static void
on_process_chosen (GtkListBox *list, GtkListBoxRow *row, WpLiveView *self)
{
  gtk_menu_button_popdown (self->process);
  gtk_widget_grab_focus (GTK_WIDGET (self->process));
  g_clear_pointer (&self->selected, g_strfreev);
  wp_live_model_choose (self->model, GPOINTER_TO_INT (g_object_get_data (G_OBJECT (row), "pid")));
}

static void
on_seconds (WpLiveView *self)
{
  guint row = gtk_drop_down_get_selected (self->seconds);

  if (row >= G_N_ELEMENTS (windows))
    return;
  wp_live_model_set_seconds (self->model, windows[row]);
  wp_settings_set_double ("live-seconds", windows[row]);
}

static void
on_on (WpLiveView *self)
{
  wp_live_model_set_on (self->model, gtk_switch_get_active (self->on));
  wp_settings_set_boolean ("live-view", gtk_switch_get_active (self->on));
}

static void
set_depth (WpLiveView *self, const char *id)
{
  WpDepth depth = wp_depth_from_id (id);

  if (depth == WP_DEPTH_COUNT)
    return;
  wp_depth_keep (depth);
  wp_live_model_set_depth (self->model, depth);
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_DEPTH]);
}

/* --- building ----------------------------------------------------------------------------------------------------- */

static void
take_settings (WpLiveView *self)
{
  double seconds = wp_settings_double ("live-seconds", 5);

  for (guint i = 0; i < G_N_ELEMENTS (windows); i++)
    if (windows[i] == seconds)
      gtk_drop_down_set_selected (self->seconds, i);
  wp_live_model_set_seconds (self->model, (guint) seconds);
  gtk_switch_set_active (self->on, wp_settings_boolean ("live-view", TRUE));
  wp_live_model_set_on (self->model, gtk_switch_get_active (self->on));
}

static void
wp_live_view_set_property (GObject *object, guint id, const GValue *value, GParamSpec *pspec)
{
  if (id == PROP_DEPTH)
    set_depth (WP_LIVE_VIEW (object), g_value_get_string (value));
  else
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
}

static void
wp_live_view_get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  if (id == PROP_DEPTH)
    g_value_set_string (value, wp_depth_id (wp_live_model_depth (WP_LIVE_VIEW (object)->model)));
  else
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
}

/* As in the flame views of a file. */
static void
add_depth (GtkWidgetClass *klass)
{
  properties[PROP_DEPTH] = g_param_spec_string ("depth", NULL, NULL, NULL, G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS | G_PARAM_EXPLICIT_NOTIFY);
  g_object_class_install_properties (G_OBJECT_CLASS (klass), N_PROPERTIES, properties);
  gtk_widget_class_install_property_action (klass, "live.depth", "depth");
  gtk_widget_class_add_binding_action (klass, GDK_KEY_1, 0, "live.depth", "s", "waits");
  gtk_widget_class_add_binding_action (klass, GDK_KEY_2, 0, "live.depth", "s", "functions");
  gtk_widget_class_add_binding_action (klass, GDK_KEY_3, 0, "live.depth", "s", "all");
}

static void
wp_live_view_finalize (GObject *object)
{
  WpLiveView *self = WP_LIVE_VIEW (object);

  forget_clock (self);
  g_clear_object (&self->model);
  g_strfreev (self->selected);
  G_OBJECT_CLASS (wp_live_view_parent_class)->finalize (object);
}

static void
wp_live_view_class_init (WpLiveViewClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->finalize = wp_live_view_finalize;
  G_OBJECT_CLASS (klass)->set_property = wp_live_view_set_property;
  G_OBJECT_CLASS (klass)->get_property = wp_live_view_get_property;
  add_depth (widget_class);
  g_type_ensure (WP_TYPE_EXPLANATION_PANEL);
  gtk_widget_class_set_template_from_resource (widget_class, "/org/wakepath/Wakepath/live-view.ui");
  gtk_widget_class_bind_template_child (widget_class, WpLiveView, stack);
  gtk_widget_class_bind_template_child (widget_class, WpLiveView, views);
  gtk_widget_class_bind_template_child (widget_class, WpLiveView, depth_bin);
  gtk_widget_class_bind_template_child (widget_class, WpLiveView, consolidated);
  gtk_widget_class_bind_template_child (widget_class, WpLiveView, functions_place);
  gtk_widget_class_bind_template_child (widget_class, WpLiveView, explanation);
  gtk_widget_class_bind_template_child (widget_class, WpLiveView, message);
  gtk_widget_class_bind_template_child (widget_class, WpLiveView, process);
  gtk_widget_class_bind_template_child (widget_class, WpLiveView, process_name);
  gtk_widget_class_bind_template_child (widget_class, WpLiveView, cost);
  gtk_widget_class_bind_template_child (widget_class, WpLiveView, processes);
  gtk_widget_class_bind_template_child (widget_class, WpLiveView, seconds);
  gtk_widget_class_bind_template_child (widget_class, WpLiveView, on);
  gtk_widget_class_bind_template_callback (widget_class, on_process_chosen);
  gtk_widget_class_bind_template_callback (widget_class, on_seconds);
  gtk_widget_class_bind_template_callback (widget_class, on_on);
  gtk_widget_class_bind_template_callback (widget_class, show_views);
}

static void
wp_live_view_init (WpLiveView *self)
{
  self->model = wp_live_model_new ();
  wp_live_model_set_depth (self->model, wp_depth_kept ());
  gtk_widget_init_template (GTK_WIDGET (self));
  self->flame = WP_VIEW (wp_view_new (_("Consolidated")));
  adw_bin_set_child (self->consolidated, GTK_WIDGET (self->flame));
  adw_bin_set_child (self->depth_bin, wp_depth_chooser_new ("live.depth"));
  wp_canvas_set_describe (wp_view_canvas (self->flame), describe, self);
  g_signal_connect (wp_view_canvas (self->flame), "box-selected", G_CALLBACK (on_box_selected), self);
  self->functions = WP_GRID_TABLE (wp_grid_table_new (_("Functions")));
  wp_grid_table_widen (self->functions, WP_LIVE_NAME, WP_GRID_TABLE_LEAST);
  adw_bin_set_child (self->functions_place, GTK_WIDGET (self->functions));
  wp_explanation_panel_set_live (self->explanation);
  gtk_menu_button_set_create_popup_func (self->process, on_processes_wanted, self, NULL);
  g_signal_connect_object (self->model, "looked", G_CALLBACK (on_looked), self, 0);
  g_signal_connect_object (self->model, "changed", G_CALLBACK (show_views), self, G_CONNECT_SWAPPED);
  take_settings (self);
  show_views (self);
}
