/* Unwinds the stacks of a recording twice, by our own unwinder and by libdw's walker, from the same bytes in the same order.
 *
 * usage: bench-unwinding FILE [verbose]
 *
 * Prints "name value" lines: CPU seconds and stacks a second of both, the share of stacks whose outermost function is an entry,
 * and how many stacks are the same. The peer has one Dwfl for each address space, made anew when its mappings have changed. */
#include "read/perf/perf-expand.h"
#include "read/perf/perf-queues.h"
#include "read/perf/perf-parts.h"
#include "read/perf/perf-unwind.h"

#include <elfutils/libdwfl.h>
#include <stdio.h>
#include <sys/auxv.h>
#include <time.h>
#include <unistd.h>

typedef struct
{
  guint64 pcs[WP_STACK_DEPTH_MAX];
  guint n;
  WpUnwindEnd end;
} Stack;

typedef struct
{
  double seconds;
  guint64 stacks, frames, entries, completed;
} Result;

static double
cpu_seconds (void)
{
  struct timespec now;

  clock_gettime (CLOCK_THREAD_CPUTIME_ID, &now);
  return (double) now.tv_sec + (double) now.tv_nsec / 1e9;
}

/* --- the peer ----------------------------------------------------------------------------------------------------- */

typedef struct
{
  guint64 start, size, offset;
  const char *path; /* of the pool */
} Map;

typedef struct
{
  guint users;
  GArray *maps;
  Dwfl *dwfl; /* NULL: to be made anew */
} Space;

typedef struct
{
  WpPerfFile *file;
  WpPerfQueues *lanes;
  GHashTable *spaces; /* pid → Space */
  GHashTable *paths;
  char *vdso;
  guint64 rebuilt;
  /* of the sample at hand */
  const WpUserState *user;
  guint64 registers[17];
  Dwfl *dwfl;
  Stack *stack;
} Peer;

static void
space_unref (gpointer data)
{
  Space *self = data;

  if (--self->users > 0)
    return;
  g_array_unref (self->maps);
  if (self->dwfl != NULL)
    dwfl_end (self->dwfl);
  g_free (self);
}

static Space *
space_own (Peer *peer, gint32 pid)
{
  Space *old = g_hash_table_lookup (peer->spaces, GINT_TO_POINTER (pid)), *self = old;

  if (old == NULL || old->users > 1)
    {
      self = g_new0 (Space, 1);
      self->users = 1;
      self->maps = old != NULL ? g_array_copy (old->maps) : g_array_new (FALSE, FALSE, sizeof (Map));
      g_hash_table_replace (peer->spaces, GINT_TO_POINTER (pid), self);
    }
  return self;
}

static void
peer_map (Peer *peer, const WpPerfRecord *header)
{
  WpPerfMapping mapping;
  Space *space;
  Map map;

  if (!wp_perf_mapping (peer->file, header, &mapping) || mapping.is_kernel || mapping.is_data)
    return;
  space = space_own (peer, mapping.pid);
  map = (Map){ mapping.start, mapping.size, mapping.offset, NULL };
  map.path = g_hash_table_lookup (peer->paths, mapping.path);
  if (map.path == NULL)
    {
      char *path = g_strdup (mapping.path);

      g_hash_table_add (peer->paths, path);
      map.path = path;
    }
  for (guint i = space->maps->len; i-- > 0;)
    {
      const Map *other = &g_array_index (space->maps, Map, i);

      if (other->start < map.start + map.size && map.start < other->start + other->size)
        g_array_remove_index (space->maps, i);
    }
  g_array_append_val (space->maps, map);
  if (space->dwfl != NULL)
    dwfl_end (space->dwfl);
  space->dwfl = NULL;
}

static void
peer_task (Peer *peer, const WpPerfRecord *header)
{
  const guint8 *body = (const guint8 *) (header + 1);
  gint32 first = (gint32) wp_read_u32 (body), second = (gint32) wp_read_u32 (body + 4);
  Space *space;

  if (header->type == PERF_RECORD_COMM && (header->misc & PERF_RECORD_MISC_COMM_EXEC))
    g_hash_table_remove (peer->spaces, GINT_TO_POINTER (first));
  else if (header->type == PERF_RECORD_EXIT && first == (gint32) wp_read_u32 (body + 8))
    g_hash_table_remove (peer->spaces, GINT_TO_POINTER (first));
  else if (header->type == PERF_RECORD_FORK && first != second
           && (space = g_hash_table_lookup (peer->spaces, GINT_TO_POINTER (second))) != NULL)
    {
      space->users++;
      g_hash_table_replace (peer->spaces, GINT_TO_POINTER (first), space);
    }
}

