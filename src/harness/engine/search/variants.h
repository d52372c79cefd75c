/* The variants of a search: how many chunks, how many of them a message has, which hops; and their matching. */
#ifndef TUTTI_ENGINE_VARIANTS_H
#define TUTTI_ENGINE_VARIANTS_H

#include "harness/engine/search/judge.h"
#include "harness/engine/search/ways.h"

struct fabrics {
  struct fabric ways[2][FABRIC_REACHES]; /* forwards, on the way back */
};

struct matched {
  struct variant variant;
  double seconds; /* by the matching */
};

struct searching {
  struct search *search;
  struct fabrics fabrics; /* but of an alltoall */
  struct ways ways;       /* of an alltoall alone */
  struct {
    TUTTI_VECTOR(struct matched);
  } variants;
  float *delays[2]; /* of the hops of the variant at work, by way; NULL: none */
};

/* Whether it is an alltoall, whose blocks go straight to their receivers. */
bool tutti_variants_exchange(const struct search_request *request);

/* Whether a schedule has chunks on the way from their owners, 0, or to them, 1. */
bool tutti_variants_need(const struct search_request *request, int way);

/* List what can be tried. TUTTI_ERR_ARGUMENT: the elements cannot be cut. */
tutti_status tutti_variants_list(struct searching *s);

/* Match those listed until so much work is done, and sort them, the fastest by the matching first. */
void tutti_variants_match(struct searching *s, double limit);

/* The schedule of a variant, to be freed in any case, and its time by the matching. False: ranks could not be reached.
 */
bool tutti_variant_match(const struct searching *s, const struct variant *v, struct synthesis *synthesis,
                         double *seconds);

#endif
