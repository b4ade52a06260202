/* What boxes and rows of the table say that is no name: in the user's language. */
#pragma once

#include "paths/explain.h"

#define WP_OP_LABEL_MAX 192

/* "read 8 KiB", "write 4 KiB of journal", "flush", "connect", "exchange". Long names are cut. For operations of a
 * device or a socket only. */
const char *wp_op_label (const WpTrace *trace, const WpOp *op, char buffer[WP_OP_LABEL_MAX]);

/* The name of a sub-row; where that is a reason of ours, translated. */
const char *wp_row_text (const WpExplanationRow *row);
