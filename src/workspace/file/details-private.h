/* What the files that write details share. */
#pragma once

#include "workspace/file/details-text.h"

typedef struct
{
  WpDetailsText *text;
  const WpRows *rows;
  const WpBox *box;
  const WpTrace *trace;
  const WpAnalysis *analysis;
  const WpSources *sources;
  WpId op, part;
  gint64 origin; /* what the view's axis counts from */
} WpDetailsBuilder;

/* details-facts.c */
void wp_details_add_fact (WpDetailsBuilder *b, const char *label, const char *format, ...) G_GNUC_PRINTF (3, 4);
char *wp_details_task_link (const WpTrace *trace, WpId task); /* markup; free with g_free() */
void wp_details_add_times (WpDetailsBuilder *b);
void wp_details_add_part (WpDetailsBuilder *b, guint n_parts); /* of several that the box goes over */
void wp_details_add_box_latency (WpDetailsBuilder *b); /* of one of the flame view */
void wp_details_add_node (WpDetailsBuilder *b);
void wp_details_add_category (WpDetailsBuilder *b);
void wp_details_add_op (WpDetailsBuilder *b);
void wp_details_add_marks (WpDetailsBuilder *b);

/* details-why.c */
void wp_details_add_why (WpDetailsBuilder *b, guint n_parts); /* `n_parts`: that the box goes over */
