/* Reads profile.proto in passes over the bytes: first the texts, to which everything refers; then the tables, in the order in which they refer to
 * one another, which need not be that of the file; samples last. */
#include "stacks/pprof.h"

#include "base/pair-map.h"
#include "stacks/maker.h"
#include "stacks/wire.h"

#define TYPES_MAX 1024 /* a sample has a value of each: what has more counts nothing */
#define SAMPLES_PER_STEP 8192

enum
{
  TYPE = 1,
  SAMPLE = 2,
  MAPPING = 3,
  LOCATION = 4,
  FUNCTION = 5,
  TEXT = 6,
  DROP = 7,
  KEEP = 8,
  TIME = 9,
  DURATION = 10,
  PERIOD_TYPE = 11,
  PERIOD = 12,
  COMMENT = 13,
  DEFAULT_TYPE = 14,
  DOC_URL = 15,
  N_FIELDS
};

/* Numbers that a file chose for its rows. */
typedef struct
{
  const char *what;
  guint32 *dense; /* id → row, of small ones */
  guint64 n_dense;
  WpPairMap others;
} Ids;

typedef WP_ARRAY (WpWire) Messages;

typedef struct
{
  const char *path;
  const WpInput *input;
  const guint8 *data; /* of it */
  WpStacksMaker maker;
  Messages messages[N_FIELDS]; /* of every kind but samples and texts, in their order */
  guint64 counts[N_FIELDS];
  WpIdArray texts;             /* the file's index → ours */
  Ids mappings, locations, functions;
  guint64 header[N_FIELDS];    /* its plain numbers */
  WP_ARRAY (guint64) comments; /* their texts */
  WpIdArray stack;             /* of the sample at hand */
  WP_ARRAY (gint64) values;
  GError **error;
} Reader;

/* --- errors ------------------------------------------------------------------------------------------------------- */

/* Returns FALSE. */
static gboolean G_GNUC_PRINTF (3, 4)
wrong (const Reader *self, const guint8 *at, const char *format, ...)
{
  g_autofree char *what = NULL;
  va_list args;

  va_start (args, format);
  what = g_strdup_vprintf (format, args);
  va_end (args);
  g_set_error (self->error, G_IO_ERROR, G_IO_ERROR_INVALID_DATA, "%s is no valid pprof profile: at byte %" G_GSIZE_FORMAT " (unpacked) %s; fetch or write it again",
               self->path, (gsize) (at - self->data), what);
  return FALSE;
}

static gboolean
damaged (const Reader *self, const WpWire *wire, const char *of)
{
  return wrong (self, wire->p, "%s of %s", wire->damage, of);
}

/* A field that is known must have the type that it has in profile.proto. */
static gboolean
is_type (const Reader *self, const WpWireField *field, const WpWire *wire, WpWireType type, const char *of)
{
  return field->type == type || wrong (self, wire->p, "field %" G_GUINT64_FORMAT " of %s has the wrong type", field->number, of);
}

static gboolean
text (const Reader *self, const guint8 *at, guint64 index, const char *of, WpId *id)
{
  if (index >= self->texts.len)
    return wrong (self, at, "%s refers to text %" G_GINT64_FORMAT " of %u", of, (gint64) index, self->texts.len);
  *id = self->texts.data[index];
  return TRUE;
}

/* --- numbers of rows ---------------------------------------------------------------------------------------------- */

static void
ids_init (Ids *self, const char *what, guint64 count)
{
  self->what = what;
  self->n_dense = 2 * count + 16;
  self->dense = g_new0 (guint32, self->n_dense);
}

static void
ids_clear (Ids *self)
{
  g_free (self->dense);
  wp_pair_map_clear (&self->others);
}

static inline guint32
ids_get (const Ids *self, guint64 id)
{
  return id < self->n_dense ? self->dense[id] : wp_pair_map_get (&self->others, (guint32) (id >> 32), (guint32) id);
}

static gboolean
ids_add (const Reader *reader, Ids *self, const guint8 *at, guint64 id, guint32 row)
{
  guint32 *place;

  if (id == 0)
    return wrong (reader, at, "a %s has the number 0, which stands for none", self->what);
  place = id < self->n_dense ? &self->dense[id] : wp_pair_map_at (&self->others, (guint32) (id >> 32), (guint32) id);
  if (*place != 0)
    return wrong (reader, at, "a second %s has the number %" G_GUINT64_FORMAT, self->what, id);
  *place = row;
  return TRUE;
}

