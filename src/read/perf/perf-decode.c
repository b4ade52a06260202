/* The fields of tracepoints, shape by shape, and what is made of them. */
#include "read/perf/perf-decode.h"

#include <arpa/inet.h>

#define RAW_ADDRESS_MAX 28 /* a sockaddr_in6 */

typedef struct
{
  WpStrings *strings;
  const WpPerfEventType *type;
  const guint8 *raw;
  gsize size;
} Raw;

static guint64
get_number (const Raw *raw, const WpPerfField *field)
{
  const guint8 *p = raw->raw + field->offset;
  guint16 half;

  if ((gsize) field->offset + field->size > raw->size)
    return 0;
  switch (field->size)
    {
    case 8:
      return wp_read_u64 (p);
    case 4:
      return field->is_signed ? (guint64) (gint64) (gint32) wp_read_u32 (p) : wp_read_u32 (p);
    case 2:
      memcpy (&half, p, 2);
      return half;
    case 1:
      return *p;
    default:
      return 0;
    }
}

static inline guint64
number (const Raw *raw, guint i)
{
  return get_number (raw, &raw->type->fields[i]);
}

static WpId
text (const Raw *raw, guint i)
{
  const WpPerfField *field = &raw->type->fields[i];
  gsize offset = field->offset, n = field->size;

  if (n == 0 || offset + n > raw->size)
    return 0;
  if (field->dynamic)
    {
      guint32 place = n == 4 ? wp_read_u32 (raw->raw + offset) : 0;

      offset = place & 0xffff;
      n = place >> 16;
      if (offset + n > raw->size)
        return 0;
    }
  if (n == WP_NAME_FIELD)
    return wp_strings_intern_name (raw->strings, raw->raw + offset);
  return wp_strings_intern_n (raw->strings, (const char *) raw->raw + offset,
                              strnlen ((const char *) raw->raw + offset, n));
}

static void
decode_switch_numbers (const Raw *raw, WpEvent *event)
{
  event->sw.prev_tid = number (raw, 0);
  event->sw.next_tid = number (raw, 1);
  event->sw.prev_state = number (raw, 2);
}

static gboolean
decode_switch (const Raw *raw, WpEvent *event)
{
  decode_switch_numbers (raw, event);
  event->sw.prev_comm = text (raw, 3);
  event->sw.next_comm = text (raw, 4);
  return TRUE;
}

static gboolean
decode_wake (const Raw *raw, WpEvent *event)
{
  event->wake.tid = number (raw, 0);
  event->wake.comm = text (raw, 1);
  return TRUE;
}

/* 1: ignored, 2: pending already, 3: no room for it. */
static gboolean
decode_signal (const Raw *raw, WpEvent *event)
{
  guint64 result = number (raw, 2);

  event->wake.refused = result >= 1 && result <= 3;
  return decode_wake (raw, event);
}

static gboolean
decode_fork (const Raw *raw, WpEvent *event)
{
  event->fork.parent_tid = number (raw, 0);
  event->fork.child_tid = number (raw, 1);
  event->fork.child_comm = text (raw, 2);
  event->fork.child_pid = -1;
  return TRUE;
}

static gboolean
decode_exec (const Raw *raw, WpEvent *event)
{
  event->program.tid = number (raw, 0);
  event->program.old_tid = raw->type->fields[1].size != 0 ? (gint32) number (raw, 1) : event->program.tid;
  event->program.comm = text (raw, 2); /* the file's path, so far */
  event->program.exec = 1;
  return TRUE;
}

static gboolean
decode_exit (const Raw *raw, WpEvent *event)
{
  event->program.tid = event->program.old_tid = number (raw, 0);
  event->program.comm = text (raw, 1);
  return TRUE;
}

static gboolean
decode_block (const Raw *raw, WpEvent *event)
{
  const char *letters;

  event->block.dev = number (raw, 0);
  event->block.sector = number (raw, 1);
  event->block.sectors = number (raw, 2);
  event->block.rwbs = text (raw, 3);
  letters = wp_strings_get (raw->strings, event->block.rwbs);
  event->block.flush = event->block.sectors == 0 && strchr (letters, 'F') != NULL;
  return TRUE;
}

static gboolean
decode_split (const Raw *raw, WpEvent *event)
{
  event->block.dev = number (raw, 0);
  event->block.sector = number (raw, 1);
  event->block.sectors = number (raw, 2) - event->block.sector;
  event->block.rwbs = text (raw, 3);
  return TRUE;
}

static gboolean
decode_file (const Raw *raw, WpEvent *event)
{
  wp_tracepoint_file (raw->type->tracepoint, number (raw, 0), number (raw, 1), event);
  return raw->type->fields[1].size != 0;
}

