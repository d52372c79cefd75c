/* How many messages an experiment simulates: those of the measured operations, counted on their schedules, and those of
   the barriers and agreements that the OCC scheme adds to each point. For messages per second, divide by the time that
   tutti bench prints. */
#include <inttypes.h>
#include <stdio.h>

#include "tutti/analysis.h"
#include "tutti/experiment.h"

static uint64_t messages_of(const tutti_method *method, int ranks, int root, uint64_t bytes)
{
  uint64_t messages = 0;
  for (int rank = 0; rank < ranks; rank++) {
    tutti_call call = {.size = ranks, .rank = rank, .root = root, .count = bytes, .type_size = 1, .commutative = true};
    tutti_arena arena;
    tutti_schedule schedule;
    tutti_arena_init(&arena);
    if (tutti_method_schedule(method, &call, &arena, &schedule, NULL) == TUTTI_OK)
      messages += tutti_count_schedule(&schedule).sends;
    tutti_arena_release(&arena);
  }
  return messages;
}

/* A broadcast of the start, a Bruck barrier, a reduction of the time and a broadcast of the decision to go on. */
static uint64_t messages_around(int ranks)
{
  uint64_t steps = 0, others = (uint64_t)ranks - 1;
  for (int64_t distance = 1; distance < ranks; distance *= 2)
    steps++;
  return 3 * others + (uint64_t)ranks * steps;
}

static void count_sweep(const tutti_sweep *sweep, uint64_t totals[3])
{
  for (int r = 0; r < sweep->ranks_count; r++)
    for (int s = 0; s < sweep->size_count; s++)
      for (int m = 0; m < sweep->method_count; m++) {
        totals[0]++;
        totals[1] += messages_of(&sweep->methods[m], sweep->ranks[r], sweep->root, sweep->sizes[s]);
        totals[2] += messages_around(sweep->ranks[r]);
      }
}

int main(int argc, char **argv)
{
  tutti_experiment experiment;
  tutti_error error;
  uint64_t totals[3] = {0};
  if (argc != 2) {
    fprintf(stderr, "usage: bench-messages EXPERIMENT.xml\n");
    return 2;
  }
  if (tutti_experiment_read(argv[1], &experiment, &error) != TUTTI_OK) {
    fprintf(stderr, "bench-messages: %s\n", error.message);
    return 2;
  }
  for (int i = 0; i < experiment.sweep_count; i++)
    count_sweep(&experiment.sweeps[i], totals);
  printf("points %" PRIu64 ", messages of operations %" PRIu64 ", of barriers and agreements %" PRIu64 "\n", totals[0],
         totals[1], totals[2]);
  tutti_experiment_free(&experiment);
  return 0;
}
