/* A trace with everything in it, explained: what tests of the workspace's parts look at. */
#pragma once

#include "profile-fixture.h"
#include "workspace/file/analysis.h"

typedef struct
{
  WpTrace *trace;
  WpAnalysis analysis;
} Model;

/* Takes the trace. */
static inline void
model_init_of (Model *self, WpTrace *trace, const char *task)
{
  WpTreeOptions options = { 0 };

  self->trace = trace;
  self->analysis = (WpAnalysis) { .paths = fixture_paths (self->trace, fixture_task (self->trace, task)) };
  self->analysis.explanation = wp_explain (self->analysis.paths, 0, G_MAXINT64, NULL, NULL);
  self->analysis.tree = wp_tree_new (self->analysis.paths, &options, NULL, NULL);
}

static inline void
model_init (Model *self)
{
  model_init_of (self, fixture_everything (), "client");
}

static inline void
model_clear (Model *self)
{
  wp_tree_free (self->analysis.tree);
  wp_explanation_free (self->analysis.explanation);
  wp_paths_free (self->analysis.paths);
  wp_trace_free (self->trace);
}

/* 0: Processes, 1: the flame view, 2: the consolidated flame view. */
static inline WpRows *
layout (Model *model, guint view)
{
  const WpProcessesOptions all = { .show_sleeps = TRUE };

  return view == 0   ? wp_layout_processes (model->trace, &all, NULL, NULL)
         : view == 1 ? wp_layout_flame (model->analysis.paths, model->analysis.explanation, (WpDepthChoice) { 0 }, NULL, NULL)
                     : wp_layout_tree (model->analysis.tree, FALSE, NULL);
}
