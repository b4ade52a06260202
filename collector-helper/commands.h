/* What a caller may say on standard input: lines of a fixed vocabulary. Bytes go in and wishes come out; nothing here reads, waits or
 * acts. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum
{
  WPC_SAMPLE_AS_BEGUN,
  WPC_SAMPLE_ALL,
  WPC_SAMPLE_CHOSEN,
} WpcSample;

typedef struct
{
  char line[64];      /* so far */
  size_t line_length; /* more than fits: the line is none of our commands */
  unsigned pauses;    /* they nest; 0: record */
  unsigned rate;      /* of CPU samples, as asked for last; 0: not asked for */
  WpcSample sample;   /* whose CPU samples, as asked for last */
  uint64_t n;         /* commands so far */
  bool stop;
} WpcCommands;

/* Takes bytes up to the first end of a line, or all of them where there is none, and returns how many. From zeroes on; whatever the
 * bytes are. */
size_t wpc_commands_take (WpcCommands *self, const char *bytes, size_t length);
