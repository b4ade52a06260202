#include "app/stacks/source-view.h"

#include <glib/gi18n.h>

#include "app/shell/settings.h"
#include "app/stacks/source-folders.h"
#include "app/stacks/source-text-view.h"
#include "app/widgets/status-page.h"
#include "app/widgets/toast.h"
#include "stacks/measure.h"

#define DISASSEMBLY_KEY "show-disassembly"
#define PATIENCE 200 /* ms for which what was there before stays */

struct _WpSourceView
{
  AdwBin parent_instance;

  GtkWidget *head, *files, *choose, *notice, *source_toggle;
  AdwToastOverlay *toasts;
  GtkLabel *title, *subtitle, *self_title, *total_title, *number_title;
  GtkToggleButton *code_toggle;
  GtkStack *stack;
  GtkSpinner *spinner;
  AdwStatusPage *status, *missing;
  WpSourceTextView *text;

  WpSourceWanted *wanted; /* NULL: nothing is chosen */
  WpWorker *worker;
  guint waiting;    /* source: the spinner comes; 0: not */
  GPtrArray *sources; /* NULL: not read */
  WpSourceText *code; /* NULL: not read */
  gboolean filling;   /* the list of files */
};

G_DEFINE_FINAL_TYPE (WpSourceView, wp_source_view, ADW_TYPE_BIN)

/* --- what is shown -------------------------------------------------------------------------------------------------- */

static gboolean
wants_code (WpSourceView *self)
{
  return gtk_toggle_button_get_active (self->code_toggle);
}

static void
show_status (WpSourceView *self, const char *icon, const char *title, const char *text)
{
  wp_status_page_set (self->status, icon, title, text);
  gtk_stack_set_visible_child_name (self->stack, "status");
}

static void
show_titles (WpSourceView *self, const WpSourceValues *values)
{
  WpSourceGutter *gutter = wp_source_text_view_gutter (self->text);
  GtkLabel *titles[] = { self->self_title, self->total_title, self->number_title };
  int start = 0;

  gtk_label_set_text (self->number_title, wp_source_values_number_title (values));
  for (int c = 0; c < WP_SOURCE_COLUMNS; c++)
    {
      int end = wp_source_gutter_column_end (gutter, c);

      gtk_widget_set_size_request (GTK_WIDGET (titles[c]), end - start, -1);
      start = end;
    }
}

static void
show_text (WpSourceView *self, const WpSourceText *text)
{
  const WpSourceWanted *wanted = self->wanted;
  const WpSourceValues values = { text, wanted->unit, wanted->request.mean ? 0 : wanted->request.total };

  wp_source_text_view_set (self->text, &values);
  show_titles (self, &values);
  gtk_stack_set_visible_child_name (self->stack, "text");
}

static void
say (WpSourceView *self, const char *notice)
{
  gtk_label_set_text (GTK_LABEL (self->notice), notice != NULL ? notice : "");
  gtk_widget_set_visible (self->notice, notice != NULL);
}

/* "self 100 ms, total 170 ms (48.6 %) · /src/main.go" */
static void
show_subtitle (WpSourceView *self, const WpSourceText *text)
{
  const char *unit = self->wanted->unit;
  g_autofree char *flat = wp_measure_words (text->flat, unit), *cum = wp_measure_words (text->cum, unit);
  const char *file = text->file != NULL ? text->file : _("unknown file");
  g_autofree char *shown = NULL;
  char share[WP_FORMAT_MAX];

  if (self->wanted->request.mean)
    shown = g_strdup_printf (_("on average self %s, total %s · %s"), flat, cum, file);
  else
    /* Translators: what a function took itself; with all it called; the latter's share; a file */
    shown = g_strdup_printf (_("self %s, total %s (%s) · %s"), flat, cum, wp_measure_share_words (text->cum, self->wanted->request.total, share), file);
  gtk_label_set_text (self->subtitle, shown);
  gtk_widget_set_tooltip_text (GTK_WIDGET (self->subtitle), text->path != NULL ? text->path : text->file);
}

