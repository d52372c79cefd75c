/* The corrected formulas against the messages of the schedules: which are exact, and which are never less. */
#include "unit/algorithms/models/price_fixture.h"

/* What a formula is for a model, without segments and with:
     A  exact
     P  exact for a power of two ranks, else never less
     B  never less
     Q  exact for a power of two ranks, else an estimate
     E  an estimate
     -  no segments
   docs/explanation/model-deviations.md says why. Exact is whole segments: the last one counts as a whole one. */
static const struct row {
  const char *name, *classes[TUTTI_MODEL_KINDS];
} rows[] = {
    {"bcast/linear", {"AA", "AA", "AA"}},
    {"bcast/binomial", {"AA", "PP", "PP"}},
    {"bcast/in-order-binomial", {"AA", "PP", "PP"}},
    {"bcast/binary", {"BB", "BE", "BB"}},
    {"bcast/in-order-binary", {"BB", "BE", "BB"}},
    {"bcast/split-binary", {"BE", "BE", "BB"}},
    {"bcast/pipeline", {"AA", "AB", "AA"}},
    {"barrier/linear", {"E-", "E-", "E-"}},
    {"barrier/double-ring", {"A-", "A-", "A-"}},
    {"barrier/recursive-doubling", {"A-", "P-", "P-"}},
    {"barrier/bruck", {"A-", "A-", "A-"}},
    {"scatter/linear", {"A-", "A-", "A-"}},
    {"scatter/binomial", {"A-", "P-", "P-"}},
    {"gather/linear", {"A-", "A-", "A-"}},
    {"gather/linear-sync", {"AA", "AA", "AA"}},
    {"gather/binomial", {"A-", "P-", "P-"}},
    {"allgather/bruck", {"A-", "P-", "P-"}},
    {"allgather/recursive-doubling", {"A-", "A-", "A-"}},
    {"allgather/recursive-doubling-general", {"A-", "A-", "A-"}},
    {"allgather/ring", {"A-", "A-", "A-"}},
    {"allgather/neighbor-exchange", {"A-", "A-", "A-"}},
    {"alltoall/linear", {"A-", "B-", "B-"}},
    {"alltoall/pairwise", {"A-", "A-", "A-"}},
    {"alltoall/bruck", {"P-", "P-", "P-"}},
    {"reduce/linear", {"BB", "EE", "EE"}},
    {"reduce/pipeline", {"AB", "AB", "AB"}},
    {"reduce/binary", {"BB", "BE", "EE"}},
    {"reduce/in-order-binary", {"BB", "BE", "EE"}},
    {"reduce/binomial", {"PB", "PB", "PE"}},
    {"reduce/in-order-binomial", {"PE", "PB", "PE"}},
    {"reduce/rabenseifner", {"B-", "E-", "E-"}},
    {"reduce_scatter_block/recursive-halving", {"A-", "Q-", "P-"}},
    {"reduce_scatter/recursive-halving", {"A-", "Q-", "P-"}},
    {"reduce_scatter_block/ring", {"A-", "A-", "A-"}},
    {"reduce_scatter/ring", {"A-", "A-", "A-"}},
    {"allreduce/recursive-doubling", {"A-", "P-", "P-"}},
    {"allreduce/ring", {"A-", "A-", "A-"}},
    {"allreduce/ring-segmented", {"AB", "AB", "AB"}},
    {"allreduce/rabenseifner", {"Q-", "E-", "Q-"}},
    {"scan/linear", {"AB", "AB", "AB"}},
    {"scan/binomial", {"A-", "E-", "E-"}},
};
enum { ROWS = sizeof rows / sizeof *rows };

/* Parameters as they are measured, Grig over TCP (dissertation, tables 4.12 and 4.13): o is larger than g, and nothing
   is a round number. */
static const tutti_plogp_point slow_points[] = {{0, 20.1e-6, 4.3e-6, 6.7e-6}, {1000, 120.33e-6, 14.7e-6, 16.9e-6}};

static tutti_model slow_model(int kind)
{
  tutti_model model = {.kind = (tutti_model_kind)kind, .gamma = 0.5e-9};
  if (kind == HOCKNEY)
    model.network.hockney = (tutti_hockney){.alpha = 110.65e-6, .beta = 0.0851e-6};
  else if (kind == LOGGP)
    model.network.loggp = (tutti_loggp){.L = 53.3e-6, .o = 19.5e-6, .g = 1e-6, .G = 0.0853e-6};
  else
    model.network.plogp = (tutti_plogp){.L = 50.7e-6, .points = slow_points, .count = 2};
  return model;
}

