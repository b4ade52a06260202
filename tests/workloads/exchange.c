/* exchange ask|answer ADDRESS PORT KIND ROUNDS [US]: two programs, which may be on different machines. "answer" takes ROUNDS requests
 * at ADDRESS, works US microseconds of CPU time for each, and answers; it says "ready" before the first. "ask" asks and waits for the
 * answers. KIND is tcp, udp (sent without being connected) or udp-connected; ADDRESS may be one of IPv6. */
#include "workload.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/tcp.h>
#include <stdbool.h>
#include <string.h>
#include <sys/socket.h>

#define MESSAGE 256

typedef struct
{
  int fd;
  bool connected;
  struct sockaddr_storage other;
  socklen_t other_size;
} Line;

static socklen_t
read_address (const char *host, const char *port, struct sockaddr_storage *address)
{
  struct sockaddr_in *v4 = (struct sockaddr_in *) address;
  struct sockaddr_in6 *v6 = (struct sockaddr_in6 *) address;

  memset (address, 0, sizeof *address);
  if (inet_pton (AF_INET, host, &v4->sin_addr) == 1)
    {
      v4->sin_family = AF_INET;
      v4->sin_port = htons ((uint16_t) atoi (port));
      return sizeof *v4;
    }
  errno = EINVAL;
  wl_check (inet_pton (AF_INET6, host, &v6->sin6_addr) == 1 ? 0 : -1, host);
  v6->sin6_family = AF_INET6;
  v6->sin6_port = htons ((uint16_t) atoi (port));
  return sizeof *v6;
}

static void
serve_at (Line *line, const struct sockaddr_storage *address, socklen_t size, bool tcp)
{
  int fd = line->fd;

  setsockopt (fd, SOL_SOCKET, SO_REUSEADDR, &(int) { 1 }, sizeof (int));
  wl_check (bind (fd, (const struct sockaddr *) address, size), "bind");
  if (tcp)
    wl_check (listen (fd, 1), "listen");
  puts ("ready");
  fflush (stdout);
  if (tcp)
    line->fd = accept (fd, NULL, NULL);
  wl_check (line->fd, "accept");
}

static void
send_to (Line *line)
{
  char message[MESSAGE];
  long n;

  memset (message, 'm', sizeof message);
  n = line->connected ? WL_CALL (write, line->fd, message, MESSAGE, 0)
                      : wl_syscall (SYS_sendto, line->fd, (long) message, MESSAGE, 0, (long) &line->other, line->other_size);
  errno = n < 0 ? (int) -n : 0;
  wl_check (n == MESSAGE ? 0 : -1, "send");
}

static WL_NOINLINE void
wait_for (Line *line)
{
  char message[MESSAGE];
  long n;

  wl_before ();
  for (long have = 0; have < MESSAGE; have += n)
    {
      line->other_size = sizeof line->other;
      n = line->connected ? WL_CALL (read, line->fd, message, MESSAGE - have, 0)
                          : wl_syscall (SYS_recvfrom, line->fd, (long) message, MESSAGE, 0, (long) &line->other,
                                        (long) &line->other_size);
      wl_check (n > 0 ? 0 : -1, "receive");
    }
  wl_after (WL_PARTNER);
}

static WL_NOINLINE void
ask (Line *line, long rounds)
{
  for (long i = 0; i < rounds; i++)
    {
      send_to (line);
      wait_for (line);
    }
}

static WL_NOINLINE void
answer (Line *line, long rounds, int64_t length)
{
  for (long i = 0; i < rounds; i++)
    {
      wait_for (line);
      wl_burn (length);
      send_to (line);
    }
}

int
main (int argc, char **argv)
{
  struct sockaddr_storage address;
  bool asks, tcp;
  long rounds = wl_argument (argc, argv, 5, 20);
  int64_t begin = 0;
  socklen_t size;
  Line line;

  if (argc < 5)
    {
      fprintf (stderr, "usage: exchange ask|answer ADDRESS PORT tcp|udp|udp-connected [ROUNDS [US]]\n");
      return 2;
    }
  asks = strcmp (argv[1], "ask") == 0;
  tcp = strcmp (argv[4], "tcp") == 0;
  size = read_address (argv[2], argv[3], &address);
  line = (Line) { .fd = socket (address.ss_family, tcp ? SOCK_STREAM : SOCK_DGRAM, 0), .other = address, .other_size = size };
  wl_check (line.fd, "socket");
  line.connected = tcp || (asks && strcmp (argv[4], "udp-connected") == 0);
  wl_name (asks ? "ask" : "answer");
  if (!asks)
    serve_at (&line, &address, size, tcp);
  begin = wl_begin ();
  if (asks && line.connected)
    wl_check (WL_BLOCKING (WL_PARTNER, connect (line.fd, (struct sockaddr *) &address, size)), "connect");
  if (tcp)
    setsockopt (line.fd, IPPROTO_TCP, TCP_NODELAY, &(int) { 1 }, sizeof (int));
  if (asks)
    ask (&line, rounds);
  else
    answer (&line, rounds, wl_argument (argc, argv, 6, 1000) * 1000);
  wl_json_begin ("exchange", begin);
  wl_json_number ("rounds", rounds);
  wl_json_end ();
  return 0;
}