static gboolean
read_file (const Peer *peer, Dwarf_Addr address, Dwarf_Word *value)
{
  Dwfl_Module *module = dwfl_addrmodule (peer->dwfl, address);
  Dwarf_Addr bias, at = address;
  Elf_Scn *section = module != NULL ? dwfl_module_address_section (module, &at, &bias) : NULL;
  Elf_Data *data = section != NULL ? elf_rawdata (section, NULL) : NULL;

  if (data == NULL || data->d_buf == NULL || at > data->d_size || data->d_size - at < 8)
    return FALSE;
  memcpy (value, (const guint8 *) data->d_buf + at, 8);
  return TRUE;
}

static bool
memory_read (Dwfl *dwfl, Dwarf_Addr address, Dwarf_Word *value, void *data)
{
  Peer *peer = data;
  guint64 at = address - peer->registers[7];

  if (peer->user->stack_size < 8 || at > peer->user->stack_size - 8)
    return read_file (peer, address, value);
  memcpy (value, peer->user->stack + at, 8);
  return TRUE;
}

static pid_t
next_thread (Dwfl *dwfl, void *data, void **thread_data)
{
  if (*thread_data != NULL)
    return 0;
  *thread_data = data;
  return dwfl_pid (dwfl);
}

static bool
get_thread (Dwfl *dwfl, pid_t tid, void *data, void **thread_data)
{
  *thread_data = data;
  return TRUE;
}

static bool
set_registers (Dwfl_Thread *thread, void *data)
{
  Peer *peer = data;

  return dwfl_thread_state_registers (thread, 0, 17, peer->registers);
}

static const Dwfl_Callbacks modules = { .find_debuginfo = dwfl_standard_find_debuginfo,
                                        .find_elf = dwfl_build_id_find_elf,
                                        .section_address = dwfl_offline_section_address };
static const Dwfl_Thread_Callbacks threads = { .next_thread = next_thread, .get_thread = get_thread,
                                               .memory_read = memory_read, .set_initial_registers = set_registers };

static Dwfl *
peer_dwfl (Peer *peer, Space *space, gint32 pid)
{
  if (space->dwfl != NULL)
    return space->dwfl;
  peer->rebuilt++;
  space->dwfl = dwfl_begin (&modules);
  dwfl_report_begin (space->dwfl);
  for (guint i = 0; i < space->maps->len; i++)
    {
      const Map *map = &g_array_index (space->maps, Map, i);
      const char *file = g_str_equal (map->path, "[vdso]") ? peer->vdso : map->path;

      if (file[0] == '/' && file[1] != '/')
        dwfl_report_elf (space->dwfl, map->path, file, -1, map->start - map->offset, FALSE);
    }
  dwfl_report_end (space->dwfl, NULL, NULL);
  if (!dwfl_attach_state (space->dwfl, NULL, pid, &threads, peer))
    g_clear_pointer (&space->dwfl, dwfl_end);
  return space->dwfl;
}

static int
on_frame (Dwfl_Frame *frame, void *data)
{
  Stack *stack = data;
  bool is_activation;
  Dwarf_Addr pc;

  if (!dwfl_frame_pc (frame, &pc, &is_activation) || stack->n == WP_STACK_DEPTH_MAX)
    return DWARF_CB_ABORT;
  stack->pcs[stack->n++] = pc;
  return DWARF_CB_OK;
}

static gboolean
mapped (const Space *space, guint64 pc)
{
  for (guint i = 0; i < space->maps->len; i++)
    {
      const Map *map = &g_array_index (space->maps, Map, i);

      if (pc - map->start < map->size)
        return TRUE;
    }
  return FALSE;
}

