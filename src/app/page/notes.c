#include "app/page/notes.h"

#include <glib/gi18n.h>

#include "base/format.h"

/* --- writing one ---------------------------------------------------------------------------------------------------- */

typedef struct
{
  WpWorkspace *workspace;
  gint64 time;
  GtkEditable *entry;
} Asked;

static void
free_asked (gpointer data)
{
  Asked *self = data;

  g_object_unref (self->workspace);
  g_free (self);
}

static void
on_response (AdwMessageDialog *dialog, const char *response, Asked *asked)
{
  if (g_str_equal (response, "save"))
    wp_workspace_note (asked->workspace, asked->time, gtk_editable_get_text (asked->entry));
  else if (g_str_equal (response, "remove"))
    wp_workspace_note (asked->workspace, asked->time, NULL);
}

/* What stands at a moment, or NULL. Free with g_free(). */
static char *
find_text (WpWorkspace *workspace, gint64 time)
{
  g_autoptr (GArray) notes = wp_notes_list (wp_workspace_notes (workspace));

  for (guint i = 0; i < notes->len; i++)
    if (g_array_index (notes, WpNote, i).time == time)
      return g_strdup (g_array_index (notes, WpNote, i).text);
  return NULL;
}

void
wp_note_ask (GtkWindow *parent, WpWorkspace *workspace, gint64 time, gint64 origin)
{
  g_autofree char *before = find_text (workspace, time), *heading = NULL;
  GtkWidget *dialog, *entry = gtk_entry_new ();
  Asked *asked = g_new0 (Asked, 1);
  char text[WP_FORMAT_MAX];

  heading = g_strdup_printf (_("Note at %s"), wp_format_time (time - origin, WP_NS_PER_US, text));
  dialog = adw_message_dialog_new (parent, heading, NULL);
  *asked = (Asked) { g_object_ref (workspace), time, GTK_EDITABLE (entry) };
  gtk_editable_set_text (GTK_EDITABLE (entry), before != NULL ? before : "");
  gtk_entry_set_max_length (GTK_ENTRY (entry), WP_NOTE_LENGTH);
  gtk_entry_set_activates_default (GTK_ENTRY (entry), TRUE);
  gtk_accessible_update_property (GTK_ACCESSIBLE (entry), GTK_ACCESSIBLE_PROPERTY_LABEL, _("Note"), -1);
  adw_message_dialog_set_extra_child (ADW_MESSAGE_DIALOG (dialog), entry);
  adw_message_dialog_add_response (ADW_MESSAGE_DIALOG (dialog), "cancel", _("_Cancel"));
  if (before != NULL)
    {
      adw_message_dialog_add_response (ADW_MESSAGE_DIALOG (dialog), "remove", _("_Remove"));
      adw_message_dialog_set_response_appearance (ADW_MESSAGE_DIALOG (dialog), "remove", ADW_RESPONSE_DESTRUCTIVE);
    }
  adw_message_dialog_add_response (ADW_MESSAGE_DIALOG (dialog), "save", _("_Write Down"));
  adw_message_dialog_set_response_appearance (ADW_MESSAGE_DIALOG (dialog), "save", ADW_RESPONSE_SUGGESTED);
  adw_message_dialog_set_default_response (ADW_MESSAGE_DIALOG (dialog), "save");
  adw_message_dialog_set_close_response (ADW_MESSAGE_DIALOG (dialog), "cancel");
  g_object_set_data_full (G_OBJECT (dialog), "asked", asked, free_asked);
  g_signal_connect (dialog, "response", G_CALLBACK (on_response), asked);
  gtk_window_present (GTK_WINDOW (dialog));
  gtk_widget_grab_focus (entry);
}

/* --- all of them ---------------------------------------------------------------------------------------------------- */

struct _WpNotesWindow
{
  AdwWindow parent_instance;

  WpWorkspace *workspace;
  gint64 origin;
  WpNoteGo go;
  GWeakRef data;
  GtkListBox *list;
};

#define WP_TYPE_NOTES_WINDOW (wp_notes_window_get_type ())
G_DECLARE_FINAL_TYPE (WpNotesWindow, wp_notes_window, WP, NOTES_WINDOW, AdwWindow)
G_DEFINE_FINAL_TYPE (WpNotesWindow, wp_notes_window, ADW_TYPE_WINDOW)

static gint64
time_of (gpointer widget)
{
  const gint64 *time = g_object_get_data (widget, "time");

  return *time;
}

static void
on_remove (GtkButton *button, WpNotesWindow *self)
{
  wp_workspace_note (self->workspace, time_of (button), NULL);
}

static void
on_activated (GtkListBox *list, GtkListBoxRow *row, WpNotesWindow *self)
{
  g_autoptr (GObject) data = g_weak_ref_get (&self->data);

  if (data != NULL)
    self->go (time_of (row), data);
}

static void
on_copy (GtkButton *button, WpNotesWindow *self)
{
  g_autofree char *text = wp_workspace_notes_text (self->workspace, self->origin);

  gdk_clipboard_set_text (gtk_widget_get_clipboard (GTK_WIDGET (self)), text);
}

