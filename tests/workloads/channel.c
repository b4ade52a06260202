#include "channel.h"
#include "workload.h"

#include <linux/futex.h>
#include <netinet/tcp.h>
#include <string.h>
#include <sys/socket.h>

#define MESSAGE 512

static void
open_pipes (WlChannel *channel)
{
  int there[2], back[2];

  wl_check (pipe (there), "pipe");
  wl_check (pipe (back), "pipe");
  *channel = (WlChannel) { .in = { back[0], there[0] }, .out = { there[1], back[1] } };
}

static void
open_tcp (WlChannel *channel)
{
  struct sockaddr_in address;
  int listener = wl_bound_socket (SOCK_STREAM, &address);

  wl_check (listen (listener, 1), "listen");
  channel->in[0] = socket (AF_INET, SOCK_STREAM, 0);
  wl_check (connect (channel->in[0], (struct sockaddr *) &address, sizeof address), "connect");
  channel->in[1] = accept (listener, NULL, NULL);
  wl_check (channel->in[1], "accept");
  close (listener);
  for (int side = 0; side < 2; side++)
    setsockopt (channel->in[side], IPPROTO_TCP, TCP_NODELAY, &(int) { 1 }, sizeof (int));
  memcpy (channel->out, channel->in, sizeof channel->out);
}

static void
open_udp (WlChannel *channel)
{
  struct sockaddr_in addresses[2];

  for (int side = 0; side < 2; side++)
    channel->in[side] = channel->out[side] = wl_bound_socket (SOCK_DGRAM, &addresses[side]);
  for (int side = 0; side < 2; side++)
    wl_check (connect (channel->in[side], (struct sockaddr *) &addresses[1 - side], sizeof addresses[0]), "connect");
}

static void
open_unix (WlChannel *channel)
{
  wl_check (socketpair (AF_UNIX, SOCK_STREAM, 0, channel->in), "socketpair");
  memcpy (channel->out, channel->in, sizeof channel->out);
}

static void
open_words (WlChannel *channel)
{
  channel->words = wl_shared (2 * sizeof *channel->words);
}

static const struct
{
  const char *name;
  void (*open) (WlChannel *channel);
} kinds[WL_CHANNELS] = {
  [WL_PIPE] = { "pipe", open_pipes }, [WL_TCP] = { "tcp", open_tcp },       [WL_UDP] = { "udp", open_udp },
  [WL_UNIX] = { "unix", open_unix },  [WL_FUTEX] = { "futex", open_words },
};

WlChannel
wl_channel_new (WlChannelKind kind)
{
  WlChannel channel = { 0 };

  kinds[kind].open (&channel);
  channel.kind = kind;
  return channel;
}

WlChannelKind
wl_channel_kind (const char *name)
{
  for (int kind = 0; kind < WL_CHANNELS; kind++)
    if (strcmp (kinds[kind].name, name) == 0)
      return kind;
  fprintf (stderr, "%s: pipe, tcp, udp, unix or futex\n", name);
  exit (2);
}

static WL_NOINLINE void
post_word (uint32_t *word)
{
  __atomic_store_n (word, 1, __ATOMIC_RELEASE);
  wl_check (WL_CALL (futex, word, FUTEX_WAKE, 1, 0), "futex");
}

static WL_NOINLINE void
take_word (uint32_t *word)
{
  while (__atomic_exchange_n (word, 0, __ATOMIC_ACQUIRE) == 0)
    WL_CALL (futex, word, FUTEX_WAIT, 0, 0);
}

static WL_NOINLINE void
read_all (int fd)
{
  char message[MESSAGE];

  for (long have = 0, n; have < MESSAGE; have += n)
    {
      n = WL_CALL (read, fd, message, MESSAGE - have, 0);
      wl_check (n > 0 ? 0 : -1, "receive");
    }
}

void
wl_send (const WlChannel *channel, int side)
{
  char message[MESSAGE];

  if (channel->kind == WL_FUTEX)
    {
      post_word (&channel->words[1 - side]);
      return;
    }
  memset (message, 'm', sizeof message);
  wl_check (WL_CALL (write, channel->out[side], message, MESSAGE, 0) == MESSAGE ? 0 : -1, "send");
}

void
wl_receive (const WlChannel *channel, int side)
{
  wl_before ();
  if (channel->kind == WL_FUTEX)
    take_word (&channel->words[side]);
  else
    read_all (channel->in[side]);
  wl_after (WL_PARTNER);
}
