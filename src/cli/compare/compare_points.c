/* Which points are compared. */
#include <math.h>

#include "base/machine.h"
#include "base/numbers.h"
#include "cli/compare/compare.h"
#include "cli/output/output.h"
#include "decision/libraries/libraries.h"
#include "harness/experiments/launch/launcher.h"

static void free_axes(struct compare_axes *axes)
{
  free(axes->ranks);
  free(axes->sizes);
  *axes = (struct compare_axes){.ranks_count = 0};
}

/* ---- what the files know ---- */

/* The communicator and message sizes at which rules begin, of communicators with no more ranks than there are cores. */
static void add_steps(const tutti_step_table *table, struct compare_axes *axes)
{
  int cores = tutti_machine_cores();
  for (int i = 0; i < table->row_count; i++) {
    const tutti_step_row *row = &table->rows[i];
    if (row->ranks > cores && row->ranks > 2)
      continue;
    axes->ranks = tutti_xrealloc(axes->ranks, ((size_t)axes->ranks_count + 1) * sizeof *axes->ranks);
    axes->ranks[axes->ranks_count++] = (uint64_t)row->ranks;
    axes->sizes = tutti_xrealloc(axes->sizes, ((size_t)axes->size_count + (size_t)row->count) * sizeof *axes->sizes);
    for (int j = 0; j < row->count; j++)
      axes->sizes[axes->size_count++] = row->steps[j].bytes ? row->steps[j].bytes : 1;
  }
}

/* Find whether a file has rules of its own for the collective, and where they begin. */
static void read_files(const struct compare_options *options, tutti_collective collective, bool *decides,
                       struct compare_axes *axes)
{
  *decides = false;
  for (int side = 0; side < 2; side++) {
    tutti_step_table table = {.row_count = 0};
    if (compare_is_untuned(options->names[side]))
      continue;
    tuning_file_steps(options->names[side], collective, &table);
    if (tutti_step_table_answers(&table)) {
      *decides = true;
      add_steps(&table, axes);
    }
    tutti_step_table_free(&table);
  }
  axes->ranks_count = (int)tutti_numbers_unique(axes->ranks, (size_t)axes->ranks_count);
  axes->size_count = (int)tutti_numbers_unique(axes->sizes, (size_t)axes->size_count);
}

/* ---- sweeps ---- */

static void choose_axis(const struct option_numbers *given, const uint64_t *stored, int stored_count,
                        const uint64_t *filed, int filed_count, uint64_t **values, int *count)
{
  const uint64_t *from = given->count ? given->items : stored_count ? stored : filed;
  *count = given->count ? given->count : stored_count ? stored_count : filed_count;
  *values = tutti_xcalloc((size_t)*count + 1, sizeof **values);
  if (*count > 0)
    memcpy(*values, from, (size_t)*count * sizeof **values);
}

static const char *origin(const struct option_numbers *given, int stored_count)
{
  return given->count ? "as given" : stored_count ? "those measured in the store" : "those at which its rules begin";
}

static void native_of(tutti_collective collective, tutti_method *method)
{
  char name[TUTTI_METHOD_LENGTH];
  snprintf(name, sizeof name, "%s/native", tutti_collective_name(collective));
  must(tutti_method_parse(name, method, &failure));
}

/* Without data there is one size. */
static void fix_sizes(tutti_sweep *sweep)
{
  if (sweep->collective != TUTTI_COLL_BARRIER)
    return;
  sweep->size_count = 1;
  sweep->sizes[0] = 0;
}

static void make_sweep(const struct compare_options *options, tutti_collective collective,
                       const struct compare_axes *stored, const struct compare_axes *filed, tutti_sweep *sweep)
{
  uint64_t *ranks;
  *sweep = (tutti_sweep){.collective = collective, .method_count = 1};
  if (tutti_collective_traits(collective) & TUTTI_HAS_ROOT)
    sweep->root = options->root;
  choose_axis(&options->ranks, stored->ranks, stored->ranks_count, filed->ranks, filed->ranks_count, &ranks,
              &sweep->ranks_count);
  choose_axis(&options->sizes, stored->sizes, stored->size_count, filed->sizes, filed->size_count, &sweep->sizes,
              &sweep->size_count);
  sweep->ranks = tutti_xcalloc((size_t)sweep->ranks_count + 1, sizeof *sweep->ranks);
  for (int i = 0; i < sweep->ranks_count; i++)
    sweep->ranks[i] = (int)ranks[i];
  free(ranks);
  fix_sizes(sweep);
  sweep->methods = tutti_xcalloc(1, sizeof *sweep->methods);
  if (sweep->ranks_count == 0 || sweep->size_count == 0)
    die("%s: neither the store nor the files say which points: use -P and -s", tutti_collective_name(collective));
  native_of(collective, sweep->methods);
}

