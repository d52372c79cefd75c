/* tutti params: measure the parameters of point-to-point models, show them, compare them with published ones. */
#include "cli/command.h"
#include "cli/options/common.h"
#include "harness/platforms/parameters.h"
#include "tutti/algorithm.h"

/* ---- tables ---- */

struct params_report {
  const char *name; /* of the platform or machine */
  const char *flavor;
  const tutti_parameter_set *set;
  const tutti_platform *published; /* NULL: do not compare */
};

TUTTI_GETTER(get_unit, struct parameter_value, row->per_byte ? "[us/B]" : "[us]")

TUTTI_GETTER(get_difference, struct parameter_value, tutti_parameter_value_difference(row))

static const tutti_column model_columns[] = {
    {"", NULL, TUTTI_FIELD(struct parameter_value, model), .width = 18},
    {"", NULL, TUTTI_FIELD(struct parameter_value, label), .width = 7},
    {"", NULL, .get = get_unit, .width = 7},
    {"measured", NULL, TUTTI_FIELD(struct parameter_value, measured), .scale = 1e6, .significant = 6, .width = 12},
    {"published", NULL, TUTTI_FIELD(struct parameter_value, published), .scale = 1e6, .significant = 6, .width = 12},
    {"difference", NULL, .get = get_difference, .decimals = 2, .suffix = " %", .none = "", .width = 12},
};

enum { COLUMNS_WITHOUT_COMPARISON = 4 };

/* PLogP by message size. */
static const tutti_column plogp_columns[] = {
    {"m [B]", "m_B", TUTTI_FIELD(tutti_plogp_point, m), .width = 12},
    {"g(m)", "g_s", TUTTI_FIELD(tutti_plogp_point, g), .unit = "us", .scale = 1e6, .significant = 6, .width = 12},
    {"o_s(m)", "o_s_s", TUTTI_FIELD(tutti_plogp_point, o_s), .unit = "us", .scale = 1e6, .significant = 6, .width = 12},
    {"o_r(m)", "o_r_s", TUTTI_FIELD(tutti_plogp_point, o_r), .unit = "us", .scale = 1e6, .significant = 6, .width = 12},
};

TUTTI_GETTER(get_quantity, tutti_parameter,
             cell->column->index ? tutti_quantity_unit(row->quantity) : tutti_quantity_name(row->quantity))

static const tutti_column stored_columns[] = {
    {NULL, "quantity", .get = get_quantity},
    {"reduction", "of", TUTTI_FIELD(tutti_parameter, of), .width = 18},
    {NULL, "bytes", TUTTI_FIELD(tutti_parameter, bytes)},
    {"gamma", "value", TUTTI_FIELD(tutti_parameter, value), .unit = "us/B", .scale = 1e6, .significant = 6,
     .width = 12},
    {NULL, "unit", .get = get_quantity, .index = 1},
};

static void print_gammas(const tutti_parameter_set *set)
{
  tutti_table gammas = {TUTTI_COLUMNS(stored_columns), .row_size = sizeof *set->parameters, .gap = 1};
  for (size_t i = 0; i < set->parameter_count; i++)
    if (set->parameters[i].quantity == TUTTI_QUANTITY_GAMMA)
      must(tutti_table_add(&gammas, &set->parameters[i], &failure));
  putchar('\n');
  must(tutti_table_print(&gammas, stdout, &failure));
  tutti_table_free(&gammas);
}

static void print_text(const struct params_report *report, const struct parameter_value *values,
                       const tutti_table *plogp)
{
  tutti_table models = {TUTTI_COLUMNS(model_columns), TUTTI_ROWS(values, PARAMETER_VALUES), .gap = 1};
  if (!report->published)
    models.column_count = COLUMNS_WITHOUT_COMPARISON;
  tutti_say(stdout, "%s, %s, %s\n\n", report->name, report->flavor, report->set->library);
  must(tutti_table_print(&models, stdout, &failure));
  if (report->set->has[TUTTI_MODEL_PLOGP]) {
    printf("\nPLogP, %zu message sizes\n", plogp->row_count);
    must(tutti_table_print(plogp, stdout, &failure));
  }
  print_gammas(report->set);
}

/* Facts: where it was measured and, in JSON, each parameter by its name. */
struct facts {
  const char *platform, *flavor, *library;
  const struct parameter_value *values;
};

static void get_value(tutti_cell *cell, const void *row)
{
  const struct parameter_value *value = &((const struct facts *)row)->values[cell->column->index / 2];
  tutti_cell_real(cell, cell->column->index % 2 ? value->published : value->measured);
}