static void
show_missing (WpSourceView *self, const WpSourceText *text)
{
  g_autofree char *places = NULL;

  gtk_widget_set_visible (GTK_WIDGET (self->missing), text->path == NULL);
  if (text->path != NULL)
    return;
  gtk_widget_set_visible (self->choose, text->file != NULL);
  if (text->file != NULL)
    places = g_strdup_printf (_("Choose the folder that has it. It was looked for at\n%s"), text->tried);
  wp_status_page_say (self->missing, places != NULL ? places : _("The profile does not say which file the function is in."));
}

static void
show_source (WpSourceView *self)
{
  guint chosen = gtk_drop_down_get_selected (GTK_DROP_DOWN (self->files));
  const WpSourceText *text = chosen < self->sources->len ? self->sources->pdata[chosen] : NULL;

  if (text == NULL)
    {
      say (self, NULL);
      show_status (self, "text-x-generic-symbolic", _("No Source Lines"), _("Nothing was measured in this function"));
      return;
    }
  show_subtitle (self, text);
  show_missing (self, text);
  say (self, text->path == NULL || wp_source_text_view_has_colours ()
               ? NULL
               : _("This Wakepath was built without GtkSourceView: sources have no colours."));
  show_text (self, text);
}

static void
show_code (WpSourceView *self)
{
  const WpSourceText *text = self->code;

  gtk_widget_set_visible (GTK_WIDGET (self->missing), FALSE);
  gtk_label_set_text (self->subtitle, text->file != NULL ? text->file : "");
  say (self, text->rows.len > 0 && *text->tried != '\0' ? text->tried : NULL);
  if (text->rows.len > 0)
    show_text (self, text);
  else if (*text->tried != '\0')
    show_status (self, "dialog-information-symbolic", _("No Instructions"), text->tried);
  else
    show_status (self, "dialog-information-symbolic", _("No Addresses"), _("The profile does not say at which addresses this function ran."));
}

static void
fill_files (WpSourceView *self)
{
  g_autoptr (GtkStringList) list = gtk_string_list_new (NULL);

  for (guint i = 0; i < self->sources->len; i++)
    {
      const WpSourceText *text = self->sources->pdata[i];
      g_autofree char *base = text->file != NULL ? g_path_get_basename (text->file) : g_strdup (_("unknown file"));

      gtk_string_list_append (list, base);
    }
  self->filling = TRUE;
  gtk_drop_down_set_model (GTK_DROP_DOWN (self->files), G_LIST_MODEL (list));
  gtk_drop_down_set_selected (GTK_DROP_DOWN (self->files), 0);
  self->filling = FALSE;
}

/* --- reading -------------------------------------------------------------------------------------------------------- */

static void
stop_waiting (WpSourceView *self)
{
  g_clear_handle_id (&self->waiting, g_source_remove);
  gtk_spinner_stop (self->spinner);
}

static void
show_found (WpSourceView *self)
{
  gtk_widget_set_visible (self->files, !wants_code (self) && self->sources != NULL && self->sources->len > 1);
  if (wants_code (self))
    show_code (self);
  else
    show_source (self);
}

static void
on_found (gpointer result, const GError *error, gpointer data)
{
  WpSourceView *self = data;
  WpSourceFound *found = result;

  self->worker = NULL;
  stop_waiting (self);
  if (found == NULL)
    {
      show_status (self, "dialog-error-symbolic", _("Sources Cannot Be Shown"), error->message);
      return;
    }
  if (found->code != NULL)
    self->code = g_steal_pointer (&found->code);
  else
    self->sources = g_steal_pointer (&found->sources);
  wp_source_found_free (found);
  if (!wants_code (self))
    fill_files (self);
  show_found (self);
}

static gboolean
on_waiting (gpointer data)
{
  WpSourceView *self = data;

  self->waiting = 0;
  gtk_spinner_start (self->spinner);
  gtk_stack_set_visible_child_name (self->stack, "loading");
  return G_SOURCE_REMOVE;
}

