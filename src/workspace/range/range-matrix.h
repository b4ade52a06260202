/* What commits are profiled by, as rows of a list: all of a store's job matrix, each row of it, or a command that is typed. */
#pragma once

#include "range/range.h"

typedef struct WpRangeMatrix WpRangeMatrix;

WpRangeMatrix *wp_range_matrix_new (const WpStore *store); /* never NULL: where local.yml makes no sense it offers nothing and says why */
void wp_range_matrix_free (WpRangeMatrix *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (WpRangeMatrix, wp_range_matrix_free)

char **wp_range_matrix_names (const WpRangeMatrix *self); /* of the rows, translated. Free with g_strfreev() */
gboolean wp_range_matrix_offers (const WpRangeMatrix *self); /* FALSE: local.yml names no program, and there is nothing to choose */

gboolean wp_range_matrix_is_typed (const WpRangeMatrix *self, guint row); /* the command is typed; else the store's settings name what is run */
gboolean wp_range_matrix_can_run (const WpRangeMatrix *self, guint row, const char *command);
char *wp_range_matrix_describe (const WpRangeMatrix *self, guint row); /* what is done with the profiles, or what is wrong. Free with g_free() */

/* Puts the jobs of a row and what else local.yml says of them into the options, which borrow them until another row is chosen. */
void wp_range_matrix_choose (WpRangeMatrix *self, guint row, const char *command, WpRangeOptions *options);
