/* tutti-group: builds process groups and prints one record a line. Rank 0 reads and writes; it never opens a database.
 */
#include <limits.h>
#include <math.h>
#include <string.h>

#include "harness/measure/group/group_points.h"
#include "harness/measure/program.h"
#include "tutti/group.h"

/* State of a launch. */
struct group_bench {
  struct timing timing; /* messages of a build have the tags inside */
  MPI_Datatype report;  /* the report of a rank to rank 0 about a build */
  MPI_Op merge;         /* of two of them */
  bool report_made, merge_made;
  tutti_group_counts counts; /* of the build timed last, at rank 0 */
};

/* ---- the command line ---- */

enum { BUILDER, FRACTION, MEMBERS, BRANCHING, SEEDS, COLORS, NODE_RANKS, RANKS_PER_NODE, REPETITIONS, OPTIONS };

static const struct program_option list[OPTIONS] = {
    [BUILDER] =
        OPTION_LIST("builder", 'b', "NAMES", "Builders, separated by commas, or all; may be given several times"),
    [FRACTION] = OPTION_LIST("fraction", 'f', "FRACTIONS",
                             "Probability of each process to be a member; several, separated by commas"),
    [MEMBERS] = OPTION_LIST("members", 0, "NUMBERS", "Exactly so many members, the same way"),
    [BRANCHING] = OPTION_NUMBER("branching", 'k', "K", "3", 2, INT_MAX, "Branching factor of both trees"),
    [SEEDS] = OPTION_NUMBER("seed", 's', "N", "1", 0, INT64_MAX, "Seed of the members"),
    [COLORS] = OPTION_NUMBER("colours", 'c', "C", "1", 1, INT_MAX, "Build C groups at once"),
    [NODE_RANKS] = OPTION_NUMBER("node-ranks", 0, "R", "1", 1, INT_MAX,
                                 "Build inside each node of R ranks first, then among nodes"),
    [RANKS_PER_NODE] = OPTION_RANKS_PER_NODE("Recorded with the groups"),
    [REPETITIONS] = OPTION_REPETITIONS,
};

/* One line per builder. */
static void write_builders(FILE *stream, const struct options *options, const char *draw)
{
  const char *builders = options->given[BUILDER], *builder;
  int length;
  while ((builder = option_next(&builders, &length))) {
    bool all = length == 3 && strncmp(builder, "all", 3) == 0;
    for (int b = 0; !all ? b < 1 : tutti_group_builder_at(b) != NULL; b++)
      fprintf(stream, "%.*s %s branching=%s seed=%s colours=%s node_ranks=%s\n", all ? INT_MAX : length,
              all ? tutti_group_builder_name(tutti_group_builder_at(b)) : builder, draw,
              option_word(options, BRANCHING), option_word(options, SEEDS), option_word(options, COLORS),
              option_word(options, NODE_RANKS));
  }
}

/* The same per fraction or number of members. */
static void write_draws(FILE *stream, const struct options *options, int option, const char *key)
{
  const char *values = options->given[option], *value;
  int length;
  while (values && (value = option_next(&values, &length))) {
    char draw[64];
    snprintf(draw, sizeof draw, "%s=%.*s", key, length, value);
    write_builders(stream, options, draw);
  }
}

static tutti_status write_lines(FILE *stream, const struct options *options, tutti_error *error)
{
  if (!options->given[BUILDER] || (!options->given[FRACTION] && !options->given[MEMBERS]))
    return tutti_fail(error, TUTTI_ERR_ARGUMENT,
                      "nothing to build: give --points FILE, or --builder and --fraction or --members");
  write_draws(stream, options, FRACTION, "fraction");
  write_draws(stream, options, MEMBERS, "members");
  return TUTTI_OK;
}

static const struct option_table option_table = {
    .name = "tutti-group",
    .doc = "Build process groups whose members are drawn at random; one record a line on standard output.\v"
           "Run it under smpirun or mpiexec. The number of ranks is that of the launch. The same seed draws the same "
           "members for every builder and every MPI.",
    .points_help = "Build the groups of FILE (written by tutti bench and tutti group)",
    .count = OPTIONS,
    .options = list,
    .done = "built",
    .write = write_lines,
};

