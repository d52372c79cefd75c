/* tutti platform check. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "cli/options/common.h"
#include "cli/platform/platform.h"
#include "cli/program.h"
#include "experiments/launcher.h"

/* Beyond this, measured and published values are not the same machine. */
#define TOLERANCE_PERCENT 2.0

struct check {
  const char *name;
  const char *program; /* NULL: beside this executable */
  bool measure;
  tutti_format format;
};

static const struct option_row options[] = {
    OPTION_FLAG("measure", struct check, measure,
                "simulate messages between the first two hosts and compare with the published values", .aliases = "m"),
    OPTION_PROGRAM(struct check, program, .aliases = "pingpong p"),
    OPTION_SET("json", struct check, format, TUTTI_FORMAT_JSON, "print JSON", .aliases = "j"),
    OPTION_FORMAT(struct check, format),
    ARGUMENT_STRING("PLATFORM", struct check, name),
    OPTION_END};

/* ---- measured beside published ---- */

struct comparison {
  const char *label, *unit;
  double published, measured;
};

static double difference_percent(const struct comparison *comparison)
{
  double percent = 100 * (comparison->measured - comparison->published) / comparison->published;
  return fabs(percent) < 0.005 ? 0 : percent; /* what is printed as 0.00 has no sign */
}

static bool is_off(const struct comparison *comparison)
{
  return isfinite(comparison->published) && !(fabs(difference_percent(comparison)) <= TOLERANCE_PERCENT);
}

static void get_difference(tutti_cell *cell, const void *row, const tutti_column *column)
{
  (void)column;
  cell->type = TUTTI_CELL_REAL;
  cell->real = difference_percent(row);
}

static void get_verdict(tutti_cell *cell, const void *row, const tutti_column *column)
{
  (void)column;
  if (is_off(row))
    tutti_cell_format(cell, "beyond 2 %%");
}

static const tutti_column columns[] = {
    {"", NULL, TUTTI_FIELD(struct comparison, label), .width = 6},
    {"", NULL, TUTTI_FIELD(struct comparison, unit), .width = 5},
    {"measured", NULL, TUTTI_FIELD(struct comparison, measured), .scale = 1e6, .significant = 9, .width = 14},
    {"published", NULL, TUTTI_FIELD(struct comparison, published), .scale = 1e6, .significant = 9,
     .none = "not published", .width = 14},
    {"difference", NULL, .get = get_difference, .decimals = 2, .suffix = " %", .none = "", .width = 12,
     .alignment = TUTTI_ALIGN_RIGHT},
    {"", NULL, .get = get_verdict, .none = "", .gap = 2},
};

/* ---- output ---- */

struct checked {
  const tutti_platform *platform;
  struct comparison alpha, beta;
  bool agrees;
};

static void get_platform(tutti_cell *cell, const void *row, const tutti_column *column)
{
  const struct checked *checked = row;
  tutti_cell_get(cell, column->context, checked->platform);
}

static const tutti_column path = {NULL, NULL, TUTTI_FIELD(tutti_platform, path)},
                          hosts = {NULL, NULL, TUTTI_FIELD(tutti_platform, host_count)},
                          ranks_per_node = {NULL, NULL, TUTTI_FIELD(tutti_platform, ranks_per_node)};

static const tutti_column facts[] = {
    {NULL, "file", .get = get_platform, .context = &path},
    {NULL, "hosts", .get = get_platform, .context = &hosts},
    {NULL, "ranks_per_node", .get = get_platform, .context = &ranks_per_node},
    {NULL, "agrees", TUTTI_FIELD(struct checked, agrees)},
    {NULL, "measured_alpha_s", TUTTI_FIELD(struct checked, alpha.measured)},
    {NULL, "published_alpha_s", TUTTI_FIELD(struct checked, alpha.published)},
    {NULL, "measured_beta_s_per_B", TUTTI_FIELD(struct checked, beta.measured)},
    {NULL, "published_beta_s_per_B", TUTTI_FIELD(struct checked, beta.published)},
};

enum { FACTS_WITHOUT_MEASUREMENT = 4 };

static tutti_status print_text(const struct checked *checked, bool measured, tutti_error *error)
{
  const tutti_platform *platform = checked->platform;
  const struct comparison comparisons[] = {checked->alpha, checked->beta};
  const tutti_table table = {TUTTI_COLUMNS(columns), TUTTI_ROWS(comparisons, 2), .gap = 1};
  printf("%s: valid, %d hosts, %d rank%s per node\n", platform->path, platform->host_count, platform->ranks_per_node,
         platform->ranks_per_node == 1 ? "" : "s");
  return measured ? tutti_table_print(&table, stdout, error) : TUTTI_OK;
}

static tutti_status print(const struct check *check, const struct checked *checked, tutti_error *error)
{
  tutti_document document = {TUTTI_FACTS(facts, checked)};
  if (check->format == TUTTI_FORMAT_TEXT)
    return print_text(checked, check->measure, error);
  if (!check->measure)
    document.fact_count = FACTS_WITHOUT_MEASUREMENT;
  return tutti_document_print(&document, check->format, stdout, error);
}

static tutti_status measure(const struct check *check, struct checked *checked, tutti_error *error)
{
  platform_probe probe;
  char *program = program_find(&(struct program_options){.program = check->program}, "smpi", "tutti-pingpong");
  tutti_status status = tutti_platform_probe_run(checked->platform, program, &probe, error);
  free(program);
  if (status != TUTTI_OK)
    return status;
  checked->alpha = (struct comparison){"alpha", "[us]", checked->platform->published_alpha, probe.alpha};
  checked->beta = (struct comparison){"beta", "[us/B]", checked->platform->published_beta, probe.beta};
  checked->agrees = !is_off(&checked->alpha) && !is_off(&checked->beta);
  return TUTTI_OK;
}

static int run(void *values)
{
  const struct check *check = values;
  tutti_platform platform;
  struct checked checked = {.platform = &platform, .agrees = true};
  tutti_error error;
  if (platform_load(check->name, &platform, &error) != TUTTI_OK)
    return complain(&error);
  tutti_status status = check->measure ? measure(check, &checked, &error) : TUTTI_OK;
  if (status == TUTTI_OK)
    status = print(check, &checked, &error);
  tutti_platform_free(&platform);
  return status != TUTTI_OK ? complain(&error) : checked.agrees ? EXIT_DONE : EXIT_FOUND;
}

const struct command platform_check = {
    .name = "check",
    .help = "Validate a platform file.",
    .notes = "Exit status: 0 valid, 1 a measured value is more than 2 % off the published one, 2 the file is not valid "
             "or could not be measured.",
    .options = options,
    .size = sizeof(struct check),
    .run = run,
};
