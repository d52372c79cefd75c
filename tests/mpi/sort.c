/* Sorting: random cases of all sizes, inputs, types and ways, each on a range of the ranks. What comes out is compared
   with the input, which every rank can make again, sorted by the C library; and its shares must be even.

   test-sort [CASES [SEED]]: how many, usually 200, and which. */
#include "tutti/sort.h"
#include "base/splitmix64.h"
#include "check.h"
#include "tutti/collectives.h"
#include "unit/base/random.h"

enum { EIGHT = 8, MAX_NATIVE = 8, TWICE = 8 };

enum keys { UNIFORM, EQUAL, FEW, SORTED, REVERSED, STAGGERED, MOSTLY_EQUAL, KEYS };
enum counts { EVEN, SHIFTED, RANDOM, ONE_HAS_ALL, FEW_HAVE, COUNTS };
enum element { DOUBLE, INT64, UINT64, RECORD, ELEMENTS };

static const char *const key_names[] = {"uniform",  "equal",     "few values",  "sorted",
                                        "reversed", "staggered", "mostly equal"};
static const char *const count_names[] = {"even", "shifted", "random", "one has all", "few have"};
static const char *const element_names[] = {"double", "int64", "uint64", "record"};

/* Compared by key only: records that are equal can be told from each other. */
struct record {
  int64_t key;
  uint64_t number, check;
};

struct sort_case {
  int number;
  uint64_t seed;
  int first, last, stride;
  uint64_t n;
  enum keys keys;
  enum counts counts;
  enum element element;
  tutti_sort_how how;
  tutti_sort_type type;
  tutti_view view;
};

/* ---- the input ---- */

static int compare_records(const void *left, const void *right, void *context)
{
  (void)context;
  int64_t l = ((const struct record *)left)->key, r = ((const struct record *)right)->key;
  return (l > r) - (l < r);
}

static tutti_sort_type type_of(enum element element)
{
  tutti_sort_type record = {sizeof(struct record), compare_records, NULL};
  switch (element) {
  case DOUBLE:
    return tutti_sort_double();
  case INT64:
    return tutti_sort_int64();
  case UINT64:
    return tutti_sort_uint64();
  default:
    return record;
  }
}

/* The key of element number `i` of all, before processes get their parts. */
static int64_t key_of(const struct sort_case *c, uint64_t i)
{
  uint64_t random = tutti_splitmix64(c->seed + (i + 1) * UINT64_C(0x9e3779b97f4a7c15));
  switch (c->keys) {
  case UNIFORM:
    return (int64_t)random;
  case EQUAL:
    return 42;
  case FEW:
    return (int64_t)(random % (1 + c->seed % 5)) - 2;
  case SORTED:
    return (int64_t)(i / (1 + c->seed % 3));
  case REVERSED:
    return -(int64_t)i;
  case STAGGERED:
    return (int64_t)(i * 7919 % (c->n + 1));
  default:
    return random % 16 ? 0 : (int64_t)(random >> 32) - (INT64_C(1) << 31);
  }
}

static void make_element(const struct sort_case *c, uint64_t i, void *to)
{
  int64_t key = key_of(c, i);
  uint64_t unsigned_key = (uint64_t)key;
  double real = key % 97 == 5 ? NAN : (double)key / 3;
  struct record record = {key, i, tutti_splitmix64((uint64_t)key + i)};
  const void *values[] = {&real, &key, &unsigned_key, &record};
  memcpy(to, values[c->element], c->type.size);
}

static char *make_elements(const struct sort_case *c, uint64_t first, uint64_t count)
{
  char *data = malloc((count + 1) * c->type.size);
  for (uint64_t i = 0; data && i < count; i++)
    make_element(c, first + i, data + i * c->type.size);
  return data;
}

