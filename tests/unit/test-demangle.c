/* Readable names: ordinary ones come out as libiberty has them, hostile ones cost next to nothing. */
#include "read/symbols/demangle.h"
#include "read/read.h"

#include <glib/gstdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

/* A class template whose two arguments are the class before, LEVELS times: twice as long with each. `S` and `T` as in the ABI. */
static char *
doubling (guint levels)
{
  static const char digits[] = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";
  GString *name = g_string_new ("_Z1f1aIiiE");

  for (guint i = 0; i < levels; i++)
    {
      char digit[3] = { i >= 36 ? digits[i / 36] : digits[i], i >= 36 ? digits[i % 36] : '\0', '\0' };

      g_string_append_printf (name, "S_IS%s_S%s_E", digit, digit);
    }
  return g_string_free (name, FALSE);
}

/* A conversion to a template of a template …: each level is read twice, and nothing comes of it. */
static char *
silent (guint levels)
{
  GString *name = g_string_new ("_ZN1AcvT_");

  for (guint i = 0; i < levels; i++)
    g_string_append (name, "IT_");
  g_string_append_c (name, 'i');
  for (guint i = 0; i < levels; i++)
    g_string_append_c (name, 'E');
  return g_string_free (g_string_append (name, "Ev"), FALSE);
}

static gint64
children_bytes (void)
{
  struct rusage usage;

  getrusage (RUSAGE_CHILDREN, &usage);
  return (gint64) usage.ru_maxrss * 1024;
}

static double
cpu_seconds (void)
{
  struct rusage own, children;

  getrusage (RUSAGE_SELF, &own);
  getrusage (RUSAGE_CHILDREN, &children);
  return (double) (own.ru_utime.tv_sec + children.ru_utime.tv_sec) + (double) (own.ru_utime.tv_usec + children.ru_utime.tv_usec) / 1e6;
}

static void
assert_nothing_told (WpDemangler *demangler)
{
  WpDiagnostics diagnostics = { 0 };

  wp_demangler_tell (demangler, &diagnostics);
  g_assert_cmpuint (diagnostics.n[WP_DIAG_NAMES_GIVEN_UP], ==, 0);
  g_assert_cmpuint (diagnostics.n[WP_DIAG_NO_DEMANGLER], ==, 0);
}

static void
test_plain (void)
{
  static const char *const rows[][2] = {
    { "_ZNSt6vectorIiSaIiEE9push_backERKi", "std::vector<int, std::allocator<int> >::push_back(int const&)" },
    { "_ZN4core3fmt5write17h0123456789abcdefE", "core::fmt::write" },
    { "_RNvC6_123foo3bar", "123foo::bar" },
    { "_Z1fv", "f()" },
    { "_Z", NULL },
    { "_R", NULL },
    { "main", NULL },
    { "", NULL },
    { "_ZN", NULL },
  };
  g_autoptr (WpDemangler) demangler = wp_demangler_new (NULL);

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autofree char *name = wp_demangle (demangler, rows[i][0]);

      g_assert_cmpstr (name, ==, rows[i][1]);
    }
  assert_nothing_told (demangler);
}

static char *
symbols_of (const char *file)
{
  const char *argv[] = { "nm", "-D", "--defined-only", "--format=just-symbols", "--no-demangle", "--without-symbol-versions", file, NULL };
  g_autoptr (GSubprocess) nm = g_subprocess_newv (argv, G_SUBPROCESS_FLAGS_STDOUT_PIPE, NULL);
  char *text = NULL;

  g_assert_true (g_subprocess_communicate_utf8 (nm, NULL, NULL, &text, NULL, NULL));
  return text;
}

/* libiberty's own header would redefine what string.h declares. */
extern char *cplus_demangle_v3 (const char *mangled, int options);
extern char *rust_demangle (const char *mangled, int options);

/* What it says itself, within this process: these names are nobody's attack. */
static char *
by_libiberty (const char *symbol)
{
  char *name = rust_demangle (symbol, 0);

  return name != NULL ? name : cplus_demangle_v3 (symbol, 3);
}

static char *
library (void)
{
  const char *argv[] = { "sh", "-c", "cc -print-file-name=libstdc++.so.6 2>/dev/null", NULL };
  g_autoptr (GSubprocess) cc = g_subprocess_newv (argv, G_SUBPROCESS_FLAGS_STDOUT_PIPE, NULL);
  char *path = NULL;

  g_assert_true (g_subprocess_communicate_utf8 (cc, NULL, NULL, &path, NULL, NULL));
  return g_strchomp (path);
}

static void
test_ordinary (void)
{
  g_autofree char *path = library (), *symbols = symbols_of (path);
  g_auto (GStrv) names = g_strsplit (symbols, "\n", -1);
  g_autoptr (WpDemangler) demangler = wp_demangler_new (NULL);
  guint n = 0;

  for (guint i = 0; names[i] != NULL; i++)
    {
      g_autofree char *name = wp_demangle (demangler, names[i]);
      char *expected = by_libiberty (names[i]);

      g_assert_cmpstr (name, ==, expected);
      n += name != NULL;
      free (expected);
    }
  g_test_message ("%u names", n);
  g_assert_cmpuint (n, >, 3000);
  assert_nothing_told (demangler);
}

