/* What methods take for one call: a table, or JSON. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cli/predict/predict.h"
#include "cli/output/report_json.h"

enum { NAME = 32 };

static double time_of(const struct predictors *predictors, const struct prediction *p, int method, int predictor)
{
  return p->times[method * predictors->count + predictor];
}

static void print_time(double seconds)
{
  if (isnan(seconds))
    printf(" %20s", "-");
  else
    printf(" %20.3f", 1e6 * seconds);
}

static int longest_method(const struct prediction *p)
{
  size_t longest = strlen("method [us]");
  char text[TUTTI_METHOD_LENGTH];
  for (int m = 0; m < p->count; m++) {
    size_t length = strlen(tutti_method_format(&p->methods[m], text));
    longest = length > longest ? length : longest;
  }
  return (int)longest;
}

static void print_table(const struct predictors *predictors, const struct prediction *p)
{
  char text[TUTTI_METHOD_LENGTH], name[NAME];
  int width = longest_method(p);
  printf("  %-*s", width, "method [us]");
  for (int i = 0; i < predictors->count; i++)
    printf(" %20s", predictor_name(&predictors->items[i], name));
  printf("\n");
  for (int m = 0; m < p->count; m++) {
    printf("  %-*s", width, tutti_method_format(&p->methods[m], text));
    for (int i = 0; i < predictors->count; i++)
      print_time(time_of(predictors, p, m, i));
    printf("\n");
  }
}

static void print_best(const struct predictors *predictors, const struct prediction *p)
{
  char text[TUTTI_METHOD_LENGTH], name[NAME];
  double weight, all = 0;
  int vote = tutti_votes_count(p->best, predictors->items, predictors->count, &weight);
  printf("\n");
  for (int i = 0; i < predictors->count; i++)
    if (p->best[i] >= 0)
      printf("  best, %s: %s, %.3f us\n", predictor_name(&predictors->items[i], name),
             tutti_method_format(&p->methods[p->best[i]], text), 1e6 * time_of(predictors, p, p->best[i], i));
  for (int i = 0; i < predictors->count; i++)
    all += p->best[i] >= 0 ? predictors->items[i].weight : 0;
  if (predictors->count > 1 && vote >= 0)
    printf("  most votes: %s, %g of %g\n", tutti_method_format(&p->methods[vote], text), weight, all);
}

static void print_header(const struct predict_options *options, const struct predictors *predictors,
                         const struct prediction *p)
{
  char size[24];
  printf("%s on %d ranks of %s", tutti_collective_name(options->collective), p->ranks, options->selection.platform);
  if (options->collective != TUTTI_COLL_BARRIER)
    printf(", %s%s", tutti_collective_traits(options->collective) & TUTTI_HAS_BLOCKS ? "blocks of " : "",
           tutti_size_format(p->bytes, size));
  printf("; %s\n\n", predictors->source);
}

static void print_json_method(const struct predictors *predictors, const struct prediction *p, int m)
{
  char text[TUTTI_METHOD_LENGTH], name[NAME];
  printf("  {\"method\": ");
  json_string(stdout, tutti_method_format(&p->methods[m], text));
  printf(", \"time_s\": {");
  for (int i = 0; i < predictors->count; i++) {
    printf("%s\"%s\": ", i ? ", " : "", predictor_name(&predictors->items[i], name));
    json_number(stdout, time_of(predictors, p, m, i), 17);
  }
  printf("}}%s\n", m + 1 < p->count ? "," : "");
}

static void print_json_name(const struct prediction *p, int method)
{
  char text[TUTTI_METHOD_LENGTH];
  if (method < 0)
    printf("null");
  else
    json_string(stdout, tutti_method_format(&p->methods[method], text));
}

static void print_json(const struct predict_options *options, const struct predictors *predictors,
                       const struct prediction *p)
{
  char name[NAME];
  double weight;
  printf("{\"collective\": \"%s\", \"platform\": ", tutti_collective_name(options->collective));
  json_string(stdout, options->selection.platform);
  printf(", \"parameters\": ");
  json_string(stdout, predictors->source);
  printf(",\n \"ranks\": %d, \"rank_B\": %" PRIu64 ",\n \"methods\": [\n", p->ranks, p->bytes);
  for (int m = 0; m < p->count; m++)
    print_json_method(predictors, p, m);
  printf(" ],\n \"best\": {");
  for (int i = 0; i < predictors->count; i++) {
    printf("%s\"%s\": ", i ? ", " : "", predictor_name(&predictors->items[i], name));
    print_json_name(p, p->best[i]);
  }
  printf("},\n \"most_votes\": ");
  print_json_name(p, tutti_votes_count(p->best, predictors->items, predictors->count, &weight));
  printf("}\n");
}

void report_prediction(const struct predict_options *options, const struct predictors *predictors,
                       const struct prediction *p)
{
  if (options->json) {
    print_json(options, predictors, p);
    return;
  }
  print_header(options, predictors, p);
  print_table(predictors, p);
  print_best(predictors, p);
}
