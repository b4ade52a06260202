#include "profile/model/figures.h"

#include <glib/gi18n.h>
#include <math.h>

#include "base/find.h"
#include "profile/compare/compare-private.h"
#include "profile/perun/perun.h"
#include "profile/model/figures-stacks.h"
#include "profile/model/query.h"

#define MOST_MAX 1024 /* bytes of a text of a file that becomes one line */

/* --- names -------------------------------------------------------------------------------------------------------------- */

static const struct
{
  const char *id;
  const char *name; /* %s: of what */
} kinds[] = {
  [WP_FIGURE_TOTAL] = { "total", N_ ("Total") },
  [WP_FIGURE_WALL] = { "wall", N_ ("Took") },
  [WP_FIGURE_ACCOUNTED] = { "accounted", N_ ("Percent explained") },
  [WP_FIGURE_CATEGORY] = { "", "" },
  [WP_FIGURE_SELF] = { "self:", N_ ("%s itself") },
  [WP_FIGURE_FUNCTION] = { "total:", N_ ("%s with all it calls") },
  [WP_FIGURE_SUM] = { "sum:", N_ ("Sum of %s") },
  [WP_FIGURE_MEAN] = { "mean:", N_ ("Mean of %s") },
  [WP_FIGURE_MAX] = { "max:", N_ ("Largest %s") },
};

static gboolean
takes_name (WpFigureKind kind)
{
  return kind >= WP_FIGURE_SELF;
}

gboolean
wp_figure_parse (const char *text, WpFigure *figure, GError **error)
{
  for (guint k = 0; k < G_N_ELEMENTS (kinds); k++)
    {
      gsize n = strlen (kinds[k].id);
      gboolean named = takes_name (k);

      if (k == WP_FIGURE_CATEGORY || !g_str_has_prefix (text, kinds[k].id) || (text[n] != '\0') != named)
        continue;
      *figure = (WpFigure) { .kind = k, .of = named ? g_strdup (text + n) : NULL };
      return TRUE;
    }
  *figure = (WpFigure) { .kind = WP_FIGURE_CATEGORY, .category = wp_category_from_id (text) };
  if (figure->category != WP_CATEGORY_COUNT)
    return TRUE;
  g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT,
               "there is no figure “%s”; there are total, wall, accounted, categories such as blocking-io, self:FUNCTION, "
               "total:FUNCTION, sum:FIELD, mean:FIELD and max:FIELD", text);
  return FALSE;
}

WpFigure *
wp_figure_copy (const WpFigure *self)
{
  WpFigure *copy = g_memdup2 (self, sizeof *self);

  copy->of = g_strdup (self->of);
  return copy;
}

void
wp_figure_clear (WpFigure *self)
{
  g_clear_pointer (&self->of, g_free);
}

void
wp_figure_free (WpFigure *self)
{
  if (self == NULL)
    return;
  wp_figure_clear (self);
  g_free (self);
}

char *
wp_figure_id (const WpFigure *self)
{
  if (self->kind == WP_FIGURE_CATEGORY)
    return g_strdup (wp_category_id (self->category));
  return g_strconcat (kinds[self->kind].id, self->of, NULL);
}

char *
wp_figure_name (const WpFigure *self)
{
  g_auto (GStrv) pieces = NULL;

  if (self->kind == WP_FIGURE_CATEGORY)
    return g_strdup (_(wp_category_name (self->category)));
  if (self->of == NULL)
    return g_strdup (_(kinds[self->kind].name));
  pieces = g_strsplit (_(kinds[self->kind].name), "%s", 2);
  return g_strjoinv (self->of, pieces);
}

/* --- what the beginning of a saved recording tells ------------------------------------------------------------------------ */

static char *
take_text (WpJsonReader *reader)
{
  if (wp_json_reader_kind (reader) == WP_JSON_STRING)
    return g_strdup (wp_json_reader_string (reader));
  wp_json_reader_skip (reader);
  return NULL;
}

