#include "read/symbols/demangle.h"

#include "config.h"
#include "read/symbols/demangle-protocol.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#define LOOK_MS 20
#define LOOKS_MAX 500 /* who has had no CPU for so long, or was stopped, is not waited for */
#define ENDS_MAX 3    /* children that hostile names may use up */
#define WORTH 20000   /* names answered, and the child's end is no longer theirs */

struct WpDemangler
{
  GCancellable *cancellable;
  GMutex lock; /* of all below */
  pid_t child; /* 0: none runs */
  int socket;
  guint answered; /* by this child */
  guint ends;     /* children that ended over a name */
  guint given_up;
  gboolean absent; /* it cannot be started */
  char answer[1 + WPD_READABLE_MAX];
};

WpDemangler *
wp_demangler_new (GCancellable *cancellable)
{
  WpDemangler *self = g_malloc (sizeof *self);

  memset (self, 0, offsetof (WpDemangler, answer));
  self->cancellable = cancellable != NULL ? g_object_ref (cancellable) : NULL;
  self->socket = -1;
  g_mutex_init (&self->lock);
  return self;
}

/* --- the child ---------------------------------------------------------------------------------------------------- */

/* The one of the build tree serves what is run from there, and nothing else: others may write to that folder. */
static const char *
program (void)
{
  g_autofree char *self = g_file_read_link ("/proc/self/exe", NULL);

  return self != NULL && g_str_has_prefix (self, WP_BUILD_ROOT "/") ? WP_BUILD_ROOT "/src/demangler/wakepath-demangler" : WP_DEMANGLER_PATH;
}

static int
spawn (pid_t *child, int socket)
{
  char *argv[] = { (char *) "wakepath-demangler", NULL }, *environment[] = { NULL };
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  sigset_t none;
  int code;

  sigemptyset (&none);
  posix_spawnattr_init (&attributes);
  posix_spawnattr_setsigmask (&attributes, &none);
  posix_spawnattr_setflags (&attributes, POSIX_SPAWN_SETSIGMASK);
  posix_spawn_file_actions_init (&actions);
  posix_spawn_file_actions_adddup2 (&actions, socket, STDIN_FILENO);
  posix_spawn_file_actions_addopen (&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_adddup2 (&actions, STDOUT_FILENO, STDERR_FILENO);
  posix_spawn_file_actions_addclosefrom_np (&actions, STDERR_FILENO + 1);
  code = posix_spawn (child, program (), &actions, &attributes, argv, environment);
  posix_spawn_file_actions_destroy (&actions);
  posix_spawnattr_destroy (&attributes);
  return code;
}

static gboolean
start (WpDemangler *self)
{
  int ends[2];

  if (self->absent || self->ends >= ENDS_MAX)
    return FALSE;
  self->absent = socketpair (AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0;
  if (self->absent)
    return FALSE;
  self->absent = spawn (&self->child, ends[1]) != 0;
  close (ends[1]);
  if (!self->absent)
    {
      self->socket = ends[0];
      self->answered = 0;
      return TRUE;
    }
  self->child = 0;
  close (ends[0]);
  return FALSE;
}

static void
end_child (WpDemangler *self)
{
  if (self->child == 0)
    return;
  close (self->socket);
  kill (self->child, SIGKILL);
  while (waitpid (self->child, NULL, 0) < 0 && errno == EINTR)
    ;
  self->child = 0;
  self->socket = -1;
}

void
wp_demangler_free (WpDemangler *self)
{
  if (self == NULL)
    return;
  end_child (self);
  g_clear_object (&self->cancellable);
  g_mutex_clear (&self->lock);
  g_free (self);
}

/* --- one name ----------------------------------------------------------------------------------------------------- */

static gboolean
wait_for_answer (const WpDemangler *self)
{
  struct pollfd ready = { .fd = self->socket, .events = POLLIN };

  for (guint i = 0; i < LOOKS_MAX && !g_cancellable_is_cancelled (self->cancellable); i++)
    {
      int n = poll (&ready, 1, LOOK_MS);

      if (n != 0 && (n > 0 || errno != EINTR))
        return n > 0;
    }
  return FALSE;
}

/* How long the answer is; 0: there is none, and the child is to go. */
static gsize
ask (WpDemangler *self, const char *symbol, gsize n)
{
  gssize got = 0;

  if (send (self->socket, symbol, n, MSG_NOSIGNAL) == (gssize) n && wait_for_answer (self))
    got = recv (self->socket, self->answer, sizeof self->answer, MSG_DONTWAIT);
  self->answered += got > 0;
  return got > 0 ? (gsize) got : 0;
}

static char *
read_answer (const WpDemangler *self, gsize n)
{
  g_autofree char *text = g_strndup (self->answer + 1, n - 1);

  if (self->answer[0] == WPD_NONE)
    return NULL;
  return self->answer[0] == WPD_CUT ? g_strconcat (text, "…", NULL) : g_steal_pointer (&text);
}

static char *
demangle (WpDemangler *self, const char *symbol, gsize length)
{
  gsize n;

  if (g_cancellable_is_cancelled (self->cancellable))
    return NULL;
  if (self->child == 0 && !start (self))
    {
      self->given_up += !self->absent;
      return NULL;
    }
  n = ask (self, symbol, length);
  if (n > 0)
    return read_answer (self, n);
  self->given_up += !g_cancellable_is_cancelled (self->cancellable);
  self->ends += self->answered < WORTH;
  end_child (self);
  return NULL;
}

char *
wp_demangle (WpDemangler *self, const char *symbol)
{
  gsize n = strnlen (symbol, WPD_NAME_MAX + 1);
  char *name;

  if (symbol[0] != '_' || (symbol[1] != 'R' && symbol[1] != 'Z') || n > WPD_NAME_MAX)
    return NULL;
  g_mutex_lock (&self->lock);
  name = demangle (self, symbol, n);
  g_mutex_unlock (&self->lock);
  return name;
}

void
wp_demangler_tell (WpDemangler *self, WpDiagnostics *diagnostics)
{
  g_mutex_lock (&self->lock);
  diagnostics->n[WP_DIAG_NAMES_GIVEN_UP] += self->given_up;
  diagnostics->n[WP_DIAG_NO_DEMANGLER] |= self->absent;
  g_mutex_unlock (&self->lock);
}
