/* Space and time of communicators at scale (Kamal, Mirtaheri, Wagner 2010, section 8.1, figure 5): some communicators
   of one group, made by tutti_comm_split() of all processes; messages between random members and a barrier; gathers of
   4 bytes from each by rank 0.

   mpiexec -n 16 bench-communicators [--shape decreasing] [--members 8] [--sharing node] [--strategy least-space]
   [--communicators 8] [--messages 10000] [--gathers 10]

   One line: bytes of all communicators in all processes, handles and maps; beside them, computed from the same run,
   what they would be with arrays, and if nobody shared. Times from a common start to the latest process; create_s is
   the mean of the communicators; times are 0 for what was not asked for. In simulation computing takes no time. */
#include "communicators.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/measure/coordinate.h"

struct bench {
  tutti_error error;
  struct communicators_options options;
  tutti_view view; /* all, for what is not measured */
  struct clock clock;
  tutti_context_pool *contexts;
  tutti_comm *comms[MAX_COMMUNICATORS];
  int place; /* in the group; -1: none */
  double create, messages, gathers;
};

static void must(struct bench *b, tutti_status status)
{
  if (status == TUTTI_OK)
    return;
  fprintf(stderr, "bench-communicators: %s\n", b->error.message);
  MPI_Abort(MPI_COMM_WORLD, 1);
}

static tutti_method method_of(struct bench *b, const char *text)
{
  tutti_method method;
  must(b, tutti_method_parse(text, &method, &b->error));
  return method;
}

/* ---- timing ---- */

static double start_together(struct bench *b)
{
  if (!tutti_clock_is_simulated()) {
    must(b, tutti_barrier_bruck(&b->view, &b->error));
    return tutti_clock_now(&b->clock);
  }
  double start = b->view.rank == 0 ? tutti_clock_next_start(&b->clock) : 0;
  must(b, tutti_bcast_from_rank0(&b->view, &start, sizeof start, &b->error));
  tutti_clock_wait_until(&b->clock, start);
  return start;
}

/* At rank 0: until the latest process. */
static double time_since(struct bench *b, double start)
{
  double end = tutti_clock_now(&b->clock);
  must(b, tutti_max_at_rank0(&b->view, &end, 1, &b->error));
  return fmax(0, end - start);
}

/* ---- what is measured ---- */

static void create(struct bench *b)
{
  double start = start_together(b);
  int color = b->place >= 0 ? 0 : MPI_UNDEFINED;
  for (int i = 0; i < b->options.communicators; i++)
    must(b, tutti_comm_split(tutti_context_pool_world(b->contexts), color, b->place, &b->comms[i], &b->error));
  b->create = time_since(b, start) / b->options.communicators;
}

static void send_messages(struct bench *b)
{
  struct own own = {.count = 0};
  struct traffic traffic = {b->options.messages, b->options.seed};
  tutti_view *view = b->place >= 0 ? tutti_comm_view(b->comms[0]) : NULL;
  tutti_method barrier = method_of(b, "barrier/tree");
  if (view)
    must(b, traffic_draw(&traffic, view, &own, &b->error));
  double start = start_together(b);
  if (view) {
    must(b, traffic_exchange(&own, view, &b->error));
    must(b, tutti_barrier(&barrier, view, &b->error));
  }
  b->messages = time_since(b, start);
  free(own.peers);
}

static void gather(struct bench *b)
{
  tutti_view *view = b->place >= 0 ? tutti_comm_view(b->comms[0]) : NULL;
  int *all = b->place == 0 ? malloc((size_t)view->size * sizeof *all) : NULL;
  tutti_method binomial = method_of(b, "gather/binomial");
  double start = start_together(b);
  for (int i = 0; view && i < b->options.gathers; i++)
    must(b, tutti_gather(&binomial, &b->place, 1, MPI_INT, all, 1, MPI_INT, 0, view, &b->error));
  b->gathers = time_since(b, start);
  for (int r = 0; all && b->options.gathers && r < view->size; r++)
    if (all[r] != r)
      must(b, tutti_fail(&b->error, TUTTI_ERR_FAULT, "gathered %d from rank %d", all[r], r));
  free(all);
}

/* ---- context pool ---- */

enum { SUM_BYTES, SUM_MAPS, SUM_HANDLES, SUMS };

static void sum_up(struct bench *b, int64_t *all)
{
  int64_t own[SUMS] = {0};
  size_t handle = tutti_comm_bytes(tutti_context_pool_world(b->contexts));
  tutti_method binomial = method_of(b, "reduce/binomial");
  for (int i = 0; i < b->options.communicators && b->comms[i]; i++) {
    size_t bytes = tutti_comm_bytes(b->comms[i]);
    own[SUM_BYTES] += (int64_t)bytes;
    own[SUM_MAPS] += bytes > handle;
    own[SUM_HANDLES] += (int64_t)handle;
  }
  must(b, tutti_reduce(&binomial, own, all, SUMS, MPI_INT64_T, MPI_SUM, 0, &b->view, &b->error));
}

/* What rank 0 of the group knows of its map: kind, bytes, those of an array. */
struct of_map {
  int64_t kind, bytes, array;
};

