/* Collectives, look-ups and messages of what stands, against formulas. */
#include "bed.h"

#include "../clock.h"

enum { MAX_COUNT = 700 };

static int value(int id, int trial, int index)
{
  return id * 1009 + trial * 31 + index * 3;
}

static int sum_over_group(const struct bed *bed, const struct asked *asked, int index)
{
  int sum = 0, mine = asked->color[bed->view.rank];
  for (int i = 0; i < bed->view.size; i++)
    if (asked->color[i] == mine)
      sum += value(i, bed->trial, index);
  return sum;
}

/* The first word says who the root is, which the others do not know. */
static void check_bcast(struct bed *bed, const struct asked *asked, int *buffer, int count)
{
  tutti_error error = {.message = ""};
  bool is_root = tutti_group_membership(asked->group).parent == TUTTI_NO_PROCESS, right = true;
  for (int i = 0; i < count; i++)
    buffer[i] = is_root ? i == 0 ? bed->view.rank : value(bed->view.rank, bed->trial, i) : -1;
  must(bed, tutti_group_bcast(asked->group, buffer, (uint64_t)count, MPI_INT, &error), "bcast", &error);
  for (int i = 1; i < count; i++)
    right = right && buffer[i] == value(buffer[0], bed->trial, i);
  right = right && (count == 0 || asked->color[buffer[0]] == asked->color[bed->view.rank]);
  check(&bed->checks, right, "%s, rank %d of %d, trial %d: wrong broadcast of %d", name_of(asked), bed->view.rank,
        bed->view.size, bed->trial, count);
}

static void check_reductions(struct bed *bed, const struct asked *asked, int *input, int *output, int count)
{
  tutti_error error = {.message = ""};
  bool is_root = tutti_group_membership(asked->group).parent == TUTTI_NO_PROCESS, right = true;
  for (int i = 0; i < count; i++)
    input[i] = value(bed->view.rank, bed->trial, i);
  must(bed, tutti_group_reduce(asked->group, input, is_root ? output : NULL, (uint64_t)count, MPI_INT, MPI_SUM, &error),
       "reduce", &error);
  for (int i = 0; is_root && i < count; i++)
    right = right && output[i] == sum_over_group(bed, asked, i);
  check(&bed->checks, right, "%s, trial %d: wrong reduction of %d", name_of(asked), bed->trial, count);
  must(bed, tutti_group_allreduce(asked->group, input, output, (uint64_t)count, MPI_INT, MPI_SUM, &error), "allreduce",
       &error);
  for (int i = 0; i < count; i++)
    right = right && output[i] == sum_over_group(bed, asked, i);
  check(&bed->checks, right, "%s, trial %d: wrong allreduction of %d", name_of(asked), bed->trial, count);
}

/* Nobody may leave before the last one has entered. */
static void check_barrier(struct bed *bed, const struct asked *asked)
{
  tutti_error error = {.message = ""};
  double entered = now(), last;
  must(bed, tutti_group_barrier(asked->group, &error), "barrier", &error);
  double left = now();
  must(bed, tutti_group_allreduce(asked->group, &entered, &last, 1, MPI_DOUBLE, MPI_MAX, &error), "allreduce", &error);
  check(&bed->checks, left >= last, "%s, rank %d, trial %d: the barrier was left at %.9f, entered by the last at %.9f",
        name_of(asked), bed->view.rank, bed->trial, left, last);
}

/* ---- look-ups ---- */

static void exchange(struct bed *bed, const struct asked *asked, int to, int from, int *message)
{
  tutti_error error = {.message = ""};
  int mine[2] = {bed->view.rank, to};
  bool first = tutti_group_membership(asked->group).rank % 2 == 0;
  for (int step = 0; step < 2; step++)
    if (first == (step == 0))
      must(bed, tutti_group_send(asked->group, mine, 2, MPI_INT, to, &error), "send", &error);
    else
      must(bed, tutti_group_recv(asked->group, message, 2, MPI_INT, from, &error), "recv", &error);
}

/* Messages go round among the ranks, at several distances, without a pause for those that serve the look-ups. */
static void check_ranks(struct bed *bed, const struct asked *asked)
{
  tutti_error error = {.message = ""};
  tutti_membership m = tutti_group_membership(asked->group);
  if (!tutti_group_builder_hashes(asked->how.builder) || asked->how.ranks_per_node > 1) {
    int id;
    refused(bed, TUTTI_ERR_UNSUPPORTED, tutti_group_find(asked->group, 0, &id, &error), "a look-up without ranks");
    return;
  }
  for (int d = 1; d < m.size && d < 40; d = 2 * d + 1) {
    int message[2] = {-1, -1}, id = -1, from = (m.rank + m.size - d) % m.size;
    exchange(bed, asked, (m.rank + d) % m.size, from, message);
    must(bed, tutti_group_find(asked->group, from, &id, &error), "find", &error);
    check(&bed->checks, message[0] == id && message[1] == m.rank && asked->color[id] == asked->color[bed->view.rank],
          "%s, trial %d: rank %d is %d, but %d sent to %d", name_of(asked), bed->trial, from, id, message[0],
          message[1]);
  }
}

void use_split(struct bed *bed, const struct asked *asked)
{
  tutti_error error = {.message = ""};
  int count = below(&bed->seed, 3) ? below(&bed->seed, MAX_COUNT) : below(&bed->seed, 3);
  if (asked->takes_part && asked->color[bed->view.rank] < 0)
    refused(bed, TUTTI_ERR_ARGUMENT, tutti_group_barrier(asked->group, &error), "a barrier of strangers");
  if (asked->color[bed->view.rank] >= 0) {
    int *input = malloc((MAX_COUNT + 1) * sizeof *input), *output = malloc((MAX_COUNT + 1) * sizeof *output);
    check_bcast(bed, asked, output, count);
    check_reductions(bed, asked, input, output, count);
    check_barrier(bed, asked);
    check_ranks(bed, asked);
    free(input);
    free(output);
  }
  must(bed, tutti_endpoint_barrier(bed->endpoint, &error), "the barrier of all", &error);
}
