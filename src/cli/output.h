/* All that wakepath-cli writes goes through here, results and messages: g_print(), g_printerr() and wp_cli_write().
 *
 * Names of tasks and functions, subjects of commits and settings may come from anybody. What a terminal would obey in them is written as text
 * (base/quote.h), so that neither this terminal obeys it nor one that shows the file later. */
#pragma once

#include <glib.h>
#include <stdio.h>

void wp_cli_output_begin (void); /* before anything is printed */

/* Whole characters, in UTF-8 whatever the locale: results. */
void wp_cli_write (FILE *to, const char *text, gsize n);

/* Prints and empties the text; the second only when it has grown. */
void wp_cli_flush (GString *out);
void wp_cli_flush_full (GString *out);

/* Prints it too, or puts it into this file; `file` may be NULL. Returns the exit status. */
int wp_cli_put (GString *out, const char *file);

/* A line on standard error that the next one takes the place of; "" leaves none. For terminals only. */
void wp_cli_write_over (const char *line);

/* Appends a line that ends with a text of others, which cannot begin another line. `before` is kept as it is. */
void wp_cli_append_line (GString *out, const char *before, const char *text);
void wp_cli_append_fact (GString *out, const char *name, const char *text); /* "name: text" */
