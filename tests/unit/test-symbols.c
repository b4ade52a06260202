/* Names of functions that are not in the stripped program itself: in separate debug files, packed within it, on a server, in the
 * map of a program that makes code. */
#include "read/read.h"
#include "read/symbols/debuginfod.h"

#include "program.h"

#include <gio/gio.h>
#include <signal.h>

static const char source[] =
  "__attribute__ ((noinline)) static int hidden_one (int n) { __asm__ volatile (\".globl marker\\nmarker: nop\"); return n + 1; }\n"
  "__attribute__ ((noinline)) int shown (int n) { __asm__ volatile (\".globl there\\nthere: nop\"); return hidden_one (n); }\n"
  "int main (int argc, char **argv) { return shown (argc); }\n";

/* Compiles it as `name`, keeps what was stripped in `name`.debug, and says where its function without a dynamic symbol is, and
 * its build id. */
static guint64
build (const char *name, char **build_id)
{
  g_autofree char *path = program_path (name), *text = program_path ("test.c"), *notes = program_path ("id");
  g_autofree char *debug = g_strconcat (name, ".debug", NULL);
  g_autofree guint8 *bytes = NULL;
  GString *hex = g_string_new (NULL);
  guint64 offset;
  gsize n;

  g_assert_true (g_file_set_contents (text, source, -1, NULL));
  program_run ("%s -O2 -g -rdynamic -Wl,--build-id -Dshown=%s_shown -o %s test.c", g_getenv ("WP_CC"), name, name);
  offset = program_marker (path);
  program_run ("objcopy -O binary --only-section=.note.gnu.build-id --set-section-flags .note.gnu.build-id=alloc %s id", name);
  g_assert_true (g_file_get_contents (notes, (char **) &bytes, &n, NULL));
  for (gsize i = n - 20; i < n; i++) /* its note ends with it */
    g_string_append_printf (hex, "%02x", bytes[i]);
  *build_id = g_string_free (hex, FALSE);
  program_run ("objcopy --only-keep-debug %s %s", name, debug);
  program_run ("strip --strip-all %s", name);
  return offset;
}

/* What the frame at this offset is called when it is looked up. */
static char *
name_with (const char *module, const char *build_id, guint64 offset, const WpReadOptions *options, WpProgress *progress,
           GError **error)
{
  g_autoptr (WpTrace) trace = wp_trace_new ();
  WpId frame = wp_trace_user_frame (trace, wp_trace_module (trace, module, build_id), offset);

  wp_read_symbols (trace, options, progress, error);
  return g_strdup (wp_trace_function_name (trace, trace->frames.data[frame].function));
}

static void
assert_name (const char *module, const char *build_id, guint64 offset, const char *root, const char *expected)
{
  const WpReadOptions options = { .symbol_root = root };
  g_autoptr (GError) error = NULL;
  g_autofree char *name = name_with (module, build_id, offset, &options, NULL, &error);

  g_assert_no_error (error);
  g_test_message ("%s: %s", module, name);
  if (expected != NULL)
    g_assert_cmpstr (name, ==, expected);
  else
    g_assert_nonnull (strstr (name, "+0x"));
}

static void
test_build_id (void)
{
  g_autofree char *build_id = NULL, *folder = NULL, *path = NULL;
  guint64 offset = build ("byid", &build_id);

  path = program_path ("byid");
  assert_name (path, build_id, offset, NULL, NULL);
  folder = g_strdup_printf ("usr/lib/debug/.build-id/%.2s", build_id);
  program_run ("mkdir -p root/%s root%s", folder, program_folder);
  program_run ("cp byid root%s/", program_folder);
  program_run ("cp byid.debug root/%s/%s.debug", folder, build_id + 2);
  g_free (folder);
  folder = program_path ("root");
  assert_name (path, build_id, offset, folder, "hidden_one");
  program_run ("rm root%s/byid", program_folder); /* the debug file alone */
  assert_name (path, build_id, offset, folder, "hidden_one");
  assert_name (path, "0123456789abcdef", offset, folder, NULL);
}

