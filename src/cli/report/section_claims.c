/* Published numbers compared with measured ones: the claims of experiments (claim.h). */
#include <math.h>

#include "cli/report/report.h"
#include "tutti/claim.h"

/* Experiments without claims, and those of which nothing was measured, are only listed. */
static bool has_measured(const tutti_experiment *experiment, const tutti_claim_outcome *outcomes)
{
  for (int i = 0; i < experiment->claim_count; i++)
    if (outcomes[i].verdict != TUTTI_VERDICT_NOT_MEASURED)
      return true;
  return false;
}

/* What was printed of an experiment. */
struct fidelity {
  bool printed;
  tutti_verdict verdict;
  tutti_claim_counts counts;
};

/* ---- one experiment ---- */

/* Owned by the caller. */
static char *bench_command(const tutti_experiment *experiment)
{
  const char *slash = strrchr(experiment->path, '/');
  char *file = tutti_xprintf("experiments/%s", slash ? slash + 1 : experiment->path), *word = tutti_xshell_word(file);
  char *command = tutti_xprintf("tutti bench %s", word);
  free(file);
  free(word);
  return command;
}

static void print_measured(const tutti_claim *claim, const tutti_claim_outcome *outcome, FILE *out)
{
  char text[TEXT_LENGTH];
  bool single = claim->comparison <= TUTTI_CLAIM_FACTOR && (claim->value > 0 || claim->value < 0);
  if (isfinite(outcome->measured) && claim->comparison == TUTTI_CLAIM_TRUTH)
    fputs(outcome->measured > 0 || outcome->measured < 0 ? "<td class=\"n\">true</td>" : "<td class=\"n\">false</td>",
          out);
  else
    html_print(out, "<td class=\"n\">%s</td>", text_real(outcome->measured, text));
  html_print(out, "<td class=\"n\">%s</td>", text_real(single ? outcome->measured / claim->value : NAN, text));
}

static void print_claim(const tutti_claim *claim, const tutti_claim_outcome *outcome, FILE *out)
{
  bool unexplained = outcome->verdict == TUTTI_VERDICT_DIFFERS && !claim->differs;
  html_print(out, "<tr><th scope=\"row\">%s</th><td class=\"n\">%s%s%s</td><td>%s</td>", claim->what, claim->published,
             claim->within ? " within " : "", claim->within ? claim->within : "", claim->from ? claim->from : "");
  print_measured(claim, outcome, out);
  html_print(out, "<td>%s</td><td>%s</td><td class=\"verdict v%d\">%s%s</td><td><code>%s</code></td></tr>\n",
             claim->unit ? claim->unit : "", tutti_claim_kind_name(claim->kind), (int)outcome->verdict,
             tutti_verdict_name(outcome->verdict), unexplained ? ", not explained" : "", claim->sql);
}

/* The claims of an experiment that are counted, or the others; nothing if it has none. */
static void print_rows(const char *heading, const tutti_experiment *experiment, const tutti_claim_outcome *outcomes,
                       bool counted, FILE *out)
{
  const tutti_claim_counts counts = tutti_claims_count(experiment, outcomes);
  if (counts.claims == (counted ? 0 : experiment->claim_count))
    return;
  char *title = tutti_xprintf("%s of %s", heading, experiment->name);
  html_table_begin(out, title, "claims", title,
                   HTML_TEXTS("Claim") HTML_NUMBERS("Published") HTML_TEXTS("Tolerance from") HTML_NUMBERS("Measured")
                       HTML_NUMBERS("Ratio") HTML_TEXTS("Unit") HTML_TEXTS("Tests") HTML_TEXTS("Verdict")
                           HTML_TEXTS("Query"));
  free(title);
  for (int i = 0; i < experiment->claim_count; i++)
    if (tutti_claim_is_counted(experiment->claims[i].kind) == counted)
      print_claim(&experiment->claims[i], &outcomes[i], out);
  html_table_end(out);
}

static void print_experiment(const tutti_experiment *experiment, const tutti_claim_outcome *outcomes,
                             tutti_verdict verdict, FILE *out)
{
  html_print(out, "<article>\n<h3>%s <span class=\"soft\">%s</span></h3>\n<p class=\"facts\">%s</p>\n",
             experiment->name, tutti_verdict_name(verdict), experiment->source ? experiment->source : "");
  print_rows("Claims", experiment, outcomes, true, out);
  print_rows("Not counted", experiment, outcomes, false, out);
  if (experiment->differs && verdict != TUTTI_VERDICT_REPRODUCED)
    html_print(out, "<p>Why it differs: %s</p>\n", experiment->differs);
  if (experiment->not_reproducible)
    html_print(out, "<p>Why it cannot be reproduced here: %s</p>\n", experiment->not_reproducible);
  char *command = bench_command(experiment);
  html_print(out, "<p class=\"source\"><code>%s</code></p>\n</article>\n", command);
  free(command);
}

