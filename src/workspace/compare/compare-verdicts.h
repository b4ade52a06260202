/* What Perun's checks say of two profiles, or two sets of them: a worker (workspace/worker.h). */
#pragma once

#include "plots/compare-grids.h"

typedef struct
{
  char **files[2]; /* of each side, NULL-terminated */
} WpVerdictsRequest;

typedef struct
{
  char *summary; /* a sentence, with the number of profiles where there are more than two */
  WpGrid *grid;
} WpVerdicts;

WpVerdictsRequest *wp_verdicts_request_new (const char *const *a, const char *const *b);
void wp_verdicts_request_free (gpointer request);
gpointer wp_verdicts_run (gpointer request, WpProgress *progress, GError **error); /* gives a WpVerdicts */
void wp_verdicts_free (gpointer verdicts);
