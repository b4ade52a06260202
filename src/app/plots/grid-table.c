#include "app/plots/grid-table.h"

#include <glib/gi18n.h>

#include "app/widgets/share-bar.h"
#include "app/plots/grid-list.h"
#include "base/hash.h"
#include "app/widgets/column-titles.h"
#include "workspace/worker.h"

#define FILTER_DELAY_MS 150
#define MIN_CHARS 6
#define MAX_CHARS 40
#define SHARE_CHARS 7 /* "100.0 %" */
#define SHARE_WIDTH_CHARS 12
#define SAMPLED_ROWS 200 /* that tell how wide a column should be */

/* --- the table -------------------------------------------------------------------------------------------------------------- */

struct _WpGridTable
{
  AdwBin parent_instance;

  GtkSearchEntry *filter;
  GtkLabel *count;
  GtkColumnView *table;
  GtkSingleSelection *selection;
  GtkScrolledWindow *scrolled;
  WpGridList *list;
  WpShared *grid;
  WpWorker *ordering;
  guint filter_source;
  GHashTable *bound; /* GtkListItem → its column: cells in sight */
  guint32 wide;   /* the column that takes what room is left; G_MAXUINT32: none */
  int least;      /* pixels of it */
  guint32 probed; /* column that decides first, G_MAXUINT32: none */
};

enum
{
  SIGNAL_ROW_SELECTED,
  SIGNAL_ROW_ACTIVATED,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (WpGridTable, wp_grid_table, ADW_TYPE_BIN)

static const WpGrid *
grid_of (WpGridTable *self)
{
  return wp_shared_get (self->grid);
}

typedef struct
{
  WpShared *grid;
  char *filter;
  guint32 column;
  gboolean descending;
  guint32 *order; /* the result */
  guint32 n;
} Ordering;

static void
ordering_free (gpointer data)
{
  Ordering *self = data;

  wp_shared_unref (self->grid);
  g_free (self->filter);
  g_free (self->order);
  g_free (self);
}

static gpointer
run_order (gpointer data, WpProgress *progress, GError **error)
{
  const Ordering *request = data;
  Ordering *result = g_new0 (Ordering, 1);

  result->order = wp_grid_order (wp_shared_get (request->grid), request->filter, request->column, request->descending,
                                 &result->n, progress);
  if (result->order != NULL)
    return result;
  ordering_free (result);
  g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_CANCELLED, "");
  return NULL;
}

static void
show_count (WpGridTable *self)
{
  guint32 all = grid_of (self)->n_rows, n = g_list_model_get_n_items (G_LIST_MODEL (self->list));
  g_autofree char *text = n == all ? g_strdup_printf (ngettext ("%u row", "%u rows", all), all)
                                   : g_strdup_printf (_ ("%u of %u rows"), n, all);

  gtk_label_set_text (self->count, text);
}

/* Rows that stay where they are keep the selection and their place; so does a selected one that goes elsewhere. */
static void
show_order (WpGridTable *self, guint32 *order, guint32 n)
{
  guint32 n_before, same = 0;
  const guint32 *before = wp_grid_list_order (self->list, &n_before);
  WpGridRow *selected = gtk_single_selection_get_selected_item (self->selection);
  guint32 row = selected != NULL ? wp_grid_row_number (selected) : G_MAXUINT32, at = 0;

  while (same < n_before && same < n && before[same] == order[same])
    same++;
  wp_grid_list_change (self->list, order, n, same);
  while (at < n && order[at] != row)
    at++;
  if (row != G_MAXUINT32 && same < n_before && at < n)
    gtk_single_selection_set_selected (self->selection, at);
}

static void
on_ordered (gpointer data, const GError *error, gpointer user_data)
{
  WpGridTable *self = user_data;
  Ordering *result = data;

  self->ordering = NULL;
  if (result == NULL)
    return;
  show_order (self, g_steal_pointer (&result->order), result->n);
  show_count (self);
  ordering_free (result);
}

/* Which column decides is not told by the list; but a comparison asks that one first. */
static void
find_sorting (WpGridTable *self, guint32 *column, gboolean *descending)
{
  GtkSorter *sorter = gtk_column_view_get_sorter (self->table);
  g_autoptr (WpGridRow) a = wp_grid_row_new (0), b = wp_grid_row_new (1);

  self->probed = G_MAXUINT32;
  *descending = sorter != NULL && gtk_sorter_compare (sorter, a, b) == GTK_ORDERING_LARGER;
  *column = self->probed;
}

