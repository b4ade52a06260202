/* Network operations: what was sent on which socket, and which wakeups are by what came back. Times are ns since the start of the
 * recording. */
#pragma once

#include "trace/scheduling.h"

/* One socket, or what is known of one. */
typedef struct
{
  guint64 address;  /* kernel address, or 0 */
  WpId local, remote;
  guint8 family;    /* AF_* or 0 */
  guint8 protocol;
  guint8 here;      /* the other end is on this machine, by its address */
  guint8 by_route;  /* UDP: its ends are those of the route of what was sent last; the next packet may have others */
  guint8 reported;  /* the ends of what arrived last were in its event */
  guint8 answered;  /* something came back since its last send; of a connect: it is established, or refused */
  gint64 sent;      /* time of its last send; -1 none */
  WpId sender_run;  /* the run that sent last */
  WpId sender_task;
  WpId op;          /* the operation since that send, once something came back; 0 */
  gint64 connecting;/* when its connect began; -1 not */
} WpSocket;

/* Beside the core's threads. */
typedef struct
{
  gint64 sending;       /* since when it has been sending; 0: it is not */
  WpId local, remote;   /* strings: the route that it asked for and has not sent on since; remote 0: none */
  WpId run;             /* … when it did */
  gint64 time;
  WpId asked;           /* socket that it sent on last; 0: none */
} WpNetThread;

/* Beside the core's CPUs: the last socket that data arrived for there, and who was current. */
typedef struct
{
  gint64 time;
  WpId socket; /* 0: none */
  gint32 tid;
} WpArrival;

typedef struct
{
  WpScheduling *core;
  WP_ARRAY (WpNetThread) threads; /* by the core's row */
  WP_ARRAY (WpArrival) cpus;      /* by number */
  WP_ARRAY (WpSocket) sockets;    /* row 0 is empty */
  GHashTable *by_address;         /* kernel address → row of sockets */
  GHashTable *by_pair;            /* local and remote → row of sockets */
  WpId network_task;
} WpNetTracker;

void wp_net_init (WpNetTracker *self, WpScheduling *core);
void wp_net_clear (WpNetTracker *self);

/* `actor` is who runs there, or NULL. */
void wp_net_event (WpNetTracker *self, const WpEvent *event, const WpThread *actor);

/* Of a wakeup that the network caused: its cause (net, or task when both ends are here) and what it comes from. */
WpCause wp_net_of_wakeup (WpNetTracker *self, const WpEvent *event, const WpThread *actor, WpId *source);
guint16 wp_net_unanswered (WpNetTracker *self, const WpThread *thread); /* whom it sent to in its last run, where nothing came back: row of trace->devices, or 0 */
guint16 wp_net_channel (WpNetTracker *self, const WpEvent *event); /* the socket that its wakeup came by: row of trace->devices, or 0 */
