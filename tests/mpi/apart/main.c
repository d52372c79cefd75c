/* Calls in which every rank describes its data in its own way, as MPI allows: displacements, gaps and orders of blocks,
   datatypes of the same signature, MPI_IN_PLACE. Collective, method, root and sizes are drawn by all ranks alike, the
   rest by each rank for itself. The answers are computed by formula, and all memory is compared, gaps and all.

   test-apart [CALLS [SEED]]: how many, usually 2000. TUTTI_TEST_CALLS and TUTTI_TEST_SEED say the same. */
#include "../check.h"
#include "side.h"
#include "tutti/collectives.h"
#include "unit/base/random.h"

enum form { BLOCKING, NONBLOCKING, PERSISTENT, FORMS };

struct test {
  struct checks checks;
  tutti_view view;
  tutti_progress progress;
  struct shape shapes[SHAPES];
  uint64_t seed, own; /* the same on all ranks; of this rank */
  int number;
  bool *covered; /* [algorithms] */
};

/* One call, and its two sides on this rank. */
struct drawn {
  tutti_collective collective;
  tutti_method method;
  enum form form;
  int root, number, largest; /* units of a block at most */
  bool in_place;             /* at the root, or on all ranks of a collective without root */
  struct side input, output;
};

static int below(uint64_t *seed, int bound)
{
  return (int)random_below(seed, (uint64_t)bound);
}

/* ---- what is sent: block `to` of rank `from` ---- */

static bool has_traits(const struct drawn *d, unsigned traits)
{
  return tutti_collective_traits(d->collective) & traits;
}

static bool is_pairwise(const struct drawn *d)
{
  return d->collective == TUTTI_COLL_ALLTOALL || d->collective == TUTTI_COLL_ALLTOALLV ||
         d->collective == TUTTI_COLL_ALLTOALLW;
}

/* Units of a block; in place, what two ranks exchange is equally long. */
static int units(const struct drawn *d, int from, int to)
{
  if (!has_traits(d, TUTTI_IS_IRREGULAR))
    return d->largest;
  const bool swap = d->in_place && is_pairwise(d) && from > to;
  const uint64_t pair = swap ? (uint64_t)to << 32 | (uint64_t)from : (uint64_t)from << 32 | (uint64_t)to;
  uint64_t seed = (uint64_t)d->number * 1000003 + pair;
  return below(&seed, 3) == 0 ? 0 : below(&seed, d->largest + 1);
}

static int value(const struct drawn *d, int from, int to, int i)
{
  return (d->number * 31 + from * 1009 + to * 101 + i * 3) % 100003;
}

static int sum(const struct drawn *d, int first, int last, int to, int i)
{
  int total = 0;
  for (int r = first; r <= last; r++)
    total += value(d, r, to, i);
  return total;
}

/* ---- the blocks of a rank ---- */

/* Which block is number b of an input or output: rank *from sends it to *to. */
typedef void block_of(const struct drawn *d, int rank, int b, int *from, int *to);

static void of_rank(const struct drawn *d, int rank, int b, int *from, int *to)
{
  (void)d;
  *from = rank;
  *to = b;
}

static void for_rank(const struct drawn *d, int rank, int b, int *from, int *to)
{
  (void)d;
  *from = b;
  *to = rank;
}

static void of_root(const struct drawn *d, int rank, int b, int *from, int *to)
{
  (void)b;
  *from = d->root;
  *to = rank;
}

static void to_root(const struct drawn *d, int rank, int b, int *from, int *to)
{
  (void)b;
  *from = rank;
  *to = d->root;
}

static void to_all(const struct drawn *d, int rank, int b, int *from, int *to)
{
  (void)d, (void)b;
  *from = rank;
  *to = 0;
}

static void from_each(const struct drawn *d, int rank, int b, int *from, int *to)
{
  (void)d, (void)rank;
  *from = b;
  *to = 0;
}