static int
probe (gconstpointer a, gconstpointer b, gpointer data)
{
  GtkColumnViewColumn *column = data;
  WpGridTable *self = g_object_get_data (G_OBJECT (column), "table");

  if (self->probed == G_MAXUINT32)
    self->probed = GPOINTER_TO_UINT (g_object_get_data (G_OBJECT (column), "number"));
  return wp_grid_row_number ((gpointer) a) < wp_grid_row_number ((gpointer) b) ? -1 : 1;
}

static void
order (WpGridTable *self)
{
  Ordering *request;

  g_clear_handle_id (&self->filter_source, g_source_remove);
  wp_worker_drop (&self->ordering);
  if (self->grid == NULL)
    return;
  request = g_new0 (Ordering, 1);
  request->grid = wp_shared_ref (self->grid);
  request->filter = g_strdup (gtk_editable_get_text (GTK_EDITABLE (self->filter)));
  find_sorting (self, &request->column, &request->descending);
  self->ordering = wp_worker_start (&(WpWorkerSpec) { .run = run_order,
                                                      .done = on_ordered,
                                                      .data = request,
                                                      .free_data = ordering_free,
                                                      .free_result = ordering_free,
                                                      .user_data = self });
}

static gboolean
filter_now (gpointer data)
{
  WpGridTable *self = data;

  self->filter_source = 0;
  order (self);
  return G_SOURCE_REMOVE;
}

static void
on_filter_changed (GtkEditable *entry, WpGridTable *self)
{
  g_clear_handle_id (&self->filter_source, g_source_remove);
  self->filter_source = g_timeout_add (FILTER_DELAY_MS, filter_now, self);
}

static void
on_sorter_changed (GtkSorter *sorter, GtkSorterChange change, WpGridTable *self)
{
  order (self);
}

/* --- cells --- */

static gboolean
is_share (GtkColumnViewColumn *column)
{
  return g_object_get_data (G_OBJECT (column), "share") != NULL;
}

/* A number behind the bar that shows it. */
static GtkWidget *
new_share (GtkWidget *label)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6), *bar = wp_share_bar_new (0, 0);

  gtk_widget_set_hexpand (bar, TRUE);
  gtk_widget_set_valign (bar, GTK_ALIGN_CENTER);
  gtk_widget_add_css_class (bar, "accent");
  gtk_label_set_width_chars (GTK_LABEL (label), SHARE_CHARS);
  gtk_box_append (GTK_BOX (box), bar);
  gtk_box_append (GTK_BOX (box), label);
  return box;
}

static void
setup_cell (GtkSignalListItemFactory *factory, GtkListItem *item, GtkColumnViewColumn *column)
{
  GtkWidget *label = gtk_label_new (NULL);
  gboolean number = g_object_get_data (G_OBJECT (column), "numeric") != NULL;

  gtk_label_set_xalign (GTK_LABEL (label), number ? 1 : 0);
  gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_MIDDLE);
  gtk_label_set_single_line_mode (GTK_LABEL (label), TRUE);
  if (number)
    gtk_widget_add_css_class (label, "numeric");
  gtk_list_item_set_child (item, is_share (column) ? new_share (label) : label);
}

static void
bind_cell (GtkSignalListItemFactory *factory, GtkListItem *item, GtkColumnViewColumn *column)
{
  WpGridTable *self = g_object_get_data (G_OBJECT (column), "table");
  guint32 number = GPOINTER_TO_UINT (g_object_get_data (G_OBJECT (column), "number"));
  guint32 row = wp_grid_row_number (gtk_list_item_get_item (item));
  const WpGrid *grid = grid_of (self);
  gboolean there = grid != NULL && number < grid->columns.len && row < grid->n_rows;
  const char *text = there ? wp_grid_text (grid, number, row) : "";
  char buffer[WP_FORMAT_MAX];
  const char *shown = there ? wp_grid_shown (grid, number, row, buffer) : "";

  GtkWidget *child = gtk_list_item_get_child (item), *label = is_share (column) ? gtk_widget_get_last_child (child) : child;

  gtk_label_set_text (GTK_LABEL (label), shown);
  gtk_widget_set_tooltip_text (child, shown != text || g_utf8_strlen (text, -1) > MAX_CHARS ? text : NULL);
  if (is_share (column))
    wp_share_bar_set (WP_SHARE_BAR (gtk_widget_get_first_child (child)), 0, there ? grid->columns.data[number].numbers[row] : 0);
}