static void
start (WpSourceView *self)
{
  g_auto (GStrv) mappings = wp_settings_strings (WP_SOURCE_FOLDERS_KEY);

  wp_worker_drop (&self->worker);
  self->worker = wp_source_start (self->wanted, wants_code (self), mappings, on_found, self);
  if (self->waiting == 0)
    self->waiting = g_timeout_add (PATIENCE, on_waiting, self);
}

/* What was read already is shown at once. */
static void
show_chosen (WpSourceView *self)
{
  if (self->wanted == NULL)
    return;
  if (wants_code (self) ? self->code != NULL : self->sources != NULL)
    {
      wp_worker_drop (&self->worker);
      stop_waiting (self);
      show_found (self);
    }
  else
    start (self);
}

static void
forget (WpSourceView *self)
{
  wp_worker_drop (&self->worker);
  stop_waiting (self);
  wp_source_text_view_set (self->text, &(WpSourceValues) { 0 });
  g_clear_pointer (&self->sources, g_ptr_array_unref);
  g_clear_pointer (&self->code, wp_source_text_free);
}

static void
look_again (WpSourceView *self)
{
  forget (self);
  if (self->wanted != NULL)
    start (self);
}

/* --- folders -------------------------------------------------------------------------------------------------------- */

static const WpSourceText *
chosen_source (WpSourceView *self)
{
  guint chosen = gtk_drop_down_get_selected (GTK_DROP_DOWN (self->files));

  return self->sources != NULL && chosen < self->sources->len ? self->sources->pdata[chosen] : NULL;
}

void
wp_source_view_add_folder (WpSourceView *self, const char *folder)
{
  const WpSourceText *text = chosen_source (self);
  g_autofree char *mapping = text != NULL && text->file != NULL ? wp_source_mapping (text->file, folder) : NULL;

  if (mapping != NULL)
    {
      wp_settings_add_string (WP_SOURCE_FOLDERS_KEY, mapping);
      look_again (self);
    }
  else if (text != NULL && text->file != NULL)
    {
      g_autofree char *base = g_path_get_basename (text->file), *shown = g_filename_display_name (folder);
      g_autofree char *said = g_strdup_printf (_("%s is not in %s; choose the folder that it is in, or one above it"), base, shown);

      wp_toast (self->toasts, said);
    }
}

static void
on_folder (GtkNativeDialog *dialog, int response, WpSourceView *self)
{
  g_autoptr (GFile) file = response == GTK_RESPONSE_ACCEPT ? gtk_file_chooser_get_file (GTK_FILE_CHOOSER (dialog)) : NULL;

  if (file != NULL && g_file_peek_path (file) != NULL)
    wp_source_view_add_folder (self, g_file_peek_path (file));
  g_object_unref (dialog);
}

static void
on_choose (GtkButton *button, WpSourceView *self)
{
  GtkFileChooserNative *chooser
    = gtk_file_chooser_native_new (_("Choose Folder"), GTK_WINDOW (gtk_widget_get_root (GTK_WIDGET (self))),
                                   GTK_FILE_CHOOSER_ACTION_SELECT_FOLDER, _("_Choose"), _("_Cancel"));

  gtk_native_dialog_set_modal (GTK_NATIVE_DIALOG (chooser), TRUE);
  g_signal_connect_object (chooser, "response", G_CALLBACK (on_folder), self, 0);
  gtk_native_dialog_show (GTK_NATIVE_DIALOG (chooser));
}

/* --- the widget ----------------------------------------------------------------------------------------------------- */

static void
on_file (GtkDropDown *files, GParamSpec *pspec, WpSourceView *self)
{
  if (!self->filling && self->sources != NULL)
    show_chosen (self);
}

static void
on_toggled (GtkToggleButton *toggle, WpSourceView *self)
{
  wp_settings_set_boolean (DISASSEMBLY_KEY, wants_code (self));
  show_chosen (self);
}

void
wp_source_view_clear (WpSourceView *self)
{
  forget (self);
  g_clear_pointer (&self->wanted, wp_source_wanted_unref);
  gtk_widget_set_visible (self->head, FALSE);
  say (self, NULL);
  show_status (self, "text-x-generic-symbolic", _("No Function Chosen"), _("Choose a function to see what each of its lines took."));
}

