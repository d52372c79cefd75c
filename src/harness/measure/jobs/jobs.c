/*
 * tutti-jobs: several jobs at once, each on ranks of its own.
 *
 *     tutti-jobs FILE [JOB]    a file of jobs (docs/reference/jobs-files.md); only number JOB, which counts from 0,
 * runs, the others are idle
 *
 * Prints the time of each job. Each rank reads the file itself, which takes no simulated time; views of MPI_COMM_WORLD
 * are the groups, so that making them takes none either; what a library chooses by itself runs on communicators, which
 * are split before. In simulation the start is that of tutti-bench: the same
 * messages before it, as they decide the order in which ranks start (src/harness/engine/riders/start.c).
 */
#include <argp.h>
#include <mpi.h>
#include <stdlib.h>

#include "base/say.h"
#include "base/text.h"
#include "harness/engine/riders/jobs.h"
#include "harness/measure/bench/bench.h"
#include "harness/measure/coordinate.h"
#include "tutti/plugin.h"

/* Of as many bytes as that of tutti-bench. */
struct task {
  int status; /* a tutti_status: of what rank 0 has read */
  char rest[508];
};

/* The part of a rank. */
struct part {
  const char *path; /* of the jobs */
  struct engine_jobs jobs;
  size_t only;
  bool handled;                 /* by help or a version alone */
  bool shared;                  /* the error is that of all ranks: rank 0 reports it */
  size_t number;                /* of its job */
  const struct engine_job *job; /* NULL: none */
  tutti_view all, group;
  bool native;        /* a job of the file is run by the library */
  int rounds, warmup; /* rounds; those of them that do not count */
  MPI_Comm comm;      /* of the job, if a job is native; else MPI_COMM_NULL */
  struct clock clock;
  struct starts starts;
  double *seconds; /* [jobs.count] */
};

/* ---- the job of a rank ---- */

static int compare_ranks(const void *left, const void *right)
{
  const uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;
  return (a > b) - (a < b);
}

static int select_member(const void *job, int rank)
{
  return (int)((const struct engine_job *)job)->members[rank];
}

static int rank_of_member(const void *map, int member)
{
  const struct engine_job *job = map;
  const uint32_t wanted = (uint32_t)member,
                 *found = bsearch(&wanted, job->members, job->size, sizeof wanted, compare_ranks);
  return found ? (int)(found - job->members) : -1;
}

static struct point point_of(const struct engine_job *job)
{
  return (struct point){.method = job->method, .count = job->bytes, .type_size = 1};
}

static struct points points_of(const struct engine_job *job, const struct point *point)
{
  return (struct points){.ranks = (int)job->size, .ranks_per_node = 1, .count = 1, .items = (void *)point};
}

static void find_job(struct part *part)
{
  for (size_t j = 0; j < part->jobs.count && !part->job; j++)
    if ((part->only == JOBS_ALL || part->only == j) && rank_of_member(&part->jobs.items[j], part->all.rank) >= 0) {
      part->job = &part->jobs.items[j];
      part->number = j;
    }
}

/* In simulation one round is exact, and one before it if a library finds out at its first call which ranks share a
   node; on a real machine the median of several counts. */
enum { WARMUP = 3, ROUNDS = 21 };

static void choose_rounds(struct part *part)
{
  for (size_t j = 0; j < part->jobs.count; j++)
    part->native |= tutti_method_is_library(&part->jobs.items[j].method);
  part->warmup = tutti_clock_is_simulated() ? part->native : WARMUP;
  part->rounds = part->warmup + (tutti_clock_is_simulated() ? 1 : ROUNDS);
}

static tutti_status split(struct part *part, tutti_error *error)
{
  if (!part->native || MPI_Comm_split(MPI_COMM_WORLD, part->job ? (int)part->number : MPI_UNDEFINED, part->all.rank,
                                      &part->comm) == MPI_SUCCESS)
    return TUTTI_OK;
  return tutti_fail(error, TUTTI_ERR_MPI, "rank %d: no communicators of the jobs", part->all.rank);
}

static tutti_status check_jobs(const struct part *part, tutti_error *error)
{
  const size_t count = part->jobs.count;
  tutti_error reason;
  if (part->only != JOBS_ALL && part->only >= count)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "%s: there is no job %zu: it has %zu job%s, which count from 0",
                      part->path, part->only, count, tutti_plural(count));
  for (size_t j = 0; j < count; j++) {
    const struct engine_job *job = &part->jobs.items[j];
    const struct point point = point_of(job);
    const struct points points = points_of(job, &point);
    const tutti_status status = tutti_buffer_sizes_check(&points, (int)job->size, &reason);
    if (status != TUTTI_OK)
      return tutti_fail(error, status, "%s:%d: %s", part->path, job->line, reason.message);
  }
  return TUTTI_OK;
}

