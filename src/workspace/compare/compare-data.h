/* A comparison as the window shows it: made at once by a worker, immutable then. */
#pragma once

#include "plots/compare-grids.h"
#include "profile/compare/compare.h"
#include "view/layout.h"
#include "workspace/shared.h"

typedef enum
{
  WP_COMPARE_VIEW_A,
  WP_COMPARE_VIEW_B,
  WP_COMPARE_VIEW_VANISHED,
  WP_N_COMPARE_VIEWS
} WpCompareView;

typedef struct
{
  WpComparison *comparison;
  WpShared *rows[WP_N_COMPARE_VIEWS];     /* WpRows, roots last; A and B on one scale */
  guint32 *box_of[WP_N_COMPARE_VIEWS];    /* node → its box, or G_MAXUINT32 */
} WpCompareData;

/* What a worker is given; gives a WpCompareData. */
typedef struct
{
  char **files[WP_N_SIDES];
  char *names[WP_N_SIDES]; /* as WpCompareOptions has them */
  char *sample_index; /* as WpCompareOptions has it; or NULL */
  gboolean normalise;
  WpDepth depth;
  WpHideRules *hide;
  WpShared *opened; /* WpNamedStacks, as WpCompareOptions has them; or NULL */
} WpCompareRequest;

/* `names`: of A and B, "": none; or NULL. */
WpCompareRequest *wp_compare_request_new (const char *const *a, const char *const *b, const char *const *names, const char *sample_index,
                                          gboolean normalise, WpDepth depth, const WpHideRules *hide, WpShared *opened);
void wp_compare_request_free (gpointer request);
gpointer wp_compare_run (gpointer request, WpProgress *progress, GError **error);
void wp_compare_data_free (gpointer data);

static inline const WpRows *
wp_compare_rows (const WpCompareData *self, WpCompareView view)
{
  return wp_shared_get (self->rows[view]);
}

/* Which frames can be asked for, as rows of a list: a name, translated, and a bit (1 << WpPresence) for each kind. NULL: no more rows. */
const char *wp_compare_presences (guint row, guint *presences);

/* A worker's: frames as a table. Gives a WpGrid. */
typedef struct
{
  WpShared *data;  /* WpCompareData */
  guint presences; /* as wp_compare_frames_grid() has them */
} WpCompareFrames;

WpCompareFrames *wp_compare_frames_new (WpShared *data, guint presences);
void wp_compare_frames_free (gpointer frames);
gpointer wp_compare_frames_run (gpointer frames, WpProgress *progress, GError **error);

/* Where the place `x` of one view is in another: in the box of the same node, as far from its edges. */
double wp_compare_map (const WpCompareData *self, WpCompareView from, WpCompareView to, double x);

/* What rules can hide of a node: the name of its function or module; NULL: it is words, a process, or has no name. */
const char *wp_compare_hideable (const WpCompareData *self, WpId node, WpHideKind kind);

/* Name and module, on each side the amount, its share and what is the node's own, and the change: lines.  Free with g_free(). */
char *wp_compare_describe (const WpCompareData *self, WpId node);

/* How many frames are folded in a node, where the most are. */
guint wp_compare_count_folded (const WpCompareData *self, WpId node);
