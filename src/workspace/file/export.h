/* What can be written to a file from a window, and how. An export is made on the main thread, proposes a name, and is written by a
 * worker. */
#pragma once

#include "paint/paint.h"
#include "plots/plots.h"
#include "profile/model/report.h"
#include "workspace/file/analysis.h"

typedef struct WpExport WpExport;

/* How a picture is drawn. */
typedef struct
{
  const char *title;         /* above the picture; copied */
  WpTheme theme;
  WpColors colors;
  gint64 origin;             /* from which moment of a recording its axis counts */
  WpShared *strip;           /* WpRows: the wait chain above the picture, or NULL; referred to */
  gboolean visible;          /* only what is seen of it: */
  const WpViewport *viewport; /* of rows; copied */
  const WpPaintState *state;  /* of rows: what is faded and marked; copied */
  const WpChartView *view;    /* of a chart; copied */
} WpExportPicture;

/* All of these take references on what is shared. `name`: what the proposed file is called, with its suffix. */
WpExport *wp_export_explanation (WpShared *analysis, const char *name);     /* a profile of what is explained, or it as stacks, as the name tells */
WpExport *wp_export_table (WpShared *analysis, const char *name);           /* the table of what is explained */
WpExport *wp_export_plots (WpShared *plots, const char *name);              /* any other profile, with what was added to it */
WpExport *wp_export_stacks (WpShared *stacks, const char *left, const char *name); /* WpStacks, in the format that the name tells; `left`: what a filter
                                                                                      left, which a comment says; or NULL */
WpExport *wp_export_recording (const char *path, const char *name);         /* the file as it is */
WpExport *wp_export_rows (WpShared *rows, const char *name, const WpExportPicture *picture);
WpExport *wp_export_chart (WpShared *chart, const char *name, const WpExportPicture *picture);
/* WpCallsPicture: a picture, or the graph as text. */
WpExport *wp_export_calls (WpShared *picture, const char *name, const WpExportPicture *how);
WpExport *wp_export_grid (WpShared *grid, const char *name, guint32 *order, guint32 n); /* takes `order`: the rows to write */
WpExport *wp_export_text (const char *title, char *text, const char *name); /* takes `text`; `title`: static */
void wp_export_free (WpExport *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (WpExport, wp_export_free)

const char *wp_export_title (const WpExport *self); /* of the dialog: "Save Profile", translated */
const char *wp_export_name (const WpExport *self);  /* the proposed name */

/* Whether a file of this name will hold all that there is; else its format has no notes. */
gboolean wp_export_keeps_notes (const WpExport *self, const char *path);

/* On a worker. Where there are several formats the name tells which; a name that tells none is an error that says which there are. */
gboolean wp_export_write (const WpExport *self, const char *path, WpProgress *progress, GError **error);

/* The table of what is explained, as text. Free with g_string_free(). */
GString *wp_export_table_text (const WpAnalysis *analysis, WpReportFormat format);

/* A file name for something that is called `of`, a process or (`is_file`) a file, whose own suffix goes. Free with g_free(). */
char *wp_export_suggest (const char *of, gboolean is_file, const char *suffix);
