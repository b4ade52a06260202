/* Status pages: what one says below its title is markup, what we have to say is not. */
#pragma once

#include <adwaita.h>

static inline void
wp_status_page_say (AdwStatusPage *page, const char *text)
{
  g_autofree char *escaped = g_markup_escape_text (text, -1);

  adw_status_page_set_description (page, escaped);
}

static inline void
wp_status_page_set (AdwStatusPage *page, const char *icon, const char *title, const char *text)
{
  adw_status_page_set_icon_name (page, icon);
  adw_status_page_set_title (page, title);
  wp_status_page_say (page, text);
}
