/* Records are copied into a window, changed there, and written back where they were. */
#include "read/perf/veil.h"

#include "read/perf/kernel-moves.h"
#include "read/perf/perf-queues.h"
#include "read/perf/perf-parts.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#define RECORDS_PER_STEP 4096
#define WINDOW (1 << 20)
#define POINTER_MIN G_GUINT64_CONSTANT (0xff00000000000000) /* what is lower is no pointer but a number */

/* A part of an event's raw data. */
typedef struct
{
  guint16 offset, size;
  enum
  {
    POINTERS, /* or other numbers of 64 bits without a sign */
    TEXT,     /* behind its end stands whatever stood there before */
    HOLE,     /* … here, too */
  } kind;
} Part;

/* What is to be done with one event type. */
typedef struct
{
  gboolean looked;
  gboolean known; /* its fields are */
  gboolean dynamic; /* something follows behind the fields */
  guint16 end;    /* of the fields */
  WP_ARRAY (Part) parts;
} VeiledType;

typedef struct
{
  WpReader reader;
  WpPerfFile file;
  WpPerfQueues queues; /* for the records before the first event */
  WpKernelMoves *moves;
  VeiledType *layouts; /* by event type */
  const char *name;
  int fd;
  guint8 *window;
  gsize filled;   /* of it */
  guint64 offset; /* of the window in the file */
} Veil;

/* --- which code there is ------------------------------------------------------------------------------------------ */

static gboolean
is_kernel_mapping (const WpPerfRecord *header)
{
  return (header->type == PERF_RECORD_MMAP || header->type == PERF_RECORD_MMAP2) && header->size >= sizeof *header + 32
         && (wp_read_u32 ((const guint8 *) (header + 1)) == G_MAXUINT32
             || (header->misc & PERF_RECORD_MISC_CPUMODE_MASK) == PERF_RECORD_MISC_KERNEL);
}

static void
add_symbol (guint64 address, const char *name, gsize n, gpointer data)
{
  wp_kernel_moves_add (data, address, WP_KERNEL_FUNCTION_MAX + 1);
}

static void
find_code (Veil *self)
{
  const WpKernelSymbols *kernel = self->file.kernel;
  guint64 stext = wp_kernel_symbols_address (kernel, "_stext");

  wp_kernel_symbols_each (kernel, add_symbol, self->moves);
  for (guint32 i = 0; i < self->queues.early.len; i++)
    {
      const guint8 *body = (const guint8 *) (self->queues.early.data[i] + 1);

      if (!is_kernel_mapping (self->queues.early.data[i]))
        continue;
      wp_kernel_moves_add (self->moves, wp_read_u64 (body + 8), wp_read_u64 (body + 16));
      if (stext == 0 && wp_read_u64 (body + 24) == wp_read_u64 (body + 8)) /* the kernel's own: from its reference symbol on */
        stext = wp_read_u64 (body + 8);
    }
  wp_kernel_moves_settle (self->moves, stext != 0 ? stext : wp_kernel_symbols_address (kernel, "_text"));
}

/* --- raw data ----------------------------------------------------------------------------------------------------- */

static gboolean
is_text (const struct tep_format_field *field)
{
  return (field->flags & TEP_FIELD_IS_ARRAY) != 0 && g_str_has_prefix (field->type, "char");
}

static gboolean
may_point (const struct tep_format_field *field)
{
  gboolean array = (field->flags & TEP_FIELD_IS_ARRAY) != 0;

  return (field->flags & (TEP_FIELD_IS_SIGNED | TEP_FIELD_IS_DYNAMIC | TEP_FIELD_IS_RELATIVE)) == 0 && field->size % 8 == 0
         && (array ? field->elementsize : field->size) == 8;
}

static void
add_field (VeiledType *layout, const struct tep_format_field *field)
{
  Part part = { .offset = (guint16) field->offset, .size = (guint16) field->size };

  layout->dynamic = layout->dynamic || (field->flags & (TEP_FIELD_IS_DYNAMIC | TEP_FIELD_IS_RELATIVE)) != 0;
  layout->end = MAX (layout->end, part.offset + part.size);
  part.kind = is_text (field) ? TEXT : POINTERS;
  if (is_text (field) || may_point (field))
    wp_array_push (&layout->parts, part);
}

static void
add_holes (VeiledType *layout, const guint8 *covered)
{
  for (guint at = 0; at < layout->end;)
    {
      guint start = at;

      while (at < layout->end && !covered[at])
        at++;
      if (at > start)
        wp_array_push (&layout->parts, ((Part) { .offset = (guint16) start, .size = (guint16) (at - start), .kind = HOLE }));
      at++;
    }
}

