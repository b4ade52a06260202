/* The running kernel's addresses are taken out of a recording, and it says the same as before. */
#include "perf-maker.h"
#include "read/read.h"
#include "read/perf/veil.h"
#include "trace-text.h"

#include <fcntl.h>
#include <glib/gstdio.h>
#include <unistd.h>

#define MOVED G_GUINT64_CONSTANT (0x1a600000) /* by so much this kernel was randomised */
#define TEXT (MAKER_KERNEL + MOVED)
#define TEXT_SIZE 0x400
#define MODULE G_GUINT64_CONSTANT (0xffffffffc0af3000)
#define NOWHERE G_GUINT64_CONSTANT (0xffffffffc2345678) /* code without a symbol */
#define DATA G_GUINT64_CONSTANT (0xffff9d1234000000)    /* this kernel's direct map */
#define DATA_SIZE G_GUINT64_CONSTANT (0x400000000)

enum
{
  SOCKET = 102,
  UNKNOWN = 103, /* a tracepoint whose format is missing */
};

static const char symbols[] = "ffffffff9b600000 T _stext\nffffffff9b600100 T __schedule\nffffffff9b600200 T schedule\n"
                              "ffffffff9b600300 T try_to_wake_up\nffffffffc0af3000 t nf_hook\t[nf_tables]\n";

static GByteArray *
tracing_data (void)
{
  GByteArray *out = maker_tracing_data ();
  gsize at = out->len - 12; /* behind the symbols: two empty parts */
  guint32 n = sizeof symbols - 1;

  while (memcmp (out->data + at, "ffffffff81000000", 16) != 0)
    at--;
  g_byte_array_set_size (out, at - 4);
  for (gsize i = 0; i + 6 <= out->len; i++)
    if (memcmp (out->data + i, "sched", 6) == 0 && out->data[i + 6] == 2)
      out->data[i + 6] = 3; /* events */
  maker_format (out, "sk_data_ready", SOCKET,
                "\tfield:const void * skaddr;\toffset:8;\tsize:8;\tsigned:0;\n\tfield:__u16 family;\toffset:16;\tsize:2;\tsigned:0;\n"
                "\tfield:int protocol;\toffset:20;\tsize:4;\tsigned:1;\n\tfield:void * func;\toffset:24;\tsize:8;\tsigned:0;\n"
                "\tfield:s64 left;\toffset:32;\tsize:8;\tsigned:1;\n\tfield:char name[12];\toffset:40;\tsize:12;\tsigned:0;\n"
                "\tfield:__u8 saddr_v6[16];\toffset:52;\tsize:16;\tsigned:0;\n");
  maker_u32 (out, n);
  maker_bytes (out, symbols, n);
  maker_u32 (out, 0);
  maker_u64 (out, 0);
  return out;
}

static void
attribute (GByteArray *out, guint32 type, guint64 config, guint64 id)
{
  GByteArray *body = g_byte_array_new ();

  maker_attr (body, type, config, FALSE);
  maker_u64 (body, id);
  maker_record (out, WP_PERF_RECORD_ATTR, 0, body);
}

static void
kernel_map (GByteArray *out, guint64 start, guint64 size, guint64 offset, const char *name)
{
  GByteArray *body = g_byte_array_new ();

  maker_u32 (body, G_MAXUINT32);
  maker_u32 (body, 0);
  maker_u64 (body, start);
  maker_u64 (body, size);
  maker_u64 (body, offset);
  maker_text (body, name, 32);
  maker_tail (body, 0, 0, 0, 0, 0);
  maker_record (out, PERF_RECORD_MMAP, PERF_RECORD_MISC_KERNEL, body);
}

static const guint64 negative = (guint64) -(G_GINT64_CONSTANT (1) << 40);
static const guint8 ipv6[16] = { 0x20, 1, 0xd, 0xb8, 0, 0, 0, 0, 0x12, 0x34, 0x12, 0x99, 0xff, 0xff, 0, 1 };

static void
socket_event (GByteArray *out, guint64 time, guint64 socket)
{
  const guint64 chain[] = { PERF_CONTEXT_KERNEL, TEXT + 0x310, MODULE + 0x20, NOWHERE, NOWHERE + 8, PERF_CONTEXT_USER, TEXT + 0x300 };
  GByteArray *raw = maker_raw (SOCKET, 0, 11);
  const guint64 stale = DATA + 0x80, func = TEXT + 0x250;

  maker_u64 (raw, socket);
  maker_bytes (raw, "\2\0\x80\x9d", 4);
  maker_u32 (raw, 6);
  maker_u64 (raw, func);
  maker_u64 (raw, negative);
  maker_bytes (raw, "ab\0", 4);
  maker_bytes (raw, &stale, 8); /* what stood behind the name before */
  maker_bytes (raw, ipv6, 16);
  maker_sample (out, 4, 11, time, 0, chain, G_N_ELEMENTS (chain), raw);
}

