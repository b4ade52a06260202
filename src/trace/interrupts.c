#include "trace/interrupts.h"

#include "base/search.h"
#include "base/sort.h"

static WpHandler *
handler_of (WpInterrupts *self, guint32 cpu)
{
  if (cpu >= self->handlers.len)
    wp_array_resize (&self->handlers, cpu + 1);
  return &self->handlers.data[cpu];
}

void
wp_interrupts_init (WpInterrupts *self, WpTrace *trace)
{
  self->trace = trace;
}

void
wp_interrupts_clear (WpInterrupts *self)
{
  wp_array_clear (&self->handlers);
}

/* The kernel runs one handler after the other: if one is open here, its end was not recorded. */
void
wp_interrupts_entry (WpInterrupts *self, const WpEvent *event)
{
  *handler_of (self, event->cpu) = (WpHandler) { event->time, event->irq.name, event->irq.irq, TRUE };
}

void
wp_interrupts_exit (WpInterrupts *self, const WpEvent *event)
{
  WpHandler *handler = handler_of (self, event->cpu);

  if (handler->open && handler->irq == event->irq.irq && handler->start < event->time)
    wp_array_push (&self->trace->interrupts, ((WpInterrupt) { handler->start, event->time, handler->name, event->cpu + 1 }));
  handler->open = FALSE;
}

void
wp_interrupts_over (WpInterrupts *self, guint32 cpu)
{
  if (cpu < self->handlers.len)
    self->handlers.data[cpu].open = FALSE;
}

void
wp_interrupts_all_over (WpInterrupts *self)
{
  for (guint32 cpu = 0; cpu < self->handlers.len; cpu++)
    self->handlers.data[cpu].open = FALSE;
}

WP_DEFINE_COMPARE_2 (compare_places, WpInterrupt, cpu, start)

void
wp_interrupts_finish (WpInterrupts *self)
{
  wp_array_sort (&self->trace->interrupts, compare_places);
  wp_array_trim (&self->trace->interrupts);
}

guint32
wp_interrupts_after (const WpTrace *trace, guint32 cpu, gint64 time)
{
  const WpInterrupt *all = trace->interrupts.data;

  return WP_SEARCH (0, trace->interrupts.len, i, all[i].cpu < cpu || (all[i].cpu == cpu && all[i].end <= time));
}

const WpInterrupt *
wp_interrupt_before (const WpTrace *trace, guint32 i, guint32 cpu, gint64 time)
{
  const WpInterrupt *interrupt = i < trace->interrupts.len ? &trace->interrupts.data[i] : NULL;

  return interrupt != NULL && interrupt->cpu == cpu && interrupt->start < time ? interrupt : NULL;
}
