/* tour [ROUNDS]: a small shop, the program of the bundled sample. "tour" asks "tour-server" over loopback TCP, which
 * asks "tour-store" over a pipe, which reads past the page cache from disk; the answer goes all the way back. In
 * between everybody works, and tour rests and waits for something that does not come. The file is made in the
 * current folder and gone from it before it is used. */
#include "workload.h"

#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>

#define BLOCK (256 << 10)
#define BLOCKS 64
#define MESSAGE 256

typedef struct
{
  int to_store, from_store; /* the server's ends */
  int in, out;              /* the store's */
} Pipes;

static WL_NOINLINE void
choose_goods (void)
{
  wl_burn (2 * WL_MS);
}

static WL_NOINLINE void
draw_page (void)
{
  wl_burn (3 * WL_MS);
}

static WL_NOINLINE void
parse_order (void)
{
  wl_burn (WL_MS);
}

static WL_NOINLINE void
write_bill (void)
{
  wl_burn (WL_MS);
}

static WL_NOINLINE void
check_stock (void)
{
  wl_burn (3 * WL_MS / 2);
}

static WL_NOINLINE void
receive (int fd)
{
  char buffer[MESSAGE];
  long have = 0, n;

  for (; have < MESSAGE; have += n)
    {
      n = WL_CALL (read, fd, buffer, MESSAGE - have, 0);
      if (n == 0)
        _exit (0); /* the other end is done */
      wl_check (n, "read");
    }
}

static WL_NOINLINE void
transmit (int fd)
{
  char buffer[MESSAGE] = { 0 };

  wl_check (WL_CALL (write, fd, buffer, MESSAGE, 0), "write");
}

static WL_NOINLINE void
load_record (int fd, void *buffer, long i)
{
  wl_check (WL_CALL (pread64, fd, buffer, BLOCK, (i * 29 % BLOCKS) * BLOCK), "pread");
}

static WL_NOINLINE void
rest (void)
{
  struct timespec t = { .tv_nsec = 4 * WL_MS };

  WL_CALL (nanosleep, &t, 0, 0, 0);
}

static WL_NOINLINE void
await_courier (int fd)
{
  struct pollfd p = { .fd = fd, .events = POLLIN };
  struct timespec t = { .tv_nsec = 2 * WL_MS };

  wl_syscall (SYS_ppoll, (long) &p, 1, (long) &t, 0, 0, 0);
}

static int
make_file (void *buffer)
{
  char path[] = "tour-XXXXXX";
  int fd = mkostemp (path, O_DIRECT);

  wl_check (fd, path);
  wl_check (unlink (path), path);
  memset (buffer, 't', BLOCK);
  for (int i = 0; i < BLOCKS; i++)
    wl_check (write (fd, buffer, BLOCK), "write");
  wl_check (fsync (fd), "fsync");
  return fd;
}

static WL_NOINLINE void
keep_store (const Pipes *pipes, int file, void *buffer)
{
  wl_name ("tour-store");
  for (long i = 0;; i++)
    {
      receive (pipes->in);
      load_record (file, buffer, i);
      check_stock ();
      transmit (pipes->out);
    }
}

static WL_NOINLINE void
serve (int listener, const Pipes *pipes)
{
  int fd;

  wl_name ("tour-server");
  fd = accept (listener, NULL, NULL);
  wl_check (fd, "accept");
  for (;;)
    {
      receive (fd);
      parse_order ();
      transmit (pipes->to_store);
      receive (pipes->from_store);
      write_bill ();
      transmit (fd);
    }
}

static WL_NOINLINE void
shop (int fd, long rounds)
{
  for (long i = 0; i < rounds; i++)
    {
      choose_goods ();
      transmit (fd);
      receive (fd);
      draw_page ();
      if (i % 2 == 0)
        rest ();
      else
        await_courier (fd);
    }
}

int
main (int argc, char **argv)
{
  long rounds = wl_argument (argc, argv, 1, 6);
  int64_t begin = wl_begin ();
  int there[2], back[2], listener, fd, file;
  struct sockaddr_in address;
  void *buffer = NULL;
  pid_t server, store;
  Pipes pipes;

  if (posix_memalign (&buffer, 4096, BLOCK) != 0 || pipe (there) != 0 || pipe (back) != 0)
    wl_check (-1, "tour");
  file = make_file (buffer);
  pipes = (Pipes) { .to_store = there[1], .in = there[0], .out = back[1], .from_store = back[0] };
  listener = wl_bound_socket (SOCK_STREAM, &address);
  wl_check (listen (listener, 1), "listen");
  store = fork ();
  wl_check (store, "fork");
  if (store == 0)
    {
      wl_pin (0);
      close (there[1]);
      keep_store (&pipes, file, buffer);
    }
  server = fork ();
  wl_check (server, "fork");
  if (server == 0)
    {
      wl_pin (1);
      close (there[0]);
      close (back[1]);
      serve (listener, &pipes);
    }
  wl_pin (0);
  close (there[0]);
  close (there[1]);
  fd = socket (AF_INET, SOCK_STREAM, 0);
  wl_check (connect (fd, (struct sockaddr *) &address, sizeof address), "connect");
  setsockopt (fd, IPPROTO_TCP, TCP_NODELAY, &(int) { 1 }, sizeof (int));
  shop (fd, rounds);
  close (fd);
  wl_wait (server);
  wl_wait (store);
  wl_json_begin ("tour", begin);
  wl_json_end ();
  return 0;
}
