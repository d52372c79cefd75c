/* Allreduces in which groups of k ranks exchange the whole message: recursive doubling for any radix. In the phase of
   place d = 1, k, k^2, ... every rank sends all it has to the k - 1 ranks that differ from it in the digit of d in base
   k, and all k combine the same operands in the order of that digit: ranks get the same bits. */
#include "algorithms/catalogue/shared/radix.h"

/* The message of a rank and of up to k - 1 others. */
struct exchange {
  tutti_builder *builder;
  uint64_t count;
  int k;
  tutti_buffer *buffer;   /* [k] the output, then temporaries; TUTTI_INPUT as long as one was not needed */
  tutti_vertex_id *free;  /* [k] when it may be overwritten */
  bool *taken;            /* [k] holds an operand */
  int *operand;           /* [k] buffers of the operands of a combination, in order; -1: the input */
  tutti_vertex_id *there; /* [k] when they are complete, then the combination up to each */
  int current;            /* buffer of the partial result; -1: the input */
  int moves;              /* combinations to come after which the partial result is in another buffer */
  tutti_vertex_id ready;  /* the partial result is complete */
};

static bool make_exchange(struct exchange *x, tutti_builder *builder, const tutti_call *call, int moves)
{
  size_t k = (size_t)call->parameters.k;
  *x = (struct exchange){builder, call->count, (int)k, .current = -1, .moves = moves, .ready = TUTTI_NO_VERTEX};
  x->buffer = tutti_builder_scratch(builder, k * sizeof *x->buffer);
  x->free = tutti_builder_scratch(builder, k * sizeof *x->free);
  x->taken = tutti_builder_scratch(builder, k * sizeof *x->taken);
  x->operand = tutti_builder_scratch(builder, k * sizeof *x->operand);
  x->there = tutti_builder_scratch(builder, k * sizeof *x->there);
  if (!x->buffer || !x->free || !x->taken || !x->operand || !x->there)
    return false;
  for (size_t i = 0; i < k; i++) {
    x->buffer[i] = i == 0 ? TUTTI_OUTPUT : TUTTI_INPUT;
    x->free[i] = TUTTI_NO_VERTEX;
    x->taken[i] = false;
  }
  return true;
}

static tutti_block all_of(const struct exchange *x, int buffer)
{
  return tutti_block_of(buffer < 0 ? TUTTI_INPUT : x->buffer[buffer], 0, x->count);
}

/* A free buffer, if possible the output or, if not wanted, another one. */
static int take_buffer(struct exchange *x, bool output)
{
  int found = 0;
  for (int i = output ? 0 : 1; i < x->k; i++)
    if (!x->taken[i]) {
      found = i;
      break;
    }
  if (x->taken[found]) /* none but the output */
    found = 0;
  x->taken[found] = true;
  if (x->buffer[found] == TUTTI_INPUT)
    x->buffer[found] = tutti_builder_temporary(x->builder, x->count);
  return found;
}

/* The sends of the own message to all peers; what completes when they do. */
static tutti_vertex_id send_all(struct exchange *x, const int peers[], int count)
{
  tutti_vertex_id first = tutti_builder_next(x->builder);
  for (int i = 0; i < count; i++)
    tutti_add_after(x->builder, tutti_add_send(x->builder, peers[i], all_of(x, x->current)), x->ready);
  tutti_vertex_id all = tutti_add_join(x->builder);
  for (tutti_vertex_id v = first; v < all; v++)
    tutti_add_after(x->builder, all, v);
  return all;
}

/* The own operand must not change while it is sent, nor in the input. */
static void make_target(struct exchange *x, bool last, tutti_vertex_id *sent)
{
  if (x->current >= 0)
    return;
  int copy = take_buffer(x, last && x->moves % 2 == 0);
  tutti_vertex_id copied = tutti_add_copy(x->builder, all_of(x, -1), all_of(x, copy));
  tutti_add_after(x->builder, copied, x->free[copy]);
  x->current = copy;
  x->ready = copied;
  *sent = TUTTI_NO_VERTEX; /* from the input */
}

static void release(struct exchange *x, int buffer, tutti_vertex_id used, tutti_vertex_id sent)
{
  if (buffer < 0)
    return;
  x->taken[buffer] = false;
  x->free[buffer] = used;
  if (sent == TUTTI_NO_VERTEX)
    return;
  x->free[buffer] = tutti_add_join(x->builder);
  tutti_add_after(x->builder, x->free[buffer], used);
  tutti_add_after(x->builder, x->free[buffer], sent);
}

/* Receive the messages of the peers, each into a buffer of its own. */
static void receive_all(struct exchange *x, const int peers[], int count, int own)
{
  for (int i = 0; i <= count; i++) {
    x->operand[i] = x->current;
    x->there[i] = x->ready;
    if (i == own)
      continue;
    x->operand[i] = take_buffer(x, i == count && x->moves % 2 == 0);
    x->there[i] = tutti_add_recv(x->builder, peers[i - (i > own)], all_of(x, x->operand[i]));
    tutti_add_after(x->builder, x->there[i], x->free[x->operand[i]]);
  }
}

/* Combine the messages of `count` < k peers with the own one, which is at position `own` among them; with `sends`,
   after the own one went to all of them. */
