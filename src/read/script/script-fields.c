/* What a line of perf script text says behind the event's name: the print formats of the tracepoints, today's and
 * older ones. */
#include "read/script/script-private.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>

/* What stands behind `key` ("pid=") where it is at the start or after a blank; NULL when it is not there. */
static const char *
find_value (const char *text, const char *key)
{
  gsize n = strlen (key);

  for (const char *p = strstr (text, key); p != NULL; p = strstr (p + n, key))
    if (p == text || p[-1] == ' ' || p[-1] == ',')
      return p + n;
  return NULL;
}

static gboolean
number (const char *text, const char *key, int base, gint64 *value)
{
  const char *p = find_value (text, key);
  char *end;

  if (p == NULL)
    return FALSE;
  while (*p == ' ')
    p++;
  *value = base == 10 ? g_ascii_strtoll (p, &end, 10) : (gint64) g_ascii_strtoull (p, &end, base);
  return end != p;
}

static gboolean
tid_value (const char *text, const char *key, gint32 *tid)
{
  gint64 value;

  if (!number (text, key, 10, &value) || value < G_MININT32 || value > G_MAXINT32)
    return FALSE;
  *tid = value;
  return TRUE;
}

/* A name reaches from its key to the next one, since it may hold blanks. */
static WpId
name_value (WpStrings *strings, const char *text, const char *key, const char *next)
{
  const char *start = find_value (text, key), *end = start != NULL ? strstr (start, next) : NULL;

  if (start == NULL)
    return 0;
  return wp_strings_intern_n (strings, start, end != NULL ? end - start : strcspn (start, " "));
}

/* A word that ends at a blank. */
static WpId
word_value (WpStrings *strings, const char *text, const char *key)
{
  const char *start = find_value (text, key);

  return start != NULL ? wp_strings_intern_n (strings, start, strcspn (start, " ")) : 0;
}

/* "S", "R+", "D|K", "0x102" → the kernel's bits. */
static guint32
parse_state (const char *text)
{
  static const struct
  {
    char letter;
    guint32 bits;
  } letters[] = { { 'S', 1 }, { 'D', 2 }, { 'T', 4 }, { 't', 8 }, { 'X', 16 }, { 'Z', 32 }, { 'P', 64 }, { 'I', 128 },
                  { '+', 256 }, { 'x', 16 }, { 'K', 0 }, { 'W', 0 } };
  guint32 bits = 0;

  if (g_ascii_isdigit (*text))
    return strtoul (text, NULL, 0);
  for (; *text != '\0' && *text != ' '; text++)
    for (guint i = 0; i < G_N_ELEMENTS (letters); i++)
      if (*text == letters[i].letter)
        bits |= letters[i].bits;
  return bits;
}

/* "name:123 …": the name, the number, and where the rest begins. Older kernels print tasks so. */
static const char *
old_task (WpStrings *strings, const char *text, gint32 *tid, WpId *comm)
{
  const char *p = text;

  while ((p = strchr (p, ':')) != NULL)
    {
      char *end;
      long value = strtol (++p, &end, 10);

      if (end != p && (*end == ' ' || *end == '\0'))
        {
          *tid = value;
          *comm = wp_strings_intern_n (strings, text, p - 1 - text);
          return end;
        }
    }
  return NULL;
}

/* "comm:pid [prio] S ==> comm:pid [prio]" */
static gboolean
parse_old_switch (WpStrings *strings, const char *text, WpEvent *event)
{
  const char *rest = old_task (strings, text, &event->sw.prev_tid, &event->sw.prev_comm);
  const char *arrow = rest != NULL ? strstr (rest, " ==> ") : NULL;
  const char *state;

  if (arrow == NULL || old_task (strings, arrow + 5, &event->sw.next_tid, &event->sw.next_comm) == NULL)
    return FALSE;
  state = strchr (rest, ']');
  state = state != NULL && state < arrow ? state + 1 : rest;
  event->sw.prev_state = parse_state (state + strspn (state, " "));
  return TRUE;
}

static gboolean
parse_switch (WpStrings *strings, const WpTracepoint *tracepoint, const char *text, WpEvent *event)
{
  const char *arrow = strstr (text, "==>"), *state = find_value (text, "prev_state=");

  if (state == NULL)
    return parse_old_switch (strings, text, event);
  event->sw.prev_comm = name_value (strings, text, "prev_comm=", " prev_pid=");
  event->sw.next_comm = name_value (strings, arrow != NULL ? arrow : text, "next_comm=", " next_pid=");
  event->sw.prev_state = parse_state (state);
  return tid_value (text, "prev_pid=", &event->sw.prev_tid)
         && tid_value (arrow != NULL ? arrow : text, "next_pid=", &event->sw.next_tid);
}