void
wp_source_view_show (WpSourceView *self, WpShared *stacks, const WpSourceRequest *request)
{
  forget (self);
  g_clear_pointer (&self->wanted, wp_source_wanted_unref);
  self->wanted = wp_source_wanted_new (stacks, request);
  gtk_label_set_text (self->title, request->function);
  gtk_label_set_text (self->subtitle, "");
  gtk_widget_set_visible (self->head, TRUE);
  start (self);
}

void
wp_source_view_set_disassembly (WpSourceView *self, gboolean disassembly)
{
  gtk_toggle_button_set_active (disassembly ? self->code_toggle : GTK_TOGGLE_BUTTON (self->source_toggle), TRUE);
}

GtkWidget *
wp_source_view_new (void)
{
  return g_object_new (WP_TYPE_SOURCE_VIEW, NULL);
}

static void
wp_source_view_dispose (GObject *object)
{
  WpSourceView *self = WP_SOURCE_VIEW (object);

  wp_worker_drop (&self->worker);
  g_clear_handle_id (&self->waiting, g_source_remove);
  G_OBJECT_CLASS (wp_source_view_parent_class)->dispose (object);
}

static void
wp_source_view_finalize (GObject *object)
{
  WpSourceView *self = WP_SOURCE_VIEW (object);

  g_clear_pointer (&self->wanted, wp_source_wanted_unref);
  g_clear_pointer (&self->sources, g_ptr_array_unref);
  g_clear_pointer (&self->code, wp_source_text_free);
  G_OBJECT_CLASS (wp_source_view_parent_class)->finalize (object);
}

static void
wp_source_view_class_init (WpSourceViewClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = wp_source_view_dispose;
  G_OBJECT_CLASS (klass)->finalize = wp_source_view_finalize;
  g_type_ensure (WP_TYPE_SOURCE_FOLDERS);
  g_type_ensure (WP_TYPE_SOURCE_TEXT_VIEW);
  gtk_widget_class_set_template_from_resource (widget_class, "/org/wakepath/Wakepath/source-view.ui");
  gtk_widget_class_bind_template_child (widget_class, WpSourceView, head);
  gtk_widget_class_bind_template_child (widget_class, WpSourceView, files);
  gtk_widget_class_bind_template_child (widget_class, WpSourceView, choose);
  gtk_widget_class_bind_template_child (widget_class, WpSourceView, notice);
  gtk_widget_class_bind_template_child (widget_class, WpSourceView, toasts);
  gtk_widget_class_bind_template_child (widget_class, WpSourceView, title);
  gtk_widget_class_bind_template_child (widget_class, WpSourceView, subtitle);
  gtk_widget_class_bind_template_child (widget_class, WpSourceView, self_title);
  gtk_widget_class_bind_template_child (widget_class, WpSourceView, total_title);
  gtk_widget_class_bind_template_child (widget_class, WpSourceView, number_title);
  gtk_widget_class_bind_template_child (widget_class, WpSourceView, source_toggle);
  gtk_widget_class_bind_template_child (widget_class, WpSourceView, code_toggle);
  gtk_widget_class_bind_template_child (widget_class, WpSourceView, stack);
  gtk_widget_class_bind_template_child (widget_class, WpSourceView, spinner);
  gtk_widget_class_bind_template_child (widget_class, WpSourceView, status);
  gtk_widget_class_bind_template_child (widget_class, WpSourceView, missing);
  gtk_widget_class_bind_template_child (widget_class, WpSourceView, text);
  gtk_widget_class_bind_template_callback (widget_class, on_file);
  gtk_widget_class_bind_template_callback (widget_class, on_toggled);
  gtk_widget_class_bind_template_callback (widget_class, on_choose);
  gtk_widget_class_bind_template_callback (widget_class, look_again);
}

static void
wp_source_view_init (WpSourceView *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  if (wp_settings_boolean (DISASSEMBLY_KEY, FALSE))
    wp_source_view_set_disassembly (self, TRUE);
  wp_source_view_clear (self);
}
