/* Which links a time depends on most: its derivatives by the latency and the bandwidth of single links. A simulation
   carries derivatives by a few sets of links (core/slopes.h); sets with the largest ones are split until they are
   single links: some simulations for each link that is found, and none for all that do not matter. */
#ifndef TUTTI_ENGINE_LINK_SLOPES_H
#define TUTTI_ENGINE_LINK_SLOPES_H

#include "harness/engine/core/slopes.h"
#include "harness/engine/machine/machine.h"

enum { LINK_SLOPES = 8, LINK_SLOPES_NAME = 64 };

/* Derivatives by factors of the link's latency, and of the time that it takes for a byte: the parts of the time, in
   seconds. */
struct link_slope {
  uint32_t link;
  double latency, byte;
};

struct link_slopes {
  int count; /* the largest sums first */
  struct link_slope items[LINK_SLOPES];
  int passes; /* simulations */
};

/* The time on a changed machine, and its derivatives. */
typedef tutti_status link_slopes_time(const void *context, const struct engine_change *change, double *seconds,
                                      struct engine_slope *slopes, tutti_error *error);

/* Find the links with the largest sums of both, up to LINK_SLOPES. Fails as `time` does. */
tutti_status tutti_link_slopes_find(const struct engine_machine *machine, link_slopes_time *time, const void *context,
                                    struct link_slopes *found, tutti_error *error);

/* A change of one link: sets [link_count] receives 0 for it and 1 for the others. Factors of its latency and of the
   time of a byte are those of ENGINE_LEVEL_LATENCY and ENGINE_LEVEL_BYTE. */
struct engine_change tutti_link_slopes_change(const struct engine_machine *machine, uint32_t link, uint8_t *sets);

/* "link backbone" where the platform file names it; "from host 3", "to host 3" where all messages of the host cross it;
   and of other links "link 95 (level 2, host 0 to 12)": of the first hosts those with the shortest route over it. */
const char *tutti_link_slopes_name(const struct engine_machine *machine, uint32_t link, char name[LINK_SLOPES_NAME]);

#endif
