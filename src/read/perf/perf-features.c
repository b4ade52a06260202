/* What a perf.data says about the recording: features, and the records of tools that describe others. */
#include "read/perf/perf-file.h"

#include "base/hash.h"
#include "read/perf/perf-names.h"
#include "trace/carried-names.h"

#define UPDATE_NAME 2 /* what an event update may bring: unit, scale, name, CPUs */
#define STRING_MAX 65536
#define BUILD_ID_NAME 36 /* in a record of a build id */
#define RECORDER_MAX (4 * 1024 * 1024) /* bytes of what our recorder says of itself */
#define RATE_MAX 100000 /* a second: our recorder's limit */
#define SYMBOL_MAX 512 /* bytes of a function's name, as the kernel has it */
#define FUNCTIONS_MAX (WP_PERF_WAIT_FUNCTIONS_MAX * (SYMBOL_MAX + 1))
#define EXTRA_MAX 256                  /* … and how many members of it are kept; it has a dozen */

/* --- the machine, the command, the events --------------------------------------------------------------------------- */

/* A string: its length in 32 bits, then so many bytes, padded with zeros. NULL at the end of the data. */
static char *
take_string (const guint8 **data, gsize *size)
{
  guint32 n;
  char *string;

  if (*size < 4 || (n = wp_read_u32 (*data)) > *size - 4 || n > STRING_MAX)
    return NULL;
  string = g_utf8_make_valid ((const char *) *data + 4, strnlen ((const char *) *data + 4, n));
  *data += 4 + n;
  *size -= 4 + n;
  return string;
}

static void
take_command (WpPerfFile *self, const guint8 *data, gsize size)
{
  WpTrace *trace = self->reader->trace;
  g_autoptr (GString) command = g_string_new (NULL);
  guint32 n = size >= 4 ? wp_read_u32 (data) : 0;
  char *word;

  data += MIN (size, 4);
  size -= MIN (size, 4);
  for (guint32 i = 0; i < n && (word = take_string (&data, &size)) != NULL; i++)
    {
      g_string_append_printf (command, "%s%s", i > 0 ? " " : "", word);
      g_free (word);
    }
  if (command->len > 0)
    {
      g_free (trace->command);
      trace->command = g_string_free (g_steal_pointer (&command), FALSE);
    }
}

static void
replace_string (char **target, const guint8 *data, gsize size)
{
  char *string = take_string (&data, &size);

  if (string != NULL)
    {
      g_free (*target);
      *target = string;
    }
}

static void
take_arch (WpPerfFile *self, const guint8 *data, gsize size)
{
  g_autofree char *name = take_string (&data, &size);

  if (name != NULL)
    self->arch = wp_cfi_arch (name);
}

/* Names of events that are not tracepoints: number and size of attributes, then each with its ids and name. */
static void
take_event_names (WpPerfFile *self, const guint8 *data, gsize size)
{
  guint32 n, attr_size;

  if (size < 8)
    return;
  n = wp_read_u32 (data);
  attr_size = wp_read_u32 (data + 4);
  data += 8;
  size -= 8;
  for (guint32 i = 0; i < n && attr_size <= size && size - attr_size >= 4; i++)
    {
      guint32 n_ids = wp_read_u32 (data + attr_size);
      g_autofree char *name = NULL;
      WpPerfAttr *row;

      data += attr_size + 4;
      size -= attr_size + 4;
      name = take_string (&data, &size);
      if (name == NULL || n_ids > size / 8)
        return;
      row = n_ids > 0 ? wp_perf_file_attr_of_id (self, wp_read_u64 (data)) : i < self->attrs.len ? &self->attrs.data[i]
        : NULL;
      if (row != NULL)
        row->name = wp_strings_intern (self->reader->trace->strings, name);
      data += 8 * n_ids;
      size -= 8 * n_ids;
    }
}

/* --- our own recorder --------------------------------------------------------------------------------------------- */

/* A text as it is, any other value as it stands in the document. */
static char *
take_as_text (WpJsonReader *reader, const char *document)
{
  gboolean text = wp_json_reader_kind (reader) == WP_JSON_STRING;
  guint64 start = wp_json_reader_offset (reader);

  if (text)
    return g_strdup (wp_json_reader_string (reader));
  wp_json_reader_skip (reader);
  return wp_json_reader_failed (reader) ? NULL : g_strndup (document + start, wp_json_reader_offset (reader) - start);
}

static void
add_extra (WpTrace *trace, const char *name, char *value)
{
  g_autofree char *key = g_strdup (name), *owned = value;

  if (value == NULL || g_hash_table_size (trace->extra) == EXTRA_MAX)
    return;
  if (g_str_equal (key, "pid"))
    trace->command_pid = (gint32) CLAMP (g_ascii_strtoll (value, NULL, 10), 0, G_MAXINT32);
  if (g_str_equal (key, "missing"))
    {
      g_free (trace->missing);
      trace->missing = g_strdup (value);
    }
  g_hash_table_replace (trace->extra, g_steal_pointer (&key), g_steal_pointer (&owned));
}

