#include <locale.h>

#include <glib/gi18n.h>

#include "app/shell/application.h"
#include "base/own-mappings.h"
#include "config.h"

int
main (int argc, char **argv)
{
  const char *locale_folder = g_getenv ("WAKEPATH_LOCALEDIR");
  g_autoptr (WpApplication) application = NULL;

  wp_use_own_mappings ();
  setlocale (LC_ALL, "");
  bindtextdomain (WP_GETTEXT_PACKAGE, locale_folder != NULL ? locale_folder : WP_LOCALEDIR);
  bind_textdomain_codeset (WP_GETTEXT_PACKAGE, "UTF-8");
  textdomain (WP_GETTEXT_PACKAGE);
  g_set_prgname ("wakepath");
  g_set_application_name ("Wakepath");

  application = wp_application_new ();
  return g_application_run (G_APPLICATION (application), argc, argv);
}
