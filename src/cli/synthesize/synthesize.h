/* tutti synthesize: its parts. */
#ifndef TUTTI_CLI_SYNTHESIZE_H
#define TUTTI_CLI_SYNTHESIZE_H

#include "base/table.h"
#include "cli/options/option.h"
#include "harness/engine/riders/measure.h"
#include "harness/engine/search/search.h"
#include "tutti/platform.h"

struct synthesize {
  tutti_collective collective;
  const char *platform, *output, *engine, *broken;
  uint64_t ranks, root, size, type_size, seed;
  bool ranked, sized, typed, quiet;
  double budget;
  int top;
  tutti_format format;
};

struct subject {
  const struct synthesize *chosen;
  tutti_platform platform;
  char *path; /* of the file */
  struct engine_machine machine;
  struct broken_links broken;
  struct search_request request;
  struct search_result result;
};

/* What was kept. */
struct written {
  char *path;
  tutti_method method; /* of the file */
  bool limited, found; /* within the limits of readers of MSCCL; the schedule that was found, not that of a method */
  tutti_method of;     /* else the method whose schedule it has */
  double seconds;      /* that it takes */
};

/* The call, of rank 0. */
tutti_call synthesize_call(const struct subject *subject);

/* Write the fastest schedule that a file can have, which may be neither that of the best method nor the one that was
   found; read it back, and prove what was read. Sorts the methods of the result by their times. Returns what the proof
   says; dies where nothing can be written. */
tutti_status synthesize_keep(struct subject *subject, struct written *written);

/* Print it, and the fastest methods. */
void synthesize_print(const struct subject *subject, const struct written *written);

#endif