static void report_points(const struct compare_options *options, const tutti_sweep *sweep,
                          const struct compare_axes *stored)
{
  if ((options->ranks.count && options->sizes.count) || options->launch.quiet)
    return;
  tutti_say(stderr, "%s: %d number%s of ranks, %s; %d size%s, %s%s\n", tutti_collective_name(sweep->collective),
            sweep->ranks_count, tutti_plural((uint64_t)sweep->ranks_count),
            origin(&options->ranks, stored->ranks_count), sweep->size_count, tutti_plural((uint64_t)sweep->size_count),
            origin(&options->sizes, stored->size_count), options->between ? ", and those of each rule between" : "");
}

/* A sweep for each number of ranks, with the sizes at which the rules of the files begin and end. */
static void add_edges(const struct compare_options *options, tutti_experiment *experiment, tutti_sweep *sweep)
{
  tutti_file_rules files[2] = {{.untuned = NULL}, {.untuned = NULL}};
  tutti_library_version version;
  for (int side = 0; side < 2; side++)
    if (!compare_is_untuned(options->names[side])) {
      tuning_file_steps(options->names[side], sweep->collective, &files[side].table);
      must(tuning_file_guess(options->names[side], &version, &failure));
      must(tutti_untuned_open(&version, &files[side].untuned, &failure));
    }
  tutti_experiment_add_edges(experiment, sweep, files);
  for (int side = 0; side < 2; side++) {
    tutti_step_table_free(&files[side].table);
    tutti_tuning_close(files[side].untuned);
  }
}

static void add_collective(const struct compare_options *options, tutti_collective collective,
                           tutti_experiment *experiment)
{
  struct compare_axes filed = {.ranks_count = 0}, stored = {.ranks_count = 0};
  bool given = options->collectives >> collective & 1, decides = true;
  bool complete = given && options->ranks.count && options->sizes.count;
  if (!complete)
    read_files(options, collective, &decides, &filed);
  if (given || decides) {
    tutti_sweep sweep;
    if (!complete)
      compare_read_store(options, experiment, collective, &stored);
    make_sweep(options, collective, &stored, &filed, &sweep);
    report_points(options, &sweep, &stored);
    if (options->between && collective != TUTTI_COLL_BARRIER)
      add_edges(options, experiment, &sweep);
    else
      tutti_experiment_add_sweep(experiment, &sweep);
  }
  free_axes(&filed);
  free_axes(&stored);
}

/* ---- the experiment ---- */

/* A library that is named is the one that is measured: no other version is launched. */
static const char *check_library(const struct compare_options *options, const char *name, const char *flavor)
{
  tutti_library_version named, own;
  char installed[LAUNCHER_LIBRARY_LENGTH];
  must(tutti_library_version_parse(name + strlen("library:"), &named, &failure));
  if (flavor && strcmp(flavor, named.library->name) != 0)
    die("%s is not %s, which is measured", name, flavor);
  if (!options->stored && tutti_launcher_installed(named.library->name, installed) &&
      tutti_library_version_parse(installed, &own, NULL) == TUTTI_OK &&
      (own.major != named.major || own.minor != named.minor))
    die("%s: %s is installed, and would be measured: say 'untuned' for that", name, installed);
  return named.library->name;
}

static char *flavor_of(const struct compare_options *options)
{
  tutti_library_version version;
  char name[40];
  const char *known = options->flavor;
  for (int side = 0; side < 2; side++)
    if (tutti_library_named(options->names[side]))
      known = check_library(options, options->names[side], known);
  for (int side = 1; side >= 0 && !known; side--) {
    if (compare_is_untuned(options->names[side]))
      continue;
    must(tuning_file_guess(options->names[side], &version, &failure));
    tutti_library_version_format(&version, name);
    char *flavor = tutti_xstrndup(name, strcspn(name, "-"));
    if (strcmp(flavor, "tutti") == 0)
      die("%s: is no tuning file of an MPI library (tutti export writes one)", options->names[side]);
    if (strcmp(flavor, "openmpi") != 0 && strcmp(flavor, "mpich") != 0)
      die("%s: is of %s, not of an MPI library that is launched with a file: where MPI is told by it, name its "
          "variables "
          "in a side: --library plain=mpiexec --library 'told=VARIABLE=VALUE mpiexec'",
          options->names[side], flavor);
    return flavor;
  }
  if (!known)
    die("which library? Name a tuning file, or use --flavor");
  return tutti_xstrdup(known);
}

static void check_platform(const struct compare_options *options, const char *flavor)
{
  struct selection_options selected = {
      .database = options->launch.database, .platform_argument = options->platform, .selection.flavor = flavor};
  snprintf(selected.platform, sizeof selected.platform, "%s", options->platform);
  must(selection_check_platform(&selected, &failure));
  must(selection_check_real(options->launch.database, options->platform, flavor, &failure));
}

