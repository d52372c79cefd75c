/* Verification of the schedules of all ranks: data, races, and that no rank leaves a barrier before all are in it. */
#include <stdlib.h>
#include <string.h>

#include "algorithms/analysis/ensemble.h"
#include "algorithms/analysis/neighbor.h"
#include "algorithms/analysis/operand_trees.h"
#include "algorithms/catalogue/msccl/load.h"
#include "tutti/analysis.h"
#include "tutti/plugin.h"

struct barrier_check {
  const struct ensemble *ensemble;
  size_t words;     /* of a set of ranks */
  uint64_t *start;  /* [vertices][words] the ranks known to have entered when a vertex starts */
  uint64_t *at_end; /* [size][words] when the whole schedule of a rank is complete */
};

static void add_rank(uint64_t *set, int rank)
{
  set[rank / 64] |= UINT64_C(1) << rank % 64;
}

static void add_all(uint64_t *set, const uint64_t *other, size_t words)
{
  for (size_t w = 0; w < words; w++)
    set[w] |= other[w];
}

static tutti_status barrier_check_create(struct barrier_check *k, const struct ensemble *e, tutti_error *error)
{
  *k = (struct barrier_check){.ensemble = e, .words = ((size_t)e->size + 63) / 64};
  k->start = calloc(e->first[e->size] + 1, k->words * sizeof *k->start);
  k->at_end = calloc((size_t)e->size, k->words * sizeof *k->at_end);
  if (!k->start || !k->at_end)
    return tutti_fail(error, TUTTI_ERR_MEMORY, "out of memory for what %d ranks know of each other", e->size);
  for (int r = 0; r < e->size; r++) {
    add_rank(&k->at_end[(size_t)r * k->words], r);
    for (size_t g = e->first[r]; g < e->first[r + 1]; g++)
      add_rank(&k->start[g * k->words], r);
  }
  return TUTTI_OK;
}

static void barrier_check_free(struct barrier_check *k)
{
  free(k->start);
  free(k->at_end);
  *k = (struct barrier_check){0};
}

/* Facts known when a vertex completes are known to all that wait for it. */
static void spread(struct barrier_check *k, int rank, size_t vertex, const uint64_t *known)
{
  const tutti_schedule *s = &k->ensemble->schedules[rank];
  size_t base = k->ensemble->first[rank], local = vertex - base;
  for (uint32_t i = s->successor_first[local]; i < s->successor_first[local + 1]; i++)
    add_all(&k->start[(base + s->successors[i]) * k->words], known, k->words);
  add_all(&k->at_end[(size_t)rank * k->words], known, k->words);
}

/* A tutti_visit: a receive learns what its sender knew when it sent; a send learns nothing, since it may be buffered.
 */
static tutti_status barrier_check_visit(void *context, const struct event *event, tutti_error *error)
{
  struct barrier_check *k = context;
  (void)error;
  const uint64_t *known = &k->start[event->vertex * k->words];
  if (event->receive != NO_PARTNER) {
    uint64_t *learned = &k->start[event->receive * k->words];
    add_all(learned, known, k->words);
    spread(k, event->receiver, event->receive, learned);
  }
  spread(k, event->rank, event->vertex, known);
  return TUTTI_OK;
}

/* Check that every rank knows of all others in the end. */
static tutti_status barrier_check_result(const struct barrier_check *k, tutti_error *error)
{
  int size = k->ensemble->size;
  for (int r = 0; r < size; r++) {
    tutti_watch_tell(k->ensemble->watch, "barrier", (size_t)r, (size_t)size);
    for (int other = 0; other < size; other++)
      if (!(k->at_end[(size_t)r * k->words + (size_t)other / 64] >> other % 64 & 1))
        return tutti_fail(error, TUTTI_ERR_FAULT, "rank %d can leave before rank %d has entered", r, other);
  }
  return TUTTI_OK;
}

static tutti_status check_all_races(const struct ensemble *e, tutti_error *error)
{
  tutti_status status = TUTTI_OK;
  for (int r = 0; r < e->size && status == TUTTI_OK; r++) {
    tutti_watch_tell(e->watch, "races", (size_t)r, (size_t)e->size);
    status = tutti_check_races(&e->schedules[r], error);
  }
  return status;
}

static tutti_status check_data(const struct ensemble *e, const tutti_call *calls, const tutti_contract *contract,
                               tutti_error *error)
{
  struct memory memory;
  tutti_status status = tutti_memory_create(&memory, e, calls, contract, error);
  if (status == TUTTI_OK)
    status = tutti_ensemble_run(e, tutti_memory_visit, &memory, error);
  if (status == TUTTI_OK)
    status = tutti_memory_check(&memory, error);
  tutti_memory_free(&memory);
  return status;
}

static tutti_status check_synchronization(const struct ensemble *e, tutti_error *error)
{
  struct barrier_check knowledge;
  tutti_status status = barrier_check_create(&knowledge, e, error);
  if (status == TUTTI_OK)
    status = tutti_ensemble_run(e, barrier_check_visit, &knowledge, error);
  if (status == TUTTI_OK)
    status = barrier_check_result(&knowledge, error);
  barrier_check_free(&knowledge);
  return status;
}

