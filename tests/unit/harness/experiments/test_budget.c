/* A sweep with a budget: the points of a real machine are answered by a formula. */
#include "harness/experiments/calibrate/budget.h"
#include "harness/experiments/plan/plan.h"
#include "unit/test.h"

enum { MOST = 4000 };

/* Methods of bcast in the order of the sweep. One that the model takes for slow is the fastest. */
static double seconds_of(const tutti_point *point, double noise)
{
  const double linear = strcmp(point->method.algorithm->name, "linear") == 0 ? 0.2 : 1;
  const double native = tutti_method_is_native(&point->method) ? 1.5 : 1;
  return linear * native * (2e-6 * point->ranks + 1e-9 * (double)(point->count * point->type_size)) *
         (1 + (point->launch % 2 ? noise : -noise));
}

struct machine {
  struct budget budget;
  tutti_experiment experiment;
  struct point_list list;
  tutti_measurement measurements[MOST];
  const tutti_measurement *measured[MOST];
  double noise;
  bool fails; /* launches measure nothing */
  bool one_rank;
  const char *misjudged; /* the prior times of this algorithm are a thousandth; NULL: they are those of a model */
  size_t batches;
};

/* Times of another machine that are true but for one algorithm. */
static struct budget_prior make_prior(struct machine *machine, tutti_measurement prior[MOST])
{
  size_t count = 0;
  for (size_t i = 0; i < machine->list.count && machine->misjudged; i++) {
    const tutti_point *point = &machine->list.items[i];
    const bool wrong = strcmp(point->method.algorithm->name, machine->misjudged) == 0;
    if (point->launch == 0)
      prior[count++] = (tutti_measurement){.method = point->method,
                                           .ranks = point->ranks,
                                           .rank_bytes = point->count * point->type_size,
                                           .median = seconds_of(point, 0) * (wrong ? 1e-3 : 1)};
  }
  return (struct budget_prior){.measured = prior, .count = count};
}

static void open_machine(struct machine *machine)
{
  static const uint64_t ranks[] = {1, 4, 8, 16}, sizes[] = {8, 512, 32768};
  static tutti_measurement prior[MOST];
  const tutti_experiment_words words = {.collectives = 1U << TUTTI_COLL_BCAST,
                                        .platform = "here",
                                        .flavor = "mpich",
                                        .ranks_count = machine->one_rank ? 2 : 3,
                                        .ranks = &ranks[machine->one_rank ? 0 : 1],
                                        .size_count = 3,
                                        .sizes = sizes,
                                        .methods = "linear binomial binary chain native"};
  tutti_plan plan = {.present = 0};
  assert_int_equal(tutti_experiment_of_words(&words, &machine->experiment, REASON), TUTTI_OK);
  assert_int_equal(tutti_points_of_experiment(&machine->experiment, &machine->list, &plan, REASON), TUTTI_OK);
  const struct budget_prior given = make_prior(machine, prior);
  tutti_vector_free(&machine->list);
  assert_int_equal(tutti_budget_open(&machine->budget, &machine->experiment, &given, REASON), TUTTI_OK);
  assert_int_equal(tutti_points_of_experiment(&machine->experiment, &machine->list, &plan, REASON), TUTTI_OK);
  assert_int_equal(machine->list.count, machine->budget.rows.count * BUDGET_LAUNCHES);
  assert_true(machine->list.count <= MOST);
}

static void close_machine(struct machine *machine)
{
  tutti_budget_close(&machine->budget);
  tutti_vector_free(&machine->list);
  tutti_experiment_free(&machine->experiment);
}

/* Batch after batch, to the end. */
static void measure(struct machine *machine)
{
  while (machine->budget.end == BUDGET_GOES_ON) {
    bool wanted[MOST] = {false};
    size_t count = 0;
    assert_int_equal(tutti_budget_choose(&machine->budget, machine->list.items, machine->measured, machine->list.count,
                                         "MPICH-4.0.2", wanted, REASON),
                     TUTTI_OK);
    for (size_t i = 0; i < machine->list.count; i++)
      if (wanted[i]) {
        assert_null(machine->measured[i]); /* never what is measured already */
        machine->measurements[i] =
            (tutti_measurement){.median = seconds_of(&machine->list.items[i], machine->noise), .spread = 1};
        machine->measured[i] = machine->fails ? NULL : &machine->measurements[i];
        count++;
      }
    assert_int_equal(count > 0, machine->budget.end == BUDGET_GOES_ON);
    machine->batches++;
  }
}

