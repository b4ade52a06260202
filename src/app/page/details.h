/* The details pane under the canvas: what the selected box is, its stack, what woke it and what it woke. Source lines of its stacks are
 * looked up by a worker; they come later, at the end of lines that are there already.
 *
 * Signal: link (string): a name was followed (see details-text.h). */
#pragma once

#include <adwaita.h>

#include "workspace/file/boxes.h"
#include "workspace/shared.h"

#define WP_TYPE_DETAILS (wp_details_get_type ())
G_DECLARE_FINAL_TYPE (WpDetails, wp_details, WP, DETAILS, AdwBin)

/* What is to be described. */
typedef struct
{
  WpShared *rows;     /* WpRows */
  guint32 box;        /* of them */
  WpSelection selection; /* what of it is meant */
  WpShared *document; /* WpDocument; NULL while its trace must not be read */
  WpShared *analysis; /* WpAnalysis, or NULL */
  gint64 origin;      /* from which moment of the recording moments are counted */
} WpDetailsSubject;

void wp_details_show (WpDetails *self, const WpDetailsSubject *subject); /* takes references; NULL: nothing is selected */
void wp_details_set_hint (WpDetails *self, gboolean hint); /* where nothing is, it asks to click a box */