static gboolean
decode_irq (const Raw *raw, WpEvent *event)
{
  event->irq.irq = number (raw, 0);
  event->irq.name = text (raw, 1);
  return TRUE;
}

/* "host:port", or 0 where there is no port. A socket for both families has addresses of the older one inside of the newer: so that
 * both ends of a connection have the same names, these are the older. */
static WpId
end_point (WpStrings *strings, int family, const guint8 *address, guint port)
{
  static const guint8 mapped[12] = { 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff };
  char host[INET6_ADDRSTRLEN], name[INET6_ADDRSTRLEN + 16];

  if (family == AF_INET6 && memcmp (address, mapped, sizeof mapped) == 0)
    {
      family = AF_INET;
      address += sizeof mapped;
    }
  if (port == 0 || inet_ntop (family, address, host, sizeof host) == NULL)
    return 0;
  g_snprintf (name, sizeof name, family == AF_INET6 ? "[%s]:%u" : "%s:%u", host, port);
  return wp_strings_intern (strings, name);
}

static WpId
split_end_point (const Raw *raw, guint port, guint v4_field, guint v6_field, guint family)
{
  const WpPerfField *field = &raw->type->fields[family == AF_INET6 ? v6_field : v4_field];
  gsize need = family == AF_INET6 ? 16 : 4;

  if (field->size < need || (gsize) field->offset + need > raw->size)
    return 0;
  return end_point (raw->strings, family, raw->raw + field->offset, port);
}

static gboolean
decode_state (const Raw *raw, WpEvent *event)
{
  event->net.socket = number (raw, 0);
  event->net.new_state = number (raw, 1);
  event->net.old_state = number (raw, 2);
  event->net.family = number (raw, 5);
  event->net.protocol = number (raw, 6);
  event->net.local = split_end_point (raw, number (raw, 3), 7, 9, event->net.family);
  event->net.remote = split_end_point (raw, number (raw, 4), 8, 10, event->net.family);
  event->net.length = -1;
  return TRUE;
}

static gboolean
decode_ready (const Raw *raw, WpEvent *event)
{
  event->net.socket = number (raw, 0);
  event->net.family = number (raw, 1);
  event->net.protocol = number (raw, 2);
  event->net.length = -1;
  return TRUE;
}

/* A whole socket address: family, port in network order, address. */
static WpId
whole_end_point (const Raw *raw, guint i, guint8 *family)
{
  const WpPerfField *field = &raw->type->fields[i];
  const guint8 *p = raw->raw + field->offset;
  guint16 said;

  if (field->size < RAW_ADDRESS_MAX || (gsize) field->offset + RAW_ADDRESS_MAX > raw->size)
    return 0;
  memcpy (&said, p, 2);
  *family = said;
  return end_point (raw->strings, said, p + (said == AF_INET6 ? 8 : 4), p[2] << 8 | p[3]);
}

static gboolean
decode_probe (const Raw *raw, WpEvent *event)
{
  event->net.protocol = raw->type->tracepoint->protocol;
  event->net.local = whole_end_point (raw, 0, &event->net.family);
  event->net.remote = whole_end_point (raw, 1, &event->net.family);
  event->net.length = raw->type->fields[2].size != 0 ? (gint32) number (raw, 2) : -1;
  event->net.socket = number (raw, 3);
  return TRUE;
}

static gboolean
decode_sent (const Raw *raw, WpEvent *event)
{
  event->net.socket = number (raw, 0);
  event->net.family = number (raw, 1);
  event->net.protocol = number (raw, 2);
  event->net.length = (gint32) number (raw, 3);
  event->net.after = 1;
  return TRUE;
}

static gboolean
decode_sending (const Raw *raw, WpEvent *event)
{
  return TRUE;
}

/* An address of 4 bytes or of 16. */
static WpId
route_end_point (const Raw *raw, guint address, guint port)
{
  const WpPerfField *field = &raw->type->fields[address];

  if ((field->size != 4 && field->size != 16) || (gsize) field->offset + field->size > raw->size)
    return 0;
  return end_point (raw->strings, field->size == 16 ? AF_INET6 : AF_INET, raw->raw + field->offset, number (raw, port));
}

static gboolean
decode_route (const Raw *raw, WpEvent *event)
{
  event->net.remote = route_end_point (raw, 0, 1);
  event->net.local = route_end_point (raw, 2, 3);
  event->net.protocol = number (raw, 4);
  return TRUE;
}

