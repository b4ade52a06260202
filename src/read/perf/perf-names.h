/* Names of block devices and files, and what lies on what: what our own recorder wrote down of them, and what mappings say. */
#pragma once

#include "base/json-reader.h"
#include "read/perf/perf-file.h"

/* "devices", "files", … of our own feature: takes the value of such a key. FALSE: it is another key, whose value is still to be taken. */
gboolean wp_perf_names_take (WpTrace *trace, WpBuilds *builds, const char *key, WpJsonReader *reader);

/* Takes a value; FALSE: it is no whole number of 64 bits. */
gboolean wp_perf_take_number (WpJsonReader *reader, gint64 *number);

void wp_perf_names_mapped (const WpPerfFile *file, const WpPerfRecord *header); /* MMAP2 */

/* Where the recording names no devices: this machine's, if it was made here and since the last boot. */
void wp_perf_names_local (const WpPerfFile *file);
