#include "record/marks.h"

#include "base/json-writer.h"
#include "trace/marks.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define FILE_MAX (16 * 1024 * 1024)
#define BYTES_MAX (64 * 1024 * 1024) /* of all files */
#define FILES_MAX 4096
#define MARKS_MAX 200000
#define NAME_BYTES 256  /* longer ones are cut */
#define TEXT_MAX 49152  /* a record has 16 bits for its size */
#define SENTENCES_MAX 3

typedef struct
{
  gint64 since;
  guint n_files, n_marks;
  gsize n_bytes;
  GPtrArray *texts;
  GString *out;       /* the text that is written; empty: none */
  WpJsonWriter *json; /* writes to it */
  GString *unread;
  guint n_unread;
} Reading;

gboolean
wp_marker_file_of (const char *path, gint32 *pid, gint32 *tid)
{
  const char *slash = strrchr (path, '/'), *name = slash != NULL ? slash + 1 : path;
  int end = 0;

  *tid = 0;
  if (sscanf (name, "marker-%d.txt%n", pid, &end) != 1 || end == 0)
    {
      end = 0;
      if (sscanf (name, "marker-%d-%d.txt%n", pid, tid, &end) != 2 || *tid <= 0)
        return FALSE;
    }
  return end > 0 && name[end] == '\0' && *pid > 0;
}

static void
note_unread (Reading *self, const char *path, const char *why)
{
  if (self->n_unread++ < SENTENCES_MAX)
    g_string_append_printf (self->unread, "%smarks: %s %s", self->unread->len > 0 ? "\n" : "", path, why);
}

/* --- what is kept ------------------------------------------------------------------------------------------------- */

static void
end_text (Reading *self)
{
  if (self->out->len == 0)
    return;
  wp_json_writer_end (self->json);
  wp_json_writer_end (self->json);
  wp_json_writer_end (self->json);
  g_ptr_array_add (self->texts, g_strndup (self->out->str, self->out->len));
  g_string_truncate (self->out, 0);
}

static void
keep (Reading *self, const char *key, const char *line)
{
  if (self->out->len > TEXT_MAX)
    end_text (self);
  if (self->out->len == 0)
    {
      wp_json_writer_object (self->json, NULL, WP_JSON_TIGHT);
      wp_json_writer_object (self->json, "marks", WP_JSON_TIGHT);
      wp_json_writer_array (self->json, key, WP_JSON_TIGHT);
    }
  wp_json_writer_string (self->json, NULL, line);
  self->n_marks++;
}

/* --- files -------------------------------------------------------------------------------------------------------- */

/* Cuts the name behind a whole character. */
static char *
line_of (const char *bytes, gsize n, gint64 *end)
{
  g_autofree char *line = g_utf8_make_valid (bytes, (gssize) n);
  const char *name;
  gint64 start;

  if (memchr (bytes, '\0', n) != NULL || !wp_mark_parse (line, &start, end, &name))
    return NULL;
  if (strlen (name) > NAME_BYTES)
    *g_utf8_find_prev_char (line, name + NAME_BYTES + 1) = '\0';
  return g_steal_pointer (&line);
}

/* A last line without an end is still being written. Returns how many lines were no marks. */
static guint
take_lines (Reading *self, const char *key, const char *text, gsize n)
{
  const char *end = text + n, *newline;
  guint n_wrong = 0;

  for (; text < end && self->n_marks < MARKS_MAX; text = newline + 1)
    {
      g_autofree char *line = NULL;
      gint64 until;

      newline = memchr (text, '\n', (gsize) (end - text));
      if (newline == NULL)
        break;
      line = line_of (text, (gsize) (newline - text), &until);
      if (line == NULL)
        n_wrong++;
      else if (until >= self->since)
        keep (self, key, line);
    }
  end_text (self);
  return n_wrong;
}

/* Why a file is not read; NULL: it is. */
static const char *
refuse (const Reading *self, int fd, const struct stat *st)
{
  if (S_ISREG (st->st_mode) && st->st_uid != geteuid ())
    return "belongs to another user";
  if (fd < 0)
    return "is not there any more as it was mapped";
  if (st->st_size > FILE_MAX)
    return "is larger than 16 MiB";
  if (self->n_files >= FILES_MAX || self->n_bytes + (gsize) st->st_size > BYTES_MAX || self->n_marks >= MARKS_MAX)
    return "is left out: there are too many marks";
  return NULL;
}

static void
read_marks (Reading *self, const WpMappedFile *file, int fd, gsize size)
{
  g_autofree char *text = g_malloc (MAX (size, 1)), *key = NULL, *wrong = NULL;
  gsize n = 0;
  gssize got;
  gint32 pid, tid;
  guint n_wrong;

  while (n < size && (got = TEMP_FAILURE_RETRY (read (fd, text + n, size - n))) > 0)
    n += (gsize) got;
  wp_marker_file_of (file->path, &pid, &tid);
  key = g_strdup_printf ("%d:%d", pid, tid);
  n_wrong = take_lines (self, key, text, n);
  self->n_files++;
  self->n_bytes += n;
  if (self->n_marks == MARKS_MAX)
    note_unread (self, file->path, "has more marks than are kept");
  if (n_wrong == 0)
    return;
  wrong = g_strdup_printf ("has lines that are no marks (START END NAME): %u", n_wrong);
  note_unread (self, file->path, wrong);
}

char *
wp_marks_read (const WpMappedFiles *mapped, gint64 since, GPtrArray *texts)
{
  Reading self = { .since = since, .texts = texts, .out = g_string_new (NULL), .unread = g_string_new (NULL) };

  self.json = wp_json_writer_new_text (self.out);
  for (guint i = 0; i < mapped->files->len; i++)
    {
      const WpMappedFile *file = &g_array_index (mapped->files, WpMappedFile, i);
      const char *why;
      struct stat st;
      int fd;

      if (!file->marker)
        continue;
      fd = wp_mapped_file_open (file, &st);
      why = refuse (&self, fd, &st);
      if (why != NULL)
        note_unread (&self, file->path, why);
      else
        read_marks (&self, file, fd, (gsize) st.st_size);
      if (fd >= 0)
        close (fd);
    }
  if (self.n_unread > SENTENCES_MAX)
    g_string_append_printf (self.unread, "\nmarks: the same of %u files more", self.n_unread - SENTENCES_MAX);
  wp_json_writer_free (self.json);
  g_string_free (self.out, TRUE);
  return g_string_free (self.unread, self.unread->len == 0);
}
