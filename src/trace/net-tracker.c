/* Network operations: a send followed by a receive that wakes a task, a connect until it is established. What stays on this
 * machine is no operation: its receive is the sending task's doing. */
#include "trace/net-tracker.h"

#include "base/hash.h"
#include "trace/kernel-names.h"
#include "trace/thresholds.h"

#include <netinet/in.h>
#include <sys/socket.h>

enum
{
  TCP_STATE_ESTABLISHED = 1,
  TCP_STATE_SYN_SENT = 2,
  TCP_STATE_CLOSE = 7,
};

void
wp_net_init (WpNetTracker *self, WpScheduling *core)
{
  self->core = core;
  wp_array_resize (&self->sockets, 1);
  self->by_address = g_hash_table_new (wp_hash_pointer, NULL);
  self->by_pair = g_hash_table_new (wp_hash_pointer, NULL);
}

void
wp_net_clear (WpNetTracker *self)
{
  wp_array_clear (&self->threads);
  wp_array_clear (&self->cpus);
  wp_array_clear (&self->sockets);
  g_hash_table_unref (self->by_address);
  g_hash_table_unref (self->by_pair);
}

/* NULL where nobody is there. */
static WpNetThread *
thread_of (WpNetTracker *self, const WpThread *actor)
{
  guint32 row = actor != NULL ? wp_scheduling_row (self->core, actor) : 0;

  if (actor == NULL)
    return NULL;
  if (row >= self->threads.len)
    wp_array_resize (&self->threads, row + 1);
  return &self->threads.data[row];
}

/* What arrived last on this CPU; nothing: its socket is 0. */
static const WpArrival *
last_arrival (const WpNetTracker *self, guint32 cpu)
{
  static const WpArrival none = { 0 };

  return cpu < self->cpus.len ? &self->cpus.data[cpu] : &none;
}

static gpointer
pair_key (WpId local, WpId remote)
{
  return GSIZE_TO_POINTER ((guint64) local << 32 | remote);
}

/* 127.0.0.0/8 and ::1. Other addresses of this machine show by the socket at the other end. */
static gboolean
is_here (const char *end_point)
{
  return g_str_has_prefix (end_point, "127.") || g_str_has_prefix (end_point, "[::1]:");
}

/* The socket of this event, by kernel address or by its two ends; 0 when the event tells neither. */
static WpId
socket_of (WpNetTracker *self, const WpEvent *event)
{
  gpointer address = GSIZE_TO_POINTER (event->net.socket), pair = pair_key (event->net.local, event->net.remote);
  gboolean has_pair = event->net.local != 0 && event->net.remote != 0;
  WpId id = 0;
  WpSocket *socket;

  if (event->net.socket != 0)
    id = GPOINTER_TO_UINT (g_hash_table_lookup (self->by_address, address));
  if (id == 0 && has_pair)
    id = GPOINTER_TO_UINT (g_hash_table_lookup (self->by_pair, pair));
  if (id == 0 && (event->net.socket != 0 || has_pair))
    {
      socket = wp_array_add (&self->sockets);
      id = self->sockets.len - 1;
      socket->sent = socket->connecting = -1;
    }
  if (id == 0)
    return 0;
  socket = &self->sockets.data[id];
  if (event->net.socket != 0 && socket->address != event->net.socket)
    {
      socket->address = event->net.socket;
      g_hash_table_insert (self->by_address, address, GUINT_TO_POINTER (id));
    }
  if (has_pair && (socket->local != event->net.local || socket->remote != event->net.remote))
    g_hash_table_insert (self->by_pair, pair, GUINT_TO_POINTER (id));
  if (event->net.local != 0)
    socket->local = event->net.local;
  if (event->net.remote != 0 && socket->remote != event->net.remote)
    {
      socket->here = is_here (wp_trace_string (self->core->trace, event->net.remote));
      socket->remote = event->net.remote;
    }
  if (event->net.remote != 0)
    socket->by_route = FALSE;
  if (event->net.protocol != 0)
    socket->protocol = event->net.protocol;
  if (event->net.family != 0)
    socket->family = event->net.family;
  return id;
}