/* How many files are not here as they were recorded, when this one is named. */
static guint64
absent (const char *module, const char *build_id, guint64 offset)
{
  g_autoptr (WpTrace) trace = wp_trace_new ();
  WpId id = wp_trace_module (trace, module, build_id);

  wp_trace_user_frame (trace, id, offset);
  wp_read_symbols (trace, NULL, NULL, NULL);
  g_assert_cmpint (trace->modules.data[id].absent, ==, trace->diagnostics.n[WP_DIAG_ABSENT_FILES]);
  return trace->diagnostics.n[WP_DIAG_ABSENT_FILES];
}

/* What has another build id now, or is gone, is found where perf and debuginfod keep files by their build ids. */
static void
test_kept (void)
{
  static const char *const places[] = { "perf/.build-id/%.2s/%s/elf", "perf/.build-id/%.2s/%s/debug", "client/%.2s%s/executable" };
  g_autofree char *build_id = NULL, *other_id = NULL, *path = NULL, *perf = program_path ("perf"), *client = program_path ("client");
  guint64 offset;

  build ("usurper", &other_id);
  offset = build ("kept", &build_id);
  path = program_path ("kept");
  program_run ("cp kept.debug whole"); /* has all names */
  g_assert_cmpuint (absent (path, build_id, offset), ==, 0);
  program_run ("mv usurper kept");
  g_setenv ("PERF_BUILDID_DIR", perf, TRUE);
  g_setenv ("DEBUGINFOD_CACHE_PATH", client, TRUE);
  for (guint i = 0; i < G_N_ELEMENTS (places); i++)
    {
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
      g_autofree char *place = g_strdup_printf (places[i], build_id, build_id + 2), *folder = g_path_get_dirname (place);
#pragma GCC diagnostic pop

      assert_name (path, build_id, offset, NULL, NULL);
      g_assert_cmpuint (absent (path, build_id, offset), ==, 1);
      program_run ("mkdir -p %s", folder);
      program_run ("cp whole %s", place);
      assert_name (path, build_id, offset, NULL, "hidden_one");
      assert_name ("/no/longer/there", build_id, offset, NULL, "hidden_one");
      g_assert_cmpuint (absent (path, build_id, offset), ==, 0);
      program_run ("cp usurper.debug %s", place); /* of another build */
      assert_name (path, build_id, offset, NULL, NULL);
      program_run ("rm %s", place);
    }
  g_assert_cmpuint (absent (path, NULL, offset), ==, 0); /* nobody knows */
  assert_name (path, "-", offset, NULL, NULL);
  g_assert_cmpuint (absent (path, "-", offset), ==, 1);
  g_unsetenv ("PERF_BUILDID_DIR");
  g_unsetenv ("DEBUGINFOD_CACHE_PATH");
}

/* Assembly's names have no type: they count for code that lies in no function. Data have none of either. */
static void
test_labels (void)
{
  static const char *const program =
    "__asm__ (\".text\\n.skip 16\\n.globl bare\\nbare: nop\\n.globl inner\\ninner: nop\\nret\\n.skip 16\\n\");\n"
    "__asm__ (\".data\\n.globl datum\\ndatum: .quad 1\\n.text\\n\");\n"
    "int main (void) { __asm__ volatile (\"nop\\n.globl within\\nwithin: nop\"); return 0; }\n";
  static const struct
  {
    const char *symbol;
    guint further;
    const char *name;
  } cases[] = { { "bare", 0, "bare" }, { "inner", 0, "inner" }, { "inner", 9, "inner" }, { "within", 0, "main" } };
  g_autofree char *path = program_path ("labels"), *text = program_path ("labels.c"), *datum = NULL;

  g_assert_true (g_file_set_contents (text, program, -1, NULL));
  program_run ("%s -O1 -o labels labels.c", g_getenv ("WP_CC"));
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    assert_name (path, NULL, program_symbol (path, cases[i].symbol) + cases[i].further, NULL, cases[i].name);
  datum = name_with (path, NULL, program_symbol (path, "datum"), NULL, NULL, NULL);
  g_assert_cmpstr (datum, !=, "datum");
}

