#include "workspace/file/export.h"

#include <glib/gi18n.h>
#include <string.h>

#include "base/save-file.h"
#include "base/write.h"
#include "calls/renderers.h"
#include "paths/stacks.h"
#include "profile/perun/perun.h"
#include "stacks/derive.h"
#include "stacks/formats.h"
#include "workspace/stacks/calls-picture.h"

#define CHART_WIDTH 1280.0
#define CHART_HEIGHT 800.0
#define COPY_PIECE (1 << 20) /* bytes from one look at the progress to the next */

typedef gboolean (*WriteFunc) (const WpExport *self, const char *path, WpProgress *progress, GError **error);

struct WpExport
{
  WriteFunc write;
  const char *title; /* of the dialog */
  char *name;
  WpShared *strip;   /* of a picture of rows, to stand above them; or NULL */
  WpShared *what;    /* WpAnalysis, WpPlots, WpRows, WpChart or WpGrid; or NULL */
  char *text;        /* what is written, the path of what is copied, or what a filter left of stacks; or NULL */
  guint32 *order;    /* of a grid: its rows */
  guint32 n_order;
  char *picture_title;
  WpTheme theme;
  WpColors colors;
  gint64 origin;
  gboolean visible;
  WpViewport viewport;
  WpPaintState state;
  guint8 *highlight; /* the state's */
  WpChartView view;
};

static WpExport *
new_export (WriteFunc write, const char *title, WpShared *what, const char *name)
{
  WpExport *self = g_new0 (WpExport, 1);

  self->write = write;
  self->title = title;
  self->what = wp_shared_ref (what);
  self->name = g_strdup (name);
  return self;
}

void
wp_export_free (WpExport *self)
{
  wp_shared_unref (self->what);
  wp_shared_unref (self->strip);
  g_free (self->name);
  g_free (self->text);
  g_free (self->order);
  g_free (self->picture_title);
  g_free (self->highlight);
  g_free (self);
}

const char *
wp_export_title (const WpExport *self)
{
  return self->title;
}

const char *
wp_export_name (const WpExport *self)
{
  return self->name;
}

gboolean
wp_export_write (const WpExport *self, const char *path, WpProgress *progress, GError **error)
{
  return self->write (self, path, progress, error);
}

char *
wp_export_suggest (const char *of, gboolean is_file, const char *suffix)
{
  g_autofree char *name = g_strdup (of);
  char *dot = is_file ? strrchr (name, '.') : NULL;

  if (dot != NULL && dot != name)
    *dot = '\0';
  g_strdelimit (name, "/\\:*?\"<>|", '-');
  return g_strconcat (*name != '\0' ? name : "profile", suffix, NULL);
}

/* --- profiles and recordings --- */

/* By what a name ends in; longer suffixes first. */
static const struct
{
  const char *suffix, *format;
} stacks_formats[] = {
  { ".speedscope.json", "speedscope" }, { ".firefox.json", "firefox" }, { ".trace.json", "chrome" }, { ".pb.gz", "pprof" }, { ".pb", "pprof" },
  { ".folded", "folded" },              { ".perf", "perun" },           { ".txt", "raw" },
};

/* NULL: the name tells none. */
static const WpStacksFormat *
stacks_format_of (const char *path)
{
  for (guint i = 0; i < G_N_ELEMENTS (stacks_formats); i++)
    if (g_str_has_suffix (path, stacks_formats[i].suffix))
      return wp_stacks_format_named (stacks_formats[i].format);
  return NULL;
}

/* Of what is explained as stacks with values; NULL: a profile of ours. */
static const WpStacksFormat *
other_format_of (const char *path)
{
  return g_str_has_suffix (path, ".perf") ? NULL : stacks_format_of (path);
}

static gboolean
write_explanation (const WpExport *self, const char *path, WpProgress *progress, GError **error)
{
  const WpAnalysis *analysis = wp_shared_get (self->what);
  const WpStacksFormat *format = other_format_of (path);
  g_autoptr (WpStacks) stacks = NULL;

  if (format == NULL)
    return wp_perun_save (path, analysis->paths, analysis->explanation, progress, error);
  stacks = wp_paths_stacks (analysis->paths, analysis->explanation, (WpDepthChoice) { 0 }, progress, error);
  return stacks != NULL && wp_stacks_save (stacks, format, path, progress, error);
}

gboolean
wp_export_keeps_notes (const WpExport *self, const char *path)
{
  return self->write != write_explanation || other_format_of (path) == NULL;
}

WpExport *
wp_export_explanation (WpShared *analysis, const char *name)
{
  return new_export (write_explanation, _("Save Profile"), analysis, name);
}

