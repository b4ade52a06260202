/* Writes profile.proto, packed while it is made. As Go's encoder does, fields of zero are left out, and up to two numbers stand one by one instead of
 * packed: readers of either kind take both, and files that are written here compare equal to those that pprof writes. */
#include "stacks/pprof.h"

#include <zlib.h>

#include "base/write.h"
#include "stacks/wire.h"

#define PIECE (64 * 1024)
#define SAMPLES_PER_STEP 4096

typedef struct
{
  GByteArray *raw;      /* not packed yet */
  GByteArray *message;  /* the one that is being made */
  GByteArray *inner;    /* the one within it */
  guint32 *texts;       /* id → index in the file, one more than it is; 0: none yet */
  WpIdArray used;       /* by index */
  guint32 empty;        /* the index of an empty text that is not 0; 0: none yet */
  WpIdArray stack;
  WP_ARRAY (guint64) numbers; /* of the field at hand */
  const WpStrings *strings;
  z_stream z;
  guint8 *packed;
  int fd, error;
} Writer;

/* --- packing ------------------------------------------------------------------------------------------------------ */

static void
pack (Writer *self, int flush)
{
  int status = Z_OK;

  self->z.next_in = self->raw->data;
  self->z.avail_in = self->raw->len;
  do
    {
      self->z.next_out = self->packed;
      self->z.avail_out = PIECE;
      status = deflate (&self->z, flush);
      if (self->error == 0)
        self->error = wp_write_all (self->fd, self->packed, PIECE - self->z.avail_out);
    }
  while (self->z.avail_out == 0 && status != Z_STREAM_END);
  g_byte_array_set_size (self->raw, 0);
}

/* --- fields ------------------------------------------------------------------------------------------------------- */

static void
put_varint (GByteArray *out, guint64 value)
{
  guint8 bytes[10];
  guint n = 0;

  for (; value >= 0x80; value >>= 7)
    bytes[n++] = (guint8) (value | 0x80);
  bytes[n++] = (guint8) value;
  g_byte_array_append (out, bytes, n);
}

static void
put_always (GByteArray *out, guint number, guint64 value)
{
  put_varint (out, number << 3 | WP_WIRE_VARINT);
  put_varint (out, value);
}

static void
put_number (GByteArray *out, guint number, guint64 value)
{
  if (value != 0)
    put_always (out, number, value);
}

static void
put_bytes (GByteArray *out, guint number, const void *data, gsize n)
{
  put_varint (out, number << 3 | WP_WIRE_BYTES);
  put_varint (out, n);
  g_byte_array_append (out, data, (guint) n);
}

/* Ends a message that stands in another one. */
static void
put_message (GByteArray *out, guint number, GByteArray *message)
{
  put_bytes (out, number, message->data, message->len);
  g_byte_array_set_size (message, 0);
}

/* `numbers`, in a field. */
static void
put_repeated (Writer *self, guint number)
{
  if (self->numbers.len <= 2)
    for (guint32 i = 0; i < self->numbers.len; i++)
      put_always (self->message, number, self->numbers.data[i]);
  else
    {
      for (guint32 i = 0; i < self->numbers.len; i++)
        put_varint (self->inner, self->numbers.data[i]);
      put_message (self->message, number, self->inner);
    }
}

static guint64
text (Writer *self, WpId id)
{
  if (self->texts[id] == 0)
    {
      wp_array_push (&self->used, id);
      self->texts[id] = self->used.len;
    }
  return self->texts[id] - 1;
}

/* Of a label, its text or the unit of a number of 0: an index of 0 would say that it is none, so that an empty text stands in the table once
 * more. */
static guint64
label_text (Writer *self, WpId id)
{
  if (id != 0)
    return text (self, id);
  if (self->empty == 0)
    {
      wp_array_push (&self->used, 0);
      self->empty = self->used.len - 1;
    }
  return self->empty;
}

static void
end_message (Writer *self, guint number)
{
  put_message (self->raw, number, self->message);
  if (self->raw->len >= PIECE)
    pack (self, Z_NO_FLUSH);
}

/* --- what a profile holds ----------------------------------------------------------------------------------------- */

static void
put_type (Writer *self, guint number, WpValueType type)
{
  put_number (self->message, 1, text (self, type.type));
  put_number (self->message, 2, text (self, type.unit));
  end_message (self, number);
}

static void
put_labels (Writer *self, const WpLabelSets *sets, WpId set)
{
  const WpLabelSet *row = &sets->sets.data[set];

  for (guint32 i = row->first; i < row->first + row->n; i++)
    {
      const WpLabel *label = &sets->labels.data[i];

      put_number (self->inner, 1, text (self, label->key));
      if (label->is_number)
        {
          put_number (self->inner, 3, (guint64) label->number);
          put_number (self->inner, 4, label->number == 0 ? label_text (self, label->unit) : text (self, label->unit));
        }
      else
        put_number (self->inner, 2, label_text (self, label->text));
      put_message (self->message, 3, self->inner);
    }
}

static void
put_sample (Writer *self, const WpStacks *stacks, guint32 sample)
{
  wp_frames_stack (stacks->frames, stacks->sample_stacks.data[sample], &self->stack);
  self->numbers.len = 0;
  for (guint32 i = 0; i < self->stack.len; i++)
    wp_array_push (&self->numbers, self->stack.data[i]);
  put_repeated (self, 1);
  self->numbers.len = 0;
  for (guint32 t = 0; t < stacks->types.len; t++)
    wp_array_push (&self->numbers, (guint64) stacks->values[t].data[sample]);
  put_repeated (self, 2);
  put_labels (self, stacks->labels, stacks->sample_labels.data[sample]);
  end_message (self, 2);
}