/* Elements that ranks 0 .. rank - 1 of the view have. */
static uint64_t before(const struct sort_case *c, int rank)
{
  uint64_t p = (uint64_t)c->view.size, chosen = c->seed % p;
  if (rank == 0 || rank == c->view.size)
    return rank ? c->n : 0;
  switch (c->counts) {
  case EVEN:
    return tutti_sort_first_place(c->n, c->view.size, rank);
  case SHIFTED: /* those after have more */
    return c->n - tutti_sort_first_place(c->n, c->view.size, c->view.size - rank);
  case RANDOM: {
    uint64_t jitter = tutti_splitmix64(c->seed + (uint64_t)rank) % (c->n / p + 1);
    return tutti_sort_first_place(c->n, c->view.size, rank - 1) + jitter;
  }
  case ONE_HAS_ALL:
    return (uint64_t)rank > chosen ? c->n : 0;
  default:
    return (uint64_t)rank > chosen ? c->n : c->n / 4 * ((uint64_t)rank > chosen / 2);
  }
}

/* ---- cases ---- */

static tutti_sort_layer draw_layer(uint64_t *random, int size)
{
  tutti_sort_layer layer = (tutti_sort_layer)random_below(random, 2 * TUTTI_SORT_LAYERS);
  bool native = layer == TUTTI_SORT_CREATE_GROUP || layer == TUTTI_SORT_SPLIT;
  return layer >= TUTTI_SORT_LAYERS || (native && size > MAX_NATIVE) ? TUTTI_SORT_RANGES : layer;
}

static tutti_sort_how draw_how(uint64_t *random, int size)
{
  tutti_sort_how how = tutti_sort_how_default();
  how.layer = draw_layer(random, size);
  how.order = (tutti_sort_order)random_below(random, TUTTI_SORT_ORDERS);
  how.assignment = (tutti_sort_assignment)random_below(random, TUTTI_SORT_ASSIGNMENTS);
  how.seed = random_next(random);
  if (random_below(random, 4) == 0) /* bad pivots */
    how.k1 = how.k2 = how.k3 = 0;
  return how;
}

/* Small sizes as often as large ones. */
static uint64_t draw_n(uint64_t *random)
{
  enum { BITS = 12 };
  return random_below(random, (UINT64_C(1) << random_below(random, BITS + 1)) + 1);
}

static bool draw_case(struct sort_case *c, int number, uint64_t seed, const tutti_view *world)
{
  uint64_t random = tutti_splitmix64(seed) + (uint64_t)number;
  int size = 1 + (int)random_below(&random, (uint64_t)world->size);
  int most_stride = size > 1 ? (world->size - 1) / (size - 1) : 1;
  tutti_error error;
  c->number = number;
  c->seed = random_next(&random);
  c->stride = 1 + (int)random_below(&random, (uint64_t)most_stride);
  c->first = (int)random_below(&random, (uint64_t)(world->size - (size - 1) * c->stride));
  c->last = c->first + (size - 1) * c->stride;
  if (random_below(&random, 3) == 0) {
    int first = c->first;
    c->first = c->last;
    c->last = first;
    c->stride = -c->stride;
  }
  c->n = draw_n(&random);
  c->keys = (enum keys)random_below(&random, KEYS);
  c->counts = (enum counts)random_below(&random, COUNTS);
  c->element = (enum element)random_below(&random, ELEMENTS);
  c->type = type_of(c->element);
  c->how = draw_how(&random, size);
  return tutti_view_range(world, c->first, c->last, size > 1 ? c->stride : 1, &c->view, &error) == TUTTI_OK;
}

static void describe(const struct sort_case *c, const char *what, const char *why)
{
  fprintf(stderr,
          "case %d, rank %d of %d (%d..%d:%d): %s %s\n  %llu elements of type %s, %s, counts %s, layer %s, %s, %s\n",
          c->number, c->view.rank, c->view.size, c->first, c->last, c->stride, what, why, (unsigned long long)c->n,
          element_names[c->element], key_names[c->keys], count_names[c->counts], tutti_sort_layer_name(c->how.layer),
          tutti_sort_order_name(c->how.order), tutti_sort_assignment_name(c->how.assignment));
}

