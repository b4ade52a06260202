/* Two walks over the stream: the first finds what a file has in tables, the second writes the records. */
#include "read/perf/pack.h"

#include "base/write.h"
#include "read/perf/perf-parts.h"

#include "config.h"

#include <errno.h>
#include <unistd.h>
#include <zstd.h>

#define RECORDS_PER_STEP 1024
#define FEATURES 256
#define LEVEL 3
#define PIECE (256 * 1024)                        /* unpacked, so much is packed at once: readers make room for it */
#define PACKED_MAX (G_MAXUINT16 - sizeof (WpPerfRecord)) /* bytes in a compressed record */
#define TEXT_MAX 65504                            /* of symbols in a record; records' sizes are multiples of 8 */
#define NO_ADDRESS G_GUINT64_CONSTANT (0xfffffffffffff001) /* from here on a call chain has marks */

typedef struct
{
  guint64 offset, size;
} Section;

/* The header of a perf.data in file mode. */
typedef struct
{
  char magic[8];
  guint64 size, attr_size;
  Section attrs, data, event_types;
  guint8 features[FEATURES / 8];
} FileHeader;

/* Of the new file: all attributes of the stream that are of the same event. */
typedef struct
{
  struct perf_event_attr attr;
  WP_ARRAY (guint64) ids;
} EventType;

typedef struct
{
  WpReader reader;
  WpPerfFile file;
  const char *to;
  int fd;
  guint64 at; /* so much is written */
  WP_ARRAY (EventType) types;
  WP_ARRAY (guint32) type_of; /* row of one of the stream's attributes → row of its type */
  GByteArray *features[FEATURES]; /* content; NULL: none */
  ZSTD_CCtx *context; /* NULL: nothing is compressed */
  gsize used; /* of the piece */
  guint8 piece[PIECE], packed[G_MAXUINT16];
} Packer;

static gboolean
write_bytes (Packer *self, const void *data, gsize n, GError **error)
{
  int code = wp_write_all (self->fd, data, n);

  self->at += n;
  if (code != 0)
    g_set_error (error, G_FILE_ERROR, g_file_error_from_errno (code), "%s cannot be written: %s", self->to, g_strerror (code));
  return code == 0;
}

/* --- what a file has in tables ------------------------------------------------------------------------------------ */

static GByteArray *
feature (Packer *self, guint64 number)
{
  if (self->features[number] == NULL)
    self->features[number] = g_byte_array_new ();
  return self->features[number];
}

static void
set_feature (Packer *self, guint64 number, const guint8 *data, gsize size)
{
  if (number < FEATURES)
    g_byte_array_append (g_byte_array_set_size (feature (self, number), 0), data, (guint) size);
}

/* Without the kernel's symbols, which have their length before them. */
static void
set_formats (Packer *self, const guint8 *data, gsize size)
{
  static const guint8 none[4] = { 0 };
  gsize n;
  const guint8 *symbols = (const guint8 *) wp_kernel_symbols_text (self->file.kernel, &n);
  GByteArray *formats = feature (self, WP_PERF_FEATURE_TRACING_DATA);

  g_byte_array_set_size (formats, 0);
  if (symbols == NULL || symbols < data + sizeof none || symbols + n > data + size)
    {
      g_byte_array_append (formats, data, (guint) size);
      return;
    }
  g_byte_array_append (formats, data, (guint) (symbols - sizeof none - data));
  g_byte_array_append (formats, none, sizeof none);
  g_byte_array_append (formats, symbols + n, (guint) (data + size - symbols - n));
}

/* The row of its type: events that are recorded in several ways, with and without their stacks, are one for readers, who look for them by name. */
static guint32
find_type (Packer *self, const struct perf_event_attr *attr)
{
  const guint64 joined = PERF_SAMPLE_CALLCHAIN | PERF_SAMPLE_IP;
  EventType *type;

  for (guint32 i = 0; i < self->types.len; i++)
    {
      const struct perf_event_attr *other = &self->types.data[i].attr;

      if (other->type == attr->type && other->config == attr->config && (other->sample_type | joined) == (attr->sample_type | joined))
        return i;
    }
  type = wp_array_add (&self->types);
  type->attr = *attr;
  type->attr.size = sizeof *attr;
  return self->types.len - 1;
}