static void from_root_to_all(const struct drawn *d, int rank, int b, int *from, int *to)
{
  (void)rank, (void)b;
  *from = d->root;
  *to = 0;
}

/* A side of a collective: its blocks, one or as many as ranks, and whether it is only at the root. */
struct rule {
  block_of *block;
  bool each, root_only;
};

struct rules {
  struct rule input, output;
};

static struct rules rules_of(tutti_collective collective)
{
  switch (collective) {
  case TUTTI_COLL_BCAST:
    return (struct rules){.output = {.block = from_root_to_all}};
  case TUTTI_COLL_SCATTER:
  case TUTTI_COLL_SCATTERV:
    return (struct rules){{of_rank, true, true}, {.block = of_root}};
  case TUTTI_COLL_GATHER:
  case TUTTI_COLL_GATHERV:
    return (struct rules){{.block = to_root}, {for_rank, true, true}};
  case TUTTI_COLL_ALLGATHER:
  case TUTTI_COLL_ALLGATHERV:
    return (struct rules){{.block = to_all}, {from_each, true, false}};
  case TUTTI_COLL_ALLTOALL:
  case TUTTI_COLL_ALLTOALLV:
  case TUTTI_COLL_ALLTOALLW:
    return (struct rules){{of_rank, true, false}, {for_rank, true, false}};
  default:
    return (struct rules){.input = {.block = NULL}};
  }
}

static enum spread spread_of(const struct drawn *d, const struct rule *rule)
{
  if (!rule->each || !has_traits(d, TUTTI_IS_IRREGULAR))
    return REGULAR;
  return d->collective == TUTTI_COLL_ALLTOALLW ? TYPED : DISPLACED;
}

static void create_side(struct test *t, const struct drawn *d, const struct rule *rule, struct side *side)
{
  const int rank = t->view.rank, size = t->view.size;
  const int blocks = !rule->block || (rule->root_only && rank != d->root) ? 0 : rule->each ? size : 1;
  int *lengths = malloc(((size_t)size + 1) * sizeof *lengths), from, to;
  for (int b = 0; b < blocks; b++) {
    rule->block(d, rank, b, &from, &to);
    lengths[b] = units(d, from, to);
  }
  side_create(side, t->shapes, spread_of(d, rule), lengths, blocks, &t->own);
  free(lengths);
}

/* Write what the blocks hold: of what this rank sends, or of all. */
static void write_blocks(const struct test *t, const struct drawn *d, const struct rule *rule, struct side *side,
                         int *where)
{
  int from, to;
  for (int b = 0; b < side->blocks; b++) {
    rule->block(d, t->view.rank, b, &from, &to);
    for (int i = 0; i < units(d, from, to) * UNIT; i++)
      *side_at(side, where, b, i) = value(d, from, to, i);
  }
}

static void write_own_block(const struct test *t, const struct drawn *d, struct side *side)
{
  const int rank = t->view.rank,
            to = d->collective == TUTTI_COLL_ALLGATHER || d->collective == TUTTI_COLL_ALLGATHERV ? 0 : d->root;
  for (int i = 0; side->blocks > 0 && i < units(d, rank, to) * UNIT; i++)
    *side_at(side, side->memory, rank, i) = value(d, rank, to, i);
}

/* In place, an alltoall sends the blocks of its output. */
static void write_sent_blocks(const struct test *t, const struct drawn *d, struct side *side)
{
  for (int b = 0; b < side->blocks; b++)
    for (int i = 0; i < units(d, t->view.rank, b) * UNIT; i++)
      *side_at(side, side->memory, b, i) = value(d, t->view.rank, b, i);
}

static bool is_in_place(const struct test *t, const struct drawn *d)
{
  return d->in_place && (!has_traits(d, TUTTI_HAS_ROOT) || t->view.rank == d->root);
}

static bool is_scatter(const struct drawn *d)
{
  return d->collective == TUTTI_COLL_SCATTER || d->collective == TUTTI_COLL_SCATTERV;
}

