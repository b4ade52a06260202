/* messages PAIRS MESSAGES: as many senders as receivers, each a process of its own. Every sender writes to every receiver, as hackbench does,
 * 100 bytes at a time over Unix sockets, MESSAGES in all. */
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#define PAIRS_MAX 64
#define BYTES 100

static int sockets[PAIRS_MAX][2]; /* a receiver's end, and that of all who write to it */

static void
need (int done, const char *what)
{
  if (done)
    return;
  perror (what);
  _exit (1);
}

static void
receive (int receiver, long bytes)
{
  char data[BYTES];

  while (bytes > 0)
    {
      ssize_t n = read (sockets[receiver][0], data, sizeof data);

      need (n > 0, "read");
      bytes -= n;
    }
}

static void
send_all (int pairs, long rounds)
{
  static const char data[BYTES];

  for (long i = 0; i < rounds; i++)
    for (int k = 0; k < pairs; k++)
      need (write (sockets[k][1], data, sizeof data) == sizeof data, "write");
}

int
main (int argc, char **argv)
{
  int pairs = argc == 3 ? atoi (argv[1]) : 0, status, failed = 0;
  long rounds = pairs >= 1 && pairs <= PAIRS_MAX ? atol (argv[2]) / pairs / pairs : 0;

  if (rounds <= 0)
    {
      fprintf (stderr, "usage: messages PAIRS MESSAGES (at most %d pairs)\n", PAIRS_MAX);
      return 2;
    }
  for (int i = 0; i < pairs; i++)
    need (socketpair (AF_UNIX, SOCK_STREAM, 0, sockets[i]) == 0, "socketpair");
  for (int i = 0; i < 2 * pairs; i++)
    {
      pid_t pid = fork ();

      need (pid >= 0, "fork");
      if (pid > 0)
        continue;
      if (i % 2 == 0)
        receive (i / 2, rounds * pairs * BYTES);
      else
        send_all (pairs, rounds);
      _exit (0);
    }
  while (wait (&status) > 0)
    failed |= status;
  return failed != 0;
}
