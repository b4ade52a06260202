/* Telling formats by what files begin with. Private to this folder. */
#pragma once

#include <glib.h>
#include <string.h>

#define WP_SNIFF_MAX 65536 /* bytes that are looked at */

/* Whether the beginning is text: no bytes that no text has. */
static inline gboolean
wp_sniff_is_text (const guint8 *data, gsize n)
{
  for (gsize i = 0; i < MIN (n, 4096); i++)
    if (data[i] < ' ' && data[i] != '\n' && data[i] != '\t' && data[i] != '\r')
      return FALSE;
  return data != NULL && n > 0;
}

/* The first character of a text that is no blank; 0: there is none. */
static inline char
wp_sniff_first (const guint8 *data, gsize n)
{
  for (gsize i = 0; i < MIN (n, 4096); i++)
    if (!g_ascii_isspace (data[i]))
      return (char) data[i];
  return 0;
}

/* Whether it stands at the beginning, or at the end. */
static inline gboolean
wp_sniff_has (const guint8 *data, gsize n, const char *text)
{
  gsize part = MIN (n, WP_SNIFF_MAX);

  return data != NULL && (memmem (data, part, text, strlen (text)) != NULL || memmem (data + n - part, part, text, strlen (text)) != NULL);
}