static void check_case(struct checks *checks, const struct sort_case *c, bool right, const char *what)
{
  if (!right && checks->failed < CHECKS_TOLD)
    describe(c, what, "");
  check(checks, right, "case %d: %s", c->number, what);
}

/* ---- what must be ---- */

/* In its places are the elements that the C library puts there. */
static bool is_sorted(const struct sort_case *c, const char *output, uint64_t count)
{
  char *all = make_elements(c, 0, c->n);
  uint64_t first = tutti_sort_first_place(c->n, c->view.size, c->view.rank);
  bool right = all != NULL;
  qsort_r(all, (size_t)c->n, c->type.size, c->type.compare, NULL);
  for (uint64_t i = 0; right && i < count; i++)
    right = c->type.compare(output + i * c->type.size, all + (first + i) * c->type.size, NULL) == 0;
  free(all);
  return right;
}

/* A number of the bytes of an element, NaN and its like included. */
static uint64_t mark_of(const struct sort_case *c, const char *element)
{
  uint64_t mark = 0, word;
  for (size_t i = 0; i < c->type.size; i += sizeof word) {
    memcpy(&word, element + i, sizeof word);
    mark = tutti_splitmix64(mark + word + 1);
  }
  return mark;
}

struct sums {
  uint64_t in, out, in_squares, out_squares, sent, received;
};

static void add_marks(const struct sort_case *c, const char *data, uint64_t count, uint64_t *sum, uint64_t *squares)
{
  for (uint64_t i = 0; i < count; i++) {
    uint64_t mark = mark_of(c, data + i * c->type.size);
    *sum += mark;
    *squares += mark * mark;
  }
}

/* No element is lost, and no message. */
static void check_sums(struct checks *checks, const struct sort_case *c, struct sums mine)
{
  enum { SUMS = sizeof mine / sizeof mine.in };
  struct sums all;
  tutti_error error = {.message = ""};
  tutti_method method = tutti_method_default(tutti_algorithm_find(TUTTI_COLL_ALLREDUCE, "recursive-doubling"));
  tutti_status status = tutti_allreduce(&method, &mine, &all, SUMS, MPI_UINT64_T, MPI_SUM, &c->view, &error);
  check_case(checks, c, status == TUTTI_OK && all.in == all.out && all.in_squares == all.out_squares,
             "elements got lost");
  check_case(checks, c, all.sent == all.received, "messages got lost");
}

static void check_tally(struct checks *checks, const struct sort_case *c, const tutti_sort_tally *tally)
{
  bool bounded = c->how.assignment == TUTTI_SORT_DETERMINISTIC;
  check_case(checks, c, !bounded || tally->max_received <= EIGHT, "more than eight messages received");
  check_case(checks, c, !bounded || c->counts != EVEN || tally->max_sent <= EIGHT, "more than eight messages sent");
  check_case(checks, c, tally->janus_levels <= tally->levels, "more levels as a janus than levels");
  check_case(checks, c, (tally->levels > 0) == (c->view.size > 2 && c->n > 0), "the wrong number of levels");
}

/* Once more: the same bytes, in whatever order messages arrive. */
static void check_again(struct checks *checks, const struct sort_case *c, const char *input, uint64_t count,
                        const char *output, uint64_t output_count)
{
  void *again;
  uint64_t again_count;
  tutti_error error = {.message = ""};
  tutti_status status = tutti_sort(&c->how, &c->type, input, count, &again, &again_count, NULL, &c->view, &error);
  bool same = status == TUTTI_OK && again_count == output_count &&
              (output_count == 0 || memcmp(again, output, output_count * c->type.size) == 0);
  check_case(checks, c, same, "another outcome the second time");
  free(again);
}

