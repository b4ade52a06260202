/* Devices by one number, as the kernel's events have them: major << 20 | minor. */
#pragma once

#include <glib.h>
#include <sys/sysmacros.h>

static inline guint32
wp_device_number (guint32 major, guint32 minor)
{
  return major << 20 | minor;
}

/* Of what stat() says. */
static inline guint32
wp_device_of (dev_t dev)
{
  return wp_device_number (major (dev), minor (dev));
}
