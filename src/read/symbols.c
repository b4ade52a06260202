/* Gives user frames the functions of the ELF files they are in, and counts the stacks that reach an entry. */
#include "read/elf-symbols.h"
#include "read/read-private.h"

#include <stdlib.h>
#include <sys/utsname.h>

#define FRAMES_PER_STEP 4096

/* The frames of one module that still want a name. */
typedef struct
{
  WpId module;
  guint32 first, n; /* in the list of frames */
} ModuleFrames;

typedef struct
{
  WpTrace *trace;
  const WpReadOptions *options;
  WpIdArray frames; /* by module */
  WP_ARRAY (ModuleFrames) modules;
  guint64 named;
} Job;

static gboolean
wants_name (const WpTrace *trace, const WpFrame *frame)
{
  return !(frame->flags & WP_FRAME_KERNEL) && frame->offset != 0 && frame->function != 0
         && (trace->functions.data[frame->function].flags & WP_FUNCTION_NO_SYMBOL);
}

static int
compare_modules (const void *a, const void *b)
{
  const ModuleFrames *x = a, *y = b;

  return x->n != y->n ? (x->n < y->n) - (x->n > y->n) : (x->module > y->module) - (x->module < y->module);
}

/* Sorts the frames by their module, the modules by the number of their frames. */
static void
collect (Job *self)
{
  WpTrace *trace = self->trace;
  guint32 at = 0;

  wp_array_resize (&self->modules, trace->modules.len);
  for (WpId i = 1; i < trace->frames.len; i++)
    self->modules.data[trace->frames.data[i].module].n += wants_name (trace, &trace->frames.data[i]);
  for (WpId i = 0; i < trace->modules.len; i++)
    {
      self->modules.data[i].module = i;
      self->modules.data[i].first = at;
      at += self->modules.data[i].n;
      self->modules.data[i].n = 0;
    }
  wp_array_resize (&self->frames, at);
  for (WpId i = 1; i < trace->frames.len; i++)
    if (wants_name (trace, &trace->frames.data[i]))
      {
        ModuleFrames *module = &self->modules.data[trace->frames.data[i].module];

        self->frames.data[module->first + module->n++] = i;
      }
  if (self->modules.len > 0)
    qsort (self->modules.data, self->modules.len, sizeof (ModuleFrames), compare_modules);
}

static gboolean
same_kernel (const WpTrace *trace)
{
  struct utsname name;

  return trace->kernel == NULL || (uname (&name) == 0 && g_str_equal (name.release, trace->kernel));
}

static WpElfSymbols *
open_module (const Job *self, WpId module)
{
  const WpModule *row = &self->trace->modules.data[module];
  const char *path = wp_trace_string (self->trace, row->path);
  g_autofree char *full = NULL;

  if (g_str_equal (path, "[vdso]"))
    return same_kernel (self->trace) ? wp_elf_symbols_open (path, NULL) : NULL;
  full = g_strconcat (self->options->symbol_root != NULL ? self->options->symbol_root : "", path, NULL);
  return wp_elf_symbols_open (full, wp_trace_string (self->trace, row->build_id));
}

static WpId
function_of (Job *self, WpElfSymbols *symbols, WpId module, guint32 row)
{
  guint32 *note = wp_elf_symbols_note (symbols, row);

  if (*note == 0)
    {
      const char *name = wp_elf_symbols_name (symbols, row);
      char *plain = wp_demangle (name);

      *note = wp_trace_function (self->trace, module, plain != NULL ? plain : name, 0);
      free (plain);
    }
  return *note;
}

static gboolean
name_frames (Job *self, const ModuleFrames *module, WpElfSymbols *symbols, WpProgress *progress, GError **error)
{
  for (guint32 i = 0; i < module->n; i++)
    {
      WpId frame = self->frames.data[module->first + i];
      gint64 row = wp_elf_symbols_find (symbols, self->trace->frames.data[frame].offset);

      if (i % FRAMES_PER_STEP == 0
          && !wp_progress_step (progress, (double) (module->first + i) / self->frames.len, error))
        return FALSE;
      if (row < 0)
        continue;
      wp_trace_name_frame (self->trace, frame, function_of (self, symbols, module->module, row));
      self->named++;
    }
  return TRUE;
}

guint64
wp_read_symbols (WpTrace *trace, const WpReadOptions *options, WpProgress *progress, GError **error)
{
  static const WpReadOptions defaults = { 0 };
  Job self = { .trace = trace, .options = options != NULL ? options : &defaults };
  gboolean done = TRUE;

  if (self.options->no_symbols)
    return 0;
  wp_progress_phase (progress, "Looking up function names");
  collect (&self);
  for (guint32 i = 0; done && i < self.modules.len && self.modules.data[i].n > 0; i++)
    {
      WpElfSymbols *symbols = open_module (&self, self.modules.data[i].module);

      done = symbols != NULL ? name_frames (&self, &self.modules.data[i], symbols, progress, error)
                             : wp_progress_step (progress, 0, error);
      wp_elf_symbols_free (symbols);
    }
  wp_array_clear (&self.frames);
  wp_array_clear (&self.modules);
  wp_count_stacks (trace);
  return self.named;
}

/* --- whole stacks ------------------------------------------------------------------------------------------------- */

enum
{
  STACK_USER = 1,
  STACK_WHOLE = 2,
};

/* What is known of each stack by its outermost frame; a stack's row comes after its parent's. */
static guint8 *
judge_stacks (const WpTrace *trace)
{
  guint8 *marks = g_malloc0 (trace->stacks.len);

  for (WpId i = 1; i < trace->stacks.len; i++)
    {
      WpId parent = trace->stacks.data[i].parent;
      const WpFrame *frame = &trace->frames.data[trace->stacks.data[i].frame];

      if (parent != 0)
        marks[i] = marks[parent];
      else if (!(frame->flags & WP_FRAME_KERNEL))
        marks[i] = STACK_USER | (wp_is_entry_function (wp_trace_function_name (trace, frame->function)) ? STACK_WHOLE
                                 : 0);
    }
  return marks;
}

void
wp_count_stacks (WpTrace *trace)
{
  g_autofree guint8 *marks = judge_stacks (trace);
  guint64 n[4] = { 0 };

  for (guint32 i = 1; i < trace->samples.len; i++)
    n[marks[trace->samples.data[i].stack]]++;
  for (guint32 i = 1; i < trace->ops.len; i++)
    if (trace->ops.data[i].kind == WP_OP_SLEEP)
      n[marks[trace->ops.data[i].detail]]++;
  for (guint32 i = 1; i < trace->links.len; i++)
    n[marks[trace->links.data[i].stack]]++;
  trace->diagnostics.n[WP_DIAG_STACKS] = n[STACK_USER] + n[STACK_USER | STACK_WHOLE];
  trace->diagnostics.n[WP_DIAG_STACKS_WHOLE] = n[STACK_USER | STACK_WHOLE];
}
