/* tutti platform check: is a file valid, can its times be relied upon, and are they those of the machine? */
#include <math.h>
#include <string.h>

#include "cli/output/output.h"
#include "cli/platform/platform.h"
#include "harness/experiments/launch/launcher.h"

/* A larger difference between measured and published values is reported. */
#define TOLERANCE_PERCENT 2.0

enum { PROBE_SECONDS = 600 };

/* ---- measured and published ---- */

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

TUTTI_GETTER(get_difference, struct comparison, difference_percent(row))

TUTTI_GETTER(get_verdict, struct comparison, is_off(row) ? "beyond 2 %" : NULL)

static const tutti_column comparison_columns[] = {
    {"", NULL, TUTTI_FIELD(struct comparison, label), .width = 6},
    {"", NULL, TUTTI_FIELD(struct comparison, unit), .width = 5},
    {"measured", NULL, TUTTI_FIELD(struct comparison, measured), .scale = 1e6, .significant = 9, .width = 14},
    {"stated", NULL, TUTTI_FIELD(struct comparison, published), .scale = 1e6, .significant = 9, .none = "not stated",
     .width = 14},
    {"difference", NULL, .get = get_difference, .decimals = 2, .suffix = " %", .none = "", .width = 12,
     .alignment = TUTTI_ALIGN_RIGHT},
    {"", NULL, .get = get_verdict, .none = "", .gap = 2},
};

/* ---- distances ---- */

struct distance {
  const char *host;
  tutti_platform_partner partner;
  platform_probe probe;
};

/* Between zones there is no arithmetic that says how many there are. */
static void get_links(tutti_cell *cell, const void *row)
{
  const struct distance *distance = row;
  if (distance->partner.links < 0)
    return;
  tutti_cell_integer(cell, distance->partner.links);
}

static const tutti_column distance_columns[] = {
    {"to host", "host", TUTTI_FIELD(struct distance, host)},
    {"links", "links", .get = get_links, .none = "other zone"},
    {"alpha", "alpha_s", TUTTI_FIELD(struct distance, probe.alpha), .unit = "us", .scale = 1e6, .significant = 9,
     .width = 14},
    {"beta", "beta_s_per_B", TUTTI_FIELD(struct distance, probe.beta), .unit = "us/B", .scale = 1e6, .significant = 9,
     .width = 14},
};

/* ---- findings ---- */

TUTTI_GETTER(get_severity, tutti_platform_finding, row->refused ? "error" : "warning")

static const tutti_column finding_columns[] = {
    {"severity", "severity", .get = get_severity},
    {"message", "message", TUTTI_FIELD(tutti_platform_finding, message)},
};

/* ---- the check ---- */

struct checked {
  tutti_platform platform;
  struct comparison alpha, beta;
  bool agrees, refused;
  struct distance *distances; /* owned */
  int distance_count;
};

static const tutti_column check_facts[] = {
    {NULL, "file", TUTTI_FIELD(struct checked, platform.path)},
    {NULL, "hosts", TUTTI_FIELD(struct checked, platform.host_count)},
    {NULL, "ranks_per_node", TUTTI_FIELD(struct checked, platform.ranks_per_node)},
    {NULL, "agrees", TUTTI_FIELD(struct checked, agrees)},
    {NULL, "measured_alpha_s", TUTTI_FIELD(struct checked, alpha.measured)},
    {NULL, "published_alpha_s", TUTTI_FIELD(struct checked, alpha.published)},
    {NULL, "measured_beta_s_per_B", TUTTI_FIELD(struct checked, beta.measured)},
    {NULL, "published_beta_s_per_B", TUTTI_FIELD(struct checked, beta.published)},
};

enum { FACTS_WITHOUT_MEASUREMENT = 4 };

static tutti_table distance_table(const struct checked *checked)
{
  return (tutti_table){.key = "distances",
                       TUTTI_COLUMNS(distance_columns),
                       TUTTI_ROWS(checked->distances, checked->distance_count),
                       .gap = 2};
}

static void print_measured(const struct checked *checked)
{
  const struct comparison comparisons[] = {checked->alpha, checked->beta};
  const tutti_table table = {TUTTI_COLUMNS(comparison_columns), TUTTI_ROWS(comparisons, 2), .gap = 1};
  must(tutti_table_print(&table, stdout, &failure));
  if (checked->distance_count < 2)
    return;
  tutti_say(stdout, "\nFrom host %s, by distance:\n", checked->platform.hosts[0]);
  const tutti_table distances = distance_table(checked);
  must(tutti_table_print(&distances, stdout, &failure));
}

static void print_text(const struct checked *checked, bool measured)
{
  const tutti_platform *platform = &checked->platform;
  bool cards = platform->hosts_per_node > 1; /* each stands for a network card */
  tutti_say(stdout, "%s: %s, ", platform->path, checked->refused ? "not usable" : "valid");
  if (cards)
    printf("%d nodes of %d hosts, ", platform->host_count / platform->hosts_per_node, platform->hosts_per_node);
  else
    printf("%d hosts, ", platform->host_count);
  tutti_say(stdout, "%d rank%s per %s\n", platform->ranks_per_node, tutti_plural((uint64_t)platform->ranks_per_node),
            cards ? "host" : "node");
  fflush(stdout);
  for (int i = 0; i < platform->finding_count; i++)
    tutti_say(stderr, "tutti: %s: %s\n", platform->findings[i].refused ? "error" : "warning",
              platform->findings[i].message);
  if (measured)
    print_measured(checked);
}