static void combine(struct exchange *x, const int peers[], int count, int own, bool sends)
{
  tutti_vertex_id sent = sends ? send_all(x, peers, count) : TUTTI_NO_VERTEX;
  x->moves -= own < count;
  if (own > 0)
    make_target(x, own == count, &sent);
  receive_all(x, peers, count, own);
  for (int i = 1; i <= count; i++) {
    tutti_vertex_id reduced = tutti_add_reduce(x->builder, all_of(x, x->operand[i - 1]), all_of(x, x->operand[i]));
    tutti_add_after(x->builder, reduced, x->there[i - 1]);
    tutti_add_after(x->builder, reduced, x->there[i]);
    tutti_add_after(x->builder, reduced, i == own ? sent : TUTTI_NO_VERTEX);
    release(x, x->operand[i - 1], reduced, i - 1 == own ? sent : TUTTI_NO_VERTEX);
    x->there[i] = reduced;
  }
  x->current = x->operand[count];
  x->ready = x->there[count];
}

/* The partial result into the output, and from there to the ranks first, first + step, ... before end. */
static void finish(struct exchange *x, int first, int end, int step)
{
  if (x->current != 0) {
    tutti_vertex_id copied = tutti_add_copy(x->builder, all_of(x, x->current), all_of(x, 0));
    tutti_add_after(x->builder, copied, x->ready);
    tutti_add_after(x->builder, copied, x->free[0]);
    x->ready = copied;
  }
  x->current = 0;
  for (int64_t r = first; r < end; r += step)
    tutti_add_after(x->builder, tutti_add_send(x->builder, (int)r, all_of(x, 0)), x->ready);
}

/* The rank hands its message to another one and is sent the result. */
static void build_outside(tutti_builder *builder, const tutti_call *call, int actor)
{
  tutti_add_send(builder, actor, tutti_block_of(TUTTI_INPUT, 0, call->count));
  tutti_add_recv(builder, actor, tutti_block_of(TUTTI_OUTPUT, 0, call->count));
}

/* Recursive multiplying (Wilkins et al., Generalized Collective Algorithms for the Exascale Era, CLUSTER 2023;
   MPICH 4.3 recursive_multiplying). A is the largest power of k up to P. A rank r >= A hands its message to r mod A and
   is sent the result.

       P = 7, k = 2:   4 -> 0, 5 -> 1, 6 -> 2;   (0 1) (2 3);   (0 2) (1 3);   0 -> 4, 1 -> 5, 2 -> 6
       P = 9, k = 3:   (0 1 2) (3 4 5) (6 7 8);  (0 3 6) (1 4 7) (2 5 8)

   The groups that are combined are not ranges if P is not a power of k: commutative operations only. Any number of
   ranks, any k from 2 on. Temporaries: up to k - 1 messages.
   Cost (Hockney): log_k(A) rounds of k - 1 messages that overlap: log_k(A) (alpha + (k - 1) (beta + gamma) m) on a rank
   with one port, two rounds more if P is not A. */
void tutti_build_allreduce_recursive_multiplying(tutti_builder *builder, const tutti_call *call)
{
  int k = call->parameters.k, power = 1, count = 0, moves;
  struct exchange x;
  if (tutti_build_trivial(builder, call))
    return;
  for (; power <= call->size / k;)
    power *= k;
  if (call->rank >= power) {
    build_outside(builder, call, call->rank % power);
    return;
  }
  int *peers = tutti_builder_scratch(builder, (size_t)k * sizeof *peers);
  moves = call->size - call->rank > power;
  for (int place = 1; place < power; place *= k)
    moves += call->rank / place % k != k - 1;
  if (!peers || !make_exchange(&x, builder, call, moves))
    return;
  for (int64_t r = (int64_t)call->rank + power; r < call->size; r += power)
    peers[count++] = (int)r;
  if (count > 0)
    combine(&x, peers, count, 0, false);
  for (int place = 1; place < power; place *= k) {
    int own = call->rank / place % k, first = call->rank - own * place;
    for (int i = 0; i < k - 1; i++)
      peers[i] = first + (i + (i >= own)) * place;
    combine(&x, peers, k - 1, own, true);
  }
  finish(&x, call->size - call->rank > power ? call->rank + power : call->size, call->size, power);
}

/* Recursive exchange (MPICH 4.1 recexch): as recursive multiplying, but the ranks beyond the largest power A of k are
   folded into neighbors, k - 1 into one, which acts for all of them.

       P = 6, k = 3:   0, 1 -> 2;  3 -> 4;   (2 4 5);   2 -> 0, 1;  4 -> 3

   A virtual rank is a range of ranks and so is what has been combined: the order of the operands is kept for any
   operation. Any number of ranks, any k from 2 on. Temporaries: up to k - 1 messages.
   Cost (Hockney): as recursive multiplying. */
void tutti_build_allreduce_recursive_exchange(tutti_builder *builder, const tutti_call *call)
{
  struct exchange x;
  if (tutti_build_trivial(builder, call))
    return;
  struct radix_fold fold = tutti_radix_fold(call);
  int k = fold.k, first = tutti_radix_first(&fold, fold.v), actor = tutti_radix_actor(&fold, fold.v), moves = 0;
  if (call->rank != actor) {
    build_outside(builder, call, actor);
    return;
  }
  int *peers = tutti_builder_scratch(builder, (size_t)k * sizeof *peers);
  for (int place = 1; place < fold.power; place *= k)
    moves += fold.v / place % k != k - 1;
  if (!peers || !make_exchange(&x, builder, call, moves))
    return;
  for (int r = first; r < actor; r++)
    peers[r - first] = r;
  if (actor > first)
    combine(&x, peers, actor - first, actor - first, false);
  for (int place = 1; place < fold.power; place *= k) {
    int own = fold.v / place % k;
    for (int i = 0; i < k - 1; i++)
      peers[i] = tutti_radix_actor(&fold, tutti_radix_peer(&fold, fold.v, place, i + (i >= own)));
    combine(&x, peers, k - 1, own, true);
  }
  finish(&x, first, actor, 1);
}