/* The report of all ranks to rank 0 about a build. */
struct report {
  tutti_group_counts counts;
  uint64_t received;
  double complete; /* when the last group was complete, on the shared clock; -infinity: none on this rank */
  double ended;    /* when rank 0 knew that no group exists */
};

/* ---- reports ---- */

static void merge_two(const struct report *from, struct report *into)
{
  for (int i = 0; i < TUTTI_GROUP_SUMS; i++)
    into->counts.sums[i] += from->counts.sums[i];
  for (int i = 0; i < TUTTI_GROUP_MAXIMA; i++)
    if (into->counts.maxima[i] < from->counts.maxima[i])
      into->counts.maxima[i] = from->counts.maxima[i];
  into->received += from->received;
  into->complete = fmax(into->complete, from->complete);
  into->ended = fmax(into->ended, from->ended);
}

static void merge(void *from, void *into, int *count, MPI_Datatype *type)
{
  (void)type;
  for (int i = 0; i < *count; i++)
    merge_two((const struct report *)from + i, (struct report *)into + i);
}

static tutti_status gather(const struct group_bench *bench, const struct report *own, struct report *all,
                           tutti_error *error)
{
  tutti_method method = tutti_method_default(tutti_algorithm_find(TUTTI_COLL_REDUCE, "binomial"));
  return tutti_reduce(&method, own, all, 1, bench->report, bench->merge, 0, &bench->timing.view, error);
}

static tutti_status group_bench_open(void *state, tutti_error *error)
{
  struct group_bench *bench = state;
  const tutti_view *view = &bench->timing.view;
  bench->report_made = MPI_Type_contiguous(sizeof(struct report), MPI_BYTE, &bench->report) == MPI_SUCCESS &&
                       MPI_Type_commit(&bench->report) == MPI_SUCCESS;
  bench->merge_made = MPI_Op_create(merge, true, &bench->merge) == MPI_SUCCESS;
  if (!bench->report_made || !bench->merge_made)
    return tutti_fail(error, TUTTI_ERR_MPI, "rank %d: cannot make a datatype and an operation", view->rank);
  return TUTTI_OK;
}

static void group_bench_close(void *state)
{
  struct group_bench *bench = state;
  if (bench->merge_made)
    MPI_Op_free(&bench->merge);
  if (bench->report_made)
    MPI_Type_free(&bench->report);
}

/* ---- one build on one rank ---- */

struct worker {
  tutti_tree tree;
  tutti_endpoint *endpoint;
  tutti_actor *actor;
};

static tutti_status worker_open(const struct group_bench *bench, const tutti_group_point *point, struct worker *worker,
                                tutti_error *error)
{
  *worker = (struct worker){.endpoint = NULL};
  tutti_status status = tutti_group_point_tree(point, bench->timing.view.rank, &worker->tree, error);
  if (status == TUTTI_OK)
    status = tutti_endpoint_open(&bench->timing.inside, &worker->endpoint, error);
  if (status != TUTTI_OK)
    return status;
  worker->actor = tutti_group_point_actor(point, &worker->tree, tutti_endpoint_transport(worker->endpoint), 0, error);
  return worker->actor ? tutti_endpoint_attach(worker->endpoint, worker->actor, error) : TUTTI_ERR_MEMORY;
}

/* Only where nothing is on its way; after a failure nothing is freed that a message may still arrive in. */
static tutti_status worker_close(struct worker *worker, tutti_error *error)
{
  tutti_endpoint_detach(worker->endpoint, worker->actor);
  tutti_actor_free(worker->actor);
  return tutti_endpoint_close(worker->endpoint, error);
}

static bool is_complete_or_done(const void *argument)
{
  const tutti_actor *actor = argument;
  return actor->done || tutti_group_protocol_complete(actor);
}

static bool is_done(const void *argument)
{
  return ((const tutti_actor *)argument)->done;
}

