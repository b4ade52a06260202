/* What a caller sends the recording helper: the words of its command line, then a line of dashes, then its standard input. */
#include "fuzz.h"

#include "../../collector-helper/commands.h"
#include "../../collector-helper/options.h"

#include <string.h>

#define MAX_WORDS 64

/* --- what a caller sends ---------------------------------------------------------------------------------------------- */

static void
check_options (const WpcOptions *options)
{
  g_assert_cmpuint (options->rate, >, 0);
  g_assert_cmpuint (options->rate, <=, WPC_RATE_MAX);
  g_assert_cmpuint (options->stack_bytes, <=, 32768);
  g_assert_cmpuint (options->groups & ~WPC_GROUP_ALL, ==, 0);
  g_assert_cmpuint (options->buffer_kb, <=, 1024 * 1024);
  g_assert_cmpuint (options->patience_s, >, 0);
  g_assert_cmpuint (options->patience_s, <=, WPC_PATIENCE_S);
  g_assert_cmpuint (options->n_sampled, <=, WPC_SAMPLED_MAX);
  for (guint i = 0; i < options->n_sampled; i++)
    g_assert_true (options->sampled[i] > 0 && options->sampled[i] <= WPC_PID_MAX);
  g_assert_cmpuint (options->size_mb, >, 0);
  g_assert_cmpuint (options->size_mb, <=, WPC_SIZE_MAX_MB);
}

static void
parse_options (char *text, gboolean copies)
{
  g_auto (GStrv) words = g_strsplit (text, "\n", MAX_WORDS);
  static WpcOptions options;
  const char *wrong = NULL;

  if (wpc_options_parse (&options, copies, (int) g_strv_length (words), words, &wrong))
    check_options (&options);
  else
    g_assert_true (g_strv_contains ((const char *const *) words, wrong));
}

/* Standard input comes in pieces, as the caller writes it. */
static void
send_commands (const guint8 *data, gsize n, FuzzRandom *choice)
{
  WpcCommands wishes = { 0 };

  while (n > 0 && !wishes.stop)
    {
      gsize piece = 1 + fuzz_below (choice, MIN ((guint) n, 256)), taken;
      const WpcCommands before = wishes;

      piece = MIN (piece, n);
      taken = wpc_commands_take (&wishes, (const char *) data, piece);
      g_assert_cmpuint (taken, >, 0);
      g_assert_cmpuint (taken, <=, piece);
      g_assert_cmpuint (wishes.rate, <=, WPC_RATE_MAX);
      g_assert_cmpuint (wishes.sample, <=, WPC_SAMPLE_CHOSEN);
      g_assert_cmpuint (wishes.n - before.n, <=, 1);
      g_assert_true (wishes.n > before.n || (wishes.pauses == before.pauses && wishes.rate == before.rate && wishes.sample == before.sample &&
                                             wishes.stop == before.stop));
      data += taken;
      n -= taken;
    }
}

static gboolean
run (const guint8 *data, gsize n)
{
  FuzzRandom choice = fuzz_choice (data, n);
  const guint8 *dashes = memmem (data, n, "\n--\n", 4);
  gsize words = dashes != NULL ? (gsize) (dashes - data) : n;
  g_autofree char *text = g_strndup ((const char *) data, words);

  parse_options (text, fuzz_one_in (&choice, 2));
  if (dashes != NULL)
    send_commands (dashes + 4, n - words - 4, &choice);
  return dashes != NULL;
}

const FuzzTarget fuzz_target = {
  .name = "helper",
  .run = run,
  .changes = { fuzz_change_lines },
  .splice = fuzz_splice_lines,
};