static void
on_bind (GtkSignalListItemFactory *factory, GtkListItem *item, GtkColumnViewColumn *column)
{
  WpGridTable *self = g_object_get_data (G_OBJECT (column), "table");

  g_hash_table_insert (self->bound, item, column);
  bind_cell (factory, item, column);
}

static void
on_unbind (GtkSignalListItemFactory *factory, GtkListItem *item, GtkColumnViewColumn *column)
{
  WpGridTable *self = g_object_get_data (G_OBJECT (column), "table");

  g_hash_table_remove (self->bound, item);
}

static int
column_width (const WpGrid *grid, guint32 c)
{
  gboolean share = grid->columns.data[c].shown == WP_GRID_SHARE;
  glong chars = share ? SHARE_WIDTH_CHARS : g_utf8_strlen (wp_strings_get (grid->strings, grid->columns.data[c].name), -1) + 2;
  char buffer[WP_FORMAT_MAX];

  for (guint32 i = 0; i < MIN (grid->n_rows, SAMPLED_ROWS); i++)
    chars = MAX (chars, g_utf8_strlen (wp_grid_shown (grid, c, i, buffer), -1));
  return (int) CLAMP (chars, MIN_CHARS, MAX_CHARS) * 8 + 24;
}

static void
add_column (WpGridTable *self, guint32 c)
{
  const WpGrid *grid = grid_of (self);
  GtkListItemFactory *factory = gtk_signal_list_item_factory_new ();
  GtkColumnViewColumn *column = gtk_column_view_column_new (wp_strings_get (grid->strings, grid->columns.data[c].name), factory);
  g_autoptr (GtkSorter) sorter = GTK_SORTER (gtk_custom_sorter_new (probe, column, NULL));

  g_object_set_data (G_OBJECT (column), "table", self);
  g_object_set_data (G_OBJECT (column), "number", GUINT_TO_POINTER (c));
  g_object_set_data (G_OBJECT (column), "numeric", GINT_TO_POINTER (grid->columns.data[c].numbers != NULL));
  g_object_set_data (G_OBJECT (column), "share", GINT_TO_POINTER (grid->columns.data[c].shown == WP_GRID_SHARE));
  g_signal_connect (factory, "setup", G_CALLBACK (setup_cell), column);
  g_signal_connect (factory, "bind", G_CALLBACK (on_bind), column);
  g_signal_connect (factory, "unbind", G_CALLBACK (on_unbind), column);
  gtk_column_view_column_set_sorter (column, sorter);
  gtk_column_view_column_set_resizable (column, TRUE);
  gtk_column_view_column_set_fixed_width (column, c == self->wide ? self->least : column_width (grid, c));
  gtk_column_view_column_set_expand (column, c == self->wide);
  gtk_column_view_append_column (self->table, column);
  if (grid->columns.data[c].numbers != NULL)
    wp_column_title_at_end (self->table);
  g_object_unref (column);
}

static void
build_columns (WpGridTable *self)
{
  GListModel *columns = gtk_column_view_get_columns (self->table);

  while (g_list_model_get_n_items (columns) > 0)
    {
      g_autoptr (GtkColumnViewColumn) column = g_list_model_get_item (columns, 0);

      gtk_column_view_remove_column (self->table, column);
    }
  for (guint32 c = 0; c < grid_of (self)->columns.len; c++)
    add_column (self, c);
}

/* The same columns as before stay, with their widths and whatever the user sorts by. */
static gboolean
has_columns (const WpGrid *grid, const WpGrid *other)
{
  gboolean same = grid != NULL && grid->columns.len == other->columns.len;

  for (guint32 c = 0; same && c < grid->columns.len; c++)
    same = (grid->columns.data[c].numbers != NULL) == (other->columns.data[c].numbers != NULL)
           && g_str_equal (wp_strings_get (grid->strings, grid->columns.data[c].name), wp_strings_get (other->strings, other->columns.data[c].name));
  return same;
}

/* --- from outside --- */

