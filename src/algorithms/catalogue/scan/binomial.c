/* Binomial scan and exscan: the simultaneous binomial algorithm (Sanders and Traff 2006; Pjesivac-Grbovic 2007, section
   4.1.2), also called recursive doubling.

   Before step k rank r holds the combination of the 2^k ranks up to itself. It sends that to r + 2^k and puts what it
   receives from r - 2^k, the 2^k ranks before those, on its left.

       P = 5, what rank 4 holds:  4  |  3 4  |  1 2 3 4  |  0 1 2 3 4
              it receives:          3       1 2          0

   Exscan keeps a second combination, without the own contribution, to which the same messages are added. Keeps the
   order of the operands. Any number of ranks. Temporaries: one whole message, for exscan two.
   Cost (Hockney, table 4.11): ceil(log2 P) (alpha + beta m + gamma m), for exscan up to 2 gamma m. */
#include "algorithms/catalogue/builders.h"
#include "algorithms/catalogue/scan/scan.h"

struct binomial {
  tutti_builder *builder;
  const tutti_call *call;
  scan_kind kind;
  tutti_block partial;      /* the combination of the ranks up to the own one; at first the input */
  tutti_block combination;  /* its place once an operand has been combined on its left */
  tutti_block incoming;     /* that operand */
  tutti_vertex_id combined; /* the partial result is complete */
  tutti_vertex_id result;   /* the same of the result of exscan */
};

static tutti_block whole(const tutti_call *call, tutti_buffer buffer)
{
  return tutti_block_of(buffer, 0, call->count);
}

static struct binomial init_binomial(tutti_builder *builder, const tutti_call *call, scan_kind kind)
{
  struct binomial b = {builder, call, kind, .combined = TUTTI_NO_VERTEX, .result = TUTTI_NO_VERTEX};
  bool inclusive = kind == SCAN_INCLUSIVE;
  b.partial = whole(call, TUTTI_INPUT);
  b.combination = b.incoming = whole(call, TUTTI_OUTPUT);
  if (call->rank >= (inclusive ? 1 : 2))
    b.incoming.buffer = tutti_builder_temporary(builder, call->count);
  if (!inclusive && call->rank >= 1 && call->rank + INT64_C(2) < call->size)
    b.combination.buffer = tutti_builder_temporary(builder, call->count);
  return b;
}

/* Put `left` on the left of the partial result as soon as it has been received and the partial result has been sent. */
static void combine(struct binomial *b, tutti_block left, tutti_vertex_id received, tutti_vertex_id sent)
{
  if (b->partial.buffer == TUTTI_INPUT) {
    b->combined = tutti_add_copy(b->builder, b->partial, b->combination);
    b->partial = b->combination;
    sent = TUTTI_NO_VERTEX; /* the input was sent, which stays as it is */
  }
  tutti_vertex_id reduced = tutti_add_reduce(b->builder, left, b->partial);
  tutti_add_after(b->builder, reduced, received);
  tutti_add_after(b->builder, reduced, sent);
  tutti_add_after(b->builder, reduced, b->combined);
  b->combined = reduced;
}

/* The first message that a rank receives begins the result of exscan, the others, which are not received before that
   is complete, are put on its left. */
static void extend_result(struct binomial *b, tutti_block left, tutti_vertex_id received)
{
  tutti_vertex_id extended = received;
  if (left.buffer != TUTTI_OUTPUT) {
    extended = tutti_add_reduce(b->builder, left, whole(b->call, TUTTI_OUTPUT));
    tutti_add_after(b->builder, extended, received);
  }
  b->result = extended;
}

static void add_step(struct binomial *b, int64_t distance)
{
  int64_t rank = b->call->rank, size = b->call->size;
  bool exclusive = b->kind == SCAN_EXCLUSIVE;
  tutti_block left = exclusive && distance == 1 ? whole(b->call, TUTTI_OUTPUT) : b->incoming;
  tutti_vertex_id received = TUTTI_NO_VERTEX, sent = TUTTI_NO_VERTEX;
  if (rank >= distance) {
    received = tutti_add_recv(b->builder, (int)(rank - distance), left);
    tutti_add_after(b->builder, received, b->combined);
    tutti_add_after(b->builder, received, b->result);
  }
  if (rank + distance < size) {
    sent = tutti_add_send(b->builder, (int)(rank + distance), b->partial);
    tutti_add_after(b->builder, sent, b->combined);
  }
  if (rank >= distance && (!exclusive || rank + 2 * distance < size))
    combine(b, left, received, sent);
  if (rank >= distance && exclusive)
    extend_result(b, left, received);
}

static void build(tutti_builder *builder, const tutti_call *call, scan_kind kind)
{
  if (call->count == 0)
    return;
  struct binomial b = init_binomial(builder, call, kind);
  for (int64_t distance = 1; distance < call->size; distance *= 2)
    add_step(&b, distance);
  if (call->rank == 0 && kind == SCAN_INCLUSIVE)
    tutti_add_copy(builder, b.partial, b.combination);
}

void tutti_build_scan_binomial(tutti_builder *builder, const tutti_call *call)
{
  build(builder, call, SCAN_INCLUSIVE);
}

void tutti_build_exscan_binomial(tutti_builder *builder, const tutti_call *call)
{
  build(builder, call, SCAN_EXCLUSIVE);
}
