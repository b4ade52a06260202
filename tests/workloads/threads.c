/* threads [ROUNDS [US]]: two threads of one process hand the turn to each other: while one works US microseconds of CPU time,
 * the other waits. Each of them is a path of its own, so that all time waited is time waited for another path. */
#include "channel.h"
#include "workload.h"

#include <pthread.h>

typedef struct
{
  WlChannel channel;
  long rounds;
  int64_t length;
} Game;

static WL_NOINLINE int64_t
work (int64_t ns)
{
  return wl_burn (ns);
}

static void *
partner (void *data)
{
  const Game *game = data;

  wl_pin (1);
  wl_send (&game->channel, 1); /* it is there */
  wl_join ();
  for (long i = 0; i < game->rounds; i++)
    {
      wl_receive (&game->channel, 1);
      work (game->length);
      wl_send (&game->channel, 1);
    }
  wl_leave ();
  wl_receive (&game->channel, 1);
  return NULL;
}

int
main (int argc, char **argv)
{
  Game game = { .channel = wl_channel_new (WL_FUTEX), .rounds = wl_argument (argc, argv, 1, 100),
                .length = wl_argument (argc, argv, 2, 1000) * 1000 };
  pthread_t thread;
  int64_t begin;

  wl_check (-pthread_create (&thread, NULL, partner, &game), "pthread_create");
  wl_pin (0);
  wl_receive (&game.channel, 0);
  begin = wl_begin ();
  for (long i = 0; i < game.rounds; i++)
    {
      work (game.length);
      wl_send (&game.channel, 0);
      wl_receive (&game.channel, 0);
    }
  wl_json_begin ("threads", begin);
  wl_send (&game.channel, 0);
  wl_check (-pthread_join (thread, NULL), "pthread_join");
  wl_json_end ();
  return 0;
}
