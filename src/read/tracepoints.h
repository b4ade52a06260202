/* The one table of the events we understand: their names, what they mean to the assembler, and the shape of their
 * fields. Both the binary and the text reader go by it. */
#pragma once

#include "trace/event.h"

/* Events of one shape carry the same fields. */
typedef enum
{
  WP_SHAPE_OTHER,
  WP_SHAPE_SWITCH,
  WP_SHAPE_WAKE,   /* whose pid is woken */
  WP_SHAPE_SIGNAL, /* whose pid gets it, and whether it does */
  WP_SHAPE_FORK,
  WP_SHAPE_EXEC,
  WP_SHAPE_EXIT,
  WP_SHAPE_BLOCK,
  WP_SHAPE_SPLIT,  /* block_split */
  WP_SHAPE_FILE,   /* a device and an inode */
  WP_SHAPE_IRQ,    /* its number, and the handler's name where one begins */
  WP_SHAPE_STATE,  /* inet_sock_set_state */
  WP_SHAPE_READY,  /* sk_data_ready */
  WP_SHAPE_PROBE,  /* tcp_probe */
  WP_SHAPE_SENT,   /* sock_send_length */
  WP_SHAPE_SENDING,/* tcp_sendmsg_locked: its being there says all */
  WP_SHAPE_ROUTE,  /* fib_table_lookup */
  WP_SHAPE_SOCKET, /* a kernel probe whose argument is a socket */
  WP_SHAPE_COUNT
} WpShape;

/* What an event says of the file that it names. */
enum
{
  WP_FILE_READS = 1 << 0,  /* the thread is about to read it */
  WP_FILE_WRITES = 1 << 1,
  WP_FILE_HEX = 1 << 2,    /* printed, its number is hexadecimal */
  WP_FILE_CREATED = 1 << 3,
};

typedef struct
{
  const char *name; /* "system:event" */
  guint8 kind;      /* WpEventKind */
  guint8 shape;     /* WpShape */
  guint8 protocol;  /* network events: IPPROTO_*, or 0 where a field says it */
  guint8 new_state; /* kernel probes that stand for a change of state */
  guint8 file;      /* WP_FILE_* */
} WpTracepoint;

/* NULL for an event that is not in the table. */
const WpTracepoint *wp_tracepoint_find (const char *name);

/* Fills in what an event of shape FILE says. */
void wp_tracepoint_file (const WpTracepoint *tracepoint, guint32 dev, guint64 inode, WpEvent *event);

/* All rows; one without a name ends them. */
const WpTracepoint *wp_tracepoint_table (void);
