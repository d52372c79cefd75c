/* Views: of communicators, ranges and maps; nodes; and how many processes two views share. */
#include <limits.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/machine.h"
#include "tutti/view.h"

tutti_status tutti_view_of(MPI_Comm comm, tutti_view *view, tutti_error *error)
{
  int size, rank, inter;
  if (comm == MPI_COMM_NULL || MPI_Comm_size(comm, &size) != MPI_SUCCESS || MPI_Comm_rank(comm, &rank) != MPI_SUCCESS ||
      MPI_Comm_test_inter(comm, &inter) != MPI_SUCCESS || inter)
    return tutti_fail(error, TUTTI_ERR_MPI, "a view needs a valid intracommunicator");
  *view = (tutti_view){.comm = comm,
                       .size = size,
                       .rank = rank,
                       .first = 0,
                       .stride = 1,
                       .first_tag = TUTTI_FIRST_TAG,
                       .tag_count = TUTTI_TAG_COUNT};
  return TUTTI_OK;
}

tutti_status tutti_view_tags(tutti_view *view, int offset, int count, tutti_error *error)
{
  if (offset < 0 || count < 1 || offset >= view->tag_count || count > view->tag_count - offset)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "no %d tags from number %d on in a window of %d", count, offset,
                      view->tag_count);
  view->first_tag += offset;
  view->tag_count = count;
  view->begun = view->prepared = 0;
  return TUTTI_OK;
}

/* ---- nodes: by the PMPI_ names, because the interposer, which calls this, wraps the others ---- */

#ifndef SMPI_HELPERS_H

static int split_by_host(MPI_Comm comm, int rank, MPI_Comm *node)
{
  char host[TUTTI_MACHINE_WORD];
  tutti_machine_host(host);
  uint64_t digest = tutti_digest(host, strlen(host));
  MPI_Comm half;
  int result = PMPI_Comm_split(comm, (int)(digest >> 33), rank, &half);
  if (result != MPI_SUCCESS)
    return result;
  result = PMPI_Comm_split(half, (int)(digest & INT_MAX), rank, node);
  PMPI_Comm_free(&half);
  return result;
}

/* Whether there are several ranks, each on a node of its own. */
static int are_all_alone(MPI_Comm comm, MPI_Comm node, int *alone)
{
  int size, most, result = PMPI_Comm_size(node, &size);
  if (result == MPI_SUCCESS)
    result = PMPI_Allreduce(&size, &most, 1, MPI_INT, MPI_MAX, comm);
  if (result == MPI_SUCCESS)
    result = PMPI_Comm_size(comm, &size);
  *alone = result == MPI_SUCCESS && most == 1 && size > 1;
  return result;
}

/* Libraries that use no shared memory report that none is shared: MPICH 5.0 over UCX
   (github.com/pmodels/mpich/issues/7705), and those configured so. Then the names of hosts identify nodes. */
static int correct_node(MPI_Comm comm, int rank, MPI_Comm *node)
{
  int alone, result = are_all_alone(comm, *node, &alone);
  if (result != MPI_SUCCESS || !alone)
    return result;
  PMPI_Comm_free(node);
  return split_by_host(comm, rank, node);
}

#endif

int tutti_node_split(MPI_Comm comm, MPI_Comm *node)
{
  int rank, result = PMPI_Comm_rank(comm, &rank);
  if (result == MPI_SUCCESS)
    result = PMPI_Comm_split_type(comm, MPI_COMM_TYPE_SHARED, rank, MPI_INFO_NULL, node);
#ifndef SMPI_HELPERS_H
  if (result == MPI_SUCCESS)
    result = correct_node(comm, rank, node);
#endif
  return result;
}

int tutti_node_leader(MPI_Comm comm, int *leader)
{
  MPI_Comm node;
  int result = PMPI_Comm_rank(comm, leader);
  if (result == MPI_SUCCESS)
    result = tutti_node_split(comm, &node);
  if (result != MPI_SUCCESS)
    return result;
  result = PMPI_Bcast(leader, 1, MPI_INT, 0, node);
  PMPI_Comm_free(&node);
  return result;
}

static int find_nodes(const tutti_view *view, int *nodes)
{
  int leader, result = tutti_node_leader(view->comm, &leader);
  return result == MPI_SUCCESS ? PMPI_Allgather(&leader, 1, MPI_INT, nodes, 1, MPI_INT, view->comm) : result;
}

bool tutti_view_is_whole(const tutti_view *view)
{
  int size;
  return PMPI_Comm_size(view->comm, &size) == MPI_SUCCESS && !view->lookup && view->first == 0 && view->stride == 1 &&
         view->size == size;
}

tutti_status tutti_view_find_nodes(tutti_view *view, int *nodes, tutti_error *error)
{
  if (!tutti_view_is_whole(view))
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "nodes are found on the view of a whole communicator, not of a range");
  if (find_nodes(view, nodes) != MPI_SUCCESS)
    return tutti_fail(error, TUTTI_ERR_MPI, "rank %d: the ranks that share memory could not be found", view->rank);
  view->nodes = nodes;
  return TUTTI_OK;
}

