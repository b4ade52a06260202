/* Collecting what is missing; see missing.h. */
#include "missing.h"

static void
add_member (WpcBuffer *row, const char *key, const char *text)
{
  wpc_json_text (row, key);
  wpc_json_string (row, text);
}

static void
add_line (WpcBuffer *lines, const char *name, const char *why, const char *loss)
{
  wpc_json_escape (lines, lines->len > 0 ? "\n" : "");
  wpc_json_escape (lines, name);
  wpc_json_text (lines, ": ");
  wpc_json_escape (lines, why);
  wpc_json_text (lines, loss != NULL ? "; " : "");
  wpc_json_escape (lines, loss != NULL ? loss : "");
}

void
wpc_missing_add (WpcMissing *self, const char *name, const char *why, const char *loss)
{
  add_member (&self->rows, self->rows.len > 0 ? ",{\"name\":" : "{\"name\":", name);
  add_member (&self->rows, ",\"why\":", why);
  if (loss != NULL)
    add_member (&self->rows, ",\"loss\":", loss);
  wpc_json_text (&self->rows, "}");
  add_line (&self->lines, name, why, loss);
}

void
wpc_missing_json (const WpcMissing *self, WpcBuffer *line)
{
  wpc_json_text (line, "\"missing\":[");
  wpc_buffer_add (line, self->rows.data, self->rows.len);
  wpc_json_text (line, "]");
}