static tutti_status read_part(struct part *part, tutti_error *error)
{
  tutti_status status = tutti_plugins_load(error);
  if (status == TUTTI_OK)
    status = tutti_jobs_read(part->path, &part->jobs, error);
  if (status == TUTTI_OK)
    status = tutti_jobs_check(&part->jobs, part->path, true, error);
  if (status == TUTTI_OK)
    status = check_jobs(part, error);
  if (status == TUTTI_OK)
    status = tutti_jobs_place(&part->jobs, (uint32_t)part->all.size, error);
  if (status != TUTTI_OK)
    return status;
  part->seconds = calloc(part->jobs.count, sizeof *part->seconds);
  if (!part->seconds)
    return tutti_fail(error, TUTTI_ERR_MEMORY, "rank %d: out of memory for %zu jobs", part->all.rank, part->jobs.count);
  find_job(part);
  choose_rounds(part);
  return TUTTI_OK;
}

/* An error of rank 0 is that of all ranks, which then end in good order; another rank may miss a file that rank 0 has.
 */
static tutti_status agree(struct part *part, tutti_status read, tutti_error *error)
{
  struct task task = {.status = (int)read};
  const tutti_status status = tutti_bcast_from_rank0(&part->all, &task, sizeof task, error);
  part->shared = status == TUTTI_OK && task.status != TUTTI_OK;
  return part->shared ? (tutti_status)task.status : status == TUTTI_OK ? read : status;
}

/* ---- its calls ---- */

/* The first rank of the job gets the largest time of its ranks. */
static tutti_status call_once(struct part *part, const struct subject *subject, double *elapsed, tutti_error *error)
{
  double begun;
  tutti_status status = tutti_start_together(&part->all, &part->starts, 0, &begun, error);
  for (uint32_t i = 0; i < part->job->repeat && status == TUTTI_OK; i++)
    status = tutti_perform(subject, &part->group, error);
  *elapsed = tutti_clock_now(&part->clock) - begun;
  return status == TUTTI_OK ? tutti_max_at_rank0(&part->group, elapsed, 1, error) : status;
}

static tutti_status call_all(struct part *part, const struct subject *subject, tutti_error *error)
{
  double values[WARMUP + ROUNDS];
  tutti_status status = TUTTI_OK;
  for (int round = 0; status == TUTTI_OK && round < part->rounds; round++)
    status = call_once(part, subject, &values[round], error);
  if (status == TUTTI_OK && part->group.rank == 0)
    part->seconds[part->number] = tutti_statistics_of(values + part->warmup, part->rounds - part->warmup).median;
  return status;
}

static tutti_status prepare_and_call(struct part *part, const struct points *points, tutti_error *error)
{
  struct buffers buffers;
  struct subject subject = {.element = MPI_DATATYPE_NULL};
  tutti_status status = tutti_buffers_create(points, &part->group, &buffers, error);
  if (status == TUTTI_OK)
    status = tutti_subject_create(points->items, &buffers, &part->group, &subject, error);
  if (status == TUTTI_OK)
    status = call_all(part, &subject, error);
  tutti_subject_free(&subject);
  tutti_buffers_free(&buffers);
  return status;
}

static tutti_status be_idle(struct part *part, tutti_error *error)
{
  double begun;
  tutti_status status = TUTTI_OK;
  for (int round = 0; status == TUTTI_OK && round < part->rounds; round++)
    status = tutti_start_together(&part->all, &part->starts, 0, &begun, error);
  return status;
}

static tutti_status run_job(struct part *part, tutti_error *error)
{
  const struct engine_job *job = part->job;
  const struct point point = point_of(job);
  const struct points points = points_of(job, &point);
  const tutti_lookup members = {job, (int)job->size, part->all.size, select_member, rank_of_member};
  const tutti_status status = tutti_method_is_library(&job->method)
                                  ? tutti_view_of(part->comm, &part->group, error)
                                  : tutti_view_mapped(&part->all, &members, &part->group, error);
  return status == TUTTI_OK ? prepare_and_call(part, &points, error) : status;
}

/* ---- all ---- */

/* Rank 0 gets the times of all jobs when all are over. */
static tutti_status collect(struct part *part, tutti_error *error)
{
  enum { AT_ONCE = 64 };
  tutti_status status = TUTTI_OK;
  tutti_sleep_until_all(&part->starts, 1);
  for (size_t j = 0; j < part->jobs.count && status == TUTTI_OK; j += AT_ONCE) {
    const size_t left = part->jobs.count - j;
    status = tutti_max_at_rank0(&part->all, &part->seconds[j], (int)(left < AT_ONCE ? left : AT_ONCE), error);
  }
  return status;
}