static void create_blocks(struct test *t, struct drawn *d)
{
  const struct rules rules = rules_of(d->collective);
  create_side(t, d, &rules.input, &d->input);
  create_side(t, d, &rules.output, &d->output);
  if (rules.input.block)
    write_blocks(t, d, &rules.input, &d->input, d->input.memory);
  side_keep(&d->input);
  if (is_in_place(t, d) && is_pairwise(d))
    write_sent_blocks(t, d, &d->output);
  else if (is_in_place(t, d) && !is_scatter(d))
    write_own_block(t, d, &d->output);
  if (d->collective == TUTTI_COLL_BCAST && t->view.rank == d->root)
    write_blocks(t, d, &rules.output, &d->output, d->output.memory);
  side_keep(&d->output);
  if (!(is_in_place(t, d) && is_scatter(d)))
    write_blocks(t, d, &rules.output, &d->output, d->output.before);
}

/* ---- reductions: integers, of which every rank has as many for each ---- */

static void create_reduction(struct test *t, struct drawn *d)
{
  const int rank = t->view.rank, size = t->view.size, last = size - 1;
  const bool scatters = has_traits(d, TUTTI_HAS_BLOCKS), inclusive = d->collective != TUTTI_COLL_EXSCAN;
  const bool prefix = !inclusive || d->collective == TUTTI_COLL_SCAN;
  const bool nothing = (d->collective == TUTTI_COLL_REDUCE && rank != d->root) || (!inclusive && rank == 0);
  int *lengths = calloc((size_t)size + 1, sizeof *lengths);
  for (int b = 0; b < size; b++)
    lengths[b] = scatters ? units(d, 0, b) : b == 0 ? d->largest : 0;
  struct shape integers[SHAPES];
  for (int i = 0; i < SHAPES; i++)
    integers[i] = t->shapes[0];
  side_create(&d->input, integers, REGULAR, lengths, size, &t->own);
  side_create(&d->output, integers, REGULAR, lengths, size, &t->own);
  for (int b = 0; b < size; b++)
    for (int i = 0; i < lengths[b] * UNIT; i++) {
      *side_at(&d->input, d->input.memory, b, i) = value(d, rank, b, i);
      if (is_in_place(t, d))
        *side_at(&d->output, d->output.memory, b, i) = value(d, rank, b, i);
    }
  side_keep(&d->input);
  side_keep(&d->output);
  const int own = scatters ? rank : 0;
  for (int i = 0; i < lengths[own] * UNIT && !nothing; i++)
    d->output.before[i] = sum(d, 0, !prefix ? last : inclusive ? rank : rank - 1, own, i);
  free(lengths);
}

/* ---- the call ---- */

