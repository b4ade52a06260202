#include "app/compare/compare-page.h"

#include <glib/gi18n.h>

#include "app/compare/compare-checks.h"
#include "workspace/compare-data.h"
#include "app/compare/compare-flames.h"
#include "app/compare/compare-table.h"
#include "app/plots/grid-table.h"
#include "app/widgets/status-page.h"
#include "app/widgets/toast.h"
#include "paint/paint.h"
#include "workspace/job.h"

#define PICTURE_WIDTH 1600.0

struct _WpComparePage
{
  AdwBin parent_instance;

  /* the template */
  GtkStack *stack; /* "loading", "failed", "views" */
  AdwStatusPage *loading, *failed;
  GtkProgressBar *progress;
  GtkRevealer *banner;
  GtkLabel *warnings, *name_a, *name_b, *verdict, *node, *caption_a, *caption_b;
  GtkStack *views; /* "explanation", "frames", "flame", "vanished", "checks" */
  AdwBin *rows_bin, *frames_bin, *a_bin, *b_bin, *vanished_bin, *checks_bin;
  GtkStringList *presences;
  GtkDropDown *presence;
  GtkToggleButton *normalise;
  AdwToastOverlay *toasts;
  GtkPaned *both; /* the flame views of A and B */

  WpCompareFlames flames;
  char **files[WP_N_SIDES];
  char *title;
  WpShared *data; /* WpCompareData, or NULL */
  WpGridTable *frames;
  WpCompareChecks *checks;
  WpJob *job, *saving, *narrowing;
  gboolean narrow;
  guint fitting; /* source: the page is about to be made narrow or wide */
};

enum
{
  SIGNAL_CHANGED,
  SIGNAL_FINISHED,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (WpComparePage, wp_compare_page, ADW_TYPE_BIN)

const char *
wp_compare_page_title (WpComparePage *self)
{
  return self->title;
}

gboolean
wp_compare_page_busy (WpComparePage *self)
{
  return self->job != NULL;
}

/* --- what is shown --------------------------------------------------------------------------------------------------- */

static void
show_warnings (WpComparePage *self, const WpComparison *comparison)
{
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint i = 0; i < comparison->warnings->len; i++)
    g_string_append_printf (text, "%s%s.", i > 0 ? "\n" : "", (char *) comparison->warnings->pdata[i]);
  gtk_label_set_label (self->warnings, text->str);
  gtk_widget_set_visible (GTK_WIDGET (self->banner), text->len > 0);
  gtk_revealer_set_reveal_child (self->banner, text->len > 0);
}

static void
show_names (WpComparePage *self, const WpComparison *comparison)
{
  g_autofree char *a = wp_comparison_side_name (comparison, WP_SIDE_A), *b = wp_comparison_side_name (comparison, WP_SIDE_B);
  g_autofree char *verdict = wp_comparison_verdict_text (comparison, 0);
  g_autofree char *caption_a = g_strdup_printf (_("A: %s"), a), *caption_b = g_strdup_printf (_("B: %s"), b);

  gtk_label_set_label (self->name_a, a);
  gtk_label_set_label (self->name_b, b);
  gtk_label_set_label (self->verdict, verdict);
  gtk_label_set_label (self->caption_a, caption_a);
  gtk_label_set_label (self->caption_b, caption_b);
  g_free (self->title);
  self->title = g_strdup_printf ("%s → %s", a, b);
}

static void
on_narrowed (gpointer result, const GError *error, gpointer user_data)
{
  WpComparePage *self = user_data;
  g_autoptr (WpShared) grid = result != NULL ? wp_shared_new (result, (GDestroyNotify) wp_grid_free) : NULL;

  self->narrowing = NULL;
  if (grid != NULL)
    wp_grid_table_set_grid (self->frames, grid);
}

