/* The vocabulary of the command line; see options.h. */
#include "options.h"

#include <stddef.h>
#include <string.h>

const char wpc_usage[] =
  "usage: wakepath-collector [--events=GROUP[,GROUP…]] [--rate=HZ] [--stacks=fp|none] [--buffer-kb=N] [--cpus=LIST]\n"
  "                          [--sample-pids=PID[,PID…] | --sample-tids=TID[,TID…]] [--sample=chosen|all] [--size-mb=N] [--patience=SECONDS]\n"
  "                          [--readers=N]\n"
  "       wakepath-collector-memory [--stacks=dwarf] [--stack-bytes=4096|8192|16384|32768] …\n"
  "Writes a perf.data stream of the whole system to standard output, which must not be a terminal.\n"
  "Groups: sched (always), block, file, irq, net, signal, cpu.\n"
  "Commands on standard input: pause, resume, rate HZ, sample chosen, sample all, round, stop.\n";

static const struct
{
  const char *name;
  unsigned group;
} groups[] = {
  { "sched", WPC_GROUP_SCHED }, { "block", WPC_GROUP_BLOCK },   { "irq", WPC_GROUP_IRQ },
  { "net", WPC_GROUP_NET },     { "signal", WPC_GROUP_SIGNAL }, { "cpu", WPC_GROUP_CPU },
  { "file", WPC_GROUP_FILE },
};

/* Reads digits at *text and moves on; false without a digit or above max. */
static bool
take_number (const char **text, unsigned max, unsigned *value)
{
  const char *p = *text;
  unsigned long n = 0;

  for (; *p >= '0' && *p <= '9'; p++)
    {
      n = n * 10 + (unsigned long) (*p - '0');
      if (n > max)
        return false;
    }
  if (p == *text)
    return false;
  *text = p;
  *value = (unsigned) n;
  return true;
}

bool
wpc_parse_number (const char *text, unsigned max, unsigned *value)
{
  return take_number (&text, max, value) && *text == '\0';
}

bool
wpc_parse_cpus (const char *text, bool cpus[WPC_MAX_CPUS])
{
  unsigned first, last;

  for (;;)
    {
      if (!take_number (&text, WPC_MAX_CPUS - 1, &first))
        return false;
      last = first;
      if (*text == '-')
        {
          text++;
          if (!take_number (&text, WPC_MAX_CPUS - 1, &last) || last < first)
            return false;
        }
      for (unsigned i = first; i <= last; i++)
        cpus[i] = true;
      if (*text == '\0')
        return true;
      if (*text++ != ',')
        return false;
    }
}

static bool
parse_groups (const char *text, unsigned *set)
{
  size_t i, length;

  *set = WPC_GROUP_SCHED;
  for (;;)
    {
      length = strcspn (text, ",");
      for (i = 0; i < sizeof groups / sizeof *groups; i++)
        if (strlen (groups[i].name) == length && strncmp (groups[i].name, text, length) == 0)
          break;
      if (i == sizeof groups / sizeof *groups)
        return false;
      *set |= groups[i].group;
      if (text[length] == '\0')
        return true;
      text += length + 1;
    }
}

static bool
parse_events (WpcOptions *self, const char *value)
{
  return parse_groups (value, &self->groups);
}

static bool
parse_rate (WpcOptions *self, const char *value)
{
  return wpc_parse_number (value, WPC_RATE_MAX, &self->rate) && self->rate > 0;
}

static bool
parse_sampled (WpcOptions *self, const char *value)
{
  for (self->n_sampled = 0; self->n_sampled < WPC_SAMPLED_MAX; value++)
    {
      unsigned *id = &self->sampled[self->n_sampled];

      if (!take_number (&value, WPC_PID_MAX, id) || *id == 0)
        return false;
      self->n_sampled++;
      if (*value != ',')
        return *value == '\0';
    }
  return false;
}

