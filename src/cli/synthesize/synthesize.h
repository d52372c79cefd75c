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
  bool limited;
  double seconds; /* that it takes */
};

/* The call, of rank 0. */
tutti_call synthesize_call(const struct subject *subject);

/* Print it, and the fastest methods, whose order in the result changes. */
void synthesize_print(struct subject *subject, const struct written *written);

#endif