static void
take_member (WpPerfFile *self, const char *key, WpJsonReader *reader, const char *document)
{
  WpTrace *trace = self->reader->trace;
  g_autofree char *name = NULL;
  gint64 number;

  if (wp_perf_names_take (trace, self->builds, key, reader))
    return;
  if (g_str_equal (key, wp_diag_id (WP_DIAG_STACKS_COMPLETED)))
    {
      if (wp_perf_take_number (reader, &number))
        trace->diagnostics.n[WP_DIAG_STACKS_COMPLETED] += (guint64) MAX (number, 0);
      return;
    }
  name = g_strdup (key); /* which does not last while a value with keys of its own is read */
  add_extra (trace, name, take_as_text (reader, document));
}

/* What our own recorder says of the recording. */
static void
take_recorder (WpPerfFile *self, const guint8 *data, gsize size)
{
  WpTrace *trace = self->reader->trace;
  const char *document = (const char *) data, *key;
  gsize n = strnlen (document, size);
  g_autoptr (WpJsonReader) reader = NULL;

  if (n > RECORDER_MAX)
    {
      wp_perf_file_damaged (self);
      return;
    }
  if (trace->extra == NULL)
    trace->extra = g_hash_table_new_full (wp_hash_string, g_str_equal, g_free, g_free);
  reader = wp_json_reader_new ("", document, n, NULL);
  if (wp_json_reader_object (reader))
    while ((key = wp_json_reader_key (reader)) != NULL)
      take_member (self, key, reader, document);
  if (!wp_json_reader_finish (reader, NULL))
    wp_perf_file_damaged (self);
}

static void
take_pause (WpPerfFile *self, const guint8 *data, gsize size)
{
  WpPerfPause pause;

  if (size < sizeof pause)
    {
      wp_perf_file_damaged (self);
      return;
    }
  memcpy (&pause, data, sizeof pause);
  if (pause.start >= 0 && pause.start < pause.end)
    wp_array_push (&self->pauses, pause);
  else
    wp_perf_file_damaged (self);
}

static void
take_rate (WpPerfFile *self, const guint8 *data, gsize size)
{
  WpPerfRate rate;

  if (size < sizeof rate)
    {
      wp_perf_file_damaged (self);
      return;
    }
  memcpy (&rate, data, sizeof rate);
  if (rate.time >= 0 && rate.rate > 0 && rate.rate <= RATE_MAX)
    wp_array_push (&self->rates, rate);
  else
    wp_perf_file_damaged (self);
}

/* The next text of a record, where it is a name as the kernel gives them, of letters, digits and these marks; else none. */
static WpId
take_symbol (WpPerfFile *self, const char **text, gsize *left, const char *marks, gsize max)
{
  const char *symbol = *text;
  gsize n = strnlen (symbol, *left);

  *text += MIN (n + 1, *left);
  *left -= MIN (n + 1, *left);
  for (gsize i = 0; i < n; i++)
    if (!g_ascii_isalnum (symbol[i]) && strchr (marks, symbol[i]) == NULL)
      return 0;
  return n > 0 && n <= max ? wp_strings_intern_n (self->reader->trace->strings, symbol, n) : 0;
}

/* The last text, a number; 0: that of a recorder that did not say it. */
static gint32
take_parent (const char **text, gsize left)
{
  g_autofree char *number = g_strndup (*text, left);
  gint64 parent = g_ascii_strtoll (number, NULL, 10);

  if (*number == '\0' || parent < 0 || parent > G_MAXINT32)
    return 0;
  return parent > 0 ? (gint32) parent : -1;
}

/* Who did not sleep then went to sleep before the recording, if it never ran in it: nobody knows in what. */
static void
take_wait (WpPerfFile *self, const guint8 *data, gsize size)
{
  static const struct
  {
    char letter;
    WpState state;
  } states[] = { { 'S', WP_STATE_SLEEPING }, { 'D', WP_STATE_DISK }, { 'T', WP_STATE_STOPPED }, { 't', WP_STATE_STOPPED },
                 { 'I', WP_STATE_IDLE }, { '?', WP_STATE_UNKNOWN } };
  const char *text = (const char *) data + 10;
  WpPerfWait wait = { .state = WP_STATE_SLEEPING };
  guint known = 0;

  if (size <= 10 || data[8] == '\0' || data[9] != '\0')
    {
      wp_perf_file_damaged (self);
      return;
    }
  wait.pid = (gint32) wp_read_u32 (data);
  wait.tid = (gint32) wp_read_u32 (data + 4);
  size -= 10;
  while (known < G_N_ELEMENTS (states) && states[known].letter != (char) data[8])
    known++;
  if (known < G_N_ELEMENTS (states))
    wait.state = states[known].state;
  wait.call = take_symbol (self, &text, &size, "_.$", SYMBOL_MAX);
  wait.functions = take_symbol (self, &text, &size, "_.$;", FUNCTIONS_MAX);
  if (known == G_N_ELEMENTS (states))
    wait.call = wait.functions = 0;
  wait.parent = take_parent (&text, size);
  wp_array_push (&self->waits, wait);
}