static gboolean
put_samples (Writer *self, const WpStacks *stacks, WpProgress *progress, GError **error)
{
  for (guint32 i = 0; i < stacks->n_samples; i++)
    {
      if (i % SAMPLES_PER_STEP == 0 && !wp_progress_step (progress, (double) i / stacks->n_samples, error))
        return FALSE;
      put_sample (self, stacks, i);
    }
  return TRUE;
}

static void
put_mapping (Writer *self, const WpStackModule *mapping, WpId id)
{
  put_number (self->message, 1, id);
  put_number (self->message, 2, mapping->start);
  put_number (self->message, 3, mapping->limit);
  put_number (self->message, 4, mapping->offset);
  put_number (self->message, 5, text (self, mapping->file));
  put_number (self->message, 6, text (self, mapping->build_id));
  for (guint i = 0; i < 4; i++)
    put_number (self->message, 7 + i, mapping->has >> i & 1);
  end_message (self, 3);
}

static void
put_location (Writer *self, const WpFrames *frames, WpId id)
{
  const WpLocation *location = &frames->locations.data[id];

  put_number (self->message, 1, id);
  put_number (self->message, 2, location->module);
  put_number (self->message, 3, location->address);
  for (guint32 i = 0; i < location->n_lines; i++)
    {
      const WpStackLine *line = &frames->lines.data[location->first_line + i];

      put_number (self->inner, 1, line->function);
      put_number (self->inner, 2, (guint64) line->line);
      put_number (self->inner, 3, (guint64) line->column);
      put_message (self->message, 4, self->inner);
    }
  put_number (self->message, 5, location->folded);
  end_message (self, 4);
}

static void
put_function (Writer *self, const WpStackFunction *function, WpId id)
{
  put_number (self->message, 1, id);
  put_number (self->message, 2, text (self, function->name));
  put_number (self->message, 3, text (self, function->system_name));
  put_number (self->message, 4, text (self, function->file));
  put_number (self->message, 5, (guint64) function->start_line);
  end_message (self, 5);
}

static void
put_texts (Writer *self)
{
  for (guint32 i = 0; i < self->used.len; i++)
    {
      gsize n;
      const char *bytes = wp_strings_bytes (self->strings, self->used.data[i], &n);

      put_bytes (self->raw, 6, bytes, n);
      if (self->raw->len >= PIECE)
        pack (self, Z_NO_FLUSH);
    }
}

/* Texts get their numbers in the order in which they are named here, and stand behind all that names them. */
static void
put_header (Writer *self, const WpStacks *stacks)
{
  const WpStacksHeader *header = &stacks->header;
  GByteArray *out = self->raw;

  put_number (out, 7, text (self, header->drop));
  put_number (out, 8, text (self, header->keep));
  put_number (out, 9, (guint64) header->time);
  put_number (out, 10, (guint64) header->duration);
  if (header->period_type.type != 0 || header->period_type.unit != 0)
    put_type (self, 11, header->period_type);
  put_number (out, 12, (guint64) header->period);
  for (guint32 i = 0; i < stacks->comments.len; i++)
    put_always (out, 13, text (self, stacks->comments.data[i]));
  put_always (out, 14, text (self, header->default_type));
  put_number (out, 15, text (self, header->doc_url));
  put_texts (self);
}

static gboolean
put_all (Writer *self, const WpStacks *stacks, WpProgress *progress, GError **error)
{
  const WpFrames *frames = stacks->frames;

  text (self, 0);
  for (guint32 i = 0; i < stacks->types.len; i++)
    put_type (self, 1, stacks->types.data[i]);
  if (!put_samples (self, stacks, progress, error))
    return FALSE;
  for (WpId i = 1; i < frames->modules.len; i++)
    put_mapping (self, &frames->modules.data[i], i);
  for (WpId i = 1; i < frames->locations.len; i++)
    put_location (self, frames, i);
  for (WpId i = 1; i < frames->functions.len; i++)
    put_function (self, &frames->functions.data[i], i);
  put_header (self, stacks);
  pack (self, Z_FINISH);
  if (self->error != 0)
    g_set_error (error, G_FILE_ERROR, g_file_error_from_errno (self->error), "%s", g_strerror (self->error));
  return self->error == 0;
}

gboolean
wp_pprof_write (const WpStacks *stacks, int fd, WpProgress *progress, GError **error)
{
  Writer self = { .raw = g_byte_array_new (), .message = g_byte_array_new (), .inner = g_byte_array_new (), .strings = stacks->strings,
                  .packed = g_malloc (PIECE), .fd = fd };
  gboolean done;

  self.texts = g_new0 (guint32, wp_strings_count (stacks->strings));
  if (deflateInit2 (&self.z, Z_DEFAULT_COMPRESSION, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY) != Z_OK)
    g_error ("zlib has no memory");
  done = put_all (&self, stacks, progress, error);
  deflateEnd (&self.z);
  g_byte_array_unref (self.raw);
  g_byte_array_unref (self.message);
  g_byte_array_unref (self.inner);
  wp_array_clear (&self.used);
  wp_array_clear (&self.stack);
  wp_array_clear (&self.numbers);
  g_free (self.texts);
  g_free (self.packed);
  return done;
}