static void
test_link (void)
{
  static const char *const places[] = { ".", ".debug" };
  g_autofree char *build_id = NULL, *path = NULL, *folder = NULL;
  guint64 offset = build ("linked", &build_id);

  path = program_path ("linked");
  program_run ("objcopy --add-gnu-debuglink=linked.debug linked");
  program_run ("mkdir .debug");
  for (guint i = 0; i < G_N_ELEMENTS (places); i++)
    {
      program_run ("mv linked.debug kept");
      assert_name (path, build_id, offset, NULL, NULL);
      program_run ("cp kept %s/linked.debug", places[i]);
      assert_name (path, build_id, offset, NULL, "hidden_one");
      program_run ("rm %s/linked.debug", places[i]);
      program_run ("mv kept linked.debug");
    }
  program_run ("rm -f linked.debug");
  g_test_message ("another file of this name");
  g_free (build_id);
  build ("other", &build_id);
  program_run ("cp other.debug linked.debug");
  assert_name (path, NULL, offset, NULL, NULL);
}

static void
test_packed (void)
{
  g_autofree char *build_id = NULL, *path = NULL;
  guint64 offset = build ("packed", &build_id);

  path = program_path ("packed");
  program_run ("objcopy --strip-debug packed.debug mini");
  program_run ("xz mini");
  program_run ("objcopy --add-section .gnu_debugdata=mini.xz packed");
  assert_name (path, build_id, offset, NULL, "hidden_one");
  program_run ("objcopy --remove-section .gnu_debugdata packed");
  program_run ("dd status=none if=mini.xz of=cut.xz bs=1 count=300");
  program_run ("objcopy --add-section .gnu_debugdata=cut.xz packed");
  assert_name (path, build_id, offset, NULL, NULL);
}

/* --- a server ------------------------------------------------------------------------------------------------------ */

/* Answers what a debuginfod would be asked for, from a folder; or takes the question and never answers. */
typedef struct
{
  GSocketListener *listener;
  GThread *thread;
  GCancellable *stop;
  gboolean mute;
  gint questions;
  guint16 port;
} Server;