/* --- builds ------------------------------------------------------------------------------------------------------- */

/* Where the record does not say how long an id is: zeros at the end were put there for lack of anything better. */
static guint
length_of_id (const guint8 id[20])
{
  guint n = 20;

  while (n > 0 && wp_read_u32 (id + n - 4) == 0)
    n -= 4;
  return n;
}

/* header, pid, 20 bytes of build id and its length, file name */
static void
take_build_id (WpPerfFile *self, const guint8 *record, gsize size)
{
  WpPerfRecord header;
  const char *name = (const char *) record + BUILD_ID_NAME;
  g_autofree char *path = NULL;
  char hex[41];
  guint n;

  if (size <= BUILD_ID_NAME || name[0] == '\0')
    {
      wp_perf_file_damaged (self);
      return;
    }
  memcpy (&header, record, sizeof header);
  n = header.misc & WP_PERF_MISC_BUILD_ID_SIZE ? record[32] : length_of_id (record + 12);
  if (n == 0 || n > 20)
    {
      wp_perf_file_damaged (self);
      return;
    }
  for (guint i = 0; i < n; i++)
    g_snprintf (hex + 2 * i, 3, "%02x", record[12 + i]);
  path = g_strndup (name, size - BUILD_ID_NAME);
  wp_builds_add_path (self->builds, path, hex);
}

static void
take_build_ids (WpPerfFile *self, const guint8 *data, gsize size)
{
  while (size >= sizeof (WpPerfRecord))
    {
      WpPerfRecord header;

      memcpy (&header, data, sizeof header);
      if (header.size < sizeof header || header.size > size)
        {
          wp_perf_file_damaged (self);
          return;
        }
      take_build_id (self, data, header.size);
      data += header.size;
      size -= header.size;
    }
}

/* --- features ----------------------------------------------------------------------------------------------------- */

static void
take_formats (WpPerfFile *self, const guint8 *data, gsize size)
{
  const char *symbols;
  gsize n;

  wp_perf_formats_read (self->formats, data, size, &symbols, &n);
  if (symbols != NULL)
    wp_kernel_symbols_set_text (self->kernel, symbols, n);
}

static void
take_kernel_text (WpPerfFile *self, const guint8 *data, gsize size)
{
  if (self->kernel_parts == NULL)
    self->kernel_parts = g_string_new (NULL);
  g_string_append_len (self->kernel_parts, (const char *) data, (gssize) strnlen ((const char *) data, size));
}

static char *
append_hex (char *to, guint64 number)
{
  for (int shift = 60; shift >= 0; shift -= 4)
    *to++ = "0123456789abcdef"[number >> shift & 15];
  return to;
}

/* Lines with distances become lines of kallsyms, each by up to 16 digits longer. */
void
wp_perf_file_take_kernel_symbols (WpPerfFile *self)
{
  const char *p, *end;
  guint64 address = 0;
  gsize n_lines = 1;
  char *text, *to;

  if (self->kernel_parts == NULL)
    return;
  p = self->kernel_parts->str;
  end = p + self->kernel_parts->len;
  for (const char *newline = p; (newline = memchr (newline, '\n', (gsize) (end - newline))) != NULL; newline++)
    n_lines++;
  text = to = g_malloc (self->kernel_parts->len + 16 * n_lines);
  while (p < end)
    {
      const char *newline = memchr (p, '\n', (gsize) (end - p)), *rest;
      const gboolean back = *p == '-';
      char *behind = (char *) p + back;
      const guint64 distance = g_ascii_isxdigit (*behind) ? g_ascii_strtoull (behind, &behind, 16) : 0; /* which would go on over blank lines */

      rest = behind;
      newline = newline != NULL ? newline + 1 : end;
      address = back ? address - distance : address + distance;
      if (rest > p + back && rest < newline)
        {
          to = append_hex (to, address);
          memcpy (to, rest, (gsize) (newline - rest));
          to += newline - rest;
        }
      p = newline;
    }
  g_string_free (g_steal_pointer (&self->kernel_parts), TRUE);
  g_free (self->kernel_text);
  self->kernel_text = text;
  wp_kernel_symbols_set_text (self->kernel, text, (gsize) (to - text));
}

