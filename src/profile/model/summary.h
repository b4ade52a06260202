/* The answer in words and the longest waits (paths/answer.h) as text, for the command line and for what the window copies. */
#pragma once

#include "paths/answer.h"
#include "profile/model/report.h"

/* Appends the sentences and, of the waits, the longest; TSV has the waits alone, JSON and TSV have all of them. The shape of JSON and TSV is
 * stable: keys and columns are added, never renamed. */
void wp_summary_write (GString *out, const WpAnswer *answer, WpReportFormat format);
