#include "cli/output.h"

#include "base/quote.h"
#include "base/save-file.h"
#include "cli/command.h"

#include <string.h>

#define FLUSH_BYTES 65536

void
wp_cli_write (FILE *to, const char *text, gsize n)
{
  g_autoptr (GString) clean = g_string_sized_new (n);

  wp_quote_terminal (clean, text, n);
  fwrite (clean->str, 1, clean->len, to);
}

void
wp_cli_flush (GString *out)
{
  wp_cli_write (stdout, out->str, out->len);
  g_string_truncate (out, 0);
}

void
wp_cli_flush_full (GString *out)
{
  if (out->len >= FLUSH_BYTES)
    wp_cli_flush (out);
}

static int
save (const GString *out, const char *file)
{
  g_autoptr (GString) clean = g_string_sized_new (out->len);
  GError *error = NULL;

  wp_quote_terminal (clean, out->str, out->len);
  return wp_save_text (file, clean->str, clean->len, &error) ? 0 : wp_cli_fail (error);
}

int
wp_cli_put (GString *out, const char *file)
{
  if (file != NULL)
    return save (out, file);
  wp_cli_flush (out);
  return 0;
}

/* In the locale's characters, as GLib prints. */
static void
print (FILE *to, const char *text)
{
  g_autoptr (GString) clean = g_string_new (NULL);
  g_autofree char *local = NULL;
  const char *charset;
  gsize n;

  wp_quote_terminal (clean, text, strlen (text));
  if (!g_get_console_charset (&charset))
    local = g_convert_with_fallback (clean->str, (gssize) clean->len, charset, "UTF-8", "?", NULL, &n, NULL);
  if (local != NULL)
    fwrite (local, 1, n, to);
  else
    fwrite (clean->str, 1, clean->len, to);
  fflush (to);
}

static void
print_result (const char *text)
{
  print (stdout, text);
}

static void
print_message (const char *text)
{
  print (stderr, text);
}

void
wp_cli_output_begin (void)
{
  g_set_print_handler (print_result);
  g_set_printerr_handler (print_message);
}

void
wp_cli_write_over (const char *line)
{
  fputs ("\r", stderr);
  print (stderr, line);
  fputs ("\033[K", stderr);
}

void
wp_cli_append_line (GString *out, const char *before, const char *text)
{
  g_autofree char *line = wp_quoted_line (text);

  g_string_append_printf (out, "%s%s\n", before, line);
}

void
wp_cli_append_fact (GString *out, const char *name, const char *text)
{
  g_string_append_printf (out, "%s: ", name);
  wp_cli_append_line (out, "", text);
}