/* Of a record that the file's attributes have a row of. */
static void
note_attr (Packer *self, const WpPerfRecord *header)
{
  const guint8 *record = (const guint8 *) header, *end = record + header->size;
  const guint32 row = find_type (self, &self->file.attrs.data[self->type_of.len].attr);

  wp_array_push (&self->type_of, row);
  for (const guint8 *id = record + sizeof *header + wp_read_u32 (record + 12); id + 8 <= end; id += 8)
    wp_array_push (&self->types.data[row].ids, wp_read_u64 (id));
}

/* Returns whether it is for a table, and not one of the file's records. */
static gboolean
is_of_tables (const WpPerfRecord *header)
{
  return header->type == WP_PERF_RECORD_ATTR || header->type == WP_PERF_RECORD_TRACING_DATA || header->type == WP_PERF_RECORD_BUILD_ID
         || header->type == WP_PERF_RECORD_FEATURE;
}

/* Of a feature's record, without what fills it up to a multiple of 8: readers of files take more than a text for damage. */
static gsize
content_size (const guint8 *record, gsize size)
{
  const guint64 number = wp_read_u64 (record + 8);
  const gboolean is_text = number >= WP_PERF_FEATURE_HOSTNAME && number <= WP_PERF_FEATURE_CPUID && number != WP_PERF_FEATURE_NRCPUS;

  return is_text ? MIN (size, 4 + (gsize) wp_read_u32 (record + 16)) : size;
}

static void
note_record (Packer *self, const WpPerfRecord *header)
{
  const guint8 *record = (const guint8 *) header;

  if (header->type == WP_PERF_RECORD_TRACING_DATA && header->size >= 12)
    set_formats (self, record + header->size, wp_read_u32 (record + 8));
  else if (header->type == WP_PERF_RECORD_BUILD_ID)
    g_byte_array_append (feature (self, WP_PERF_FEATURE_BUILD_ID), record, header->size);
  else if (header->type == WP_PERF_RECORD_FEATURE && header->size >= 20)
    set_feature (self, wp_read_u64 (record + 8), record + 16, content_size (record, header->size - 16u));
}

/* What stands at this place in the stream, and how long that is; NULL and an error where no whole record does. */
static const WpPerfRecord *
record_at (Packer *self, guint64 offset, guint64 *size, GError **error)
{
  const WpPerfFile *file = &self->file;
  const WpPerfRecord *header = wp_perf_file_record (file, offset);

  if (file->data_end - offset >= sizeof *header && wp_perf_file_plausible (file, offset))
    {
      *size = header->size + wp_perf_trailing (header);
      if (*size <= file->data_end - offset)
        return header;
    }
  g_set_error (error, WP_READ_ERROR, WP_READ_ERROR_DAMAGED, "%s is damaged or cut off (at byte %" G_GUINT64_FORMAT ")", self->reader.path, offset);
  return NULL;
}

/* What any of them has: all have stacks then, though empty ones, and all an address. */
static void
complete_types (Packer *self)
{
  guint64 common = PERF_SAMPLE_IP;

  for (guint32 i = 0; i < self->file.attrs.len; i++)
    common |= self->file.attrs.data[i].attr.sample_type & PERF_SAMPLE_CALLCHAIN;
  for (guint32 i = 0; i < self->types.len; i++)
    self->types.data[i].attr.sample_type |= common;
}

static gboolean
find_tables (Packer *self, GError **error)
{
  guint64 size;

  for (guint64 offset = self->file.data_start; offset < self->file.data_end; offset += size)
    {
      const WpPerfRecord *header = record_at (self, offset, &size, error);

      if (header == NULL)
        return FALSE;
      if (!is_of_tables (header))
        continue;
      wp_perf_file_describe (&self->file, header);
      note_record (self, header);
      if (self->file.attrs.len > self->type_of.len)
        note_attr (self, header);
    }
  complete_types (self);
  return TRUE;
}

/* --- packing ------------------------------------------------------------------------------------------------------ */

