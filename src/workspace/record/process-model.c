/* Reading, ordering and filtering the list of processes; see process-model.h. */
#include "workspace/record/process-model.h"

#include "base/sort.h"
#include "workspace/shared.h"
#include "workspace/worker.h"

#include <string.h>

/* --- a row -------------------------------------------------------------------------------------------------------- */

struct _WpProcessRow
{
  GObject parent_instance;

  WpShared *list; /* the WpProcesses that holds it */
  const WpProcess *process;
  gboolean ended;
  gboolean listed; /* while the list is made anew: it is in it */
};

enum
{
  ROW_CHANGED,
  N_ROW_SIGNALS
};

static guint row_signals[N_ROW_SIGNALS];

G_DEFINE_FINAL_TYPE (WpProcessRow, wp_process_row, G_TYPE_OBJECT)

static void
wp_process_row_finalize (GObject *object)
{
  wp_shared_unref (WP_PROCESS_ROW (object)->list);
  G_OBJECT_CLASS (wp_process_row_parent_class)->finalize (object);
}

static void
wp_process_row_class_init (WpProcessRowClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = wp_process_row_finalize;
  row_signals[ROW_CHANGED] = g_signal_new ("changed", WP_TYPE_PROCESS_ROW, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void
wp_process_row_init (WpProcessRow *self)
{
}

const WpProcess *
wp_process_row_get (WpProcessRow *self)
{
  return self->process;
}

gboolean
wp_process_row_has_ended (WpProcessRow *self)
{
  return self->ended;
}

char *
wp_process_row_describe (WpProcessRow *self)
{
  return g_strdup_printf ("%s (%d)", self->process->stat.name, self->process->pid);
}

static void
show_process (WpProcessRow *self, WpShared *list, const WpProcess *process)
{
  g_autoptr (WpShared) before = self->list;

  self->list = wp_shared_ref (list);
  self->process = process;
  if (before != NULL)
    g_signal_emit (self, row_signals[ROW_CHANGED], 0);
}

static void
end_row (WpProcessRow *self)
{
  self->ended = TRUE;
  g_signal_emit (self, row_signals[ROW_CHANGED], 0);
}

/* --- order -------------------------------------------------------------------------------------------------------- */

#define COMPARE(column, member, comparison)                               \
  static int compare_##column (const WpProcess *a, const WpProcess *b)     \
  {                                                                        \
    return comparison (a->member, b->member);                              \
  }

COMPARE (name, stat.name, g_utf8_collate)
COMPARE (user, user, g_utf8_collate)
COMPARE (unit, unit, g_utf8_collate)
COMPARE (command, command, g_utf8_collate)
COMPARE (pid, pid, WP_COMPARE)

/* Rows that say the same do not change places. */
static int
compare_share (const WpProcess *a, const WpProcess *b)
{
  gint64 x = (gint64) (a->share * 1000 + 0.5), y = (gint64) (b->share * 1000 + 0.5);

  return WP_COMPARE (x, y);
}

static int (*const comparisons[]) (const WpProcess *a, const WpProcess *b) = {
  [WP_PROCESS_NAME] = compare_name,   [WP_PROCESS_PID] = compare_pid,   [WP_PROCESS_USER] = compare_user,
  [WP_PROCESS_SHARE] = compare_share, [WP_PROCESS_UNIT] = compare_unit, [WP_PROCESS_COMMAND] = compare_command,
};

int
wp_process_compare (WpProcessColumn column, const WpProcess *a, const WpProcess *b)
{
  int order = comparisons[column](a, b);

  return order != 0 ? order : compare_pid (a, b);
}

static int
busiest_first (gconstpointer a, gconstpointer b, gpointer unused)
{
  const WpProcess *x = ((WpProcessRow *) a)->process, *y = ((WpProcessRow *) b)->process;
  int order = compare_share (y, x);

  return order != 0 ? order : compare_pid (x, y);
}

/* --- the list ----------------------------------------------------------------------------------------------------- */

struct _WpProcessModel
{
  GObject parent_instance;

  WpShared *list;    /* WpProcesses; NULL: not read yet */
  GPtrArray *living; /* a WpProcessRow for each of them, in the same order */
  GPtrArray *shown;  /* those of them that match, in the order of the list; held also such as have ended */
  WpWorker *reading;
  char *words;
  GCompareDataFunc order;
  gpointer order_data;
  gboolean held;
};

enum
{
  SIGNAL_REFRESHED,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

static GType
process_model_item_type (GListModel *list)
{
  return WP_TYPE_PROCESS_ROW;
}

static guint
process_model_n_items (GListModel *list)
{
  return WP_PROCESS_MODEL (list)->shown->len;
}

static gpointer
process_model_item (GListModel *list, guint position)
{
  WpProcessModel *self = WP_PROCESS_MODEL (list);

  return position < self->shown->len ? g_object_ref (self->shown->pdata[position]) : NULL;
}

static void
process_model_interface (GListModelInterface *iface)
{
  iface->get_item_type = process_model_item_type;
  iface->get_n_items = process_model_n_items;
  iface->get_item = process_model_item;
}

G_DEFINE_FINAL_TYPE_WITH_CODE (WpProcessModel, wp_process_model, G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (G_TYPE_LIST_MODEL, process_model_interface))

/* Tells only of what lies between the first and the last row that is another one. */
static void
show_rows (WpProcessModel *self, GPtrArray *rows)
{
  g_autoptr (GPtrArray) before = self->shown;
  guint first = 0, last = 0;

  self->shown = rows;
  while (first < MIN (before->len, rows->len) && before->pdata[first] == rows->pdata[first])
    first++;
  while (last < MIN (before->len, rows->len) - first && before->pdata[before->len - 1 - last] == rows->pdata[rows->len - 1 - last])
    last++;
  if (before->len != rows->len || first + last < rows->len)
    g_list_model_items_changed (G_LIST_MODEL (self), first, before->len - first - last, rows->len - first - last);
}

/* In the order of the list before, where it is held: the rows that it has already. */
static GPtrArray *
rows_that_stay (WpProcessModel *self)
{
  GPtrArray *rows = g_ptr_array_new_with_free_func (g_object_unref);

  for (guint i = 0; i < self->living->len; i++)
    WP_PROCESS_ROW (self->living->pdata[i])->listed = FALSE;
  for (guint i = 0; self->held && i < self->shown->len; i++)
    {
      WpProcessRow *row = self->shown->pdata[i];

      row->listed = TRUE;
      g_ptr_array_add (rows, g_object_ref (row));
    }
  return rows;
}

static void
add_matching (WpProcessModel *self, GPtrArray *rows)
{
  for (guint i = 0; i < self->living->len; i++)
    {
      WpProcessRow *row = self->living->pdata[i];

      if (!row->listed && wp_process_matches (row->process, self->words))
        g_ptr_array_add (rows, g_object_ref (row));
    }
}

static int
compare_rows (gconstpointer a, gconstpointer b, gpointer data)
{
  WpProcessModel *self = data;

  return self->order (*(const gconstpointer *) a, *(const gconstpointer *) b, self->order_data);
}

static void
arrange (WpProcessModel *self)
{
  GPtrArray *rows = rows_that_stay (self);

  add_matching (self, rows);
  if (!self->held)
    g_ptr_array_sort_with_data (rows, compare_rows, self);
  show_rows (self, rows);
}

/* What was asked for anew is shown anew, wherever the pointer is. */
static void
arrange_anew (WpProcessModel *self)
{
  gboolean held = self->held;

  self->held = FALSE;
  arrange (self);
  self->held = held;
}

void
wp_process_model_set_words (WpProcessModel *self, const char *words)
{
  if (g_str_equal (words, self->words))
    return;
  g_free (self->words);
  self->words = g_strdup (words);
  arrange_anew (self);
}

void
wp_process_model_set_order (WpProcessModel *self, GCompareDataFunc func, gpointer data)
{
  self->order = func != NULL ? func : busiest_first;
  self->order_data = data;
  arrange_anew (self);
}

void
wp_process_model_hold (WpProcessModel *self, gboolean held)
{
  self->held = held;
  if (!held)
    arrange (self);
}

/* --- reading ------------------------------------------------------------------------------------------------------ */

static gboolean
is_same (WpProcessRow *row, const WpProcess *process)
{
  return row->process->pid == process->pid && row->process->stat.started == process->stat.started;
}

/* Both are in the order of pids. */
static GPtrArray *
take_rows (WpProcessModel *self, WpShared *list)
{
  const WpProcesses *processes = wp_shared_get (list);
  GPtrArray *rows = g_ptr_array_new_full (processes->rows.len, g_object_unref);
  guint old = 0;

  for (guint32 i = 0; i < processes->rows.len; i++)
    {
      const WpProcess *process = &processes->rows.data[i];
      WpProcessRow *row = NULL;

      for (; old < self->living->len && WP_PROCESS_ROW (self->living->pdata[old])->process->pid <= process->pid; old++)
        if (is_same (self->living->pdata[old], process))
          row = g_object_ref (self->living->pdata[old]);
        else
          end_row (self->living->pdata[old]);
      if (row == NULL)
        row = g_object_new (WP_TYPE_PROCESS_ROW, NULL);
      show_process (row, list, process);
      g_ptr_array_add (rows, row);
    }
  for (; old < self->living->len; old++)
    end_row (self->living->pdata[old]);
  return rows;
}

void
wp_process_model_take (WpProcessModel *self, WpProcesses *processes)
{
  WpShared *list = wp_shared_new (processes, (GDestroyNotify) wp_processes_free);
  GPtrArray *rows = take_rows (self, list);

  g_ptr_array_unref (self->living);
  self->living = rows;
  wp_shared_unref (self->list);
  self->list = list;
  arrange (self);
  g_signal_emit (self, signals[SIGNAL_REFRESHED], 0);
}

static gpointer
run_read (gpointer data, WpProgress *progress, GError **error)
{
  return wp_processes_read (wp_shared_get (data));
}

static void
on_read (gpointer result, const GError *error, gpointer data)
{
  WpProcessModel *self = data;

  self->reading = NULL;
  if (result != NULL)
    wp_process_model_take (self, result);
}

void
wp_process_model_refresh (WpProcessModel *self)
{
  if (self->reading == NULL)
    self->reading = wp_worker_start (&(WpWorkerSpec) { .run = run_read,
                                                       .done = on_read,
                                                       .data = wp_shared_ref (self->list),
                                                       .free_data = (GDestroyNotify) wp_shared_unref,
                                                       .free_result = (GDestroyNotify) wp_processes_free,
                                                       .user_data = self });
}

guint
wp_process_model_count (WpProcessModel *self)
{
  return self->living->len;
}

gboolean
wp_process_model_is_partial (WpProcessModel *self)
{
  const WpProcesses *processes = wp_shared_get (self->list);

  return processes != NULL && processes->partial;
}

/* --- what was chosen before --------------------------------------------------------------------------------------- */

static gboolean
is_of (const WpProcess *process, const char *unit)
{
  return g_str_equal (process->unit, unit);
}

char *
wp_process_model_remember (WpProcessModel *self, GPtrArray *rows)
{
  const WpProcess *first = WP_PROCESS_ROW (rows->pdata[0])->process;
  guint chosen = 0, all = 0;

  for (guint i = 0; i < rows->len; i++)
    chosen += is_of (WP_PROCESS_ROW (rows->pdata[i])->process, first->unit);
  for (guint i = 0; i < self->living->len; i++)
    all += is_of (WP_PROCESS_ROW (self->living->pdata[i])->process, first->unit);
  return g_strdup (*first->unit != '\0' && chosen == rows->len && chosen == all ? first->unit : first->stat.name);
}

gint32 *
wp_process_model_recall (WpProcessModel *self, const char *words)
{
  const WpProcesses *processes = wp_shared_get (self->list);
  gint32 *pids = processes != NULL ? wp_processes_find (processes, words, NULL) : NULL;

  if (pids != NULL && pids[1] != 0 && !g_str_has_suffix (words, ".service") && !g_str_has_suffix (words, ".scope"))
    g_clear_pointer (&pids, g_free);
  return pids;
}

/* --- begin and end ------------------------------------------------------------------------------------------------ */

static void
wp_process_model_dispose (GObject *object)
{
  wp_worker_drop (&WP_PROCESS_MODEL (object)->reading);
  G_OBJECT_CLASS (wp_process_model_parent_class)->dispose (object);
}

static void
wp_process_model_finalize (GObject *object)
{
  WpProcessModel *self = WP_PROCESS_MODEL (object);

  g_ptr_array_unref (self->shown);
  g_ptr_array_unref (self->living);
  wp_shared_unref (self->list);
  g_free (self->words);
  G_OBJECT_CLASS (wp_process_model_parent_class)->finalize (object);
}

static void
wp_process_model_class_init (WpProcessModelClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = wp_process_model_dispose;
  G_OBJECT_CLASS (klass)->finalize = wp_process_model_finalize;
  signals[SIGNAL_REFRESHED] = g_signal_new ("refreshed", WP_TYPE_PROCESS_MODEL, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void
wp_process_model_init (WpProcessModel *self)
{
  self->living = g_ptr_array_new_with_free_func (g_object_unref);
  self->shown = g_ptr_array_new_with_free_func (g_object_unref);
  self->words = g_strdup ("");
  self->order = busiest_first;
}

WpProcessModel *
wp_process_model_new (void)
{
  return g_object_new (WP_TYPE_PROCESS_MODEL, NULL);
}