static char *platform_of(const struct compare_options *options, const char *flavor)
{
  char name[TUTTI_PLATFORM_NAME_LENGTH];
  if (!options->platform)
    selection_only_platform(options->launch.database, flavor, name);
  else
    check_platform(options, flavor);
  return options->platform || *name ? tutti_xstrdup(options->platform ? options->platform : name) : platform_of_host();
}

/* A fault that makes the library ignore its rules. */
static void check_file(const char *path, tutti_severity least)
{
  tutti_library_version version;
  tutti_findings findings = {0};
  must(tuning_file_guess(path, &version, &failure));
  must(tutti_lint_file(path, &version, &findings, &failure));
  must(tutti_findings_refuse(&findings, path, &version, least, &failure));
  tutti_findings_free(&findings);
}

static void check_files(const struct compare_options *options, tutti_severity least)
{
  for (int side = 0; side < 2; side++)
    if (!compare_is_untuned(options->names[side]))
      check_file(options->names[side], least);
}

/* True if the files have rules for any of these collectives. */
static bool find_rules(const struct compare_options *options, unsigned collectives)
{
  bool found = false;
  for (int c = 0; c < TUTTI_COLL_COUNT && !found; c++) {
    struct compare_axes axes = {.ranks_count = 0};
    if (collectives >> c & 1)
      read_files(options, (tutti_collective)c, &found, &axes);
    free_axes(&axes);
  }
  return found;
}

/* Rules for other collectives than those asked for: the wrong ones were asked for. A file without any, such as one
   mended until nothing was left, is the library left alone. */
static void check_collectives(const struct compare_options *options)
{
  const char *path = options->names[!compare_is_untuned(options->names[1])];
  if (find_rules(options, options->collectives))
    return;
  check_files(options, TUTTI_ERROR);
  if (!find_rules(options, ~options->collectives))
    return;
  char names[300] = "";
  for (int c = 0; c < TUTTI_COLL_COUNT; c++)
    if (options->collectives >> c & 1) {
      text_append(names, sizeof names, "%s%s", *names ? ", " : "", tutti_collective_name((tutti_collective)c));
    }
  die("%s: has no rules for %s", path, names);
}

/* The library left alone is compared with itself, a file with itself, or its cost where it says nothing. */
static bool needs_rules(const struct compare_options *options)
{
  return !options->unchanged && strcmp(options->names[0], options->names[1]) != 0;
}

/* What programs call most, on all cores, and four sizes apart; for two installations, of which nothing else is said. */
static void add_usual(const struct compare_options *options, tutti_experiment *experiment)
{
  static const tutti_collective usual[] = {TUTTI_COLL_BCAST,    TUTTI_COLL_REDUCE,    TUTTI_COLL_ALLREDUCE,
                                           TUTTI_COLL_GATHER,   TUTTI_COLL_ALLGATHER, TUTTI_COLL_SCATTER,
                                           TUTTI_COLL_ALLTOALL, TUTTI_COLL_BARRIER};
  uint64_t cores = (uint64_t)tutti_machine_cores(), sizes[] = {8, 1 << 10, 32 << 10, 1 << 20};
  struct compare_options chosen = *options;
  struct compare_axes none = {.ranks_count = 0};
  cores = cores < 2 ? 2 : cores;
  if (chosen.ranks.count == 0)
    chosen.ranks = (struct option_numbers){&cores, 1};
  if (chosen.sizes.count == 0)
    chosen.sizes = (struct option_numbers){sizes, sizeof sizes / sizeof *sizes};
  for (size_t i = 0; i < sizeof usual / sizeof *usual; i++)
    chosen.collectives |= options->collectives ? 0 : 1U << usual[i];
  for (int c = 0; c < TUTTI_COLL_COUNT; c++) {
    tutti_sweep sweep;
    if (!(chosen.collectives >> c & 1))
      continue;
    make_sweep(&chosen, (tutti_collective)c, &none, &none, &sweep);
    tutti_experiment_add_sweep(experiment, &sweep);
  }
}

void compare_plan(const struct compare_options *options, const char *flavor, tutti_experiment *experiment)
{
  *experiment = (tutti_experiment){.path = tutti_xstrdup("tutti compare"),
                                   .name = tutti_xstrdup("compare"),
                                   .measure = options->measure,
                                   .takes = NAN};
  experiment->flavor = flavor ? tutti_xstrdup(flavor) : flavor_of(options);
  experiment->platform_name = platform_of(options, experiment->flavor);
  if (flavor) {
    add_usual(options, experiment);
    return;
  }
  if (options->collectives && needs_rules(options))
    check_collectives(options);
  for (int c = 0; c < TUTTI_COLL_COUNT; c++)
    if (!options->collectives || options->collectives >> c & 1)
      add_collective(options, (tutti_collective)c, experiment);
  if (experiment->sweep_count == 0) {
    check_files(options, TUTTI_WARNING);
    die("%s", "the files have no rules: which collectives? --collective LIST; it is the library's own choice "
              "everywhere: there is nothing to install");
  }
}