void
wp_grid_table_set_grid (WpGridTable *self, WpShared *grid)
{
  g_autoptr (WpShared) before = g_steal_pointer (&self->grid);

  wp_worker_drop (&self->ordering);
  wp_grid_list_set (self->list, NULL, 0);
  self->grid = wp_shared_ref (grid);
  if (grid == NULL)
    return;
  if (!has_columns (wp_shared_get (before), grid_of (self)))
    build_columns (self);
  order (self);
}

void
wp_grid_table_update (WpGridTable *self, WpShared *grid)
{
  GHashTableIter iter;
  gpointer item, column;

  if (grid == self->grid)
    return;
  if (self->grid == NULL || !has_columns (grid_of (self), wp_shared_get (grid)))
    {
      wp_grid_table_set_grid (self, grid);
      return;
    }
  wp_shared_unref (self->grid);
  self->grid = wp_shared_ref (grid);
  g_hash_table_iter_init (&iter, self->bound);
  while (g_hash_table_iter_next (&iter, &item, &column))
    bind_cell (NULL, item, column);
  order (self);
}

void
wp_grid_table_sort (WpGridTable *self, guint32 column)
{
  g_autoptr (GtkColumnViewColumn) wanted = g_list_model_get_item (gtk_column_view_get_columns (self->table), column);

  gtk_column_view_sort_by_column (self->table, wanted, GTK_SORT_DESCENDING);
}

void
wp_grid_table_widen (WpGridTable *self, guint32 column, int least)
{
  self->wide = column;
  self->least = least;
}

void
wp_grid_table_select (WpGridTable *self, guint row)
{
  guint32 n;
  const guint32 *order = wp_grid_list_order (self->list, &n);
  guint at = 0;

  while (at < n && order[at] != row)
    at++;
  if (at == gtk_single_selection_get_selected (self->selection))
    return;
  gtk_single_selection_set_selected (self->selection, at < n ? at : GTK_INVALID_LIST_POSITION);
  if (at < n)
    gtk_widget_activate_action (gtk_widget_get_last_child (GTK_WIDGET (self->table)), "list.scroll-to-item", "u", at);
}

WpShared *
wp_grid_table_shown (WpGridTable *self, guint32 **order, guint32 *n)
{
  const guint32 *rows = wp_grid_list_order (self->list, n);

  *order = g_memdup2 (rows, (gsize) *n * sizeof **order);
  return self->grid;
}

/* Each cell on a line of its own, so that none is too long to be read. */
char *
wp_grid_table_describe (WpGridTable *self, guint row)
{
  const WpGrid *grid = grid_of (self);
  GString *text;

  if (grid == NULL || row >= grid->n_rows)
    return NULL;
  text = g_string_new (NULL);
  if (grid->details != NULL)
    g_string_append (text, wp_strings_get (grid->strings, grid->details[row]));
  for (guint32 c = 0; c < grid->columns.len && grid->details == NULL; c++)
    if (grid->columns.data[c].texts[row] != 0)
      g_string_append_printf (text, "%s%s: %s", text->len > 0 ? "\n" : "", wp_strings_get (grid->strings, grid->columns.data[c].name),
                              wp_grid_text (grid, c, row));
  return g_string_free (text, FALSE);
}

static void
on_selected (GtkSingleSelection *selection, GParamSpec *pspec, WpGridTable *self)
{
  WpGridRow *row = gtk_single_selection_get_selected_item (selection);

  g_signal_emit (self, signals[SIGNAL_ROW_SELECTED], 0, row != NULL ? wp_grid_row_number (row) : G_MAXUINT32);
}

void
wp_grid_table_hide_bar (WpGridTable *self)
{
  gtk_widget_set_visible (gtk_widget_get_parent (GTK_WIDGET (self->filter)), FALSE);
}

gboolean
wp_grid_table_is_empty (WpGridTable *self)
{
  return self->grid == NULL;
}

static void
on_activated (GtkColumnView *table, guint position, WpGridTable *self)
{
  guint32 n;

  g_signal_emit (self, signals[SIGNAL_ROW_ACTIVATED], 0, wp_grid_list_order (self->list, &n)[position]);
}

void
wp_grid_table_add (WpGridTable *self, GtkWidget *widget)
{
  GtkWidget *filter = GTK_WIDGET (self->filter);

  gtk_box_insert_child_after (GTK_BOX (gtk_widget_get_parent (filter)), widget, filter);
}