static void
look_up (Veil *self, const WpPerfAttr *attr, VeiledType *layout)
{
  struct tep_event *event = attr->attr.type == PERF_TYPE_TRACEPOINT ? wp_perf_formats_find (self->file.formats, attr->attr.config) : NULL;
  g_autofree guint8 *covered = g_malloc0 (G_MAXUINT16);
  struct tep_format_field *lists[2];

  layout->looked = TRUE;
  if (event == NULL)
    return;
  layout->known = TRUE;
  lists[0] = event->format.common_fields;
  lists[1] = event->format.fields;
  for (guint i = 0; i < G_N_ELEMENTS (lists); i++)
    for (const struct tep_format_field *field = lists[i]; field != NULL; field = field->next)
      if (field->offset >= 0 && field->size > 0 && field->offset + field->size < G_MAXUINT16)
        {
          add_field (layout, field);
          memset (covered + field->offset, 1, field->size);
        }
  add_holes (layout, covered);
}

static void
veil_pointers (Veil *self, guint8 *data, gsize n)
{
  for (; n >= 8; data += 8, n -= 8)
    {
      guint64 value = wp_read_u64 (data);

      if (value < POINTER_MIN || !wp_is_kernel_address (value))
        continue;
      value = wp_kernel_moves_pointer (self->moves, value);
      memcpy (data, &value, 8);
    }
}

static void
veil_part (Veil *self, const Part *part, guint8 *data)
{
  gsize length = part->kind == TEXT ? strnlen ((const char *) data, part->size) : 0;

  if (part->kind == POINTERS)
    veil_pointers (self, data, part->size);
  else
    memset (data + length, 0, part->size - length);
}

/* Where nobody knows the fields every number may be a pointer. */
static void
veil_raw (Veil *self, const WpPerfAttr *attr, guint8 *raw, gsize n)
{
  VeiledType *layout = &self->layouts[attr - self->file.attrs.data];

  if (!layout->looked)
    look_up (self, attr, layout);
  if (!layout->known)
    veil_pointers (self, raw, n);
  for (guint32 i = 0; i < layout->parts.len; i++)
    if ((gsize) layout->parts.data[i].offset + layout->parts.data[i].size <= n)
      veil_part (self, &layout->parts.data[i], raw + layout->parts.data[i].offset);
  if (layout->known && !layout->dynamic && layout->end < n)
    memset (raw + layout->end, 0, n - layout->end);
}

/* --- records ------------------------------------------------------------------------------------------------------ */

static void
veil_code (Veil *self, guint8 *p)
{
  guint64 value = wp_read_u64 (p), moved = wp_kernel_moves_code (self->moves, value);

  memcpy (p, &moved, 8);
}

/* Its place in a sample, and the address that it is about. */
static void
veil_fixed (Veil *self, const WpPerfAttr *attr, guint8 *body)
{
  guint64 type = attr->attr.sample_type;
  gsize at = type & PERF_SAMPLE_IDENTIFIER ? 8 : 0;

  if (type & PERF_SAMPLE_IP)
    veil_code (self, body + at);
  if (type & PERF_SAMPLE_ADDR)
    veil_pointers (self,
                   body + at + 8 * (((type & PERF_SAMPLE_IP) != 0) + ((type & PERF_SAMPLE_TID) != 0) + ((type & PERF_SAMPLE_TIME) != 0)), 8);
}

/* What nothing can be made of says nothing afterwards, too. */
static void
veil_sample (Veil *self, WpPerfRecord *header)
{
  guint8 *body = (guint8 *) (header + 1);
  WpPerfSample sample;
  WpPerfWhere where;
  const WpPerfAttr *attr;

  wp_perf_file_where (&self->file, header, &where, &attr);
  if (attr == NULL || !wp_perf_sample (attr, header, &sample))
    {
      memset (body, 0, header->size - sizeof *header);
      return;
    }
  veil_fixed (self, attr, body);
  for (gsize i = 0; i < sample.n_chain; i++)
    veil_code (self, (guint8 *) sample.chain + 8 * i);
  if (sample.n_raw > 0)
    veil_raw (self, attr, (guint8 *) sample.raw, sample.n_raw);
}

static void
veil_record (Veil *self, WpPerfRecord *header)
{
  guint8 *body = (guint8 *) (header + 1);

  if (header->type == PERF_RECORD_SAMPLE)
    veil_sample (self, header);
  else if (is_kernel_mapping (header))
    {
      veil_code (self, body + 8);
      veil_code (self, body + 24);
    }
  else if ((header->type == PERF_RECORD_KSYMBOL || header->type == PERF_RECORD_TEXT_POKE) && header->size >= sizeof *header + 8)
    veil_code (self, body);
}

/* --- the file ----------------------------------------------------------------------------------------------------- */

static gboolean
cannot_write (const Veil *self, GError **error)
{
  int code = errno;

  g_set_error (error, G_FILE_ERROR, g_file_error_from_errno (code), "%s cannot be written: %s", self->name, g_strerror (code));
  return FALSE;
}

static gboolean
write_at (const Veil *self, const void *data, gsize n, guint64 offset, GError **error)
{
  while (n > 0)
    {
      gssize done = pwrite (self->fd, data, n, (off_t) offset);

      if (done < 0 && errno == EINTR)
        continue;
      if (done <= 0)
        return cannot_write (self, error);
      data = (const guint8 *) data + done;
      offset += (guint64) done;
      n -= (gsize) done;
    }
  return TRUE;
}