static gboolean
write_plots (const WpExport *self, const char *path, WpProgress *progress, GError **error)
{
  WpPlots *plots = wp_shared_get (self->what);
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&plots->lock);

  return wp_profile_save (plots->profile, path, error);
}

WpExport *
wp_export_plots (WpShared *plots, const char *name)
{
  return new_export (write_plots, _("Save Profile"), plots, name);
}

static gboolean
write_stacks (const WpExport *self, const char *path, WpProgress *progress, GError **error)
{
  const WpStacksFormat *format = stacks_format_of (path);
  g_autofree char *comment = self->text != NULL ? g_strconcat (WP_STACKS_FILTERED, self->text, NULL) : NULL;
  g_autoptr (WpStacks) commented = comment != NULL ? wp_stacks_with_comment (wp_shared_get (self->what), comment) : NULL;

  if (format != NULL)
    return wp_stacks_save (commented != NULL ? commented : wp_shared_get (self->what), format, path, progress, error);
  g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_FILENAME,
               _("%s: the name tells the format; it must end in .pb.gz (pprof), .speedscope.json, .firefox.json, .trace.json (Chrome), .folded, .perf "
                 "(Perun) or .txt"), path);
  return FALSE;
}

WpExport *
wp_export_stacks (WpShared *stacks, const char *left, const char *name)
{
  WpExport *self = new_export (write_stacks, _("Save Profile"), stacks, name);

  self->text = g_strdup (left);
  return self;
}

/* 0, or the errno of writing; -1 with an error where reading failed, or it was cancelled. */
static int
copy_bytes (GInputStream *source, int to, WpProgress *progress, GError **error)
{
  g_autofree char *piece = g_malloc (COPY_PIECE);
  gssize n;
  int code = 0;

  while (code == 0 && (n = g_input_stream_read (source, piece, COPY_PIECE, NULL, error)) != 0)
    if (n < 0 || !wp_progress_step (progress, 0, error))
      return -1;
    else
      code = wp_write_all (to, piece, (gsize) n);
  return code;
}

static gboolean
copy_recording (const WpExport *self, const char *path, WpProgress *progress, GError **error)
{
  g_autoptr (GFile) source = g_file_new_for_path (self->text);
  g_autoptr (GFile) target = g_file_new_for_path (path);
  g_autoptr (GFileInputStream) stream = NULL;
  WpSaveFile file;
  int code;

  if (g_file_equal (source, target))
    return TRUE;
  stream = g_file_read (source, NULL, error);
  if (stream == NULL || !wp_save_file_open (&file, path, error))
    return FALSE;
  code = copy_bytes (G_INPUT_STREAM (stream), file.fd, progress, error);
  if (code >= 0)
    return wp_save_file_commit (&file, code, error);
  wp_save_file_abort (&file);
  return FALSE;
}

WpExport *
wp_export_recording (const char *path, const char *name)
{
  WpExport *self = new_export (copy_recording, _("Save Recording"), NULL, name);

  self->text = g_strdup (path);
  return self;
}

/* --- pictures --- */

static WpExport *
new_picture (WriteFunc write, WpShared *what, const char *name, const WpExportPicture *picture)
{
  WpExport *self = new_export (write, picture->visible ? _("Export Visible Part") : _("Export Picture"), what, name);

  self->picture_title = g_strdup (picture->title);
  self->theme = picture->theme;
  self->colors = picture->colors;
  self->origin = picture->origin;
  self->strip = wp_shared_ref (picture->strip);
  self->visible = picture->visible;
  return self;
}

static gboolean
write_rows (const WpExport *self, const char *path, WpProgress *progress, GError **error)
{
  WpPictureFormat format = wp_picture_format_of_file (path, error);
  const WpRows *rows = wp_shared_get (self->what);
  const WpPictureStyle style = { self->theme, self->colors, wp_shared_get (self->strip), self->origin };

  if (format == WP_PICTURE_FORMAT_COUNT)
    return FALSE;
  if (self->visible)
    return wp_picture_write_visible (path, format, rows, &self->viewport, &self->state, self->picture_title, &style, error);
  return wp_picture_write (path, format, rows, self->picture_title, WP_PICTURE_WIDTH, &style, error);
}

WpExport *
wp_export_rows (WpShared *rows, const char *name, const WpExportPicture *picture)
{
  WpExport *self = new_picture (write_rows, rows, name, picture);
  const WpRows *r = wp_shared_get (rows);

  if (!self->visible)
    return self;
  self->viewport = *picture->viewport;
  self->state = *picture->state;
  self->state.selected = self->state.hovered = G_MAXUINT32;
  if (self->state.highlight != NULL)
    self->highlight = g_memdup2 (self->state.highlight, MAX (r->boxes.len, 1));
  self->state.highlight = self->highlight;
  return self;
}

