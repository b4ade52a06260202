/* The explanation table as text, for the command line and for what the window exports: one piece of code, so that both say the same. */
#pragma once

#include "base/json-writer.h"
#include "paths/explain.h"
#include "profile/model/document.h"

typedef enum
{
  WP_REPORT_TEXT,
  WP_REPORT_TSV,
  WP_REPORT_JSON,
  WP_REPORT_MARKDOWN,
  WP_REPORT_FORMAT_COUNT
} WpReportFormat;

/* "text", "tsv", "json", "markdown"; anything else gives WP_REPORT_FORMAT_COUNT. */
WpReportFormat wp_report_format_from_id (const char *id);

/* Appends the whole table with its sub-rows. The shape of JSON and TSV is stable: keys and columns are added, never renamed. */
void wp_report_write (GString *out, const WpDocument *document, const WpExplanation *explanation, const WpPaths *paths,
                      WpReportFormat format);

/* "diagnostics": { … }, a member of the object that is open. */
void wp_report_diagnostics (WpJsonWriter *json, const WpDiagnostics *diagnostics);
