/* Records about the kernel and the existing processes; see snapshot.h. */
#include "snapshot.h"

#include "kernel-symbols.h"
#include "stream.h"

#include <dirent.h>
#include <elf.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum
{
  RECORD_HEADER_BUILD_ID = 67,
  MISC_BUILD_ID_SIZE = 1 << 15,
  BUILD_ID_MAX = 20,
  SAMPLE_ID_SIZE = 32, /* what follows every record of the kernel: pid and tid, time, CPU, id; all 0 in ours */
};

typedef struct
{
  WpcBuffer record;
  WpcBuffer text;
  WpcCounters *counters;
} Snapshot;

static void
clear (Snapshot *self)
{
  wpc_buffer_clear (&self->record);
  wpc_buffer_clear (&self->text);
}

static int
write_record (Snapshot *self)
{
  wpc_record_end (&self->record);
  self->counters->bytes += self->record.len;
  return wpc_write (self->record.data, self->record.len);
}

/* --- kernel ------------------------------------------------------------------------------------------------------- */

static size_t
align4 (size_t n)
{
  return (n + 3) & ~(size_t) 3;
}

/* Finds the GNU build id among ELF notes. Returns its length, or 0. */
static size_t
find_build_id (const WpcBuffer *notes, uint8_t id[BUILD_ID_MAX])
{
  size_t at = 0;
  Elf64_Nhdr note; /* the same for 32 bits */

  while (notes->len - at >= sizeof note)
    {
      size_t name, description;

      memcpy (&note, notes->data + at, sizeof note);
      name = at + sizeof note;
      description = name + align4 (note.n_namesz);
      if (note.n_namesz > notes->len || note.n_descsz > notes->len || description + note.n_descsz > notes->len)
        return 0;
      if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == 4 && memcmp (notes->data + name, "GNU", 4) == 0 &&
          note.n_descsz <= BUILD_ID_MAX)
        {
          memcpy (id, notes->data + description, note.n_descsz);
          return note.n_descsz;
        }
      at = description + align4 (note.n_descsz);
      if (at > notes->len)
        return 0;
    }
  return 0;
}

static int
write_build_id (Snapshot *self, const char *notes_path, const char *name)
{
  uint8_t id[BUILD_ID_MAX + 4] = { 0 };
  const uint32_t pid = (uint32_t) -1; /* the host's kernel */
  size_t length;

  self->text.len = 0;
  if (wpc_buffer_add_file (&self->text, notes_path) != 0)
    return 0;
  length = find_build_id (&self->text, id);
  if (length == 0)
    return 0;
  id[BUILD_ID_MAX] = (uint8_t) length;
  wpc_record_begin (&self->record, RECORD_HEADER_BUILD_ID, PERF_RECORD_MISC_KERNEL | MISC_BUILD_ID_SIZE);
  wpc_buffer_add_u32 (&self->record, pid);
  wpc_buffer_add (&self->record, id, sizeof id);
  wpc_buffer_add_string (&self->record, name);
  return write_record (self);
}

static int
write_kernel_map (Snapshot *self, uint64_t start, uint64_t length, uint64_t offset, const char *name)
{
  wpc_record_begin (&self->record, PERF_RECORD_MMAP, PERF_RECORD_MISC_KERNEL);
  wpc_buffer_add_u32 (&self->record, (uint32_t) -1);
  wpc_buffer_add_u32 (&self->record, 0);
  wpc_buffer_add_u64 (&self->record, start);
  wpc_buffer_add_u64 (&self->record, length);
  wpc_buffer_add_u64 (&self->record, offset);
  wpc_buffer_add_string (&self->record, name);
  wpc_buffer_align (&self->record, 8);
  wpc_buffer_add (&self->record, NULL, SAMPLE_ID_SIZE);
  return write_record (self);
}

/* A line of /proc/modules: "name size uses users state address". */
static int
write_module (Snapshot *self, const char *line)
{
  char name[64], shown[80], path[160];
  uint64_t size, address;
  int error;

  if (sscanf (line, "%63s %" SCNu64 " %*s %*s %*s %" SCNx64, name, &size, &address) != 3 || address == 0)
    return 0;
  snprintf (shown, sizeof shown, "[%s]", name);
  snprintf (path, sizeof path, "/sys/module/%s/notes/.note.gnu.build-id", name);
  error = write_build_id (self, path, shown);
  return error != 0 ? error : write_kernel_map (self, address, size, 0, shown);
}

static int
write_modules (Snapshot *self)
{
  WpcBuffer list = { 0 };
  char *line, *rest = NULL;
  int error = 0;

  if (wpc_buffer_add_file (&list, "/proc/modules") == 0)
    {
      wpc_buffer_add (&list, NULL, 1);
      for (line = strtok_r (list.data, "\n", &rest); line != NULL && error == 0; line = strtok_r (NULL, "\n", &rest))
        error = write_module (self, line);
    }
  wpc_buffer_clear (&list);
  return error;
}