static gboolean
parse_wake (WpStrings *strings, const WpTracepoint *tracepoint, const char *text, WpEvent *event)
{
  if (find_value (text, "comm=") == NULL)
    return old_task (strings, text, &event->wake.tid, &event->wake.comm) != NULL;
  event->wake.comm = name_value (strings, text, "comm=", " pid=");
  return tid_value (text, "pid=", &event->wake.tid);
}

static gboolean
parse_signal (WpStrings *strings, const WpTracepoint *tracepoint, const char *text, WpEvent *event)
{
  gint64 result = 0;

  number (text, "res=", 10, &result);
  event->wake.refused = result >= 1 && result <= 3;
  return parse_wake (strings, tracepoint, text, event);
}

static gboolean
parse_fork (WpStrings *strings, const WpTracepoint *tracepoint, const char *text, WpEvent *event)
{
  event->fork.child_pid = -1;
  event->fork.child_comm = name_value (strings, text, "child_comm=", " child_pid=");
  return tid_value (text, "pid=", &event->fork.parent_tid) && tid_value (text, "child_pid=", &event->fork.child_tid);
}

static gboolean
parse_exec (WpStrings *strings, const WpTracepoint *tracepoint, const char *text, WpEvent *event)
{
  if (!tid_value (text, "pid=", &event->program.tid))
    return FALSE;
  if (!tid_value (text, "old_pid=", &event->program.old_tid))
    event->program.old_tid = event->program.tid;
  event->program.comm = event->comm; /* the line's own name is already the new one */
  event->program.exec = 1;
  return TRUE;
}

static gboolean
parse_exit (WpStrings *strings, const WpTracepoint *tracepoint, const char *text, WpEvent *event)
{
  event->program.comm = name_value (strings, text, "comm=", " pid=");
  event->program.old_tid = event->tid;
  return tid_value (text, "pid=", &event->program.tid);
}

/* "254,0 RS 4096 () 43510584 + 8 0x2,0,4 [comm]": bytes and command only for requests, and not everywhere. */
static gboolean
parse_block (WpStrings *strings, const WpTracepoint *tracepoint, const char *text, WpEvent *event)
{
  guint major, minor;
  const char *rwbs, *sector;
  char *end;
  int n = 0;

  if (sscanf (text, "%u,%u %n", &major, &minor, &n) < 2 || n == 0)
    return FALSE;
  event->block.dev = major << 20 | (minor & 0xfffff);
  rwbs = text + n;
  event->block.rwbs = wp_strings_intern_n (strings, rwbs, strcspn (rwbs, " "));
  sector = strstr (rwbs, " + ");
  if (sector == NULL)
    return FALSE;
  event->block.sectors = g_ascii_strtoull (sector + 3, NULL, 10);
  while (sector > rwbs && g_ascii_isdigit (sector[-1]))
    sector--;
  event->block.sector = g_ascii_strtoull (sector, &end, 10);
  event->block.flush = event->block.sectors == 0 && memchr (rwbs, 'F', strcspn (rwbs, " ")) != NULL;
  return end != sector;
}

/* "254,0 WS 2048 / 4096 [comm]" */
static gboolean
parse_split (WpStrings *strings, const WpTracepoint *tracepoint, const char *text, WpEvent *event)
{
  guint major, minor;
  char rwbs[16];
  guint64 sector, rest;

  if (sscanf (text, "%u,%u %15s %" G_GUINT64_FORMAT " / %" G_GUINT64_FORMAT, &major, &minor, rwbs, &sector, &rest) != 5
      || rest <= sector)
    return FALSE;
  event->block.dev = major << 20 | (minor & 0xfffff);
  event->block.rwbs = wp_strings_intern (strings, rwbs);
  event->block.sector = sector;
  event->block.sectors = MIN (rest - sector, G_MAXUINT32);
  return TRUE;
}

/* "dev 254:0 ino a7e02a …", "dev 254,0 ino 247241 …", "dev 254:0 ino 0x3c5c9 …" */
static gboolean
parse_file (WpStrings *strings, const WpTracepoint *tracepoint, const char *text, WpEvent *event)
{
  guint major, minor;
  gint64 inode;

  if (sscanf (text, "dev %u%*1[:,]%u", &major, &minor) != 2
      || !number (text, "ino", tracepoint->file & WP_FILE_HEX ? 16 : 10, &inode))
    return FALSE;
  wp_tracepoint_file (tracepoint, major << 20 | (minor & 0xfffff), inode, event);
  return TRUE;
}

