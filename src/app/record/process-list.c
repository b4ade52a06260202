#include "app/record/process-list.h"

#include <glib/gi18n.h>

#include "app/widgets/column-titles.h"
#include "base/sort.h"

#define SOON_MS 300 /* what is shown of a first reading is shares of whole lives */
#define OFTEN_MS 2000
#define TOOLTIP_CHARS 1000

struct _WpProcessList
{
  AdwBin parent_instance;

  GtkSearchEntry *search;
  GtkStack *stack; /* "list", "none" */
  GtkColumnView *table;
  GtkLabel *count;
  GtkButton *unit_button;

  WpProcessModel *model;
  GtkSelectionModel *selection;
  gboolean one;      /* process can be chosen */
  char *recalled;    /* words to be recalled when the list is there; or NULL */
  guint source;      /* when it is read again */
  guint leaving;     /* source: the pointer has left */
  gboolean read;     /* it has been, at least once */
  gboolean complete; /* the column that comes later is there */
};

enum
{
  SIGNAL_CHOSEN,
  SIGNAL_ACTIVATED,
  SIGNAL_CANCELLED,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (WpProcessList, wp_process_list, ADW_TYPE_BIN)

/* --- columns ------------------------------------------------------------------------------------------------------ */

static char *
name_text (const WpProcess *process)
{
  return g_strdup (process->stat.name);
}

static char *
pid_text (const WpProcess *process)
{
  return g_strdup_printf ("%d", process->pid);
}

static char *
user_text (const WpProcess *process)
{
  return g_strdup (process->user);
}

static char *
share_text (const WpProcess *process)
{
  return g_strdup_printf ("%.1f %%", process->share * 100);
}

static char *
unit_text (const WpProcess *process)
{
  return g_strdup (process->unit);
}

static char *
command_text (const WpProcess *process)
{
  return g_strdup (process->command);
}

typedef struct
{
  WpProcessColumn column;
  const char *title;
  char *(*text) (const WpProcess *process);
  int width; /* pixels; 0: what room is left */
  gboolean number, also_for_one;
  gboolean later; /* it comes when some row has something in it */
} Column;

static const Column columns[] = {
  { WP_PROCESS_NAME, N_ ("Name"), name_text, 120, .also_for_one = TRUE },
  { WP_PROCESS_PID, N_ ("PID"), pid_text, 72, .number = TRUE, .also_for_one = TRUE },
  { WP_PROCESS_SHARE, N_ ("CPU"), share_text, 76, .number = TRUE, .also_for_one = TRUE },
  { WP_PROCESS_USER, N_ ("User"), user_text, 80 },
  { WP_PROCESS_UNIT, N_ ("Unit"), unit_text, 116, .later = TRUE },
  { WP_PROCESS_COMMAND, N_ ("Command"), command_text, 0, .also_for_one = TRUE },
};

static const Column *
column_of (gpointer of)
{
  return g_object_get_data (of, "column");
}

static void
show_cell (GtkWidget *label, WpProcessRow *row)
{
  const Column *column = column_of (label);
  g_autofree char *text = column->text (wp_process_row_get (row));
  g_autofree char *tooltip = g_utf8_substring (text, 0, MIN (g_utf8_strlen (text, -1), TOOLTIP_CHARS));
  gboolean ended = wp_process_row_has_ended (row);

  if (!ended && !gtk_widget_has_css_class (label, "dim-label") && g_str_equal (gtk_label_get_text (GTK_LABEL (label)), text))
    return; /* as nearly always: whoever listens to the labels need not hear of it */
  /* Translators: a process, in place of its share of a CPU */
  gtk_label_set_text (GTK_LABEL (label), ended && column->column == WP_PROCESS_SHARE ? _("ended") : text);
  gtk_widget_set_tooltip_text (label, column->width == 0 || column->column == WP_PROCESS_UNIT ? tooltip : NULL);
  if (ended)
    gtk_widget_add_css_class (label, "dim-label");
  else
    gtk_widget_remove_css_class (label, "dim-label");
}

static void
on_row_changed (WpProcessRow *row, GtkWidget *label)
{
  show_cell (label, row);
}

static void
on_setup (GtkSignalListItemFactory *factory, GtkListItem *item)
{
  const Column *column = column_of (factory);
  GtkWidget *label = gtk_label_new (NULL);

  g_object_set_data (G_OBJECT (label), "column", (gpointer) column);
  gtk_label_set_xalign (GTK_LABEL (label), column->number ? 1 : 0);
  gtk_label_set_ellipsize (GTK_LABEL (label), column->number ? PANGO_ELLIPSIZE_NONE : PANGO_ELLIPSIZE_END);
  gtk_label_set_single_line_mode (GTK_LABEL (label), TRUE);
  if (column->number)
    gtk_widget_add_css_class (label, "numeric");
  gtk_list_item_set_child (item, label);
}

static void
on_bind (GtkSignalListItemFactory *factory, GtkListItem *item)
{
  WpProcessRow *row = gtk_list_item_get_item (item);
  GtkWidget *label = gtk_list_item_get_child (item);

  show_cell (label, row);
  g_signal_connect_object (row, "changed", G_CALLBACK (on_row_changed), label, 0);
}

static void
on_unbind (GtkSignalListItemFactory *factory, GtkListItem *item)
{
  g_signal_handlers_disconnect_by_func (gtk_list_item_get_item (item), on_row_changed, gtk_list_item_get_child (item));
}

static int
compare_by_column (gconstpointer a, gconstpointer b, gpointer data)
{
  const Column *column = data;

  return wp_process_compare (column->column, wp_process_row_get ((WpProcessRow *) a), wp_process_row_get ((WpProcessRow *) b));
}

static int
compare_as_table (gconstpointer a, gconstpointer b, gpointer table)
{
  return gtk_sorter_compare (gtk_column_view_get_sorter (table), (gpointer) a, (gpointer) b);
}

static void
on_sorter_changed (GtkSorter *sorter, GtkSorterChange change, WpProcessList *self)
{
  if (self->model != NULL) /* columns that go tell, too */
    wp_process_model_set_order (self->model, compare_as_table, self->table);
}

static void
add_column (WpProcessList *self, guint at)
{
  const Column *given = &columns[at];
  guint before = MIN (at, g_list_model_get_n_items (gtk_column_view_get_columns (self->table)));
  GtkListItemFactory *factory = gtk_signal_list_item_factory_new ();
  g_autoptr (GtkColumnViewColumn) column = gtk_column_view_column_new (_(given->title), factory);
  g_autoptr (GtkSorter) sorter = GTK_SORTER (gtk_custom_sorter_new (compare_by_column, (gpointer) given, NULL));

  g_object_set_data (G_OBJECT (factory), "column", (gpointer) given);
  g_signal_connect (factory, "setup", G_CALLBACK (on_setup), NULL);
  g_signal_connect (factory, "bind", G_CALLBACK (on_bind), NULL);
  g_signal_connect (factory, "unbind", G_CALLBACK (on_unbind), NULL);
  gtk_column_view_column_set_sorter (column, sorter);
  gtk_column_view_column_set_resizable (column, TRUE);
  gtk_column_view_column_set_expand (column, given->width == 0);
  if (given->width != 0)
    gtk_column_view_column_set_fixed_width (column, given->width);
  gtk_column_view_insert_column (self->table, before, column);
  if (given->number)
    wp_column_title_at_end (self->table);
  if (given->column == WP_PROCESS_SHARE)
    gtk_column_view_sort_by_column (self->table, column, GTK_SORT_DESCENDING);
}

/* --- what is chosen ----------------------------------------------------------------------------------------------- */

static int
compare_ages (gconstpointer a, gconstpointer b)
{
  const WpProcess *x = wp_process_row_get (*(WpProcessRow *const *) a), *y = wp_process_row_get (*(WpProcessRow *const *) b);

  return x->stat.started != y->stat.started ? WP_COMPARE (x->stat.started, y->stat.started) : WP_COMPARE (x->pid, y->pid);
}

GPtrArray *
wp_process_list_chosen (WpProcessList *self)
{
  GPtrArray *rows = g_ptr_array_new_with_free_func (g_object_unref);
  g_autoptr (GtkBitset) selected = gtk_selection_model_get_selection (self->selection);
  GtkBitsetIter iter;
  guint at;

  for (gboolean more = gtk_bitset_iter_init_first (&iter, selected, &at); more; more = gtk_bitset_iter_next (&iter, &at))
    g_ptr_array_add (rows, g_list_model_get_item (G_LIST_MODEL (self->selection), at));
  g_ptr_array_sort (rows, compare_ages);
  return rows;
}

char *
wp_process_list_words (WpProcessList *self)
{
  g_autoptr (GPtrArray) chosen = wp_process_list_chosen (self);

  return chosen->len > 0 ? wp_process_model_remember (self->model, chosen) : g_strdup ("");
}

static guint
n_rows (WpProcessList *self)
{
  return g_list_model_get_n_items (G_LIST_MODEL (self->model));
}

static gboolean
contains (const gint32 *pids, gint32 pid)
{
  while (*pids != 0 && *pids != pid)
    pids++;
  return *pids != 0;
}

/* Chooses these, and comes to the first of them. */
static void
choose_pids (WpProcessList *self, const gint32 *pids)
{
  guint first = G_MAXUINT;

  gtk_selection_model_unselect_all (self->selection);
  for (guint i = 0; i < n_rows (self); i++)
    {
      g_autoptr (WpProcessRow) row = g_list_model_get_item (G_LIST_MODEL (self->model), i);

      if (wp_process_row_has_ended (row) || !contains (pids, wp_process_row_get (row)->pid))
        continue;
      gtk_selection_model_select_item (self->selection, i, FALSE);
      first = MIN (first, i);
    }
  if (first != G_MAXUINT)
    gtk_widget_activate_action (gtk_widget_get_last_child (GTK_WIDGET (self->table)), "list.scroll-to-item", "u", first);
}

static gint32 *
pids_of_unit (WpProcessList *self, GPtrArray *chosen)
{
  const char *unit = chosen->len > 0 ? wp_process_row_get (chosen->pdata[0])->unit : "";

  return *unit != '\0' ? wp_process_model_recall (self->model, unit) : NULL;
}

/* Offered where there is more of the unit than is chosen. */
static void
show_unit (WpProcessList *self, GPtrArray *chosen)
{
  g_autofree gint32 *pids = self->one ? NULL : pids_of_unit (self, chosen);
  guint more = 0;

  for (guint i = 0; pids != NULL && pids[i] != 0; i++)
    more++;
  for (guint i = 0; i < chosen->len; i++)
    more -= pids != NULL && contains (pids, wp_process_row_get (chosen->pdata[i])->pid);
  gtk_widget_set_visible (GTK_WIDGET (self->unit_button), more > 0);
  if (more > 0)
    {
      g_autofree char *text = g_strdup_printf (_("All of %s"), wp_process_row_get (chosen->pdata[0])->unit);

      gtk_button_set_label (self->unit_button, text);
    }
}

static void
show_count (WpProcessList *self, guint chosen)
{
  guint all = wp_process_model_count (self->model);
  g_autofree char *text = NULL;

  if (chosen > 0 && !self->one)
    text = g_strdup_printf (ngettext ("%u process chosen", "%u processes chosen", chosen), chosen);
  else if (n_rows (self) < all)
    text = g_strdup_printf (_("%u of %u processes"), n_rows (self), all);
  else
    text = g_strdup_printf (ngettext ("%u process", "%u processes", all), all);
  if (wp_process_model_is_partial (self->model))
    {
      char *more = g_strdup_printf (_("%s · this system shows you only your own"), text);

      g_free (text);
      text = more;
    }
  gtk_label_set_text (self->count, self->read ? text : "");
}

static gboolean
has_text (WpProcessList *self, const Column *column)
{
  gboolean has = FALSE;

  for (guint i = 0; i < n_rows (self) && !has; i++)
    {
      g_autoptr (WpProcessRow) row = g_list_model_get_item (G_LIST_MODEL (self->model), i);
      g_autofree char *text = column->text (wp_process_row_get (row));

      has = *text != '\0';
    }
  return has;
}

/* A column that has come stays: it does not come and go while one types. */
static void
add_later_columns (WpProcessList *self)
{
  if (self->one || self->complete)
    return;
  for (guint i = 0; i < G_N_ELEMENTS (columns); i++)
    if (columns[i].later && has_text (self, &columns[i]))
      {
        add_column (self, i);
        self->complete = TRUE;
      }
}

static void
update (WpProcessList *self)
{
  g_autoptr (GPtrArray) chosen = wp_process_list_chosen (self);

  gtk_stack_set_visible_child_name (self->stack, self->read && n_rows (self) == 0 ? "none" : "list");
  show_count (self, chosen->len);
  show_unit (self, chosen);
  g_signal_emit (self, signals[SIGNAL_CHOSEN], 0);
}

static void
on_all_of_unit (GtkButton *button, WpProcessList *self)
{
  g_autoptr (GPtrArray) chosen = wp_process_list_chosen (self);
  g_autofree gint32 *pids = pids_of_unit (self, chosen);

  if (pids == NULL)
    return;
  gtk_editable_set_text (GTK_EDITABLE (self->search), wp_process_row_get (chosen->pdata[0])->unit);
  choose_pids (self, pids);
}

/* --- by keyboard and pointer -------------------------------------------------------------------------------------- */

static void
on_search (GtkEditable *search, WpProcessList *self)
{
  wp_process_model_set_words (self->model, gtk_editable_get_text (search));
}

/* From the search into the list; chosen is what was, or else the first. */
static void
enter_list (WpProcessList *self)
{
  g_autoptr (GtkBitset) selected = gtk_selection_model_get_selection (self->selection);
  guint at = gtk_bitset_is_empty (selected) ? 0 : gtk_bitset_get_minimum (selected);
  GtkWidget *rows = gtk_widget_get_last_child (GTK_WIDGET (self->table));

  if (n_rows (self) == 0)
    return;
  if (gtk_bitset_is_empty (selected))
    gtk_selection_model_select_item (self->selection, at, TRUE);
  gtk_widget_activate_action (rows, "list.scroll-to-item", "u", at);
  gtk_widget_grab_focus (rows);
}

static gboolean
on_search_key (GtkEventControllerKey *controller, guint key, guint code, GdkModifierType state, WpProcessList *self)
{
  if (key != GDK_KEY_Down && key != GDK_KEY_KP_Down)
    return GDK_EVENT_PROPAGATE;
  enter_list (self);
  return GDK_EVENT_STOP;
}

static void
on_search_activate (GtkSearchEntry *search, WpProcessList *self)
{
  g_autoptr (GtkBitset) selected = gtk_selection_model_get_selection (self->selection);

  if (gtk_bitset_is_empty (selected) && n_rows (self) != 1)
    {
      enter_list (self);
      return;
    }
  if (gtk_bitset_is_empty (selected))
    gtk_selection_model_select_item (self->selection, 0, TRUE);
  g_signal_emit (self, signals[SIGNAL_ACTIVATED], 0);
}

static void
on_stop_search (GtkSearchEntry *search, WpProcessList *self)
{
  if (*gtk_editable_get_text (GTK_EDITABLE (search)) != '\0')
    gtk_editable_set_text (GTK_EDITABLE (search), "");
  else
    g_signal_emit (self, signals[SIGNAL_CANCELLED], 0);
}

static void
on_activate (GtkColumnView *table, guint position, WpProcessList *self)
{
  if (!gtk_selection_model_is_selected (self->selection, position))
    gtk_selection_model_select_item (self->selection, position, TRUE);
  g_signal_emit (self, signals[SIGNAL_ACTIVATED], 0);
}

static void
on_enter (GtkEventControllerMotion *controller, double x, double y, WpProcessList *self)
{
  g_clear_handle_id (&self->leaving, g_source_remove);
  wp_process_model_hold (self->model, TRUE);
}

static gboolean
let_go (gpointer data)
{
  WpProcessList *self = data;

  self->leaving = 0;
  wp_process_model_hold (self->model, FALSE);
  return G_SOURCE_REMOVE;
}

/* GTK 4.8 is on its way through the widgets that the pointer leaves: the row must not go from under it. */

static void
on_leave (GtkEventControllerMotion *controller, WpProcessList *self)
{
  if (self->leaving == 0)
    self->leaving = g_idle_add (let_go, self);
}

/* --- reading ------------------------------------------------------------------------------------------------------ */

static gboolean
read_again (gpointer data)
{
  WpProcessList *self = data;

  self->source = 0;
  wp_process_model_refresh (self->model);
  return G_SOURCE_REMOVE;
}

static void
on_refreshed (WpProcessModel *model, WpProcessList *self)
{
  g_autofree char *recalled = g_steal_pointer (&self->recalled);
  g_autofree gint32 *pids = recalled != NULL ? wp_process_model_recall (model, recalled) : NULL;

  if (gtk_widget_get_mapped (GTK_WIDGET (self)) && self->source == 0)
    self->source = g_timeout_add (self->read ? OFTEN_MS : SOON_MS, read_again, self);
  self->read = TRUE;
  if (pids != NULL)
    choose_pids (self, pids);
  add_later_columns (self);
  update (self);
}

void
wp_process_list_refresh (WpProcessList *self)
{
  wp_process_model_refresh (self->model);
}

void
wp_process_list_choose (WpProcessList *self, const char *words)
{
  g_free (self->recalled);
  self->recalled = *words != '\0' ? g_strdup (words) : NULL;
}

static void
wp_process_list_map (GtkWidget *widget)
{
  GTK_WIDGET_CLASS (wp_process_list_parent_class)->map (widget);
  wp_process_model_refresh (WP_PROCESS_LIST (widget)->model);
}

static void
wp_process_list_unmap (GtkWidget *widget)
{
  WpProcessList *self = WP_PROCESS_LIST (widget);

  g_clear_handle_id (&self->source, g_source_remove);
  if (self->leaving == 0)
    self->leaving = g_idle_add (let_go, self);
  GTK_WIDGET_CLASS (wp_process_list_parent_class)->unmap (widget);
}

static gboolean
wp_process_list_grab_focus (GtkWidget *widget)
{
  return gtk_widget_grab_focus (GTK_WIDGET (WP_PROCESS_LIST (widget)->search));
}

/* --- the widget --------------------------------------------------------------------------------------------------- */

static void
wp_process_list_dispose (GObject *object)
{
  WpProcessList *self = WP_PROCESS_LIST (object);

  g_clear_handle_id (&self->source, g_source_remove);
  g_clear_handle_id (&self->leaving, g_source_remove);
  if (self->selection != NULL) /* nobody is to hear of the rows that go */
    g_signal_handlers_disconnect_by_data (self->selection, self);
  if (self->model != NULL) /* the table goes, which orders them */
    wp_process_model_set_order (self->model, NULL, NULL);
  g_clear_object (&self->selection);
  g_clear_object (&self->model);
  G_OBJECT_CLASS (wp_process_list_parent_class)->dispose (object);
}

static void
wp_process_list_finalize (GObject *object)
{
  g_free (WP_PROCESS_LIST (object)->recalled);
  G_OBJECT_CLASS (wp_process_list_parent_class)->finalize (object);
}

static void
wp_process_list_set_property (GObject *object, guint id, const GValue *value, GParamSpec *pspec)
{
  WP_PROCESS_LIST (object)->one = g_value_get_boolean (value);
}

static void
wp_process_list_constructed (GObject *object)
{
  WpProcessList *self = WP_PROCESS_LIST (object);
  GListModel *model = g_object_ref (G_LIST_MODEL (self->model));

  G_OBJECT_CLASS (wp_process_list_parent_class)->constructed (object);
  if (self->one)
    self->selection = g_object_new (GTK_TYPE_SINGLE_SELECTION, "autoselect", FALSE, "can-unselect", TRUE, NULL);
  else
    self->selection = GTK_SELECTION_MODEL (gtk_multi_selection_new (NULL));
  g_object_set (self->selection, "model", model, NULL);
  g_object_unref (model);
  gtk_column_view_set_model (self->table, self->selection);
  for (guint i = 0; i < G_N_ELEMENTS (columns); i++)
    if (!columns[i].later && (!self->one || columns[i].also_for_one))
      add_column (self, i);
  wp_process_model_set_order (self->model, compare_as_table, self->table);
  g_signal_connect_object (gtk_column_view_get_sorter (self->table), "changed", G_CALLBACK (on_sorter_changed), self, 0);
  g_signal_connect_object (self->selection, "selection-changed", G_CALLBACK (update), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->selection, "items-changed", G_CALLBACK (update), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->model, "refreshed", G_CALLBACK (on_refreshed), self, 0);
}

static void
wp_process_list_class_init (WpProcessListClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->constructed = wp_process_list_constructed;
  G_OBJECT_CLASS (klass)->set_property = wp_process_list_set_property;
  G_OBJECT_CLASS (klass)->dispose = wp_process_list_dispose;
  G_OBJECT_CLASS (klass)->finalize = wp_process_list_finalize;
  g_object_class_install_property (G_OBJECT_CLASS (klass), 1,
                                   g_param_spec_boolean ("for-one", NULL, NULL, FALSE,
                                                         G_PARAM_WRITABLE | G_PARAM_CONSTRUCT_ONLY | G_PARAM_STATIC_STRINGS));
  widget_class->map = wp_process_list_map;
  widget_class->unmap = wp_process_list_unmap;
  widget_class->grab_focus = wp_process_list_grab_focus;
  signals[SIGNAL_CHOSEN] = g_signal_new ("chosen", WP_TYPE_PROCESS_LIST, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  signals[SIGNAL_ACTIVATED] = g_signal_new ("activated", WP_TYPE_PROCESS_LIST, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  signals[SIGNAL_CANCELLED] = g_signal_new ("cancelled", WP_TYPE_PROCESS_LIST, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  gtk_widget_class_set_template_from_resource (widget_class, "/org/wakepath/Wakepath/process-list.ui");
  gtk_widget_class_bind_template_child (widget_class, WpProcessList, search);
  gtk_widget_class_bind_template_child (widget_class, WpProcessList, stack);
  gtk_widget_class_bind_template_child (widget_class, WpProcessList, table);
  gtk_widget_class_bind_template_child (widget_class, WpProcessList, count);
  gtk_widget_class_bind_template_child (widget_class, WpProcessList, unit_button);
  gtk_widget_class_bind_template_callback (widget_class, on_search);
  gtk_widget_class_bind_template_callback (widget_class, on_search_activate);
  gtk_widget_class_bind_template_callback (widget_class, on_search_key);
  gtk_widget_class_bind_template_callback (widget_class, on_stop_search);
  gtk_widget_class_bind_template_callback (widget_class, on_activate);
  gtk_widget_class_bind_template_callback (widget_class, on_all_of_unit);
  gtk_widget_class_bind_template_callback (widget_class, on_enter);
  gtk_widget_class_bind_template_callback (widget_class, on_leave);
}

static void
wp_process_list_init (WpProcessList *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  self->model = wp_process_model_new ();
}
