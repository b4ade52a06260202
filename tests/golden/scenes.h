/* Hand-built rows for the pictures. */
#pragma once

#include "view/diagram.h"
#include "view/rows.h"

/* Every kind of box, wide to narrow, with short and long names. */
WpRows *scene_kinds (void);

/* A small flame view of two lanes with links. */
WpRows *scene_flame (void);

/* Widths instead of moments. */
WpRows *scene_consolidated (void);

/* Two rows of very many boxes, and one of two. */
WpRows *scene_dense (void);

/* Tasks that ran for all, half, a tenth, 3.5 % and a thousandth of each pixel, and once; and one with what it waited in. */
WpRows *scene_shares (void);

/* Tasks with very long names and names in other scripts. */
WpRows *scene_names (void);

/* Two profiles compared, as wide as the first: every kind of change but new frames. */
WpRows *scene_diff (void);

/* A call graph of every kind of code, with a long name, calls that come back, go round and leave a layer out. */
WpDiagram *scene_diagram (void);