static void
show_frames (WpComparePage *self)
{
  static const guint wanted[] = { 1 << WP_PRESENCE_COMMON | 1 << WP_PRESENCE_NEW | 1 << WP_PRESENCE_VANISHED, 1 << WP_PRESENCE_NEW,
                                  1 << WP_PRESENCE_VANISHED, 1 << WP_PRESENCE_COMMON };
  guint chosen = MIN (gtk_drop_down_get_selected (self->presence), G_N_ELEMENTS (wanted) - 1);

  wp_job_drop (&self->narrowing);
  if (self->data != NULL && self->flames.view[0] != NULL)
    self->narrowing = wp_job_start (&(WpJobSpec) { .run = wp_compare_frames_run, .done = on_narrowed, .user_data = self,
                                                   .data = wp_compare_frames_new (self->data, wanted[chosen]),
                                                   .free_data = wp_compare_frames_free,
                                                   .free_result = (GDestroyNotify) wp_grid_free });
}

static void
on_presence (GtkDropDown *presence, GParamSpec *pspec, WpComparePage *self)
{
  show_frames (self);
}

static void
show_data (WpComparePage *self)
{
  const WpCompareData *data = wp_shared_get (self->data);

  show_warnings (self, data->comparison);
  show_names (self, data->comparison);
  adw_bin_set_child (self->rows_bin, wp_compare_rows_table_new (self->data));
  show_frames (self);
  wp_compare_checks_set_files (self->checks, (const char *const *) self->files[WP_SIDE_A],
                               (const char *const *) self->files[WP_SIDE_B]);
  wp_compare_flames_show (&self->flames, data);
  gtk_stack_set_visible_child_name (self->stack, "views");
}

static void
on_done (gpointer result, const GError *error, gpointer user_data)
{
  WpComparePage *self = user_data;

  self->job = NULL;
  if (result != NULL)
    {
      g_autoptr (WpShared) before = self->data;

      self->data = wp_shared_new (result, wp_compare_data_free);
      show_data (self);
    }
  else if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    {
      g_signal_emit (self, signals[SIGNAL_FINISHED], 0);
      return;
    }
  else
    {
      wp_status_page_say (self->failed, error->message);
      gtk_stack_set_visible_child_name (self->stack, "failed");
    }
  g_signal_emit (self, signals[SIGNAL_CHANGED], 0);
}

static void
on_told (const char *phase, double fraction, gpointer user_data)
{
  WpComparePage *self = user_data;

  if (phase != NULL)
    wp_status_page_say (self->loading, _(phase));
  gtk_progress_bar_set_fraction (self->progress, fraction);
}

static void
start (WpComparePage *self)
{
  wp_job_drop (&self->job);
  gtk_stack_set_visible_child_name (self->stack, "loading");
  self->job = wp_job_start (&(WpJobSpec) {
    .run = wp_compare_run, .told = on_told, .done = on_done, .user_data = self,
    .data = wp_compare_request_new ((const char *const *) self->files[WP_SIDE_A],
                                    (const char *const *) self->files[WP_SIDE_B],
                                    gtk_toggle_button_get_active (self->normalise)),
    .free_data = wp_compare_request_free, .free_result = wp_compare_data_free });
}

static void
on_normalise (GtkToggleButton *button, WpComparePage *self)
{
  if (self->files[WP_SIDE_A] != NULL)
    start (self);
  g_signal_emit (self, signals[SIGNAL_CHANGED], 0);
}

static void
on_cancel (GtkButton *button, WpComparePage *self)
{
  wp_job_cancel (self->job);
}

/* The two sides change places. */
static void
on_swap (GtkButton *button, WpComparePage *self)
{
  char **a = self->files[WP_SIDE_A];

  self->files[WP_SIDE_A] = self->files[WP_SIDE_B];
  self->files[WP_SIDE_B] = a;
  start (self);
  g_signal_emit (self, signals[SIGNAL_CHANGED], 0);
}

/* --- taking it away -------------------------------------------------------------------------------------------------- */

static void
on_copy (GtkButton *button, WpComparePage *self)
{
  const WpCompareData *data = wp_shared_get (self->data);
  g_autoptr (GString) text = g_string_new (NULL);

  if (data == NULL)
    return;
  wp_comparison_write (text, data->comparison, WP_COMPARE_MARKDOWN, 0);
  gdk_clipboard_set_text (gtk_widget_get_clipboard (GTK_WIDGET (self)), text->str);
  wp_toast (self->toasts, _("Tables copied as Markdown"));
}

