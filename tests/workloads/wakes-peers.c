/* Sleeps that another task ends through a pipe, a socket, a file or a terminal. */
#include "wakes.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/file.h>
#include <sys/inotify.h>
#include <sys/ipc.h>
#include <sys/msg.h>
#include <sys/sem.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <mqueue.h>
#include <termios.h>
#include <unistd.h>

#define CHUNK 65536

/* --- readers and writers -------------------------------------------------------------------------------------------- */

static void
write_slowly (int fd)
{
  for (int i = 0; i < TIMES; i++)
    {
      wakes_sleep (2 * MS);
      wakes_need (write (fd, "x", 1), "write");
    }
}

static void
read_bytes (int fd)
{
  char c;

  for (int i = 0; i < TIMES; i++)
    wakes_need (read (fd, &c, 1), "read");
}

static void
poll_and_read (int fd)
{
  struct pollfd wanted = { .fd = fd, .events = POLLIN };
  char c;

  for (int i = 0; i < TIMES; i++)
    {
      poll (&wanted, 1, -1);
      wakes_need (read (fd, &c, 1), "read");
    }
}

static void
epoll_and_read (int fd)
{
  struct epoll_event event = { .events = EPOLLIN };
  int epoll = (int) wakes_need (epoll_create1 (0), "epoll");
  char c;

  epoll_ctl (epoll, EPOLL_CTL_ADD, fd, &event);
  for (int i = 0; i < TIMES; i++)
    {
      epoll_wait (epoll, &event, 1, -1);
      wakes_need (read (fd, &c, 1), "read");
    }
}

static void
with_pipe (void (*reader) (int fd))
{
  int ends[2];

  wakes_need (pipe (ends), "pipe");
  wakes_helper ("k-pipew", write_slowly, ends[1]);
  reader (ends[0]);
}

static void
pipe_read (void)
{
  with_pipe (read_bytes);
}

static void
pipe_poll (void)
{
  with_pipe (poll_and_read);
}

static void
pipe_epoll (void)
{
  with_pipe (epoll_and_read);
}

static void
read_slowly (int fd)
{
  static char chunk[CHUNK];

  for (int i = 0; i < TIMES; i++)
    {
      wakes_sleep (3 * MS);
      wakes_need (read (fd, chunk, CHUNK), "read");
    }
}

static void
pipe_full (void)
{
  static const char chunk[CHUNK];
  int ends[2];

  wakes_need (pipe (ends), "pipe");
  wakes_helper ("k-piper", read_slowly, ends[0]);
  signal (SIGPIPE, SIG_IGN);
  close (ends[0]);
  for (int i = 0; i < TIMES; i++)
    wakes_need (write (ends[1], chunk, CHUNK), "write");
}

static void
with_unix (void (*reader) (int fd))
{
  int ends[2];

  wakes_need (socketpair (AF_UNIX, SOCK_STREAM, 0, ends), "socketpair");
  wakes_helper ("k-unixw", write_slowly, ends[1]);
  reader (ends[0]);
}

static void
unix_read (void)
{
  with_unix (read_bytes);
}

static void
unix_epoll (void)
{
  with_unix (epoll_and_read);
}

/* --- TCP and UDP over loopback -------------------------------------------------------------------------------------- */

static int
bound (int type, int *port)
{
  struct sockaddr_in address = { .sin_family = AF_INET, .sin_addr.s_addr = htonl (INADDR_LOOPBACK) };
  socklen_t size = sizeof address;
  int fd = (int) wakes_need (socket (AF_INET, type, 0), "socket");

  wakes_need (bind (fd, (struct sockaddr *) &address, sizeof address), "bind");
  if (type == SOCK_STREAM)
    wakes_need (listen (fd, 5), "listen");
  getsockname (fd, (struct sockaddr *) &address, &size);
  *port = ntohs (address.sin_port);
  return fd;
}

static int
connected (int type, int port, int buffer)
{
  struct sockaddr_in address = { .sin_family = AF_INET, .sin_port = htons ((uint16_t) port),
                                 .sin_addr.s_addr = htonl (INADDR_LOOPBACK) };
  int fd = (int) wakes_need (socket (AF_INET, type, 0), "socket");

  if (buffer != 0)
    setsockopt (fd, SOL_SOCKET, SO_RCVBUF, &buffer, sizeof buffer);
  wakes_need (connect (fd, (struct sockaddr *) &address, sizeof address), "connect");
  return fd;
}