static gboolean
parse_irq (WpStrings *strings, const WpTracepoint *tracepoint, const char *text, WpEvent *event)
{
  gint64 irq;

  event->irq.name = word_value (strings, text, "name=");
  if (!number (text, "irq=", 10, &irq))
    return FALSE;
  event->irq.irq = irq;
  return TRUE;
}

static guint8
named (const char *text, const char *key, const char *const *names, guint n)
{
  const char *value = find_value (text, key);
  char *end;
  guint64 plain;

  if (value == NULL)
    return 0;
  for (guint i = 0; i < n; i++)
    if (names[i] != NULL && g_str_has_prefix (value, names[i]) && !g_ascii_isalnum (value[strlen (names[i])])
        && value[strlen (names[i])] != '_')
      return i;
  plain = g_ascii_strtoull (value, &end, 0);
  return end != value && plain < 256 ? plain : 0;
}

static const char *const families[] = { [AF_UNIX] = "AF_UNIX", [AF_INET6] = "AF_INET6", [AF_INET] = "AF_INET" };
static const char *const protocols[] = { [6] = "IPPROTO_TCP", [17] = "IPPROTO_UDP", [33] = "IPPROTO_DCCP",
                                         [132] = "IPPROTO_SCTP" };
static const char *const tcp_states[] = {
  [1] = "TCP_ESTABLISHED", [2] = "TCP_SYN_SENT", [3] = "TCP_SYN_RECV", [4] = "TCP_FIN_WAIT1", [5] = "TCP_FIN_WAIT2",
  [6] = "TCP_TIME_WAIT", [8] = "TCP_CLOSE_WAIT", [7] = "TCP_CLOSE", [9] = "TCP_LAST_ACK", [10] = "TCP_LISTEN",
  [11] = "TCP_CLOSING", [12] = "TCP_NEW_SYN_RECV",
};

/* As perf-decode.c has it: an address of the older family within one of the newer is the older. */
static WpId
end_point (WpStrings *strings, const char *host, int n, gint64 port)
{
  static const char *const mapped = "::ffff:";
  char name[128];

  if (n > (int) strlen (mapped) && strncmp (host, mapped, strlen (mapped)) == 0 && memchr (host, '.', n) != NULL)
    {
      host += strlen (mapped);
      n -= strlen (mapped);
    }
  g_snprintf (name, sizeof name, memchr (host, ':', n) != NULL ? "[%.*s]:%d" : "%.*s:%d", n, host, (int) (port & 0xffff));
  return wp_strings_intern (strings, name);
}

static WpId
address_value (WpStrings *strings, const char *text, const char *host_key, const char *port_key)
{
  const char *host = find_value (text, host_key);
  gint64 port;

  if (host == NULL || !number (text, port_key, 10, &port) || port == 0)
    return 0;
  return end_point (strings, host, MIN (strcspn (host, " "), 100), port);
}

/* "127.0.0.1:80", "[::1]:80" */
static WpId
whole_address_value (WpStrings *strings, const char *text, const char *key)
{
  const char *host = find_value (text, key), *close = host != NULL && *host == '[' ? strchr (host, ']') : NULL;

  if (close != NULL && close[1] == ':' && close - host < 100)
    return end_point (strings, host + 1, close - host - 1, g_ascii_strtoull (close + 2, NULL, 10));
  return word_value (strings, text, key);
}

static gboolean
parse_state_change (WpStrings *strings, const WpTracepoint *tracepoint, const char *text, WpEvent *event)
{
  static const char *const keys[2][2] = { { "saddr=", "daddr=" }, { "saddrv6=", "daddrv6=" } };
  gint64 socket = 0;
  gboolean v6;

  event->net.family = named (text, "family=", families, G_N_ELEMENTS (families));
  v6 = event->net.family == AF_INET6;
  event->net.protocol = named (text, "protocol=", protocols, G_N_ELEMENTS (protocols));
  event->net.local = address_value (strings, text, keys[v6][0], "sport=");
  event->net.remote = address_value (strings, text, keys[v6][1], "dport=");
  event->net.old_state = named (text, "oldstate=", tcp_states, G_N_ELEMENTS (tcp_states));
  event->net.new_state = named (text, "newstate=", tcp_states, G_N_ELEMENTS (tcp_states));
  number (text, "skaddr=", 16, &socket);
  event->net.socket = socket;
  event->net.length = -1;
  return event->net.new_state != 0;
}

static gboolean
parse_ready (WpStrings *strings, const WpTracepoint *tracepoint, const char *text, WpEvent *event)
{
  gint64 socket = 0;

  event->net.family = named (text, "family=", families, G_N_ELEMENTS (families));
  event->net.protocol = named (text, "protocol=", protocols, G_N_ELEMENTS (protocols));
  number (text, "skaddr=", 16, &socket);
  event->net.socket = socket;
  event->net.length = -1;
  return event->net.family != 0;
}

