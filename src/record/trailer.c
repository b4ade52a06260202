/* What the caller adds to a finished recording: the command, and a JSON object about it; see trailer.h. */
#include "record/trailer.h"

#include "base/json-writer.h"
#include "base/write.h"
#include "read/perf/perf-numbers.h"
#include "record/commit.h"
#include "record/launch.h"
#include "store/vcs.h"

#include "config.h"

#include <linux/perf_event.h>
#include <string.h>
#include <unistd.h>

#define STRING_ALIGN 64 /* perf pads its strings so */
#define TEXT_MOST 4000 /* characters of one text in the JSON, each up to 6 bytes there */

typedef struct
{
  guint32 type;
  guint16 misc, size;
  gint32 pid;
  guint8 id[20], id_size, zeros[3];
} BuildIdRecord;

/* The head of a feature record: perf_event_header, then the feature's number. */
typedef struct
{
  guint32 type;
  guint16 misc, size;
  guint64 feature;
} FeatureHead;

static void
add_string (GByteArray *out, const char *text)
{
  guint32 length = (strlen (text) + 1 + STRING_ALIGN - 1) / STRING_ALIGN * STRING_ALIGN;
  guint from;

  g_byte_array_append (out, (const guint8 *) &length, sizeof length);
  from = out->len;
  g_byte_array_set_size (out, from + length);
  memset (out->data + from, 0, length);
  memcpy (out->data + from, text, strlen (text));
}

/* A record's size has 16 bits: what does not fit is left out, a word at a time. */
static GByteArray *
command_line (char *const *command)
{
  guint32 n = 0;
  GByteArray *out = g_byte_array_new ();

  g_byte_array_append (out, (const guint8 *) &n, sizeof n);
  for (; command[n] != NULL && out->len + strlen (command[n]) < G_MAXUINT16 - 256; n++)
    add_string (out, command[n]);
  memcpy (out->data, &n, sizeof n);
  return out;
}

static void
add_member (WpJsonWriter *json, const char *name, const char *value)
{
  if (value != NULL)
    wp_json_writer_string (json, name, value);
}

/* What is too long ends in an ellipsis: the command as words is in a record of its own. */
static char *
shortened (const char *text)
{
  g_autofree char *valid = g_utf8_make_valid (text, -1);
  glong n = g_utf8_strlen (valid, -1);
  g_autofree char *head = n > TEXT_MOST ? g_utf8_substring (valid, 0, TEXT_MOST) : NULL;

  return head != NULL ? g_strconcat (head, "…", NULL) : g_strdup (text);
}

static void
add_shortened (WpJsonWriter *json, const char *name, const char *value)
{
  g_autofree char *text = value != NULL ? shortened (value) : NULL;

  add_member (json, name, text);
}

/* What does not fit into a record is left out. */
static GByteArray *
json_body (const char *text)
{
  const char *fitting = strlen (text) < G_MAXUINT16 - 256 ? text : "{}";

  return g_byte_array_append (g_byte_array_new (), (const guint8 *) fitting, strlen (fitting) + 1);
}

/* NULL where nobody can tell: outside of a repository, and in somebody else's. */
static const char *
dirty_text (const char *folder)
{
  g_autoptr (WpVcs) vcs = wp_vcs_open (folder, NULL, NULL);
  gboolean dirty;

  if (vcs == NULL || !wp_vcs_is_dirty (vcs, &dirty, NULL))
    return NULL;
  return dirty ? "true" : "false";
}

static GByteArray *
description (const WpRecordOptions *options, const WpTrailer *trailer)
{
  g_autoptr (GString) text = g_string_new (NULL);
  g_autoptr (WpJsonWriter) json = wp_json_writer_new_text (text);
  g_autofree char *folder = options->folder != NULL ? g_canonicalize_filename (options->folder, NULL) : g_get_current_dir ();
  g_autofree char *commit = wp_commit_of_folder (folder), *summary = NULL;

  if (options->command != NULL)
    summary = g_strjoinv (" ", options->command);
  wp_json_writer_object (json, NULL, WP_JSON_TIGHT);
  wp_json_writer_string (json, "wakepath", WP_VERSION);
  wp_json_writer_int (json, "pid", trailer->pid);
  wp_json_writer_string (json, "folder", folder);
  add_member (json, "commit", commit);
  if (commit != NULL)
    add_member (json, "dirty", dirty_text (folder));
  add_shortened (json, "summary", summary);
  add_member (json, "ended", trailer->ended);
  add_member (json, "stacks", wp_stack_mode_name (options->stacks));
  add_member (json, "sampled", trailer->sampled_only);
  if (trailer->completed > 0)
    wp_json_writer_int (json, "stacks_completed", trailer->completed);
  add_shortened (json, "missing", trailer->missing);
  wp_json_writer_end (json);
  return json_body (text->str);
}