/* Prints it if anything of it was measured. A faulty claim does not stop the report. */
static void evaluate(const struct report *report, const tutti_experiment *experiment, struct fidelity *fidelity,
                     FILE *out)
{
  tutti_claim_outcome *outcomes = tutti_xcalloc((size_t)experiment->claim_count, sizeof *outcomes);
  tutti_status status = tutti_claims_evaluate(experiment, report->store, outcomes, &fidelity->verdict, &failure);
  if (status == TUTTI_ERR_ARGUMENT)
    html_print(out, "<p class=\"warning\">%s</p>\n", failure.message);
  else {
    must(status);
    fidelity->printed = has_measured(experiment, outcomes);
    fidelity->counts = tutti_claims_count(experiment, outcomes);
    if (fidelity->printed)
      print_experiment(experiment, outcomes, fidelity->verdict, out);
  }
  free(outcomes);
}

/* ---- all ---- */

static void print_counts(const char *name, const char *source, const char *verdict, const tutti_claim_counts *counts,
                         FILE *out)
{
  int uncounted = 0;
  for (int kind = 0; kind < TUTTI_CLAIM_KINDS; kind++)
    uncounted += tutti_claim_is_counted((tutti_claim_kind)kind) ? 0 : counts->of[kind];
  html_print(out, "<tr><th scope=\"row\">%s</th><td>%s</td><td>%s</td>", name, source, verdict);
  html_print(out, "<td class=\"n\">%d of %d</td><td class=\"n\">%d of %d</td><td class=\"n\">%d</td></tr>\n",
             counts->holding, counts->claims, counts->holding_of[TUTTI_CLAIM_PREDICTION],
             counts->of[TUTTI_CLAIM_PREDICTION], uncounted);
}

/* How many claims hold, an experiment a row. */
static void print_fidelity(const struct report *report, const struct fidelity *fidelity, FILE *out)
{
  tutti_claim_counts all = {0};
  html_table_begin(out, "Fidelity", NULL, "Fidelity",
                   HTML_TEXTS("Experiment") HTML_TEXTS("Source") HTML_TEXTS("Verdict") HTML_NUMBERS("Claims that hold")
                       HTML_NUMBERS("Predictions that hold") HTML_NUMBERS("Not counted"));
  for (int i = 0; i < report->options->experiment_count; i++) {
    const tutti_experiment *experiment = &report->options->experiments[i];
    const tutti_claim_counts *counts = &fidelity[i].counts;
    if (!fidelity[i].printed)
      continue;
    print_counts(experiment->name, experiment->source ? experiment->source : "",
                 tutti_verdict_name(fidelity[i].verdict), counts, out);
    all.claims += counts->claims;
    all.holding += counts->holding;
    for (int kind = 0; kind < TUTTI_CLAIM_KINDS; kind++) {
      all.of[kind] += counts->of[kind];
      all.holding_of[kind] += counts->holding_of[kind];
    }
  }
  print_counts("all", "", "", &all, out);
  html_table_end(out);
}

/* The commands that measure what is missing. */
static void print_missing(const struct report *report, const struct fidelity *fidelity, FILE *out)
{
  int missing = 0;
  for (int i = 0; i < report->options->experiment_count; i++)
    missing += !fidelity[i].printed && report->options->experiments[i].claim_count > 0;
  if (missing == 0)
    return;
  html_print(out, "<details><summary>Experiments with claims of which nothing is in the store: %d</summary>\n<ul>\n",
             missing);
  for (int i = 0; i < report->options->experiment_count; i++) {
    const tutti_experiment *experiment = &report->options->experiments[i];
    if (fidelity[i].printed || experiment->claim_count == 0)
      continue;
    char *command = bench_command(experiment);
    html_print(out, "<li>%s <span class=\"soft\">%s</span> <code>%s</code></li>\n", experiment->name,
               experiment->source ? experiment->source : "", command);
    free(command);
  }
  fputs("</ul>\n</details>\n", out);
}

void section_claims(const struct report *report, FILE *out)
{
  struct fidelity *fidelity = tutti_xcalloc((size_t)report->options->experiment_count + 1, sizeof *fidelity);
  struct tutti_text_stream text;
  tutti_xopen_text(&text);
  for (int i = 0; i < report->options->experiment_count; i++)
    if (report->options->experiments[i].claim_count > 0)
      evaluate(report, &report->options->experiments[i], &fidelity[i], text.stream);
  char *claims = tutti_xclose_text(&text);
  if (*claims) {
    fputs("<p>A claim is reproduced where the measured number is as near to the published one as the experiment asks "
          "for, and says why so near. Not counted, and no part of the verdict on an experiment, are what the platform "
          "was told (calibration), two computations of ours against each other (self-check), times of the processor "
          "that ran the command (host-timing), and what the platform has no parameter for (not-comparable). Queries "
          "read views of the store in which a platform has its newest environment only and times are microseconds."
          "</p>\n",
          out);
    print_fidelity(report, fidelity, out);
    fputs(claims, out);
    print_missing(report, fidelity, out);
  }
  free(claims);
  free(fidelity);
}
