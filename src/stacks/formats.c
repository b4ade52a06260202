#include "stacks/formats.h"

#include "base/find.h"
#include "base/save-file.h"
#include "stacks/chrome.h"
#include "stacks/firefox.h"
#include "stacks/folded.h"
#include "stacks/perun.h"
#include "stacks/pprof.h"
#include "stacks/racket.h"
#include "stacks/raw-text.h"
#include "stacks/speedscope.h"

/* Text is told by more of what it says than pprof's bytes are, which come last of what is read. */
const WpStacksFormat wp_stacks_formats[] = {
  { "speedscope", wp_speedscope_is, wp_speedscope_read, wp_speedscope_write, WP_EACH_SAMPLE },
  { "firefox", wp_firefox_is, wp_firefox_read, wp_firefox_write, WP_EACH_STACK },
  { "chrome", wp_chrome_is, wp_chrome_read, wp_chrome_write, WP_EACH_SAMPLE_NAMED },
  { "racket", wp_racket_samples_is, wp_racket_samples_read, NULL, WP_EACH_SAMPLE },
  { "calls", wp_racket_profile_is, wp_racket_profile_refuse, NULL, WP_EACH_SAMPLE },
  { "folded", wp_folded_is, wp_folded_read, wp_folded_write, WP_EACH_SAMPLE_NAMED },
  { "pprof", wp_pprof_is, wp_pprof_read, wp_pprof_write, WP_EACH_SAMPLE },
  { "perun", NULL, NULL, wp_perun_write, WP_EACH_SAMPLE_NAMED },
  { "raw", NULL, NULL, wp_raw_text_write, WP_EACH_SAMPLE },
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
  guint found = WP_FIND_ROW (wp_stacks_formats, id, id);

  return found < G_N_ELEMENTS (wp_stacks_formats) ? &wp_stacks_formats[found] : NULL;
}

const WpStacksFormat *
wp_stacks_format_of_file (const char *path)
{
  g_auto (WpInput) input = { 0 };

  return wp_input_open (&input, path, NULL, NULL) ? wp_stacks_format_of (input.data, input.n) : NULL;
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
  g_set_error (error, G_IO_ERROR, G_IO_ERROR_NOT_SUPPORTED,
               input.n == 0 ? "%s is empty"
                            : "%s is no profile of pprof, speedscope, Firefox or Racket, and neither folded stacks nor Chrome’s trace events; "
                              "“info” tells what it is",
               path);
  return NULL;
}

gboolean
wp_stacks_write (const WpStacks *stacks, const WpStacksFormat *format, int fd, WpProgress *progress, GError **error)
{
  return wp_stacks_check_proportion (stacks, format->frames, error) && format->write (stacks, fd, progress, error);
}

gboolean
wp_stacks_save (const WpStacks *stacks, const WpStacksFormat *format, const char *path, WpProgress *progress, GError **error)
{
  WpSaveFile file;

  if (!wp_save_file_open (&file, path, error))
    return FALSE;
  if (wp_stacks_write (stacks, format, file.fd, progress, error))
    return wp_save_file_commit (&file, 0, error);
  wp_save_file_abort (&file);
  g_prefix_error (error, "%s cannot be written: ", path);
  return FALSE;
}