/* A line of text, whatever the file holds; NULL: it says none. */
static char *
read_most (WpJsonReader *reader)
{
  g_autofree char *words = NULL, *of = NULL, *on = NULL, *end = NULL, *said = NULL;
  WpMost most = { .percent = 0 };
  const char *key;

  if (wp_json_reader_kind (reader) != WP_JSON_OBJECT)
    {
      wp_json_reader_skip (reader);
      return NULL;
    }
  wp_json_reader_object (reader);
  while ((key = wp_json_reader_key (reader)) != NULL)
    if (g_str_equal (key, "words") && words == NULL)
      words = take_text (reader);
    else if (g_str_equal (key, "of") && of == NULL)
      of = take_text (reader);
    else if (g_str_equal (key, "on") && on == NULL)
      on = take_text (reader);
    else if (g_str_equal (key, "end") && end == NULL)
      end = take_text (reader);
    else if (g_str_equal (key, "percent"))
      most.percent = (guint) wp_json_reader_int (reader, 0, 100);
    else
      wp_json_reader_skip (reader);
  if (words == NULL || *words == '\0' || strlen (words) > MOST_MAX || (of != NULL && strlen (of) > MOST_MAX)
      || (on != NULL && strlen (on) > MOST_MAX))
    return NULL;
  most.words = (WpPlainWords) { words, of, on, wp_wait_end_from_id (end) };
  said = wp_most_say (&most);
  return g_utf8_validate (said, -1, NULL) ? g_strdelimit (g_steal_pointer (&said), "\n\r\t", ' ') : NULL;
}

void
wp_figure_head_clear (WpFigureHead *self)
{
  g_clear_pointer (&self->most, g_free);
}

static void
read_members (WpJsonReader *reader, WpFigureHead *head)
{
  const struct
  {
    const char *key;
    gint64 *at;
  } members[] = { { "total", &head->total }, { "accounted", &head->accounted }, { "unfinished", &head->unfinished },
                  { "wall_start", &head->wall_start }, { "wall_end", &head->wall_end } };
  const char *key;

  while ((key = wp_json_reader_key (reader)) != NULL && !g_str_equal (key, "tasks"))
    {
      guint i = WP_FIND_ROW (members, key, key);

      if (i < G_N_ELEMENTS (members))
        *members[i].at = wp_json_reader_int (reader, G_MININT64, G_MAXINT64);
      else if (g_str_equal (key, "answer") && head->most == NULL)
        head->most = read_most (reader);
      else
        wp_json_reader_skip (reader);
    }
}

gboolean
wp_figure_read_head (WpJsonReader *reader, WpFigureHead *head)
{
  const char *key;

  *head = (WpFigureHead) { .accounted = -1 };
  if (!wp_json_reader_object (reader))
    return FALSE;
  while ((key = wp_json_reader_key (reader)) != NULL && !g_str_equal (key, "wakepath"))
    wp_json_reader_skip (reader);
  if (key == NULL || !wp_json_reader_object (reader))
    return FALSE;
  read_members (reader, head);
  return TRUE;
}

double
wp_figure_head_percent (const WpFigureHead *head)
{
  double total = (double) head->total - (double) head->unfinished, accounted = (double) head->accounted - (double) head->unfinished;

  return head->accounted < 0 ? -1 : total > 0 ? 100.0 * accounted / total : 100;
}

static void
set (WpFigureValue *value, double number, WpUnit unit, const char *unit_name)
{
  value->value = number;
  value->unit = unit;
  g_strlcpy (value->unit_name, unit_name, sizeof value->unit_name);
}

static gboolean
set_from_head (const WpFigure *figure, const WpFigureHead *head, WpFigureValue *value)
{
  if (figure->kind == WP_FIGURE_TOTAL)
    set (value, (double) head->total, WP_UNIT_TIME, "");
  else if (figure->kind == WP_FIGURE_WALL)
    set (value, (double) (head->wall_end - head->wall_start), WP_UNIT_TIME, "");
  else if (figure->kind == WP_FIGURE_ACCOUNTED && head->accounted >= 0)
    set (value, wp_figure_head_percent (head), WP_UNIT_PLAIN, "%");
  else
    return figure->kind == WP_FIGURE_ACCOUNTED;
  return TRUE;
}

/* --- whole profiles ------------------------------------------------------------------------------------------------------- */

static gboolean
is_of_function (const WpFigure *figure)
{
  return figure->kind == WP_FIGURE_SELF || figure->kind == WP_FIGURE_FUNCTION;
}

/* A function of several modules counts with all of them. Where there is none of that name, it took no time. */
static void
set_from_frames (const WpFigure *figure, const WpComparer *comparer, WpFigureValue *value)
{
  const WpComparison *result = comparer->result;
  const double *values = figure->kind == WP_FIGURE_SELF ? comparer->self_values.data : comparer->total_values.data;
  double sum = 0;

  for (WpId f = 1; f < result->frames.len; f++)
    if (g_str_equal (wp_strings_get (result->strings, result->frames.data[f].name), figure->of))
      sum += values[f];
  set (value, sum, result->unit, result->unit_name);
}

static gboolean
any_of_function (const WpFigure *figures, guint n_figures)
{
  for (guint i = 0; i < n_figures; i++)
    if (is_of_function (&figures[i]))
      return TRUE;
  return FALSE;
}

