/* What the root of a split or of a creation does. */
#ifndef TUTTI_COMMUNICATORS_ROOT_H
#define TUTTI_COMMUNICATORS_ROOT_H

#include "communicators/plan.h"
#include "communicators/space.h"

/* What it holds meanwhile: O(size) bytes. All zero: nothing. */
struct root {
  int size;
  struct plea *pleas;     /* [size] */
  int *base;              /* [size] ranks of the space */
  struct answer *answers; /* [size] */
  struct plan plan;
  unsigned char **maps; /* [groups] serialized */
  size_t *lengths;      /* [groups] */
};

/* For the ranks of a view. */
tutti_status tutti_root_make(struct root *root, const tutti_space *space, const tutti_view *view, tutti_error *error);

void tutti_root_free(struct root *root);

/* From the pleas to the answers; if that fails, the answers say so. @param with_maps  also make the maps of the groups
 */
tutti_status tutti_root_decide(tutti_space *space, struct root *root, bool with_maps, tutti_error *error);

/* Send maps, each to the first of those that live together. @param own  receives the bytes for this process if it is
   one of them, to be freed */
tutti_status tutti_root_send_maps(tutti_comm *parent, struct root *root, unsigned char **own, tutti_error *error);

#endif
