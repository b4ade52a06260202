/* pass [ROUNDS [US]]: two processes, "pass" and its child "pass-partner", hand the turn to work to each other over two
 * pipes: while one works US microseconds of CPU time in work(), the other waits in block(). */
#include "workload.h"

#include <string.h>

typedef struct
{
  int in, out;
  int64_t length;
  int64_t cpu, waited; /* nanoseconds */
} Player;

static WL_NOINLINE void
block (Player *self)
{
  int64_t begin = wl_now ();
  char byte;

  wl_check (WL_CALL (read, self->in, &byte, 1, 0) == 1 ? 0 : -1, "read");
  self->waited += wl_now () - begin;
}

static WL_NOINLINE void
trigger (Player *self)
{
  wl_check (WL_CALL (write, self->out, "x", 1, 0), "write");
}

static WL_NOINLINE void
work (Player *self)
{
  self->cpu += wl_burn (self->length);
}

static WL_NOINLINE void
play (Player *self, long rounds)
{
  for (long i = 0; i < rounds; i++)
    {
      work (self);
      trigger (self);
      block (self);
    }
}

static void
partner (Player *self, long rounds)
{
  wl_name ("pass-partner");
  for (long i = 0; i < rounds; i++)
    {
      block (self);
      work (self);
      trigger (self);
    }
  _exit (0);
}

int
main (int argc, char **argv)
{
  long rounds = wl_argument (argc, argv, 1, 100);
  int64_t length = wl_argument (argc, argv, 2, 500) * 1000;
  Player *players = wl_shared (2 * sizeof *players);
  int there[2], back[2];
  int64_t begin;
  pid_t child;

  wl_check (pipe (there), "pipe");
  wl_check (pipe (back), "pipe");
  players[0] = (Player) { .in = back[0], .out = there[1], .length = length };
  players[1] = (Player) { .in = there[0], .out = back[1], .length = length };
  child = fork ();
  wl_check (child, "fork");
  if (child == 0)
    {
      wl_pin (1);
      trigger (&players[1]); /* it is there */
      partner (&players[1], rounds);
    }
  wl_pin (0);
  block (&players[0]);
  players[0].waited = 0;
  begin = wl_begin ();
  play (&players[0], rounds);
  wl_json_begin ("pass", begin, wl_now ());
  wl_wait (child);
  wl_json_object ("cpu_ns", (const char *[]) { "work" }, (int64_t[]) { players[0].cpu + players[1].cpu }, 1);
  wl_json_object ("work_ns", (const char *[]) { "pass", "pass-partner" },
                  (int64_t[]) { players[0].cpu, players[1].cpu }, 2);
  wl_json_number ("wait_ns", players[0].waited);
  wl_json_number ("rounds", rounds);
  wl_json_number ("partner_pid", child);
  wl_json_end ();
  return 0;
}
