#include "read/tracepoints.h"

#include <netinet/in.h>

enum
{
  TCP_STATE_ESTABLISHED = 1,
  TCP_STATE_SYN_SENT = 2,
};

static const WpTracepoint rows[] = {
  { "sched:sched_switch", WP_EVENT_SWITCH, WP_SHAPE_SWITCH },
  { "sched:sched_waking", WP_EVENT_WAKING, WP_SHAPE_WAKE },
  { "sched:sched_wakeup", WP_EVENT_WAKEUP, WP_SHAPE_WAKE },
  { "sched:sched_wakeup_new", WP_EVENT_WAKEUP_NEW, WP_SHAPE_WAKE },
  { "sched:sched_process_fork", WP_EVENT_FORK, WP_SHAPE_FORK },
  { "sched:sched_process_exec", WP_EVENT_EXEC, WP_SHAPE_EXEC },
  { "sched:sched_process_exit", WP_EVENT_EXIT, WP_SHAPE_EXIT },
  { "signal:signal_generate", WP_EVENT_SIGNAL, WP_SHAPE_SIGNAL },
  { "block:block_bio_queue", WP_EVENT_BIO_QUEUE, WP_SHAPE_BLOCK },
  { "block:block_getrq", WP_EVENT_BIO_GETRQ, WP_SHAPE_BLOCK },
  { "block:block_split", WP_EVENT_BIO_SPLIT, WP_SHAPE_SPLIT },
  { "block:block_io_start", WP_EVENT_IO_START, WP_SHAPE_BLOCK },
  { "block:block_rq_insert", WP_EVENT_RQ_INSERT, WP_SHAPE_BLOCK },
  { "block:block_rq_issue", WP_EVENT_RQ_ISSUE, WP_SHAPE_BLOCK },
  { "block:block_rq_complete", WP_EVENT_RQ_COMPLETE, WP_SHAPE_BLOCK },
  { "block:block_bio_backmerge", WP_EVENT_RQ_MERGE, WP_SHAPE_BLOCK },
  { "block:block_bio_frontmerge", WP_EVENT_RQ_MERGE, WP_SHAPE_BLOCK },
  { "block:block_rq_merge", WP_EVENT_RQ_ABSORBED, WP_SHAPE_BLOCK },
  { "block:block_rq_requeue", WP_EVENT_RQ_REQUEUE, WP_SHAPE_BLOCK },
  { "filemap:mm_filemap_add_to_page_cache", WP_EVENT_FILE, WP_SHAPE_FILE, .file = WP_FILE_READS | WP_FILE_HEX },
  { "ext4:ext4_ext_map_blocks_exit", WP_EVENT_FILE, WP_SHAPE_FILE, .file = WP_FILE_READS | WP_FILE_WRITES },
  { "ext4:ext4_es_lookup_extent_exit", WP_EVENT_FILE, WP_SHAPE_FILE, .file = WP_FILE_READS | WP_FILE_WRITES },
  { "ext4:ext4_writepages", WP_EVENT_FILE, WP_SHAPE_FILE, .file = WP_FILE_WRITES },
  { "ext4:ext4_allocate_inode", WP_EVENT_FILE, WP_SHAPE_FILE, .file = WP_FILE_CREATED },
  { "iomap:iomap_dio_rw_begin", WP_EVENT_FILE, WP_SHAPE_FILE, .file = WP_FILE_READS | WP_FILE_WRITES | WP_FILE_HEX },
  { "irq:irq_handler_entry", WP_EVENT_IRQ_ENTRY, WP_SHAPE_IRQ },
  { "irq:irq_handler_exit", WP_EVENT_IRQ_EXIT, WP_SHAPE_IRQ },
  { "sock:inet_sock_set_state", WP_EVENT_NET_STATE, WP_SHAPE_STATE },
  { "sock:sk_data_ready", WP_EVENT_NET_READY, WP_SHAPE_READY },
  { "sock:sock_send_length", WP_EVENT_NET_SEND, WP_SHAPE_SENT },
  { "tcp:tcp_sendmsg_locked", WP_EVENT_NET_SENDING, WP_SHAPE_SENDING },
  { "tcp:tcp_probe", WP_EVENT_NET_READY, WP_SHAPE_PROBE, IPPROTO_TCP },
  { "fib:fib_table_lookup", WP_EVENT_NET_ROUTE, WP_SHAPE_ROUTE },
  { "fib6:fib6_table_lookup", WP_EVENT_NET_ROUTE, WP_SHAPE_ROUTE },
  { "probe:tcp_v4_connect", WP_EVENT_NET_STATE, WP_SHAPE_SOCKET, IPPROTO_TCP, TCP_STATE_SYN_SENT },
  { "probe:tcp_v6_connect", WP_EVENT_NET_STATE, WP_SHAPE_SOCKET, IPPROTO_TCP, TCP_STATE_SYN_SENT },
  { "probe:tcp_finish_connect", WP_EVENT_NET_STATE, WP_SHAPE_SOCKET, IPPROTO_TCP, TCP_STATE_ESTABLISHED },
  { "probe:tcp_rcv_established", WP_EVENT_NET_READY, WP_SHAPE_SOCKET, IPPROTO_TCP },
  { "probe:udp_queue_rcv_skb", WP_EVENT_NET_READY, WP_SHAPE_SOCKET, IPPROTO_UDP },
  { "probe:tcp_sendmsg", WP_EVENT_NET_SEND, WP_SHAPE_SOCKET, IPPROTO_TCP },
  { "probe:udp_sendmsg", WP_EVENT_NET_SEND, WP_SHAPE_SOCKET, IPPROTO_UDP },
  { "probe:udpv6_sendmsg", WP_EVENT_NET_SEND, WP_SHAPE_SOCKET, IPPROTO_UDP },
  { NULL },
};

const WpTracepoint *
wp_tracepoint_table (void)
{
  return rows;
}

const WpTracepoint *
wp_tracepoint_find (const char *name)
{
  for (const WpTracepoint *row = rows; row->name != NULL; row++)
    if (g_str_equal (row->name, name))
      return row;
  return NULL;
}

/* The page cache of a block device itself holds the file system's own blocks. Its inode's number is that of the device, and the
 * inode's device is none. */
static gboolean
is_block_device (guint32 dev, guint64 inode)
{
  return dev >> 20 == 0 && inode >> 20 != 0 && inode >> 32 == 0 && (inode & 0xfffff) < 4096;
}

void
wp_tracepoint_file (const WpTracepoint *tracepoint, guint32 dev, guint64 inode, WpEvent *event)
{
  event->file.dev = dev;
  event->file.inode = inode;
  event->file.reads = (tracepoint->file & WP_FILE_READS) != 0;
  event->file.writes = (tracepoint->file & WP_FILE_WRITES) != 0;
  event->file.created = (tracepoint->file & WP_FILE_CREATED) != 0;
  event->file.metadata = is_block_device (dev, inode);
}
