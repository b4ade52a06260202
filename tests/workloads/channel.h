/* Two tasks that hand each other messages, over any of the ways there are on one machine. */
#pragma once

#include <stdint.h>

typedef enum
{
  WL_PIPE,
  WL_TCP, /* over loopback, as is UDP */
  WL_UDP,
  WL_UNIX,
  WL_FUTEX, /* a word in shared memory */
  WL_CHANNELS
} WlChannelKind;

typedef struct
{
  WlChannelKind kind;
  int in[2], out[2];  /* file descriptors of each side */
  uint32_t *words;    /* FUTEX: messages for each side */
} WlChannel;

/* Made by the parent before it forks; side 0 is one task's, side 1 the other's. */
WlChannel wl_channel_new (WlChannelKind kind);
WlChannelKind wl_channel_kind (const char *name); /* pipe, tcp, udp, unix, futex; ends the program otherwise */

void wl_send (const WlChannel *channel, int side);
void wl_receive (const WlChannel *channel, int side); /* blocks; counted as waiting for a partner */