/* Our own probes fetch the ends, too: ports as the kernel keeps them, the other one's in network order. What is sent without a
 * connection says where `to`. */
static gboolean
decode_socket (const Raw *raw, WpEvent *event)
{
  guint family = number (raw, 3);
  guint8 to_family;

  event->net.protocol = raw->type->tracepoint->protocol;
  event->net.new_state = raw->type->tracepoint->new_state;
  event->net.family = family != 0 ? family : AF_INET;
  event->net.socket = number (raw, 0);
  event->net.length = -1;
  event->net.local = split_end_point (raw, number (raw, 1), 4, 6, family);
  event->net.remote = whole_end_point (raw, 8, &to_family);
  if (event->net.remote == 0)
    event->net.remote = split_end_point (raw, ntohs (number (raw, 2)), 5, 7, family);
  return event->net.socket != 0;
}

/* A row for each shape: its fields, alternatives divided by '|', and what takes them by their place in the row. */
static const struct
{
  const char *fields[WP_FIELDS_MAX];
  gboolean (*decode) (const Raw *raw, WpEvent *event);
} shapes[WP_SHAPE_COUNT] = {
  [WP_SHAPE_SWITCH] = { { "prev_pid", "next_pid", "prev_state", "prev_comm", "next_comm" }, decode_switch },
  [WP_SHAPE_WAKE] = { { "pid", "comm" }, decode_wake },
  [WP_SHAPE_SIGNAL] = { { "pid", "comm", "result" }, decode_signal },
  [WP_SHAPE_FORK] = { { "parent_pid", "child_pid", "child_comm" }, decode_fork },
  [WP_SHAPE_EXEC] = { { "pid", "old_pid", "filename" }, decode_exec },
  [WP_SHAPE_EXIT] = { { "pid", "comm" }, decode_exit },
  [WP_SHAPE_BLOCK] = { { "dev", "sector", "nr_sector", "rwbs" }, decode_block },
  [WP_SHAPE_SPLIT] = { { "dev", "sector", "new_sector", "rwbs" }, decode_split },
  [WP_SHAPE_FILE] = { { "s_dev|dev", "i_ino|ino" }, decode_file },
  [WP_SHAPE_IRQ] = { { "irq", "name" }, decode_irq },
  [WP_SHAPE_STATE] = { { "skaddr", "newstate", "oldstate", "sport", "dport", "family", "protocol", "saddr", "daddr", "saddr_v6", "daddr_v6" },
                       decode_state },
  [WP_SHAPE_READY] = { { "skaddr", "family", "protocol" }, decode_ready },
  [WP_SHAPE_PROBE] = { { "saddr", "daddr", "data_len|length", "skaddr", "family" }, decode_probe },
  [WP_SHAPE_SENT] = { { "sk|skaddr", "family", "protocol", "ret|length" }, decode_sent },
  [WP_SHAPE_SENDING] = { { "msg_left|size_goal|skb_addr" }, decode_sending },
  [WP_SHAPE_ROUTE] = { { "dst", "dport", "src", "sport", "proto" }, decode_route },
  [WP_SHAPE_SOCKET] = { { "sk|sock|socket|skaddr|arg1", "sport", "dport", "family", "saddr", "daddr", "saddr_v6", "daddr_v6", "to" },
                        decode_socket },
};

const char *const *
wp_perf_shape_fields (WpShape shape)
{
  return shapes[shape].fields;
}

/* The first field of each shape must be there: without it the event says nothing. */
static gboolean
has_first_field (const WpPerfEventType *type, gsize n)
{
  return type->fields[0].size != 0 && (gsize) type->fields[0].offset + type->fields[0].size <= n;
}

gboolean
wp_perf_decode_switch (const WpPerfEventType *type, const guint8 *raw, gsize n, WpEvent *event)
{
  const Raw bytes = { NULL, type, raw, n };

  if (type->kind != WP_EVENT_SWITCH || !has_first_field (type, n))
    return FALSE;
  decode_switch_numbers (&bytes, event);
  return TRUE;
}

gboolean
wp_perf_decode (WpStrings *strings, const WpPerfEventType *type, const guint8 *raw, gsize n, WpEvent *event)
{
  const Raw bytes = { strings, type, raw, n };

  if (type->has_flags && n > type->flags.offset)
    {
      event->irq_flags = raw[type->flags.offset] & (WP_IRQ_HARD | WP_IRQ_SOFT);
      event->has_irq_flags = 1;
    }
  if (type->tracepoint == NULL)
    return TRUE;
  if (!has_first_field (type, n))
    return FALSE;
  return shapes[type->tracepoint->shape].decode (&bytes, event);
}
