/* What the three files of the disk tracker share. */
#pragma once

#include "trace/disk-tracker.h"

/* disk-bios.c */
WpDiskThread *wp_disk_thread (WpDiskTracker *self, const WpThread *thread); /* good until the next one is asked for */
guint32 wp_disk_device (WpDiskTracker *self, guint32 dev);             /* index into `devices` */
gpointer wp_disk_place (guint32 device, guint64 sector);               /* key of `by_start`, `by_end`, `by_sector` */
gboolean wp_disk_take_bio (WpDiskTracker *self, guint32 device, guint64 sector, WpBio *bio); /* FALSE: there is none */

/* disk-tracker.c */
WpId wp_disk_request (WpDiskTracker *self, const WpEvent *event, guint32 device, const WpBio *bio); /* in the queue since the bio */
void wp_disk_join (WpDiskTracker *self, WpId id, gint32 tid); /* this thread asked for it, too */
void wp_disk_begin_active (WpDiskTracker *self, WpId id, gint32 issuer, gint64 time);
void wp_disk_come_back (WpDiskTracker *self, WpId id, const WpEvent *event);
void wp_disk_give_up (WpDiskTracker *self, WpId id, gint64 time); /* its end was not seen */

/* disk-flushes.c */
void wp_disk_issue_flush (WpDiskTracker *self, const WpEvent *event, const WpThread *actor, guint32 device);
void wp_disk_requeue_flush (WpDiskTracker *self, const WpEvent *event, guint32 device);
WpId wp_disk_take_flush (WpDiskTracker *self, const WpEvent *event, guint32 device, gboolean old);
void wp_disk_forget_flush (WpDiskTracker *self, guint32 device, WpId id);
void wp_disk_want_flush (WpDiskTracker *self, guint32 device, gint32 tid, gint64 time);
