#include "app/record/threads-row.h"

#include <glib/gi18n.h>

#include "base/array.h"
#include "base/hash.h"
#include "record/recorder.h"
#include "record/threads.h"

#define NAMED 3 /* in the subtitle */

typedef WP_ARRAY (gint32) IdArray;

struct _WpThreadsRow
{
  AdwActionRow parent_instance;

  GtkMenuButton *button;
  GtkStack *stack; /* "reading", "list" */
  GtkListView *list;
  GtkLabel *count;
  GtkWidget *all_button;

  IdArray pids;
  IdArray chosen;          /* tids, as they were checked */
  GListStore *items;       /* of WpThreadItem */
  GCancellable *reading;   /* by a worker; NULL: nothing is read */
  GHashTable *checks;      /* GtkCheckButton → the item that it shows, as long as it does */
};

static guint signal_chosen;

G_DEFINE_FINAL_TYPE (WpThreadsRow, wp_threads_row, ADW_TYPE_ACTION_ROW)

/* --- one thread ----------------------------------------------------------------------------------------------------- */

#define WP_TYPE_THREAD_ITEM (wp_thread_item_get_type ())
G_DECLARE_FINAL_TYPE (WpThreadItem, wp_thread_item, WP, THREAD_ITEM, GObject)

struct _WpThreadItem
{
  GObject parent_instance;

  gint32 tid;
  double share;
  char *name;
};

G_DEFINE_FINAL_TYPE (WpThreadItem, wp_thread_item, G_TYPE_OBJECT)

static void
wp_thread_item_finalize (GObject *object)
{
  g_free (WP_THREAD_ITEM (object)->name);
  G_OBJECT_CLASS (wp_thread_item_parent_class)->finalize (object);
}

static void
wp_thread_item_class_init (WpThreadItemClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = wp_thread_item_finalize;
}

static void
wp_thread_item_init (WpThreadItem *self)
{
}

static WpThreadItem *
new_item (const WpThreadRow *row)
{
  WpThreadItem *item = g_object_new (WP_TYPE_THREAD_ITEM, NULL);

  item->tid = row->tid;
  item->share = row->share;
  item->name = g_strdup (row->stat.name);
  return item;
}

/* --- what is chosen ------------------------------------------------------------------------------------------------- */

/* chosen.len: it is not. */
static guint32
place_of (WpThreadsRow *self, gint32 tid)
{
  guint32 at = 0;

  while (at < self->chosen.len && self->chosen.data[at] != tid)
    at++;
  return at;
}

static guint
n_items (WpThreadsRow *self)
{
  return g_list_model_get_n_items (G_LIST_MODEL (self->items));
}

/* "worker, io, …"; those that are not listed any more have no name. */
static char *
names_of_chosen (WpThreadsRow *self)
{
  g_autoptr (GString) text = g_string_new (NULL);
  guint named = 0;

  for (guint i = 0; i < n_items (self) && named < NAMED; i++)
    {
      g_autoptr (WpThreadItem) item = g_list_model_get_item (G_LIST_MODEL (self->items), i);

      if (place_of (self, item->tid) < self->chosen.len)
        g_string_append_printf (text, "%s%s", named++ > 0 ? ", " : "", item->name);
    }
  if (self->chosen.len > named)
    g_string_append (text, ", …");
  return g_strdup (text->str);
}

static void
show_chosen (WpThreadsRow *self)
{
  g_autofree char *names = names_of_chosen (self), *escaped = g_markup_escape_text (names, -1), *text = NULL, *count = NULL;
  guint n = self->chosen.len;

  text = n == 0 ? g_strdup (_("All of them")) : g_strdup_printf ("%u: %s", n, escaped);
  if (n == WP_RECORD_SAMPLED_MAX)
    count = g_strdup_printf (_("%u chosen, which is all that can be"), n);
  else
    count = n == 0 ? g_strdup_printf (ngettext ("%u thread", "%u threads", n_items (self)), n_items (self))
                   : g_strdup_printf (_("%u of %u chosen"), n, n_items (self));
  adw_action_row_set_subtitle (ADW_ACTION_ROW (self), text);
  gtk_label_set_text (self->count, count);
  gtk_widget_set_sensitive (self->all_button, n > 0);
}

static void
show_checks (WpThreadsRow *self)
{
  GHashTableIter iter;
  gpointer check, item;

  g_hash_table_iter_init (&iter, self->checks);
  while (g_hash_table_iter_next (&iter, &check, &item))
    gtk_check_button_set_active (check, place_of (self, ((WpThreadItem *) item)->tid) < self->chosen.len);
}