/* libdw's numbers of the registers in the order in which perf samples them. */
static void
take_registers (Peer *peer)
{
  const WpCfiArch *arch = peer->file->arch;
  guint at = 0;

  memset (peer->registers, 0, sizeof peer->registers);
  for (guint64 bits = peer->user->mask; bits != 0; bits &= bits - 1, at++)
    {
      guint i = (guint) __builtin_ctzll (bits);
      guint64 value = wp_read_u64 (peer->user->registers + 8 * at);

      if (i == arch->sampled_pc)
        peer->registers[16] = value;
      else if (i < arch->n_sampled && arch->sampled[i] >= 0)
        peer->registers[arch->sampled[i]] = value;
    }
}

static void
peer_unwind (Peer *peer, const WpPerfWhere *where, const WpUserState *user, Stack *stack)
{
  Space *space = g_hash_table_lookup (peer->spaces, GINT_TO_POINTER (where->pid));

  stack->n = 0;
  if (space == NULL || user->abi != PERF_SAMPLE_REGS_ABI_64)
    return;
  peer->user = user;
  take_registers (peer);
  peer->dwfl = peer_dwfl (peer, space, where->pid);
  if (peer->dwfl == NULL)
    return;
  dwfl_getthread_frames (peer->dwfl, where->tid, on_frame, stack);
  while (stack->n > 0 && !mapped (space, stack->pcs[stack->n - 1] - (stack->n > 1)))
    stack->n--;
}

/* --- comparing ---------------------------------------------------------------------------------------------------- */

/* Whether the outermost function is an entry, by libdw's names, asked once for each place of a file. */
static gboolean
reaches_entry (Peer *peer, GHashTable *known, gint32 pid, const Stack *stack)
{
  Space *space = g_hash_table_lookup (peer->spaces, GINT_TO_POINTER (pid));
  guint64 pc = stack->n > 0 ? stack->pcs[stack->n - 1] - (stack->n > 1) : 0;
  const char *name;
  g_autofree char *key = NULL;
  gpointer value;
  Dwfl *dwfl;

  for (guint i = 0; space != NULL && key == NULL && i < space->maps->len; i++)
    {
      const Map *map = &g_array_index (space->maps, Map, i);

      if (pc - map->start < map->size)
        key = g_strdup_printf ("%s+%" G_GINT64_MODIFIER "x", map->path, pc - map->start + map->offset);
    }
  if (key == NULL || (dwfl = peer_dwfl (peer, space, pid)) == NULL)
    return FALSE;
  if (g_hash_table_lookup_extended (known, key, NULL, &value))
    return GPOINTER_TO_INT (value);
  name = dwfl_module_addrname (dwfl_addrmodule (dwfl, pc), pc);
  value = GINT_TO_POINTER (name != NULL && wp_is_entry_function (name));
  g_hash_table_insert (known, g_steal_pointer (&key), value);
  return GPOINTER_TO_INT (value);
}

static void
print_stack (Peer *peer, gint32 pid, const char *who, const Stack *stack)
{
  Space *space = g_hash_table_lookup (peer->spaces, GINT_TO_POINTER (pid));

  printf ("  %s, %u frames\n", who, stack->n);
  for (guint i = 0; i < stack->n; i++)
    {
      guint64 pc = stack->pcs[i] - (i > 0);
      Dwfl_Module *module = space != NULL && space->dwfl != NULL ? dwfl_addrmodule (space->dwfl, pc) : NULL;
      Dwarf_Addr base = 0;
      const char *name = module != NULL ? dwfl_module_addrname (module, pc) : NULL;
      const char *file = module != NULL ? dwfl_module_info (module, NULL, &base, NULL, NULL, NULL, NULL, NULL) : "?";

      printf ("    %" G_GINT64_MODIFIER "x %s %s+%" G_GINT64_MODIFIER "x\n", stack->pcs[i], name != NULL ? name : "?", file,
              pc - base);
    }
}

static gboolean
same (const Stack *a, const Stack *b)
{
  return a->n == b->n && memcmp (a->pcs, b->pcs, a->n * sizeof *a->pcs) == 0;
}

typedef struct
{
  guint32 first, n; /* in `words` */
  WpUnwindEnd end;
} Kept;

