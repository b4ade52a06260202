/* Rows of boxes as Chrome's trace events, for viewers that know these: a lane is a thread, a box an event, a link an arrow from lane to lane. */
#pragma once

#include "base/json-writer.h"
#include "view/rows.h"

/* What reaches beyond the box that it stands on ends with that one, since events of a thread have to lie within one another; "args" tell until when
 * it goes on. */
void wp_rows_write_trace (const WpRows *rows, const char *title, WpJsonWriter *json);
