/* Which functions a thread begins with. */
#include "read/read-private.h"

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