static int describe_facts(const struct params_report *report, const struct parameter_value *values, char keys[][32],
                          tutti_column *facts)
{
  int count = 0;
  facts[count++] = (tutti_column){NULL, "platform", TUTTI_FIELD(struct facts, platform)};
  facts[count++] = (tutti_column){NULL, "flavor", TUTTI_FIELD(struct facts, flavor)};
  facts[count++] = (tutti_column){NULL, "library", TUTTI_FIELD(struct facts, library)};
  for (int i = 0; i < PARAMETER_VALUES; i++) {
    facts[count++] = (tutti_column){NULL, values[i].member, .get = get_value, .index = 2 * i};
    snprintf(keys[i], sizeof keys[i], "published_%s", values[i].member);
    if (report->published)
      facts[count++] = (tutti_column){NULL, keys[i], .get = get_value, .index = 2 * i + 1};
  }
  return count;
}

/* As text: the parameters model by model, PLogP by message size, and what reducing costs. JSON: all that is stored,
   too. CSV: that alone. */
static void print_params(const struct params_report *report, tutti_format format)
{
  const tutti_parameter_set *set = report->set;
  struct parameter_value values[PARAMETER_VALUES];
  tutti_column facts[3 + 2 * PARAMETER_VALUES];
  char keys[PARAMETER_VALUES][32];
  const tutti_table tables[] = {
      {.key = "plogp", TUTTI_COLUMNS(plogp_columns), TUTTI_ROWS(set->plogp.points, set->plogp.count), .gap = 1},
      {.key = "values", TUTTI_COLUMNS(stored_columns), TUTTI_ROWS(set->parameters, set->parameter_count)},
  };
  tutti_parameter_values(set, report->published, values);
  if (format == TUTTI_FORMAT_TEXT) {
    print_text(report, values, &tables[0]);
    return;
  }
  const struct facts about = {report->name, report->flavor, set->library, values};
  tutti_document document = {.facts = facts, .about = &about, TUTTI_TABLES(tables)};
  document.fact_count = describe_facts(report, values, keys, facts);
  if (format == TUTTI_FORMAT_CSV) {
    document.fact_count = 3;
    document.tables = &tables[1];
    document.table_count = 1;
  }
  must(tutti_document_print(&document, format, stdout, &failure));
}

struct params_options {
  const char *name;
  const char *flavor;
  const char *library;
  struct program_options launch;
  uint64_t largest;
  double tolerance;
  int ranks;
  bool again, compare, oversubscribe;
  tutti_format format;
};

static const struct option_row options[] = {
    OPTION_PARSE("flavor", "smpi|mpich|openmpi", struct params_options, flavor, option_flavor,
                 "smpi: simulate PLATFORM; else measure this machine, which is stored as PLATFORM", .initial = "smpi"),
    OPTION_FLAG("compare", struct params_options, compare,
                "show measured values beside those that the platform file publishes", .everyday = true),
    OPTION_TABLE(struct params_options, launch, measuring_table),
    OPTION_FLAG("again", struct params_options, again, "measure even if the store has the parameters",
                .everyday = true),
    OPTION_NUMBER("ranks", "N", struct params_options, ranks,
                  "ranks to launch on a real machine, the first on one node and the last on another", .letter = 'P',
                  .min = 2, .max = 1 << 20, .initial = "2", .aliases = "n"),
    OPTION_OVERSUBSCRIBE(struct params_options, oversubscribe),
    OPTION_SIZE("largest", "SIZE", struct params_options, largest, "largest message", .min = 1,
                .max = UINT64_C(1) << 28, .otherwise = "1MB", .aliases = "l"),
    OPTION_REAL("max-error", "FRACTION", struct params_options, tolerance,
                "measure more message sizes where interpolation misses by more", .high = 1, .open = true,
                .otherwise = "0.1, in simulation 0.01", .aliases = "tolerance t"),
    OPTION_PARSE("library", "NAME", struct params_options, library, option_library,
                 "MPI library and its version, if several were measured"),
    OPTION_SET("json", struct params_options, format, TUTTI_FORMAT_JSON, "print JSON", .aliases = "j"),
    OPTION_FORMAT(struct params_options, format),
    ARGUMENT_STRING("PLATFORM", struct params_options, name),
    OPTION_END};

static bool is_simulated(const struct params_options *options)
{
  return strcmp(options->flavor, "smpi") == 0;
}

static void measure(const struct params_options *options, const tutti_platform *platform, const char *name,
                    tutti_parameters_result *result)
{
  char *program = program_find(&options->launch, options->flavor, "tutti-params");
  const tutti_parameters_request request = {.platform = is_simulated(options) ? platform : NULL,
                                            .name = name,
                                            .flavor = options->flavor,
                                            .program = program,
                                            .database = options->launch.database,
                                            .ranks = options->ranks,
                                            .largest = options->largest,
                                            .tolerance = options->tolerance,
                                            .again = options->again,
                                            .job_timeout = options->launch.job_timeout,
                                            .oversubscribe = options->oversubscribe};
  must(tutti_parameters_measure(&request, result, &failure));
  free(program);
  if (!options->launch.quiet)
    tutti_say(stderr,
              result->measured ? "%s: measured, stored in %s\n"
                               : "%s: as measured before, from %s (--again measures anew)\n",
              name, options->launch.database);
  if (!result->apart)
    tutti_say(stderr, "tutti: both processes were on one node: launch more ranks (--ranks) to measure between nodes\n");
}