static gboolean
parse_probe (WpStrings *strings, const WpTracepoint *tracepoint, const char *text, WpEvent *event)
{
  gint64 socket = 0, length = -1;

  event->net.family = named (text, "family=", families, G_N_ELEMENTS (families));
  event->net.local = whole_address_value (strings, text, "src=");
  event->net.remote = whole_address_value (strings, text, "dest=");
  event->net.protocol = tracepoint->protocol;
  number (text, "data_len=", 10, &length);
  number (text, "skaddr=", 16, &socket);
  event->net.socket = socket;
  event->net.length = CLAMP (length, -1, G_MAXINT32);
  return event->net.local != 0 && event->net.remote != 0;
}

/* "sk address = 0x…, family = 0x2 protocol = 0x6, length = 1, …" */
static gboolean
parse_sent (WpStrings *strings, const WpTracepoint *tracepoint, const char *text, WpEvent *event)
{
  gint64 socket = 0, family = 0, protocol = 0, length = -1;

  number (text, "family =", 16, &family);
  number (text, "protocol =", 16, &protocol);
  number (text, "length =", 10, &length);
  event->net.family = family;
  event->net.protocol = protocol;
  event->net.length = CLAMP (length, -1, G_MAXINT32);
  event->net.after = 1;
  if (strstr (text, "address =") == NULL || !number (strstr (text, "address ="), "address =", 16, &socket))
    return FALSE;
  event->net.socket = socket;
  return TRUE;
}

/* "host/port" */
static WpId
way_end_point (WpStrings *strings, const char *text)
{
  gsize n = strcspn (text, "/ ");
  guint64 port = text[n] == '/' ? g_ascii_strtoull (text + n + 1, NULL, 10) : 0;

  return port != 0 && n < 100 ? end_point (strings, text, n, port) : 0;
}

/* "table 254 oif 0 iif 1 proto 17 0.0.0.0/50978 -> 127.0.0.1/45140 tos 0 …"; before 4.20 without protocol and ports */
static gboolean
parse_route (WpStrings *strings, const WpTracepoint *tracepoint, const char *text, WpEvent *event)
{
  const char *arrow = strstr (text, " -> "), *proto = find_value (text, "proto ");
  char *from;

  if (arrow == NULL || proto == NULL || proto > arrow)
    return arrow != NULL;
  event->net.protocol = g_ascii_strtoull (proto, &from, 10);
  event->net.local = way_end_point (strings, from + strspn (from, " "));
  event->net.remote = way_end_point (strings, arrow + 4);
  return TRUE;
}

/* A kernel probe: "(ffffffff81…) sk=0xffff8881…", whatever the argument is called. */
static gboolean
parse_socket (WpStrings *strings, const WpTracepoint *tracepoint, const char *text, WpEvent *event)
{
  const char *value = strchr (text, '=');

  event->net.family = AF_INET;
  event->net.protocol = tracepoint->protocol;
  event->net.new_state = tracepoint->new_state;
  event->net.length = -1;
  event->net.socket = value != NULL ? g_ascii_strtoull (value + 1, NULL, 0) : 0;
  return event->net.socket != 0;
}

typedef gboolean (*ParseFunc) (WpStrings *strings, const WpTracepoint *tracepoint, const char *text, WpEvent *event);

static const ParseFunc parsers[WP_SHAPE_COUNT] = {
  [WP_SHAPE_SWITCH] = parse_switch, [WP_SHAPE_WAKE] = parse_wake,   [WP_SHAPE_FORK] = parse_fork,
  [WP_SHAPE_SIGNAL] = parse_signal, [WP_SHAPE_SPLIT] = parse_split, [WP_SHAPE_FILE] = parse_file,
  [WP_SHAPE_EXEC] = parse_exec,     [WP_SHAPE_EXIT] = parse_exit,   [WP_SHAPE_BLOCK] = parse_block,
  [WP_SHAPE_IRQ] = parse_irq,       [WP_SHAPE_STATE] = parse_state_change, [WP_SHAPE_READY] = parse_ready,
  [WP_SHAPE_PROBE] = parse_probe,   [WP_SHAPE_SENT] = parse_sent,   [WP_SHAPE_SOCKET] = parse_socket,
  [WP_SHAPE_ROUTE] = parse_route,
};

gboolean
wp_script_fields (WpStrings *strings, const WpTracepoint *tracepoint, const char *text, WpEvent *event)
{
  return parsers[tracepoint->shape] == NULL || parsers[tracepoint->shape](strings, tracepoint, text, event);
}
