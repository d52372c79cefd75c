/* What tutti explain has to say. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cli/explain/explain.h"
#include "cli/output/report_json.h"

static const char *method_of(const tutti_explanation *explanation, char *text)
{
  return explanation->known ? tutti_method_format(&explanation->method, text) : NULL;
}

static void print_head(const struct explained *explained)
{
  const tutti_explained_call *call = &explained->options->call;
  const tutti_explanation *here = &explained->here;
  char size[24], name[TUTTI_METHOD_LENGTH];
  printf("%s on %d ranks, %s per rank, by %s", tutti_collective_name(call->collective), call->ranks,
         tutti_size_format(call->rank_bytes, size), explained->options->decision);
  printf(*explained->target ? ", read by %s\n\n" : "\n\n", explained->target);
  bool named = strcmp(here->algorithm, "none") != 0;
  if (here->fails)
    printf("  fails%s%s\n", named ? ": " : "", named ? here->algorithm : "");
  else if (here->own_choice)
    printf("  the library's own choice%s%s", named ? ": " : "", named ? here->algorithm : "");
  else
    printf("  %s", here->algorithm);
  if (!here->fails && here->known)
    printf(", which is %s", method_of(here, name));
  if (!here->fails)
    putchar('\n');
}

static void print_steps(const struct explained *explained)
{
  const tutti_explanation *here = &explained->here;
  printf("\nBecause\n");
  for (size_t i = 0; i < here->step_count; i++) {
    const tutti_explained_step *step = &here->steps[i];
    if (step->line)
      printf("  %s:%d:%d: %s\n", explained->options->decision, step->line, step->column, step->text);
    else
      printf("  %s\n", step->text);
  }
}

static void print_nearest(const struct explained *explained)
{
  char size[24];
  if (!explained->has_below && !explained->has_above && !explained->has_ranks)
    return;
  printf("\nNearest decisions\n");
  if (explained->has_below)
    printf("  up to %s: %s\n", tutti_size_format(explained->below_bytes, size), explained->below.algorithm);
  if (explained->has_above)
    printf("  from %s on: %s\n", tutti_size_format(explained->above_bytes, size), explained->above.algorithm);
  if (explained->has_ranks)
    printf("  from %d ranks on: %s\n", explained->next_ranks, explained->at_next_ranks.algorithm);
}

/* ---- times ---- */

/* The first rows, and what was chosen. */
static bool is_shown(const struct explained *explained, int index)
{
  const struct explained_times *times = &explained->times;
  int before = 0;
  if (times->rows[index].chosen)
    return true;
  if (isnan(times->rows[index].measured) && isnan(times->rows[index].predicted[0]))
    return false;
  for (int i = 0; i < index; i++)
    before += !times->rows[i].chosen;
  return before < explained->options->runners;
}

static double penalty_of(const struct explained_times *times, int index)
{
  return 100 * (times->rows[index].measured - times->rows[0].measured) / times->rows[0].measured;
}

static void print_time(double seconds, int width)
{
  if (isnan(seconds))
    printf(" %*s", width, "-");
  else
    printf(" %*.3f", width, 1e6 * seconds);
}

static void print_row(const struct explained_times *times, int index, int width)
{
  char name[TUTTI_METHOD_LENGTH];
  const struct explained_time *row = &times->rows[index];
  printf("%c %-*s", row->chosen ? '*' : ' ', width, tutti_method_format(&row->method, name));
  print_time(row->measured, 13);
  if (isnan(row->measured))
    printf(" %12s", "-");
  else
    printf(" %12.2f", penalty_of(times, index));
  for (int p = 0; p < times->predictors.count; p++)
    print_time(row->predicted[p], 14);
  printf("\n");
}

