#include "cli/bench/report_claims.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/output/progress.h"
#include "cli/output/report_json.h"

enum { CELL = 96 };

/* Measured over published, where one number was published. */
static double ratio_of(const tutti_claim *claim, double measured)
{
  return claim->comparison <= TUTTI_CLAIM_FACTOR && (claim->value > 0 || claim->value < 0) ? measured / claim->value
                                                                                           : NAN;
}

/* "12.43 % (within 50%)" */
static void format_published(const tutti_claim *claim, char *text)
{
  snprintf(text, CELL, "%s%s%s%s%s%s", claim->published, claim->unit ? " " : "", claim->unit ? claim->unit : "",
           claim->within ? " (within " : "", claim->within ? claim->within : "", claim->within ? ")" : "");
}

static void format_measured(const tutti_claim *claim, double measured, char *text)
{
  if (isnan(measured))
    snprintf(text, CELL, "-");
  else if (claim->comparison == TUTTI_CLAIM_TRUTH)
    snprintf(text, CELL, "%s", measured > 0 || measured < 0 ? "true" : "false");
  else
    snprintf(text, CELL, "%.6g%s%s", measured, claim->unit ? " " : "", claim->unit ? claim->unit : "");
}

static const char *verdict_of(const tutti_claim *claim, const tutti_claim_outcome *outcome)
{
  if (outcome->verdict == TUTTI_VERDICT_DIFFERS && !claim->differs)
    return "differs, not explained";
  return tutti_verdict_name(outcome->verdict);
}

static int wider(int width, const char *text)
{
  int length = (int)strlen(text);
  return length > width ? length : width;
}

static void print_reason(const char *heading, const char *text)
{
  if (!text)
    return;
  printf("\n%s: ", heading);
  for (; *text; text += strspn(text, " \t\r\n")) {
    int length = (int)strcspn(text, " \t\r\n");
    printf("%.*s", length, text);
    text += length;
    putchar(*text ? ' ' : '\n');
  }
}

static void print_table(const struct bench_outcome *outcome)
{
  const tutti_experiment *experiment = outcome->experiment;
  char published[CELL], measured[CELL], ratio[32];
  int widths[3] = {5, 9, 8};
  for (int i = 0; i < experiment->claim_count; i++) {
    format_published(&experiment->claims[i], published);
    format_measured(&experiment->claims[i], outcome->claims[i].measured, measured);
    widths[0] = wider(widths[0], experiment->claims[i].what);
    widths[1] = wider(widths[1], published);
    widths[2] = wider(widths[2], measured);
  }
  printf("\n  %-*s  %-*s  %*s  %6s  %s\n", widths[0], "claim", widths[1], "published", widths[2], "measured", "ratio",
         "verdict");
  for (int i = 0; i < experiment->claim_count; i++) {
    const tutti_claim *claim = &experiment->claims[i];
    double of = ratio_of(claim, outcome->claims[i].measured);
    format_published(claim, published);
    format_measured(claim, outcome->claims[i].measured, measured);
    snprintf(ratio, sizeof ratio, isnan(of) ? "-" : "%.2f", of);
    printf("  %-*s  %-*s  %*s  %6s  %s\n", widths[0], claim->what, widths[1], published, widths[2], measured, ratio,
           verdict_of(claim, &outcome->claims[i]));
  }
}

void report_claims_print(const struct bench_outcome *outcome)
{
  const tutti_experiment *experiment = outcome->experiment;
  if (experiment->claim_count == 0 && !experiment->not_reproducible)
    return;
  if (experiment->claim_count > 0)
    print_table(outcome);
  print_reason("Why it differs", experiment->differs);
  print_reason("Why it cannot be reproduced here", experiment->not_reproducible);
  printf("\n%s%s%s: %s\n", experiment->name, experiment->source ? ", " : "",
         experiment->source ? experiment->source : "", tutti_verdict_name(outcome->verdict));
}

/* ---- JSON ---- */

static void print_string(const char *name, const char *text)
{
  printf("\"%s\": ", name);
  if (text)
    json_string(stdout, text);
  else
    printf("null");
}

static void print_claim_json(const tutti_claim *claim, const tutti_claim_outcome *outcome)
{
  printf("{");
  print_string("what", claim->what);
  printf(", ");
  print_string("published", claim->published);
  printf(", ");
  print_string("unit", claim->unit);
  printf(", ");
  print_string("within", claim->within);
  json_member("measured", outcome->measured, 12);
  json_member("ratio", ratio_of(claim, outcome->measured), 12);
  printf(", \"known_to_differ\": %s, ", claim->differs ? "true" : "false");
  print_string("verdict", tutti_verdict_name(outcome->verdict));
  printf("}");
}

static void print_experiment_json(const struct bench_outcome *outcome)
{
  const tutti_experiment *experiment = outcome->experiment;
  printf("{");
  print_string("experiment", experiment->name);
  printf(", ");
  print_string("source", experiment->source);
  printf(", ");
  print_string("verdict", tutti_verdict_name(outcome->verdict));
  json_member("takes_s", experiment->takes, 12);
  json_member("took_s", outcome->ran ? outcome->seconds : NAN, 6);
  printf(", ");
  print_string("differs", experiment->differs);
  printf(", ");
  print_string("not_reproducible", experiment->not_reproducible);
  printf(", \"claims\": [");
  for (int i = 0; i < experiment->claim_count; i++) {
    printf("%s\n    ", i ? "," : "");
    print_claim_json(&experiment->claims[i], &outcome->claims[i]);
  }
  printf("]}");
}

void report_claims_print_json(const struct bench_outcome *outcome)
{
  print_experiment_json(outcome);
  putchar('\n');
}

void report_experiments_print_json(const struct bench_outcome *outcomes, int count)
{
  printf("{\"experiments\": [");
  for (int i = 0; i < count; i++) {
    printf("%s\n  ", i ? "," : "");
    print_experiment_json(&outcomes[i]);
  }
  printf("\n]}\n");
}
