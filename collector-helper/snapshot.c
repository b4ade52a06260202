/* Records about the kernel; see snapshot.h. */
#include "snapshot.h"

#include "kernel-symbols.h"
#include "stream.h"

#include <elf.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum
{
  RECORD_HEADER_BUILD_ID = 67,
  MISC_BUILD_ID_SIZE = 1 << 15,
  BUILD_ID_MAX = 20,
};

#define NOTES_MAX (1u << 16)
#define MODULES_MAX (4u << 20)

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

static void
add_build_id (WpcBuffer *out, const char *notes_path, const char *name)
{
  uint8_t id[BUILD_ID_MAX + 4] = { 0 };
  WpcBuffer notes = { 0 };
  size_t length, at;

  wpc_buffer_add_file (&notes, notes_path, NOTES_MAX);
  length = notes.len > 0 ? find_build_id (&notes, id) : 0;
  wpc_buffer_clear (&notes);
  if (length == 0)
    return;
  id[BUILD_ID_MAX] = (uint8_t) length;
  at = wpc_record_begin (out, RECORD_HEADER_BUILD_ID, PERF_RECORD_MISC_KERNEL | MISC_BUILD_ID_SIZE);
  wpc_buffer_add_u32 (out, (uint32_t) -1); /* the host's kernel */
  wpc_buffer_add (out, id, sizeof id);
  wpc_buffer_add_string (out, name);
  wpc_record_end (out, at);
}

static void
add_kernel_map (WpcBuffer *out, uint64_t start, uint64_t length, uint64_t offset, const char *name)
{
  size_t at = wpc_record_begin (out, PERF_RECORD_MMAP, PERF_RECORD_MISC_KERNEL);

  wpc_buffer_add_u32 (out, (uint32_t) -1);
  wpc_buffer_add_u32 (out, 0);
  wpc_buffer_add_u64 (out, start);
  wpc_buffer_add_u64 (out, length);
  wpc_buffer_add_u64 (out, offset);
  wpc_buffer_add_string (out, name);
  wpc_record_pad (out, at);
  wpc_buffer_add (out, NULL, WPC_SAMPLE_ID_SIZE);
  wpc_record_end (out, at);
}

/* A line of /proc/modules: "name size users uses state address". */
static void
add_module (WpcBuffer *out, const char *line)
{
  char name[64], shown[80], path[160];
  uint64_t size, address;

  if (sscanf (line, "%63s %" SCNu64 " %*s %*s %*s %" SCNx64, name, &size, &address) != 3 || address == 0)
    return;
  snprintf (shown, sizeof shown, "[%s]", name);
  snprintf (path, sizeof path, "/sys/module/%s/notes/.note.gnu.build-id", name);
  add_build_id (out, path, shown);
  add_kernel_map (out, address, size, 0, shown);
}

static void
add_modules (WpcBuffer *out)
{
  WpcBuffer list = { 0 };
  char *line, *rest = NULL;

  wpc_buffer_add_file (&list, "/proc/modules", MODULES_MAX);
  wpc_buffer_add (&list, NULL, 1);
  for (line = strtok_r (list.data, "\n", &rest); line != NULL; line = strtok_r (NULL, "\n", &rest))
    add_module (out, line);
  wpc_buffer_clear (&list);
}

void
wpc_add_kernel (WpcBuffer *out)
{
  WpcKernelCode code;
  char name[64];

  if (!wpc_kernel_code (&code))
    return;
  snprintf (name, sizeof name, "[kernel.kallsyms]%s", code.symbol);
  add_build_id (out, "/sys/kernel/notes", "[kernel.kallsyms]");
  add_kernel_map (out, code.address, code.end - code.address, code.address, name);
  add_modules (out);
}