static GtkWidget *
new_row (WpNotesWindow *self, const WpNote *note)
{
  GtkWidget *row = adw_action_row_new (), *button = gtk_button_new_from_icon_name ("user-trash-symbolic");
  g_autofree char *title = g_markup_escape_text (note->text, -1);
  char time[WP_FORMAT_MAX];

  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (row), title);
  adw_action_row_set_subtitle (ADW_ACTION_ROW (row), wp_format_time (note->time - self->origin, WP_NS_PER_US, time));
  gtk_list_box_row_set_activatable (GTK_LIST_BOX_ROW (row), TRUE);
  gtk_widget_set_valign (button, GTK_ALIGN_CENTER);
  gtk_widget_add_css_class (button, "flat");
  gtk_widget_set_tooltip_text (button, _("Remove this note"));
  gtk_accessible_update_property (GTK_ACCESSIBLE (button), GTK_ACCESSIBLE_PROPERTY_LABEL, _("Remove this note"), -1);
  g_object_set_data_full (G_OBJECT (row), "time", g_memdup2 (&note->time, sizeof note->time), g_free);
  g_object_set_data_full (G_OBJECT (button), "time", g_memdup2 (&note->time, sizeof note->time), g_free);
  g_signal_connect_object (button, "clicked", G_CALLBACK (on_remove), self, 0);
  adw_action_row_add_suffix (ADW_ACTION_ROW (row), button);
  return row;
}

static void
show_notes (WpNotesWindow *self)
{
  g_autoptr (GArray) notes = wp_notes_list (wp_workspace_notes (self->workspace));
  GtkWidget *row;

  while ((row = GTK_WIDGET (gtk_list_box_get_row_at_index (self->list, 0))) != NULL)
    gtk_list_box_remove (self->list, row);
  for (guint i = 0; i < notes->len; i++)
    gtk_list_box_append (self->list, new_row (self, &g_array_index (notes, WpNote, i)));
}

static void
wp_notes_window_finalize (GObject *object)
{
  WpNotesWindow *self = WP_NOTES_WINDOW (object);

  g_clear_object (&self->workspace);
  g_weak_ref_clear (&self->data);
  G_OBJECT_CLASS (wp_notes_window_parent_class)->finalize (object);
}

static void
wp_notes_window_class_init (WpNotesWindowClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = wp_notes_window_finalize;
  gtk_widget_class_add_binding_action (GTK_WIDGET_CLASS (klass), GDK_KEY_Escape, 0, "window.close", NULL);
}

static GtkWidget *
new_header (WpNotesWindow *self)
{
  GtkWidget *header = adw_header_bar_new (), *copy = gtk_button_new_from_icon_name ("edit-copy-symbolic");

  gtk_widget_set_tooltip_text (copy, _("Copy all notes as Markdown"));
  gtk_accessible_update_property (GTK_ACCESSIBLE (copy), GTK_ACCESSIBLE_PROPERTY_LABEL, _("Copy all notes as Markdown"), -1);
  g_signal_connect_object (copy, "clicked", G_CALLBACK (on_copy), self, 0);
  adw_header_bar_pack_start (ADW_HEADER_BAR (header), copy);
  return header;
}

static void
wp_notes_window_init (WpNotesWindow *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0), *scrolled = gtk_scrolled_window_new ();
  GtkWidget *none = gtk_label_new (_("No notes yet: B writes one down at the selected moment"));

  g_weak_ref_init (&self->data, NULL);
  self->list = GTK_LIST_BOX (gtk_list_box_new ());
  gtk_list_box_set_selection_mode (self->list, GTK_SELECTION_NONE);
  gtk_label_set_wrap (GTK_LABEL (none), TRUE);
  gtk_widget_add_css_class (none, "dim-label");
  gtk_list_box_set_placeholder (self->list, none);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->list), GTK_ACCESSIBLE_PROPERTY_LABEL, _("Notes"), -1);
  g_signal_connect (self->list, "row-activated", G_CALLBACK (on_activated), self);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scrolled), GTK_WIDGET (self->list));
  gtk_widget_set_vexpand (scrolled, TRUE);
  gtk_box_append (GTK_BOX (box), new_header (self));
  gtk_box_append (GTK_BOX (box), scrolled);
  adw_window_set_content (ADW_WINDOW (self), box);
  gtk_window_set_default_size (GTK_WINDOW (self), 420, 360);
  gtk_window_set_title (GTK_WINDOW (self), _("Notes"));
}

GtkWidget *
wp_notes_window_new (GtkWindow *parent, WpWorkspace *workspace, gint64 origin, WpNoteGo go, GObject *data)
{
  WpNotesWindow *self = g_object_new (WP_TYPE_NOTES_WINDOW, "transient-for", parent, "destroy-with-parent", TRUE, NULL);

  self->workspace = g_object_ref (workspace);
  self->origin = origin;
  self->go = go;
  g_weak_ref_set (&self->data, data);
  g_signal_connect_object (workspace, "notes-changed", G_CALLBACK (show_notes), self, G_CONNECT_SWAPPED);
  show_notes (self);
  return GTK_WIDGET (self);
}
