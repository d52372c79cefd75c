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
  size_t batches;
};

static void open_machine(struct machine *machine)
{
  static const uint64_t ranks[] = {4, 8, 16}, sizes[] = {8, 512, 32768};
  const tutti_experiment_words words = {.collectives = 1U << TUTTI_COLL_BCAST,
                                        .platform = "here",
                                        .flavor = "mpich",
                                        .ranks_count = 3,
                                        .ranks = ranks,
                                        .size_count = 3,
                                        .sizes = sizes,
                                        .methods = "linear binomial binary chain native"};
  tutti_plan plan = {.present = 0};
  assert_int_equal(tutti_experiment_of_words(&words, &machine->experiment, REASON), TUTTI_OK);
  const struct budget_prior none = {.count = 0};
  assert_int_equal(tutti_budget_open(&machine->budget, &machine->experiment, &none, REASON), TUTTI_OK);
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
    assert_int_equal(tutti_budget_choose(&machine->budget, machine->list.items, machine->measured,
                                         machine->list.count, "MPICH-4.0.2", wanted, REASON),
                     TUTTI_OK);
    for (size_t i = 0; i < machine->list.count; i++)
      if (wanted[i]) {
        assert_null(machine->measured[i]); /* never what is measured already */
        machine->measurements[i] =
            (tutti_measurement){.median = seconds_of(&machine->list.items[i], machine->noise), .spread = 1};
        machine->measured[i] = &machine->measurements[i];
        count++;
      }
    assert_int_equal(count > 0, machine->budget.end == BUDGET_GOES_ON);
    machine->batches++;
  }
}

static bool takes_linear(const struct machine *machine, size_t call)
{
  const struct sampler_choice choice = tutti_budget_decide(&machine->budget, call);
  return strcmp(machine->budget.rows.items[choice.chosen].call.found.method.algorithm->name, "linear") == 0;
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
    assert_true(takes_linear(&machine, c));
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
  assert_int_equal(machine.budget.spent, 31);
  close_machine(&machine);
}

/* Launches that differ are seen to. */
TEST(test_noise)
{
  static struct machine machine;
  double quiet = 0;
  for (int noisy = 0; noisy < 2; noisy++) {
    machine = (struct machine){.budget = {.most_points = 120, .confidence = EVIDENCE_CONFIDENCE},
                               .noise = noisy ? 0.2 : 0};
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
