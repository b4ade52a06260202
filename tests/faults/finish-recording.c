/* Finishes what a helper has written, as the recorder does: finish-recording RAW OUTPUT packed|plain|stream. 0, or 1 and a word on why;
 * what is missing goes to standard output. */
#include "../common/stack-bytes.h"
#include "base/plain-file.h"
#include "base/write.h"
#include "record/finish.h"

#include <stdlib.h>

typedef struct
{
  GMainLoop *loop;
  int status;
} Session;

static int
fail (GError *error)
{
  g_printerr ("%s\n", error->message);
  g_error_free (error);
  return EXIT_FAILURE;
}

static void
on_finished (GError *error, const char *missing, gpointer data)
{
  Session *session = data;

  if (missing != NULL)
    g_print ("%s\n", missing);
  session->status = error != NULL ? fail (error) : EXIT_SUCCESS;
  g_main_loop_quit (session->loop);
}

int
main (int argc, char **argv)
{
  Session session = { .loop = g_main_loop_new (NULL, FALSE) };
  WpFinishInput input = { .options = { .output = g_strdup (argv[2]) }, .output = WP_OUTPUT_NONE, .since = 0 };
  GError *error = NULL;
  WpFinish *finish;
  gsize n;
  char *raw = wp_plain_file_read (argv[1], WP_PLAIN_FILE_ANY_SIZE, &n, &error);

  if (raw == NULL || !wp_output_open (&input.output, argv[2], &error))
    return fail (error);
  wp_record_form_parse (argv[3], &input.options.form);
  input.options.stacks = stream_has_stack_bytes ((const guint8 *) raw, n) ? WP_STACKS_DWARF : WP_STACKS_FP;
  if (wp_write_all (input.output.fd, raw, n) != 0)
    {
      wp_output_drop (&input.output);
      g_printerr ("nothing was recorded\n");
      return EXIT_FAILURE;
    }
  g_free (raw);
  finish = wp_finish_begin (&input, on_finished, &session);
  g_main_loop_run (session.loop);
  wp_finish_free (finish);
  g_main_loop_unref (session.loop);
  return session.status;
}
