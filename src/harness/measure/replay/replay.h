/* tutti-replay: what its files share. */
#ifndef TUTTI_MEASURE_REPLAY_H
#define TUTTI_MEASURE_REPLAY_H

#include "harness/engine/riders/replay.h"

/* Run the steps of the source, as a rank of MPI_COMM_WORLD in a simulation, to its end. A message's channel is its tag.
 */
tutti_status tutti_replay_rank(const struct script_source *source, uint32_t rank, tutti_error *error);

#endif