/* --- what is known of each message -------------------------------------------------------------------------------- */

/* Numbers of a message that has nothing but plain ones: `values` by field number, as they were given last. */
static gboolean
read_numbers (const Reader *self, WpWire wire, const char *of, guint64 *values, guint n)
{
  WpWireField field = { 0 };

  memset (values, 0, n * sizeof *values);
  while (wp_wire_next (&wire, &field))
    if (field.number > 0 && field.number < n)
      {
        if (!is_type (self, &field, &wire, WP_WIRE_VARINT, of))
          return FALSE;
        values[field.number] = field.value;
      }
  return wire.damage == NULL || damaged (self, &wire, of);
}

static gboolean
read_type (const Reader *self, WpWire wire, WpValueType *type)
{
  guint64 values[3];

  return read_numbers (self, wire, "a value type", values, G_N_ELEMENTS (values))
         && text (self, wire.p, values[1], "a value type", &type->type) && text (self, wire.p, values[2], "a value type", &type->unit);
}

static gboolean
read_mapping (Reader *self, WpWire wire)
{
  WpFrames *frames = self->maker.stacks->frames;
  WpStackModule mapping = { 0 };
  guint64 values[11];

  if (!read_numbers (self, wire, "a mapping", values, G_N_ELEMENTS (values)) || !text (self, wire.p, values[5], "a mapping", &mapping.file)
      || !text (self, wire.p, values[6], "a mapping", &mapping.build_id))
    return FALSE;
  mapping.start = values[2];
  mapping.limit = values[3];
  mapping.offset = values[4];
  for (guint i = 0; i < 4; i++)
    if (values[7 + i] != 0)
      mapping.has |= 1 << i;
  wp_array_push (&frames->modules, mapping);
  return ids_add (self, &self->mappings, wire.p, values[1], frames->modules.len - 1);
}

static gboolean
read_function (Reader *self, WpWire wire)
{
  WpFrames *frames = self->maker.stacks->frames;
  WpStackFunction function = { 0 };
  guint64 values[6];

  if (!read_numbers (self, wire, "a function", values, G_N_ELEMENTS (values)) || !text (self, wire.p, values[2], "a function", &function.name)
      || !text (self, wire.p, values[3], "a function", &function.system_name)
      || !text (self, wire.p, values[4], "a function", &function.file))
    return FALSE;
  function.start_line = (gint64) values[5];
  wp_array_push (&frames->functions, function);
  return ids_add (self, &self->functions, wire.p, values[1], frames->functions.len - 1);
}

static gboolean
read_line (Reader *self, WpWire wire)
{
  guint64 values[4];
  guint32 function;

  if (!read_numbers (self, wire, "a line", values, G_N_ELEMENTS (values)))
    return FALSE;
  function = ids_get (&self->functions, values[1]);
  if (function == 0)
    return wrong (self, wire.p, "a line of a location has no function: there is none of number %" G_GUINT64_FORMAT, values[1]);
  wp_array_push (&self->maker.stacks->frames->lines, ((WpStackLine) { function, (gint64) values[2], (gint64) values[3] }));
  return TRUE;
}

static gboolean
read_location (Reader *self, WpWire wire)
{
  static const char *const of = "a location";
  WpFrames *frames = self->maker.stacks->frames;
  WpLocation location = { .first_line = frames->lines.len };
  const guint8 *start = wire.p;
  WpWireField field = { 0 };
  guint64 id = 0, mapping = 0;

  while (wp_wire_next (&wire, &field))
    {
      if (field.number == 0 || field.number > 5)
        continue;
      if (!is_type (self, &field, &wire, field.number == 4 ? WP_WIRE_BYTES : WP_WIRE_VARINT, of))
        return FALSE;
      if (field.number == 1)
        id = field.value;
      else if (field.number == 2)
        mapping = field.value;
      else if (field.number == 3)
        location.address = field.value;
      else if (field.number == 5)
        location.folded = field.value != 0;
      else if (!read_line (self, (WpWire) { field.data, field.data + field.n, NULL }))
        return FALSE;
    }
  if (wire.damage != NULL)
    return damaged (self, &wire, of);
  location.n_lines = frames->lines.len - location.first_line;
  location.module = ids_get (&self->mappings, mapping);
  wp_array_push (&frames->locations, location);
  return ids_add (self, &self->locations, start, id, frames->locations.len - 1);
}

