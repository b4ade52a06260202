/* What workers do for a file that is opened: see what it is, read its symbols, lay out the rows of Processes. */
#pragma once

#include "plots/plots.h"
#include "profile/model/document.h"
#include "workspace/file/options.h"
#include "workspace/shared.h"

/* Either a recording or a saved explanation, with its first picture; or stacks with values; or a call graph; or any other profile. */
typedef struct
{
  WpShared *document; /* WpDocument, or NULL */
  WpShared *rows;     /* WpRows of Processes, or NULL */
  WpShared *stacks;   /* WpStacks, with types; or NULL */
  gboolean plain;     /* … of a recording that tells no waits */
  WpShared *calls;    /* WpCalls, or NULL */
  WpShared *plots;    /* WpPlots, or NULL */
  char *name;         /* what a tab is called if the file is a store's object: "make · 1234567"; else NULL */
} WpOpened;

/* On a worker. A store's object is unpacked first. Symbols of a recording are not read yet. */
WpOpened *wp_open_file (const char *path, const WpViewOptions *options, WpProgress *progress, GError **error);
void wp_opened_free (WpOpened *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (WpOpened, wp_opened_free)

/* Reads a recording's symbols. `document`: a WpShared with a WpDocument, whose trace belongs to the worker meanwhile; gives a reference on
 * it. */
gpointer wp_symbols_run (gpointer document, WpProgress *progress, GError **error);

/* Lays out Processes with other options; gives a WpShared with the WpRows. */
typedef struct WpRowsRequest WpRowsRequest;

WpRowsRequest *wp_rows_request_new (WpShared *document, const WpViewOptions *options); /* copies the options */
void wp_rows_request_free (gpointer request);
gpointer wp_rows_request_run (gpointer request, WpProgress *progress, GError **error);
