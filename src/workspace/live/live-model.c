#include "workspace/live/live-model.h"

#include "base/format.h"
#include "workspace/worker.h"

#define SHARE_MOST 0.05    /* of a processor */
#define SOON_US 130000     /* the helper tells of bytes every 250 ms: half of that too early is in time */
#define SECONDS_DEFAULT 5
#define FOLLOW_US (10 * G_USEC_PER_SEC) /* a flight recorder keeps 40 s */

struct _WpLiveModel
{
  GObject parent_instance;

  gboolean begun, forgets;
  WpShared *reader; /* WpLiveReader, of the worker while there is one; NULL: there is none */
  WpWorker *looking; /* or following without a look */
  gint64 looked_us, followed_us; /* when the last look began, and either */
  guint looks;
  double seconds, shown; /* of a processor: what the last look took, and what showing the one before it did */
  WpLiveReading *reading;
  char *failure;

  gboolean on;
  guint window;  /* seconds */
  gint32 chosen;
  WpDepth depth;
};

enum
{
  SIGNAL_LOOKED,
  SIGNAL_CHANGED,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (WpLiveModel, wp_live_model, G_TYPE_OBJECT)

gint64
wp_live_interval_us (double seconds)
{
  return MAX (G_USEC_PER_SEC, (gint64) (MIN (seconds, 3600) / SHARE_MOST * G_USEC_PER_SEC));
}

/* --- a look ------------------------------------------------------------------------------------------------------- */

typedef struct
{
  WpShared *reader;
  WpLiveWish wish;
} Look;

static void
look_free (gpointer data)
{
  Look *self = data;

  wp_shared_unref (self->reader);
  g_free (self);
}

static gpointer
run (gpointer data, WpProgress *progress, GError **error)
{
  const Look *look = data;

  return wp_live_reader_read (wp_shared_get (look->reader), &look->wish, progress, error);
}

/* What is read but once, as the tables of files, is not what a look takes: the first one does not count. */
static void
note_cost (WpLiveModel *self, double seconds)
{
  if (++self->looks > 1)
    self->seconds = seconds;
}

static void
on_looked (gpointer result, const GError *error, gpointer data)
{
  WpLiveModel *self = data;

  self->looking = NULL;
  g_clear_pointer (&self->failure, g_free);
  g_clear_pointer (&self->reading, wp_live_reading_free);
  self->reading = result;
  if (result != NULL)
    note_cost (self, self->reading->seconds + self->shown);
  else
    self->failure = g_strdup (error->message);
  g_signal_emit (self, signals[SIGNAL_LOOKED], 0);
}

static gpointer
run_follow (gpointer data, WpProgress *progress, GError **error)
{
  Look *look = data;

  return wp_live_reader_follow (wp_shared_get (look->reader), look->wish.whole, progress, error) ? look : NULL;
}

static void
on_followed (gpointer look, const GError *error, gpointer data)
{
  WpLiveModel *self = data;

  self->looking = NULL;
  if (error == NULL)
    return;
  self->failure = g_strdup (error->message);
  g_signal_emit (self, signals[SIGNAL_LOOKED], 0);
}

static void
start (WpLiveModel *self, guint64 whole, gboolean look)
{
  Look *data = g_new0 (Look, 1);

  data->reader = wp_shared_ref (self->reader);
  data->wish = (WpLiveWish) { .whole = whole, .ns = self->window * WP_NS_PER_S, .pid = self->chosen, .depth = self->depth };
  self->looking = wp_worker_start (&(WpWorkerSpec) { .run = look ? run : run_follow,
                                                     .done = look ? on_looked : on_followed,
                                                     .data = data,
                                                     .free_data = look_free,
                                                     .free_result = look ? wp_live_reading_free : NULL,
                                                     .user_data = self });
}

/* What is forgotten before it is followed would be missed later. Not so shortly before a look that this one would miss it. */
void
wp_live_model_grown (WpLiveModel *self, guint64 whole)
{
  gint64 now = g_get_monotonic_time (), due = self->looked_us + wp_live_interval_us (self->seconds) - SOON_US;

  if (self->reader == NULL || self->looking != NULL || self->failure != NULL)
    return;
  if (self->on && now >= due)
    {
      self->looked_us = self->followed_us = now;
      start (self, whole, TRUE);
    }
  else if (self->forgets && now >= self->followed_us + FOLLOW_US && (!self->on || now + self->window * G_USEC_PER_SEC < due))
    {
      self->followed_us = now;
      start (self, whole, FALSE);
    }
}

void
wp_live_model_spent (WpLiveModel *self, double seconds)
{
  self->shown = seconds;
}

/* --- begin and end ------------------------------------------------------------------------------------------------ */

void
wp_live_model_end (WpLiveModel *self)
{
  wp_worker_drop (&self->looking);
  g_clear_pointer (&self->reader, wp_shared_unref);
  self->begun = FALSE;
}

void
wp_live_model_clear (WpLiveModel *self)
{
  wp_live_model_end (self);
  g_clear_pointer (&self->reading, wp_live_reading_free);
  g_clear_pointer (&self->failure, g_free);
  self->looks = 0;
  self->seconds = self->shown = 0;
  self->looked_us = self->followed_us = 0;
  self->chosen = 0;
  g_signal_emit (self, signals[SIGNAL_LOOKED], 0);
}

void
wp_live_model_begin (WpLiveModel *self, int fd, const char *output, gint32 pid, gboolean forgets)
{
  g_autoptr (GError) error = NULL;
  WpLiveReader *reader;

  wp_live_model_clear (self);
  self->begun = TRUE;
  self->forgets = forgets;
  reader = wp_live_reader_new (fd, output, pid, &error);
  if (reader != NULL)
    self->reader = wp_shared_new (reader, (GDestroyNotify) wp_live_reader_free);
  else
    {
      self->failure = g_strdup (error->message);
      g_signal_emit (self, signals[SIGNAL_LOOKED], 0);
    }
}

gboolean
wp_live_model_has_begun (WpLiveModel *self)
{
  return self->begun;
}

/* --- what is chosen ----------------------------------------------------------------------------------------------- */

/* It is to be seen at once. */
static void
choice_changed (WpLiveModel *self)
{
  self->looked_us = 0;
  g_signal_emit (self, signals[SIGNAL_CHANGED], 0);
}

void
wp_live_model_set_on (WpLiveModel *self, gboolean on)
{
  if (self->on == on)
    return;
  self->on = on;
  choice_changed (self);
}

gboolean
wp_live_model_is_on (WpLiveModel *self)
{
  return self->on;
}

void
wp_live_model_set_seconds (WpLiveModel *self, guint seconds)
{
  seconds = CLAMP (seconds, 1, WP_LIVE_SECONDS_MAX);
  if (self->window == seconds)
    return;
  self->window = seconds;
  choice_changed (self);
}

void
wp_live_model_choose (WpLiveModel *self, gint32 pid)
{
  if (self->chosen == pid)
    return;
  self->chosen = pid;
  choice_changed (self);
}

void
wp_live_model_set_depth (WpLiveModel *self, WpDepth depth)
{
  if (self->depth == depth)
    return;
  self->depth = depth;
  choice_changed (self);
}

WpDepth
wp_live_model_depth (WpLiveModel *self)
{
  return self->depth;
}

/* --- what there is ------------------------------------------------------------------------------------------------ */

const WpLiveReading *
wp_live_model_reading (WpLiveModel *self)
{
  return self->reading;
}

const char *
wp_live_model_failure (WpLiveModel *self)
{
  return self->failure;
}

double
wp_live_model_interval (WpLiveModel *self)
{
  return (double) wp_live_interval_us (self->seconds) / G_USEC_PER_SEC;
}

double
wp_live_model_share (WpLiveModel *self)
{
  return self->seconds / wp_live_model_interval (self);
}

static void
wp_live_model_finalize (GObject *object)
{
  WpLiveModel *self = WP_LIVE_MODEL (object);

  wp_live_model_end (self);
  g_clear_pointer (&self->reading, wp_live_reading_free);
  g_free (self->failure);
  G_OBJECT_CLASS (wp_live_model_parent_class)->finalize (object);
}

static void
wp_live_model_class_init (WpLiveModelClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = wp_live_model_finalize;
  signals[SIGNAL_LOOKED] = g_signal_new ("looked", WP_TYPE_LIVE_MODEL, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  signals[SIGNAL_CHANGED] = g_signal_new ("changed", WP_TYPE_LIVE_MODEL, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void
wp_live_model_init (WpLiveModel *self)
{
  self->on = TRUE;
  self->window = SECONDS_DEFAULT;
  self->depth = WP_DEPTH_FUNCTIONS;
}

WpLiveModel *
wp_live_model_new (void)
{
  return g_object_new (WP_TYPE_LIVE_MODEL, NULL);
}
