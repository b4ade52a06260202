/* The stack lines of perf script text: "\t ffffffff81 symbol+0x12 (module)", innermost first; address, offset and
 * module may be missing. */
#include "read/symbols/demangle.h"
#include "read/script/script-private.h"

struct WpScriptStack
{
  WpTrace *trace;
  WpDemangler *demangler;
  WpStrings *lines;    /* the lines seen: most come thousands of times */
  WpIdArray frames;    /* line → frame, 0: not yet known, GARBAGE: an address outside all modules */
  WpIdArray pending;   /* frames of the stack being read, innermost first */
  gboolean cut;
};

#define GARBAGE G_MAXUINT32
#define KERNEL_START G_GUINT64_CONSTANT (0xffff000000000000)

WpScriptStack *
wp_script_stack_new (WpTrace *trace, GCancellable *cancellable)
{
  WpScriptStack *self = g_new0 (WpScriptStack, 1);

  self->trace = trace;
  self->demangler = wp_demangler_new (cancellable);
  self->lines = wp_strings_new ();
  return self;
}

void
wp_script_stack_free (WpScriptStack *self)
{
  wp_demangler_tell (self->demangler, &self->trace->diagnostics);
  wp_demangler_free (self->demangler);
  wp_strings_free (self->lines);
  wp_array_clear (&self->frames);
  wp_array_clear (&self->pending);
  g_free (self);
}

/* Cuts "(module)" off the end of a line; NULL when there is none. */
static char *
take_module (char *line)
{
  gsize n = strlen (line);
  int depth = 0;

  if (n == 0 || line[n - 1] != ')')
    return NULL;
  for (char *p = line + n - 1; p >= line; p--)
    {
      depth += *p == ')' ? 1 : *p == '(' ? -1 : 0;
      if (depth == 0)
        {
          if (p > line && p[-1] != ' ')
            return NULL; /* a function's parameters */
          line[n - 1] = '\0';
          *p = '\0';
          return p + 1;
        }
    }
  return NULL;
}

/* Cuts a leading address off; G_MAXUINT64 when there is none. A name like "add" is no address. */
static guint64
take_address (char **line)
{
  gboolean digit = FALSE;
  guint64 address;
  char *p = *line;

  for (; g_ascii_isxdigit (*p); p++)
    digit = digit || g_ascii_isdigit (*p);
  if (p == *line || (*p != ' ' && *p != '\0') || p - *line > 16 || (!digit && p - *line < 8))
    return G_MAXUINT64;
  address = g_ascii_strtoull (*line, NULL, 16);
  while (*p == ' ')
    p++;
  *line = p;
  return address;
}

/* Cuts "+0x12" off the end of a symbol. */
static void
drop_offset (char *symbol)
{
  char *plus = strrchr (g_strchomp (symbol), '+');

  if (plus != NULL && plus > symbol && plus[1] == '0' && plus[2] == 'x'
      && strspn (plus + 3, "0123456789abcdef") == strlen (plus + 3))
    *plus = '\0';
}

/* "poll@@GLIBC_2.2.5" is poll, as the symbols of a binary recording have it; "poll@plt" is another function. */
static void
drop_version (char *symbol)
{
  char *at = strchr (symbol, '@');

  if (at != NULL && at > symbol && !g_str_has_prefix (at, "@plt"))
    *at = '\0';
}

/* "[kernel]" for the kernel itself, "[name]" for one of its modules, NULL for anything else. */
static char *
kernel_module (const char *module, guint64 address)
{
  if (module != NULL)
    {
      const char *slash = strrchr (module, '/');
      gsize n = strlen (module);

      if (g_str_has_prefix (module, "[kernel") || g_str_has_prefix (module, "[guest")
          || g_str_equal (module, "vmlinux"))
        return g_strdup ("[kernel]");
      if (slash != NULL && g_str_has_prefix (slash, "/vmlinu"))
        return g_strdup ("[kernel]");
      if (slash != NULL && strstr (slash, ".ko") != NULL)
        return g_strdup_printf ("[%.*s]", (int) (strstr (slash, ".ko") - slash - 1), slash + 1);
      if (module[0] == '[' && !g_str_equal (module, "[unknown]") && module[1] != 'v' && !g_str_equal (module, "[heap]")
          && !g_str_equal (module, "[stack]") && n > 2)
        return g_strdup (module);
      if (!g_str_equal (module, "[unknown]") && module[0] != '[')
        return NULL;
    }
  return address != G_MAXUINT64 && address >= KERNEL_START ? g_strdup ("[kernel]") : NULL;
}

static WpId
user_frame (WpScriptStack *self, const char *module, guint64 address, const char *symbol)
{
  WpId row = wp_trace_module (self->trace, module != NULL ? module : "[unknown]", NULL);
  g_autofree char *name = symbol != NULL ? wp_demangle (self->demangler, symbol) : NULL;

  if (symbol == NULL)
    return wp_trace_user_frame (self->trace, row, address);
  return wp_trace_named_frame (self->trace, row, name != NULL ? name : symbol);
}

static WpId
parse_frame (WpScriptStack *self, char *line)
{
  char *module = take_module (line), *symbol = line;
  guint64 address = take_address (&symbol);
  g_autofree char *kernel = kernel_module (module, address);
  gboolean unknown;

  drop_offset (symbol);
  unknown = symbol[0] == '\0' || g_str_equal (symbol, "[unknown]");
  if (kernel != NULL)
    return wp_trace_kernel_frame (self->trace, wp_trace_module (self->trace, kernel, NULL), unknown ? "[unknown]"
                                  : symbol);
  if (unknown && (module == NULL || g_str_equal (module, "[unknown]") || address == G_MAXUINT64))
    return GARBAGE;
  drop_version (symbol);
  return user_frame (self, module, address, unknown ? NULL : symbol);
}

/* Inlined functions stand above the one that they are within; like those of a binary recording they are no frames. */
static gboolean
is_inlined (const char *line, gsize n)
{
  static const char mark[] = " (inlined)";
  gsize length = sizeof mark - 1;

  return n > length && memcmp (line + n - length, mark, length) == 0;
}

gboolean
wp_script_stack_line (WpScriptStack *self, const char *line, gsize n)
{
  char text[WP_SCRIPT_LINE_MAX];
  WpId id;

  while (n > 0 && (*line == ' ' || *line == '\t'))
    line++, n--;
  n = MIN (n, sizeof text - 1);
  if (n == 0)
    return FALSE;
  if (self->cut || self->pending.len >= WP_STACK_DEPTH_MAX || is_inlined (line, n))
    return TRUE;
  id = wp_strings_intern_n (self->lines, line, n);
  if (id >= self->frames.len)
    wp_array_resize (&self->frames, id + 1);
  if (self->frames.data[id] == 0)
    {
      memcpy (text, line, n);
      text[n] = '\0';
      self->frames.data[id] = parse_frame (self, text);
    }
  if (self->frames.data[id] == GARBAGE)
    {
      self->cut = TRUE;
      return TRUE;
    }
  wp_array_push (&self->pending, self->frames.data[id]);
  return TRUE;
}

WpId
wp_script_stack_take (WpScriptStack *self)
{
  WpId stack = 0;

  for (guint32 i = self->pending.len; i-- > 0;)
    stack = wp_trace_stack (self->trace, stack, self->pending.data[i]);
  self->pending.len = 0;
  self->cut = FALSE;
  return stack;
}