/* What comes in is looked up in interrupts. */
static void
ask_route (WpNetTracker *self, const WpThread *actor, const WpEvent *event)
{
  WpNetThread *thread = thread_of (self, actor);

  if (thread == NULL || event->irq_flags != 0 || event->net.protocol != IPPROTO_UDP)
    return;
  thread->local = event->net.local;
  thread->remote = event->net.remote;
  thread->run = actor->run;
  thread->time = event->time;
}

/* Between which ends a socket without a connection sends. */
static void
take_route (WpSocket *socket, WpId local, WpId remote)
{
  socket->local = local != 0 ? local : socket->local;
  socket->remote = remote;
  socket->by_route = TRUE;
  socket->here = FALSE;
}

static gboolean
has_route (const WpNetThread *thread, const WpEvent *event)
{
  return thread != NULL && thread->remote != 0 && event->net.protocol == IPPROTO_UDP && event->net.remote == 0;
}

static gboolean
sends_on_route (const WpNetThread *thread, const WpThread *actor, const WpEvent *event)
{
  return has_route (thread, event) && (thread->run == actor->run || event->time - thread->time <= WP_SEND_WINDOW_NS);
}

/* By their ports: a socket may be there for all addresses of its machine. */
static gboolean
may_be_same_end (const WpNetTracker *self, WpId one, WpId other)
{
  const char *a = strrchr (wp_trace_string (self->core->trace, one), ':'), *b = strrchr (wp_trace_string (self->core->trace, other), ':');

  return a == NULL || b == NULL || g_str_equal (a, b);
}

/* What arrives here is what this thread is sending. */
static gboolean
comes_by_route (const WpNetTracker *self, const WpSocket *socket, const WpNetThread *thread, const WpEvent *event)
{
  return has_route (thread, event) && event->time - thread->time <= WP_ROUTE_WINDOW_NS
         && may_be_same_end (self, socket->local, thread->remote);
}

static void
on_send (WpNetTracker *self, WpId id, const WpEvent *event, const WpThread *actor)
{
  WpSocket *socket = &self->sockets.data[id];
  WpNetThread *thread = thread_of (self, actor);

  if (sends_on_route (thread, actor, event))
    {
      take_route (socket, thread->local, thread->remote);
      thread->remote = 0;
    }
  socket->sent = event->time;
  if (event->net.after && thread != NULL && thread->sending != 0)
    socket->sent = thread->sending;
  else if (event->net.after && actor != NULL && actor->before >= 0)
    socket->sent = MAX (actor->before, wp_scheduling_op (self->core, actor->run)->start);
  if (thread != NULL)
    {
      thread->sending = event->net.after ? 0 : event->time;
      thread->asked = id;
    }
  socket->answered = FALSE;
  socket->sender_run = actor != NULL ? actor->run : 0;
  socket->sender_task = actor != NULL ? actor->task : 0;
  socket->op = 0;
}

static void
arrived (WpNetTracker *self, WpId id, const WpEvent *event, const WpThread *actor)
{
  WpSocket *socket = &self->sockets.data[id];
  const WpNetThread *thread = thread_of (self, actor);

  socket->answered |= event->kind == WP_EVENT_NET_STATE || event->net.length != 0; /* what only acknowledges is no answer */
  socket->reported = comes_by_route (self, socket, thread, event);
  if (socket->reported)
    take_route (socket, thread->remote, thread->local);
  if (event->cpu >= self->cpus.len)
    wp_array_resize (&self->cpus, event->cpu + 1);
  self->cpus.data[event->cpu] = (WpArrival) { .time = event->time, .socket = id, .tid = event->tid };
}

/* What comes later is no part of it, even where sends are not told. */
static void
end_handshake (WpSocket *socket)
{
  if (socket->connecting >= 0 && socket->connecting == socket->sent)
    {
      socket->sent = -1;
      socket->op = 0;
    }
  socket->connecting = -1;
}

