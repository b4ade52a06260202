/* What a store's settings want to be profiled, and how: Perun's job matrix. */
#pragma once

#include "profile/model/postprocessors.h"
#include "store/store.h"

/* One thing to be run. */
typedef struct
{
  char **command; /* words, NULL-terminated */
  char *cmd, *args, *workload; /* what a job matrix made them of; else NULL */
} WpStoreJob;

WpStoreJob *wp_store_job_new (char **command); /* copies the words */
WpStoreJob *wp_store_job_copy (const WpStoreJob *job);
void wp_store_job_free (WpStoreJob *job);
char *wp_store_job_line (const WpStoreJob *job); /* as one reads it; free with g_free() */

/* The jobs (WpStoreJob): every program of `cmds` with every one of `workloads` and of `args`, in Perun's order.
 * NULL where no program is named, or a line cannot be taken apart. Free with g_ptr_array_unref(). */
GPtrArray *wp_store_jobs (const WpStore *self, GError **error);

/* What is run before, as one line for the shell (`execute.pre_run`), or NULL. Free with g_free(). */
char *wp_store_build_line (const WpStore *self);

/* What is done to each profile once it is recorded (WpPostprocess), in the order of `postprocessors`. NULL and an error that names the place
 * where one is none of ours, or a parameter makes no sense. Free with g_array_unref(). */
GArray *wp_store_postprocesses (const WpStore *self, GError **error);

/* A parameter of the collector “wakepath” in `collectors`, or NULL; and the name of one that is not ours, or NULL. */
const char *wp_store_collector_param (const WpStore *self, const char *key);
const char *wp_store_foreign_collector (const WpStore *self);