typedef struct
{
  char *path, *title;
  WpShared *rows;
  WpTheme theme;
} Picture;

static void
picture_free (gpointer data)
{
  Picture *self = data;

  g_free (self->path);
  g_free (self->title);
  wp_shared_unref (self->rows);
  g_free (self);
}

static gpointer
run_picture (gpointer data, WpProgress *progress, GError **error)
{
  const Picture *self = data;
  WpPictureFormat format = wp_picture_format_of_file (self->path, error);

  if (format == WP_PICTURE_FORMAT_COUNT
      || !wp_picture_write (self->path, format, wp_shared_get (self->rows), self->title, PICTURE_WIDTH, self->theme, error))
    return NULL;
  return g_strdup (self->path);
}

static void
on_picture_done (gpointer result, const GError *error, gpointer user_data)
{
  WpComparePage *self = user_data;
  g_autofree char *path = result;
  g_autofree char *text = path != NULL ? g_strdup_printf (_("Saved as %s"), path) : g_strdup (error->message);

  self->saving = NULL;
  wp_toast (self->toasts, text);
}

static void
on_picture_chosen (GtkNativeDialog *dialog, int response, WpComparePage *self)
{
  g_autoptr (GFile) file = response == GTK_RESPONSE_ACCEPT ? gtk_file_chooser_get_file (GTK_FILE_CHOOSER (dialog)) : NULL;
  const WpCompareData *data = wp_shared_get (self->data);
  gboolean vanished = g_strcmp0 (gtk_stack_get_visible_child_name (self->views), "vanished") == 0;
  Picture *picture;

  if (file != NULL && data != NULL)
    {
      picture = g_new0 (Picture, 1);
      picture->path = g_file_get_path (file);
      picture->title = g_strdup (self->title);
      picture->rows = wp_shared_ref (data->rows[vanished ? WP_COMPARE_VIEW_VANISHED : WP_COMPARE_VIEW_B]);
      picture->theme = wp_current_theme ();
      wp_job_drop (&self->saving);
      self->saving = wp_job_start (&(WpJobSpec) { .run = run_picture, .done = on_picture_done, .data = picture,
                                                  .free_data = picture_free, .free_result = g_free, .user_data = self });
    }
  g_object_unref (dialog);
  g_object_unref (self);
}

static void
on_export (GtkButton *button, WpComparePage *self)
{
  GtkFileChooserNative *chooser
    = gtk_file_chooser_native_new (_("Export Picture"), GTK_WINDOW (gtk_widget_get_root (GTK_WIDGET (self))),
                                   GTK_FILE_CHOOSER_ACTION_SAVE, _("_Save"), _("_Cancel"));

  gtk_file_chooser_set_current_name (GTK_FILE_CHOOSER (chooser), "comparison.svg");
  gtk_native_dialog_set_modal (GTK_NATIVE_DIALOG (chooser), TRUE);
  g_signal_connect (chooser, "response", G_CALLBACK (on_picture_chosen), g_object_ref (self));
  gtk_native_dialog_show (GTK_NATIVE_DIALOG (chooser));
}

/* --- a narrow page ----------------------------------------------------------------------------------------------------- */

#define NARROW 640 /* below it A stands above B, not beside it */

static gboolean
fit (gpointer page)
{
  WpComparePage *self = page;

  self->fitting = 0;
  gtk_orientable_set_orientation (GTK_ORIENTABLE (self->both), self->narrow ? GTK_ORIENTATION_VERTICAL : GTK_ORIENTATION_HORIZONTAL);
  gtk_paned_set_position (self->both, -1);
  g_object_set (self->both, "position-set", FALSE, NULL);
  return G_SOURCE_REMOVE;
}

/* Of an area without height, which is there to tell the width. Sizes are being given out just now: what changes them has to wait. */
static void
on_width (GtkDrawingArea *area, int width, int height, WpComparePage *self)
{
  gboolean narrow = width < NARROW;

  if (narrow == self->narrow)
    return;
  self->narrow = narrow;
  if (self->fitting == 0)
    self->fitting = g_idle_add_full (G_PRIORITY_HIGH_IDLE, fit, self, NULL);
}

