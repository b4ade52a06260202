#include "base/omissions.h"

#include <glib/gi18n.h>

#include "base/quote.h"

static WpOmission *
row_of (WpOmissions *self, const char *what, const char *why)
{
  for (guint32 i = 0; i < self->rows.len; i++)
    if (g_str_equal (self->rows.data[i].what, what) && g_str_equal (self->rows.data[i].why, why))
      return &self->rows.data[i];
  return NULL;
}

void
wp_omissions_add (WpOmissions *self, const char *what, const char *why, const char *means, const char *place_format, ...)
{
  WpOmission *row = row_of (self, what, why);
  va_list args;

  if (row == NULL)
    {
      row = wp_array_add (&self->rows);
      *row = (WpOmission) { .what = what, .why = why, .means = means };
      va_start (args, place_format);
      row->place = g_strdup_vprintf (place_format, args);
      va_end (args);
    }
  row->n++;
}

void
wp_omissions_clear (WpOmissions *self)
{
  for (guint32 i = 0; i < self->rows.len; i++)
    g_free (self->rows.data[i].place);
  wp_array_clear (&self->rows);
  self->told = 0;
}

char *
wp_omissions_line (const WpOmissions *self, guint32 row)
{
  const WpOmission *o = &self->rows.data[row];

  if (o->n == 1)
    return g_strdup_printf ("%s %s (%s); %s", o->what, _(o->why), o->place, _(o->means));
  return g_strdup_printf (_ ("%u × %s %s (first: %s); %s"), o->n, o->what, _(o->why), o->place, _(o->means));
}

char *
wp_omissions_tell (WpOmissions *self, const char *file)
{
  GString *text = self->told < self->rows.len ? g_string_new (NULL) : NULL;
  g_autofree char *name = wp_quoted_line (file);

  for (; self->told < self->rows.len; self->told++)
    {
      g_autofree char *raw = wp_omissions_line (self, self->told), *line = wp_quoted_line (raw);

      g_string_append_printf (text, "%s%s: %s", text->len > 0 ? "\n" : "", name, line);
    }
  return text != NULL ? g_string_free (text, FALSE) : NULL;
}
