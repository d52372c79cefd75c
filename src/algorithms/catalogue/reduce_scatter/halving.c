/* Reduce-scatter by recursive halving, and what reductions share that halve or exchange partial results. */
#include "algorithms/catalogue/reduce_scatter/halving.h"

#include "algorithms/catalogue/builders.h"

void tutti_ends_add(struct ends *ends, tutti_vertex_id vertex)
{
  if (vertex != TUTTI_NO_VERTEX)
    ends->vertex[ends->count++] = vertex;
}

void tutti_after_ends(tutti_builder *builder, tutti_vertex_id vertex, const struct ends *ends)
{
  for (int i = 0; i < ends->count; i++)
    tutti_add_after(builder, vertex, ends->vertex[i]);
}

struct partial tutti_partial(const tutti_call *call, struct range span)
{
  return (struct partial){.commutative = call->commutative, .span = span, .mine.buffer = TUTTI_INPUT};
}

/* The smallest range that contains both. */
struct range tutti_range_cover(struct range a, struct range b)
{
  if (tutti_range_empty(a))
    return b;
  if (tutti_range_empty(b))
    return a;
  return (struct range){a.first < b.first ? a.first : b.first, a.end > b.end ? a.end : b.end};
}

struct place tutti_partial_spare(tutti_builder *builder, struct partial *partial, struct range needed)
{
  struct place *first = &partial->other[0];
  bool taken = first->buffer != TUTTI_INPUT && partial->mine.buffer == first->buffer;
  struct place *spare = &partial->other[taken];
  if (spare->buffer == TUTTI_INPUT) {
    struct range range = tutti_range_cover(partial->span, needed);
    *spare = (struct place){tutti_builder_temporary(builder, range.end - range.first), range.first};
  }
  return *spare;
}

/* The own contribution cannot be the target of a reduction: copy what is kept of it. */
static void copy_kept(tutti_builder *builder, struct partial *partial, const struct exchange *x, struct ends *copied)
{
  struct place copy = tutti_partial_spare(builder, partial, tutti_range_cover(x->keep[0], x->keep[1]));
  for (int i = 0; i < 2; i++)
    if (!tutti_range_empty(x->keep[i]))
      tutti_ends_add(
          copied, tutti_add_copy(builder, tutti_range_at(partial->mine, x->keep[i]), tutti_range_at(copy, x->keep[i])));
  partial->mine = copy;
}

static void add_sends(tutti_builder *builder, const struct partial *partial, const struct exchange *x,
                      struct ends *sent)
{
  for (int i = 0; i < 2; i++) {
    if (tutti_range_empty(x->give[i]))
      continue;
    tutti_vertex_id send = tutti_add_send(builder, x->peer, tutti_range_at(partial->mine, x->give[i]));
    tutti_after_ends(builder, send, &partial->before);
    tutti_ends_add(sent, send);
  }
}

static struct range intersection(struct range a, struct range b)
{
  struct range common = {a.first > b.first ? a.first : b.first, a.end < b.end ? a.end : b.end};
  return common.first < common.end ? common : (struct range){0, 0};
}

/* The parts of a range to keep that are combined: up to three ranges. */
static int combined_parts(const struct exchange *x, struct range kept, struct range parts[3])
{
  int count = 0;
  if (!x->combined) {
    parts[0] = kept;
    return 1;
  }
  for (int i = 0; i < 3; i++) {
    parts[count] = intersection(kept, x->combined[i]);
    count += !tutti_range_empty(parts[count]);
  }
  return count;
}

/* Receive what the peer has of the ranges to keep, and combine: source op target into the target. */
static void add_receives(tutti_builder *builder, const struct partial *partial, const struct exchange *x,
                         struct place received, bool moves, const struct ends *ready, struct ends *done)
{
  struct place source = moves ? partial->mine : received, target = moves ? received : partial->mine;
  for (int i = 0; i < 2; i++) {
    if (tutti_range_empty(x->keep[i]))
      continue;
    tutti_vertex_id receive = tutti_add_recv(builder, x->peer, tutti_range_at(received, x->keep[i]));
    tutti_after_ends(builder, receive, &partial->before);
    struct range parts[3];
    int count = combined_parts(x, x->keep[i], parts);
    for (int p = 0; p < count; p++) {
      tutti_vertex_id reduced =
          tutti_add_reduce(builder, tutti_range_at(source, parts[p]), tutti_range_at(target, parts[p]));
      tutti_add_after(builder, reduced, receive);
      tutti_after_ends(builder, reduced, ready);
      tutti_ends_add(done, reduced);
    }
    if (count == 0)
      tutti_ends_add(done, receive);
  }
}

