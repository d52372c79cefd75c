/* Every algorithm of every collective, blocking, nonblocking and persistent, on every kind of datatype, with operations
   that commute and that do not, in place and not, gives what MPI's own collective gives: the whole memory is compared,
   gaps and all. A new line of the catalogue is tested by being there.

   test-every [COLLECTIVE...]: all, or these; with TUTTI_PLUGINS the algorithms of plug-ins alone. test-every-map: the
   same on the view of a map. */
#include "../datatypes.h"
#include "../operations.h"
#include "case.h"
#include "ranks.h"
#include "tutti/plugin.h"

enum { MARGIN = 64, MAX_COUNT = 300, ELEMENT_SPAN = 32 /* bytes an element reaches at most */ };

static const int counts[] = {0, 1, 5, MAX_COUNT};
static const uint64_t segments[] = {0, 1, 100, 1024};

/* A datatype with what it is reduced by; the first TYPE_COUNT are only moved. */
struct kind {
  MPI_Datatype type;
  MPI_Op op;
  bool owned;
};

enum { MAX_KINDS = 7 };

struct test {
  struct checks checks;
  tutti_view view;
  struct kind moved[TYPE_ALL], reduced[MAX_KINDS];
  int moved_count, reduced_count;
  int *table; /* counts and places of irregular calls, and types */
  MPI_Datatype *types;
  struct case_memory expected, actual;
  unsigned char *before; /* the output before the call */
};

/* ---- datatypes and operations ---- */

static void add_reduction(struct test *t, MPI_Datatype type, MPI_Op op)
{
  t->reduced[t->reduced_count++] = (struct kind){type, op, false};
}

static void add_user_reduction(struct test *t, MPI_Datatype type, MPI_User_function *function, int commutes)
{
  MPI_Op op;
  MPI_Op_create(function, commutes, &op);
  t->reduced[t->reduced_count++] = (struct kind){type, op, true};
}

static void create_kinds(struct test *t)
{
  for (t->moved_count = 0; t->moved_count < TYPE_COUNT; t->moved_count++)
    t->moved[t->moved_count] = (struct kind){test_type(t->moved_count), MPI_OP_NULL, t->moved_count >= TYPE_TRIPLE};
  t->reduced_count = 0;
  add_reduction(t, MPI_INT, MPI_SUM);
  add_reduction(t, MPI_BYTE, MPI_BXOR);
  add_reduction(t, MPI_DOUBLE, MPI_MAX);
  add_reduction(t, MPI_2INT, MPI_MINLOC);
  add_user_reduction(t, matrix_type(), matrix_product, 0);
  add_user_reduction(t, matrix_type(), matrix_sum, 1);
  if (RESIZED_TYPES_WORK)
    add_user_reduction(t, padded_matrix(), padded_product, 0);
}

static void free_kinds(struct test *t)
{
  for (int i = 0; i < t->moved_count; i++)
    if (t->moved[i].owned)
      MPI_Type_free(&t->moved[i].type);
  for (int i = 0; i < t->reduced_count; i++)
    if (t->reduced[i].owned) {
      MPI_Op_free(&t->reduced[i].op);
      MPI_Type_free(&t->reduced[i].type);
    }
}

/* ---- memory ---- */

static void create_memory(struct test *t)
{
  size_t blocks = (size_t)t->view.size + 1, bytes = 2 * MARGIN + blocks * (MAX_COUNT + 8) * ELEMENT_SPAN;
  struct case_memory *memories[] = {&t->expected, &t->actual};
  for (int i = 0; i < 2; i++)
    *memories[i] = (struct case_memory){bytes, malloc(bytes), malloc(bytes), MARGIN};
  t->before = malloc(bytes);
  t->table = malloc(4 * (size_t)t->view.size * sizeof *t->table);
  t->types = malloc(2 * (size_t)t->view.size * sizeof(MPI_Datatype));
}

static void free_memory(struct test *t)
{
  struct case_memory *memories[] = {&t->expected, &t->actual};
  for (int i = 0; i < 2; i++) {
    free(memories[i]->input);
    free(memories[i]->output);
  }
  free(t->before);
  free(t->table);
  free(t->types);
}

/* Small numbers in every type: no double is a NaN, sums do not overflow. */
static void fill(unsigned char *memory, size_t bytes, MPI_Datatype type, int salt)
{
  for (size_t i = 0; i < bytes; i++)
    memory[i] = (unsigned char)((i * 131 + (size_t)salt * 29) >> 1 ^ i);
  for (size_t i = 0; type == MPI_DOUBLE && i + sizeof(double) <= bytes; i += sizeof(double)) {
    double value = (double)((i / 8 * 7 + (size_t)salt * 13) % 101);
    memcpy(memory + i, &value, sizeof value);
  }
}

