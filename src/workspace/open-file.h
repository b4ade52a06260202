/* Opening a file: what it turned out to be. */
#pragma once

#include "plots/plots.h"
#include "profile/model/document.h"
#include "workspace/options.h"
#include "workspace/shared.h"

/* Either a recording or a saved explanation, with its first picture; or any other profile. */
typedef struct
{
  WpShared *document; /* WpDocument, or NULL */
  WpShared *rows;     /* WpRows of Processes, or NULL */
  WpShared *plots;    /* WpPlots, or NULL */
} WpOpened;

/* On a worker. Symbols of a recording are not read yet. */
WpOpened *wp_open_file (const char *path, const WpViewOptions *options, WpProgress *progress, GError **error);
void wp_opened_free (WpOpened *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (WpOpened, wp_opened_free)

/* A store's object is called by its SHA-1, which nobody knows it by; what was run tells more: "make · 1234567". NULL: nobody knows what
 * was run. Free with g_free(). */
char *wp_opened_name (const WpOpened *self, const char *sha1);