static bool
parse_sample_pids (WpcOptions *self, const char *value)
{
  self->sample_threads = false;
  return parse_sampled (self, value);
}

static bool
parse_sample_tids (WpcOptions *self, const char *value)
{
  self->sample_threads = true;
  return parse_sampled (self, value);
}

static bool
parse_sample (WpcOptions *self, const char *value)
{
  self->sample_chosen = strcmp (value, "chosen") == 0;
  return self->sample_chosen || strcmp (value, "all") == 0;
}

static bool
parse_stacks (WpcOptions *self, const char *value)
{
  static const char *const names[]
    = { [WPC_STACKS_NONE] = "none", [WPC_STACKS_FP] = "fp", [WPC_STACKS_DWARF] = "dwarf" };

  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (strcmp (value, names[i]) == 0 && (i == WPC_STACKS_DWARF) == self->copies)
      {
        self->stacks = (WpcStacks) i;
        return true;
      }
  return false;
}

static bool
parse_stack_bytes (WpcOptions *self, const char *value)
{
  return self->copies && wpc_parse_number (value, 32768, &self->stack_bytes) && self->stack_bytes >= 4096 &&
         (self->stack_bytes & (self->stack_bytes - 1)) == 0;
}

static bool
parse_buffer (WpcOptions *self, const char *value)
{
  return wpc_parse_number (value, 1024 * 1024, &self->buffer_kb) && self->buffer_kb >= 64;
}

static bool
parse_size (WpcOptions *self, const char *value)
{
  return wpc_parse_number (value, WPC_SIZE_MAX_MB, &self->size_mb) && self->size_mb > 0;
}

static bool
parse_readers (WpcOptions *self, const char *value)
{
  return wpc_parse_number (value, WPC_READERS_MAX, &self->readers) && self->readers > 0;
}

static bool
parse_patience (WpcOptions *self, const char *value)
{
  return wpc_parse_number (value, WPC_PATIENCE_S, &self->patience_s) && self->patience_s > 0;
}

static bool
parse_cpus (WpcOptions *self, const char *value)
{
  self->some_cpus = true;
  return wpc_parse_cpus (value, self->cpus);
}

static const struct
{
  const char *name;
  bool (*parse) (WpcOptions *self, const char *value);
} vocabulary[] = {
  { "--events=", parse_events },           { "--rate=", parse_rate },         { "--stacks=", parse_stacks },
  { "--stack-bytes=", parse_stack_bytes }, { "--buffer-kb=", parse_buffer },  { "--cpus=", parse_cpus },
  { "--size-mb=", parse_size },            { "--patience=", parse_patience }, { "--sample-pids=", parse_sample_pids },
  { "--sample-tids=", parse_sample_tids }, { "--sample=", parse_sample },     { "--readers=", parse_readers },
};

void
wpc_options_init (WpcOptions *self, bool copies)
{
  *self = (WpcOptions) { .groups = WPC_GROUP_ALL, .rate = 4000, .stack_bytes = 8192, .size_mb = WPC_SIZE_MB,
                         .patience_s = WPC_PATIENCE_S, .sample_chosen = true,
                         .copies = copies, .stacks = copies ? WPC_STACKS_DWARF : WPC_STACKS_FP };
}

bool
wpc_options_take (WpcOptions *self, const char *argument)
{
  for (size_t i = 0; i < sizeof vocabulary / sizeof *vocabulary; i++)
    {
      size_t length = strlen (vocabulary[i].name);

      if (strncmp (argument, vocabulary[i].name, length) == 0)
        return vocabulary[i].parse (self, argument + length);
    }
  return false;
}

bool
wpc_options_parse (WpcOptions *self, bool copies, int argc, char **argv, const char **wrong)
{
  wpc_options_init (self, copies);
  for (int i = 1; i < argc; i++)
    if (!wpc_options_take (self, argv[i]))
      {
        *wrong = argv[i];
        return false;
      }
  return true;
}
