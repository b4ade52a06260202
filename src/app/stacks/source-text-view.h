/* Lines of a source, or instructions, with what each took in columns beside it, and bars behind it: the longer, the more of the most that any
 * took; dark what it took itself, faint what it took with all it called.
 *
 * With GtkSourceView, where it was there when this was built, sources have the colours of their language. */
#pragma once

#include <adwaita.h>

#include "app/stacks/source-gutter.h"

#define WP_TYPE_SOURCE_TEXT_VIEW (wp_source_text_view_get_type ())
GType wp_source_text_view_get_type (void);
typedef struct _WpSourceTextView WpSourceTextView;
#define WP_SOURCE_TEXT_VIEW(object) (G_TYPE_CHECK_INSTANCE_CAST ((object), WP_TYPE_SOURCE_TEXT_VIEW, WpSourceTextView))

/* Shows the text from now on, which must stay until another one is set. The row that took most is scrolled into sight. */
void wp_source_text_view_set (WpSourceTextView *self, const WpSourceValues *values);

WpSourceGutter *wp_source_text_view_gutter (WpSourceTextView *self);

gboolean wp_source_text_view_has_colours (void);
