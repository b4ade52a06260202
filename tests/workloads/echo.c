/* echo [ROUNDS [US]]: a client, "echo", and its child, "echo-server", exchange ROUNDS requests and answers over
 * loopback TCP; the server works US microseconds of CPU time for each in serve(), the client half of that in
 * request(). */
#include "workload.h"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <string.h>
#include <sys/socket.h>

#define MESSAGE 512

static WL_NOINLINE void
receive (int fd)
{
  char buffer[MESSAGE];
  long n, have = 0;

  while (have < MESSAGE)
    {
      n = wl_syscall (SYS_recvfrom, fd, (long) buffer, MESSAGE - have, 0, 0, 0);
      wl_check (n > 0 ? 0 : -1, "receive");
      have += n;
    }
}

static WL_NOINLINE void
transmit (int fd)
{
  char buffer[MESSAGE];

  memset (buffer, 'e', sizeof buffer);
  wl_check (wl_syscall (SYS_sendto, fd, (long) buffer, MESSAGE, MSG_NOSIGNAL, 0, 0), "transmit");
}

static WL_NOINLINE int64_t
serve (int64_t ns)
{
  return wl_burn (ns);
}

static WL_NOINLINE int64_t
request (int64_t ns)
{
  return wl_burn (ns);
}

static void
server (int listener, long rounds, int64_t length, int64_t *cpu)
{
  int fd;

  wl_name ("echo-server");
  fd = accept (listener, NULL, NULL);
  wl_check (fd, "accept");
  setsockopt (fd, IPPROTO_TCP, TCP_NODELAY, &(int) { 1 }, sizeof (int));
  transmit (fd); /* it is there */
  for (long i = 0; i < rounds; i++)
    {
      receive (fd);
      *cpu += serve (length);
      transmit (fd);
    }
  _exit (0);
}

static int
connect_to (const struct sockaddr_in *address)
{
  int fd = socket (AF_INET, SOCK_STREAM, 0);

  wl_check (fd, "socket");
  wl_check (connect (fd, (const struct sockaddr *) address, sizeof *address), "connect");
  setsockopt (fd, IPPROTO_TCP, TCP_NODELAY, &(int) { 1 }, sizeof (int));
  return fd;
}

int
main (int argc, char **argv)
{
  long rounds = wl_argument (argc, argv, 1, 50);
  int64_t length = wl_argument (argc, argv, 2, 500) * 1000;
  int64_t *serve_cpu = wl_shared (sizeof *serve_cpu);
  int64_t cpu[2] = { 0 }, waited = 0, begin, t;
  struct sockaddr_in address;
  int listener = wl_listen (&address), fd;
  pid_t child;

  child = fork ();
  wl_check (child, "fork");
  if (child == 0)
    {
      wl_pin (1);
      server (listener, rounds, length, serve_cpu);
    }
  wl_pin (0);
  fd = connect_to (&address);
  receive (fd);
  begin = wl_begin ();
  for (long i = 0; i < rounds; i++)
    {
      cpu[0] += request (length / 2);
      transmit (fd);
      t = wl_now ();
      receive (fd);
      waited += wl_now () - t;
    }
  wl_json_begin ("echo", begin, wl_now ());
  wl_wait (child);
  cpu[1] = *serve_cpu;
  wl_json_object ("cpu_ns", (const char *[]) { "request", "serve" }, cpu, 2);
  wl_json_number ("wait_ns", waited);
  wl_json_number ("rounds", rounds);
  wl_json_number ("server_pid", child);
  wl_json_end ();
  return 0;
}