/* Number of ranks of a range, or 0 if it is empty or leaves the parent. */
static int range_size(const tutti_view *parent, int first, int last, int stride)
{
  if (stride == 0 || first < 0 || first >= parent->size || last < 0 || last >= parent->size)
    return 0;
  int64_t span = (int64_t)last - first;
  return span / stride < 0 || (span != 0 && (span < 0) != (stride < 0)) ? 0 : (int)(span / stride) + 1;
}

/* The i of 0 .. count - 1 for which first + i * stride is the value, or -1. */
static int index_of(int value, int first, int stride, int count)
{
  int distance = value - first, i = distance / stride;
  return i * stride == distance && i >= 0 && i < count ? i : -1;
}

tutti_status tutti_view_range(const tutti_view *parent, int first, int last, int stride, tutti_view *view,
                              tutti_error *error)
{
  int size = range_size(parent, first, last, stride);
  if (size == 0)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "no range %d..%d with stride %d in a view of %d ranks", first, last,
                      stride, parent->size);
  tutti_view range = *parent;
  range.size = size;
  range.first = parent->first + first * parent->stride;
  range.stride = size > 1 ? stride * parent->stride : 1; /* with one rank the stride may be anything */
  range.rank = parent->rank < 0 ? -1 : index_of(parent->rank, first, stride, size);
  *view = range;
  return TUTTI_OK;
}

/* ---- maps ---- */

tutti_status tutti_view_mapped(const tutti_view *parent, const tutti_lookup *lookup, tutti_view *view,
                               tutti_error *error)
{
  if (parent->lookup)
    return tutti_fail(error, TUTTI_ERR_UNSUPPORTED, "a map of a view that has a map: join the two to one map");
  if (lookup->size < 1 || lookup->world > parent->size)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "a map of %d members of a world of %d, in a view of %d ranks",
                      lookup->size, lookup->world, parent->size);
  tutti_view mapped = *parent;
  mapped.size = lookup->size;
  mapped.rank = parent->rank >= 0 && parent->rank < lookup->world ? lookup->rank(lookup->map, parent->rank) : -1;
  mapped.map_first = parent->first;
  mapped.map_stride = parent->stride;
  mapped.first = 0;
  mapped.stride = 1;
  mapped.lookup = lookup;
  *view = mapped;
  return TUTTI_OK;
}

int tutti_view_rank_of(const tutti_view *view, int base_rank)
{
  int i = base_rank;
  if (view->lookup) {
    int member = index_of(base_rank, view->map_first, view->map_stride, view->lookup->world);
    i = member < 0 ? -1 : view->lookup->rank(view->lookup->map, member);
    if (i < 0)
      return -1;
  }
  return index_of(i, view->first, view->stride, view->size);
}

/* The number of processes that two views share. For ranges: the common terms of two arithmetic progressions, the first
   of which is found by the Chinese remainder theorem; for maps: a walk. */

/* low, low + step, ... high; step > 0 */
struct progression {
  int64_t low, high, step;
};

static struct progression progression_of(const tutti_view *view)
{
  int64_t first = view->first, last = first + (int64_t)(view->size - 1) * view->stride;
  return (struct progression){first < last ? first : last, first < last ? last : first, llabs(view->stride)};
}

/* The greatest common divisor of a and b, and x with a x = gcd modulo b, |x| <= b (Euclid, extended). */
static int64_t divisor(int64_t a, int64_t b, int64_t *x)
{
  int64_t before = 1, now = 0;
  while (b != 0) {
    int64_t quotient = a / b, rest = a % b, next = before - quotient * now;
    a = b;
    b = rest;
    before = now;
    now = next;
  }
  *x = before;
  return a;
}

static int64_t modulo(int64_t value, int64_t modulus)
{
  int64_t rest = value % modulus;
  return rest < 0 ? rest + modulus : rest;
}

static int common_terms(struct progression a, struct progression b)
{
  int64_t inverse, gcd = divisor(a.step, b.step, &inverse), distance = b.low - a.low;
  if (distance % gcd != 0)
    return 0;
  int64_t turn = b.step / gcd, period = a.step * turn;
  int64_t steps = modulo(modulo(distance / gcd, turn) * inverse, turn);
  int64_t low = a.low > b.low ? a.low : b.low, high = a.high < b.high ? a.high : b.high;
  int64_t term = low + modulo(a.low + steps * a.step - low, period);
  return term > high ? 0 : term > high - period ? 1 : 2;
}

/* Members of `walked` that are in `other`, up to two. */
static int walk(const tutti_view *walked, const tutti_view *other)
{
  int found = 0;
  for (int r = 0; r < walked->size && found < 2; r++)
    found += tutti_view_rank_of(other, tutti_view_base_rank(walked, r)) >= 0;
  return found;
}

int tutti_view_overlap(const tutti_view *left, const tutti_view *right)
{
  if (!left->lookup && !right->lookup)
    return common_terms(progression_of(left), progression_of(right));
  return left->size <= right->size ? walk(left, right) : walk(right, left);
}