static void
connect_and_write (int port)
{
  wakes_sleep (2 * MS);
  write_slowly (connected (SOCK_STREAM, port, 0));
}

static void
with_tcp (void (*reader) (int fd))
{
  int port, listening = bound (SOCK_STREAM, &port);

  wakes_helper ("k-tcpw", connect_and_write, port);
  reader ((int) wakes_need (accept (listening, NULL, NULL), "accept"));
}

static void
tcp_read (void)
{
  with_tcp (read_bytes);
}

static void
tcp_poll (void)
{
  with_tcp (poll_and_read);
}

static void
tcp_epoll (void)
{
  with_tcp (epoll_and_read);
}

static void
connect_and_read (int port)
{
  static char chunk[1 << 20];
  int fd = connected (SOCK_STREAM, port, 4096);

  do
    wakes_sleep (2 * MS);
  while (read (fd, chunk, sizeof chunk) > 0);
}

static void
tcp_send (void)
{
  static const char chunk[100000];
  int port, listening = bound (SOCK_STREAM, &port), fd, room = 16384;

  wakes_helper ("k-tcpr", connect_and_read, port);
  fd = (int) wakes_need (accept (listening, NULL, NULL), "accept");
  setsockopt (fd, SOL_SOCKET, SO_SNDBUF, &room, sizeof room);
  for (int i = 0; i < 2; i++)
    wakes_need (write (fd, chunk, sizeof chunk), "write");
  close (fd);
}

static void
send_datagrams (int port)
{
  write_slowly (connected (SOCK_DGRAM, port, 0));
}

static void
udp_read (void)
{
  int port, fd = bound (SOCK_DGRAM, &port);

  wakes_helper ("k-udpw", send_datagrams, port);
  read_bytes (fd);
}

/* --- other descriptors ---------------------------------------------------------------------------------------------- */

static void
count_slowly (int fd)
{
  uint64_t one = 1;

  for (int i = 0; i < TIMES; i++)
    {
      wakes_sleep (2 * MS);
      wakes_need (write (fd, &one, sizeof one), "write");
    }
}

/* What was counted meanwhile comes in one piece. */
static void
event_read (void)
{
  int fd = (int) wakes_need (eventfd (0, 0), "eventfd");
  uint64_t value;

  wakes_helper ("k-evfd", count_slowly, fd);
  for (uint64_t sum = 0; sum < TIMES; sum += value)
    wakes_need (read (fd, &value, sizeof value), "read");
}

static void
event_poll (void)
{
  struct pollfd wanted = { .fd = (int) wakes_need (eventfd (0, 0), "eventfd"), .events = POLLIN };
  uint64_t value;

  wakes_helper ("k-evfd", count_slowly, wanted.fd);
  for (uint64_t sum = 0; sum < TIMES; sum += value)
    {
      poll (&wanted, 1, -1);
      wakes_need (read (wanted.fd, &value, sizeof value), "read");
    }
}

static void
open_slowly (int unused)
{
  char name[] = "wakes.dir/0";

  (void) unused;
  for (int i = 0; i < TIMES; i++, name[sizeof name - 2]++)
    {
      wakes_sleep (2 * MS);
      close ((int) wakes_need (open (name, O_RDWR | O_CREAT, 0644), "open"));
    }
}

/* Files of their own, since the same event twice is told once. */
static void
watch_folder (void)
{
  const size_t size = sizeof (struct inotify_event) + 16; /* with a name of one letter */
  int fd = (int) wakes_need (inotify_init (), "inotify");
  char events[4096];
  size_t seen = 0;

  mkdir ("wakes.dir", 0755);
  wakes_need (inotify_add_watch (fd, "wakes.dir", IN_OPEN), "inotify");
  wakes_helper ("k-touch", open_slowly, 0);
  while (seen < TIMES * size)
    seen += (size_t) wakes_need (read (fd, events, sizeof events), "read");
}

