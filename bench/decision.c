/* What a decision by models takes: the best of the methods of tables 6.2 and 6.3 of Pjesivac-Grbovic 2007 at each of
   their points (broadcast: 25 methods, 27 x 48 points; allgather: 4 methods, 49 x 34 points), by formula.

   bench-decision PLATFORM.xml: under the parameters that the platform file says were published; PLogP has 22 points. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "tutti/parameters.h"
#include "tutti/predict.h"

enum { MAX_METHODS = 32, MAX_SIZES = 64, PLOGP_POINTS = 22, ROUNDS = 20 };

struct table {
  const char *name;
  tutti_collective collective;
  tutti_method methods[MAX_METHODS];
  int method_count;
  uint64_t sizes[MAX_SIZES];
  int size_count, most_ranks;
};

static void add_methods(struct table *table, const char *const *names, int count, bool segments)
{
  static const uint64_t segment_sizes[] = {0, 1024, 8192, 16384, 32768};
  for (int i = 0; i < count; i++) {
    tutti_method method = tutti_method_default(tutti_algorithm_find(table->collective, names[i]));
    for (int s = 0; s < (segments ? 5 : 1); s++) {
      method.parameters.segment_bytes = segment_sizes[s];
      table->methods[table->method_count++] = method;
    }
  }
}

static void add_sizes(struct table *table, uint64_t first, uint64_t last)
{
  for (uint64_t size = first; size <= last; size *= 2)
    table->sizes[table->size_count++] = size;
}

static struct table broadcast(void)
{
  static const char *const names[] = {"linear", "binomial", "binary", "split-binary", "pipeline"};
  struct table table = {.name = "broadcast, table 6.2", .collective = TUTTI_COLL_BCAST, .most_ranks = 28};
  add_methods(&table, names, 5, true);
  add_sizes(&table, 1, 262144);
  add_sizes(&table, 3, 393216);
  add_sizes(&table, 320, 327680);
  return table;
}

static struct table allgather(void)
{
  static const char *const names[] = {"bruck", "recursive-doubling", "ring", "neighbor-exchange"};
  struct table table = {.name = "allgather, table 6.3", .collective = TUTTI_COLL_ALLGATHER, .most_ranks = 50};
  add_methods(&table, names, 4, false);
  add_sizes(&table, 1, 131072);
  add_sizes(&table, 3, 98304);
  return table;
}

static double now(void)
{
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Decisions made; those that are none count, too. */
static long decide_all(const struct table *table, const tutti_decision *decision)
{
  long decisions = 0;
  tutti_method picked;
  for (int ranks = 2; ranks <= table->most_ranks; ranks++)
    for (int s = 0; s < table->size_count; s++) {
      tutti_question question = {.collective = table->collective, .ranks = ranks, .rank_bytes = table->sizes[s]};
      decisions += decision->decide(decision, &question, &picked);
    }
  return decisions;
}

static tutti_status time_decisions(const struct table *table, const tutti_predictor *predictor, tutti_error *error)
{
  tutti_decision decision;
  long decisions = 0;
  tutti_status status = tutti_decision_models("bench", table->collective, table->methods, table->method_count,
                                              predictor, 1, &decision, error);
  if (status != TUTTI_OK)
    return status;
  double begun = now();
  for (int i = 0; i < ROUNDS; i++)
    decisions += decide_all(table, &decision);
  double seconds = now() - begun;
  printf("%-22s %-8s %2d methods, %4d points: %6.3f us a decision\n", table->name,
         tutti_model_kind_name(predictor->model.kind), table->method_count, (table->most_ranks - 1) * table->size_count,
         1e6 * seconds / (double)decisions);
  tutti_decision_free(&decision);
  return TUTTI_OK;
}

/* PLogP with as many points as are measured: those of LogGP at powers of two. */
static tutti_model many_points(const tutti_model *model, tutti_plogp_point *points)
{
  tutti_model many = *model;
  for (int i = 0; i < PLOGP_POINTS; i++) {
    double m = i == 0 ? 0 : (double)(UINT64_C(1) << (i - 1));
    points[i] = (tutti_plogp_point){.m = m,
                                    .g = tutti_plogp_g(&model->network.plogp, m),
                                    .o_s = tutti_plogp_o_s(&model->network.plogp, m),
                                    .o_r = tutti_plogp_o_r(&model->network.plogp, m)};
  }
  many.network.plogp.points = points;
  many.network.plogp.count = PLOGP_POINTS;
  return many;
}

static tutti_status run(const char *path, tutti_parameter_set *set, tutti_error *error)
{
  const struct table tables[] = {broadcast(), allgather()};
  tutti_plogp_point points[PLOGP_POINTS];
  tutti_platform platform;
  tutti_status status = tutti_platform_read(path, &platform, error);
  if (status != TUTTI_OK)
    return status;
  status = tutti_parameter_set_published(&platform, set, error);
  tutti_platform_free(&platform);
  for (int t = 0; t < 2; t++)
    for (int kind = 0; kind < TUTTI_MODEL_KINDS && status == TUTTI_OK; kind++) {
      tutti_predictor predictor = {.by = TUTTI_BY_FORMULA, .weight = 1};
      status = tutti_parameter_set_model(set, (tutti_model_kind)kind, &predictor.model, error);
      if (status == TUTTI_OK && kind == TUTTI_MODEL_PLOGP)
        predictor.model = many_points(&predictor.model, points);
      if (status == TUTTI_OK)
        status = time_decisions(&tables[t], &predictor, error);
    }
  return status;
}

int main(int argc, char **argv)
{
  tutti_parameter_set set = {0};
  tutti_error error;
  if (argc != 2) {
    fprintf(stderr, "usage: bench-decision PLATFORM.xml\n");
    return 2;
  }
  tutti_status status = run(argv[1], &set, &error);
  if (status != TUTTI_OK)
    fprintf(stderr, "bench-decision: %s\n", error.message);
  tutti_parameter_set_free(&set);
  return status == TUTTI_OK ? 0 : 2;
}