#define CALL(name, ...)                                                                                                \
  (d->form == BLOCKING      ? tutti_##name(&d->method, __VA_ARGS__ view, error)                                        \
   : d->form == NONBLOCKING ? tutti_i##name(&d->method, __VA_ARGS__ view, request, error)                              \
                            : tutti_##name##_init(&d->method, __VA_ARGS__ view, request, error))

static tutti_status begin(struct test *t, struct drawn *d, tutti_request **request, tutti_error *error)
{
  tutti_view *view = &t->view;
  const struct side *i = &d->input, *o = &d->output;
  const bool place = is_in_place(t, d), to_place = place && is_scatter(d);
  const void *in = place && !to_place ? MPI_IN_PLACE : (void *)i->base;
  void *out = to_place ? MPI_IN_PLACE : (void *)o->base;
  const uint64_t ins = (uint64_t)i->counts[0], outs = (uint64_t)o->counts[0];
  switch (d->collective) {
  case TUTTI_COLL_BCAST:
    return CALL(bcast, o->base, outs, o->types[0], d->root, );
  case TUTTI_COLL_BARRIER:
    return CALL(barrier, );
  case TUTTI_COLL_SCATTER:
    return CALL(scatter, in, ins, i->types[0], out, outs, o->types[0], d->root, );
  case TUTTI_COLL_SCATTERV:
    return CALL(scatterv, in, i->counts, i->displacements, i->types[0], out, outs, o->types[0], d->root, );
  case TUTTI_COLL_GATHER:
    return CALL(gather, in, ins, i->types[0], out, outs, o->types[0], d->root, );
  case TUTTI_COLL_GATHERV:
    return CALL(gatherv, in, ins, i->types[0], out, o->counts, o->displacements, o->types[0], d->root, );
  case TUTTI_COLL_ALLGATHER:
    return CALL(allgather, in, ins, i->types[0], out, outs, o->types[0], );
  case TUTTI_COLL_ALLGATHERV:
    return CALL(allgatherv, in, ins, i->types[0], out, o->counts, o->displacements, o->types[0], );
  case TUTTI_COLL_ALLTOALL:
    return CALL(alltoall, in, ins, i->types[0], out, outs, o->types[0], );
  case TUTTI_COLL_ALLTOALLV:
    return CALL(alltoallv, in, i->counts, i->displacements, i->types[0], out, o->counts, o->displacements,
                o->types[0], );
  case TUTTI_COLL_ALLTOALLW:
    return CALL(alltoallw, in, i->counts, i->displacements, i->types, out, o->counts, o->displacements, o->types, );
  case TUTTI_COLL_REDUCE:
    return CALL(reduce, in, out, ins, MPI_INT, MPI_SUM, d->root, );
  case TUTTI_COLL_REDUCE_SCATTER_BLOCK:
    return CALL(reduce_scatter_block, in, out, ins, MPI_INT, MPI_SUM, );
  case TUTTI_COLL_REDUCE_SCATTER:
    return CALL(reduce_scatter, in, out, i->counts, MPI_INT, MPI_SUM, );
  case TUTTI_COLL_ALLREDUCE:
    return CALL(allreduce, in, out, ins, MPI_INT, MPI_SUM, );
  case TUTTI_COLL_SCAN:
    return CALL(scan, in, out, ins, MPI_INT, MPI_SUM, );
  case TUTTI_COLL_EXSCAN:
    return CALL(exscan, in, out, ins, MPI_INT, MPI_SUM, );
  default:
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "no such collective");
  }
}

static tutti_status make_call(struct test *t, struct drawn *d, tutti_error *error)
{
  tutti_request *request = NULL;
  tutti_status status = begin(t, d, &request, error);
  if (status == TUTTI_OK && d->form == PERSISTENT)
    status = tutti_start(request, error);
  if (status == TUTTI_OK && d->form != BLOCKING)
    status = tutti_wait(&request, error);
  return status == TUTTI_OK && d->form == PERSISTENT ? tutti_request_free(&request, error) : status;
}

/* ---- what is drawn by all ranks alike ---- */

static int torus_of(int size)
{
  int side = 2;
  while (side < size && size % side != 0)
    side++;
  return tutti_sides_pack((const int[]){side < size ? side : size, side < size ? size / side : 1}, 2);
}

static void draw_parameters(uint64_t *seed, int size, tutti_method *method)
{
  const tutti_algorithm *algorithm = method->algorithm;
  if (algorithm->parameters & TUTTI_TAKES_SEGMENT && below(seed, 2))
    method->parameters.segment_bytes = 1 + (uint64_t)below(seed, 3000);
  if (algorithm->domain & TUTTI_NEEDS_TORUS)
    method->parameters.k = torus_of(size);
  else if (algorithm->domain & TUTTI_NEEDS_LEVELS)
    method->parameters.k = tutti_sides_pack((const int[]){1 + below(seed, 3), 1 + below(seed, 3)}, 2);
  else if (algorithm->domain & TUTTI_NEEDS_NODES)
    method->parameters.k = 1 + below(seed, 4);
  else if (algorithm->parameters & TUTTI_TAKES_K && !(algorithm->parameters & TUTTI_K_IS_SIDES) && below(seed, 2))
    method->parameters.k = algorithm->min_k + below(seed, 4);
}