/* The partial result moves to where the peer's was received, if the own one may be the left operand; it must not change
   in place while it is sent. */
void tutti_partial_exchange(tutti_builder *builder, struct partial *partial, const struct exchange *x)
{
  bool moves = partial->commutative || x->above;
  struct range kept = tutti_range_cover(x->keep[0], x->keep[1]);
  struct ends sent = {.count = 0}, nothing = {.count = 0};
  add_sends(builder, partial, x, &sent);
  struct ends done = sent;
  if (!tutti_range_empty(kept)) {
    if (!moves && partial->mine.buffer == TUTTI_INPUT)
      copy_kept(builder, partial, x, &sent);
    struct place received = x->into ? *x->into : tutti_partial_spare(builder, partial, kept);
    add_receives(builder, partial, x, received, moves, moves ? &nothing : &sent, &done);
    if (moves)
      partial->mine = received;
  }
  if (done.count > 0)
    partial->before = done;
}

struct fold tutti_fold(const tutti_call *call)
{
  int power = tutti_power_up_to(call->size);
  int folded = call->size - power;
  int v = call->rank / 2 < folded ? call->rank / 2 : call->rank - folded;
  return (struct fold){call, power, folded, v};
}

int tutti_fold_actor(const struct fold *fold, int v)
{
  int first = tutti_folded_rank(v, fold->folded), root = fold->call->root;
  return v < fold->folded && root == first + 1 ? root : first;
}

void tutti_fold_in(tutti_builder *builder, const struct fold *fold, struct partial *partial, struct range all)
{
  int rank = fold->call->rank, neighbor = rank ^ 1;
  if (fold->v >= fold->folded)
    return;
  struct exchange x = {.peer = neighbor, .above = neighbor > rank};
  *(tutti_fold_acts(fold) ? x.keep : x.give) = all;
  tutti_partial_exchange(builder, partial, &x);
}

uint64_t tutti_cut_by_rank(const struct fold *fold, int position)
{
  const tutti_call *call = fold->call;
  if (position < fold->power)
    return tutti_input_block(call, tutti_folded_rank(position, fold->folded)).first;
  tutti_block last = tutti_input_block(call, call->size - 1);
  return last.first + last.count;
}

struct halving tutti_halve(tutti_builder *builder, const struct fold *fold, struct partial *partial, cut_function cut,
                           bool nearest_first, const struct place *into)
{
  struct halving halving = {.steps = 0};
  for (int half = fold->power / 2; half >= 1; half /= 2) {
    int bit = nearest_first ? fold->power / 2 / half : half;
    bool upper = fold->v & bit;
    struct range lower_half = tutti_cut_range(fold, cut, halving.position, half);
    struct range upper_half = tutti_cut_range(fold, cut, halving.position + half, half);
    struct exchange x = {.peer = tutti_fold_actor(fold, fold->v ^ bit),
                         .above = !upper,
                         .give = {upper ? lower_half : upper_half},
                         .keep = {upper ? upper_half : lower_half},
                         .into = half == 1 ? into : NULL};
    tutti_partial_exchange(builder, partial, &x);
    halving.given[halving.steps++] = x.give[0];
    halving.position += upper ? half : 0;
  }
  return halving;
}

/* Bits of v in reverse. */
static int mirror(const struct fold *fold, int v)
{
  int mirrored = 0;
  for (int bit = 1; bit < fold->power; bit *= 2)
    mirrored = 2 * mirrored + (v & bit ? 1 : 0);
  return mirrored;
}

/* The block of `rank` from the partial result to where it belongs. */
static void deliver(tutti_builder *builder, const struct fold *fold, const struct partial *partial, int rank)
{
  tutti_block block = tutti_input_block(fold->call, rank);
  tutti_block mine = tutti_range_at(partial->mine, (struct range){block.first, block.first + block.count});
  bool own = rank == fold->call->rank;
  if (block.count == 0 || (own && partial->mine.buffer == TUTTI_OUTPUT))
    return;
  tutti_vertex_id delivered = own ? tutti_add_copy(builder, mine, tutti_block_of(TUTTI_OUTPUT, 0, block.count))
                                  : tutti_add_send(builder, rank, mine);
  tutti_after_ends(builder, delivered, &partial->before);
}

