/* Systems whose packages keep frame pointers; see stacks.h. */
#include "record/stacks.h"

#include <string.h>
#include <sys/utsname.h>

typedef struct
{
  const char *id;   /* ID of os-release */
  guint major, minor; /* the first VERSION_ID that was built so; 0: it has no versions, only a present */
} System;

/* fedoraproject.org/wiki/Changes/fno-omit-frame-pointer; Ubuntu's announcement for 24.04 (64 bits only), from which Linux
 * Mint takes its packages; rfc.archlinux.page/0026-fno-omit-frame-pointer; AlmaLinux's steering committee, 2024-07-24. Debian,
 * and so everybody who is not named here, builds without. */
static const System with_frame_pointers[] = {
  { "fedora", 38, 0 }, { "ubuntu", 24, 4 },     { "linuxmint", 22, 0 },
  { "arch", 0, 0 },    { "endeavouros", 0, 0 }, { "almalinux", 10, 0 },
};

static const char *const machines[] = { "x86_64", "aarch64" };

/* A line KEY=value, KEY="value" or KEY='value'. */
static char *
value_of (char **lines, const char *key)
{
  gsize length = strlen (key);

  for (; *lines != NULL; lines++)
    if (strncmp (*lines, key, length) == 0 && (*lines)[length] == '=')
      {
        char *value = g_shell_unquote (*lines + length + 1, NULL);

        return value != NULL ? value : g_strdup ("");
      }
  return g_strdup ("");
}

static gboolean
reaches (const System *system, const char *version)
{
  char *rest = NULL;
  guint64 major = g_ascii_strtoull (version, &rest, 10);
  guint64 minor = *rest == '.' ? g_ascii_strtoull (rest + 1, NULL, 10) : 0;

  return system->major == 0 || major > system->major || (major == system->major && minor >= system->minor);
}

WpStackMode
wp_stacks_of_system (const char *os_release, const char *machine)
{
  g_auto (GStrv) lines = g_strsplit (os_release, "\n", -1);
  g_autofree char *id = value_of (lines, "ID"), *version = value_of (lines, "VERSION_ID");
  gboolean known = FALSE;

  for (guint i = 0; i < G_N_ELEMENTS (machines); i++)
    known = known || g_str_equal (machine, machines[i]);
  if (!known)
    return WP_STACKS_FP;
  for (guint i = 0; i < G_N_ELEMENTS (with_frame_pointers); i++)
    if (g_str_equal (id, with_frame_pointers[i].id))
      return reaches (&with_frame_pointers[i], version) ? WP_STACKS_FP : WP_STACKS_DWARF;
  return WP_STACKS_DWARF;
}

WpStackMode
wp_stack_mode_choose (WpStackMode asked)
{
  static const char *const places[] = { "/run/host/os-release", "/etc/os-release", "/usr/lib/os-release" };
  g_autofree char *text = NULL;
  struct utsname system = { 0 };

  if (asked != WP_STACKS_AUTO)
    return asked;
  for (guint i = 0; i < G_N_ELEMENTS (places) && text == NULL; i++)
    g_file_get_contents (places[i], &text, NULL, NULL);
  uname (&system);
  return wp_stacks_of_system (text != NULL ? text : "", system.machine);
}

static const char *const names[] = {
  [WP_STACKS_AUTO] = "auto", [WP_STACKS_FP] = "fp", [WP_STACKS_DWARF] = "dwarf", [WP_STACKS_NONE] = "none",
};

const char *
wp_stack_mode_name (WpStackMode mode)
{
  return names[mode];
}

gboolean
wp_stack_mode_parse (const char *name, WpStackMode *mode)
{
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    if (g_strcmp0 (name, names[i]) == 0)
      {
        *mode = i;
        return TRUE;
      }
  return FALSE;
}