static void fill_memory(struct test *t, const struct call_case *call)
{
  size_t bytes = t->actual.bytes;
  fill(t->expected.input, bytes, call->type, t->view.rank);
  fill(t->before, bytes, call->type, t->view.rank + 1000);
  memcpy(t->actual.input, t->expected.input, bytes);
  memcpy(t->expected.output, t->before, bytes);
}

/* ---- irregular calls ---- */

/* Elements from one rank to another. */
static int between(int count, int from, int to)
{
  return count == 0 ? 0 : (from * 7 + to * 3 + count) % (count < 5 ? 2 * count : 7);
}

/* Blocks from the last rank's to the first one's, with gaps. */
static void place(const int *block_counts, int *places, int size)
{
  int at = 1;
  for (int r = size - 1; r >= 0; r--) {
    places[r] = at;
    at += block_counts[r] + r % 2;
  }
}

static void make_irregular(struct test *t, struct call_case *call)
{
  int size = t->view.size, *in = t->table, *out = t->table + 2 * size;
  bool private = call->collective == TUTTI_COLL_ALLTOALLV || call->collective == TUTTI_COLL_ALLTOALLW;
  for (int r = 0; r < size; r++) {
    in[r] = between(call->count, t->view.rank, r);
    out[r] = private ? between(call->count, r, t->view.rank) : between(call->count, call->root, r);
    if (private && call->in_place) /* what is sent is what is received */
      out[r] = between(call->count, 0, 0);
  }
  place(in, in + size, size);
  place(out, out + size, size);
  call->input_counts = in;
  call->input_places = in + size;
  call->output_counts = out;
  call->output_places = out + size;
}

/* Another type for each pair of ranks, and places in bytes. */
static void make_typed(struct test *t, struct call_case *call)
{
  int size = t->view.size;
  for (int r = 0; r < size; r++) {
    t->types[r] = t->types[size + r] = t->moved[(r + t->view.rank) % t->moved_count].type;
    call->input_places[r] *= ELEMENT_SPAN;
    call->output_places[r] *= ELEMENT_SPAN;
  }
  call->input_types = t->types;
  call->output_types = t->types + size;
}

/* ---- one call ---- */

/* MPI leaves the output of MPI_Exscan undefined at rank 0. */
static bool is_defined(const struct test *t, const struct call_case *call)
{
  return call->collective != TUTTI_COLL_EXSCAN || t->view.rank != 0;
}

static void like_native(struct test *t, const struct call_case *call, const tutti_method *method, enum form form)
{
  static const char *const forms[] = {"blocking", "nonblocking", "persistent"};
  char name[TUTTI_METHOD_LENGTH];
  tutti_error error = {.message = ""};
  memcpy(t->actual.output, t->before, t->actual.bytes);
  tutti_status status = case_tutti(call, &t->actual, method, form, &t->view, t->before, &error);
  bool same = !is_defined(t, call) || memcmp(t->actual.output, t->expected.output, t->actual.bytes) == 0;
  same = same && memcmp(t->actual.input, t->expected.input, t->actual.bytes) == 0;
  check(&t->checks, status == TUTTI_OK && same,
        "rank %d of %d: %s, %s%s, kind %d, count %d, root %d differs from the native one: %s", t->view.rank,
        t->view.size, tutti_method_format(method, name), forms[form], call->in_place ? ", in place" : "", call->kind,
        call->count, call->root, error.message);
}

static bool commutes(const struct call_case *call)
{
  int commutative = 1;
  if (call->op != MPI_OP_NULL)
    MPI_Op_commutative(call->op, &commutative);
  return commutative;
}

static bool serves(const struct test *t, const struct call_case *call, const tutti_method *method)
{
  tutti_error error;
  tutti_call question = {.size = t->view.size,
                         .rank = t->view.rank,
                         .root = call->root,
                         .count = (uint64_t)call->count,
                         .type_size = 1,
                         .nodes = t->view.nodes,
                         .commutative = commutes(call)};
  bool told = method->algorithm->domain & TUTTI_NEEDS_COUNTS; /* ranks of MPI know their own counts only */
  return !told && tutti_method_check(method, &question, &error) == TUTTI_OK;
}