typedef struct
{
  Peer peer;
  WP_ARRAY (WpPerfEntry) entries; /* all records in the order of time */
  WP_ARRAY (Kept) kept;           /* our stack of each */
  WP_ARRAY (guint64) words;
  GHashTable *known; /* places of files → whether they are in an entry */
  Result ours, theirs;
  guint64 same, longer, shorter;
  gint verbose; /* differences still to be printed */
} Bench;

static void
compare (Bench *self, const WpPerfWhere *where, const Stack *ours, const Stack *theirs)
{
  gboolean our_entry = reaches_entry (&self->peer, self->known, where->pid, ours),
           their_entry = reaches_entry (&self->peer, self->known, where->pid, theirs);

  self->ours.entries += our_entry && ours->end != WP_UNWIND_COMPLETED;
  self->ours.completed += our_entry && ours->end == WP_UNWIND_COMPLETED;
  self->theirs.entries += their_entry;
  self->same += same (ours, theirs);
  self->longer += !same (ours, theirs) && ours->n > theirs->n;
  self->shorter += !same (ours, theirs) && ours->n <= theirs->n;
  if (self->verbose > 0 && (ours->n < theirs->n || !our_entry))
    {
      self->verbose--;
      printf ("pid %d end %d\n", where->pid, ours->end);
      print_stack (&self->peer, where->pid, "ours", ours);
      print_stack (&self->peer, where->pid, "libdw", theirs);
    }
}

/* One pass of ours over all records; the stacks are kept for comparing. */
static void
run_ours (Bench *self)
{
  static guint64 chain[WP_PERF_CHAIN_MAX];
  double start = cpu_seconds ();
  WpPerfUnwind *unwind = wp_perf_unwind_new (self->peer.file, self->peer.lanes);

  for (guint32 i = 0; unwind != NULL && i < self->entries.len; i++)
    {
      Kept kept = { .first = self->words.len };
      WpUnwindEnd end;
      gsize n, at = 0;

      if (i + 6 < self->entries.len)
        wp_perf_unwind_ahead (unwind, &self->entries.data[i + 2], &self->entries.data[i + 6]);
      n = wp_perf_unwind_record (unwind, &self->entries.data[i], chain, &end);
      while (at < n && chain[at] != PERF_CONTEXT_USER)
        at++;
      kept.n = (guint32) (at < n ? n - at - 1 : 0);
      kept.end = end;
      wp_array_reserve (&self->words, self->words.len + kept.n);
      memcpy (self->words.data + self->words.len, chain + at + 1, kept.n * sizeof *chain);
      self->words.len += kept.n;
      wp_array_push (&self->kept, kept);
    }
  wp_perf_unwind_free (unwind);
  self->ours.seconds = cpu_seconds () - start;
}

static void
on_other (Peer *peer, const WpPerfRecord *header)
{
  if (header->type == PERF_RECORD_MMAP || header->type == PERF_RECORD_MMAP2)
    peer_map (peer, header);
  else
    peer_task (peer, header);
}

static void
compare_entry (Bench *self, guint32 i, const WpPerfWhere *where, const Stack *theirs)
{
  const Kept *kept = &self->kept.data[i];
  static Stack ours;

  ours.n = kept->n;
  ours.end = kept->end;
  memcpy (ours.pcs, self->words.data + kept->first, kept->n * sizeof *ours.pcs);
  self->ours.stacks++;
  self->ours.frames += ours.n;
  self->theirs.frames += theirs->n;
  compare (self, where, &ours, theirs);
}

/* The peer's turn; the clock stops while it is compared. */
static void
run_theirs (Bench *self)
{
  static Stack theirs;
  const WpPerfFile *file = self->peer.file;
  const WpPerfQueues *lanes = self->peer.lanes;
  double start = cpu_seconds (), paused = 0, pause;

  for (guint32 i = 0; i < lanes->early.len; i++)
    on_other (&self->peer, lanes->early.data[i]);
  for (guint32 i = 0; i < self->entries.len; i++)
    {
      const WpPerfRecord *header = wp_perf_file_record (file, self->entries.data[i].offset);
      WpPerfSample sample;
      WpPerfWhere where;
      const WpPerfAttr *attr;

      if (!wp_perf_file_where (file, header, &where, &attr))
        continue;
      if (header->type != PERF_RECORD_SAMPLE)
        on_other (&self->peer, header);
      else if (wp_perf_has_stacks (attr) && wp_perf_sample (attr, header, &sample) && sample.user.registers != NULL)
        {
          peer_unwind (&self->peer, &where, &sample.user, &theirs);
          pause = cpu_seconds ();
          compare_entry (self, i, &where, &theirs);
          paused += cpu_seconds () - pause;
        }
    }
  self->theirs.seconds = cpu_seconds () - start - paused;
}

