/* Everything that can be done to a document with a trace. */
#pragma once

#include "fuzz.h"
#include "profile/document.h"

/* Explains every process of it, and of each makes every layout, picture and export; saves and reopens one. */
void fuzz_explain_all (WpDocument *document, FuzzRandom *choice);