void tutti_hand_out(tutti_builder *builder, const struct fold *fold, const struct partial *partial, int held,
                    int holder)
{
  const tutti_call *call = fold->call;
  int from = tutti_fold_actor(fold, holder), first = tutti_folded_rank(held, fold->folded);
  if (from != call->rank && call->count > 0)
    tutti_add_recv(builder, from, tutti_block_of(TUTTI_OUTPUT, 0, call->count));
  if (!tutti_fold_acts(fold))
    return;
  deliver(builder, fold, partial, first);
  if (held < fold->folded)
    deliver(builder, fold, partial, first + 1);
}

/* ---- reduce-scatter ---- */

/* Recursive halving reduce-scatter (Pjesivac-Grbovic 2007, section 4.1.2 and figure 4.9): in step j rank r exchanges
   with r XOR P / 2^(j+1) and keeps the half of its remaining blocks that has its own one, so the messages halve.

       P = 4:   0: 01|23  1: 01|23  2: 01|23  3: 01|23     (0,2) (1,3)  keep two blocks
                0: 0|1    1: 0|1    2: 2|3    3: 2|3       (0,1) (2,3)  keep one

   If P is not a power of two, each odd one of the first ranks sends its contribution to its neighbor and receives its
   block at the end. The groups that are combined are not ranges: commutative operations only. Regular and irregular
   blocks of m bytes; up to 3/4 P m of memory, or 3/2 P m for the ranks that act for two.
   Cost (Hockney, table 4.9): log2(P) alpha + (P - 1) (beta + gamma) m for a power of two, otherwise
   (floor(log2 P) + 2) alpha + 2 P beta m + (2 P - 1) gamma m at most. */
void tutti_build_reduce_scatter_recursive_halving(tutti_builder *builder, const tutti_call *call)
{
  struct fold fold = tutti_fold(call);
  struct range none = {0, 0}, all = tutti_cut_range(&fold, tutti_cut_by_rank, 0, fold.power);
  struct partial partial = tutti_partial(call, none);
  struct place output = {TUTTI_OUTPUT, tutti_input_block(call, call->rank).first};
  tutti_fold_in(builder, &fold, &partial, all);
  if (tutti_fold_acts(&fold))
    tutti_halve(builder, &fold, &partial, tutti_cut_by_rank, false, fold.v < fold.folded ? NULL : &output);
  tutti_hand_out(builder, &fold, &partial, fold.v, fold.v);
}

/* Butterfly reduce-scatter for operations that need not commute (Traff 2005, "An improved algorithm for
   (non-commutative) reduce-scatter with an application", here with neighboring ranks folded where P is not a power of
   two). Recursive halving with the nearest rank first: in step j virtual rank v exchanges with v XOR 2^j, and since the
   groups combined are neighboring ranges the order of the operands is kept. v then has the blocks at the position
   whose bits are those of v in reverse, and sends them to their ranks.

       P = 8:   (0,1) (2,3) (4,5) (6,7);  (0,2) (1,3) (4,6) (5,7);  (0,4) (1,5) (2,6) (3,7);  1 <-> 4, 3 <-> 6

   Regular and irregular blocks of m bytes. Any number of ranks. Memory: up to P m, half of it more for the ranks that
   act for two.
   Cost (Hockney): (log2(P) + 1) alpha + P beta m + (P - 1) gamma m for a power of two, otherwise
   alpha + P (beta + gamma) m more. */
void tutti_build_reduce_scatter_butterfly(tutti_builder *builder, const tutti_call *call)
{
  struct fold fold = tutti_fold(call);
  struct range none = {0, 0}, all = tutti_cut_range(&fold, tutti_cut_by_rank, 0, fold.power);
  struct partial partial = tutti_partial(call, none);
  struct place output = {TUTTI_OUTPUT, tutti_input_block(call, call->rank).first};
  int mirrored = mirror(&fold, fold.v);
  tutti_fold_in(builder, &fold, &partial, all);
  if (tutti_fold_acts(&fold))
    tutti_halve(builder, &fold, &partial, tutti_cut_by_rank, true,
                fold.v >= fold.folded && mirrored == fold.v ? &output : NULL);
  tutti_hand_out(builder, &fold, &partial, mirrored, mirrored);
}