static gboolean
read_functions (const WpFigure *figures, guint n_figures, const WpDocument *document, WpFigureValue *values, WpProgress *progress,
                GError **error)
{
  g_autoptr (WpComparer) comparer = wp_comparer_new (1, 0);

  if (!wp_comparer_add_paths (comparer, WP_SIDE_A, document, document->saved, (WpDepthChoice) { 0 }, NULL, progress, error))
    return FALSE;
  for (guint i = 0; i < n_figures; i++)
    if (is_of_function (&figures[i]))
      set_from_frames (&figures[i], comparer, &values[i]);
  return TRUE;
}

/* Those that its head does not tell. */
static gboolean
read_saved (const WpFigure *figures, guint n_figures, const char *name, const char *text, gsize n, WpFigureValue *values,
            WpProgress *progress, GError **error)
{
  g_autoptr (WpDocument) document = g_new0 (WpDocument, 1);
  g_autoptr (WpExplanation) explanation = NULL;

  document->path = g_strdup (name);
  document->format = WP_FORMAT_PERUN;
  if (!wp_perun_load_text (name, text, n, &document->trace, &document->saved, progress, error))
    return FALSE;
  explanation = wp_explain (document->saved, 0, G_MAXINT64, progress, error);
  if (explanation == NULL)
    return FALSE;
  for (guint i = 0; i < n_figures; i++)
    if (figures[i].kind == WP_FIGURE_CATEGORY)
      set (&values[i], (double) explanation->ns[figures[i].category], WP_UNIT_TIME, "");
  return !any_of_function (figures, n_figures) || read_functions (figures, n_figures, document, values, progress, error);
}

typedef struct
{
  double sum, max;
  guint64 n;
} Tally;

/* A resource of stacks whose amount is of another value type than the default one. */
static gboolean
is_of_other_type (const WpProfile *profile, WpValue resource, const GPtrArray *types)
{
  const char *subtype = wp_value_string (profile->values, wp_value_get (profile->values, resource, "subtype"));
  gboolean other = FALSE;

  for (guint i = 0; i < types->len; i++)
    {
      const WpTypeTotal *type = types->pdata[i];

      if (g_str_equal (type->name, subtype))
        other = !type->is_default;
    }
  return other;
}

/* `types`: of stacks; NULL: it was not made of any. */
static Tally
tally_field (const WpProfile *profile, const char *field, const GPtrArray *types)
{
  WpKeyPath key;
  WpIdArray found = { 0 };
  Tally tally = { .max = -INFINITY };

  wp_key_path_init (&key, profile, field);
  for (guint32 r = 0; r < profile->resources.len; r++)
    {
      found.len = 0;
      if (types != NULL && is_of_other_type (profile, profile->resources.data[r].value, types))
        continue;
      wp_query_key_values (profile->values, profile->resources.data[r].value, &key, &found);
      for (guint32 i = 0; i < found.len; i++)
        {
          double number = wp_value_is_number (profile->values, found.data[i])
                            ? wp_value_number (profile->values, found.data[i]) : NAN;

          if (!isfinite (number))
            continue;
          tally.sum += number;
          tally.max = MAX (tally.max, number);
          tally.n++;
        }
    }
  wp_array_clear (&found);
  wp_key_path_clear (&key);
  return tally;
}

/* NAN: there is no number. */
static double
number_of_field (const WpFigure *figure, const WpProfile *profile, const GPtrArray *types)
{
  Tally tally = tally_field (profile, figure->of, types);

  if (tally.n == 0)
    return NAN;
  return figure->kind == WP_FIGURE_SUM ? tally.sum : figure->kind == WP_FIGURE_MEAN ? tally.sum / (double) tally.n : tally.max;
}

/* Amounts are in the profile's unit; what other fields count nobody says. */
static void
set_from_field (const WpFigure *figure, const WpProfile *profile, WpFigureValue *value)
{
  double factor = 1, number = number_of_field (figure, profile, NULL);
  gboolean amount = g_str_equal (figure->of, "amount");
  WpUnit unit = amount ? wp_unit_from_name (wp_profile_unit (profile), &factor) : WP_UNIT_PLAIN;

  set (value, number * factor, unit, amount && unit == WP_UNIT_PLAIN ? wp_profile_unit (profile) : "");
}

static void
set_from_profile (const WpFigure *figure, const WpProfile *profile, const WpComparer *comparer, WpFigureValue *value)
{
  if (figure->kind >= WP_FIGURE_SUM)
    set_from_field (figure, profile, value);
  else if (is_of_function (figure))
    set_from_frames (figure, comparer, value);
  else if (figure->kind == WP_FIGURE_TOTAL) /* its first row */
    set (value, comparer->row_values.data[0], comparer->result->unit, comparer->result->unit_name);
}

