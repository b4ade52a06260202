#include "workspace/history/history-model.h"

#include <glib/gi18n.h>
#include <math.h>

#include "workspace/history/history-chart.h"
#include "workspace/history/history-columns.h"
#include "workspace/worker.h"

/* A point as it stays while more becomes known. */
typedef struct
{
  guint32 line, commit;
} Pick;

struct _WpHistoryModel
{
  GObject parent_instance;

  WpStoreSession *session;
  WpShared *history;         /* WpHistory; NULL: not yet */
  WpHistoryColumns *columns;
  WpFigure figure;           /* that was chosen */
  guint32 line;
  WpHistoryPoints points;    /* of them, as far as they are known */
  Pick picked[2];
  guint n_picked, left;
  guint unreadable;          /* profiles that could not be read */
  char *problem;             /* of the first of these */
  char *failure;             /* why there is no history */
  WpWorker *gathering, *reading, *unpacking;
};

enum
{
  SIGNAL_GATHERED,
  SIGNAL_CHANGED,
  SIGNAL_FAILED,
  SIGNAL_UNPACKED,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (WpHistoryModel, wp_history_model, G_TYPE_OBJECT)

const WpHistory *
wp_history_model_history (WpHistoryModel *self)
{
  return wp_shared_get (self->history);
}

static void
changed (WpHistoryModel *self)
{
  g_signal_emit (self, signals[SIGNAL_CHANGED], 0);
}

/* --- reading --------------------------------------------------------------------------------------------------------------- */

/* A name is asked for, and there is none yet. */
static gboolean
lacks_name (WpHistoryModel *self)
{
  return self->figure.of != NULL && *self->figure.of == '\0';
}

static void read_next (WpHistoryModel *self);

static void
on_read (gpointer result, const GError *error, gpointer data)
{
  WpHistoryModel *self = data;
  WpHistoryValues *values = result;

  self->reading = NULL;
  if (values == NULL)
    return;
  wp_history_columns_take (self->columns, values);
  self->unreadable += values->failed;
  if (self->problem == NULL)
    self->problem = g_steal_pointer (&values->problem);
  wp_history_values_free (values);
  read_next (self);
}

/* A handful at a time; what is known by then is shown. */
static void
read_next (WpHistoryModel *self)
{
  WpHistoryReading *reading = NULL;

  wp_worker_drop (&self->reading);
  self->left = 0;
  if (!lacks_name (self))
    reading = wp_history_columns_next (self->columns, self->session, &self->figure, self->line, &self->left);
  if (reading != NULL)
    self->reading = wp_worker_start (&(WpWorkerSpec) { .run = wp_history_read_some, .done = on_read, .data = reading,
                                                       .free_data = wp_history_reading_free, .free_result = wp_history_values_free,
                                                       .user_data = self });
  wp_history_points (wp_shared_get (self->history), wp_history_columns_values (self->columns, &self->figure), self->line, &self->points);
  wp_history_points_of_one_unit (&self->points);
  changed (self);
}

void
wp_history_model_choose (WpHistoryModel *self, const WpFigure *figure, guint32 line)
{
  char *of = g_strdup (figure->of);

  g_free (self->figure.of);
  self->figure = *figure;
  self->figure.of = of;
  self->line = line;
  if (self->columns != NULL)
    read_next (self);
}

static void
on_gathered (gpointer result, const GError *error, gpointer data)
{
  WpHistoryModel *self = data;
  WpHistoryGathered *gathered = result;

  self->gathering = NULL;
  if (gathered == NULL)
    self->failure = g_strdup (error->message);
  else
    {
      self->session = wp_store_session_ref (gathered->session);
      self->history = wp_shared_ref (gathered->history);
      self->columns = wp_history_columns_new (self->history);
      wp_history_gathered_free (gathered);
      read_next (self);
    }
  g_signal_emit (self, signals[SIGNAL_GATHERED], 0);
  changed (self);
}

gboolean
wp_history_model_is_gathering (WpHistoryModel *self)
{
  return self->gathering != NULL;
}

/* --- what is shown --------------------------------------------------------------------------------------------------------- */

const WpHistoryPoints *
wp_history_model_points (WpHistoryModel *self)
{
  return &self->points;
}

guint
wp_history_model_left (WpHistoryModel *self)
{
  return self->left;
}

const char *
wp_history_model_problem (WpHistoryModel *self)
{
  return self->problem;
}

typedef struct
{
  const char *icon, *title, *text;
} Message;

static Message
message_of (WpHistoryModel *self)
{
  const WpHistory *history = wp_shared_get (self->history);

  if (self->failure != NULL)
    return (Message) { "dialog-error-symbolic", _("Cannot Show the History"), self->failure };
  if (history == NULL)
    return (Message) { NULL, _("Looking Through the Commits"), "" };
  if (history->profiles.len == 0)
    return (Message) { "wakepath-history-symbolic", _("No Profiles Yet"),
                       _("No commit of this branch has a profile. Register some, or profile a range of commits.") };
  if (lacks_name (self))
    return (Message) { "edit-find-symbolic", _("Which One?"), _("Type the name of a function or field.") };
  if (self->points.points.len > 0)
    return (Message) { 0 };
  if (self->left > 0)
    return (Message) { NULL, _("Reading Profiles"), "" };
  return (Message) { "dialog-information-symbolic", _("No Such Figure"), _("None of these profiles has it.") };
}

gboolean
wp_history_model_message (WpHistoryModel *self, const char **icon, const char **title, const char **text)
{
  Message message = message_of (self);

  *icon = message.icon;
  *title = message.title;
  *text = message.text;
  return message.title != NULL;
}

WpChart *
wp_history_model_chart (WpHistoryModel *self)
{
  guint32 rows[2];

  wp_history_model_picked (self, rows);
  return wp_history_chart (wp_shared_get (self->history), &self->figure, &self->points, rows);
}

char *
wp_history_model_foot (WpHistoryModel *self)
{
  const WpHistory *history = wp_shared_get (self->history);
  GString *text = g_string_new (NULL);
  guint damaged = (history != NULL ? history->unreadable : 0) + self->unreadable;

  if (self->left > 0)
    g_string_append_printf (text, ngettext ("Reading: %u profile is left", "Reading: %u profiles are left", self->left), self->left);
  else
    g_string_append (text, _("Click a point to see its commit, another one with Shift to compare the two"));
  if (self->points.other_units > 0)
    g_string_append_printf (text, ngettext (" · %u profile of another unit is left out", " · %u profiles of another unit are left out",
                                            self->points.other_units), self->points.other_units);
  if (damaged > 0)
    g_string_append_printf (text, ngettext (" · %u profile cannot be read", " · %u profiles cannot be read", damaged), damaged);
  return g_string_free (text, FALSE);
}

char *
wp_history_model_text (WpHistoryModel *self, WpHistoryFormat format)
{
  GString *text = g_string_new (NULL);

  wp_history_write (text, wp_shared_get (self->history), &self->figure, &self->points,
                    wp_history_columns_values (self->columns, &self->figure), format);
  return g_string_free (text, FALSE);
}

/* --- points ---------------------------------------------------------------------------------------------------------------- */

static guint32
row_of (WpHistoryModel *self, const Pick *pick)
{
  for (guint32 p = 0; p < self->points.points.len; p++)
    if (self->points.points.data[p].line == pick->line && self->points.points.data[p].commit == pick->commit)
      return p;
  return G_MAXUINT32;
}

void
wp_history_model_picked (WpHistoryModel *self, guint32 rows[2])
{
  guint first = self->n_picked == 2 && self->picked[1].commit < self->picked[0].commit;

  rows[0] = self->n_picked > 0 ? row_of (self, &self->picked[first]) : G_MAXUINT32;
  rows[1] = self->n_picked > 1 ? row_of (self, &self->picked[!first]) : G_MAXUINT32;
}

const char *
wp_history_model_pick (WpHistoryModel *self, guint32 point, gboolean too)
{
  const WpHistory *history = wp_shared_get (self->history);
  Pick pick;

  if (point >= self->points.points.len)
    return NULL;
  pick = (Pick) { self->points.points.data[point].line, self->points.points.data[point].commit };
  if (!too || self->n_picked == 0)
    self->n_picked = 0;
  else if (pick.line != self->picked[0].line || pick.commit != self->picked[0].commit)
    self->n_picked = 1;
  else
    return NULL;
  self->picked[self->n_picked++] = pick;
  changed (self);
  return history->commits.data[pick.commit].hash;
}

static WpHistoryWish *
wish_new (WpHistoryModel *self)
{
  WpHistoryWish *wish = g_new0 (WpHistoryWish, 1);

  wish->session = wp_store_session_ref (self->session);
  wish->history = wp_shared_ref (self->history);
  for (guint side = 0; side < 2; side++)
    wish->profiles[side] = g_array_new (FALSE, FALSE, sizeof (guint32));
  return wish;
}

static void
on_unpacked (gpointer result, const GError *error, gpointer data)
{
  WpHistoryModel *self = data;

  self->unpacking = NULL;
  if (result != NULL)
    g_signal_emit (self, signals[SIGNAL_UNPACKED], 0, result);
  else
    g_signal_emit (self, signals[SIGNAL_FAILED], 0, error->message);
  g_clear_pointer (&result, wp_history_files_free);
  changed (self);
}

static void
unpack (WpHistoryModel *self, WpHistoryWish *wish)
{
  wp_worker_drop (&self->unpacking);
  self->unpacking = wp_worker_start (&(WpWorkerSpec) { .run = wp_history_unpack, .done = on_unpacked, .data = wish,
                                                       .free_data = wp_history_wish_free, .free_result = wp_history_files_free,
                                                       .user_data = self });
  changed (self);
}

gboolean
wp_history_model_is_unpacking (WpHistoryModel *self)
{
  return self->unpacking != NULL;
}

static guint32
typical (WpHistoryModel *self, const WpHistoryPoint *point)
{
  const WpFigureValue *values = wp_history_columns_values (self->columns, &self->figure);
  guint32 best = point->first;
  double least = INFINITY;

  for (guint32 i = point->first; i < point->first + point->n; i++)
    if (fabs (values[i].value - point->median) < least)
      {
        least = fabs (values[i].value - point->median);
        best = i;
      }
  return best;
}

void
wp_history_model_open (WpHistoryModel *self, guint32 point)
{
  WpHistoryWish *wish;
  guint32 profile;

  if (point >= self->points.points.len)
    return;
  wish = wish_new (self);
  profile = typical (self, &self->points.points.data[point]);
  g_array_append_val (wish->profiles[0], profile);
  unpack (self, wish);
}

void
wp_history_model_open_picked (WpHistoryModel *self)
{
  guint32 rows[2];

  wp_history_model_picked (self, rows);
  wp_history_model_open (self, rows[1] != G_MAXUINT32 ? rows[1] : rows[0]);
}

void
wp_history_model_compare_picked (WpHistoryModel *self)
{
  WpHistoryWish *wish = wish_new (self);
  guint32 rows[2];

  wp_history_model_picked (self, rows);
  for (guint side = 0; side < 2; side++)
    for (guint32 i = 0; rows[side] != G_MAXUINT32 && i < self->points.points.data[rows[side]].n; i++)
      {
        guint32 profile = self->points.points.data[rows[side]].first + i;

        g_array_append_val (wish->profiles[side], profile);
      }
  unpack (self, wish);
}

/* --- the object -------------------------------------------------------------------------------------------------------------- */

static void
wp_history_model_dispose (GObject *object)
{
  WpHistoryModel *self = WP_HISTORY_MODEL (object);

  wp_worker_drop (&self->gathering);
  wp_worker_drop (&self->reading);
  wp_worker_drop (&self->unpacking);
  G_OBJECT_CLASS (wp_history_model_parent_class)->dispose (object);
}

static void
wp_history_model_finalize (GObject *object)
{
  WpHistoryModel *self = WP_HISTORY_MODEL (object);

  wp_history_columns_free (self->columns);
  wp_history_points_clear (&self->points);
  wp_shared_unref (self->history);
  wp_store_session_unref (self->session);
  g_free (self->figure.of);
  g_free (self->problem);
  g_free (self->failure);
  G_OBJECT_CLASS (wp_history_model_parent_class)->finalize (object);
}

static guint
add_signal (const char *name, GType parameter)
{
  return g_signal_new (name, WP_TYPE_HISTORY_MODEL, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, parameter != G_TYPE_NONE,
                       parameter);
}

static void
wp_history_model_class_init (WpHistoryModelClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = wp_history_model_dispose;
  G_OBJECT_CLASS (klass)->finalize = wp_history_model_finalize;
  signals[SIGNAL_GATHERED] = add_signal ("gathered", G_TYPE_NONE);
  signals[SIGNAL_CHANGED] = add_signal ("changed", G_TYPE_NONE);
  signals[SIGNAL_FAILED] = add_signal ("failed", G_TYPE_STRING);
  signals[SIGNAL_UNPACKED] = add_signal ("unpacked", G_TYPE_POINTER);
}

static void
wp_history_model_init (WpHistoryModel *self)
{
  self->line = WP_HISTORY_ALL;
}

WpHistoryModel *
wp_history_model_new (const char *folder, const char *branch)
{
  WpHistoryModel *self = g_object_new (WP_TYPE_HISTORY_MODEL, NULL);
  WpHistoryRequest *request = g_new0 (WpHistoryRequest, 1);

  request->folder = g_strdup (folder);
  request->branch = g_strdup (branch);
  self->gathering = wp_worker_start (&(WpWorkerSpec) { .run = wp_history_gather, .done = on_gathered, .data = request,
                                                       .free_data = wp_history_request_free, .free_result = wp_history_gathered_free,
                                                       .user_data = self });
  return self;
}
