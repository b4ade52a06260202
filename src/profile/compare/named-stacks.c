/* Interning stacks by names; see named-stacks.h. */
#include "profile/compare/named-stacks.h"

#include "profile/compare/compare.h"

WpNamedStacks *
wp_named_stacks_new (void)
{
  WpNamedStacks *self = g_new0 (WpNamedStacks, 1);

  self->strings = wp_strings_new ();
  wp_array_resize (&self->functions, 1);
  wp_array_resize (&self->stacks, 1);
  return self;
}

void
wp_named_stacks_free (WpNamedStacks *self)
{
  if (self == NULL)
    return;
  wp_strings_free (self->strings);
  wp_array_clear (&self->functions);
  wp_array_clear (&self->stacks);
  wp_pair_map_clear (&self->function_ids);
  wp_pair_map_clear (&self->stack_ids);
  g_free (self);
}

void
wp_compared_function (const WpTrace *trace, WpId function, WpId module, const char **name, const char **module_name)
{
  const WpFunction *f = &trace->functions.data[function];

  *module_name = wp_trace_module_name (trace, module != 0 ? module : f->module);
  if (g_str_has_prefix (*module_name, "[anon:"))
    *module_name = WP_COMPARED_ANONYMOUS;
  *name = module != 0 || (f->flags & WP_FUNCTION_NO_SYMBOL) ? WP_COMPARED_NO_SYMBOL : wp_strings_get (trace->strings, f->name);
}

static WpId
add_function (WpNamedStacks *self, const char *name, const char *module)
{
  const WpNamedFunction function = { wp_strings_intern (self->strings, name), wp_strings_intern (self->strings, module) };
  guint32 *found = wp_pair_map_at (&self->function_ids, function.name, function.module);

  if (*found == 0)
    {
      *found = self->functions.len;
      wp_array_push (&self->functions, function);
    }
  return *found;
}

/* 0: it is not there. */
static WpId
find_function (const WpNamedStacks *self, const char *name, const char *module)
{
  WpId n = wp_strings_find (self->strings, name), m = wp_strings_find (self->strings, module);

  return n != 0 && (m != 0 || *module == '\0') ? wp_pair_map_get (&self->function_ids, n, m) : 0;
}

static WpId
add_stack (WpNamedStacks *self, WpId parent, WpId function)
{
  guint32 *found = wp_pair_map_at (&self->stack_ids, parent, function);

  if (*found == 0)
    {
      *found = self->stacks.len;
      wp_array_push (&self->stacks, ((WpNamedStack) { .parent = parent, .function = function }));
    }
  return *found;
}

WpId
wp_named_stacks_add (WpNamedStacks *self, WpId parent, const char *name, const char *module)
{
  return add_stack (self, parent, add_function (self, name, module));
}

WpId
wp_named_stacks_add_from (WpNamedStacks *self, const WpNamedStacks *other, WpId stack)
{
  WpIdArray outwards = { 0 };
  WpId here = 0;

  for (WpId s = stack; s != 0; s = other->stacks.data[s].parent)
    wp_array_push (&outwards, s);
  for (guint32 i = outwards.len; i-- > 0;)
    {
      const WpNamedFunction *function = &other->functions.data[other->stacks.data[outwards.data[i]].function];

      here = wp_named_stacks_add (self, here, wp_strings_get (other->strings, function->name), wp_strings_get (other->strings, function->module));
    }
  wp_array_clear (&outwards);
  return here;
}

static WpId
function_of (const WpTrace *trace, WpId stack)
{
  return trace->frames.data[trace->stacks.data[stack].frame].function;
}

WpId *
wp_named_stacks_take (WpNamedStacks *self, const WpTrace *trace, guint8 *wanted)
{
  WpId *here = g_new0 (WpId, MAX (trace->stacks.len, 1));
  g_autofree WpId *functions = g_new0 (WpId, MAX (trace->functions.len, 1));

  for (WpId s = trace->stacks.len; s-- > 1;)
    if (wanted[s])
      wanted[trace->stacks.data[s].parent] = 1;
  for (WpId s = 1; s < trace->stacks.len; s++)
    {
      WpId function = function_of (trace, s);
      const char *name, *module;

      if (!wanted[s])
        continue;
      if (functions[function] == 0)
        {
          wp_compared_function (trace, function, 0, &name, &module);
          functions[function] = add_function (self, name, module);
        }
      here[s] = add_stack (self, here[trace->stacks.data[s].parent], functions[function]);
    }
  return here;
}

WpId *
wp_named_stacks_find (const WpNamedStacks *self, const WpTrace *trace)
{
  WpId *here = g_new0 (WpId, MAX (trace->stacks.len, 1));
  g_autofree WpId *functions = g_new0 (WpId, MAX (trace->functions.len, 1));

  for (WpId f = 1; f < trace->functions.len; f++)
    {
      const char *name, *module;

      wp_compared_function (trace, f, 0, &name, &module);
      functions[f] = find_function (self, name, module);
    }
  for (WpId s = 1; s < trace->stacks.len; s++)
    {
      WpId parent = trace->stacks.data[s].parent, function = functions[function_of (trace, s)];

      if (function != 0 && (parent == 0 || here[parent] != 0))
        here[s] = wp_pair_map_get (&self->stack_ids, here[parent], function);
    }
  return here;
}
