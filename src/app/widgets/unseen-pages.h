/* What a screen reader reads of stacks: the page that is seen. */
#pragma once

/* From now on the pages of all stacks, of tabs too, that are not seen are hidden from assistive technology; GTK 4.8 tells of them, with
 * their old places. */
void wp_hide_unseen_pages (void);
