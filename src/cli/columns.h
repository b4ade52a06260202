/* Lines made by a format, "%type% (%time%) %source:20%", as format.status and format.shortlog have them. A column is as wide as its widest
 * text, or with a number just so wide, though never narrower than its name: what is longer is cut. */
#pragma once

#include <glib.h>

typedef struct WpCliColumns WpCliColumns;

/* `names`: of the columns, NULL-terminated, at most 32; a text that names none stays as it is. */
WpCliColumns *wp_cli_columns_new (const char *format, const char *const *names);
void wp_cli_columns_free (WpCliColumns *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (WpCliColumns, wp_cli_columns_free)

gboolean wp_cli_columns_has (const WpCliColumns *self, guint column); /* whether the format has it, so that its text is wanted */

/* `texts`: of one line, by column; only those that the format has are looked at. Widths only grow. */
void wp_cli_columns_measure (WpCliColumns *self, char *const *texts);
void wp_cli_columns_append (const WpCliColumns *self, GString *out, char *const *texts);