static gboolean
pack_piece (Packer *self, GError **error)
{
  ZSTD_inBuffer in = { self->piece, self->used, 0 };
  gsize left = self->context != NULL;

  if (self->context == NULL && !write_bytes (self, self->piece, self->used, error))
    return FALSE;
  while (left > 0)
    {
      WpPerfRecord header = { .type = WP_PERF_RECORD_COMPRESSED };
      ZSTD_outBuffer out = { self->packed + sizeof header, PACKED_MAX, 0 };

      left = ZSTD_compressStream2 (self->context, &out, &in, ZSTD_e_flush);
      if (ZSTD_isError (left))
        {
          g_set_error (error, G_FILE_ERROR, G_FILE_ERROR_FAILED, "%s cannot be packed: %s", self->to, ZSTD_getErrorName (left));
          return FALSE;
        }
      header.size = (guint16) (sizeof header + out.pos);
      memcpy (self->packed, &header, sizeof header);
      if (out.pos > 0 && !write_bytes (self, self->packed, header.size, error))
        return FALSE;
    }
  self->used = 0;
  return TRUE;
}

/* Room for so many bytes of records; NULL and an error where what was there could not be written. */
static guint8 *
take_room (Packer *self, gsize n, GError **error)
{
  if (n > PIECE - self->used && !pack_piece (self, error))
    return NULL;
  self->used += n;
  return self->piece + self->used - n;
}

static guint8 *
append (guint8 *to, const void *from, gsize n)
{
  if (n > 0) /* `from` may be NULL then */
    memcpy (to, from, n);
  return to + n;
}

/* The innermost address. */
static guint64
address_of (const WpPerfSample *sample)
{
  for (gsize i = 0; i < sample->n_chain; i++)
    if (wp_read_u64 (sample->chain + 8 * i) < NO_ADDRESS)
      return wp_read_u64 (sample->chain + 8 * i);
  return 0;
}

/* With an address and a stack, as the event's type has them. A stack that leaves no room for the address loses its outermost frame. */
static gboolean
pack_sample (Packer *self, const WpPerfAttr *attr, const EventType *type, const WpPerfRecord *header, GError **error)
{
  const guint64 lacks = type->attr.sample_type & ~attr->attr.sample_type;
  const guint8 *record = (const guint8 *) header, *body = (const guint8 *) (header + 1), *end = record + header->size;
  const guint8 *behind_id = body + (attr->attr.sample_type & PERF_SAMPLE_IDENTIFIER ? 8 : 0);
  WpPerfRecord head = *header;
  WpPerfSample sample;
  guint64 address, n;
  gsize size;
  guint8 *to;

  if (!wp_perf_sample (attr, header, &sample))
    {
      g_set_error (error, WP_READ_ERROR, WP_READ_ERROR_DAMAGED, "%s has a damaged sample (at byte %" G_GUINT64_FORMAT ")", self->reader.path,
                   (guint64) (record - self->reader.data));
      return FALSE;
    }
  address = address_of (&sample);
  n = sample.n_chain;
  size = header->size + (lacks & PERF_SAMPLE_IP ? 8 : 0) + (lacks & PERF_SAMPLE_CALLCHAIN ? 8 : 0);
  if (size > G_MAXUINT16 && n > 0)
    {
      size -= 8;
      n--;
    }
  head.size = (guint16) size;
  to = take_room (self, size, error);
  if (to == NULL)
    return FALSE;
  to = append (to, &head, sizeof head);
  to = append (to, body, (gsize) (behind_id - body));
  if (lacks & PERF_SAMPLE_IP)
    to = append (to, &address, sizeof address);
  to = append (to, behind_id, (gsize) (sample.chain_part - behind_id));
  if (type->attr.sample_type & PERF_SAMPLE_CALLCHAIN)
    to = append (append (to, &n, sizeof n), sample.chain, 8 * n);
  append (to, sample.behind_chain, (gsize) (end - sample.behind_chain));
  return TRUE;
}

static gboolean
pack_record (Packer *self, const WpPerfRecord *header, guint64 size, GError **error)
{
  const WpPerfAttr *attr = NULL;
  WpPerfWhere where;
  guint8 *to;

  if (header->type == PERF_RECORD_SAMPLE)
    wp_perf_file_where (&self->file, header, &where, &attr);
  if (attr != NULL)
    return pack_sample (self, attr, &self->types.data[self->type_of.data[attr - self->file.attrs.data]], header, error);
  to = take_room (self, size, error);
  if (to != NULL)
    append (to, header, size);
  return to != NULL;
}