static void
change (WpThreadsRow *self)
{
  show_chosen (self);
  show_checks (self);
  g_signal_emit (self, signal_chosen, 0);
}

static void
choose (WpThreadsRow *self, gint32 tid, gboolean chosen)
{
  guint32 at = place_of (self, tid);

  if (chosen == (at < self->chosen.len))
    return;
  if (!chosen)
    self->chosen.data[at] = self->chosen.data[--self->chosen.len];
  else if (self->chosen.len < WP_RECORD_SAMPLED_MAX)
    wp_array_push (&self->chosen, tid);
  change (self);
}

static void
on_all (WpThreadsRow *self)
{
  self->chosen.len = 0;
  change (self);
}

/* --- the list ------------------------------------------------------------------------------------------------------- */

static void
on_toggled (GtkCheckButton *check, WpThreadsRow *self)
{
  WpThreadItem *item = g_hash_table_lookup (self->checks, check);

  if (item != NULL)
    choose (self, item->tid, gtk_check_button_get_active (check));
}

static void
on_setup (GtkSignalListItemFactory *factory, GtkListItem *list_item, WpThreadsRow *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 12), *check = gtk_check_button_new (), *figures = gtk_label_new (NULL);

  gtk_widget_set_hexpand (check, TRUE);
  gtk_widget_add_css_class (figures, "numeric");
  gtk_widget_add_css_class (figures, "dim-label");
  gtk_box_append (GTK_BOX (box), check);
  gtk_box_append (GTK_BOX (box), figures);
  gtk_list_item_set_child (list_item, box);
  gtk_list_item_set_activatable (list_item, TRUE);
  g_signal_connect_object (check, "toggled", G_CALLBACK (on_toggled), self, 0);
}

static void
on_bind (GtkSignalListItemFactory *factory, GtkListItem *list_item, WpThreadsRow *self)
{
  WpThreadItem *item = gtk_list_item_get_item (list_item);
  GtkWidget *check = gtk_widget_get_first_child (gtk_list_item_get_child (list_item)), *figures = gtk_widget_get_next_sibling (check);
  g_autofree char *name = g_strdup_printf ("%s (%d)", item->name, item->tid), *text = g_strdup_printf ("%.1f %%", item->share * 100);

  gtk_check_button_set_label (GTK_CHECK_BUTTON (check), name);
  gtk_check_button_set_active (GTK_CHECK_BUTTON (check), place_of (self, item->tid) < self->chosen.len);
  gtk_label_set_text (GTK_LABEL (figures), text);
  g_hash_table_insert (self->checks, check, item);
}

static void
on_unbind (GtkSignalListItemFactory *factory, GtkListItem *list_item, WpThreadsRow *self)
{
  g_hash_table_remove (self->checks, gtk_widget_get_first_child (gtk_list_item_get_child (list_item)));
}

static void
on_activate (GtkListView *list, guint position, WpThreadsRow *self)
{
  g_autoptr (WpThreadItem) item = g_list_model_get_item (G_LIST_MODEL (self->items), position);

  choose (self, item->tid, place_of (self, item->tid) == self->chosen.len);
}

/* --- reading -------------------------------------------------------------------------------------------------------- */

static void
measure (GTask *task, gpointer source, gpointer pids, GCancellable *cancellable)
{
  g_task_return_pointer (task, wp_threads_measure (pids), (GDestroyNotify) wp_threads_free);
}

static void
on_measured (GObject *source, GAsyncResult *result, gpointer data)
{
  WpThreadsRow *self = WP_THREADS_ROW (source);
  g_autoptr (WpThreadRows) threads = g_task_propagate_pointer (G_TASK (result), NULL);
  g_autoptr (GPtrArray) items = g_ptr_array_new_with_free_func (g_object_unref);

  if (threads == NULL) /* others are chosen meanwhile */
    return;
  g_clear_object (&self->reading);
  for (guint32 i = 0; i < threads->rows.len; i++)
    g_ptr_array_add (items, new_item (&threads->rows.data[i]));
  g_list_store_splice (self->items, 0, n_items (self), items->pdata, items->len);
  gtk_stack_set_visible_child_name (self->stack, "list");
  gtk_widget_grab_focus (GTK_WIDGET (self->list));
  show_chosen (self);
}

