/* Splitting all processes into groups, three ways in one run: MPI_Comm_split of the library (own), MPI_Comm_split as
   MPICH does it on schedules of our own (gather, see split_gather.c), and groups of our own by Shrink-and-Hash (group).
   Colors are drawn (tutti/group_run.h), all equally probable; keys are ranks.

   mpiexec -n 4 bench-split [--colors 1,2,4,8] [--only own,gather,group] [--seed 7] [--branching 3] [--repetitions 50]
   [--scan-ns 5] [--compare-ns 20] [--allgather METHOD]

   One line per way: seconds from the common start to the latest process; the median over the repetitions, its 95 %
   confidence interval, and the minimum; in simulation there is one repetition, which is exact. Groups have two lines:
   `group` ends where the published times do, when the reduction on the tree of the last group has arrived at its root,
   and `group-known` when every process knows its place. Sizes and ranks are compared with the draw every time:
   MPI_Abort if they differ.

   --scan-ns and --compare-ns matter in simulation only, see split_gather.c. The defaults are 4 and 17 cycles of the 850
   MHz of Blue Gene/P, which is kind to MPI_Comm_split. */
#include "split.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "harness/measure/coordinate.h"
#include "harness/measure/statistics.h"
#include "tutti/group.h"

enum { LINES = PARTS + 1 };

static const char *const line_names[LINES] = {"own", "gather", "group", "group-known"};

struct bench {
  tutti_error error;
  struct split_options options;
  tutti_view view, letters; /* for everything else, and for groups: other tags */
  struct clock clock;
  struct starts starts;
  struct gathering gathering;
  tutti_endpoint *endpoint; /* NULL if no groups are built */
  tutti_group_sample sample;
  int color;
  struct split_sums expected; /* at rank 0 */
  double *samples[LINES];     /* [repetitions] at rank 0 */
};

static void must(struct bench *b, tutti_status status)
{
  if (status == TUTTI_OK)
    return;
  fprintf(stderr, "bench-split: %s\n", b->error.message);
  MPI_Abort(MPI_COMM_WORLD, 1);
}

/* ---- the three ways ---- */

static void split_by_library(struct bench *b, struct place *place, double *end)
{
  MPI_Comm made;
  MPI_Comm_split(b->view.comm, b->color, b->view.rank, &made);
  *end = tutti_clock_now(&b->clock);
  MPI_Comm_size(made, &place->size);
  MPI_Comm_rank(made, &place->rank);
  MPI_Comm_free(&made);
}

static bool stands_or_done(const void *group)
{
  const tutti_actor *actor = tutti_group_actor(group);
  return actor->done || tutti_group_protocol_complete(actor);
}

/* Returns the group, which others may still need. */
static tutti_group *split_by_group(struct bench *b, struct place *place, double *stood, double *end)
{
  tutti_group *group = NULL;
  tutti_split how = {.branching = b->options.branching, .colors = b->sample.colors};
  how.builder = tutti_group_builder_find("shrink-hash/no-filler", &b->error);
  must(b, tutti_group_isplit(b->endpoint, NULL, &how, b->color, &group, &b->error));
  must(b, tutti_endpoint_wait(b->endpoint, stands_or_done, group, &b->error));
  if (tutti_group_protocol_complete(tutti_group_actor(group)))
    *stood = tutti_clock_now(&b->clock);
  must(b, tutti_group_wait(group, &b->error));
  *end = tutti_clock_now(&b->clock);
  tutti_membership membership = tutti_group_membership(group);
  place->size = membership.size;
  place->rank = membership.rank;
  return group;
}

/* ---- timing ---- */

/* Rank 0 keeps the latest times. */
static void keep(struct bench *b, enum part part, int repetition, double start, double stood, double end)
{
  double times[2] = {end, stood};
  must(b, tutti_max_at_rank0(&b->view, times, 2, &b->error));
  if (b->view.rank != 0)
    return;
  b->samples[part == PART_GROUP ? PARTS : part][repetition] = fmax(0, times[0] - start);
  if (part == PART_GROUP)
    b->samples[PART_GROUP][repetition] = fmax(0, times[1] - start);
}

