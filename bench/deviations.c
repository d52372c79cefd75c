/* How far the published formulas, corrected, are from the messages that their algorithms send: for each row of
   tables 4.2 to 4.11 of Pjesivac-Grbovic 2007 and each model, mean and largest |priced / formula - 1|, as Markdown.

   bench-deviations PLATFORM.xml: under the parameters that the platform file says were published, without copies (the
   formulas count those of buffers that a schedule need not have). Segments have 8 KB. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "tutti/parameters.h"
#include "tutti/predict.h"

enum { SEGMENT = 8192 };

static const uint64_t sizes[] = {1, 1024, 32768, 1048576};
static const int more_ranks[] = {127, 128, 129, 255, 256, 257, 512, 1000, 1024};

struct deviation {
  double sum, largest;
  int points, exact, powers, exact_powers, over;
  int ranks; /* of the largest */
  uint64_t bytes;
};

/* Nobody waits for an alltoall of 1 MB on 1,024 ranks, or wants its 10^9 bytes a rank. */
static bool is_sensible(const tutti_method *method, int ranks, uint64_t bytes)
{
  unsigned traits = tutti_collective_traits(method->algorithm->collective);
  if (method->algorithm->collective == TUTTI_COLL_BARRIER)
    return bytes == 1;
  return !(traits & TUTTI_HAS_BLOCKS) || ranks <= 129 || bytes <= 1024;
}

static void add_point(struct deviation *d, const tutti_predictor *formula, const tutti_method *method, int ranks,
                      uint64_t bytes)
{
  tutti_predictor schedule = *formula;
  double expected, priced;
  schedule.by = TUTTI_BY_SCHEDULE;
  if (!is_sensible(method, ranks, bytes) ||
      tutti_predict_time(formula, method, ranks, bytes, &expected, NULL) != TUTTI_OK ||
      tutti_predict_time(&schedule, method, ranks, bytes, &priced, NULL) != TUTTI_OK)
    return;
  double ratio = priced / expected, deviation = fabs(ratio - 1);
  bool power = (ranks & (ranks - 1)) == 0, exact = deviation <= 1e-12;
  d->points++;
  d->exact += exact;
  d->powers += power;
  d->exact_powers += power && exact;
  d->over += ratio > 1 + 1e-12;
  d->sum += deviation;
  if (deviation > d->largest) {
    d->largest = deviation;
    d->ranks = ranks;
    d->bytes = bytes;
  }
}

static struct deviation measure(const tutti_predictor *predictor, const tutti_method *method)
{
  struct deviation d = {0};
  for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
    for (int ranks = 2; ranks <= 64; ranks++)
      add_point(&d, predictor, method, ranks, sizes[s]);
    for (size_t r = 0; r < sizeof more_ranks / sizeof *more_ranks; r++)
      add_point(&d, predictor, method, more_ranks[r], sizes[s]);
  }
  return d;
}

/* What the formula is, as far as these points show it. */
static const char *kind_of(const struct deviation *d)
{
  bool powers = d->powers > 0 && d->exact_powers == d->powers;
  if (d->exact == d->points)
    return "exact";
  if (d->over > 0)
    return powers ? "exact for 2^k, else estimate" : "estimate";
  return powers ? "exact for 2^k, else bound" : "bound";
}

static void print_cell(const struct deviation *d)
{
  char size[24];
  if (d->points == 0)
    printf(" |");
  else if (d->largest <= 1e-12)
    printf(" exact |");
  else
    printf(" %s: %.1f %%, %.1f %% (%d, %s) |", kind_of(d), 100 * d->sum / d->points, 100 * d->largest, d->ranks,
           tutti_size_format(d->bytes, size));
}

static bool has_formula(const tutti_predictor *predictor, const tutti_method *method)
{
  double seconds;
  return tutti_predict_time(predictor, method, 4, 1024, &seconds, NULL) == TUTTI_OK;
}

static void print_row(const tutti_predictor *predictors, const tutti_method *method)
{
  char name[TUTTI_METHOD_LENGTH];
  if (!has_formula(&predictors[0], method))
    return;
  printf("| %s |", tutti_method_format(method, name));
  for (int kind = 0; kind < TUTTI_MODEL_KINDS; kind++) {
    struct deviation d = measure(&predictors[kind], method);
    print_cell(&d);
  }
  printf("\n");
  fflush(stdout);
}

static tutti_status read_predictors(const char *path, tutti_parameter_set *set, tutti_predictor *predictors,
                                    tutti_error *error)
{
  tutti_platform platform;
  tutti_status status = tutti_platform_read(path, &platform, error);
  if (status != TUTTI_OK)
    return status;
  status = tutti_parameter_set_published(&platform, set, error);
  for (int kind = 0; kind < TUTTI_MODEL_KINDS && status == TUTTI_OK; kind++) {
    predictors[kind] = (tutti_predictor){.by = TUTTI_BY_FORMULA, .weight = 1};
    status = tutti_parameter_set_model(set, (tutti_model_kind)kind, &predictors[kind].model, error);
    predictors[kind].model.delta = 0;
  }
  tutti_platform_free(&platform);
  return status;
}

int main(int argc, char **argv)
{
  tutti_parameter_set set = {0};
  tutti_predictor predictors[TUTTI_MODEL_KINDS];
  tutti_error error;
  if (argc != 2) {
    fprintf(stderr, "usage: bench-deviations PLATFORM.xml\n");
    return 2;
  }
  if (read_predictors(argv[1], &set, predictors, &error) != TUTTI_OK) {
    fprintf(stderr, "bench-deviations: %s\n", error.message);
    return 2;
  }
  printf("| method | Hockney | LogGP | PLogP |\n|---|---|---|---|\n");
  for (size_t i = 0; i < tutti_algorithm_count(); i++) {
    tutti_method method = tutti_method_default(tutti_algorithm_at(i));
    print_row(predictors, &method);
    if (!(method.algorithm->parameters & TUTTI_TAKES_SEGMENT))
      continue;
    method.parameters.segment_bytes = SEGMENT;
    print_row(predictors, &method);
  }
  tutti_parameter_set_free(&set);
  return 0;
}