static void print_check(const struct platform_options *chosen, const struct checked *checked)
{
  bool measured = chosen->measure && !checked->refused;
  if (chosen->format == TUTTI_FORMAT_TEXT) {
    print_text(checked, measured);
    return;
  }
  const tutti_platform *platform = &checked->platform;
  const tutti_table tables[] = {
      {.key = "findings", TUTTI_COLUMNS(finding_columns), TUTTI_ROWS(platform->findings, platform->finding_count)},
      distance_table(checked)};
  tutti_document document = {TUTTI_FACTS(check_facts, checked), .tables = tables, .table_count = measured ? 2 : 1};
  if (!measured)
    document.fact_count = FACTS_WITHOUT_MEASUREMENT;
  must(tutti_document_print(&document, chosen->format, stdout, &failure));
}

/* The nearest one on another node is what was published. */
static void compare(struct checked *checked)
{
  const struct distance *nearest = checked->distances;
  if (checked->distance_count > 1 && nearest->partner.links == 0)
    nearest++;
  checked->alpha = (struct comparison){"alpha", "[us]", checked->platform.published_alpha, nearest->probe.alpha};
  checked->beta = (struct comparison){"beta", "[us/B]", checked->platform.published_beta, nearest->probe.beta};
  checked->agrees = !is_off(&checked->alpha) && !is_off(&checked->beta);
}

static void measure(const struct platform_options *chosen, struct checked *checked)
{
  const tutti_platform *platform = &checked->platform;
  tutti_platform_partner partners[TUTTI_PLATFORM_MAX_PARTNERS];
  platform_probe probes[TUTTI_PLATFORM_MAX_PARTNERS];
  must(tutti_platform_partners(platform, partners, &checked->distance_count, &failure));
  const struct program_options from = {.program = chosen->program, .build_dir = chosen->build_dir};
  char *program = program_find(&from, "smpi", "tutti-pingpong");
  patience_at("simulate messages to each distance", NAN);
  must(tutti_platform_probe_run(platform, partners, checked->distance_count, program, PROBE_SECONDS, probes, &failure));
  patience_at(NULL, NAN);
  free(program);
  checked->distances = tutti_xcalloc((size_t)checked->distance_count, sizeof *checked->distances);
  for (int i = 0; i < checked->distance_count; i++)
    checked->distances[i] = (struct distance){platform->hosts[partners[i].host], partners[i], probes[i]};
  compare(checked);
}

/* Those that concern so many ranks, errors first, each kind in the order of the file. */
static void sort_findings(const struct platform_options *chosen, struct checked *checked)
{
  tutti_platform *platform = &checked->platform;
  int errors = 0, kept = 0;
  for (int i = 0; i < platform->finding_count; i++) {
    tutti_platform_finding finding = platform->findings[i];
    if (!tutti_platform_concerns(platform, &finding, chosen->ranks)) {
      free(finding.message);
      continue;
    }
    finding.refused = tutti_platform_refuses(platform, &finding, chosen->ranks);
    const int at = finding.refused ? errors++ : kept;
    memmove(&platform->findings[at + 1], &platform->findings[at], (size_t)(kept++ - at) * sizeof finding);
    platform->findings[at] = finding;
  }
  platform->finding_count = kept;
  checked->refused = errors > 0;
}

/* Why a file that is valid ends with a fault. */
static int judge(const struct platform_options *chosen, const struct checked *checked)
{
  const int warnings = checked->platform.finding_count;
  const bool counted = (chosen->strict || chosen->measure) && warnings > 0;
  if (checked->refused)
    return EXIT_USAGE;
  if (counted)
    tutti_say(stderr, "tutti: note: status 1: %d warning%s, a fault with --%s\n", warnings,
              tutti_plural((uint64_t)warnings), chosen->strict ? "strict" : "measure");
  if (!checked->agrees)
    tutti_say(stderr, "tutti: note: status 1: what is measured and what the file states differ by more than %g %%\n",
              TOLERANCE_PERCENT);
  return counted || !checked->agrees ? EXIT_FOUND : EXIT_DONE;
}

static int run_check(void *values)
{
  const struct platform_options *chosen = values;
  struct checked checked = {.agrees = true};
  tutti_platform *platform = &checked.platform;
  must(platform_load(chosen->name, platform, &failure));
  sort_findings(chosen, &checked);
  if (chosen->measure && !checked.refused)
    measure(chosen, &checked);
  print_check(chosen, &checked);
  const int status = judge(chosen, &checked);
  free(checked.distances);
  tutti_platform_free(platform);
  return status;
}

static const struct option_row check_options[] = {
    OPTION_FLAG(
        "measure", struct platform_options, measure,
        "simulate messages from the first host to one at every distance, and compare with the values that it states",
        .aliases = "m"),
    OPTION_NUMBER("ranks", "N", struct platform_options, ranks,
                  "only the hosts that N ranks use need routes to each other (all hosts)", .letter = 'P', .min = 1,
                  .aliases = "n"),
    OPTION_FLAG("strict", struct platform_options, strict, "a warning is a fault: exit with status 1"),
    OPTION_PROGRAM(struct platform_options, program, .aliases = "pingpong p"),
    OPTION_BUILD_DIR(struct platform_options, build_dir),
    JSON_ROW,
    OPTION_FORMAT(struct platform_options, format),
    PLATFORM_ROW,
    OPTION_END};

DEFINE_COMMAND(platform_check, "check", check_options, struct platform_options, run_check);