static gboolean
write_all (int fd, gconstpointer data, gsize n, GError **error)
{
  int code = wp_write_all (fd, data, n);

  if (code != 0)
    g_set_error (error, WP_RECORD_ERROR, WP_RECORD_ERROR_OUTPUT, "the recording cannot be written: %s; make room, or "
                 "record into another folder", g_strerror (code));
  return code == 0;
}

static gboolean
append (int fd, guint64 feature, GByteArray *body, GError **error)
{
  FeatureHead head = { .type = WP_PERF_RECORD_FEATURE, .feature = feature };
  static const guint8 zeros[8];
  gboolean done;

  if (feature >= WP_PERF_FEATURE_RECORDER)
    head = (FeatureHead) { .type = WP_PERF_RECORD_EVENT_TYPE, .feature = WP_PERF_FEATURES_OWN + feature };
  g_byte_array_append (body, zeros, (8 - body->len % 8) % 8);
  head.size = sizeof head + body->len;
  done = write_all (fd, &head, sizeof head, error) && write_all (fd, body->data, body->len, error);
  g_byte_array_unref (body);
  return done;
}

static guint8
nibble (char c)
{
  return (guint8) g_ascii_xdigit_value (c);
}

/* As perf writes it: the process (-1: this machine), 20 bytes and how many of them count, the path. */
static gboolean
append_build_id (int fd, const WpMappedFile *file, GError **error)
{
  BuildIdRecord record = { .type = WP_PERF_RECORD_BUILD_ID, .misc = PERF_RECORD_MISC_USER | WP_PERF_MISC_BUILD_ID_SIZE, .pid = -1 };
  gsize length = strlen (file->path) + 1, room = (length + STRING_ALIGN - 1) / STRING_ALIGN * STRING_ALIGN;
  g_autofree char *path = g_malloc0 (room);

  memcpy (path, file->path, length);
  for (guint i = 0; i < sizeof record.id && file->build[2 * i] != '\0'; i++, record.id_size++)
    record.id[i] = (guint8) (nibble (file->build[2 * i]) << 4 | nibble (file->build[2 * i + 1]));
  record.size = (guint16) (sizeof record + room);
  return write_all (fd, &record, sizeof record, error) && write_all (fd, path, room, error);
}

/* One for each path: rows stand in that order. */
static gboolean
append_build_ids (int fd, const WpMappedFiles *mapped, GError **error)
{
  const char *last = "";
  gboolean done = TRUE;

  for (guint i = 0; mapped != NULL && i < mapped->files->len && done; i++)
    {
      const WpMappedFile *file = &g_array_index (mapped->files, WpMappedFile, i);

      if (!file->by_path || g_str_equal (file->path, last))
        continue;
      last = file->path;
      done = append_build_id (fd, file, error);
    }
  return done;
}

gboolean
wp_trailer_append (int fd, const WpRecordOptions *options, const WpTrailer *trailer, GError **error)
{
  gboolean done;

  if (lseek (fd, 0, SEEK_END) < 0)
    return TRUE; /* a pipe or the like: its reader has what it needs */
  done = append_build_ids (fd, trailer->mapped, error) &&
         (options->command == NULL || append (fd, WP_PERF_FEATURE_CMDLINE, command_line (options->command), error)) &&
         append (fd, WP_PERF_FEATURE_RECORDER, description (options, trailer), error);
  for (guint i = 0; trailer->own_names != NULL && i < trailer->own_names->len && done; i++)
    done = append (fd, WP_PERF_FEATURE_OWN_NAMES, g_byte_array_ref (g_ptr_array_index (trailer->own_names, i)), error);
  for (guint i = 0; trailer->more != NULL && i < trailer->more->len && done; i++)
    done = append (fd, WP_PERF_FEATURE_RECORDER, json_body (g_ptr_array_index (trailer->more, i)), error);
  return done;
}