static bool takes(const struct machine *machine, size_t call, const char *name)
{
  const struct sampler_choice choice = tutti_budget_decide(&machine->budget, call);
  return strcmp(machine->budget.rows.items[choice.chosen].call.name, name) == 0;
}

/* The store has so many launches of a row, of these times. */
static void store(struct machine *machine, size_t row, int launches, const double *seconds)
{
  for (int l = 0; l < launches; l++) {
    const size_t place = machine->budget.first[row] + (size_t)l;
    machine->measurements[place] = (tutti_measurement){.median = seconds[l], .spread = 1};
    machine->measured[place] = &machine->measurements[place];
  }
}

static bool is_native(const struct machine *machine, size_t row)
{
  return tutti_method_is_native(&machine->budget.rows.items[row].call.found.method);
}

TEST(test_points)
{
  static struct machine machine;
  machine = (struct machine){.budget = {.most_points = 30, .confidence = EVIDENCE_CONFIDENCE}};
  open_machine(&machine);
  measure(&machine);
  assert_int_equal(machine.budget.spent, 30);
  assert_int_equal(machine.budget.end, BUDGET_USED_UP);
  assert_true(machine.batches > 3 && tutti_budget_left(&machine.budget) == 0);
  for (size_t c = 0; c < machine.budget.rows.cells.count; c++) {
    assert_true(takes(&machine, c, "bcast/linear"));
    assert_true(tutti_budget_decide(&machine.budget, c).own < machine.budget.rows.count);
  }
  /* more of it goes on; what is worth nothing ends it */
  machine.budget.most_points = 31;
  machine.budget.end = BUDGET_GOES_ON;
  measure(&machine);
  assert_int_equal(machine.budget.spent, 31);
  machine.budget.most_points = 1000;
  machine.budget.worth = 0.5;
  machine.budget.end = BUDGET_GOES_ON;
  measure(&machine);
  assert_int_equal(machine.budget.end, BUDGET_WORTHLESS);
  assert_true(machine.budget.spent <= 31 + 2 * machine.budget.rows.cells.count); /* those beside the library's own */
  close_machine(&machine);
}

/* Launches that differ are seen to. */
TEST(test_noise)
{
  static struct machine machine;
  double quiet = 0;
  for (int noisy = 0; noisy < 2; noisy++) {
    machine =
        (struct machine){.budget = {.most_points = 120, .confidence = EVIDENCE_CONFIDENCE}, .noise = noisy ? 0.2 : 0};
    open_machine(&machine);
    measure(&machine);
    assert_true(machine.budget.spent > machine.budget.known);
    quiet = noisy ? quiet : machine.budget.noise;
    close_machine(&machine);
  }
  assert_true(quiet < 0.05 && machine.budget.noise > 0.15);
}

TEST(test_time)
{
  static struct machine machine;
  machine = (struct machine){.budget = {.most_seconds = 1e-9, .confidence = EVIDENCE_CONFIDENCE}};
  open_machine(&machine);
  measure(&machine);
  assert_int_equal(machine.budget.end, BUDGET_USED_UP);
  assert_int_equal(machine.budget.spent, 0);
  close_machine(&machine);
}