static void print(const struct part *part)
{
  for (size_t j = 0; j < part->jobs.count; j++)
    if (part->only == JOBS_ALL || part->only == j)
      tutti_jobs_print_time(&part->jobs, j, part->seconds[j], stdout);
  tutti_jobs_print_end(stdout);
  fflush(stdout);
}

static tutti_status run_part(struct part *part, tutti_error *error)
{
  part->starts.clock = &part->clock;
  tutti_status status = split(part, error);
  if (status == TUTTI_OK)
    status = tutti_clock_synchronize(&part->all, &part->clock, error);
  if (status == TUTTI_OK)
    status = part->job ? run_job(part, error) : be_idle(part, error);
  if (status == TUTTI_OK)
    status = collect(part, error);
  if (status == TUTTI_OK && part->all.rank == 0)
    print(part);
  return status;
}

/* ---- the command line, which all ranks have ---- */

static const struct argp_option options[] = {
    {"help", 'h', NULL, 0, "Print this help; under smpirun say -h or --usage, because SimGrid answers --help", 0},
    {"usage", 0, NULL, OPTION_ALIAS, NULL, 0},
    {"version", 'V', NULL, 0, "Print the version", 0},
    {NULL, 0, NULL, 0, NULL, 0},
};

static error_t take_argument(struct part *part, char *argument, struct argp_state *state)
{
  uint64_t only;
  if (state->arg_num == 0) {
    part->path = argument;
    return 0;
  }
  if (state->arg_num == 1 && tutti_parse_integer(argument, 0, JOBS_ALL - 1, &only)) {
    part->only = only;
    return 0;
  }
  argp_error(state, state->arg_num == 1 ? "'%s' is no number of a job" : "unexpected argument '%s'", argument);
  return EINVAL;
}

static error_t parse_option(int key, char *argument, struct argp_state *state)
{
  struct part *part = state->input;
  switch (key) {
  case 'h':
  case 'V':
    part->handled = true;
    if (part->all.rank == 0 && key == 'V')
      puts("tutti-jobs " TUTTI_VERSION);
    else if (part->all.rank == 0)
      argp_state_help(state, stdout, ARGP_HELP_STD_HELP & ~ARGP_HELP_EXIT_OK);
    return 0;
  case ARGP_KEY_ARG:
    return take_argument(part, argument, state);
  case ARGP_KEY_END:
    if (part->path || part->handled)
      return 0;
    argp_error(state, "a file of jobs is expected");
    return EINVAL;
  default:
    return ARGP_ERR_UNKNOWN;
  }
}

/* Rank 0 answers; returns whether the command line is right. */
static bool parse(int argc, char **argv, struct part *part)
{
  const struct argp argp = {
      .options = options,
      .parser = parse_option,
      .args_doc = "FILE [JOB]",
      .doc = "Run several jobs at once, each on ranks of its own, and print the time of each.\v"
             "FILE has a job a line: NAME RANKS PLACEMENT METHOD BYTES [REPEAT]. With JOB, a number that counts from "
             "0, that one runs alone. Run it under smpirun or mpiexec, on as many ranks as the jobs have, or more."};
  const unsigned quiet = part->all.rank == 0 ? 0 : ARGP_NO_ERRS;
  return argp_parse(&argp, argc, argv, ARGP_NO_EXIT | ARGP_NO_HELP | quiet, NULL, part) == 0;
}

/* ---- the program ---- */

/* A frame of its own beside the error of main(). */
static tutti_status __attribute__((noinline)) run(int argc, char **argv, struct part *part, tutti_error *error)
{
  tutti_status status = tutti_view_of(MPI_COMM_WORLD, &part->all, error);
  if (status != TUTTI_OK)
    return status;
  part->shared = !parse(argc, argv, part);
  if (part->handled || part->shared)
    return part->shared ? TUTTI_ERR_ARGUMENT : TUTTI_OK;
  status = agree(part, read_part(part, error), error);
  return status == TUTTI_OK ? run_part(part, error) : status;
}

int main(int argc, char **argv)
{
  tutti_error error = {.message = ""};
  struct part part = {.only = JOBS_ALL, .comm = MPI_COMM_NULL};
  MPI_Init(&argc, &argv);
  const tutti_status status = run(argc, argv, &part, &error);
  if (status != TUTTI_OK && *error.message && (part.all.rank == 0 || !part.shared))
    tutti_say(stderr, "tutti-jobs: %s\n", error.message);
  fflush(stderr);
  if (status != TUTTI_OK && !part.shared)
    MPI_Abort(MPI_COMM_WORLD, 2);
  tutti_starts_end(&part.starts);
  tutti_jobs_free(&part.jobs);
  free(part.seconds);
  if (part.comm != MPI_COMM_NULL)
    MPI_Comm_free(&part.comm);
  MPI_Finalize();
  return status == TUTTI_OK ? 0 : 2;
}