static char *
copy_vdso (void)
{
  const Elf64_Ehdr *header = GSIZE_TO_POINTER (getauxval (AT_SYSINFO_EHDR));
  char *path = g_strdup_printf ("%s/wakepath-vdso-%d", g_get_tmp_dir (), (int) getpid ());

  g_file_set_contents (path, (const char *) header,
                       (gssize) (header->e_shoff + (gsize) header->e_shnum * header->e_shentsize), NULL);
  return path;
}

static void
print (const Bench *self)
{
  double n = MAX (1.0, (double) self->ours.stacks);

  printf ("stacks %" G_GUINT64_FORMAT "\n", self->ours.stacks);
  printf ("seconds %.3f\nlibdw_seconds %.3f\n", self->ours.seconds, self->theirs.seconds);
  printf ("rate %.0f\nlibdw_rate %.0f\n", n / self->ours.seconds, n / self->theirs.seconds);
  printf ("times %.1f\n", self->theirs.seconds / self->ours.seconds);
  printf ("depth %.1f\nlibdw_depth %.1f\n", (double) self->ours.frames / n, (double) self->theirs.frames / n);
  printf ("entry %.2f\nlibdw_entry %.2f\ncompleted %.2f\n", 100 * (double) self->ours.entries / n,
          100 * (double) self->theirs.entries / n, 100 * (double) self->ours.completed / n);
  printf ("same %.2f\nlonger %.2f\nshorter %.2f\n", 100 * (double) self->same / n, 100 * (double) self->longer / n,
          100 * (double) self->shorter / n);
  printf ("rebuilt %" G_GUINT64_FORMAT "\n", self->peer.rebuilt);
}

static void
run (Bench *self)
{
  WpPerfEntry entry;

  wp_perf_queues_begin (self->peer.lanes);
  while (wp_perf_queues_next (self->peer.lanes, &entry, NULL))
    wp_array_push (&self->entries, entry);
  run_ours (self);
  run_theirs (self);
  wp_array_clear (&self->entries);
  wp_array_clear (&self->kept);
  wp_array_clear (&self->words);
}

/* The pages are in memory before either of them wants them. */
static void
touch (const WpReader *reader)
{
  volatile guint8 sum = 0;

  for (gsize i = 0; i < reader->size; i += 4096)
    sum += reader->data[i];
}

int
main (int argc, char **argv)
{
  static const WpReadOptions options = { 0 };
  WpReader reader = { .options = &options };
  WpPerfQueues lanes = { 0 };
  WpPerfFile file;
  Bench self = { .peer.file = &file, .peer.lanes = &lanes, .verbose = argc > 2 ? atoi (argv[2]) : 0 };
  g_autoptr (GError) error = NULL;

  if (argc < 2)
    return 2;
  reader.path = argv[1];
  reader.trace = wp_trace_new ();
  wp_perf_file_init (&file, &reader);
  if (!wp_reader_open (&reader, &error) || !wp_perf_queues_open (&lanes, &file, &error))
    {
      fprintf (stderr, "%s\n", error->message);
      return 1;
    }
  touch (&reader);
  self.peer.spaces = g_hash_table_new_full (NULL, NULL, NULL, space_unref);
  self.peer.paths = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  self.peer.vdso = copy_vdso ();
  self.known = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  run (&self);
  print (&self);
  g_hash_table_unref (self.known);
  g_hash_table_unref (self.peer.spaces);
  g_hash_table_unref (self.peer.paths);
  unlink (self.peer.vdso);
  g_free (self.peer.vdso);
  wp_perf_queues_clear (&lanes);
  wp_perf_file_clear (&file);
  wp_trace_free (reader.trace);
  wp_reader_close (&reader);
  return 0;
}