/* TUTTI_TEST_MAX_RANKS, where a sanitizer makes everything slow. */
static int most_ranks(void)
{
  const char *text = getenv("TUTTI_TEST_MAX_RANKS");
  return text ? atoi(text) : 1024;
}

static bool is_exact(char class, int ranks)
{
  return class == 'A' || ((class == 'P' || class == 'Q') && (ranks & (ranks - 1)) == 0);
}

static void check(const tutti_model *model, const tutti_model_question *question, char class)
{
  static struct priced_call call;
  char name[TUTTI_METHOD_LENGTH];
  double seconds;
  if (question->ranks > most_ranks() || !priced_call(&call, &question->method, question->ranks, question->bytes) ||
      tutti_model_time(model, question, &seconds, NULL) != TUTTI_OK)
    return;
  double price = fixture_price(model, &question->method, &call.call);
  bool bound = strchr("APB", class);
  if ((bound && price > seconds * (1 + 1e-12)) || (is_exact(class, question->ranks) && !fixture_same(price, seconds)))
    fail_msg("%s %s, %d ranks, %d bytes: formula %.17g, priced %.17g, class %c", tutti_model_kind_name(model->kind),
             tutti_method_format(&question->method, name), question->ranks, (int)question->bytes, seconds, price,
             class);
}

/* Local copies are left out: the formulas count those of buffers that a schedule need not have. */
static void check_sizes(const struct row *row, const tutti_model *model, int ranks)
{
  static const uint64_t sizes[] = {80, 1, 480};
  for (int segmented = 0; segmented <= 1; segmented++)
    for (int i = 0; i < (ranks < 40 ? 3 : 1) && row->classes[model->kind][segmented] != '-'; i++) {
      tutti_model_question question = fixture_question(row->name, ranks, sizes[i], CORRECTED);
      question.method.parameters.segment_bytes = segmented ? 20 : 0;
      check(model, &question, row->classes[model->kind][segmented]);
    }
}

static void check_row(const struct row *row, int kind, bool slow)
{
  static const int more[] = {63, 64, 65, 127, 128, 129};
  tutti_model model = slow ? slow_model(kind) : fixture_model(kind);
  model.delta = 0;
  for (int ranks = 2; ranks <= 33; ranks++)
    check_sizes(row, &model, ranks);
  for (size_t i = 0; i < sizeof more / sizeof *more; i++)
    check_sizes(row, &model, more[i]);
}

TEST(test_rows)
{
  for (int r = 0; r < ROWS; r++)
    for (int kind = 0; kind < TUTTI_MODEL_KINDS; kind++)
      for (int slow = 0; slow <= 1; slow++)
        check_row(&rows[r], kind, slow);
}

/* With a million messages each, those in which each rank sends to each take as long as all the rest together: one model
   and one number of ranks of them. */
TEST(test_a_thousand_ranks)
{
  for (int r = 0; r < ROWS; r++)
    for (int kind = 0; kind < TUTTI_MODEL_KINDS; kind++) {
      tutti_model model = slow_model(kind);
      bool blocks = strncmp(rows[r].name, "all", 3) == 0 || strncmp(rows[r].name, "reduce_scatter", 14) == 0;
      if (!blocks || kind == LOGGP)
        check_sizes(&rows[r], &model, 1024);
      if (!blocks)
        check_sizes(&rows[r], &model, 1000);
    }
}

/* Every algorithm that has a formula is in the table. */
TEST(test_table_is_complete)
{
  tutti_model model = fixture_model(HOCKNEY);
  for (size_t i = 0; i < tutti_algorithm_count(); i++) {
    const tutti_algorithm *algorithm = tutti_algorithm_at(i);
    tutti_model_question question = {.method = tutti_method_default(algorithm), .ranks = 8, .bytes = 80};
    char name[TUTTI_METHOD_LENGTH];
    double seconds;
    int found = 0;
    snprintf(name, sizeof name, "%s/%s", tutti_collective_name(algorithm->collective), algorithm->name);
    for (int r = 0; r < ROWS; r++)
      found += strcmp(rows[r].name, name) == 0;
    if ((tutti_model_time(&model, &question, &seconds, NULL) == TUTTI_OK) != (found == 1))
      fail_msg("%s stands %d times in the table", name, found);
  }
}

/* On a complete tree each segment takes two messages a level, as section 4.3.1 counts. */
TEST(test_complete_binary_trees)
{
  tutti_model model = fixture_model(HOCKNEY);
  for (int ranks = 3; ranks <= 1023; ranks = 2 * ranks + 1) {
    tutti_model_question question = fixture_question("bcast/binary/10B", ranks, 40, CORRECTED);
    check(&model, &question, 'A');
  }
}
