#include "store/store.h"
#include "store/vcs.h"

G_DEFINE_QUARK (wp-store-error-quark, wp_store_error)

G_DEFINE_QUARK (wp-vcs-error-quark, wp_vcs_error)