/* Returns on how many levels this process was a janus. Not in the frame of main(), as errors() below. */
static int __attribute__((noinline)) run_case(struct checks *checks, const struct sort_case *c)
{
  uint64_t first = before(c, c->view.rank), count = before(c, c->view.rank + 1) - first, output_count;
  char *input = make_elements(c, first, count);
  void *output;
  tutti_sort_tally tally;
  tutti_error error = {.message = ""};
  tutti_status status = tutti_sort(&c->how, &c->type, input, count, &output, &output_count, &tally, &c->view, &error);
  if (status != TUTTI_OK) {
    describe(c, "failed:", error.message);
    MPI_Abort(MPI_COMM_WORLD, 1);
  }
  uint64_t share = tutti_sort_first_place(c->n, c->view.size, c->view.rank + 1) -
                   tutti_sort_first_place(c->n, c->view.size, c->view.rank);
  struct sums sums = {.sent = tally.sent, .received = tally.received};
  check_case(checks, c, output_count == share, "the shares are not even");
  check_case(checks, c, output_count == share && is_sorted(c, output, output_count), "the output is not sorted");
  add_marks(c, input, count, &sums.in, &sums.in_squares);
  add_marks(c, output, output_count, &sums.out, &sums.out_squares);
  check_sums(checks, c, sums);
  check_tally(checks, c, &tally);
  if (c->number % TWICE == 0)
    check_again(checks, c, input, count, output, output_count);
  free(input);
  free(output);
  return tally.janus_levels;
}

/* Groups of a few processes cannot but overlap now and then, or there is nothing of Janus in it. */
static void check_overlaps(struct checks *checks, long mine)
{
  enum { MANY = 1000 };
  long all;
  MPI_Allreduce(&mine, &all, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
  check(checks, checks->passed < MANY || all > 0, "no process was ever in two groups");
}

/* ---- errors ---- */

/* Not in the frame of main(), which ranks of a simulation keep small. */
static void __attribute__((noinline)) errors(struct checks *checks, const tutti_view *world)
{
  tutti_sort_how how = tutti_sort_how_default();
  tutti_sort_type type = tutti_sort_double();
  tutti_view stranger = *world;
  tutti_error error = {.message = ""};
  double value = 1;
  void *output = &value;
  uint64_t count = 1;
  stranger.rank = -1;
  check(checks,
        tutti_sort(&how, &type, &value, 1, &output, &count, NULL, &stranger, &error) == TUTTI_ERR_ARGUMENT && !output &&
            count == 0,
        "a process outside the view may sort");
  type.size = 0;
  check(checks, tutti_sort(&how, &type, &value, 1, &output, &count, NULL, world, &error) == TUTTI_ERR_ARGUMENT,
        "elements without a size were sorted");
  type.size = sizeof value;
  how.layer = TUTTI_SORT_LAYERS;
  check(checks, tutti_sort(&how, &type, &value, 1, &output, &count, NULL, world, &error) == TUTTI_ERR_ARGUMENT,
        "a layer that does not exist was used");
}

int main(int argc, char **argv)
{
  struct checks checks = {0, 0};
  tutti_view world;
  tutti_progress progress;
  struct sort_case c;
  long janus_levels = 0;
  check_begin(&argc, &argv, &world);
  int cases = argc > 1 ? atoi(argv[1]) : 200;
  uint64_t seed = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;
  tutti_progress_init(&progress);
  errors(&checks, &world);
  for (int number = 0; number < cases; number++) {
    world.progress = number % 2 ? &progress : NULL; /* of the caller, or of the sort */
    check(&checks, draw_case(&c, number, seed, &world), "case %d has no range", number);
    if (c.view.rank >= 0)
      janus_levels += run_case(&checks, &c);
  }
  if (world.size >= EIGHT)
    check_overlaps(&checks, janus_levels);
  tutti_progress_free(&progress);
  return check_end(&checks);
}