/* From the start until nothing is to be done here any more; notes when the own group stood. */
static tutti_status work(const struct group_bench *bench, struct worker *worker, struct report *report,
                         tutti_error *error)
{
  tutti_actor *actor = worker->actor;
  *report = (struct report){.complete = -INFINITY, .ended = -INFINITY};
  tutti_actor_start(actor);
  tutti_status status = tutti_endpoint_wait(worker->endpoint, is_complete_or_done, actor, error);
  if (status == TUTTI_OK && tutti_group_protocol_complete(actor))
    report->complete = tutti_clock_now(&bench->timing.clock);
  if (status == TUTTI_OK)
    status = tutti_endpoint_wait(worker->endpoint, is_done, actor, error);
  if (bench->timing.view.rank == 0)
    report->ended = tutti_clock_now(&bench->timing.clock);
  return status;
}

static void count(const struct worker *worker, struct report *report)
{
  report->counts = (tutti_group_counts){.sums = {0}};
  tutti_group_counts_add(&report->counts, worker->actor);
  report->counts.maxima[TUTTI_GROUP_ENDPOINT] = tutti_endpoint_memory(worker->endpoint);
  report->received = (uint64_t)worker->actor->tally.received;
}

static uint64_t all_sent(const tutti_group_counts *counts)
{
  uint64_t sent = 0;
  for (int kind = 0; kind < TUTTI_MESSAGE_KINDS; kind++)
    sent += counts->sums[kind];
  return sent;
}

/* Some messages may arrive after the end: receive until all sent messages have been received. Then rank 0 knows whether
   the members are those of the sample. */
static tutti_status drain(const struct group_bench *bench, const tutti_group_point *point, struct worker *worker,
                          struct report *report, struct report *all, tutti_error *error)
{
  char quiet = 0;
  tutti_status status = TUTTI_OK;
  while (status == TUTTI_OK && !quiet) {
    status = tutti_endpoint_poll(worker->endpoint, error);
    count(worker, report);
    if (status == TUTTI_OK)
      status = gather(bench, report, all, error);
    quiet = bench->timing.view.rank == 0 && all_sent(&all->counts) == all->received;
    if (status == TUTTI_OK)
      status = tutti_bcast_from_rank0(&bench->timing.view, &quiet, sizeof quiet, error);
  }
  if (status == TUTTI_OK && bench->timing.view.rank == 0)
    status = tutti_group_counts_check(&all->counts, &point->sample, error);
  return status;
}

/* ---- one build on all ranks ---- */

/* Seconds from the start until the last group is complete, or until rank 0 knows that no group exists; clocks may
   differ a little. */
static double elapsed(const struct report *all, double start)
{
  return fmax(0, (isinf(all->complete) ? all->ended : all->complete) - start);
}

static tutti_status build_once(void *state, const void *point, int round, double *seconds, tutti_error *error)
{
  struct group_bench *bench = state;
  struct worker worker;
  struct report own, all = {.received = 0};
  double start;
  (void)round;
  tutti_status status = worker_open(bench, point, &worker, error);
  if (status == TUTTI_OK)
    status = tutti_start_together(&bench->timing.view, &bench->timing.starts, 0, &start, error);
  if (status == TUTTI_OK)
    status = work(bench, &worker, &own, error);
  if (status == TUTTI_OK)
    status = drain(bench, point, &worker, &own, &all, error);
  if (status != TUTTI_OK)
    return status;
  bench->counts = all.counts;
  *seconds = elapsed(&all, start);
  return worker_close(&worker, error);
}

/* ---- all ---- */

static void describe(const void *state, const void *point, tutti_record *record)
{
  const struct group_bench *bench = state;
  record->kind = TUTTI_RECORD_GROUP;
  record->build = (tutti_group_run){.point = *(const tutti_group_point *)point, .counts = bench->counts};
}

int main(int argc, char **argv)
{
  const struct program program = {.options = &option_table,
                                  .points = &tutti_group_points,
                                  .state_size = sizeof(struct group_bench),
                                  .apart = true,
                                  .open = group_bench_open,
                                  .once = build_once,
                                  .describe = describe,
                                  .close = group_bench_close};
  return tutti_program_run(&program, argc, argv);
}