/* --- samples ------------------------------------------------------------------------------------------------------ */

static gboolean
push_location (Reader *self, guint64 id, const guint8 *at)
{
  guint32 row = ids_get (&self->locations, id);

  if (row == 0)
    return wrong (self, at, "sample %u has no location: there is none of number %" G_GUINT64_FORMAT, self->maker.stacks->n_samples + 1, id);
  wp_array_push (&self->stack, row);
  return TRUE;
}

/* Most of a profile is numbers of locations: those of one or two bytes, of which there is a row, are taken here. Returns how far it came. */
static const guint8 *
push_small_locations (Reader *self, const guint8 *p, const guint8 *end)
{
  const guint32 *dense = self->locations.dense;
  guint64 n_dense = self->locations.n_dense;
  WpId *out;

  wp_array_reserve (&self->stack, (guint64) self->stack.len + (end - p));
  out = self->stack.data + self->stack.len;
  while (end - p >= 2)
    {
      /* Without a branch: whether it is one byte or two cannot be foretold. */
      guint32 two = p[0] >> 7, id = (p[0] & 0x7f) | ((guint32) p[1] << 7 & (0 - two));

      if ((two & p[1] >> 7) || id >= n_dense || dense[id] == 0)
        break;
      *out++ = dense[id];
      p += 1 + two;
    }
  self->stack.len = (guint32) (out - self->stack.data);
  return p;
}

static gboolean
push_value (Reader *self, guint64 value, const guint8 *at G_GNUC_UNUSED)
{
  wp_array_push (&self->values, (gint64) value);
  return TRUE;
}

/* A repeated number: packed, or one by one. */
static inline gboolean
read_repeated (Reader *self, const WpWireField *field, const WpWire *wire, const char *of,
               gboolean (*push) (Reader *self, guint64 value, const guint8 *at))
{
  WpWire packed = { field->data, field->data + field->n, NULL };
  guint64 value = 0;

  if (field->type == WP_WIRE_VARINT)
    return push (self, field->value, wire->p);
  if (!is_type (self, field, wire, WP_WIRE_BYTES, of))
    return FALSE;
  while (packed.p < packed.end)
    if (!wp_wire_varint (&packed, &value))
      return damaged (self, &packed, of);
    else if (!push (self, value, packed.p))
      return FALSE;
  return TRUE;
}

static gboolean
read_locations (Reader *self, const WpWireField *field, const WpWire *wire)
{
  WpWireField rest = *field;

  if (field->type == WP_WIRE_BYTES)
    {
      rest.data = push_small_locations (self, field->data, field->data + field->n);
      rest.n -= rest.data - field->data;
    }
  return read_repeated (self, &rest, wire, "a sample", push_location);
}

/* A label of neither kind is dropped, as pprof does. */
static gboolean
read_label (Reader *self, WpWire wire)
{
  static const char *const of = "a label";
  guint64 values[5];
  WpId key = 0, string = 0, unit = 0;

  if (!read_numbers (self, wire, of, values, G_N_ELEMENTS (values)) || !text (self, wire.p, values[1], of, &key)
      || !text (self, wire.p, values[2], of, &string) || !text (self, wire.p, values[4], of, &unit))
    return FALSE;
  if (values[2] != 0)
    wp_stacks_maker_label (&self->maker, key, string);
  else if (values[3] != 0 || values[4] != 0)
    wp_stacks_maker_number (&self->maker, key, (gint64) values[3], unit);
  return TRUE;
}

static gboolean
read_sample (Reader *self, WpWire wire)
{
  static const char *const of = "a sample";
  const WpStacks *stacks = self->maker.stacks;
  const guint8 *start = wire.p;
  WpWireField field = { 0 };

  self->stack.len = self->values.len = 0;
  while (wp_wire_next (&wire, &field))
    if (field.number == 1 ? !read_locations (self, &field, &wire)
        : field.number == 2 ? !read_repeated (self, &field, &wire, of, push_value)
        : field.number == 3 && (!is_type (self, &field, &wire, WP_WIRE_BYTES, of)
                                || !read_label (self, (WpWire) { field.data, field.data + field.n, NULL })))
      return FALSE;
  if (wire.damage != NULL)
    return damaged (self, &wire, of);
  if (self->values.len != stacks->types.len)
    return wrong (self, start, "sample %u has %u values where there are %u value types", stacks->n_samples + 1, self->values.len,
                  stacks->types.len);
  wp_stack_reverse (&self->stack);
  wp_stacks_maker_whole_sample (&self->maker, self->stack.data, self->stack.len, self->values.data);
  return TRUE;
}