static void
test_long (void)
{
  g_autofree char *symbol = doubling (60);
  g_autoptr (WpDemangler) demangler = wp_demangler_new (NULL);

  for (guint i = 0; i < 1000; i++)
    {
      g_autofree char *name = wp_demangle (demangler, symbol);

      g_assert_nonnull (name);
      g_assert_true (g_str_has_prefix (name, "f(a<int, int>, a<a<int, int>, a<int, int> >, "));
      g_assert_true (g_str_has_suffix (name, "…"));
      g_assert_true (g_utf8_validate (name, -1, NULL));
      g_assert_cmpuint (strlen (name), <=, 4096 + 32 * strlen (symbol) + 3);
    }
  assert_nothing_told (demangler);
  g_clear_pointer (&demangler, wp_demangler_free);
  g_assert_cmpint (children_bytes (), <, 64 << 20);
}

static void
test_silent (void)
{
  g_autoptr (WpDemangler) demangler = wp_demangler_new (NULL);
  WpDiagnostics diagnostics = { 0 };
  double before = cpu_seconds ();

  for (guint levels = 1; levels < 600; levels++)
    {
      g_autofree char *symbol = silent (levels), *name = wp_demangle (demangler, symbol);

      g_assert_null (name);
    }
  wp_demangler_tell (demangler, &diagnostics);
  g_assert_cmpuint (diagnostics.n[WP_DIAG_NAMES_GIVEN_UP], >, 500);
  g_clear_pointer (&demangler, wp_demangler_free);
  g_assert_cmpfloat (cpu_seconds () - before, <, 3);
}

static void
on_progress (const char *phase, double fraction, gpointer cancellable)
{
}

/* The text of perf script, with one such name a line. */
static void
test_script (void)
{
  g_autofree char *symbol = doubling (24), *path = g_build_filename (g_get_tmp_dir (), "wakepath-demangle.script", NULL);
  g_autoptr (GString) text = g_string_new (NULL);
  WpProgress progress = { .func = on_progress };
  GError *error = NULL;
  double before = cpu_seconds ();
  WpTrace *trace;

  for (guint i = 0; i < 2000; i++)
    g_string_append_printf (text,
                            "a 1/1 [000] 1.%06u: sched:sched_switch: prev_comm=a prev_pid=1 prev_prio=120 prev_state=S ==> next_comm=b "
                            "next_pid=2 next_prio=120\n\t 401136 %s+0x%x (/tmp/x)\n\n", i + 1, symbol, i);
  g_assert_true (g_file_set_contents (path, text->str, (gssize) text->len, NULL));
  trace = wp_read (path, NULL, &progress, &error);
  g_assert_no_error (error);
  wp_trace_free (trace);
  g_unlink (path);
  g_assert_cmpfloat (cpu_seconds () - before, <, 2 + 2 * (double) text->len / 1e6);
}

/* What one thread waits for while another gives up. */
static gpointer
cancel (gpointer cancellable)
{
  g_usleep (50000);
  g_cancellable_cancel (cancellable);
  return NULL;
}

static void
test_cancelled (void)
{
  g_autofree char *symbol = doubling (60), *name = NULL;
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (WpDemangler) demangler = wp_demangler_new (cancellable);
  GThread *thread = g_thread_new ("cancel", cancel, cancellable);

  while (!g_cancellable_is_cancelled (cancellable))
    g_free (wp_demangle (demangler, symbol));
  g_thread_join (thread);
  name = wp_demangle (demangler, "_Z1fv");
  g_assert_null (name);
  assert_nothing_told (demangler);
}

static gpointer
ask_often (gpointer demangler)
{
  for (guint i = 0; i < 500; i++)
    {
      g_autofree char *symbol = g_strdup_printf ("_Z4f%03uv", i), *expected = g_strdup_printf ("f%03u()", i);
      g_autofree char *name = wp_demangle (demangler, symbol);

      g_assert_cmpstr (name, ==, expected);
    }
  return NULL;
}

static void
test_threads (void)
{
  g_autoptr (WpDemangler) demangler = wp_demangler_new (NULL);
  GThread *threads[4];

  for (guint i = 0; i < G_N_ELEMENTS (threads); i++)
    threads[i] = g_thread_new ("ask", ask_often, demangler);
  for (guint i = 0; i < G_N_ELEMENTS (threads); i++)
    g_thread_join (threads[i]);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/demangle/plain", test_plain);
  g_test_add_func ("/demangle/ordinary", test_ordinary);
  g_test_add_func ("/demangle/long", test_long);
  g_test_add_func ("/demangle/silent", test_silent);
  g_test_add_func ("/demangle/script", test_script);
  g_test_add_func ("/demangle/cancelled", test_cancelled);
  g_test_add_func ("/demangle/threads", test_threads);
  return g_test_run ();
}