int
wpc_write_kernel (WpcCounters *counters)
{
  Snapshot self = { .counters = counters };
  WpcKernelCode code;
  char name[64];
  int error = 0;

  if (wpc_kernel_code (&code))
    {
      snprintf (name, sizeof name, "[kernel.kallsyms]%s", code.symbol);
      error = write_build_id (&self, "/sys/kernel/notes", "[kernel.kallsyms]");
      if (error == 0)
        error = write_kernel_map (&self, code.address, code.end - code.address, code.address, name);
      if (error == 0)
        error = write_modules (&self);
    }
  clear (&self);
  return error;
}

/* --- processes ---------------------------------------------------------------------------------------------------- */

static int
write_name (Snapshot *self, unsigned pid, unsigned tid)
{
  char path[64], name[16];

  snprintf (path, sizeof path, "/proc/%u/task/%u/comm", pid, tid);
  if (wpc_read_line (path, name, sizeof name) != 0)
    return 0;
  wpc_record_begin (&self->record, PERF_RECORD_COMM, 0);
  wpc_buffer_add_u32 (&self->record, pid);
  wpc_buffer_add_u32 (&self->record, tid);
  wpc_buffer_add_string (&self->record, name);
  wpc_buffer_align (&self->record, 8);
  wpc_buffer_add (&self->record, NULL, SAMPLE_ID_SIZE);
  return write_record (self);
}

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
  return strlen (map->name) < 4096 && map->rights[2] == 'x';
}

static int
write_map (Snapshot *self, unsigned pid, const Map *map)
{
  uint32_t protection = (map->rights[0] == 'r' ? PROT_READ : 0) | (map->rights[1] == 'w' ? PROT_WRITE : 0) | PROT_EXEC;

  wpc_record_begin (&self->record, PERF_RECORD_MMAP2, PERF_RECORD_MISC_USER);
  wpc_buffer_add_u32 (&self->record, pid);
  wpc_buffer_add_u32 (&self->record, pid);
  wpc_buffer_add_u64 (&self->record, map->start);
  wpc_buffer_add_u64 (&self->record, map->end - map->start);
  wpc_buffer_add_u64 (&self->record, map->offset);
  wpc_buffer_add_u32 (&self->record, map->major);
  wpc_buffer_add_u32 (&self->record, map->minor);
  wpc_buffer_add_u64 (&self->record, map->inode);
  wpc_buffer_add_u64 (&self->record, 0); /* inode generation */
  wpc_buffer_add_u32 (&self->record, protection);
  wpc_buffer_add_u32 (&self->record, map->rights[3] == 's' ? MAP_SHARED : MAP_PRIVATE);
  wpc_buffer_add_string (&self->record, map->name);
  wpc_buffer_align (&self->record, 8);
  wpc_buffer_add (&self->record, NULL, SAMPLE_ID_SIZE);
  return write_record (self);
}

static int
write_maps (Snapshot *self, unsigned pid)
{
  char path[64], *line, *rest = NULL;
  int error = 0;
  Map map;

  snprintf (path, sizeof path, "/proc/%u/maps", pid);
  self->text.len = 0;
  if (wpc_buffer_add_file (&self->text, path) != 0)
    return 0;
  wpc_buffer_add (&self->text, NULL, 1);
  for (line = strtok_r (self->text.data, "\n", &rest); line != NULL && error == 0; line = strtok_r (NULL, "\n", &rest))
    if (parse_map (line, &map))
      error = write_map (self, pid, &map);
  return error;
}

static int
write_process (Snapshot *self, unsigned pid)
{
  int error = write_name (self, pid, pid);
  struct dirent *entry;
  char path[64];
  unsigned tid;
  DIR *folder;

  snprintf (path, sizeof path, "/proc/%u/task", pid);
  folder = opendir (path);
  if (folder == NULL)
    return error; /* it has ended */
  while (error == 0 && (entry = readdir (folder)) != NULL)
    if (wpc_parse_number (entry->d_name, 1u << 30, &tid) && tid != pid)
      error = write_name (self, pid, tid);
  closedir (folder);
  return error != 0 ? error : write_maps (self, pid);
}

int
wpc_write_processes (WpcCounters *counters)
{
  Snapshot self = { .counters = counters };
  DIR *folder = opendir ("/proc");
  struct dirent *entry;
  unsigned pid;
  int error = 0;

  while (folder != NULL && error == 0 && (entry = readdir (folder)) != NULL)
    if (wpc_parse_number (entry->d_name, 1u << 30, &pid))
      error = write_process (&self, pid);
  if (folder != NULL)
    closedir (folder);
  clear (&self);
  return error;
}
