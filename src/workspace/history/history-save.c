#include "workspace/history/history-save.h"

#include <glib/gi18n.h>

#include "base/save-file.h"

#define PICTURE_HEIGHT 900.0

typedef struct
{
  char *path;
  WpShared *chart;
  WpTheme theme;
  char *text;
} Saving;

static void
saving_free (gpointer data)
{
  Saving *self = data;

  g_free (self->path);
  g_free (self->text);
  wp_shared_unref (self->chart);
  g_free (self);
}

static gpointer
run_saving (gpointer data, WpProgress *progress, GError **error)
{
  const Saving *self = data;
  WpPictureFormat picture = wp_picture_format_of_file (self->path, NULL);
  WpHistoryFormat text;
  gboolean done;

  if (picture < WP_PICTURE_FORMAT_COUNT)
    done = wp_picture_write_chart (self->path, picture,
                                   &(WpChartPlace) { wp_shared_get (self->chart), NULL, WP_PICTURE_WIDTH, PICTURE_HEIGHT }, self->theme,
                                   error);
  else if (wp_history_save_as_text (self->path, &text))
    done = wp_save_text (self->path, self->text, strlen (self->text), error);
  else
    {
      g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_FILENAME,
                   _("%s: the name tells what is saved; it must end in .svg, .png, .pdf, .csv, .tsv or .json"), self->path);
      done = FALSE;
    }
  return done ? g_strdup (self->path) : NULL;
}

gboolean
wp_history_save_as_text (const char *path, WpHistoryFormat *text)
{
  static const struct
  {
    const char *suffix;
    WpHistoryFormat format;
  } formats[] = { { ".csv", WP_HISTORY_CSV }, { ".tsv", WP_HISTORY_TSV }, { ".json", WP_HISTORY_JSON } };

  for (guint i = 0; i < G_N_ELEMENTS (formats); i++)
    if (g_str_has_suffix (path, formats[i].suffix))
      {
        *text = formats[i].format;
        return TRUE;
      }
  return FALSE;
}

WpWorker *
wp_history_save (const char *path, WpShared *chart, WpTheme theme, const char *text, WpWorkerDone done, gpointer user_data)
{
  Saving *saving = g_new0 (Saving, 1);

  saving->path = g_strdup (path);
  saving->theme = theme;
  saving->chart = wp_shared_ref (chart);
  saving->text = g_strdup (text);
  return wp_worker_start (&(WpWorkerSpec) { .run = run_saving, .done = done, .data = saving, .free_data = saving_free, .free_result = g_free,
                                            .user_data = user_data });
}