/* Of some launches one that is far off decides nothing. */
TEST(test_bad_launch)
{
  static const double factors[] = {1000, 10, 3, 1.0 / 3, 0.1, 0.001};
  static struct machine machine;
  for (size_t f = 0; f < sizeof factors / sizeof *factors; f++) {
    machine = (struct machine){.budget = {.most_points = 1, .confidence = EVIDENCE_CONFIDENCE}};
    open_machine(&machine);
    for (size_t i = 0; i < machine.budget.rows.count; i++) {
      double seconds[BUDGET_LAUNCHES];
      for (int l = 0; l < BUDGET_LAUNCHES; l++)
        seconds[l] = is_native(&machine, i) ? 1e-6 : 1.2e-6;
      seconds[2] *= is_native(&machine, i) == (factors[f] > 1) ? factors[f] : 1;
      store(&machine, i, BUDGET_LAUNCHES, seconds);
    }
    measure(&machine);
    for (size_t c = 0; c < machine.budget.rows.cells.count; c++)
      assert_true(takes(&machine, c, "bcast/native"));
    close_machine(&machine);
  }
}

/* One launch is not enough to be sure of a quarter, two are of a half. */
TEST(test_single_launch)
{
  static const double own[] = {1.16e-6, 1.16e-6, 1.16e-6, 1.16e-6, 1.16e-6}, quarter[] = {0.88e-6},
                      half[] = {0.58e-6, 0.58e-6};
  static struct machine machine;
  for (int launches = 1; launches <= 2; launches++) {
    machine = (struct machine){.budget = {.most_points = 1, .confidence = EVIDENCE_CONFIDENCE}};
    open_machine(&machine);
    for (size_t i = 0; i < machine.budget.rows.count; i++) {
      const bool is_linear = strcmp(machine.budget.rows.items[i].call.name, "bcast/linear") == 0;
      if (is_linear || is_native(&machine, i))
        store(&machine, i, is_linear ? launches : 3, is_linear ? (launches == 1 ? quarter : half) : own);
      if (machine.budget.rows.items[i].cell > 0)
        break; /* of the first call alone */
    }
    measure(&machine);
    const struct sampler_choice choice = tutti_budget_decide(&machine.budget, 0);
    assert_true(takes(&machine, 0, "bcast/linear"));
    assert_true(launches == 1 ? choice.confidence < 0.9 : choice.confidence > 0.95);
    assert_true(launches == 2 || !tutti_budget_is_decided(&machine.budget, &choice));
    close_machine(&machine);
  }
}

/* The only launch of a point that all others contradict does not decide there. */
TEST(test_single_bad_launch)
{
  static struct machine machine;
  for (int slow = 0; slow < 2; slow++) {
    machine = (struct machine){.budget = {.most_points = 1, .confidence = EVIDENCE_CONFIDENCE}};
    open_machine(&machine);
    for (size_t i = 0; i < machine.budget.rows.count; i++) {
      const bool native = is_native(&machine, i), bad = machine.budget.rows.items[i].cell == 4 && native == slow;
      const double seconds = seconds_of(&machine.list.items[machine.budget.first[i]], 0) * (native ? 0.1 : 1),
                   off = seconds * (slow ? 13 : 1.0 / 50), times[] = {seconds, seconds, seconds};
      store(&machine, i, bad ? 1 : 3, bad ? &off : times);
    }
    measure(&machine);
    const struct sampler_choice choice = tutti_budget_decide(&machine.budget, 4);
    assert_true(takes(&machine, 4, "bcast/native") || choice.confidence < 0.9);
    close_machine(&machine);
  }
}

/* Times of 0 are spent and used, and launches that measure nothing end it. */
TEST(test_nothing_is_measured)
{
  static struct machine machine;
  static const double nothing[] = {0, -1};
  machine = (struct machine){.budget = {.most_points = 100, .confidence = EVIDENCE_CONFIDENCE}};
  open_machine(&machine);
  for (size_t i = 0; i < machine.budget.rows.count; i++)
    store(&machine, i, 2, nothing);
  measure(&machine);
  assert_int_equal(machine.budget.spent, 100);
  assert_int_equal(machine.budget.end, BUDGET_USED_UP);
  machine.fails = true;
  machine.budget.most_points = 120;
  machine.budget.end = BUDGET_GOES_ON;
  bool wanted[MOST] = {false};
  for (int batch = 0; batch < 2; batch++)
    assert_int_equal(tutti_budget_choose(&machine.budget, machine.list.items, machine.measured, machine.list.count,
                                         "MPICH-4.0.2", wanted, REASON),
                     TUTTI_OK);
  assert_int_equal(machine.budget.end, BUDGET_STUCK);
  close_machine(&machine);
}