static void print_times(const struct explained *explained)
{
  const struct explained_times *times = &explained->times;
  char name[TUTTI_METHOD_LENGTH];
  int width = 6;
  if (!*explained->options->selection.platform)
    return;
  for (int i = 0; i < times->count; i++)
    if (is_shown(explained, i) && (int)strlen(tutti_method_format(&times->rows[i].method, name)) > width)
      width = (int)strlen(name);
  printf("\nOn %s%s\n", explained->options->selection.platform,
         times->any_measured ? "" : ", where this call was not measured");
  printf("  %-*s %13s %12s", width, "method", "measured [us]", "penalty [%]");
  for (int p = 0; p < times->predictors.count; p++)
    printf(" %9s [us]", tutti_model_kind_name(times->predictors.items[p].model.kind));
  printf("\n");
  for (int i = 0; i < times->count; i++)
    if (is_shown(explained, i))
      print_row(times, i, width);
  if (*times->why_not)
    printf("  nothing is predicted: %s\n", times->why_not);
}

void report_explain_print(const struct explained *explained)
{
  print_head(explained);
  print_steps(explained);
  print_nearest(explained);
  print_times(explained);
}

/* ---- JSON ---- */

static void print_member(const char *name, const char *text)
{
  printf(", \"%s\": ", name);
  if (text)
    json_string(stdout, text);
  else
    printf("null");
}

static void print_json_steps(const tutti_explanation *here)
{
  printf(",\n \"steps\": [");
  for (size_t i = 0; i < here->step_count; i++) {
    printf("%s\n  {\"line\": %d, \"column\": %d, \"text\": ", i ? "," : "", here->steps[i].line, here->steps[i].column);
    json_string(stdout, here->steps[i].text);
    putchar('}');
  }
  printf("]");
}

static void print_json_nearest(const struct explained *explained)
{
  if (explained->has_below) {
    printf(",\n \"below\": {\"most_B\": %" PRIu64, explained->below_bytes);
    print_member("algorithm", explained->below.algorithm);
    putchar('}');
  }
  if (explained->has_above) {
    printf(",\n \"above\": {\"least_B\": %" PRIu64, explained->above_bytes);
    print_member("algorithm", explained->above.algorithm);
    putchar('}');
  }
  if (explained->has_ranks) {
    printf(",\n \"more_ranks\": {\"least\": %d", explained->next_ranks);
    print_member("algorithm", explained->at_next_ranks.algorithm);
    putchar('}');
  }
}

static void print_json_times(const struct explained *explained)
{
  const struct explained_times *times = &explained->times;
  const char *comma = "";
  char name[TUTTI_METHOD_LENGTH];
  printf(",\n \"times\": [");
  for (int i = 0; i < times->count; i++) {
    if (!is_shown(explained, i))
      continue;
    printf("%s\n  {\"chosen\": %s", comma, times->rows[i].chosen ? "true" : "false");
    print_member("method", tutti_method_format(&times->rows[i].method, name));
    json_member("measured_s", times->rows[i].measured, 12);
    json_member("penalty_percent", penalty_of(times, i), 12);
    for (int p = 0; p < times->predictors.count; p++) {
      snprintf(name, sizeof name, "%s_s", tutti_model_kind_name(times->predictors.items[p].model.kind));
      json_member(name, times->rows[i].predicted[p], 12);
    }
    putchar('}');
    comma = ",";
  }
  printf("]");
}

void report_explain_json(const struct explained *explained)
{
  const tutti_explained_call *call = &explained->options->call;
  char name[TUTTI_METHOD_LENGTH];
  printf("{\"collective\": ");
  json_string(stdout, tutti_collective_name(call->collective));
  printf(", \"ranks\": %d, \"size_B\": %" PRIu64, call->ranks, call->rank_bytes);
  print_member("decision", explained->options->decision);
  print_member("target", *explained->target ? explained->target : NULL);
  print_member("algorithm", explained->here.algorithm);
  print_member("method", method_of(&explained->here, name));
  printf(", \"own_choice\": %s, \"fails\": %s, \"least_B\": %" PRIu64, explained->here.own_choice ? "true" : "false",
         explained->here.fails ? "true" : "false", explained->here.least);
  if (explained->here.most != UINT64_MAX)
    printf(", \"most_B\": %" PRIu64, explained->here.most);
  print_json_steps(&explained->here);
  print_json_nearest(explained);
  print_json_times(explained);
  printf("}\n");
}
