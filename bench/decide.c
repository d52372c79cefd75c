/* What a decision takes (Pjesivac-Grbovic 2007, section 6.2.5 and table 6.6): quadtrees in memory and as generated C
   beside the rules of Open MPI and MPICH, on the same random questions: 2 to 64 ranks, 1 B to 16 MB.

   bench-decide PLATFORM.xml [PART]: the map is the best broadcast by LogGP under the parameters that the platform file
   says were published, on 63 x 48 points; only rows whose name has PART in it, besides the first.

   "apart" is the time of a decision among many that do not wait for each other; "chained" that of one whose question
   waits for the answer before, which no processor can overlap. The loop itself is a row; nothing is subtracted.
   Relative is to the first row. Memory of a tree is that of its nodes, of C that of code and tables. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "decide_rows.h"
#include "tutti/parameters.h"
#include "tutti/predict.h"

#if __has_include("tutti/library.h")
#include "tutti/library.h"
#define HAVE_LIBRARIES 1
#endif

enum { QUESTIONS = SLICES * SLICE, ROUNDS = 25, MOST_ROWS = 40, MOST_METHODS = 32, RANKS = 63, SIZES = 48, DEPTHS = 7 };

struct bench {
  struct question *questions; /* [QUESTIONS] */
  struct row rows[MOST_ROWS];
  int row_count;
  const char *part; /* NULL: all rows */
  tutti_method methods[MOST_METHODS];
  char names[MOST_METHODS][16];
  int method_count;
  uint64_t ranks[RANKS], sizes[SIZES], unknown;
  int labels[RANKS * SIZES];
  tutti_quadtree *trees[DEPTHS]; /* exact, then of depths 1 to 6 */
};

/* ---- rules ---- */

static __attribute__((noinline)) int answer_nothing(int ranks, uint64_t bytes)
{
  __asm__ volatile("" : "+r"(ranks) : "r"(bytes));
  return ranks;
}

#ifdef HAVE_LIBRARIES
static int openmpi1x_bcast(int ranks, uint64_t bytes)
{
  int segment, id = tutti_openmpi1x_bcast(ranks, bytes, &segment);
  return id + segment;
}

static int openmpi1x_reduce(int ranks, uint64_t bytes)
{
  int segment, id = tutti_openmpi1x_reduce(ranks, bytes, &segment);
  return id + segment;
}

static int mpich40_bcast(int ranks, uint64_t bytes)
{
  return tutti_mpich40_bcast(ranks, bytes)[0];
}

static int mpich40_reduce(int ranks, uint64_t bytes)
{
  return tutti_mpich40_reduce(ranks, bytes, 8)[0];
}
#endif

static struct row *add_row(struct bench *bench, const char *name, decide_code code, const tutti_quadtree *tree)
{
  struct row *row = &bench->rows[bench->row_count];
  if (bench->row_count == MOST_ROWS || (bench->part && bench->row_count > 0 && !strstr(name, bench->part)))
    return NULL;
  bench->row_count++;
  *row = (struct row){.code = code, .tree = tree};
  for (int slice = 0; slice < SLICES; slice++)
    row->apart[slice] = row->chained[slice] = INFINITY;
  snprintf(row->name, sizeof row->name, "%s", name);
  return row;
}

/* Without the rules of libraries in this build everything is relative to the loop. */
static void add_rules(struct bench *bench)
{
#ifdef HAVE_LIBRARIES
  static const struct {
    const char *name;
    decide_code code;
    void (*rule)(void); /* what the code asks */
  } rules[] = {{"Open MPI 4.1 bcast", tutti_openmpi41_bcast, (void (*)(void))tutti_openmpi41_bcast},
               {"Open MPI 4.1 reduce", tutti_openmpi41_reduce, (void (*)(void))tutti_openmpi41_reduce},
               {"Open MPI 1.x bcast", openmpi1x_bcast, (void (*)(void))tutti_openmpi1x_bcast},
               {"Open MPI 1.x reduce", openmpi1x_reduce, (void (*)(void))tutti_openmpi1x_reduce},
               {"MPICH 4.0 bcast", mpich40_bcast, (void (*)(void))tutti_mpich40_bcast},
               {"MPICH 4.0 reduce", mpich40_reduce, (void (*)(void))tutti_mpich40_reduce}};
  for (size_t i = 0; i < sizeof rules / sizeof *rules; i++) {
    struct row *row = add_row(bench, rules[i].name, rules[i].code, NULL);
    if (row)
      row->memory = decide_code_size(rules[i].rule);
  }
#endif
  add_row(bench, "the loop alone", answer_nothing, NULL);
}

/* ---- the map ---- */

static void add_methods(struct bench *bench)
{
  static const char *const names[] = {"linear", "binomial", "binary", "split-binary", "pipeline"};
  static const uint64_t segments[] = {0, 1024, 8192, 16384, 32768};
  for (int i = 0; i < 5; i++)
    for (int s = 0; s < 5; s++) {
      tutti_method method = tutti_method_default(tutti_algorithm_find(TUTTI_COLL_BCAST, names[i]));
      method.parameters.segment_bytes = segments[s];
      snprintf(bench->names[bench->method_count], sizeof *bench->names, "m%d", bench->method_count);
      bench->methods[bench->method_count++] = method;
    }
}

