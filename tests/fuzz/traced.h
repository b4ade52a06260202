/* Everything that can be done to a document with a trace. */
#pragma once

#include "fuzz.h"
#include "profile/model/document.h"

/* Explains every process of it, and of each makes every layout, picture and export; saves and reopens one. */
void fuzz_explain_all (WpDocument *document, FuzzRandom *choice);

/* The same, but nothing is saved: what was saved may say otherwise where numbers contradict each other. */
void fuzz_see_all (WpDocument *document, FuzzRandom *choice);

/* The input is a recording or its text: opened, named and all of the above; TRUE when it could be opened. */
gboolean fuzz_run_trace (const guint8 *data, gsize n);

/* … only opened. */
gboolean fuzz_parse_trace (const guint8 *data, gsize n);