static gboolean
write_chart (const WpExport *self, const char *path, WpProgress *progress, GError **error)
{
  WpPictureFormat format = wp_picture_format_of_file (path, error);
  const WpChartPlace place = { wp_shared_get (self->what), &self->view, CHART_WIDTH, CHART_HEIGHT };

  return format < WP_PICTURE_FORMAT_COUNT && wp_picture_write_chart (path, format, &place, self->theme, error);
}

WpExport *
wp_export_chart (WpShared *chart, const char *name, const WpExportPicture *picture)
{
  WpExport *self = new_picture (write_chart, chart, name, picture);

  self->view = self->visible ? *picture->view : wp_chart_whole (wp_shared_get (chart));
  return self;
}

static gboolean
write_calls (const WpExport *self, const char *path, WpProgress *progress, GError **error)
{
  const WpCallsPicture *picture = wp_shared_get (self->what);
  const WpCallsShowOptions shown = { .hide_self = picture->choice.hide_self, .hide_subs = picture->choice.hide_subs };
  const WpCallsRenderer *renderer = wp_calls_renderer_of_file (path);
  WpPictureFormat format = wp_picture_format_of_file (path, NULL);
  g_autoptr (GString) text = g_string_new (NULL);

  if (renderer != NULL)
    {
      renderer->append (wp_shared_get (picture->calls), &shown, text);
      return wp_save_text (path, text->str, text->len, error);
    }
  if (format < WP_PICTURE_FORMAT_COUNT)
    return wp_picture_write_diagram (path, format, picture->diagram, self->picture_title, self->theme, error);
  for (renderer = wp_calls_renderers; renderer->id != NULL; renderer++)
    g_string_append_printf (text, ", %s", renderer->suffix);
  g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_FILENAME,
               _("%s: the name tells the format; it must end in one of .svg, .png, .pdf%s"), path, text->str);
  return FALSE;
}

WpExport *
wp_export_calls (WpShared *picture, const char *name, const WpExportPicture *how)
{
  return new_picture (write_calls, picture, name, how);
}

/* --- tables and text --- */

static const struct
{
  const char *suffix;
  WpReportFormat format;
} table_formats[] = {
  { ".tsv", WP_REPORT_TSV },
  { ".json", WP_REPORT_JSON },
  { ".md", WP_REPORT_MARKDOWN },
  { ".txt", WP_REPORT_TEXT },
};

GString *
wp_export_table_text (const WpAnalysis *analysis, WpReportFormat format)
{
  GString *text = g_string_new (NULL);

  wp_report_write (text, wp_shared_get (analysis->document), analysis->explanation, analysis->paths, format);
  return text;
}

static gboolean
write_table (const WpExport *self, const char *path, WpProgress *progress, GError **error)
{
  for (guint i = 0; i < G_N_ELEMENTS (table_formats); i++)
    if (g_str_has_suffix (path, table_formats[i].suffix))
      {
        g_autoptr (GString) text = wp_export_table_text (wp_shared_get (self->what), table_formats[i].format);

        return wp_save_text (path, text->str, text->len, error);
      }
  g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_FILENAME,
               _("%s: the name tells the format; it must end in .tsv, .json, .md or .txt"), path);
  return FALSE;
}

WpExport *
wp_export_table (WpShared *analysis, const char *name)
{
  return new_export (write_table, _("Export Table"), analysis, name);
}

static gboolean
write_grid (const WpExport *self, const char *path, WpProgress *progress, GError **error)
{
  g_autoptr (GString) text = g_string_new (NULL);
  gboolean csv = g_str_has_suffix (path, ".csv");

  if (!csv && !g_str_has_suffix (path, ".tsv"))
    {
      g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_FILENAME, _("%s: the name tells the format; it must end in .tsv or .csv"), path);
      return FALSE;
    }
  (csv ? wp_grid_write_csv : wp_grid_write) (wp_shared_get (self->what), self->order, self->n_order, text);
  return wp_save_text (path, text->str, text->len, error);
}

WpExport *
wp_export_grid (WpShared *grid, const char *name, guint32 *order, guint32 n)
{
  WpExport *self = new_export (write_grid, _("Export Table"), grid, name);

  self->order = order;
  self->n_order = n;
  return self;
}

static gboolean
write_text (const WpExport *self, const char *path, WpProgress *progress, GError **error)
{
  return wp_save_text (path, self->text, strlen (self->text), error);
}

WpExport *
wp_export_text (const char *title, char *text, const char *name)
{
  WpExport *self = new_export (write_text, title, NULL, name);

  self->text = text;
  return self;
}