/* All three forms of the plain method, and one form with the other values of its parameters. */
static void all_forms(struct test *t, const struct call_case *call, const tutti_algorithm *algorithm, int salt)
{
  tutti_method method = tutti_method_default(algorithm);
  if (algorithm->domain & TUTTI_NEEDS_NODES)
    method.parameters.k = 3;
  if (algorithm->domain & TUTTI_NEEDS_LEVELS)
    method.parameters.k = tutti_sides_pack((const int[]){2, 2}, 2);
  if (!serves(t, call, &method))
    return;
  for (int form = 0; form < FORM_COUNT; form++)
    like_native(t, call, &method, (enum form)form);
  if (algorithm->parameters & TUTTI_TAKES_SEGMENT)
    method.parameters.segment_bytes = call->count > 64 ? segments[2 + salt % 2] : segments[1 + salt % 3];
  if (algorithm->parameters & TUTTI_TAKES_K && !(algorithm->domain & (TUTTI_NEEDS_NODES | TUTTI_NEEDS_LEVELS)))
    method.parameters.k = algorithm->min_k + 1;
  like_native(t, call, &method, (enum form)(salt % FORM_COUNT));
}

static void all_algorithms(struct test *t, struct call_case *call, int salt)
{
  unsigned traits = tutti_collective_traits(call->collective);
  if (traits & TUTTI_IS_IRREGULAR)
    make_irregular(t, call);
  if (call->collective == TUTTI_COLL_ALLTOALLW)
    make_typed(t, call);
  fill_memory(t, call);
  case_native(call, &t->expected);
  const bool only_plugins = getenv(TUTTI_PLUGINS_VARIABLE) != NULL; /* e2e.msccl */
  for (size_t a = 0; a < tutti_algorithm_count(); a++)
    if (tutti_algorithm_at(a)->collective == call->collective &&
        (!only_plugins || tutti_algorithm_is_plugin(tutti_algorithm_at(a))))
      all_forms(t, call, tutti_algorithm_at(a), salt + (int)a);
}

/* ---- all calls ---- */

/* MPICH 4.0.2 ignores the displacements of MPI_Allgatherv on one rank, so that there is nothing to compare with. */
static bool native_is_right(tutti_collective collective, int size)
{
#ifdef MPICH_VERSION
  return collective != TUTTI_COLL_ALLGATHERV || size > 1;
#else
  (void)collective, (void)size;
  return true;
#endif
}

static bool goes_in_place(tutti_collective collective)
{
  return collective != TUTTI_COLL_BCAST && collective != TUTTI_COLL_BARRIER;
}

/* On many ranks every kind meets half of the counts, in place the other half; on more than 13, where a call compares
   the most memory, a quarter. All of them meet up to 8 ranks. */
static bool left_out(int size, int kind, size_t count, int in_place)
{
  return size > 8 && (kind + (int)count + in_place) % (size > 13 ? 4 : 2);
}

static void every_call(struct test *t, tutti_collective collective)
{
  bool reduces = tutti_collective_traits(collective) & TUTTI_REDUCES;
  const struct kind *kinds = reduces ? t->reduced : t->moved;
  int kind_count = reduces ? t->reduced_count : t->moved_count, salt = 0;
  for (int k = 0; k < kind_count; k++)
    for (size_t c = 0; c < sizeof counts / sizeof *counts; c++)
      for (int in_place = 0; in_place <= (goes_in_place(collective) ? 1 : 0); in_place++, salt++) {
        struct call_case call = {.collective = collective,
                                 .in_place = in_place,
                                 .kind = k,
                                 .root = salt % t->view.size,
                                 .count = counts[c],
                                 .type = kinds[k].type,
                                 .op = kinds[k].op};
        if (native_is_right(collective, t->view.size) && !left_out(t->view.size, k, c, in_place))
          all_algorithms(t, &call, salt);
      }
}

static bool is_wanted(char **wanted, tutti_collective collective)
{
  for (char **name = wanted; *name; name++)
    if (strcmp(*name, tutti_collective_name(collective)) == 0)
      return true;
  return !*wanted;
}

int main(int argc, char **argv)
{
  struct test *t = calloc(1, sizeof *t); /* simulated stacks are small */
  tutti_progress progress;
  tutti_view world;
  check_begin(&argc, &argv, &world);
  if (!t || tutti_plugins_load(NULL) != TUTTI_OK)
    MPI_Abort(MPI_COMM_WORLD, 1);
  struct ranks ranks = ranks_in_order(&t->checks, &world);
  t->view = ranks.view;
  tutti_progress_init(&progress);
  t->view.progress = &progress;
  create_kinds(t);
  create_memory(t);
  for (int c = 0; c < TUTTI_COLL_COUNT; c++)
    if (is_wanted(argv + 1, (tutti_collective)c))
      every_call(t, (tutti_collective)c);
  free_memory(t);
  free_kinds(t);
  ranks_free(&ranks);
  tutti_progress_free(&progress);
  int failed = check_end(&t->checks);
  free(t);
  return failed;
}