/* It goes on while there is something to measure where calls are open, and then says that there is not. */
TEST(test_exhausted)
{
  static struct machine machine;
  enum { STORED = BUDGET_LAUNCHES - 2 };
  double seconds[STORED];
  for (int l = 0; l < STORED; l++)
    seconds[l] = l % 2 ? 1e-6 : 9e-6;
  machine = (struct machine){.budget = {.most_points = 10000, .confidence = EVIDENCE_CONFIDENCE}};
  open_machine(&machine);
  for (size_t i = 0; i < machine.budget.rows.count; i++)
    store(&machine, i, STORED, seconds);
  measure(&machine);
  assert_int_equal(machine.budget.end, BUDGET_EXHAUSTED);
  assert_int_equal(machine.budget.spent, BUDGET_LAUNCHES * machine.budget.rows.count);
  close_machine(&machine);
}

/* A prior that has one method far too fast is found out, and nothing is decided by a method that was never measured. */
TEST(test_misjudged)
{
  static struct machine machine;
  machine = (struct machine){.budget = {.most_points = 1000, .worth = 0.001, .confidence = EVIDENCE_CONFIDENCE},
                             .misjudged = "chain"};
  open_machine(&machine);
  measure(&machine);
  assert_true(machine.budget.spent > 0);
  for (size_t c = 0; c < machine.budget.rows.cells.count; c++) {
    const struct sampler_choice choice = tutti_budget_decide(&machine.budget, c);
    bool seen = false;
    for (size_t i = 0; i < machine.budget.rows.count; i++)
      seen = seen || (machine.budget.points[i].method == machine.budget.points[choice.chosen].method &&
                      machine.budget.measured[i] > 0);
    assert_true(!takes(&machine, c, "bcast/chain"));
    assert_true(seen || !tutti_budget_is_decided(&machine.budget, &choice));
  }
  close_machine(&machine);
}

/* Before the end each method that takes the place of the library's own was measured beside it. */
TEST(test_replacements)
{
  static struct machine machine;
  machine = (struct machine){.budget = {.most_points = 1000, .worth = 0.02, .confidence = EVIDENCE_CONFIDENCE}};
  open_machine(&machine);
  measure(&machine);
  assert_int_equal(machine.budget.end, BUDGET_WORTHLESS);
  for (size_t c = 0; c < machine.budget.rows.cells.count; c++) {
    const struct sampler_choice choice = tutti_budget_decide(&machine.budget, c);
    assert_true(choice.chosen == choice.own ||
                (machine.budget.measured[choice.chosen] > 0 && machine.budget.measured[choice.own] > 0));
  }
  close_machine(&machine);
}

/* The times of the prior have another unit: that is taken out of them. */
TEST(test_shift)
{
  static struct machine machine;
  machine = (struct machine){.budget = {.most_points = 30, .confidence = EVIDENCE_CONFIDENCE}};
  open_machine(&machine);
  for (size_t i = 0; i < machine.budget.rows.count; i++)
    machine.budget.rows.items[i].call.simulated *= 1e200;
  measure(&machine);
  assert_true(machine.budget.loss < 1);
  assert_true(fabs(machine.budget.sampler.shift + 200 * log(10)) < 5);
  for (size_t c = 0; c < machine.budget.rows.cells.count; c++)
    assert_true(takes(&machine, c, "bcast/linear"));
  close_machine(&machine);
}

/* A call of one rank has no message, and no prior time. */
TEST(test_one_rank)
{
  static struct machine machine;
  machine = (struct machine){.budget = {.most_points = 4, .confidence = EVIDENCE_CONFIDENCE}, .one_rank = true};
  open_machine(&machine);
  measure(&machine);
  assert_int_equal(machine.budget.spent, 4);
  for (size_t i = 0; i < machine.budget.rows.count; i++)
    assert_true(isfinite(machine.budget.sampler.mean[i]));
  close_machine(&machine);
}
