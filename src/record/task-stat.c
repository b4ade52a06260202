/* Parsing /proc/PID/stat; see task-stat.h. */
#include "record/task-stat.h"

#include "base/quote.h"

#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define KERNEL_THREAD 0x00200000u /* among the flags of a task: PF_KTHREAD */
#define NS_OF_S G_GINT64_CONSTANT (1000000000)

char *
wp_task_text (const char *text, gsize length)
{
  g_autofree char *valid = g_utf8_make_valid (text, (gssize) length);
  g_autoptr (GString) line = g_string_new (NULL);

  for (const char *p = valid; *p != '\0'; p = g_utf8_next_char (p))
    g_string_append_unichar (line, wp_is_out_of_line (g_utf8_get_char (p)) ? ' ' : g_utf8_get_char (p));
  return g_strdup (g_strstrip (line->str));
}

static char *
read_stat (gint32 pid, gint32 tid)
{
  g_autofree char *path = tid == 0 ? g_strdup_printf ("/proc/%d/stat", pid) : g_strdup_printf ("/proc/%d/task/%d/stat", pid, tid);
  char *text = NULL;

  return g_file_get_contents (path, &text, NULL, NULL) ? text : NULL;
}

/* "12 (name) S …": the name may hold anything. */
gboolean
wp_task_stat_read (gint32 pid, gint32 tid, WpTaskStat *stat)
{
  g_autofree char *text = read_stat (pid, tid);
  const char *open = text != NULL ? strchr (text, '(') : NULL, *shut = text != NULL ? strrchr (text, ')') : NULL;
  unsigned long long user, system;
  guint flags;

  if (open == NULL || shut == NULL
      || sscanf (shut, ") %c %*d %*d %*d %*d %*d %u %*u %*u %*u %*u %llu %llu %*d %*d %*d %*d %u %*d %" G_GUINT64_FORMAT, &stat->state, &flags,
                 &user, &system, &stat->threads, &stat->started) != 6
      || (flags & KERNEL_THREAD) != 0 || stat->state == 'Z' || stat->state == 'X')
    return FALSE;
  stat->cpu_ns = (gint64) ((user + system) * (guint64) (NS_OF_S / sysconf (_SC_CLK_TCK)));
  stat->name = wp_task_text (open + 1, (gsize) (shut - open - 1));
  return TRUE;
}

static gint64
boot_ns (void)
{
  struct timespec now;

  clock_gettime (CLOCK_BOOTTIME, &now);
  return now.tv_sec * NS_OF_S + now.tv_nsec;
}

double
wp_task_share (const WpTaskStat *now, gint64 now_us, const WpTaskStat *before, gint64 before_us)
{
  gint64 ns = now->cpu_ns, life = boot_ns () - (gint64) (now->started * (guint64) (NS_OF_S / sysconf (_SC_CLK_TCK)));

  if (before != NULL && before->started == now->started)
    {
      ns -= before->cpu_ns;
      life = (now_us - before_us) * 1000;
    }
  return life > 0 ? MAX ((double) ns / (double) life, 0) : 0;
}