/* Both ends of a terminal that changes nothing. */
static void
make_terminal (int *master, int *slave)
{
  struct termios raw;

  *master = (int) wakes_need (posix_openpt (O_RDWR | O_NOCTTY), "a terminal");
  grantpt (*master);
  unlockpt (*master);
  *slave = (int) wakes_need (open (ptsname (*master), O_RDWR | O_NOCTTY), "a terminal");
  tcgetattr (*slave, &raw);
  cfmakeraw (&raw);
  tcsetattr (*slave, TCSANOW, &raw);
}

static void
terminal_read (void)
{
  int master, slave;

  make_terminal (&master, &slave);
  wakes_helper ("k-ptyw", write_slowly, master);
  read_bytes (slave);
}

static void
terminal_poll (void)
{
  int master, slave;

  make_terminal (&master, &slave);
  wakes_helper ("k-ptyw", write_slowly, slave);
  poll_and_read (master);
}

/* --- System V and POSIX ---------------------------------------------------------------------------------------------- */

static void
raise_slowly (int id)
{
  struct sembuf up = { .sem_op = 1 };

  for (int i = 0; i < TIMES; i++)
    {
      wakes_sleep (2 * MS);
      wakes_need (semop (id, &up, 1), "semop");
    }
}

static void
semaphore (void)
{
  int id = (int) wakes_need (semget (IPC_PRIVATE, 1, 0600), "semget");
  struct sembuf down = { .sem_op = -1 };

  wakes_helper ("k-semop", raise_slowly, id);
  for (int i = 0; i < TIMES; i++)
    wakes_need (semop (id, &down, 1), "semop");
  semctl (id, 0, IPC_RMID);
}

struct message
{
  long type;
  char text[8];
};

static void
post_slowly (int id)
{
  struct message message = { .type = 1 };

  for (int i = 0; i < TIMES; i++)
    {
      wakes_sleep (2 * MS);
      wakes_need (msgsnd (id, &message, 1, 0), "msgsnd");
    }
}

static void
message_queue (void)
{
  int id = (int) wakes_need (msgget (IPC_PRIVATE, 0600), "msgget");
  struct message message;

  wakes_helper ("k-msgsnd", post_slowly, id);
  for (int i = 0; i < TIMES; i++)
    wakes_need (msgrcv (id, &message, sizeof message.text, 0, 0), "msgrcv");
  msgctl (id, IPC_RMID, NULL);
}

static void
send_slowly (int queue)
{
  for (int i = 0; i < TIMES; i++)
    {
      wakes_sleep (2 * MS);
      wakes_need (mq_send (queue, "x", 1, 0), "mq_send");
    }
}

static void
posix_queue (void)
{
  struct mq_attr attributes = { .mq_maxmsg = 8, .mq_msgsize = 16 };
  mqd_t queue = (mqd_t) wakes_need (mq_open ("/wakes", O_RDWR | O_CREAT, 0600, &attributes), "mq_open");
  char text[16];

  mq_unlink ("/wakes");
  wakes_helper ("k-mq", send_slowly, queue);
  for (int i = 0; i < TIMES; i++)
    wakes_need (mq_receive (queue, text, sizeof text, 0), "mq_receive");
}

const Wake wakes_peers[] = {
  { "w-pipe-rd", pipe_read },
  { "w-pipe-poll", pipe_poll },
  { "w-pipe-epoll", pipe_epoll },
  { "w-pipe-full", pipe_full },
  { "w-unix-rd", unix_read },
  { "w-unix-epoll", unix_epoll },
  { "w-tcp-rd", tcp_read },
  { "w-tcp-poll", tcp_poll },
  { "w-tcp-epoll", tcp_epoll },
  { "w-tcp-snd", tcp_send },
  { "w-udp-rd", udp_read },
  { "w-evfd-rd", event_read },
  { "w-evfd-poll", event_poll },
  { "w-inotify", watch_folder },
  { "w-pty-rd", terminal_read },
  { "w-pty-poll", terminal_poll },
  { "w-sysvsem", semaphore },
  { "w-sysvmsg", message_queue },
  { "w-posixmq", posix_queue },
  { NULL, NULL },
};