/* --- the widget ------------------------------------------------------------------------------------------------------ */

static void
wp_compare_page_dispose (GObject *object)
{
  WpComparePage *self = WP_COMPARE_PAGE (object);

  wp_job_drop (&self->job);
  wp_job_drop (&self->saving);
  wp_job_drop (&self->narrowing);
  g_clear_handle_id (&self->fitting, g_source_remove);
  wp_compare_flames_clear (&self->flames);
  G_OBJECT_CLASS (wp_compare_page_parent_class)->dispose (object);
}

static void
wp_compare_page_finalize (GObject *object)
{
  WpComparePage *self = WP_COMPARE_PAGE (object);

  g_strfreev (self->files[WP_SIDE_A]);
  g_strfreev (self->files[WP_SIDE_B]);
  g_free (self->title);
  wp_shared_unref (self->data);
  G_OBJECT_CLASS (wp_compare_page_parent_class)->finalize (object);
}

#define BIND(name) gtk_widget_class_bind_template_child (widget_class, WpComparePage, name)
#define CALLBACK(name) gtk_widget_class_bind_template_callback (widget_class, name)

static void
wp_compare_page_class_init (WpComparePageClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = wp_compare_page_dispose;
  G_OBJECT_CLASS (klass)->finalize = wp_compare_page_finalize;
  signals[SIGNAL_CHANGED]
    = g_signal_new ("changed", WP_TYPE_COMPARE_PAGE, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  signals[SIGNAL_FINISHED]
    = g_signal_new ("finished", WP_TYPE_COMPARE_PAGE, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  gtk_widget_class_set_template_from_resource (widget_class, "/org/wakepath/Wakepath/compare-page.ui");
  BIND (stack);
  BIND (loading);
  BIND (failed);
  BIND (progress);
  BIND (banner);
  BIND (warnings);
  BIND (name_a);
  BIND (name_b);
  BIND (verdict);
  BIND (node);
  BIND (caption_a);
  BIND (caption_b);
  BIND (views);
  BIND (rows_bin);
  BIND (frames_bin);
  BIND (a_bin);
  BIND (b_bin);
  BIND (vanished_bin);
  BIND (checks_bin);
  BIND (presences);
  BIND (normalise);
  BIND (both);
  BIND (toasts);
  CALLBACK (on_normalise);
  CALLBACK (on_cancel);
  CALLBACK (on_swap);
  CALLBACK (on_copy);
  CALLBACK (on_export);
  CALLBACK (on_width);
}

static void
wp_compare_page_init (WpComparePage *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  wp_compare_flames_build (&self->flames, (AdwBin *const[]) { self->a_bin, self->b_bin, self->vanished_bin }, self->node);
  self->frames = WP_GRID_TABLE (wp_grid_table_new (_("Frames compared")));
  adw_bin_set_child (self->frames_bin, GTK_WIDGET (self->frames));
  self->presence = GTK_DROP_DOWN (gtk_drop_down_new (g_object_ref (G_LIST_MODEL (self->presences)), NULL));
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->presence), GTK_ACCESSIBLE_PROPERTY_LABEL, _("Which frames"), -1);
  g_signal_connect_object (self->presence, "notify::selected", G_CALLBACK (on_presence), self, 0);
  wp_grid_table_add (self->frames, GTK_WIDGET (self->presence));
  self->checks = WP_COMPARE_CHECKS (wp_compare_checks_new ());
  adw_bin_set_child (self->checks_bin, GTK_WIDGET (self->checks));
}

GtkWidget *
wp_compare_page_new (const char *const *a, const char *const *b)
{
  WpComparePage *self = g_object_new (WP_TYPE_COMPARE_PAGE, NULL);

  self->files[WP_SIDE_A] = g_strdupv ((char **) a);
  self->files[WP_SIDE_B] = g_strdupv ((char **) b);
  self->title = g_strdup (_("Comparing"));
  start (self);
  return GTK_WIDGET (self);
}
