/* Records about the existing processes; see processes.h. */
#include "processes.h"

#include "caller.h"
#include "map-reader.h"
#include "options.h"
#include "shares.h"
#include "snapshot.h"
#include "stream.h"
#include "threads.h"
#include "waits.h"

#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define PIECE 65536 /* of a table of mappings: more than its longest line */
#define PATH_LENGTH_MAX 4096

typedef struct
{
  WpcBuffer *out;
  WpcShares shares;
  unsigned user; /* who records */
  unsigned cut[WPC_CUT_STUCK + 1], first[WPC_CUT_STUCK + 1]; /* how many processes were, and one of them */
  bool stuck; /* the process under way, or another of its user's */
  bool late;
} Processes;

/* Returns whether this process may have more. */
static bool
use (Processes *self, size_t bytes)
{
  wpc_shares_use (&self->shares, bytes);
  return wpc_shares_cut (&self->shares) == WPC_CUT_NOT;
}

/* --- names, and what is waited in -------------------------------------------------------------------------------- */

static bool
add_thread (Processes *self, unsigned pid, unsigned tid)
{
  char path[64], name[16];
  size_t at = self->out->len;

  snprintf (path, sizeof path, "/proc/%u/task/%u/comm", pid, tid);
  if (wpc_read_line (path, name, sizeof name) != 0)
    return true;
  wpc_record_begin (self->out, PERF_RECORD_COMM, 0);
  wpc_buffer_add_u32 (self->out, pid);
  wpc_buffer_add_u32 (self->out, tid);
  wpc_buffer_add_string (self->out, name);
  wpc_record_pad (self->out, at);
  wpc_buffer_add (self->out, NULL, WPC_SAMPLE_ID_SIZE);
  wpc_record_end (self->out, at);
  wpc_add_wait (self->out, pid, tid, &self->stuck);
  return use (self, self->out->len - at);
}

static bool
add_threads (Processes *self, unsigned pid)
{
  bool more = add_thread (self, pid, pid);
  DIR *folder = wpc_threads_open (pid);
  unsigned tid;

  if (folder == NULL)
    return more;
  while (more && (tid = wpc_threads_next (folder)) != 0)
    if (tid != pid)
      more = add_thread (self, pid, tid);
  closedir (folder);
  return more;
}

/* --- mappings ----------------------------------------------------------------------------------------------------- */

typedef struct
{
  uint64_t start, end, offset, inode;
  unsigned major, minor;
  char rights[5];
  const char *name;
} Map;

static bool
parse_map (const char *line, Map *map)
{
  int at = 0;

  if (sscanf (line, "%" SCNx64 "-%" SCNx64 " %4s %" SCNx64 " %x:%x %" SCNu64 " %n", &map->start, &map->end, map->rights,
              &map->offset, &map->major, &map->minor, &map->inode, &at) != 7 || at == 0)
    return false;
  map->name = line[at] != '\0' ? line + at : "//anon";
  return strlen (map->name) < PATH_LENGTH_MAX && map->rights[2] == 'x';
}

static void
add_map (WpcBuffer *out, unsigned pid, const Map *map)
{
  uint32_t protection = (map->rights[0] == 'r' ? PROT_READ : 0) | (map->rights[1] == 'w' ? PROT_WRITE : 0) | PROT_EXEC;
  size_t at = wpc_record_begin (out, PERF_RECORD_MMAP2, PERF_RECORD_MISC_USER);

  wpc_buffer_add_u32 (out, pid);
  wpc_buffer_add_u32 (out, pid);
  wpc_buffer_add_u64 (out, map->start);
  wpc_buffer_add_u64 (out, map->end - map->start);
  wpc_buffer_add_u64 (out, map->offset);
  wpc_buffer_add_u32 (out, map->major);
  wpc_buffer_add_u32 (out, map->minor);
  wpc_buffer_add_u64 (out, map->inode);
  wpc_buffer_add_u64 (out, 0); /* inode generation */
  wpc_buffer_add_u32 (out, protection);
  wpc_buffer_add_u32 (out, map->rights[3] == 's' ? MAP_SHARED : MAP_PRIVATE);
  wpc_buffer_add_string (out, map->name);
  wpc_record_pad (out, at);
  wpc_buffer_add (out, NULL, WPC_SAMPLE_ID_SIZE);
  wpc_record_end (out, at);
}

