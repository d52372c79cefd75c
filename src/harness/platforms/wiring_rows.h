/* Words of Slurm's topologies, of which topology.conf and topology.yaml consist. */
#ifndef TUTTI_HARNESS_PLATFORMS_WIRING_ROWS_H
#define TUTTI_HARNESS_PLATFORMS_WIRING_ROWS_H

#include "harness/platforms/platform_private.h"
#include "harness/platforms/wiring.h"

enum { WIRING_MAX_NAMES = 4 * PLATFORM_MAX_HOSTS };

struct wiring_row {
  const struct wiring_source *source;
  tutti_wiring *wiring;
  int line, names;                  /* names: taken so far */
  int at;                           /* the switch or block; -1: none is named yet */
  int blocks, sizes[8], size_count; /* of blocks, in nodes */
};

/* Read KEY=VALUE of topology.conf: a name sets row->at, lists are of it. */
tutti_status tutti_wiring_read_word(struct wiring_row *row, const char *key, const char *value, tutti_error *error);

/* Pass over something in this line. */
tutti_status tutti_wiring_pass_over(const struct wiring_row *row, const char *why, tutti_error *error,
                                    const char *what);

/* At the end: blocks in a row become one of the next size: 4 of 18 nodes are one of 72. */
void tutti_wiring_gather_blocks(struct wiring_row *row);

#endif
