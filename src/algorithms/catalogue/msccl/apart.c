/* Whether ranks combine the operands of an element in different orders: each chunk holds a hash of its tree of
   operands, which is the same for x op y and y op x. */
#include <stdlib.h>

#include "algorithms/catalogue/msccl/program.h"
#include "base/memory.h"
#include "base/splitmix64.h"

/* Of larger programs it is not found out. */
enum { MAX_CELLS = 1 << 22, MAX_WORK = 1 << 24 };

/* What was sent and not received yet, by sender and receiver: the trees of its chunks, one after the other. */
struct queue {
  TUTTI_VECTOR(uint64_t);
  size_t taken;
};

struct apart_run {
  const struct msccl_algorithm *algorithm;
  uint64_t *(*cells)[MSCCL_MEMORIES]; /* [size]: the tree of each chunk; 0: none */
  struct queue *queues;               /* [size * size] */
  size_t *next;                       /* [size]: the vertex of a rank that is not done */
  size_t work;
};

static uint64_t combine(uint64_t a, uint64_t b)
{
  return a < b ? tutti_splitmix64(tutti_splitmix64(a) + b) : tutti_splitmix64(tutti_splitmix64(b) + a);
}

static int chunks_of(const struct msccl_algorithm *algorithm, int rank, int memory)
{
  return memory < MSCCL_TEMPORARY ? algorithm->chunks : algorithm->programs[rank].chunks[memory];
}

static struct queue *queue_of(const struct apart_run *run, int from, int to)
{
  return &run->queues[(size_t)from * (size_t)run->algorithm->size + (size_t)to];
}

/* Do a vertex; false: its message is not there. */
static bool step(struct apart_run *run, int rank, const struct msccl_vertex *v)
{
  uint64_t *block = run->cells[rank][v->memory] + v->first, *target = run->cells[rank][v->target] + v->target_first;
  struct queue *in = v->kind == TUTTI_RECV ? queue_of(run, v->peer, rank) : NULL;
  struct queue *out = v->kind == TUTTI_SEND ? queue_of(run, rank, v->peer) : NULL;
  if (in && in->count - in->taken < (size_t)v->count)
    return false;
  run->work += (size_t)v->count;
  for (int c = 0; c < v->count; c++)
    if (out)
      tutti_xpush(out, block[c]);
    else if (in)
      block[c] = in->items[in->taken++];
    else
      target[c] = v->kind == TUTTI_REDUCE ? combine(target[c], block[c]) : block[c];
  return true;
}

/* All vertices; false: ranks wait for ever, or it takes too long. */
static bool run_all(struct apart_run *run)
{
  const struct msccl_algorithm *algorithm = run->algorithm;
  bool more = true, waits = false;
  while (more) {
    more = waits = false;
    for (int r = 0; r < algorithm->size; r++) {
      const struct msccl_program *program = &algorithm->programs[r];
      while (run->next[r] < program->count && run->work < MAX_WORK && step(run, r, &program->items[run->next[r]])) {
        run->next[r]++;
        more = true;
      }
      waits = waits || run->next[r] < program->count;
    }
  }
  return !waits;
}

static void begin(struct apart_run *run)
{
  const struct msccl_algorithm *algorithm = run->algorithm;
  for (int r = 0; r < algorithm->size; r++) {
    for (int m = 0; m < MSCCL_MEMORIES; m++)
      run->cells[r][m] = tutti_xcalloc((size_t)chunks_of(algorithm, r, m) + 1, sizeof(uint64_t));
    for (int c = 0; c < algorithm->chunks; c++)
      run->cells[r][MSCCL_CALL_INPUT][c] = tutti_splitmix64((uint64_t)r + 1);
  }
}

static void end(struct apart_run *run)
{
  const size_t size = (size_t)run->algorithm->size;
  for (size_t r = 0; r < size; r++)
    for (int m = 0; m < MSCCL_MEMORIES; m++)
      free(run->cells[r][m]);
  for (size_t q = 0; q < size * size; q++)
    tutti_vector_free(&run->queues[q]);
  free(run->cells);
  free(run->queues);
  free(run->next);
}

static bool is_small(const struct msccl_algorithm *algorithm)
{
  size_t cells = (size_t)algorithm->size * (size_t)algorithm->size;
  for (int r = 0; r < algorithm->size; r++)
    for (int m = 0; m < MSCCL_MEMORIES; m++)
      cells += (size_t)chunks_of(algorithm, r, m);
  return cells <= MAX_CELLS;
}

bool tutti_msccl_rounds_apart(const struct msccl_algorithm *algorithm)
{
  const size_t size = (size_t)algorithm->size;
  if (!is_small(algorithm))
    return true;
  struct apart_run run = {.algorithm = algorithm,
                          .cells = tutti_xcalloc(size, sizeof *run.cells),
                          .queues = tutti_xcalloc(size * size, sizeof *run.queues),
                          .next = tutti_xcalloc(size, sizeof *run.next)};
  begin(&run);
  bool apart = !run_all(&run);
  for (size_t r = 1; r < size && !apart; r++)
    for (int c = 0; c < algorithm->chunks; c++)
      apart = apart || run.cells[r][MSCCL_CALL_OUTPUT][c] != run.cells[0][MSCCL_CALL_OUTPUT][c];
  end(&run);
  return apart;
}