static void
stop_reading (WpThreadsRow *self)
{
  if (self->reading != NULL)
    g_cancellable_cancel (self->reading);
  g_clear_object (&self->reading);
}

static void
on_wanted (GtkMenuButton *button, gpointer data)
{
  WpThreadsRow *self = data;
  g_autoptr (GTask) task = NULL;

  stop_reading (self);
  self->reading = g_cancellable_new ();
  task = g_task_new (self, self->reading, on_measured, NULL);
  g_task_set_task_data (task, g_memdup2 (self->pids.data, self->pids.len * sizeof *self->pids.data), g_free);
  gtk_stack_set_visible_child_name (self->stack, "reading");
  g_task_run_in_thread (task, measure);
}

/* --- for the caller ------------------------------------------------------------------------------------------------- */

static gboolean
are_the_same (const IdArray *pids, const gint32 *others)
{
  guint32 n = 0;

  while (n < pids->len && pids->data[n] == others[n] && others[n] != 0)
    n++;
  return n < pids->len && pids->data[n] == others[n];
}

void
wp_threads_row_set_processes (WpThreadsRow *self, const gint32 *pids)
{
  if (are_the_same (&self->pids, pids))
    return;
  stop_reading (self);
  self->pids.len = self->chosen.len = 0;
  do
    wp_array_push (&self->pids, *pids);
  while (*pids++ != 0);
  g_list_store_remove_all (self->items);
  show_chosen (self);
}

gint32 *
wp_threads_row_chosen (WpThreadsRow *self)
{
  gint32 *tids;

  if (self->chosen.len == 0)
    return NULL;
  tids = g_new0 (gint32, self->chosen.len + 1);
  memcpy (tids, self->chosen.data, self->chosen.len * sizeof *tids);
  return tids;
}

static void
wp_threads_row_dispose (GObject *object)
{
  WpThreadsRow *self = WP_THREADS_ROW (object);

  stop_reading (self);
  if (self->button != NULL)
    gtk_menu_button_set_create_popup_func (self->button, NULL, NULL, NULL);
  G_OBJECT_CLASS (wp_threads_row_parent_class)->dispose (object);
}

static void
wp_threads_row_finalize (GObject *object)
{
  WpThreadsRow *self = WP_THREADS_ROW (object);

  wp_array_clear (&self->pids);
  wp_array_clear (&self->chosen);
  g_object_unref (self->items);
  g_hash_table_unref (self->checks);
  G_OBJECT_CLASS (wp_threads_row_parent_class)->finalize (object);
}

static void
wp_threads_row_class_init (WpThreadsRowClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = wp_threads_row_dispose;
  G_OBJECT_CLASS (klass)->finalize = wp_threads_row_finalize;
  signal_chosen = g_signal_new ("chosen", WP_TYPE_THREADS_ROW, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  gtk_widget_class_set_template_from_resource (widget_class, "/org/wakepath/Wakepath/threads-row.ui");
  gtk_widget_class_bind_template_child (widget_class, WpThreadsRow, button);
  gtk_widget_class_bind_template_child (widget_class, WpThreadsRow, stack);
  gtk_widget_class_bind_template_child (widget_class, WpThreadsRow, list);
  gtk_widget_class_bind_template_child (widget_class, WpThreadsRow, count);
  gtk_widget_class_bind_template_child (widget_class, WpThreadsRow, all_button);
  gtk_widget_class_bind_template_callback (widget_class, on_all);
  gtk_widget_class_bind_template_callback (widget_class, on_activate);
  gtk_widget_class_bind_template_callback (widget_class, on_setup);
  gtk_widget_class_bind_template_callback (widget_class, on_bind);
  gtk_widget_class_bind_template_callback (widget_class, on_unbind);
}

static void
wp_threads_row_init (WpThreadsRow *self)
{
  GtkSelectionModel *model;

  self->items = g_list_store_new (WP_TYPE_THREAD_ITEM);
  self->checks = g_hash_table_new (wp_hash_pointer, NULL);
  gtk_widget_init_template (GTK_WIDGET (self));
  model = GTK_SELECTION_MODEL (gtk_no_selection_new (g_object_ref (G_LIST_MODEL (self->items))));
  gtk_list_view_set_model (self->list, model);
  g_object_unref (model);
  gtk_menu_button_set_create_popup_func (self->button, on_wanted, self, NULL);
  wp_threads_row_set_processes (self, (const gint32[]) { 0 });
}
