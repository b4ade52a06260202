#include "app/compare/compare-frames-table.h"

#include <glib/gi18n.h>

#include "app/plots/grid-table.h"
#include "workspace/compare/compare-data.h"
#include "workspace/worker.h"

struct _WpCompareFramesTable
{
  AdwBin parent_instance;

  WpGridTable *table;
  GtkDropDown *presence;
  WpShared *data; /* WpCompareData, or NULL */
  WpWorker *narrowing;
};

G_DEFINE_FINAL_TYPE (WpCompareFramesTable, wp_compare_frames_table, ADW_TYPE_BIN)

static void
on_narrowed (gpointer result, const GError *error, gpointer user_data)
{
  WpCompareFramesTable *self = user_data;
  g_autoptr (WpShared) grid = result != NULL ? wp_shared_new (result, (GDestroyNotify) wp_grid_free) : NULL;

  self->narrowing = NULL;
  if (grid != NULL)
    wp_grid_table_set_grid (self->table, grid);
}

static void
narrow (WpCompareFramesTable *self)
{
  guint presences = 0;

  wp_worker_drop (&self->narrowing);
  if (self->data == NULL || wp_compare_presences (gtk_drop_down_get_selected (self->presence), &presences) == NULL)
    return;
  self->narrowing = wp_worker_start (&(WpWorkerSpec) { .run = wp_compare_frames_run, .done = on_narrowed, .user_data = self,
                                                       .data = wp_compare_frames_new (self->data, presences),
                                                       .free_data = wp_compare_frames_free, .free_result = (GDestroyNotify) wp_grid_free });
}

void
wp_compare_frames_table_set_data (WpCompareFramesTable *self, WpShared *data)
{
  wp_shared_unref (self->data);
  self->data = wp_shared_ref (data);
  narrow (self);
}

static void
wp_compare_frames_table_dispose (GObject *object)
{
  WpCompareFramesTable *self = WP_COMPARE_FRAMES_TABLE (object);

  wp_worker_drop (&self->narrowing);
  g_clear_pointer (&self->data, wp_shared_unref); /* else a drop-down that goes would ask for rows */
  G_OBJECT_CLASS (wp_compare_frames_table_parent_class)->dispose (object);
}

static void
wp_compare_frames_table_class_init (WpCompareFramesTableClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = wp_compare_frames_table_dispose;
}

static void
wp_compare_frames_table_init (WpCompareFramesTable *self)
{
  GtkStringList *names = gtk_string_list_new (NULL);
  const char *name;
  guint presences;

  for (guint row = 0; (name = wp_compare_presences (row, &presences)) != NULL; row++)
    gtk_string_list_append (names, name);
  self->presence = GTK_DROP_DOWN (gtk_drop_down_new (G_LIST_MODEL (names), NULL));
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->presence), GTK_ACCESSIBLE_PROPERTY_LABEL, _("Which frames"), -1);
  g_signal_connect_object (self->presence, "notify::selected", G_CALLBACK (narrow), self, G_CONNECT_SWAPPED);
  self->table = WP_GRID_TABLE (wp_grid_table_new (_("Frames compared")));
  wp_grid_table_add (self->table, GTK_WIDGET (self->presence));
  adw_bin_set_child (ADW_BIN (self), GTK_WIDGET (self->table));
}