static tutti_status verify(const tutti_schedule *schedules, const tutti_call *calls, const tutti_contract *contract,
                           const tutti_watch *watch, tutti_error *error)
{
  struct ensemble ensemble;
  tutti_status status = tutti_ensemble_create(&ensemble, schedules, calls->size, error);
  ensemble.watch = watch;
  if (status == TUTTI_OK) /* first: after a race the content is undefined */
    status = check_all_races(&ensemble, error);
  if (status == TUTTI_OK)
    status = check_data(&ensemble, calls, contract, error);
  if (status == TUTTI_OK && contract->synchronizes)
    status = check_synchronization(&ensemble, error);
  tutti_ensemble_free(&ensemble);
  return status;
}

tutti_status tutti_verify(const tutti_schedule *schedules, const tutti_call *calls, const tutti_contract *contract,
                          tutti_error *error)
{
  return verify(schedules, calls, contract, NULL, error);
}

static tutti_status verify_calls(const tutti_method *method, const tutti_call *calls, const tutti_watch *watch,
                                 tutti_error *error)
{
  tutti_arena arena;
  tutti_schedule *schedules;
  tutti_arena_init(&arena);
  tutti_status status = tutti_schedules_of(method, calls, watch, &arena, &schedules, error);
  if (status == TUTTI_OK) {
    status =
        verify(schedules, calls,
               calls->near ? &tutti_neighbor_contract : tutti_contract_of(method->algorithm->collective), watch, error);
    if (status == TUTTI_ERR_FAULT)
      tutti_method_blame(method, calls, error);
  }
  tutti_arena_release(&arena);
  return status;
}

tutti_status tutti_verify_calls(const tutti_method *method, const tutti_call *calls, tutti_error *error)
{
  return verify_calls(method, calls, NULL, error);
}

static tutti_status verify_method(const tutti_method *method, const tutti_call *call, const tutti_watch *watch,
                                  tutti_error *error)
{
  tutti_arena arena;
  tutti_call *calls;
  tutti_arena_init(&arena);
  tutti_status status = tutti_calls_of(call, &arena, &calls, error);
  if (status == TUTTI_OK)
    status = verify_calls(method, calls, watch, error);
  tutti_arena_release(&arena);
  return status;
}

tutti_status tutti_verify_method(const tutti_method *method, const tutti_call *call, tutti_error *error)
{
  return verify_method(method, call, NULL, error);
}

/* Ranks up to which that is looked at. */
enum { MAX_COMPARED = 64 };

/* Whether all ranks of an algorithm that somebody else wrote combine the operands of each element in one tree, as it
   says unless it has rounds_apart. A file of MSCCL is looked at when it is loaded. */
static tutti_status check_rounding(const tutti_method *method, const tutti_call *call, tutti_error *error)
{
  tutti_call brief = *call;
  brief.count = call->count < 2 * (uint64_t)call->size ? call->count : 2 * (uint64_t)call->size;
  if (!tutti_algorithm_is_plugin(method->algorithm) || tutti_method_rounds_apart(method) ||
      method->algorithm->collective != TUTTI_COLL_ALLREDUCE || call->size > MAX_COMPARED || call->near ||
      tutti_msccl_program(method->algorithm) || tutti_method_check(method, &brief, NULL) != TUTTI_OK)
    return TUTTI_OK;
  tutti_arena arena;
  tutti_call *calls;
  struct operand_trees trees = {0};
  tutti_arena_init(&arena);
  tutti_status status = tutti_calls_of(&brief, &arena, &calls, error);
  if (status == TUTTI_OK)
    status = tutti_operand_trees(method, calls, &trees, error);
  for (size_t i = 0; status == TUTTI_OK && i < trees.first[trees.size]; i++)
    if (trees.tree[i].scale != trees.tree[i % brief.count].scale)
      status =
          tutti_fail(error, TUTTI_ERR_FAULT,
                     "rank %zu combines element %zu in another order than rank 0, so that sums may differ in their "
                     "last bits from rank to rank: an algorithm that does so says .rounds_apart = true",
                     i / brief.count, i % brief.count);
  if (status == TUTTI_ERR_FAULT)
    tutti_method_blame(method, calls, error);
  tutti_operand_trees_free(&trees);
  tutti_arena_release(&arena);
  return status;
}

static tutti_status verify_orders(const tutti_method *method, const tutti_call *call, const tutti_watch *watch,
                                  tutti_error *error)
{
  tutti_call ordered = *call;
  tutti_status status = verify_method(method, call, watch, error);
  if (status == TUTTI_OK)
    status = check_rounding(method, call, error);
  ordered.commutative = !(tutti_collective_traits(method->algorithm->collective) & TUTTI_REDUCES);
  if (status != TUTTI_OK || ordered.commutative || tutti_method_check(method, &ordered, NULL) != TUTTI_OK)
    return status;
  return verify_method(method, &ordered, watch, error);
}

tutti_status tutti_verify_orders(const tutti_method *method, const tutti_call *call, const tutti_watch *watch,
                                 tutti_error *error)
{
  enum { SEGMENTS = 7 }; /* the last one is a smaller one */
  tutti_status status = verify_orders(method, call, watch, error);
  bool cut = tutti_algorithm_is_plugin(method->algorithm) && method->algorithm->parameters & TUTTI_TAKES_SEGMENT;
  if (status != TUTTI_OK || !cut || method->parameters.segment_bytes || call->count == 0)
    return status;
  tutti_method segmented = *method;
  segmented.parameters.segment_bytes = (call->count / SEGMENTS + 1) * call->type_size;
  return verify_orders(&segmented, call, watch, error);
}
