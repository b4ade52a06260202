/* What was left out of an input, and where: counted by what it is, with the place of the first, and told in a line for each. */
#pragma once

#include "base/array.h"

typedef struct
{
  const char *what, *why, *means; /* "trace", N_ ("is no list"), N_ ("those stacks are left out"): static */
  guint n;
  char *place; /* of the first */
} WpOmission;

typedef struct
{
  WP_ARRAY (WpOmission) rows; /* in the order in which they came up */
  guint32 told;               /* rows that somebody was told of */
} WpOmissions;

void wp_omissions_add (WpOmissions *self, const char *what, const char *why, const char *means, const char *place_format, ...)
  G_GNUC_PRINTF (5, 6);
void wp_omissions_clear (WpOmissions *self);

/* "3 × trace is no list (first: snapshots[1].resources[16]); those stacks are left out", translated. Free with g_free(). */
char *wp_omissions_line (const WpOmissions *self, guint32 row);

/* The rows that nobody was told of yet, each "FILE: …" and a line of its own, without a line break at the end; NULL: there are none. */
char *wp_omissions_tell (WpOmissions *self, const char *file);