/* The window goes on at this place. */
static gboolean
flush (Veil *self, guint64 offset, GError **error)
{
  gboolean done = write_at (self, self->window, self->filled, self->offset, error);

  self->filled = 0;
  self->offset = offset;
  return done;
}

/* Returns where the next one is, or the end where there is none. */
static guint64
copy_record (Veil *self, guint64 offset)
{
  const WpPerfFile *file = &self->file;
  const WpPerfRecord *header = wp_perf_file_record (file, offset);

  if (!wp_perf_file_plausible (file, offset))
    {
      guint64 next = MIN (wp_perf_file_resynchronize (file, offset), offset + WINDOW);

      memset (self->window + self->filled, 0, next - offset);
      self->filled += next - offset;
      return next;
    }
  memcpy (self->window + self->filled, header, header->size);
  veil_record (self, (WpPerfRecord *) (self->window + self->filled));
  self->filled += header->size;
  return offset + header->size;
}

/* What follows a record without being one, the formats of events above all, stays as it is. */
static gboolean
walk (Veil *self, GError **error)
{
  const WpPerfFile *file = &self->file;
  guint64 offset = file->data_start;

  self->offset = offset;
  for (guint n = 0; file->data_end - offset >= sizeof (WpPerfRecord); n++)
    {
      const WpPerfRecord *header = wp_perf_file_record (file, offset);
      guint64 trailing = wp_perf_file_plausible (file, offset) ? wp_perf_trailing (header) : 0;

      if (n % RECORDS_PER_STEP == 0 && !wp_progress_step (self->reader.progress, (double) offset / file->data_end, error))
        return FALSE;
      if (wp_perf_file_cut_off (file, offset) && wp_perf_file_resynchronize (file, offset) >= file->data_end)
        break;
      offset = copy_record (self, offset);
      if (trailing > file->data_end - offset)
        break;
      offset += trailing;
      if ((trailing > 0 || self->filled >= WINDOW) && !flush (self, offset, error))
        return FALSE;
    }
  if (!flush (self, offset, error))
    return FALSE;
  return offset == file->data_end || ftruncate (self->fd, (off_t) offset) == 0 || cannot_write (self, error);
}

/* The symbols' text, each with as many digits as before. */
typedef struct
{
  WpKernelMoves *moves;
  const char *from;
  char *to;
} Symbols;

static void
veil_symbol (guint64 address, const char *name, gsize n, gpointer data)
{
  static const char digits[] = "0123456789abcdef";
  Symbols *symbols = data;
  guint64 moved = wp_kernel_moves_code (symbols->moves, address);
  char *end = symbols->to + (name - symbols->from) - 3; /* the blank, its kind, a blank */

  for (char *p = end - 1; p >= symbols->to && g_ascii_isxdigit (*p); p--, moved >>= 4)
    *p = digits[moved & 15];
}

static gboolean
write_symbols (Veil *self, GError **error)
{
  gsize n;
  const char *text = wp_kernel_symbols_text (self->file.kernel, &n);
  g_autofree char *copy = text != NULL ? g_memdup2 (text, n) : NULL;
  Symbols symbols = { .moves = self->moves, .from = text, .to = copy };

  if (copy == NULL)
    return TRUE;
  wp_kernel_symbols_each (self->file.kernel, veil_symbol, &symbols);
  return write_at (self, copy, n, (guint64) (text - (const char *) self->reader.data), error);
}

static gboolean
veil (Veil *self, GError **error)
{
  if (!wp_perf_is_stream (&self->reader))
    {
      g_set_error (error, WP_READ_ERROR, WP_READ_ERROR_FORMAT, "%s is no perf.data stream (its first 16 bytes say so)", self->name);
      return FALSE;
    }
  wp_progress_phase (self->reader.progress, "taking the kernel’s addresses out");
  if (!wp_perf_file_open (&self->file, error) || !wp_perf_queues_index (&self->queues, &self->file, error))
    return FALSE;
  find_code (self);
  self->layouts = g_new0 (VeiledType, self->file.attrs.len + 1);
  self->window = g_malloc (2 * WINDOW + G_MAXUINT16);
  return write_symbols (self, error) && walk (self, error);
}

gboolean
wp_veil_kernel (int fd, const char *path, const char *name, WpProgress *progress, GError **error)
{
  const WpReadOptions options = { .no_symbols = TRUE };
  Veil self = { .reader = { .path = path, .options = &options, .progress = progress, .trace = wp_trace_new () }, .name = name, .fd = fd };
  gboolean done;

  wp_perf_file_init (&self.file, &self.reader);
  self.moves = wp_kernel_moves_new ();
  done = wp_reader_open (&self.reader, error) && veil (&self, error);
  for (guint32 i = 0; self.layouts != NULL && i < self.file.attrs.len; i++)
    wp_array_clear (&self.layouts[i].parts);
  g_free (self.layouts);
  g_free (self.window);
  wp_kernel_moves_free (self.moves);
  wp_perf_queues_clear (&self.queues);
  wp_perf_file_clear (&self.file);
  wp_reader_close (&self.reader);
  wp_trace_free (self.reader.trace);
  return done;
}