static int method_index(const struct bench *bench, const tutti_method *method)
{
  for (int i = 0; i < bench->method_count; i++)
    if (tutti_method_compare(method, &bench->methods[i]) == 0)
      return i;
  return 0;
}

/* Sizes: two a power of two up to 16 MB. */
static void draw_map(struct bench *bench, const tutti_decision *decision)
{
  for (int j = 0; j < SIZES; j++)
    bench->sizes[j] = (j % 2 ? UINT64_C(3) : UINT64_C(2)) << j / 2;
  for (int i = 0; i < RANKS; i++)
    bench->ranks[i] = (uint64_t)i + 2;
  for (int i = 0; i < RANKS; i++)
    for (int j = 0; j < SIZES; j++) {
      tutti_question question = {.collective = TUTTI_COLL_BCAST, .ranks = i + 2, .rank_bytes = bench->sizes[j]};
      tutti_method best;
      bool found = decision->decide(decision, &question, &best);
      bench->labels[i * SIZES + j] = found ? method_index(bench, &best) : 0;
    }
}

static tutti_status make_map(const char *path, struct bench *bench, tutti_error *error)
{
  tutti_parameter_set set = {0};
  tutti_platform platform;
  tutti_decision decision = {0};
  tutti_predictor predictor = {.by = TUTTI_BY_FORMULA, .weight = 1};
  tutti_status status = tutti_platform_read(path, &platform, error);
  if (status != TUTTI_OK)
    return status;
  status = tutti_parameter_set_published(&platform, &set, error);
  if (status == TUTTI_OK)
    status = tutti_parameter_set_model(&set, TUTTI_MODEL_LOGGP, &predictor.model, error);
  if (status == TUTTI_OK)
    status = tutti_decision_models("LogGP", TUTTI_COLL_BCAST, bench->methods, bench->method_count, &predictor, 1,
                                   &decision, error);
  if (status == TUTTI_OK)
    draw_map(bench, &decision);
  tutti_decision_free(&decision);
  tutti_parameter_set_free(&set);
  tutti_platform_free(&platform);
  return status;
}

/* ---- quadtrees ---- */

static void add_generated(struct bench *bench, const tutti_quadtree *tree, const char *depth)
{
  static const char *const forms[] = {"C, nested tests", "C, table"};
  const char *classes[MOST_METHODS];
  tutti_classifier classifier;
  for (int i = 0; i < bench->method_count; i++)
    classes[i] = bench->names[i];
  if (tutti_quadtree_classifier(tree, classes, bench->method_count, &classifier, NULL) != TUTTI_OK)
    return;
  for (int form = FORM_IFS; form <= FORM_TABLE; form++) {
    char name[48];
    size_t memory;
    snprintf(name, sizeof name, "%s, %s", depth, forms[form]);
    struct row *row = add_row(bench, name, NULL, NULL);
    if (!row)
      continue;
    row->code = decide_compile(&classifier, (enum form)form, &memory);
    row->memory = memory;
    bench->row_count -= !row->code;
  }
}

static tutti_status add_trees(struct bench *bench, tutti_error *error)
{
  tutti_label_map map = {.counts = {RANKS, SIZES, 1},
                         .axes = {bench->ranks, bench->sizes, &bench->unknown},
                         .labels = bench->labels,
                         .label_count = bench->method_count};
  for (int i = 1; i <= DEPTHS; i++) {
    tutti_quadtree **tree = &bench->trees[i % DEPTHS];
    tutti_status status =
        tutti_quadtree_create(&map, &(tutti_quadtree_limits){.depth = i < DEPTHS ? i : -1}, tree, error);
    char depth[24], name[48];
    if (status != TUTTI_OK)
      return status;
    snprintf(depth, sizeof depth, i < DEPTHS ? "depth %d" : "exact", i);
    snprintf(name, sizeof name, "%s, in memory", depth);
    struct row *row = add_row(bench, name, NULL, *tree);
    if (row)
      row->memory = tutti_quadtree_measure(*tree).bytes;
    add_generated(bench, *tree, depth);
  }
  return TUTTI_OK;
}

/* ---- timing ---- */

