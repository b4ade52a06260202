/* What the pages of the help say: titles, text and pictures, in the order in which they are listed. Texts are for gettext(). */
#pragma once

typedef enum
{
  WP_HELP_END, /* of a page's blocks */
  WP_HELP_HEADING,
  WP_HELP_TEXT,
  WP_HELP_ITEM,       /* of a list */
  WP_HELP_PICTURE,    /* `text` says what is seen on it */
  WP_HELP_SIGNS,      /* what signs in pictures mean (paths/terms.h) */
  WP_HELP_TERMS,      /* the words of the explanation */
  WP_HELP_CATEGORIES, /* the rows of its table */
} WpHelpKind;

typedef struct
{
  WpHelpKind kind;
  const char *text;    /* NULL where the kind says all */
  const char *picture; /* its file among the resources, below help/ */
} WpHelpBlock;

typedef struct
{
  const char *id; /* of a page of a view: that of the view */
  const char *title;
  const WpHelpBlock *blocks;
} WpHelpPage;

extern const WpHelpPage wp_help_pages[]; /* ended by one without an id */