/* Address and ports may come again, for another socket. */
static void
forget_socket (WpNetTracker *self, WpId id)
{
  WpSocket *socket = &self->sockets.data[id];
  gpointer pair = pair_key (socket->local, socket->remote);

  if (socket->address != 0)
    g_hash_table_remove (self->by_address, GSIZE_TO_POINTER (socket->address));
  if (GPOINTER_TO_UINT (g_hash_table_lookup (self->by_pair, pair)) == id)
    g_hash_table_remove (self->by_pair, pair);
  socket->address = 0;
}

/* The far end closed or refused, which wakes whoever waits: else it is what the thread itself does with its socket. */
static gboolean
by_packet (const WpEvent *event, const WpThread *actor)
{
  return !event->has_irq_flags || event->irq_flags != 0 || (actor != NULL && actor->kernel);
}

static void
on_state (WpNetTracker *self, WpId id, const WpEvent *event, const WpThread *actor)
{
  WpSocket *socket = &self->sockets.data[id];

  if (event->net.new_state == TCP_STATE_SYN_SENT)
    {
      on_send (self, id, event, actor);
      socket->connecting = event->time;
      if (actor != NULL)
        thread_of (self, actor)->sending = 0; /* no send that a later event is the end of */
    }
  else if (event->net.new_state == TCP_STATE_ESTABLISHED || by_packet (event, actor))
    arrived (self, id, event, actor);
  if (event->net.new_state == TCP_STATE_CLOSE)
    forget_socket (self, id);
}

void
wp_net_event (WpNetTracker *self, const WpEvent *event, const WpThread *actor)
{
  WpNetThread *thread = thread_of (self, actor);
  WpId id;

  if (event->kind == WP_EVENT_NET_SENDING)
    {
      if (thread != NULL && thread->sending == 0)
        thread->sending = event->time;
      return;
    }
  if (event->kind == WP_EVENT_NET_ROUTE)
    {
      ask_route (self, actor, event);
      return;
    }
  id = socket_of (self, event);
  if (id == 0)
    return;
  if (event->kind == WP_EVENT_NET_SEND)
    on_send (self, id, event, actor);
  else if (event->kind == WP_EVENT_NET_STATE)
    on_state (self, id, event, actor);
  else
    {
      if (event->net.length != 0)
        end_handshake (&self->sockets.data[id]);
      arrived (self, id, event, actor); /* an acknowledgement, too: it may be what the sender waits for */
    }
}

/* The socket at the other end, when that is on this machine too. */
static const WpSocket *
peer_of (WpNetTracker *self, const WpSocket *socket)
{
  WpId id = socket->local != 0 && socket->remote != 0 && !socket->by_route
              ? GPOINTER_TO_UINT (g_hash_table_lookup (self->by_pair, pair_key (socket->remote, socket->local)))
              : 0;

  return id != 0 ? &self->sockets.data[id] : NULL;
}

static WpId
network_task (WpNetTracker *self)
{
  WpTask row = { .kind = WP_TASK_NETWORK };

  if (self->network_task == 0)
    {
      row.name = wp_strings_intern (self->core->trace->strings, "network");
      self->network_task = wp_scheduling_add_task (self->core, row);
    }
  return self->network_task;
}

/* The operation from the last send to this receive; several wakeups share it. */
static WpId
operation_of (WpNetTracker *self, WpSocket *socket, gint64 end)
{
  WpNet *net;

  if (socket->sent < 0)
    return 0;
  if (socket->op == 0)
    {
      socket->op = wp_scheduling_open_op (self->core, network_task (self), WP_OP_NET, socket->sent);
      net = wp_array_add (&self->core->trace->nets);
      net->local = socket->local;
      net->remote = socket->remote;
      net->task = socket->sender_task;
      net->protocol = socket->protocol;
      net->handshake = socket->connecting >= 0 && socket->connecting == socket->sent;
      wp_scheduling_op (self->core, socket->op)->detail = self->core->trace->nets.len - 1;
    }
  wp_scheduling_op (self->core, socket->op)->end = MAX (end, socket->sent);
  return socket->op;
}

/* What was sent here and is received by a kernel thread (ksoftirqd) is that thread's doing, if the sender's run made it work: or
 * else if nobody knows who the sender was. */