static uint64_t draw(uint64_t *state)
{
  uint64_t x = *state += UINT64_C(0x9e3779b97f4a7c15); /* splitmix64 */
  x = (x ^ (x >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
  x = (x ^ (x >> 27)) * UINT64_C(0x94d049bb133111eb);
  return x ^ (x >> 31);
}

static bool draw_questions(struct bench *bench)
{
  uint64_t seed = 2007;
  bench->questions = calloc(QUESTIONS, sizeof *bench->questions);
  for (int i = 0; i < QUESTIONS && bench->questions; i++)
    bench->questions[i] = (struct question){.ranks = 2 + (int)(draw(&seed) % 63),
                                            .bytes = (uint64_t)exp2(24 * ldexp((double)(draw(&seed) >> 11), -53))};
  return bench->questions;
}

static double now(void)
{
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static uint64_t ask_apart(const struct row *row, const struct question *questions)
{
  uint64_t sum = 0;
  if (row->tree)
    for (int i = 0; i < SLICE; i++)
      sum += (uint64_t)tutti_quadtree_label(row->tree, questions[i].ranks, questions[i].bytes, 0);
  else
    for (int i = 0; i < SLICE; i++)
      sum += (uint64_t)row->code(questions[i].ranks, questions[i].bytes);
  return sum;
}

/* No answer reaches 2^30, which only we know: the question is the same and cannot be asked before the answer. */
static uint64_t ask_chained(const struct row *row, const struct question *questions)
{
  uint64_t sum = 0;
  int last = 0;
  for (int i = 0; i < SLICE; i++) {
    int wait = last >> 30;
    last = row->tree
               ? tutti_quadtree_label(row->tree, questions[i].ranks + wait, questions[i].bytes + (uint64_t)wait, 0)
               : row->code(questions[i].ranks + wait, questions[i].bytes + (uint64_t)wait);
    sum += (uint64_t)last;
  }
  return sum;
}

/* One round of a row through all slices; false if its answers change. Between two rounds of a slice lie all the others:
 * no branch predictor remembers it. */
static bool time_row(struct row *row, const struct question *questions)
{
  uint64_t apart = 0, chained = 0;
  for (int slice = 0; slice < SLICES; slice++) {
    double begun = now();
    apart += ask_apart(row, questions + (size_t)slice * SLICE);
    double ended = now();
    row->apart[slice] = fmin(row->apart[slice], 1e9 * (ended - begun) / SLICE);
  }
  for (int slice = 0; slice < SLICES; slice++) {
    double begun = now();
    chained += ask_chained(row, questions + (size_t)slice * SLICE);
    double ended = now();
    row->chained[slice] = fmin(row->chained[slice], 1e9 * (ended - begun) / SLICE);
  }
  bool same = apart == chained && (row->checksum == 0 || row->checksum == apart);
  row->checksum = apart;
  return same;
}

/* Rows take turns, so that a busy machine is busy for all of them. */
static bool time_all(struct bench *bench)
{
  bool same = true;
  for (int round = 0; round < ROUNDS; round++)
    for (int i = 0; i < bench->row_count; i++)
      same &= time_row(&bench->rows[i], bench->questions);
  return same;
}

static double mean_of(const double *slices)
{
  double sum = 0;
  for (int slice = 0; slice < SLICES; slice++)
    sum += slices[slice];
  return sum / SLICES;
}

/* The generated forms of a tree answer as the tree does. */
static bool forms_agree(const struct bench *bench)
{
  const struct row *tree = NULL;
  for (int i = 0; i < bench->row_count; i++) {
    const struct row *row = &bench->rows[i];
    tree = row->tree ? row : tree;
    size_t length = tree ? strcspn(tree->name, ",") : 0;
    if (tree && strncmp(row->name, tree->name, length + 1) == 0 && row->checksum != tree->checksum)
      return false;
  }
  return true;
}

static void report(const struct bench *bench)
{
  double apart = mean_of(bench->rows[0].apart), chained = mean_of(bench->rows[0].chained);
  printf("%-26s %10s %9s %12s %9s %9s %12s\n", "least of 25 rounds", "apart [ns]", "relative", "chained [ns]",
         "relative", "memory", "checksum");
  for (int i = 0; i < bench->row_count; i++) {
    const struct row *row = &bench->rows[i];
    printf("%-26s %10.2f %9.2f %12.2f %9.2f %7zu B %12llu\n", row->name, mean_of(row->apart),
           mean_of(row->apart) / apart, mean_of(row->chained), mean_of(row->chained) / chained, row->memory,
           (unsigned long long)row->checksum);
  }
}

static tutti_status prepare(const char *path, struct bench *bench, tutti_error *error)
{
  if (!draw_questions(bench))
    return tutti_fail(error, TUTTI_ERR_MEMORY, "out of memory for the questions");
  add_methods(bench);
  add_rules(bench);
  tutti_status status = make_map(path, bench, error);
  return status == TUTTI_OK ? add_trees(bench, error) : status;
}

int main(int argc, char **argv)
{
  static struct bench bench;
  tutti_error error;
  bool agreed = false;
  if (argc < 2 || argc > 3) {
    fprintf(stderr, "usage: bench-decide PLATFORM.xml [PART OF NAMES]\n");
    return 2;
  }
  bench.part = argv[2];
  tutti_status status = prepare(argv[1], &bench, &error);
  if (status != TUTTI_OK)
    fprintf(stderr, "bench-decide: %s\n", error.message);
  else if (!(agreed = time_all(&bench)) || !(agreed = forms_agree(&bench)))
    fprintf(stderr, "bench-decide: the same questions have different answers\n");
  if (status == TUTTI_OK)
    report(&bench);
  for (int i = 0; i < DEPTHS; i++)
    tutti_quadtree_free(bench.trees[i]);
  free(bench.questions);
  return status != TUTTI_OK ? 2 : agreed ? 0 : 1;
}
