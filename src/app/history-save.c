#include "app/history-save.h"

#include <glib/gi18n.h>

#include "app/canvas.h"

#define PICTURE_WIDTH 1600.0
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

static const struct
{
  const char *suffix;
  gboolean picture;
  WpPictureFormat format;
  WpHistoryFormat text;
} formats[] = {
  { ".svg", TRUE, .format = WP_PICTURE_SVG }, { ".png", TRUE, .format = WP_PICTURE_PNG }, { ".pdf", TRUE, .format = WP_PICTURE_PDF },
  { ".csv", FALSE, .text = WP_HISTORY_CSV },  { ".tsv", FALSE, .text = WP_HISTORY_TSV },  { ".json", FALSE, .text = WP_HISTORY_JSON },
};

static guint
format_of (const char *path)
{
  guint i = 0;

  while (i < G_N_ELEMENTS (formats) && !g_str_has_suffix (path, formats[i].suffix))
    i++;
  return i;
}

static gpointer
run_saving (gpointer data, WpProgress *progress, GError **error)
{
  const Saving *self = data;
  guint format = format_of (self->path);
  gboolean done;

  if (format == G_N_ELEMENTS (formats))
    {
      g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_FILENAME,
                   _("%s: the name tells what is saved; it must end in .svg, .png, .pdf, .csv, .tsv or .json"), self->path);
      return NULL;
    }
  if (formats[format].picture)
    done = wp_picture_write_chart (self->path, formats[format].format, wp_shared_get (self->chart), NULL, PICTURE_WIDTH,
                                   PICTURE_HEIGHT, self->theme, error);
  else
    done = g_file_set_contents (self->path, self->text, -1, error);
  return done ? g_strdup (self->path) : NULL;
}

gboolean
wp_history_save_as_text (const char *path, WpHistoryFormat *text)
{
  guint format = format_of (path);

  if (format == G_N_ELEMENTS (formats) || formats[format].picture)
    return FALSE;
  *text = formats[format].text;
  return TRUE;
}

WpJob *
wp_history_save (const char *path, WpShared *chart, const char *text, WpJobDone done, gpointer user_data)
{
  Saving *saving = g_new0 (Saving, 1);

  saving->path = g_strdup (path);
  saving->theme = wp_current_theme ();
  saving->chart = wp_shared_ref (chart);
  saving->text = g_strdup (text);
  return wp_job_start (&(WpJobSpec) { .run = run_saving, .done = done, .data = saving, .free_data = saving_free, .free_result = g_free,
                                      .user_data = user_data });
}
