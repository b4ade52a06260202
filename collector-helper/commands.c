/* The vocabulary of standard input; see commands.h. */
#include "commands.h"

#include "options.h"

#include <limits.h>
#include <string.h>

static void
take_pause (WpcCommands *self, const char *argument)
{
  if (self->pauses < UINT_MAX)
    self->pauses++;
}

static void
take_resume (WpcCommands *self, const char *argument)
{
  if (self->pauses > 0)
    self->pauses--;
}

static void
take_rate (WpcCommands *self, const char *argument)
{
  unsigned rate;

  if (wpc_parse_number (argument, WPC_RATE_MAX, &rate) && rate > 0)
    self->rate = rate;
}

static void
take_sample_all (WpcCommands *self, const char *argument)
{
  self->sample = WPC_SAMPLE_ALL;
}

static void
take_sample_chosen (WpcCommands *self, const char *argument)
{
  self->sample = WPC_SAMPLE_CHOSEN;
}

/* Whatever is asked for is answered after a round. */
static void
take_round (WpcCommands *self, const char *argument)
{
}

static void
take_stop (WpcCommands *self, const char *argument)
{
  self->stop = true;
}

static const struct
{
  const char *name; /* the space belongs to it where an argument follows */
  void (*take) (WpcCommands *self, const char *argument);
} vocabulary[] = {
  { "pause", take_pause },
  { "resume", take_resume },
  { "rate ", take_rate },
  { "sample all", take_sample_all },
  { "sample chosen", take_sample_chosen },
  { "round", take_round },
  { "stop", take_stop },
};

static void
take_line (WpcCommands *self)
{
  for (size_t i = 0; i < sizeof vocabulary / sizeof *vocabulary; i++)
    {
      size_t length = strlen (vocabulary[i].name);
      bool takes_argument = vocabulary[i].name[length - 1] == ' ';

      if (strncmp (self->line, vocabulary[i].name, length) != 0 || (!takes_argument && self->line[length] != '\0'))
        continue;
      vocabulary[i].take (self, self->line + length);
      self->n++;
    }
}

size_t
wpc_commands_take (WpcCommands *self, const char *bytes, size_t length)
{
  for (size_t i = 0; i < length; i++)
    if (bytes[i] == '\n')
      {
        if (self->line_length < sizeof self->line)
          {
            self->line[self->line_length] = '\0';
            take_line (self);
          }
        self->line_length = 0;
        return i + 1;
      }
    else if (self->line_length < sizeof self->line - 1)
      self->line[self->line_length++] = bytes[i];
    else
      self->line_length = sizeof self->line;
  return length;
}
