/* How long ago something was, for people. */
#pragma once

#include <glib.h>

char *wp_ago (GDateTime *time); /* "3 minutes ago"; earlier than this hour the time, earlier than today the date. Free with g_free() */
