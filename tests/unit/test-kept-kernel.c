/* The running kernel's functions as they are kept: what is written comes back, nothing else is believed, and names are the same with and without. */
#include "read/symbols/kept-kernel.h"

#include "base/array.h"
#include "base/remove-tree.h"
#include "read/symbols/kernel-symbols.h"

#include <fcntl.h>
#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

#define ADDRESSES 4000

static char *cache, *file;

/* --- a table made by hand ------------------------------------------------------------------------------------------- */

static const char text[] = "ffffffff81000000 T _stext\nffffffff81000100 t schedule\nffffffffc0000000 t ext4_read\t[ext4]\nffffffffc0001000 t bpf_prog_1\t[bpf]\n"
                           "ffffffffc0002000 t ftrace_trampoline\t[__builtin__ftrace]";
static const guint64 references[] = { 0, G_GUINT64_CONSTANT (0xffffffff81000000) };

static void
write_table (void)
{
  WpKernelSymbol symbols[5];
  WpKeptKernel kept;
  const char *line = text;

  for (guint i = 0; i < G_N_ELEMENTS (symbols); i++, line = strchr (line, '\n') + 1)
    symbols[i] = (WpKernelSymbol) { .address = g_ascii_strtoull (line, NULL, 16), .name = (guint32) (line + strlen ("ffffffff81000000 T ") - text), .order = i };
  wp_kept_kernel_open (&kept);
  wp_kept_kernel_close (&kept);
  wp_kept_kernel_write (&kept, symbols, G_N_ELEMENTS (symbols), text, sizeof text - 1, references);
}

static void
test_kept (void)
{
  static const char names[] = "_stext\nschedule\next4_read\t[ext4]\n";
  WpKeptKernel kept;
  const WpKernelSymbol *symbols;

  g_assert_false (wp_kept_kernel_open (&kept));
  write_table ();
  g_assert_true (wp_kept_kernel_open (&kept));
  symbols = kept.blocks[WP_KEPT_SYMBOLS].data;
  g_assert_cmpuint (kept.blocks[WP_KEPT_SYMBOLS].n, ==, 3);
  g_assert_cmphex (symbols[2].address, ==, G_GUINT64_CONSTANT (0xffffffffc0000000));
  g_assert_cmpmem (kept.blocks[WP_KEPT_TEXT].data, kept.blocks[WP_KEPT_TEXT].n, names, sizeof names - 1);
  g_assert_cmpuint (symbols[1].name, ==, 7);
  g_assert_cmpmem (kept.blocks[WP_KEPT_REFERENCES].data, 8 * kept.blocks[WP_KEPT_REFERENCES].n, references, sizeof references);
  wp_kept_kernel_close (&kept);
  g_assert_cmpint (g_unlink (file), ==, 0);
}

static void
write_byte (gsize at, guint8 byte)
{
  int fd = open (file, O_WRONLY);

  g_assert_cmpint (pwrite (fd, &byte, 1, (off_t) at), ==, 1);
  close (fd);
}

/* Of another system, of other bytes, cut: each byte counts. */
static void
test_not_believed (void)
{
  WpKeptKernel kept;
  g_autofree char *bytes = NULL;
  gsize n;

  write_table ();
  g_assert_true (g_file_get_contents (file, &bytes, &n, NULL));
  for (gsize at = 0; at < n; at++)
    {
      write_byte (at, (guint8) bytes[at] ^ 1);
      g_assert_false (wp_kept_kernel_open (&kept));
      write_byte (at, (guint8) bytes[at]);
    }
  g_assert_true (wp_kept_kernel_open (&kept));
  wp_kept_kernel_close (&kept);
  g_assert_true (g_file_set_contents (file, bytes, (gssize) n - 1, NULL));
  g_assert_false (wp_kept_kernel_open (&kept));
  g_assert_cmpint (g_unlink (file), ==, 0);
}

/* --- names ----------------------------------------------------------------------------------------------------------- */

typedef WP_ARRAY (guint64) AddressArray;

/* Some functions of the running kernel, their ends and what lies far from any; none where it does not show them. */
static void
choose_addresses (AddressArray *addresses, guint64 *reference)
{
  g_autofree char *all = NULL;
  guint n = 0, step, i = 0;

  if (!g_file_get_contents ("/proc/kallsyms", &all, NULL, NULL))
    return;
  for (const char *c = all; *c != '\0'; c++)
    n += *c == '\n';
  step = MAX (n / ADDRESSES, 1);
  for (char *line = all, *end; (end = strchr (line, '\n')) != NULL; line = end + 1, i++)
    {
      const guint64 address = g_ascii_strtoull (line, NULL, 16);

      *end = '\0';
      if (g_str_has_suffix (line, " _stext"))
        *reference = address;
      if (i % step != 0 || address == 0)
        continue;
      wp_array_push (addresses, address);
      wp_array_push (addresses, address + 5);
      wp_array_push (addresses, address - 1);
    }
}

static char *
names_of (const AddressArray *addresses, guint64 reference, guint from)
{
  g_autoptr (WpTrace) trace = wp_trace_new ();
  WpKernelSymbols *symbols = wp_kernel_symbols_new (trace, NULL);
  GString *names = g_string_new (NULL);

  wp_kernel_symbols_set_reference (symbols, "_stext", reference);
  for (guint32 i = from; i < addresses->len; i++)
    {
      const WpId id = wp_kernel_symbols_frame (symbols, addresses->data[i]);
      const WpFrame *frame = &trace->frames.data[id];

      g_string_append_printf (names, "%s %s\n", wp_trace_string (trace, trace->modules.data[frame->module].path), wp_trace_function_name (trace, frame->function));
    }
  wp_kernel_symbols_free (symbols);
  return g_string_free (names, FALSE);
}

static void
test_names (void)
{
  g_autofree char *fresh = NULL, *kept = NULL;
  AddressArray addresses = { 0 };
  guint64 reference = 0;
  WpKeptKernel table;

  choose_addresses (&addresses, &reference);
  if (addresses.len == 0 || reference == 0)
    {
      g_test_skip ("the kernel does not show its addresses");
      return;
    }
  fresh = names_of (&addresses, reference, 0);
  g_assert_true (wp_kept_kernel_open (&table));
  wp_kept_kernel_close (&table);
  kept = names_of (&addresses, reference, 0);
  g_assert_cmpstr (fresh, ==, kept);
  wp_array_push (&addresses, 16); /* nowhere near: all is read */
  g_free (kept);
  kept = names_of (&addresses, reference, addresses.len - 1);
  g_assert_cmpstr (kept, ==, "[kernel] [unknown]\n");
  wp_array_clear (&addresses);
}

int
main (int argc, char **argv)
{
  int status;

  g_test_init (&argc, &argv, NULL);
  cache = g_dir_make_tmp ("wp-kept-kernel-XXXXXX", NULL);
  file = g_build_filename (cache, "wakepath", WP_KEPT_KERNEL_FOLDER, "functions", NULL);
  g_setenv ("XDG_CACHE_HOME", cache, TRUE);
  g_test_add_func ("/kept-kernel/kept", test_kept);
  g_test_add_func ("/kept-kernel/not-believed", test_not_believed);
  g_test_add_func ("/kept-kernel/names", test_names);
  status = g_test_run ();
  wp_remove_tree (AT_FDCWD, cache, NULL);
  g_free (cache);
  g_free (file);
  return status;
}