/* Whole lines of a table, which are changed. Returns how many bytes they take, or 0 when the process has had its share. */
static size_t
add_lines (Processes *self, unsigned pid, char *text, size_t length)
{
  size_t taken = 0, before = self->out->len;
  char *end;
  Map map;

  for (; (end = memchr (text + taken, '\n', length - taken)) != NULL; taken = (size_t) (end + 1 - text))
    {
      *end = '\0';
      if (!parse_map (text + taken, &map))
        continue;
      before = self->out->len;
      add_map (self->out, pid, &map);
      if (!use (self, self->out->len - before))
        return 0;
    }
  return use (self, taken / 4) ? taken : 0;
}

static WpcCut
add_maps (Processes *self, unsigned pid)
{
  static char text[PIECE];
  size_t length = 0, taken = 1;
  unsigned of = pid;
  int n = 1;

  if (self->stuck)
    return WPC_CUT_STUCK;
  while (taken > 0 && length < sizeof text && (n = wpc_map_reader_read (of, text + length, sizeof text - length)) > 0)
    {
      of = 0;
      length += (size_t) n;
      taken = add_lines (self, pid, text, length);
      memmove (text, text + taken, length - taken);
      length -= taken;
    }
  self->stuck = n < 0;
  return self->stuck ? WPC_CUT_STUCK : wpc_shares_cut (&self->shares);
}

/* --- one and all -------------------------------------------------------------------------------------------------- */

/* The real one: whose a process' files are depends on whether it may be looked into. False: it has ended. */
static bool
find_user (unsigned pid, unsigned *user)
{
  char path[64], text[1024];
  const char *line;

  snprintf (path, sizeof path, "/proc/%u/status", pid);
  if (wpc_read_text (path, text, sizeof text) != 0)
    return false;
  line = strstr (text, "\nUid:\t"); /* a name cannot have a line of its own: it is escaped */
  return line != NULL && sscanf (line, "\nUid:\t%u", user) == 1;
}

static void
note_cut (Processes *self, WpcCut cut, unsigned pid)
{
  if (self->cut[cut]++ == 0)
    self->first[cut] = pid;
}

static void
add_process (Processes *self, unsigned pid)
{
  unsigned user;
  WpcCut cut;

  if (!find_user (pid, &user))
    return;
  wpc_shares_begin (&self->shares, user, self->user);
  self->stuck = self->shares.now->stuck;
  cut = wpc_shares_cut (&self->shares);
  if (cut == WPC_CUT_NOT)
    cut = add_threads (self, pid) ? add_maps (self, pid) : wpc_shares_cut (&self->shares);
  self->shares.now->stuck = self->stuck && user != 0; /* root's processes are no neighbour's: each of them is waited for */
  if (cut != WPC_CUT_NOT)
    note_cut (self, cut, pid);
}

static void
tell_cuts (const Processes *self, WpcMissing *missing)
{
  static const char *const reasons[] = {
    [WPC_CUT_PROCESS] = "have more threads or mappings than are written down of one process",
    [WPC_CUT_USER] = "belong to users whose processes have more threads and mappings than are written down of one user",
    [WPC_CUT_STUCK] = "did not let their mappings or calls be read, or belong to users of whom one did not",
    [WPC_CUT_ALL] = "came when as much as is written down of all processes had been",
  };
  char why[256];

  for (int cut = WPC_CUT_PROCESS; cut <= WPC_CUT_STUCK; cut++)
    {
      if (self->cut[cut] == 0)
        continue;
      snprintf (why, sizeof why, "%u of them, among them %u, %s", self->cut[cut], self->first[cut], reasons[cut]);
      wpc_missing_add (missing, "processes", why, "some of their functions and threads have no names");
    }
  if (self->late)
    wpc_missing_add (missing, "processes", "looking at them took too long", "some of their functions and threads have no names");
}

void
wpc_add_processes (WpcBuffer *out, WpcMissing *missing, unsigned user)
{
  Processes self = { .out = out, .user = user };
  int64_t until = wpc_now_ms () + wpc_at_most_ms (WPC_GATHER_S * 1000);
  DIR *folder = opendir ("/proc");
  struct dirent *entry;
  unsigned pid;

  while (folder != NULL && !self.late && wpc_caller_goes_on () && (entry = readdir (folder)) != NULL)
    {
      if (wpc_parse_number (entry->d_name, WPC_PID_MAX, &pid))
        add_process (&self, pid);
      self.late = wpc_now_ms () > until;
    }
  if (folder != NULL)
    closedir (folder);
  wpc_map_reader_end ();
  tell_cuts (&self, missing);
}
