/* Names of functions: demangling, and which of them a thread begins with. */
#include "read/read-private.h"

/* libiberty's own header would redefine what string.h declares. */
extern char *cplus_demangle_v3 (const char *mangled, int options);
extern char *rust_demangle (const char *mangled, int options);

#define DEMANGLE_PARAMS (1 << 0)
#define DEMANGLE_ANSI (1 << 1)

#define MANGLED_LENGTH_MAX 4096 /* a hostile file's symbol must not take seconds */

char *
wp_demangle (const char *symbol)
{
  char *name = NULL;

  if (strnlen (symbol, MANGLED_LENGTH_MAX) == MANGLED_LENGTH_MAX)
    return NULL;
  if (symbol[0] == '_' && (symbol[1] == 'R' || symbol[1] == 'Z'))
    name = rust_demangle (symbol, 0);
  if (name == NULL && g_str_has_prefix (symbol, "_Z"))
    name = cplus_demangle_v3 (symbol, DEMANGLE_PARAMS | DEMANGLE_ANSI);
  return name;
}

gboolean
wp_is_entry_function (const char *name)
{
  static const char *const entries[] = { "main", "_start", "__libc_start_main", "__libc_start_call_main", "_dl_start",
                                         "__libc_start_main_impl", "generic_start_main", "clone", "__clone", "clone3",
                                         "__clone3", "__clone_internal", "start_thread", "_dl_start_user",
                                         "ret_from_fork", "ret_from_fork_asm", "runtime.goexit", "runtime.rt0_go",
                                         "runtime.mstart", "runtime.mcall", "runtime.systemstack", "runtime.morestack",
                                         "runtime.clone", "thread_start" };

  for (guint i = 0; i < G_N_ELEMENTS (entries); i++)
    {
      gsize n = strlen (entries[i]);

      if (strncmp (name, entries[i], n) == 0 && (name[n] == '\0' || name[n] == '@' || name[n] == '.' || name[n] == '('))
        return TRUE;
    }
  return FALSE;
}