/* --- the kernel's symbols ----------------------------------------------------------------------------------------- */

static gboolean
pack_text (Packer *self, const GString *text, GError **error)
{
  for (gsize at = 0; at < text->len; at += TEXT_MAX)
    {
      const gsize n = MIN (text->len - at, TEXT_MAX);
      const guint64 number = WP_PERF_FEATURES_OWN + WP_PERF_FEATURE_KERNEL_SYMBOLS;
      const WpPerfRecord header = { .type = WP_PERF_RECORD_EVENT_TYPE, .size = (guint16) (sizeof header + sizeof number + (n + 7) / 8 * 8) };
      guint8 *to = take_room (self, header.size, error);

      if (to == NULL)
        return FALSE;
      memset (to + header.size - 8, 0, 8);
      append (append (append (to, &header, sizeof header), &number, sizeof number), text->str + at, n);
    }
  return TRUE;
}

typedef struct
{
  GString *text;
  guint64 before; /* the last address */
} Functions;

static void
add_function (guint64 address, const char *name, gsize n, gpointer data)
{
  Functions *self = data;
  const char kind = name[-2];

  if (memchr ("tTwW", kind, 4) == NULL)
    return;
  g_string_append_printf (self->text, "%s%" G_GINT64_MODIFIER "x %c ", address < self->before ? "-" : "",
                          address < self->before ? self->before - address : address - self->before, kind);
  g_string_append_len (self->text, name, (gssize) n);
  g_string_append_c (self->text, '\n');
  self->before = address;
}

static gboolean
pack_symbols (Packer *self, GError **error)
{
  gsize n;
  const char *text = wp_kernel_symbols_text (self->file.kernel, &n);
  g_autoptr (GString) packed = g_string_sized_new (n);
  Functions functions = { .text = packed };

  if (text != NULL)
    wp_kernel_symbols_each (self->file.kernel, add_function, &functions);
  return pack_text (self, packed, error);
}

/* --- the file ----------------------------------------------------------------------------------------------------- */

/* The ids of each, then the table. */
static gboolean
write_attrs (Packer *self, FileHeader *header, GError **error)
{
  g_autoptr (GByteArray) table = g_byte_array_new ();

  for (guint32 i = 0; i < self->types.len; i++)
    {
      const EventType *type = &self->types.data[i];
      const Section ids = { self->at, 8 * type->ids.len };

      if (!write_bytes (self, type->ids.data, ids.size, error))
        return FALSE;
      g_byte_array_append (table, (const guint8 *) &type->attr, sizeof type->attr);
      g_byte_array_append (table, (const guint8 *) &ids, sizeof ids);
    }
  header->attr_size = sizeof (struct perf_event_attr) + sizeof (Section);
  header->attrs = (Section) { self->at, table->len };
  return write_bytes (self, table->data, table->len, error);
}

static gboolean
write_records (Packer *self, FileHeader *header, GError **error)
{
  const WpPerfFile *file = &self->file;
  const guint64 start = self->at;
  guint64 size, offset = file->data_start;
  gboolean done = pack_symbols (self, error);

  for (guint n = 0; done && offset < file->data_end; n++, offset += size)
    {
      const WpPerfRecord *record = record_at (self, offset, &size, error);

      done = record != NULL && (n % RECORDS_PER_STEP != 0 || wp_progress_step (self->reader.progress, (double) offset / (double) file->data_end, error))
             && (is_of_tables (record) || pack_record (self, record, size, error));
    }
  done = done && pack_piece (self, error);
  header->data = (Section) { start, self->at - start };
  return done;
}