static gboolean
read_samples (Reader *self, gsize n, WpProgress *progress)
{
  WpWire wire = { self->data, self->data + n, NULL };
  WpStacks *stacks = self->maker.stacks;
  WpWireField field = { 0 };

  wp_stacks_maker_reserve (&self->maker, self->counts[SAMPLE]);
  while (wp_wire_next (&wire, &field))
    {
      if (field.number != SAMPLE)
        continue;
      if (stacks->n_samples % SAMPLES_PER_STEP == 0)
        {
          if (!wp_progress_step (progress, (double) (field.data - self->data) / n, self->error))
            return FALSE;
          wp_input_passed (self->input, field.data - self->data);
        }
      if (!read_sample (self, (WpWire) { field.data, field.data + field.n, NULL }))
        return FALSE;
    }
  return TRUE;
}

/* --- the whole ---------------------------------------------------------------------------------------------------- */

static WpWireType
type_of (guint64 number)
{
  return (number >= TYPE && number <= TEXT) || number == PERIOD_TYPE ? WP_WIRE_BYTES : WP_WIRE_VARINT;
}

static gboolean
read_text (Reader *self, const WpWireField *field)
{
  if (self->texts.len == 0 && field->n > 0)
    return wrong (self, field->data, "the first text is not empty");
  wp_array_push (&self->texts, wp_strings_intern_bytes (self->maker.stacks->strings, (const char *) field->data, field->n));
  return TRUE;
}

static gboolean
push_comment (Reader *self, guint64 index, const guint8 *at G_GNUC_UNUSED)
{
  wp_array_push (&self->comments, index);
  return TRUE;
}

/* Finds all messages, and takes in the texts. */
static gboolean
read_top (Reader *self, gsize n)
{
  WpWire wire = { self->data, self->data + n, NULL };
  WpWireField field = { 0 };

  while (wp_wire_next (&wire, &field))
    {
      if (field.number == 0 || field.number >= N_FIELDS)
        continue;
      if (field.number == COMMENT)
        {
          if (!read_repeated (self, &field, &wire, "the comments", push_comment))
            return FALSE;
          continue;
        }
      if (!is_type (self, &field, &wire, type_of (field.number), "the profile"))
        return FALSE;
      if (field.number == TIME && self->header[TIME] != 0)
        return wrong (self, wire.p, "another profile begins: take them apart, or merge them");
      self->counts[field.number]++;
      if (field.type == WP_WIRE_VARINT)
        self->header[field.number] = field.value;
      else if (field.number == TEXT)
        {
          if (!read_text (self, &field))
            return FALSE;
        }
      else if (field.number != SAMPLE)
        wp_array_push (&self->messages[field.number], ((WpWire) { field.data, field.data + field.n, NULL }));
    }
  return wire.damage == NULL || damaged (self, &wire, "the profile");
}

static gboolean
read_header (Reader *self)
{
  WpStacks *stacks = self->maker.stacks;
  WpStacksHeader *header = &stacks->header;
  const Messages *period_types = &self->messages[PERIOD_TYPE];

  for (guint32 i = 0; i < self->comments.len; i++)
    {
      WpId comment = 0;

      if (!text (self, self->data, self->comments.data[i], "a comment", &comment))
        return FALSE;
      wp_array_push (&stacks->comments, comment);
    }
  header->period = (gint64) self->header[PERIOD];
  header->time = (gint64) self->header[TIME];
  header->duration = (gint64) self->header[DURATION];
  return text (self, self->data, self->header[DROP], "drop_frames", &header->drop)
         && text (self, self->data, self->header[KEEP], "keep_frames", &header->keep)
         && text (self, self->data, self->header[DEFAULT_TYPE], "default_sample_type", &header->default_type)
         && text (self, self->data, self->header[DOC_URL], "doc_url", &header->doc_url)
         && (period_types->len == 0 || read_type (self, period_types->data[period_types->len - 1], &header->period_type));
}