static void
answer (Server *self, GSocketConnection *connection)
{
  GInputStream *in = g_io_stream_get_input_stream (G_IO_STREAM (connection));
  GOutputStream *out = g_io_stream_get_output_stream (G_IO_STREAM (connection));
  char request[4096] = "";
  g_auto (GStrv) words = NULL;
  g_autofree char *path = NULL, *data = NULL, *head = NULL;
  gsize n = 0;
  gssize got;

  g_atomic_int_inc (&self->questions);
  while (strstr (request, "\r\n\r\n") == NULL && n < sizeof request - 1
         && (got = g_input_stream_read (in, request + n, sizeof request - 1 - n, self->stop, NULL)) > 0)
    n += got;
  if (self->mute)
    {
      g_input_stream_read (in, request, 1, self->stop, NULL);
      return;
    }
  words = g_strsplit (request, " ", 3);
  path = program_path (words[1] + 1);
  if (g_file_get_contents (path, &data, &n, NULL))
    head = g_strdup_printf ("HTTP/1.1 200 OK\r\nContent-Length: %" G_GSIZE_FORMAT "\r\nConnection: close\r\n\r\n", n);
  else
    head = g_strdup ("HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
  g_output_stream_write_all (out, head, strlen (head), NULL, NULL, NULL);
  if (data != NULL)
    g_output_stream_write_all (out, data, n, NULL, NULL, NULL);
  g_io_stream_close (G_IO_STREAM (connection), NULL, NULL);
}

static gpointer
serve (gpointer data)
{
  Server *self = data;
  GSocketConnection *connection;

  while ((connection = g_socket_listener_accept (self->listener, NULL, self->stop, NULL)) != NULL)
    {
      answer (self, connection);
      g_object_unref (connection);
    }
  return NULL;
}

static void
server_start (Server *self, gboolean mute)
{
  g_autoptr (GInetAddress) loopback = g_inet_address_new_loopback (G_SOCKET_FAMILY_IPV4);
  g_autoptr (GSocketAddress) address = g_inet_socket_address_new (loopback, 0), bound = NULL;
  g_autofree char *url = NULL, *cache = program_path (mute ? "cache-mute" : "cache");
  GError *error = NULL;

  *self = (Server){ .listener = g_socket_listener_new (), .stop = g_cancellable_new (), .mute = mute };
  g_socket_listener_add_address (self->listener, address, G_SOCKET_TYPE_STREAM, G_SOCKET_PROTOCOL_TCP, NULL, &bound, &error);
  g_assert_no_error (error);
  self->port = g_inet_socket_address_get_port (G_INET_SOCKET_ADDRESS (bound));
  self->thread = g_thread_new ("server", serve, self);
  url = g_strdup_printf ("http://127.0.0.1:%u", self->port);
  g_setenv ("DEBUGINFOD_URLS", url, TRUE);
  g_setenv ("DEBUGINFOD_CACHE_PATH", cache, TRUE);
}

static void
server_stop (Server *self)
{
  g_unsetenv ("DEBUGINFOD_URLS");
  g_unsetenv ("DEBUGINFOD_CACHE_PATH");
  g_cancellable_cancel (self->stop);
  g_thread_join (self->thread);
  g_socket_listener_close (self->listener);
  g_object_unref (self->listener);
  g_object_unref (self->stop);
}

static void
test_server (void)
{
  g_autofree char *build_id = NULL, *other_id = NULL, *path = NULL, *other = NULL;
  guint64 offset = build ("served", &build_id), other_offset = build ("unknown", &other_id);
  Server server;

  path = program_path ("served");
  other = program_path ("unknown");
  program_run ("mkdir -p buildid/%s", build_id);
  program_run ("cp served.debug buildid/%s/debuginfo", build_id);
  assert_name (path, build_id, offset, NULL, NULL);
  server_start (&server, FALSE);
  wp_debuginfod_allow (FALSE); /* the user wants nothing fetched */
  assert_name (path, build_id, offset, NULL, NULL);
  wp_debuginfod_allow (TRUE);
  assert_name (path, NULL, offset, NULL, "hidden_one"); /* the file tells its build id */
  g_assert_cmpint (g_atomic_int_get (&server.questions), ==, 1);
  assert_name ("/no/longer/there", build_id, offset, NULL, "hidden_one"); /* what was brought is kept */
  g_assert_cmpint (g_atomic_int_get (&server.questions), ==, 1);
  assert_name (other, other_id, other_offset, NULL, NULL);
  g_assert_cmpint (g_atomic_int_get (&server.questions), ==, 2);
  assert_name ("[anon:12]", "0123456789abcdef", 0x1234, NULL, NULL);
  assert_name ("/memfd:doublemapper (deleted)", "0123456789abcdef", 0x1234, NULL, NULL);
  assert_name ("/no/build-id", NULL, 0x1234, NULL, NULL);
  g_assert_cmpint (g_atomic_int_get (&server.questions), ==, 2);
  server_stop (&server);
}

static gpointer
cancel_soon (gpointer cancellable)
{
  g_usleep (300 * G_TIME_SPAN_MILLISECOND);
  g_cancellable_cancel (cancellable);
  return NULL;
}

/* Who asks a server that does not answer can leave at once. */
static void
test_mute_server (void)
{
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  WpProgress progress = { .cancellable = cancellable };
  g_autofree char *build_id = NULL, *path = NULL, *name = NULL;
  g_autoptr (GError) error = NULL;
  guint64 offset = build ("waiting", &build_id);
  GThread *thread;
  gint64 begun;
  Server server;

  path = program_path ("waiting");
  server_start (&server, TRUE);
  thread = g_thread_new ("cancel", cancel_soon, cancellable);
  begun = g_get_monotonic_time ();
  name = name_with (path, build_id, offset, NULL, &progress, &error);
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_assert_cmpint (g_get_monotonic_time () - begun, <, 300 * G_TIME_SPAN_MILLISECOND + 250 * G_TIME_SPAN_MILLISECOND);
  g_assert_cmpint (g_atomic_int_get (&server.questions), ==, 1);
  g_assert_nonnull (strstr (name, "+0x"));
  g_thread_join (thread);
  server_stop (&server);
}

/* --- code made at run time ----------------------------------------------------------------------------------------- */

static void
test_jit (void)
{
  gint32 pid = getpid ();
  g_autofree char *map = g_strdup_printf ("/tmp/perf-%d.map", pid), *module = g_strdup_printf ("[anon:%d]", pid);
  g_autofree char *other = g_strdup_printf ("[anon:%d]", G_MAXINT32);
  static const char text[] = "7f0000001000 80 LazyCompile:~first one.js:1\n7f0000001080 40 second\nnonsense\n7f0000002000 10 old\n"
                             "7f0000002000 10 _ZN3jit3newEv\n7f0000003000 40 cut";

  g_assert_true (g_file_set_contents (map, text, -1, NULL));
  assert_name (module, NULL, 0x7f0000001010, NULL, "LazyCompile:~first one.js:1");
  assert_name (map, NULL, 0x7f00000010bf, NULL, "second");
  assert_name (module, NULL, 0x7f00000010c0, NULL, NULL);
  assert_name (module, NULL, 0x7f0000002008, NULL, "jit::new()");
  assert_name (module, NULL, 0x7f0000003000, NULL, NULL);
  assert_name (other, NULL, 0x7f0000001010, NULL, NULL);
  if (geteuid () == 0)
    {
      g_assert_cmpint (chown (map, 12345, 12345), ==, 0);
      assert_name (module, NULL, 0x7f0000001010, NULL, NULL);
    }
  g_assert_cmpint (g_unlink (map), ==, 0);
  program_run ("cp test.c aside");
  g_assert_cmpint (symlink ("/etc/passwd", map), ==, 0);
  assert_name (module, NULL, 0x7f0000001010, NULL, NULL);
  g_assert_cmpint (g_unlink (map), ==, 0);
}

/* --- several at a time --------------------------------------------------------------------------------------------- */

#define MODULES 12

static WpTrace *
name_many (char *const *paths, const guint64 *offsets)
{
  WpTrace *trace = wp_trace_new ();
  g_autoptr (GError) error = NULL;

  for (guint i = 0; i < MODULES; i++)
    for (guint n = 0; n <= i % 5; n++)
      wp_trace_user_frame (trace, wp_trace_module (trace, paths[i], NULL), offsets[i] + n);
  wp_read_symbols (trace, NULL, NULL, &error);
  g_assert_no_error (error);
  return trace;
}

/* Whoever is faster, functions get the same ids. */
static void
test_pool (void)
{
  char *paths[MODULES];
  guint64 offsets[MODULES];
  g_autoptr (WpTrace) first = NULL;

  for (guint i = 0; i < MODULES; i++)
    {
      g_autofree char *build_id = NULL, *name = g_strdup_printf ("many%u", i), *debug = g_strdup_printf ("many%u.debug", i);

      offsets[i] = build (name, &build_id);
      paths[i] = program_path (i % 2 == 0 ? name : debug);
      if (i % 2 == 0)
        program_run ("objcopy --add-gnu-debuglink=%s %s", debug, name);
    }
  first = name_many (paths, offsets);
  for (guint round = 0; round < 20; round++)
    {
      g_autoptr (WpTrace) again = name_many (paths, offsets);

      g_assert_cmpuint (again->functions.len, ==, first->functions.len);
      for (WpId f = 1; f < first->functions.len; f++)
        {
          g_assert_cmpstr (wp_trace_function_name (again, f), ==, wp_trace_function_name (first, f));
          g_assert_cmpuint (again->functions.data[f].module, ==, first->functions.data[f].module);
        }
    }
  for (WpId i = 1; i < first->frames.len; i++)
    g_assert_cmpstr (wp_trace_function_name (first, first->frames.data[i].function), ==, "hidden_one");
  for (guint i = 0; i < MODULES; i++)
    g_free (paths[i]);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_unsetenv ("DEBUGINFOD_URLS");
  g_test_add_func ("/symbols/build-id", test_build_id);
  g_test_add_func ("/symbols/kept", test_kept);
  g_test_add_func ("/symbols/labels", test_labels);
  g_test_add_func ("/symbols/link", test_link);
  g_test_add_func ("/symbols/packed", test_packed);
  g_test_add_func ("/symbols/server", test_server);
  g_test_add_func ("/symbols/mute-server", test_mute_server);
  g_test_add_func ("/symbols/jit", test_jit);
  g_test_add_func ("/symbols/pool", test_pool);
  return program_tests ();
}
