/* pass [ROUNDS [US]]: two processes, "pass" and its child "pass-partner", hand the turn to work to each other over two
 * pipes: while one works US microseconds of CPU time in work(), the other waits in block(). */
#include "workload.h"

typedef struct
{
  int in, out;
  int64_t length;
} Player;

static WL_NOINLINE void
block (const Player *self)
{
  char byte;

  wl_check (WL_BLOCKING (WL_PARTNER, WL_CALL (read, self->in, &byte, 1, 0)) == 1 ? 0 : -1, "read");
}

static WL_NOINLINE void
trigger (const Player *self)
{
  wl_check (WL_CALL (write, self->out, "x", 1, 0), "write");
}

static WL_NOINLINE void
work (const Player *self)
{
  wl_burn (self->length);
}

static void
play (const Player *self, long rounds)
{
  for (long i = 0; i < rounds; i++)
    {
      work (self);
      trigger (self);
      block (self);
    }
}

static void
partner (const Player *self, long rounds)
{
  wl_name ("pass-partner");
  wl_pin (1);
  trigger (self); /* it is there */
  wl_join ();
  for (long i = 0; i < rounds; i++)
    {
      block (self);
      work (self);
      trigger (self);
    }
  wl_leave ();
  _exit (0);
}

int
main (int argc, char **argv)
{
  long rounds = wl_argument (argc, argv, 1, 100);
  int64_t length = wl_argument (argc, argv, 2, 500) * 1000, begin;
  int there[2], back[2];
  pid_t child;

  wl_check (pipe (there), "pipe");
  wl_check (pipe (back), "pipe");
  child = fork ();
  wl_check (child, "fork");
  if (child == 0)
    partner (&(Player) { .in = there[0], .out = back[1], .length = length }, rounds);
  wl_pin (0);
  block (&(Player) { .in = back[0] });
  begin = wl_begin ();
  play (&(Player) { .in = back[0], .out = there[1], .length = length }, rounds);
  wl_json_begin ("pass", begin);
  wl_wait (child);
  wl_json_number ("rounds", rounds);
  wl_json_number ("partner_pid", child);
  wl_json_end ();
  return 0;
}
