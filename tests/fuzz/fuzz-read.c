/* Opens any bytes as a recording. */
#include "read/read.h"

#include "../unit/pack-maker.h"

#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput (const uint8_t *data, size_t size);
void wp_fuzz_seeds (GPtrArray *seeds);
const char *__lsan_default_suppressions (void);

/* libtraceevent loses a few bytes for each field that it cannot make sense of. */
const char *
__lsan_default_suppressions (void)
{
  return "leak:libtraceevent.so\n";
}

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  int fd = memfd_create ("recording", MFD_CLOEXEC);
  g_autofree char *path = g_strdup_printf ("/proc/self/fd/%d", fd);
  g_autoptr (GError) error = NULL;
  g_autoptr (WpTrace) trace = NULL;

  if (fd >= 0 && write (fd, data, size) == (ssize_t) size)
    {
      trace = wp_read (path, NULL, NULL, &error);
      g_assert_true ((trace == NULL) == (error != NULL));
    }
  if (trace != NULL)
    {
      g_autofree char *broken = wp_trace_check (trace);

      g_assert_cmpstr (broken, ==, NULL);
      wp_read_symbols (trace, NULL, NULL, NULL);
    }
  if (fd >= 0)
    close (fd);
  return 0;
}

static GByteArray *
text_seed (void)
{
  static const char text[] =
    "pass 11/11 [000] 1.000100: sched:sched_switch: prev_comm=pass prev_pid=11 prev_prio=120 prev_state=S ==> "
    "next_comm=swapper/0 next_pid=0 next_prio=120\n\tffffffff81000010 __schedule+0x10 ([kernel.kallsyms])\n"
    "\t 401136 _ZN3foo3barEi+0x6 (/tmp/pass)\n\t 401236 [unknown] (/tmp/pass)\n\n"
    "b 12/12 [001] 1.000200: 1 sched:sched_waking: comm=pass pid=11 prio=120 target_cpu=000\n\n"
    "pass 11/11 [000] 1.000300: sched:sched_switch: pass:11 [120] R+ ==> b:12 [120]\n\n"
    "b 12/12 [000] 1.000310: PERF_RECORD_FORK(13:13):(12:12)\n"
    "b 12/12 [000] 1.000320: sched:sched_process_fork: comm=b pid=12 child_comm=b child_pid=13\n\n"
    "b 12/12 [000] 1.000330: block:block_rq_issue: 254,1 RA 4096 () 512 + 8 0x2,0,4 [b]\n\n"
    "b 12/12 [000] 1.000340: block:block_rq_complete: 254,1 RA () 512 + 8 0x2,0,4 [0]\n\n"
    "b 12/12 [000] 1.000350: sock:inet_sock_set_state: family=AF_INET protocol=IPPROTO_TCP sport=1 dport=2 saddr=127.0.0.1 "
    "daddr=127.0.0.1 saddrv6=::1 daddrv6=::1 oldstate=TCP_CLOSE newstate=TCP_SYN_SENT\n\n"
    "b 12/12 [000] 1.000360: tcp:tcp_probe: family=AF_INET src=127.0.0.1:1 dest=127.0.0.1:2 data_len=1 skaddr=0xff\n\n"
    "b 12/12 [000] 1.000370: PERF_RECORD_LOST lost 17\n"
    "c 12/12 [000] 1.000380: PERF_RECORD_COMM exec: c:12/12\n"
    "c 12/12 [000] 1.000390: 250000 cpu-clock: ffffffff81000010 f ([kernel.kallsyms])\n";
  GByteArray *seed = g_byte_array_new ();

  g_byte_array_append (seed, (const guint8 *) text, strlen (text));
  return seed;
}

static GByteArray *
rich_records (void)
{
  static const guint64 user[] = { PERF_CONTEXT_USER, MAKER_USER + 0x170 };
  GByteArray *records = maker_exchange ();

  maker_fork (records, 11, 20, 7000);
  maker_comm (records, 20, "new", TRUE, 7300, 0);
  maker_mmap2 (records, 20, MAKER_USER, 0x1000, 0, "/proc/self/exe", 7500);
  maker_sample (records, 3, 20, 7600, 0, user, 2, NULL);
  maker_lost (records, 5, 8000, 1);
  return records;
}

static GByteArray *
compressed_seed (guint32 type, gsize piece, gboolean frames)
{
  const PackCompressor how = { type, piece, frames };

  return maker_stream (pack_records (rich_records (), &how), FALSE);
}

/* Stored as they are within, so that changes reach what is packed. */
static void
add_packed (GPtrArray *seeds, GByteArray *seed)
{
  g_ptr_array_add (seeds, pack_gzip (seed->data, seed->len, 0));
  g_ptr_array_add (seeds, pack_gzip (seed->data, seed->len, 9));
  g_ptr_array_add (seeds, pack_zstd (seed->data, seed->len, 3));
  g_byte_array_unref (seed);
}

void
wp_fuzz_seeds (GPtrArray *seeds)
{
  g_ptr_array_add (seeds, compressed_seed (PACK_COMPRESSED, 500, FALSE));
  g_ptr_array_add (seeds, compressed_seed (PACK_COMPRESSED, 11, FALSE));
  g_ptr_array_add (seeds, compressed_seed (PACK_COMPRESSED2, 60, TRUE));
  add_packed (seeds, maker_stream (rich_records (), FALSE));
  add_packed (seeds, maker_file (rich_records ()));
  add_packed (seeds, text_seed ());
  g_ptr_array_add (seeds, maker_stream (rich_records (), FALSE));
  g_ptr_array_add (seeds, maker_stream (rich_records (), TRUE));
  g_ptr_array_add (seeds, maker_file (rich_records ()));
  g_ptr_array_add (seeds, text_seed ());
}
