/* Text within the formats that programs read. */
#pragma once

#include <glib.h>

/* Appends a JSON string with its quotes; what is not UTF-8 is replaced. */
void wp_quote_json (GString *out, const char *text);

/* Appends a field of a TSV line, or a name in any line of text: tabs and line ends become spaces. */
void wp_quote_tsv (GString *out, const char *text);

/* Appends a line for people to judge: what would not be seen, would change how the rest is seen, or would be obeyed by a terminal is
 * written as its number, \x1b, \u202e. */
void wp_quote_visible (GString *out, const char *text);

/* Appends a cell of a Markdown table: what would end it or start markup is escaped. */
void wp_quote_markdown (GString *out, const char *text);