void
wp_perf_file_feature (WpPerfFile *self, guint64 feature, const guint8 *data, gsize size)
{
  WpTrace *trace = self->reader->trace;

  switch (feature)
    {
    case WP_PERF_FEATURE_TRACING_DATA:
      take_formats (self, data, size);
      break;
    case WP_PERF_FEATURE_BUILD_ID:
      take_build_ids (self, data, size);
      break;
    case WP_PERF_FEATURE_HOSTNAME:
      replace_string (&trace->host, data, size);
      break;
    case WP_PERF_FEATURE_OSRELEASE:
      replace_string (&trace->kernel, data, size);
      break;
    case WP_PERF_FEATURE_ARCH:
      take_arch (self, data, size);
      break;
    case WP_PERF_FEATURE_CMDLINE:
      take_command (self, data, size);
      break;
    case WP_PERF_FEATURE_EVENT_DESC:
      take_event_names (self, data, size);
      break;
    case WP_PERF_FEATURE_DIR_FORMAT:
      self->is_part = TRUE;
      break;
    case WP_PERF_FEATURE_RECORDER:
      take_recorder (self, data, size);
      break;
    case WP_PERF_FEATURE_OWN_NAMES:
      if (trace->own_names == NULL)
        trace->own_names = wp_carried_names_new ();
      if (!wp_carried_names_add (trace->own_names, data, size))
        wp_perf_file_damaged (self);
      break;
    case WP_PERF_FEATURE_PAUSE:
      take_pause (self, data, size);
      break;
    case WP_PERF_FEATURE_RATE:
      take_rate (self, data, size);
      break;
    case WP_PERF_FEATURE_WAIT:
      take_wait (self, data, size);
      break;
    case WP_PERF_FEATURE_KERNEL_SYMBOLS:
      take_kernel_text (self, data, size);
      break;
    default:
      break;
    }
}

/* --- records ------------------------------------------------------------------------------------------------------ */

static void
read_attr_record (WpPerfFile *self, const guint8 *record, gsize size)
{
  guint32 attr_size = size >= 16 ? wp_read_u32 (record + 12) : 0;

  attr_size = attr_size == 0 ? PERF_ATTR_SIZE_VER0 : attr_size;
  if (size < 8 + (gsize) attr_size)
    {
      wp_perf_file_damaged (self);
      return;
    }
  wp_perf_file_add_attr (self, record + 8, attr_size, record + 8 + attr_size, (size - 8 - attr_size) / 8);
}

/* header, what changes, id, and here the name */
static void
take_event_update (WpPerfFile *self, const guint8 *record, gsize size)
{
  WpPerfAttr *row = size > 24 ? wp_perf_file_attr_of_id (self, wp_read_u64 (record + 16)) : NULL;

  if (row != NULL && wp_read_u64 (record + 8) == UPDATE_NAME)
    row->name = wp_strings_intern_text (self->reader->trace->strings, (const char *) record + 24,
                                        (gssize) strnlen ((const char *) record + 24, size - 24));
}

guint64
wp_perf_file_describe (WpPerfFile *self, const WpPerfRecord *header)
{
  const guint8 *record = (const guint8 *) header;
  guint64 left = self->reader->data + self->data_end - record - header->size, more = wp_perf_trailing (header);

  switch (header->type)
    {
    case WP_PERF_RECORD_ATTR:
      read_attr_record (self, record, header->size);
      break;
    case WP_PERF_RECORD_TRACING_DATA:
      if (more > 0)
        take_formats (self, record + header->size, MIN (wp_read_u32 (record + 8), left));
      break;
    case WP_PERF_RECORD_BUILD_ID:
      take_build_id (self, record, header->size);
      break;
    case WP_PERF_RECORD_EVENT_UPDATE:
      take_event_update (self, record, header->size);
      break;
    case WP_PERF_RECORD_FEATURE:
      if (header->size >= 16)
        wp_perf_file_feature (self, wp_read_u64 (record + 8), record + 16, header->size - 16);
      break;
    case WP_PERF_RECORD_EVENT_TYPE:
      if (header->size >= 16 && wp_read_u64 (record + 8) >= WP_PERF_FEATURES_OWN)
        wp_perf_file_feature (self, wp_read_u64 (record + 8) - WP_PERF_FEATURES_OWN, record + 16, header->size - 16);
      break;
    case WP_PERF_RECORD_COMPRESSED:
    case WP_PERF_RECORD_COMPRESSED2:
      wp_perf_file_damaged (self); /* none is left: see wp_perf_expand() */
      break;
    default:
      break;
    }
  return more <= left ? more : G_MAXUINT64;
}
