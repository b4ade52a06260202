/* echo [ROUNDS [US [CHANNEL]]]: a client, "echo", and its child, "echo-server", exchange ROUNDS requests and answers over a
 * channel (tcp; pipe, udp, unix, futex); the server works US microseconds of CPU time for each in serve(), the client
 * half of that in request(). */
#include "channel.h"
#include "workload.h"

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
server (const WlChannel *channel, long rounds, int64_t length)
{
  wl_name ("echo-server");
  wl_pin (1);
  wl_send (channel, 1); /* it is there */
  wl_join ();
  for (long i = 0; i < rounds; i++)
    {
      wl_receive (channel, 1);
      serve (length);
      wl_send (channel, 1);
    }
  wl_leave ();
  _exit (0);
}

int
main (int argc, char **argv)
{
  long rounds = wl_argument (argc, argv, 1, 100);
  int64_t length = wl_argument (argc, argv, 2, 1000) * 1000, begin;
  WlChannel channel = wl_channel_new (argc > 3 ? wl_channel_kind (argv[3]) : WL_TCP);
  pid_t child = fork ();

  wl_check (child, "fork");
  if (child == 0)
    server (&channel, rounds, length);
  wl_pin (0);
  wl_receive (&channel, 0);
  begin = wl_begin ();
  for (long i = 0; i < rounds; i++)
    {
      request (length / 2);
      wl_send (&channel, 0);
      wl_receive (&channel, 0);
    }
  wl_json_begin ("echo", begin);
  wl_wait (child);
  wl_json_number ("rounds", rounds);
  wl_json_number ("server_pid", child);
  wl_json_end ();
  return 0;
}