static void time_once(struct bench *b, enum part part, int repetition)
{
  struct place place = {.faults = 0};
  tutti_group *group = NULL;
  double start, stood = -INFINITY, end;
  must(b, tutti_start_together(&b->view, &b->starts, 0, &start, &b->error));
  if (part == PART_OWN)
    split_by_library(b, &place, &end);
  else if (part == PART_GROUP)
    group = split_by_group(b, &place, &stood, &end);
  else
    must(b, split_by_gathering(&b->gathering, b->color, b->view.rank, &place, &b->error));
  if (part == PART_GATHER)
    end = tutti_clock_now(&b->clock);
  keep(b, part, repetition, start, stood, end);
  must(b, split_check(&b->view, &b->sample, &b->expected, &place, part != PART_GROUP, line_names[part], &b->error));
  must(b, tutti_group_free(group, &b->error));
}

static void print_line(struct bench *b, int line, int repetitions)
{
  struct statistics s = tutti_statistics_of(b->samples[line], repetitions);
  char method[TUTTI_METHOD_LENGTH] = "-";
  if (line == PART_GATHER)
    tutti_method_format(&b->gathering.allgather, method);
  printf("tutti-split v=1 flavor=%s ranks=%d colours=%d part=%s method=%s repetitions=%d median_s=%.9g low_s=%.9g "
         "high_s=%.9g minimum_s=%.9g\n",
         TUTTI_FLAVOR, b->view.size, b->sample.colors, line_names[line], method, s.count, s.median, s.low, s.high,
         s.minimum);
}

/* The ways take turns, so that what disturbs one disturbs all. */
static void measure(struct bench *b, int colors)
{
  int repetitions = tutti_clock_is_simulated() ? 1 : b->options.repetitions;
  b->sample.colors = colors;
  b->color = tutti_group_sample_color(&b->sample, b->view.rank);
  if (b->view.rank == 0)
    must(b, split_expect(&b->sample, &b->expected, &b->error));
  for (int r = 0; r < repetitions; r++)
    for (int part = 0; part < PARTS; part++)
      if (b->options.parts[part])
        time_once(b, (enum part)part, r);
  for (int line = 0; line < LINES && b->view.rank == 0; line++)
    if (b->options.parts[line == PARTS ? PART_GROUP : line])
      print_line(b, line, repetitions);
  fflush(stdout);
}

/* ---- all of it ---- */

static void prepare(struct bench *b)
{
  must(b, tutti_view_of(MPI_COMM_WORLD, &b->view, &b->error));
  const tutti_view whole = b->view;
  must(b, tutti_halve_tags(&whole, &b->view, &b->letters, &b->error));
  must(b, tutti_clock_synchronize(&b->view, &b->clock, &b->error));
  b->starts.clock = &b->clock;
  b->sample = (tutti_group_sample){
      .size = b->view.size, .fraction = 1, .members = -1, .colors = 1, .seed = (uint64_t)b->options.seed};
  b->gathering = (struct gathering){.view = &b->view, .sample = &b->sample};
  must(b, gathering_prepare(&b->gathering, &b->options, &b->error));
  if (b->options.parts[PART_GROUP])
    must(b, tutti_endpoint_open(&b->letters, &b->endpoint, &b->error));
  for (int line = 0; line < LINES && b->view.rank == 0; line++)
    if (!(b->samples[line] = malloc((size_t)b->options.repetitions * sizeof(double))))
      must(b, tutti_fail(&b->error, TUTTI_ERR_MEMORY, "out of memory for %d repetitions", b->options.repetitions));
}

static void finish(struct bench *b)
{
  must(b, tutti_barrier_bruck(&b->view, &b->error));
  must(b, tutti_endpoint_close(b->endpoint, &b->error));
  tutti_starts_end(&b->starts);
  for (int line = 0; line < LINES && b->view.rank == 0; line++)
    free(b->samples[line]);
  if (b->view.rank == 0)
    printf("tutti-split-end v=1 colours=%d\n", b->options.colors_count);
}

static void run(struct bench *b)
{
  prepare(b);
  for (int c = 0; c < b->options.colors_count; c++)
    measure(b, b->options.colors[c]);
  finish(b);
}

int main(int argc, char **argv)
{
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  struct bench *b = calloc(1, sizeof *b); /* too large for the stack of a simulated rank */
  if (!b)
    MPI_Abort(MPI_COMM_WORLD, 1);
  bool usable = split_options_read(argc, argv, &b->options, &b->error) == TUTTI_OK;
  if (usable && !b->options.help)
    run(b);
  else if (usable && rank == 0)
    fputs(split_usage, stdout);
  else if (rank == 0)
    fprintf(stderr, "bench-split: %s\n", b->error.message);
  free(b);
  MPI_Finalize();
  return usable ? 0 : 2;
}
