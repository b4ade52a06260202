/* Makes the linker's names of C++ and Rust functions readable, one a message, for a program that does not trust them: a name of 268
 * bytes can stand for gigabytes, or for years of work. What is written is bounded, and so are memory and time, past which
 * this process just ends; whoever started it starts another.
 *
 * Standard input is a socket of messages (SOCK_SEQPACKET). One that comes in is a name; what goes out for it is a byte, WPD_NONE,
 * WPD_WHOLE or WPD_CUT, and the readable name. The socket's end is the end. */
#include "read/symbols/demangle-protocol.h"

#include <setjmp.h>
#include <signal.h>
#include <stdbool.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

/* libiberty's own header would redefine what string.h declares. */
typedef void (*Callback) (const char *text, size_t n, void *data);
extern int cplus_demangle_v3_callback (const char *mangled, int options, Callback callback, void *data);
extern int rust_demangle_callback (const char *mangled, int options, Callback callback, void *data);

#define DEMANGLE_PARAMS (1 << 0)
#define DEMANGLE_ANSI (1 << 1)

#define NAME_US 20000 /* of CPU time for one name; the longest ordinary ones take less than one thousand */
#define LIFE_S 1      /* … in all */
#define MEMORY (64u << 20)

typedef struct
{
  char text[1 + WPD_READABLE_MAX];
  size_t n, most; /* without the first byte */
  jmp_buf full;
} Answer;

/* There is no other way to make libiberty stop. What it holds then is on the stack, but for a few bytes of a Rust name. */
static void
add (const char *text, size_t n, void *data)
{
  Answer *self = data;
  size_t room = self->most - self->n;

  memcpy (self->text + 1 + self->n, text, n < room ? n : room);
  self->n += n < room ? n : room;
  if (n > room)
    longjmp (self->full, 1);
}

/* The tail of an UTF-8 character whose rest was cut goes, too. */
static void
mark_cut (Answer *self)
{
  while (self->n > 0 && (self->text[self->n] & 0xc0) == 0x80)
    self->n--;
  self->n -= self->n > 0 && (self->text[self->n] & 0xc0) == 0xc0;
  self->text[0] = WPD_CUT;
}

static bool
is_either (const char *name, Answer *self)
{
  if (name[0] != '_' || (name[1] != 'R' && name[1] != 'Z'))
    return false;
  if (rust_demangle_callback (name, 0, add, self))
    return true;
  self->n = 0;
  return name[1] == 'Z' && cplus_demangle_v3_callback (name, DEMANGLE_PARAMS | DEMANGLE_ANSI, add, self);
}

static void
answer (Answer *self, const char *name, size_t n)
{
  self->n = 0;
  self->most = wpd_readable_max (n);
  if (setjmp (self->full) != 0)
    {
      mark_cut (self);
      return;
    }
  self->text[0] = is_either (name, self) ? WPD_WHOLE : WPD_NONE;
  if (self->text[0] == WPD_NONE)
    self->n = 0;
}

static void
limit (int what, rlim_t most)
{
  const struct rlimit both = { most, most };

  setrlimit (what, &both);
}

static void
give_up_rights (void)
{
  signal (SIGVTALRM, SIG_DFL);
  signal (SIGXCPU, SIG_DFL);
  prctl (PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
  limit (RLIMIT_CORE, 0);
  limit (RLIMIT_CPU, LIFE_S);
  limit (RLIMIT_NOFILE, 0);
  limit (RLIMIT_NPROC, 0);
  limit (RLIMIT_AS, MEMORY);
}

static void
set_alarm (long us)
{
  const struct itimerval after = { .it_value = { .tv_usec = us } };

  setitimer (ITIMER_VIRTUAL, &after, NULL);
}

int
main (void)
{
  static char name[WPD_NAME_MAX + 1];
  static Answer self;
  ssize_t n;

  give_up_rights ();
  while ((n = recv (STDIN_FILENO, name, WPD_NAME_MAX, 0)) > 0)
    {
      name[n] = '\0';
      set_alarm (NAME_US);
      answer (&self, name, (size_t) n);
      set_alarm (0);
      if (send (STDIN_FILENO, self.text, 1 + self.n, MSG_NOSIGNAL) < 0)
        return 1;
    }
  return 0;
}
