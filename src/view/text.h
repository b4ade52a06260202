/* What boxes and rows of the table say that is no name: in the user's language. */
#pragma once

#include "paths/explain.h"

#define WP_OP_LABEL_MAX 192

/* "read 8 KiB", "write 4 KiB of journal", "flush", "connect", "exchange". Long names are cut. For operations of a
 * device or a socket only. */
const char *wp_op_label (const WpTrace *trace, const WpOp *op, char buffer[WP_OP_LABEL_MAX]);

/* The same of any operation with its task or device in front, as wp_trace_describe_op() has it for files: "curl: sleep in
 * poll", "sda: read of 16 sectors at 4711, /etc/passwd". Free with g_free(). */
char *wp_op_text (const WpTrace *trace, WpId op);

/* Of one that lasts from before the recording to its end: "asleep all the time, in epoll_wait". Free with g_free(). */
char *wp_asleep_text (const WpTrace *trace, const WpOp *op);

/* The name of a sub-row; where that is a reason of ours, translated. */
const char *wp_row_text (const WpExplanationRow *row);
