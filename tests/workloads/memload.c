/* memload PORT [CONNECTIONS [REQUESTS]]: loads a memcached on loopback: so many requests in all over so many
 * connections in turn, eight of them unanswered at any time; every eighth stores a value, the others ask for one. */
#include "workload.h"

#include <netinet/tcp.h>
#include <string.h>
#include <sys/socket.h>

#define OUTSTANDING 8
#define KEYS 1000

static int
connect_to (long port)
{
  struct sockaddr_in address = { .sin_family = AF_INET, .sin_port = htons ((uint16_t) port),
                                 .sin_addr.s_addr = htonl (INADDR_LOOPBACK) };
  int fd = socket (AF_INET, SOCK_STREAM, 0);

  wl_check (fd, "socket");
  wl_check (connect (fd, (struct sockaddr *) &address, sizeof address), "connect");
  setsockopt (fd, IPPROTO_TCP, TCP_NODELAY, &(int) { 1 }, sizeof (int));
  return fd;
}

static WL_NOINLINE void
ask (int fd, long i)
{
  char request[160];
  int length = i % 8 == 0 ? snprintf (request, sizeof request, "set key%ld 0 0 64\r\n%064ld\r\n", i % KEYS, i)
                          : snprintf (request, sizeof request, "get key%ld\r\n", i % KEYS);

  wl_check (WL_CALL (write, fd, request, length, 0) == length ? 0 : -1, "write");
}

/* Every answer ends with one of these lines. */
static WL_NOINLINE void
answer (int fd)
{
  char text[512];
  long have = 0, n;

  do
    {
      n = WL_CALL (read, fd, text + have, (long) sizeof text - 1 - have, 0);
      wl_check (n > 0 ? 0 : -1, "read");
      have += n;
      text[have] = '\0';
    }
  while (strstr (text, "END\r\n") == NULL && strstr (text, "STORED\r\n") == NULL);
}

int
main (int argc, char **argv)
{
  long port = wl_argument (argc, argv, 1, 11211), connections = wl_argument (argc, argv, 2, 256);
  long requests = wl_argument (argc, argv, 3, 20000);
  int *fds = calloc ((size_t) connections + 1, sizeof *fds);
  int64_t begin;

  if (fds == NULL || connections < OUTSTANDING)
    wl_check (-1, "connections: too many or too few");
  for (long i = 0; i < connections; i++)
    fds[i] = connect_to (port);
  begin = wl_begin ();
  for (long i = 0; i < requests + OUTSTANDING; i++)
    {
      if (i >= OUTSTANDING)
        answer (fds[(i - OUTSTANDING) % connections]);
      if (i < requests)
        ask (fds[i % connections], i);
    }
  wl_json_begin ("memload", begin);
  wl_json_number ("requests", requests);
  wl_json_end ();
  free (fds);
  return 0;
}