static tutti_method draw_method(struct test *t, const tutti_algorithm *algorithm, int largest)
{
  static const uint64_t irregular;
  tutti_method method = tutti_method_default(algorithm);
  tutti_call call = {.size = t->view.size, .count = (uint64_t)largest * UNIT, .type_size = 4, .commutative = true};
  if (tutti_collective_traits(algorithm->collective) & TUTTI_IS_IRREGULAR)
    call.input.offsets = &irregular;
  draw_parameters(&t->seed, t->view.size, &method);
  return tutti_method_serving(&method, &call);
}

static int draw_largest(struct test *t)
{
  const int kind = below(&t->seed, 10);
  return below(&t->seed, kind < 6 ? 5 : kind < 9 ? 300 : t->view.size > 8 ? 1000 : 4000);
}

static void draw(struct test *t, struct drawn *d)
{
  const size_t index = (size_t)below(&t->seed, (int)tutti_algorithm_count());
  const tutti_algorithm *algorithm = tutti_algorithm_at(index);
  *d = (struct drawn){.collective = algorithm->collective, .number = t->number, .largest = draw_largest(t)};
  d->method = draw_method(t, algorithm, d->largest);
  d->form = (enum form)below(&t->seed, FORMS);
  d->root = has_traits(d, TUTTI_HAS_ROOT) ? below(&t->seed, t->view.size) : 0;
  d->in_place = below(&t->seed, 3) == 0 && d->collective != TUTTI_COLL_BCAST && d->collective != TUTTI_COLL_BARRIER;
  t->covered[index] |= d->method.algorithm == algorithm;
}

static void make_and_check(struct test *t, struct drawn *d)
{
  char name[TUTTI_METHOD_LENGTH];
  tutti_error error = {.message = ""};
  (has_traits(d, TUTTI_REDUCES) ? create_reduction : create_blocks)(t, d);
  const tutti_status status = make_call(t, d, &error);
  const bool right = side_is_kept(&d->input) && side_is_kept(&d->output);
  check(&t->checks, status == TUTTI_OK && right, "call %d, rank %d of %d: %s, blocks of up to %d units%s: %s",
        d->number, t->view.rank, t->view.size, tutti_method_format(&d->method, name), d->largest,
        d->in_place ? ", in place" : "", status == TUTTI_OK ? "wrong data" : error.message);
  if (status != TUTTI_OK)
    MPI_Abort(MPI_COMM_WORLD, 1);
  side_free(&d->input);
  side_free(&d->output);
}

/* A number of the command line, or of the environment where a launcher takes none. */
static int option(int argc, char **argv, int index, const char *variable, int standard)
{
  const char *text = argc > index ? argv[index] : getenv(variable);
  return text ? atoi(text) : standard;
}

int main(int argc, char **argv)
{
  struct test *t = calloc(1, sizeof *t);
  struct drawn d;
  size_t covered = 0;
  check_begin(&argc, &argv, &t->view);
  tutti_progress_init(&t->progress);
  t->view.progress = &t->progress;
  const int calls = option(argc, argv, 1, "TUTTI_TEST_CALLS", 2000);
  t->seed = (uint64_t)option(argc, argv, 2, "TUTTI_TEST_SEED", 1);
  t->own = t->seed * 1000 + 4711 + (uint64_t)t->view.rank;
  t->covered = calloc(tutti_algorithm_count(), sizeof *t->covered);
  shapes_create(t->shapes);
  for (t->number = 0; t->number < calls; t->number++) {
    draw(t, &d);
    make_and_check(t, &d);
  }
  for (size_t i = 0; i < tutti_algorithm_count(); i++)
    covered += t->covered[i];
  if (t->view.rank == 0)
    printf("%d calls by %zu of %zu algorithms\n", calls, covered, tutti_algorithm_count());
  tutti_progress_free(&t->progress);
  shapes_free(t->shapes);
  free(t->covered);
  const int failed = check_end(&t->checks);
  free(t);
  return failed;
}