static WpId
local_source (const WpSocket *peer, const WpThread *actor)
{
  WpId sender = peer != NULL ? peer->sender_run : 0;

  return actor != NULL && actor->kernel && !actor->idle && (sender == 0 || actor->caller == sender) ? actor->run : sender;
}

/* Of a socket whose other end is not known: what comes by the queue of packets that this machine sends to itself, in a thread, not in an
 * interrupt that brought it. */
static gboolean
is_local (WpNetTracker *self, const WpSocket *socket, const WpEvent *event, const WpThread *actor)
{
  return socket->here
         || ((socket->remote == 0 || socket->by_route) && actor != NULL && actor->kernel && !actor->idle
             && (wp_kernel_stack_roles (self->core->trace, event->stack) & WP_ROLE_BACKLOG));
}

/* By protocol and the two ends, as far as they are known. */
static WpId
channel_name (WpNetTracker *self, const WpSocket *socket)
{
  gboolean remote_known = socket->remote != 0 && (!socket->by_route || socket->reported);
  const char *local = wp_trace_string (self->core->trace, socket->local), *remote = wp_trace_string (self->core->trace, socket->remote);
  const char *kind = socket->family == AF_UNIX           ? "Unix socket"
                   : socket->protocol == IPPROTO_TCP ? "TCP"
                   : socket->protocol == IPPROTO_UDP ? "UDP"
                                                     : "socket";
  char name[160];

  if (socket->local != 0 && remote_known)
    g_snprintf (name, sizeof name, "%s %s – %s", kind, remote, local);
  else if (socket->local != 0 || remote_known)
    g_snprintf (name, sizeof name, "%s %s", kind, socket->local != 0 ? local : remote);
  else
    g_strlcpy (name, kind, sizeof name);
  return wp_strings_intern (self->core->trace->strings, name);
}

/* Whether the wakeup is by what arrived there last: shortly before, without a switch in between, or later where nothing at all was there in
 * between; a host may have taken the CPU away. */
static gboolean
follows_receive (WpNetTracker *self, const WpEvent *event, gint64 window)
{
  const WpArrival *last = last_arrival (self, event->cpu);
  const WpCpu *cpu = wp_scheduling_cpu (self->core, event->cpu);

  return last->socket != 0 && last->tid == event->tid && last->time >= cpu->switched
         && (event->time - last->time <= window || cpu->seen == last->time);
}

guint16
wp_net_channel (WpNetTracker *self, const WpEvent *event)
{
  const WpSocket *socket = &self->sockets.data[last_arrival (self, event->cpu)->socket];
  gint64 window = socket->family == AF_UNIX ? WP_UNIX_WINDOW_NS : WP_RECEIVE_WINDOW_NS;

  if (!follows_receive (self, event, window)
      || (socket->family != AF_UNIX && event->has_irq_flags && event->irq_flags == 0)) /* packets are received in softirqs */
    return 0;
  return wp_scheduling_device (self->core, channel_name (self, socket));
}

guint16
wp_net_unanswered (WpNetTracker *self, const WpThread *thread)
{
  WpId asked = thread_of (self, thread)->asked;
  const WpSocket *socket = &self->sockets.data[asked];

  if (asked == 0 || socket->answered || socket->remote == 0 || socket->sender_run != thread->run)
    return 0;
  return wp_scheduling_device (self->core, socket->remote);
}

WpCause
wp_net_of_wakeup (WpNetTracker *self, const WpEvent *event, const WpThread *actor, WpId *source)
{
  const WpArrival *last = last_arrival (self, event->cpu);
  const WpSocket *peer;
  WpSocket *socket;

  *source = 0;
  if (!follows_receive (self, event, WP_RECEIVE_WINDOW_NS))
    return WP_CAUSE_NET;
  socket = &self->sockets.data[last->socket];
  peer = peer_of (self, socket);
  if (peer != NULL || is_local (self, socket, event, actor))
    {
      *source = local_source (peer, actor);
      return WP_CAUSE_TASK;
    }
  *source = operation_of (self, socket, last->time);
  return WP_CAUSE_NET;
}