static void
wp_grid_table_dispose (GObject *object)
{
  WpGridTable *self = WP_GRID_TABLE (object);

  g_clear_pointer (&self->grid, wp_shared_unref); /* columns that go ask for another order, which is none now */
  wp_worker_drop (&self->ordering);
  g_clear_handle_id (&self->filter_source, g_source_remove);
  G_OBJECT_CLASS (wp_grid_table_parent_class)->dispose (object);
}

static void
wp_grid_table_finalize (GObject *object)
{
  WpGridTable *self = WP_GRID_TABLE (object);

  g_clear_object (&self->list);
  g_hash_table_unref (self->bound);
  G_OBJECT_CLASS (wp_grid_table_parent_class)->finalize (object);
}

static void
wp_grid_table_class_init (WpGridTableClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = wp_grid_table_dispose;
  G_OBJECT_CLASS (klass)->finalize = wp_grid_table_finalize;
  signals[SIGNAL_ROW_SELECTED]
    = g_signal_new ("row-selected", WP_TYPE_GRID_TABLE, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1, G_TYPE_UINT);
  signals[SIGNAL_ROW_ACTIVATED]
    = g_signal_new ("row-activated", WP_TYPE_GRID_TABLE, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1, G_TYPE_UINT);
}

static GtkWidget *
build_bar (WpGridTable *self)
{
  GtkWidget *bar = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 12);

  self->filter = GTK_SEARCH_ENTRY (gtk_search_entry_new ());
  g_object_set (self->filter, "placeholder-text", _ ("Filter"), "width-chars", 28, NULL);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->filter), GTK_ACCESSIBLE_PROPERTY_LABEL, _ ("Filter rows"), -1);
  g_signal_connect_object (self->filter, "changed", G_CALLBACK (on_filter_changed), self, 0);
  self->count = GTK_LABEL (gtk_label_new (NULL));
  gtk_widget_add_css_class (GTK_WIDGET (self->count), "dim-label");
  gtk_widget_set_hexpand (GTK_WIDGET (self->count), TRUE);
  gtk_label_set_xalign (self->count, 1);
  gtk_widget_add_css_class (bar, "toolbar");
  gtk_box_append (GTK_BOX (bar), GTK_WIDGET (self->filter));
  gtk_box_append (GTK_BOX (bar), GTK_WIDGET (self->count));
  return bar;
}

static void
wp_grid_table_init (WpGridTable *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);

  self->list = wp_grid_list_new ();
  self->bound = g_hash_table_new (wp_hash_pointer, NULL);
  self->selection = gtk_single_selection_new (NULL);
  gtk_single_selection_set_autoselect (self->selection, FALSE);
  gtk_single_selection_set_can_unselect (self->selection, TRUE);
  gtk_single_selection_set_model (self->selection, G_LIST_MODEL (self->list));
  g_signal_connect_object (self->selection, "notify::selected-item", G_CALLBACK (on_selected), self, 0);
  self->table = GTK_COLUMN_VIEW (gtk_column_view_new (GTK_SELECTION_MODEL (self->selection)));
  self->wide = G_MAXUINT32;
  g_signal_connect_object (self->table, "activate", G_CALLBACK (on_activated), self, 0);
  gtk_column_view_set_show_row_separators (self->table, TRUE);
  gtk_widget_add_css_class (GTK_WIDGET (self->table), "data-table");
  self->scrolled = GTK_SCROLLED_WINDOW (gtk_scrolled_window_new ());
  gtk_scrolled_window_set_child (self->scrolled, GTK_WIDGET (self->table));
  gtk_widget_set_vexpand (GTK_WIDGET (self->scrolled), TRUE);
  gtk_widget_add_css_class (GTK_WIDGET (self->scrolled), "wide");
  gtk_box_append (GTK_BOX (box), build_bar (self));
  gtk_box_append (GTK_BOX (box), GTK_WIDGET (self->scrolled));
  adw_bin_set_child (ADW_BIN (self), box);
  g_signal_connect_object (gtk_column_view_get_sorter (self->table), "changed", G_CALLBACK (on_sorter_changed), self, 0);
}

GtkWidget *
wp_grid_table_new (const char *name)
{
  WpGridTable *self = g_object_new (WP_TYPE_GRID_TABLE, NULL);

  gtk_accessible_update_property (GTK_ACCESSIBLE (self->table), GTK_ACCESSIBLE_PROPERTY_LABEL, name, -1);
  return GTK_WIDGET (self);
}
