/* What is made of the table of commands when the program is built. */
#pragma once

#include "cli/command.h"

/* The commands of a group as parts of a manual page, in roff. Appends. */
void wp_page_append_manual (GString *out, WpCommandGroup group);

/* What the words of an explanation mean, with the ids of its categories, as a section of a manual page. Appends. */
void wp_page_append_words (GString *out);

/* Functions of bash that tell completion what there is. Appends. */
void wp_page_append_completion (GString *out);
