/* Programs of a replay. */
#ifndef TUTTI_ENGINE_REPLAY_PROGRAM_H
#define TUTTI_ENGINE_REPLAY_PROGRAM_H

#include "harness/engine/riders/program.h"
#include "harness/engine/trace/workload.h"

/* Builds the schedule of a call, by its shape, with ranks of all as peers. False: the error has the reason. */
struct replay_programs {
  bool (*build)(void *context, size_t shape, struct program *program, tutti_error *error);
  void *context;
};

/* The operations of a segment as one program; a nanosecond of work takes `compute`. False: as above. */
bool tutti_replay_build(const struct workload_graph *graph, size_t segment, double compute,
                        const struct replay_programs *programs, struct program *program, tutti_error *error);

#endif