static void read_back(const struct params_options *options, const tutti_platform *platform, const char *name,
                      int64_t environment, tutti_parameter_set *set)
{
  const tutti_selection selection = {.platform = name,
                                     .platform_hash = is_simulated(options) ? platform->hash : NULL,
                                     .flavor = options->flavor,
                                     .library = options->library,
                                     .environment = options->library ? 0 : environment,
                                     .tutti = TUTTI_VERSION};
  tutti_store *store = store_open_existing(options->launch.database);
  must(tutti_parameters_read(store, &selection, set, &failure));
  store_close(store);
}

/* ---- advice on standard error ---- */

enum { SIZE_LENGTH = 24 };

/* A platform could not be loaded: if it is a name without a file, what to do if a real machine was meant. */
static void advise_real(const char *name, bool simulated)
{
  char *path;
  tutti_error error;
  bool found = tutti_platform_find(name, &path, &error) == TUTTI_OK;
  free(path);
  if (found || strchr(name, '/'))
    return;
  fputs(simulated ? "tutti: a real machine has no platform file: name its flavor with --flavor (mpich, openmpi)\n"
                  : "tutti: a real machine has no platform file to compare with: leave out --compare\n",
        stderr);
}

/* Round trips go a little beyond what was asked for, gaps do not. */
static uint64_t largest_of(const tutti_parameter_set *set)
{
  uint64_t largest = 0;
  for (size_t i = 0; i < set->parameter_count; i++)
    if (set->parameters[i].quantity == TUTTI_QUANTITY_GAP && set->parameters[i].bytes > largest)
      largest = set->parameters[i].bytes;
  return largest;
}

/* A stored set, where @p largest (0: any) or @p tolerance (0: any) was asked for: measured to less, or by what is not
   known. */
static void advise_stored(const char *name, const tutti_parameter_set *set, uint64_t largest, double tolerance)
{
  char stored[SIZE_LENGTH], asked[SIZE_LENGTH];
  if (largest_of(set) < largest)
    tutti_say(stderr, "tutti: %s: measured to %s; --again measures to %s\n", name,
              tutti_size_format(largest_of(set), stored), tutti_size_format(largest, asked));
  if (tolerance > 0)
    tutti_say(stderr, "tutti: %s: the store does not record --max-error; --again measures with %g\n", name, tolerance);
}

/* Models that contradict each other (parameters.h). */
static void advise_contradiction(const char *name, const tutti_parameter_set *set)
{
  char size[SIZE_LENGTH];
  tutti_parameter_contradiction worst;
  if (!tutti_parameter_set_contradicts(set, &worst))
    return;
  tutti_say(stderr,
            "tutti: %s: warning: at %s the gap is %.3g us but half a round trip %.3g us: PLogP and LogGP contradict "
            "Hockney (--again measures anew)\n",
            name, tutti_size_format(worst.bytes, size), 1e6 * worst.gap, 1e6 * worst.half_trip);
}

/* ---- all of it ---- */

/* @p platform is what was simulated, or publishes values; NULL if neither. */
static int measure_and_report(const struct params_options *options, const tutti_platform *platform, const char *name)
{
  tutti_parameters_result result;
  tutti_parameter_set set;
  measure(options, platform, name, &result);
  read_back(options, platform, name, result.environment, &set);
  const struct params_report report = {
      .name = name, .flavor = options->flavor, .set = &set, .published = options->compare ? platform : NULL};
  if (!result.measured)
    advise_stored(name, &set, options->largest, options->tolerance);
  advise_contradiction(name, &set);
  print_params(&report, options->format);
  tutti_parameter_set_free(&set);
  return EXIT_DONE;
}

/* A real machine needs a platform file only if published values are to be compared. */
static int run(void *values)
{
  const struct params_options *options = values;
  tutti_platform platform;
  bool load = is_simulated(options) || options->compare;
  if (load && platform_load(options->name, &platform, &failure) != TUTTI_OK) {
    complain(&failure);
    advise_real(options->name, is_simulated(options));
    return EXIT_USAGE;
  }
  int code = measure_and_report(options, load ? &platform : NULL, load ? platform.name : options->name);
  if (load)
    tutti_platform_free(&platform);
  return code;
}

DEFINE_COMMAND(params, "params", options, struct params_options, run);