static gboolean
read_types (Reader *self)
{
  for (guint32 i = 0; i < self->messages[TYPE].len; i++)
    {
      WpValueType type = { 0 };

      if (!read_type (self, self->messages[TYPE].data[i], &type))
        return FALSE;
      wp_stacks_maker_type (&self->maker, type.type, type.unit);
    }
  if (self->maker.stacks->types.len > TYPES_MAX)
    return wrong (self, self->data, "it has %u value types, more than %u", self->maker.stacks->types.len, TYPES_MAX);
  return self->maker.stacks->types.len > 0 || wrong (self, self->data, "it does not say what its samples count: it has no value types");
}

static gboolean
read_each (Reader *self, guint kind, gboolean (*read) (Reader *self, WpWire wire))
{
  for (guint32 i = 0; i < self->messages[kind].len; i++)
    if (!read (self, self->messages[kind].data[i]))
      return FALSE;
  return TRUE;
}

static gboolean
read_all (Reader *self, gsize n, WpProgress *progress)
{
  if (n == 0)
    return wrong (self, self->data, "there is nothing in it");
  if (!read_top (self, n))
    return FALSE;
  ids_init (&self->mappings, "mapping", self->counts[MAPPING]);
  ids_init (&self->functions, "function", self->counts[FUNCTION]);
  ids_init (&self->locations, "location", self->counts[LOCATION]);
  return read_header (self) && read_types (self) && read_each (self, MAPPING, read_mapping) && read_each (self, FUNCTION, read_function)
         && read_each (self, LOCATION, read_location) && read_samples (self, n, progress);
}

static void
reader_clear (Reader *self)
{
  wp_stacks_maker_clear (&self->maker);
  for (guint i = 0; i < N_FIELDS; i++)
    wp_array_clear (&self->messages[i]);
  wp_array_clear (&self->texts);
  wp_array_clear (&self->comments);
  wp_array_clear (&self->stack);
  wp_array_clear (&self->values);
  ids_clear (&self->mappings);
  ids_clear (&self->functions);
  ids_clear (&self->locations);
}

/* Go's reader of gzip takes nothing behind the last member, not even zeros. */
static gboolean
check_packing (const char *path, const WpInput *input, GError **error)
{
  if (!wp_input_check_whole (input, path, error))
    return FALSE;
  if (input->unpacked.padded)
    g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_DATA, "%s has zeros behind its packed data, which no pprof profile has; fetch it again", path);
  return !input->unpacked.padded;
}

WpStacks *
wp_pprof_read (const char *path, const WpInput *input, WpProgress *progress, GError **error)
{
  Reader self = { .path = path, .input = input, .data = input->data, .error = error };
  WpStacks *stacks = NULL;

  if (!check_packing (path, input, error))
    return NULL;
  wp_progress_phase (progress, "Reading");
  wp_stacks_maker_init (&self.maker);
  if (read_all (&self, input->n, progress))
    stacks = wp_stacks_maker_take (&self.maker);
  reader_clear (&self);
  return stacks;
}

/* A known field has its type; others may have any that there is. */
static gboolean
is_plausible (guint64 tag)
{
  guint64 number = tag >> 3;
  guint type = tag & 7;

  if (number > 0 && number < N_FIELDS)
    return type == type_of (number) || (number == COMMENT && type == WP_WIRE_BYTES);
  return type == WP_WIRE_VARINT || type == WP_WIRE_FIXED64 || type == WP_WIRE_BYTES || type == WP_WIRE_FIXED32;
}

/* It begins with a field of a profile, and if that is whole, another one may follow. */
gboolean
wp_pprof_is (const guint8 *data, gsize n)
{
  WpWire wire = { data, data + n, NULL };
  WpWireField field;
  guint64 tag;

  if (n == 0 || !wp_wire_varint (&wire, &tag) || tag >> 3 == 0 || tag >> 3 >= N_FIELDS || !is_plausible (tag))
    return FALSE;
  wire = (WpWire) { data, data + n, NULL };
  return !wp_wire_next (&wire, &field) || wire.p == wire.end || !wp_wire_varint (&wire, &tag) || is_plausible (tag);
}
