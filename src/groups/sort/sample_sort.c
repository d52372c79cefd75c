/* Sample sort (Axtmann, Wiebigke, Sanders 2018, section IV; Blelloch et al. 1991): p - 1 splitters from a sample of all
   elements, each process divides its elements into p pieces and sends piece i to process i, which sorts what it gets.

   Data moves once, but every process has the p - 1 splitters and up to p - 1 messages: memory and time are linear in p.
   The pieces are as equal as the samples and the duplicates let them be. */
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/numbers.h"
#include "groups/sort/sorting.h"
#include "tutti/collectives.h"

/* Samples of each process: the oversampling ratio of Blelloch et al. */
enum { OVERSAMPLING = 32 };

/* Elements by process, and their positions. */
struct pieces {
  int *counts, *firsts; /* [p] */
};

struct exchange {
  struct pieces out, in;
  int *memory; /* owned: of all four arrays */
  char *data;  /* owned: what is sent, piece by piece */
};

/* ---- division ---- */

/* The number of splitters that are less than an element: it goes to that process. */
static int piece_of(const struct sort *sort, const char *splitters, const char *element)
{
  const tutti_sort_type *type = sort->type;
  return TUTTI_PARTITION_POINT(int, i, 0, sort->view.size - 1,
                               type->compare(sort_at(type, splitters, (uint64_t)i), element, type->context) < 0);
}

/* Returns the sum. */
static uint64_t lay_out(int size, const struct pieces *pieces)
{
  uint64_t sum = 0;
  for (int i = 0; i < size; i++) {
    pieces->firsts[i] = (int)sum; /* used if the sum fits, only */
    sum += (uint64_t)pieces->counts[i];
  }
  return sum;
}

static void divide(const struct sort *sort, const char *splitters, const char *input, uint64_t count, int *piece,
                   struct exchange *x)
{
  for (uint64_t i = 0; i < count; i++)
    x->out.counts[piece[i] = piece_of(sort, splitters, sort_at(sort->type, input, i))]++;
  lay_out(sort->view.size, &x->out);
  for (uint64_t i = 0; i < count; i++) {
    uint64_t place = (uint64_t)x->out.firsts[piece[i]]++;
    memcpy(sort_at(sort->type, x->data, place), sort_at(sort->type, input, i), sort->type->size);
  }
  lay_out(sort->view.size, &x->out);
  tutti_sort_charge(sort, count * (uint64_t)(1 + ceil(log2(sort->view.size))));
}

static tutti_status prepare(const struct sort *sort, const struct sort_splitters *splitters, const void *input,
                            uint64_t count, struct exchange *x)
{
  size_t size = (size_t)sort->view.size;
  int *piece = malloc((count + 1) * sizeof *piece);
  x->memory = calloc(4 * size, sizeof *x->memory);
  x->data = tutti_sort_room(sort, count);
  if (!piece || !x->memory || !x->data) {
    free(piece);
    return tutti_fail(sort->error, TUTTI_ERR_MEMORY, "rank %d: out of memory for an exchange among %zu processes",
                      sort->view.rank, size);
  }
  x->out = (struct pieces){x->memory, x->memory + size};
  x->in = (struct pieces){x->memory + 2 * size, x->memory + 3 * size};
  divide(sort, splitters->elements, input, count, piece, x);
  free(piece);
  return TUTTI_OK;
}

/* ---- exchange ---- */

static tutti_status too_many(const struct sort *sort, uint64_t count)
{
  return tutti_fail(sort->error, TUTTI_ERR_UNSUPPORTED, "rank %d: sample sort of %llu elements in one process",
                    sort->view.rank, (unsigned long long)count);
}

static void count_messages(struct sort *sort, const struct exchange *x)
{
  tutti_sort_tally *tally = &sort->tally;
  tally->levels = 1;
  for (int i = 0; i < sort->view.size; i++) {
    if (i == sort->view.rank)
      continue;
    tally->max_sent += x->out.counts[i] > 0;
    tally->max_received += x->in.counts[i] > 0;
    tally->sent_bytes += (uint64_t)x->out.counts[i] * sort->type->size;
  }
  tally->sent = (uint64_t)tally->max_sent;
  tally->received = (uint64_t)tally->max_received;
}

static tutti_status move(struct sort *sort, const struct exchange *x, char *target)
{
  tutti_method method = tutti_method_default(tutti_algorithm_find(TUTTI_COLL_ALLTOALLV, "linear-sync"));
  MPI_Datatype element;
  if (MPI_Type_contiguous((int)sort->type->size, MPI_BYTE, &element) != MPI_SUCCESS ||
      MPI_Type_commit(&element) != MPI_SUCCESS)
    return tutti_fail(sort->error, TUTTI_ERR_MPI, "rank %d: cannot make a datatype of %zu bytes", sort->view.rank,
                      sort->type->size);
  tutti_status status = tutti_alltoallv(&method, x->data, x->out.counts, x->out.firsts, element, target, x->in.counts,
                                        x->in.firsts, element, &sort->view, sort->error);
  MPI_Type_free(&element);
  return status;
}

static tutti_status exchange(struct sort *sort, struct exchange *x, struct sort_elements *output)
{
  tutti_method method = tutti_method_default(tutti_algorithm_find(TUTTI_COLL_ALLTOALL, "bruck"));
  tutti_status status =
      tutti_alltoall(&method, x->out.counts, 1, MPI_INT, x->in.counts, 1, MPI_INT, &sort->view, sort->error);
  if (status != TUTTI_OK)
    return status;
  output->count = lay_out(sort->view.size, &x->in);
  if (output->count > INT_MAX)
    return too_many(sort, output->count);
  output->data = tutti_sort_room(sort, output->count);
  if (!output->data)
    return TUTTI_ERR_MEMORY;
  count_messages(sort, x);
  return move(sort, x, output->data);
}

/* ---- the sort ---- */

static tutti_status sort_alone(const struct sort *sort, const void *input, uint64_t count, struct sort_elements *output)
{
  tutti_status status = tutti_sort_copy(sort, input, count, output);
  if (status == TUTTI_OK)
    tutti_sort_locally(sort, output->data, count);
  return status;
}

tutti_status tutti_sort_by_sample(struct sort *sort, const void *input, uint64_t count, struct sort_elements *output)
{
  const struct sort_sampling sampling = {.parts = sort->view.size, .most = OVERSAMPLING};
  struct sort_splitters splitters;
  struct exchange x = {.memory = NULL};
  if (sort->view.size == 1)
    return sort_alone(sort, input, count, output);
  if (count > INT_MAX)
    return too_many(sort, count);
  tutti_status status = tutti_sort_split(sort, &sort->view, &sampling, input, count, &splitters);
  if (status == TUTTI_OK)
    status = prepare(sort, &splitters, input, count, &x);
  if (status == TUTTI_OK)
    status = exchange(sort, &x, output);
  if (status == TUTTI_OK)
    tutti_sort_locally(sort, output->data, output->count);
  free(splitters.memory);
  free(x.memory);
  free(x.data);
  return status;
}