/* Texts that every recording of perf's has: its JSON conversion, for one, ends with a crash without. */
static void
add_taken_for_granted (Packer *self)
{
  static const struct
  {
    guint feature;
    const char *text;
  } texts[] = { { WP_PERF_FEATURE_VERSION, "wakepath " WP_VERSION }, { WP_PERF_FEATURE_CPUDESC, "" }, { WP_PERF_FEATURE_CPUID, "" } };

  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    if (self->features[texts[i].feature] == NULL)
      {
        const guint32 n = (guint32) (strlen (texts[i].text) + 1);

        set_feature (self, texts[i].feature, (const guint8 *) &n, sizeof n);
        g_byte_array_append (self->features[texts[i].feature], (const guint8 *) texts[i].text, n);
      }
}

/* What a reader has to know to unpack: which way it is packed, how well, and how large a piece is. */
static void
add_compression (Packer *self)
{
  const guint64 ratio = self->file.data_end / MAX (self->at, 1);
  const guint32 said[] = { 0 /* version */, 1 /* zstd */, LEVEL, (guint32) ratio, PIECE };

  set_feature (self, WP_PERF_FEATURE_COMPRESSED, (const guint8 *) said, sizeof said);
}

/* The table of where they are, then the features. */
static gboolean
write_features (Packer *self, FileHeader *header, GError **error)
{
  g_autoptr (GByteArray) table = g_byte_array_new (), content = g_byte_array_new ();
  guint n = 0;

  for (guint i = 0; i < FEATURES; i++)
    n += self->features[i] != NULL;
  for (guint i = 0; i < FEATURES; i++)
    if (self->features[i] != NULL)
      {
        const Section section = { self->at + n * sizeof section + content->len, self->features[i]->len };

        header->features[i / 8] |= (guint8) (1u << i % 8);
        g_byte_array_append (table, (const guint8 *) &section, sizeof section);
        g_byte_array_append (content, self->features[i]->data, self->features[i]->len);
      }
  return write_bytes (self, table->data, table->len, error) && write_bytes (self, content->data, content->len, error);
}

static gboolean
write_file (Packer *self, GError **error)
{
  FileHeader header = { .magic = "PERFILE2", .size = sizeof header };

  if (!write_bytes (self, &header, sizeof header, error) || !write_attrs (self, &header, error) || !write_records (self, &header, error))
    return FALSE;
  if (self->context != NULL)
    add_compression (self);
  add_taken_for_granted (self);
  if (!write_features (self, &header, error))
    return FALSE;
  if (lseek (self->fd, 0, SEEK_SET) != 0 || !write_bytes (self, &header, sizeof header, error))
    return FALSE;
  return lseek (self->fd, 0, SEEK_END) > 0;
}

static gboolean
pack (Packer *self, GError **error)
{
  if (!wp_perf_is_stream (&self->reader))
    {
      g_set_error (error, WP_READ_ERROR, WP_READ_ERROR_FORMAT, "%s is no perf.data stream (its first 16 bytes say so)", self->reader.path);
      return FALSE;
    }
  wp_progress_phase (self->reader.progress, "packing");
  return wp_perf_file_open (&self->file, error) && find_tables (self, error) && write_file (self, error);
}

gboolean
wp_pack_into (const char *from, int fd, const char *to, gboolean compress, WpProgress *progress, GError **error)
{
  const WpReadOptions options = { .no_symbols = TRUE };
  Packer *self = g_new (Packer, 1);
  gboolean done;

  memset (self, 0, G_STRUCT_OFFSET (Packer, piece));
  self->reader = (WpReader) { .path = from, .options = &options, .progress = progress, .trace = wp_trace_new () };
  self->to = to;
  self->fd = fd;
  if (compress)
    {
      self->context = ZSTD_createCCtx ();
      ZSTD_CCtx_setParameter (self->context, ZSTD_c_compressionLevel, LEVEL);
    }
  wp_perf_file_init (&self->file, &self->reader);
  done = wp_reader_open (&self->reader, error) && pack (self, error);
  for (guint i = 0; i < FEATURES; i++)
    g_clear_pointer (&self->features[i], g_byte_array_unref);
  ZSTD_freeCCtx (self->context);
  for (guint32 i = 0; i < self->types.len; i++)
    wp_array_clear (&self->types.data[i].ids);
  wp_array_clear (&self->types);
  wp_array_clear (&self->type_of);
  wp_perf_file_clear (&self->file);
  wp_reader_close (&self->reader);
  wp_trace_free (self->reader.trace);
  g_free (self);
  return done;
}
