#include "stacks/formats.h"

#include "base/find.h"
#include "base/save-file.h"
#include "stacks/chrome.h"
#include "stacks/folded.h"
#include "stacks/pprof.h"
#include "stacks/raw-text.h"
#include "stacks/speedscope.h"

/* Text is told by more of what it says than pprof's bytes are, which come last of what is read. */
const WpStacksFormat wp_stacks_formats[] = {
  { "speedscope", "a speedscope profile", ".speedscope.json", wp_speedscope_is, wp_speedscope_read, wp_speedscope_write },
  { "chrome", "Chrome’s trace events", NULL, wp_chrome_is, wp_chrome_read, NULL },
  { "folded", "folded stacks", ".folded", wp_folded_is, wp_folded_read, wp_folded_write },
  { "pprof", "a pprof profile", ".pb.gz", wp_pprof_is, wp_pprof_read, wp_pprof_write },
  { "raw", "the tables of a profile as text", ".txt", NULL, NULL, wp_raw_text_write },
  { NULL },
};

const WpStacksFormat *
wp_stacks_format_of (const guint8 *data, gsize n)
{
  for (const WpStacksFormat *format = wp_stacks_formats; format->id != NULL; format++)
    if (format->is != NULL && format->is (data, n))
      return format;
  return NULL;
}

const WpStacksFormat *
wp_stacks_format_named (const char *id)
{
  for (const WpStacksFormat *format = wp_stacks_formats; format->id != NULL; format++)
    if (g_str_equal (format->id, id))
      return format;
  return NULL;
}

WpStacks *
wp_stacks_open (const char *path, const WpStacksFormat **format, WpProgress *progress, GError **error)
{
  g_auto (WpInput) input = { 0 };
  const WpStacksFormat *found;

  if (!wp_input_open (&input, path, progress, error))
    return NULL;
  found = wp_stacks_format_of (input.data, input.n);
  if (format != NULL)
    *format = found;
  if (found != NULL)
    return found->read (path, &input, progress, error);
  g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_DATA,
               input.n == 0 ? "%s is empty"
                            : "%s is no profile of pprof or speedscope, and neither folded stacks nor Chrome’s trace events; “info” tells what it is", path);
  return NULL;
}

gboolean
wp_stacks_save (const WpStacks *stacks, const WpStacksFormat *format, const char *path, WpProgress *progress, GError **error)
{
  WpSaveFile file;

  if (!wp_save_file_open (&file, path, error))
    return FALSE;
  if (format->write (stacks, file.fd, progress, error))
    return wp_save_file_commit (&file, 0, error);
  wp_save_file_abort (&file);
  g_prefix_error (error, "%s cannot be written: ", path);
  return FALSE;
}