static struct of_map describe_map(struct bench *b)
{
  struct of_map own = {0}, all;
  tutti_method binomial = method_of(b, "reduce/binomial");
  if (b->place == 0) {
    const tutti_map *map = tutti_comm_map(b->comms[0]);
    int size = tutti_map_size(map), *members = malloc((size_t)size * sizeof *members);
    tutti_map *array;
    if (!members)
      must(b, tutti_fail(&b->error, TUTTI_ERR_MEMORY, "out of memory for %d members", size));
    tutti_map_select_all(map, 0, size, members);
    must(b, tutti_map_create(TUTTI_MAP_ARRAY, members, size, tutti_map_world(map), NULL, &array, &b->error));
    own = (struct of_map){tutti_map_kind_of(map), (int64_t)tutti_map_bytes(map), (int64_t)tutti_map_bytes(array)};
    tutti_map_free(array);
    free(members);
  }
  must(b, tutti_reduce(&binomial, &own, &all, 3, MPI_INT64_T, MPI_MAX, 0, &b->view, &b->error));
  return all;
}

static void report(struct bench *b)
{
  int64_t sums[SUMS] = {0};
  struct of_map map = describe_map(b);
  sum_up(b, sums);
  if (b->view.rank != 0)
    return;
  int64_t overhead = sums[SUM_MAPS] ? (sums[SUM_BYTES] - sums[SUM_HANDLES]) / sums[SUM_MAPS] - map.bytes : 0;
  int64_t each = (int64_t)b->options.members * b->options.communicators;
  double ranks = b->view.size;
  printf(
      "tutti-communicators v=1 flavor=%s ranks=%d shape=%s members=%d sharing=%s strategy=%s communicators=%d kind=%s "
      "map_bytes=%lld array_bytes=%lld maps=%lld total_bytes=%lld array_total_bytes=%lld unshared_total_bytes=%lld "
      "unshared_array_total_bytes=%lld bytes_per_rank=%.1f create_s=%.9g messages_s=%.9g gathers_s=%.9g\n",
      TUTTI_FLAVOR, b->view.size, tutti_shape_names[b->options.shape], b->options.members,
      sharing_names[b->options.sharing], tutti_map_strategy_name(b->options.strategy), b->options.communicators,
      tutti_map_kind_name((tutti_map_kind)map.kind), (long long)map.bytes, (long long)map.array,
      (long long)sums[SUM_MAPS], (long long)sums[SUM_BYTES],
      (long long)(sums[SUM_HANDLES] + sums[SUM_MAPS] * (overhead + map.array)),
      (long long)(sums[SUM_HANDLES] + each * (overhead + map.bytes)),
      (long long)(sums[SUM_HANDLES] + each * (overhead + map.array)), (double)sums[SUM_BYTES] / ranks, b->create,
      b->messages, b->gathers);
  printf("tutti-communicators-end v=1\n");
}

/* ---- all of it ---- */

static tutti_status prepare(struct bench *b)
{
  must(b, tutti_view_of(MPI_COMM_WORLD, &b->view, &b->error));
  int capacity = tutti_shape_capacity(b->options.shape, b->view.size);
  if (b->options.members == 0)
    b->options.members = capacity;
  if (capacity < 1 || b->options.members > capacity)
    return tutti_fail(&b->error, TUTTI_ERR_ARGUMENT, "no group %s of %d of %d processes",
                      tutti_shape_names[b->options.shape], b->options.members, b->view.size);
  b->place = tutti_shape_rank(b->options.shape, b->options.members, b->view.size, b->view.rank);
  /* SMPI's duplicate of a communicator takes O(ranks) bytes on every rank. */
  tutti_context_pool_options options = {b->options.sharing, b->options.strategy, b->options.ranks_per_node,
                                        .borrowed = tutti_clock_is_simulated()};
  must(b, tutti_context_pool_open(MPI_COMM_WORLD, &options, &b->contexts, &b->error));
  must(b, tutti_clock_synchronize(&b->view, &b->clock, &b->error));
  return TUTTI_OK;
}

static tutti_status run(struct bench *b)
{
  tutti_status status = prepare(b);
  if (status != TUTTI_OK)
    return status;
  create(b);
  if (b->options.messages > 0)
    send_messages(b);
  if (b->options.gathers > 0)
    gather(b);
  report(b);
  for (int i = 0; i < b->options.communicators; i++)
    must(b, tutti_comm_free(&b->comms[i], &b->error));
  must(b, tutti_context_pool_close(b->contexts, &b->error));
  return TUTTI_OK;
}

int main(int argc, char **argv)
{
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  struct bench *b = calloc(1, sizeof *b); /* too large for the stack of a simulated rank */
  if (!b)
    MPI_Abort(MPI_COMM_WORLD, 1);
  tutti_status status = communicators_options_read(argc, argv, &b->options, &b->error);
  if (status == TUTTI_OK && !b->options.help)
    status = run(b);
  else if (status == TUTTI_OK && rank == 0)
    fputs(communicators_usage, stdout);
  if (status != TUTTI_OK && rank == 0)
    fprintf(stderr, "bench-communicators: %s\n", b->error.message);
  free(b);
  MPI_Finalize();
  return status == TUTTI_OK ? 0 : 2;
}
