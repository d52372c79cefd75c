/* tutti fit --check: its table, a row a collective and one for all of them. */
#include <math.h>

#include "cli/fit/fit.h"
#include "cli/output/output.h"
#include "harness/experiments/calibrate/choices.h"

struct row {
  const char *collective;
  struct fit_errors errors;
  double best, within_5, within_10; /* shares of the places */
  struct fit_choices choices;
  char single[TUTTI_METHOD_LENGTH];
};

#define PERCENT(heading, key, member)                                                                                  \
  {                                                                                                                    \
    heading, key, TUTTI_FIELD(struct row, member), .unit = "%", .decimals = 1                                          \
  }

#define SHARE(heading, key, member)                                                                                    \
  {                                                                                                                    \
    heading, key, TUTTI_FIELD(struct row, member), .unit = "%", .scale = 100, .decimals = 1                            \
  }

static const tutti_column columns[] = {
    {"collective", "collective", TUTTI_FIELD(struct row, collective)},
    {"points", "points", TUTTI_FIELD(struct row, errors.points)},
    PERCENT("median error", "median_error_percent", errors.median),
    {"ranks' correlation", "rank_correlation", TUTTI_FIELD(struct row, errors.correlation), .decimals = 3},
    SHARE("inside", "inside_share", errors.inside),
    {"choices", "choice_count", TUTTI_FIELD(struct row, choices.places)},
    SHARE("best", "best_share", best),
    SHARE("within 5 %", "within_5_share", within_5),
    SHARE("within 10 %", "within_10_share", within_10),
    PERCENT("penalty", "mean_percent", choices.chosen.mean),
    PERCENT("median", "median_percent", choices.chosen.median),
    PERCENT("among simulated", "simulated_mean_percent", choices.among.mean),
    PERCENT("median", "simulated_median_percent", choices.among.median),
    PERCENT("library's", "library_mean_percent", choices.native.mean),
    PERCENT("median", "library_median_percent", choices.native.median),
    PERCENT("Hockney's", "hockney_mean_percent", choices.model.mean),
    PERCENT("median", "hockney_median_percent", choices.model.median),
    PERCENT("single", "single_mean_percent", choices.single_mean),
    {"best single method", "single_method", TUTTI_FIELD(struct row, single)},
};

static struct row make_row(const struct fit_points *points, tutti_collective collective)
{
  struct row row = {.collective = collective == TUTTI_COLL_COUNT ? "all" : tutti_collective_name(collective),
                    .errors = tutti_fit_errors(points, collective),
                    .choices = tutti_fit_choose(points, collective),
                    .single = "-"};
  const double share = row.choices.places ? 1 / (double)row.choices.places : NAN;
  row.best = share * (double)row.choices.best;
  row.within_5 = share * (double)row.choices.within_5;
  row.within_10 = share * (double)row.choices.within_10;
  if (!isnan(row.choices.single_mean))
    tutti_method_format(&row.choices.single, row.single);
  return row;
}

static bool has_any(const struct fit_points *points, int collective)
{
  for (size_t i = 0; i < points->count; i++)
    if ((int)points->items[i].measured.method.algorithm->collective == collective)
      return true;
  return false;
}

void accuracy_print(const struct fit_points *points, tutti_format format)
{
  struct row rows[TUTTI_COLL_COUNT + 1];
  int count = 0;
  for (int c = 0; c < TUTTI_COLL_COUNT; c++)
    if (has_any(points, c))
      rows[count++] = make_row(points, (tutti_collective)c);
  rows[count++] = make_row(points, TUTTI_COLL_COUNT);
  const tutti_table table = {.key = "accuracies", TUTTI_COLUMNS(columns), TUTTI_ROWS(rows, count)};
  const tutti_document document = {.tables = &table, .table_count = 1};
  must(tutti_document_print(&document, format, stdout, &failure));
}
