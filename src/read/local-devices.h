/* This machine's block devices, as sysfs has them. */
#pragma once

#include "trace/trace.h"

/* "254:0", "254:1", …: all of them, in the order of the text. */
GPtrArray *wp_local_devices (void);

/* As lsblk has it: "vda1", the name that was given to what the device mapper made; "loop0 (/home/image)". NULL if it is gone. */
char *wp_local_device_name (const char *number);
/* The path of the file that is this device; NULL for any other device, and where that file was deleted. */
char *wp_local_device_backing (const char *number);
/* All devices that requests to this one may become requests to, at any depth: numbers, divided by blanks. */
char *wp_local_devices_below (const char *number);

void wp_local_devices_name (WpTrace *trace); /* this machine's names for what has none yet */