static void
unknown_event (GByteArray *out, guint64 time)
{
  GByteArray *raw = maker_raw (UNKNOWN, 0, 11);

  maker_u64 (raw, DATA + 0x40);
  maker_u64 (raw, 42);
  maker_sample (out, 5, 11, time, 0, NULL, 0, raw);
}

/* Whatever the maker takes for an address of its own kernel's is one of the randomised. */
static void
randomise (GByteArray *out)
{
  for (gsize i = 0; i + 8 <= out->len; i++)
    {
      guint64 value;

      memcpy (&value, out->data + i, 8);
      if (value < MAKER_KERNEL || value >= MAKER_KERNEL + TEXT_SIZE)
        continue;
      value += MOVED;
      memcpy (out->data + i, &value, 8);
    }
}

static GByteArray *
make_recording (void)
{
  GByteArray *out = g_byte_array_new (), *records = maker_exchange ();

  maker_bytes (out, "PERFILE2", 8);
  maker_u64 (out, 16);
  for (guint i = 0; i < G_N_ELEMENTS (maker_events); i++)
    attribute (out, maker_events[i].type, maker_events[i].config, i + 1);
  attribute (out, PERF_TYPE_TRACEPOINT, SOCKET, 4);
  attribute (out, PERF_TYPE_TRACEPOINT, UNKNOWN, 5);
  maker_tracing (out, tracing_data ());
  kernel_map (out, TEXT, TEXT_SIZE, TEXT, "[kernel.kallsyms]_stext");
  kernel_map (out, MODULE, 0x4000, 0, "[nf_tables]");
  maker_bytes (out, records->data, records->len);
  g_byte_array_unref (records);
  for (guint i = 0; i < 6; i++)
    {
      socket_event (out, 7000 + 10 * i, DATA + 0x1000 * (i % 3));
      unknown_event (out, 7005 + 10 * i);
    }
  randomise (out);
  return out;
}

typedef struct
{
  char *path;
  GByteArray *data;
} Fixture;

static void
write_file (const Fixture *self)
{
  g_assert_true (g_file_set_contents (self->path, (const char *) self->data->data, (gssize) self->data->len, NULL));
}

static void
set_up (Fixture *self, gconstpointer data)
{
  int fd = g_file_open_tmp ("wakepath-veil-XXXXXX", &self->path, NULL);

  g_assert_cmpint (fd, >=, 0);
  close (fd);
  self->data = make_recording ();
  write_file (self);
}

static void
tear_down (Fixture *self, gconstpointer data)
{
  g_unlink (self->path);
  g_free (self->path);
  g_byte_array_unref (self->data);
}

/* The file's bytes afterwards take the place of those before. */
static void
veil (Fixture *self)
{
  int fd = open (self->path, O_RDWR | O_CLOEXEC);
  GError *error = NULL;
  char *text;
  gsize n;

  g_assert_true (wp_veil_kernel (fd, self->path, self->path, NULL, &error));
  g_assert_no_error (error);
  close (fd);
  g_assert_true (g_file_get_contents (self->path, &text, &n, NULL));
  g_byte_array_unref (self->data);
  self->data = g_byte_array_new_take ((guint8 *) text, n);
}

static gboolean
is_secret (guint64 value)
{
  return (value >= TEXT && value < TEXT + TEXT_SIZE) || (value >= MODULE && value < MODULE + 0x4000)
         || (value >> 12 == NOWHERE >> 12) || (value >= DATA && value < DATA + DATA_SIZE);
}

/* As numbers at any place, and as text. */
static guint
count_secrets (const GByteArray *data)
{
  guint n = 0;

  for (gsize i = 0; i + 8 <= data->len; i++)
    {
      guint64 value;

      memcpy (&value, data->data + i, 8);
      n += is_secret (value);
      value = i + 16 <= data->len && data->data[i] == 'f' ? g_ascii_strtoull ((const char *) data->data + i, NULL, 16) : 0;
      n += is_secret (value);
    }
  return n;
}

static void
test_nothing_left (Fixture *self, gconstpointer data)
{
  gsize n = self->data->len;

  g_assert_cmpuint (count_secrets (self->data), >, 60);
  veil (self);
  g_assert_cmpuint (self->data->len, ==, n);
  g_assert_cmpuint (count_secrets (self->data), ==, 0);
}