static gboolean
read_profile (const WpFigure *figures, guint n_figures, const char *name, const char *text, gsize n, WpFigureValue *values,
              WpProgress *progress, GError **error)
{
  g_autoptr (WpProfile) profile = wp_profile_parse (name, text, n, progress, error);
  g_autoptr (WpComparer) comparer = wp_comparer_new (1, 0);

  if (profile == NULL || !wp_comparer_add_profile (comparer, WP_SIDE_A, profile, error))
    return FALSE;
  for (guint i = 0; i < n_figures; i++)
    set_from_profile (&figures[i], profile, comparer, &values[i]);
  return TRUE;
}

/* --- profiles that were made of stacks ------------------------------------------------------------------------------------ */

/* NULL: there is no such type. */
static const WpTypeTotal *
find_type (const GPtrArray *types, const char *type)
{
  for (guint i = 0; i < types->len; i++)
    {
      const WpTypeTotal *row = types->pdata[i];

      if (type != NULL ? g_str_equal (row->name, type) : row->is_default)
        return row;
    }
  return NULL;
}

/* Figures of fields are those of the default type: resources have its amounts, and those of another one only where a sample has none of it. FALSE: what is known at the beginning does not tell. */
static gboolean
set_from_type (const WpFigure *figure, const WpTypeTotal *type, WpFigureValue *value)
{
  if (type != NULL && figure->kind == WP_FIGURE_TOTAL)
    wp_figure_set_measured (value, (double) type->total, type->unit);
  return type == NULL || (!is_of_function (figure) && (figure->kind < WP_FIGURE_SUM || !type->is_default));
}

static gboolean
set_from_types (const WpFigure *figures, guint n_figures, const WpTypeTotal *type, WpFigureValue *values)
{
  gboolean known = TRUE;

  for (guint i = 0; i < n_figures; i++)
    known = set_from_type (&figures[i], type, &values[i]) && known;
  return known;
}

/* Amounts are in the unit of the default type, as its total is. */
static void
set_from_field_of_stacks (const WpFigure *figure, const WpProfile *profile, const GPtrArray *types, const WpTypeTotal *type, WpFigureValue *value)
{
  double number = number_of_field (figure, profile, types);

  if (g_str_equal (figure->of, "amount"))
    wp_figure_set_measured (value, number, type->unit);
  else
    set (value, number, WP_UNIT_PLAIN, "");
}

static gboolean
read_stacks (const WpFigure *figures, guint n_figures, const GPtrArray *types, const WpTypeTotal *type, const char *name, const char *text,
             gsize n, WpFigureValue *values, WpProgress *progress, GError **error)
{
  g_autoptr (WpProfile) profile = wp_profile_parse (name, text, n, progress, error);

  if (profile == NULL)
    return FALSE;
  for (guint i = 0; i < n_figures; i++)
    if (figures[i].kind >= WP_FIGURE_SUM && type->is_default)
      set_from_field_of_stacks (&figures[i], profile, types, type, &values[i]);
    else if (is_of_function (&figures[i]) && !wp_figure_of_stacks (&figures[i], profile, type->name, &values[i], progress, error))
      return FALSE;
  return TRUE;
}

gboolean
wp_figures_read (const WpFigure *figures, guint n_figures, const char *type, const char *name, const char *text, gsize n, gboolean whole,
                 WpFigureValue *values, WpProgress *progress, GError **error)
{
  g_autoptr (WpJsonReader) reader = wp_json_reader_new (name, text, n, NULL);
  g_auto (WpFigureHead) head = { 0 };
  gboolean saved = wp_figure_read_head (reader, &head), known = saved;
  g_autoptr (GPtrArray) types = saved ? NULL : wp_type_totals_read (name, text, n);
  const WpTypeTotal *of = types != NULL ? find_type (types, type) : NULL;

  for (guint i = 0; i < n_figures; i++)
    {
      set (&values[i], NAN, WP_UNIT_PLAIN, "");
      if (saved)
        known = (figures[i].kind >= WP_FIGURE_SUM || set_from_head (&figures[i], &head, &values[i])) && known;
    }
  if (types != NULL)
    known = set_from_types (figures, n_figures, of, values);
  if (known || !whole)
    return known;
  if (types != NULL)
    return read_stacks (figures, n_figures, types, of, name, text, n, values, progress, error);
  return (saved ? read_saved : read_profile) (figures, n_figures, name, text, n, values, progress, error);
}
