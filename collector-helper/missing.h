/* What a recording lacks: events that could not be had, and what was cut where there was too much. Told to the caller when it starts and
 * written into the stream, for whoever reads that alone. */
#pragma once

#include "messages.h"

typedef struct
{
  WpcBuffer rows;  /* JSON objects with commas between, for the message */
  WpcBuffer lines; /* "name: why; loss", a line each, escaped for JSON: for the stream */
} WpcMissing;

/* `loss`: what the recording does not tell without it, or NULL. */
void wpc_missing_add (WpcMissing *self, const char *name, const char *why, const char *loss);

void wpc_missing_json (const WpcMissing *self, WpcBuffer *line); /* the member "missing" of a message */