static void
test_same (Fixture *self, gconstpointer data)
{
  g_autofree char *before = trace_text (self->path), *after = NULL;

  g_assert_nonnull (strstr (before, "__schedule([kernel])"));
  veil (self);
  after = trace_text (self->path);
  g_assert_cmpstr (after, ==, before);
}

/* The n-th record of a kind, behind its header. */
static const guint8 *
find_sample (const GByteArray *data, guint64 id, guint n)
{
  for (gsize at = 16; at + 16 <= data->len;)
    {
      guint32 type, trailing = 0;
      guint64 this;
      guint16 size;

      memcpy (&type, data->data + at, 4);
      memcpy (&size, data->data + at + 6, 2);
      memcpy (&this, data->data + at + 8, 8);
      if (type == PERF_RECORD_SAMPLE && this == id && n-- == 0)
        return data->data + at + 8;
      if (type == 66)
        memcpy (&trailing, data->data + at + 8, 4);
      at += size + (trailing + 7) / 8 * 8;
    }
  g_assert_not_reached ();
}

#define CHAIN 48
#define RAW (CHAIN + 8 + 7 * 8 + 4)

static guint64
number (const guint8 *at)
{
  guint64 value;

  memcpy (&value, at, 8);
  return value;
}

/* One to one, by distance, and nothing that is no address. */
static void
test_places (Fixture *self, gconstpointer data)
{
  const guint8 *first, *second, *again;

  veil (self);
  first = find_sample (self->data, 4, 0);
  second = find_sample (self->data, 4, 1);
  again = find_sample (self->data, 4, 3);
  g_assert_cmphex (number (first + CHAIN + 16), ==, MAKER_KERNEL + 0x310);
  g_assert_cmphex (number (first + CHAIN + 24) & 0xfff, ==, 0x20);
  g_assert_cmphex (number (first + CHAIN + 40) - number (first + CHAIN + 32), ==, 8);
  g_assert_cmphex (number (first + CHAIN + 48), ==, PERF_CONTEXT_USER);
  g_assert_cmpuint (number (first + RAW + 8), >, 0);
  g_assert_cmpuint (number (first + RAW + 8), <, 10);
  g_assert_cmpuint (number (first + RAW + 8), !=, number (second + RAW + 8));
  g_assert_cmpuint (number (first + RAW + 8), ==, number (again + RAW + 8));
  g_assert_cmphex (number (first + RAW + 24), ==, MAKER_KERNEL + 0x250);
  g_assert_cmphex (number (first + RAW + 32), ==, negative);
  g_assert_cmpmem (first + RAW + 40, 12, "ab\0\0\0\0\0\0\0\0\0", 12);
  g_assert_cmpmem (first + RAW + 52, 16, ipv6, 16);
  g_assert_cmpmem (first + RAW + 16, 4, "\2\0\0", 4);
  g_assert_cmpuint (number (find_sample (self->data, 5, 0) + CHAIN + 8 + 4 + 16), ==, 42);
}

/* A second time there is nothing to be done. */
static void
test_twice (Fixture *self, gconstpointer data)
{
  GByteArray *once;

  veil (self);
  once = g_byte_array_ref (self->data);
  veil (self);
  g_assert_cmpmem (self->data->data, self->data->len, once->data, once->len);
  g_byte_array_unref (once);
}

/* Cut off anywhere: what is no whole record any more goes, and with it what nobody could take out. */
static void
test_cut (Fixture *self, gconstpointer data)
{
  gsize whole = self->data->len;

  for (gsize n = whole - 900; n < whole; n += 7)
    {
      g_byte_array_unref (self->data);
      self->data = make_recording ();
      g_byte_array_set_size (self->data, n);
      write_file (self);
      veil (self);
      g_assert_cmpuint (self->data->len, <=, n);
      g_assert_cmpuint (self->data->len, >, n - 400);
      g_assert_cmpuint (count_secrets (self->data), ==, 0);
    }
}

static void
test_refused (Fixture *self, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  int fd = open ("/proc/self/exe", O_RDONLY | O_CLOEXEC);

  g_assert_false (wp_veil_kernel (fd, "/proc/self/exe", "name", NULL, &error));
  g_assert_true (g_str_has_prefix (error->message, "name is no perf.data stream"));
  close (fd);
}

#define ADD(path, function) g_test_add (path, Fixture, NULL, set_up, function, tear_down)

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  ADD ("/veil/nothing-left", test_nothing_left);
  ADD ("/veil/same", test_same);
  ADD ("/veil/places", test_places);
  ADD ("/veil/twice", test_twice);
  ADD ("/veil/cut", test_cut);
  ADD ("/veil/refused", test_refused);
  return g_test_run ();
}
