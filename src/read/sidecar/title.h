/* What a sidecar is of, as a text: all that it must have in common with who opens it. */
#pragma once

#include "base/asked-files.h"
#include "read/read.h"

/* `stamp`: of the recording. Free with g_free(). */
char *wp_sidecar_title (const WpReadOptions *options, const WpFileStamp *stamp);

/* The name of its file: one for each recording and its options, so that what was made of an older state of it is replaced. NULL: the recording is not there. */
char *wp_sidecar_name (const char *path, const WpReadOptions *options);
