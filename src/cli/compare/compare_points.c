/* Which points are compared. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/machine.h"
#include "base/memory.h"
#include "base/numbers.h"
#include "base/say.h"
#include "base/text.h"
#include "base/vector.h"
#include "cli/compare/compare.h"
#include "decision/libraries/libraries.h"
#include "tutti/tuning.h"

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
static tutti_status read_files(const struct compare_options *options, tutti_collective collective, bool *decides,
                               struct compare_axes *axes, tutti_error *error)
{
  tutti_status status = TUTTI_OK;
  *decides = false;
  for (int side = 0; side < 2 && status == TUTTI_OK; side++) {
    tutti_step_table table = {.row_count = 0};
    if (compare_is_untuned(options->names[side]))
      continue;
    status = tuning_file_steps(options->names[side], collective, &table, error);
    if (status == TUTTI_OK && tutti_step_table_answers(&table)) {
      *decides = true;
      add_steps(&table, axes);
    }
    tutti_step_table_free(&table);
  }
  axes->ranks_count = (int)tutti_numbers_unique(axes->ranks, (size_t)axes->ranks_count);
  axes->size_count = (int)tutti_numbers_unique(axes->sizes, (size_t)axes->size_count);
  return status;
}

/* ---- sweeps ---- */

static void take_axis(const struct option_numbers *given, const uint64_t *stored, int stored_count,
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

static tutti_status native_of(tutti_collective collective, tutti_method *method, tutti_error *error)
{
  char name[TUTTI_METHOD_LENGTH];
  snprintf(name, sizeof name, "%s/native", tutti_collective_name(collective));
  return tutti_method_parse(name, method, error);
}

/* Without data there is one size. */
static void fix_sizes(tutti_sweep *sweep)
{
  if (sweep->collective != TUTTI_COLL_BARRIER)
    return;
  sweep->size_count = 1;
  sweep->sizes[0] = 0;
}

static tutti_status make_sweep(const struct compare_options *options, tutti_collective collective,
                               const struct compare_axes *stored, const struct compare_axes *filed, tutti_sweep *sweep,
                               tutti_error *error)
{
  uint64_t *ranks;
  *sweep = (tutti_sweep){.collective = collective, .method_count = 1};
  if (tutti_collective_traits(collective) & TUTTI_HAS_ROOT)
    sweep->root = options->root;
  take_axis(&options->ranks, stored->ranks, stored->ranks_count, filed->ranks, filed->ranks_count, &ranks,
            &sweep->ranks_count);
  take_axis(&options->sizes, stored->sizes, stored->size_count, filed->sizes, filed->size_count, &sweep->sizes,
            &sweep->size_count);
  sweep->ranks = tutti_xcalloc((size_t)sweep->ranks_count + 1, sizeof *sweep->ranks);
  for (int i = 0; i < sweep->ranks_count; i++)
    sweep->ranks[i] = (int)ranks[i];
  free(ranks);
  fix_sizes(sweep);
  sweep->methods = tutti_xcalloc(1, sizeof *sweep->methods);
  if (sweep->ranks_count == 0 || sweep->size_count == 0)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "%s: neither the store nor the files say which points: use -P and -s",
                      tutti_collective_name(collective));
  return native_of(collective, sweep->methods, error);
}

static void say(const struct compare_options *options, const tutti_sweep *sweep, const struct compare_axes *stored)
{
  if ((options->ranks.count && options->sizes.count) || options->launch.quiet)
    return;
  tutti_say(stderr, "%s: %d number%s of ranks, %s; %d size%s, %s%s\n", tutti_collective_name(sweep->collective),
            sweep->ranks_count, tutti_plural((uint64_t)sweep->ranks_count),
            origin(&options->ranks, stored->ranks_count), sweep->size_count, tutti_plural((uint64_t)sweep->size_count),
            origin(&options->sizes, stored->size_count), options->between ? ", and those of each rule between" : "");
}

static tutti_status add_collective(const struct compare_options *options, tutti_collective collective,
                                   tutti_experiment *experiment, tutti_error *error)
{
  struct compare_axes filed = {.ranks_count = 0}, stored = {.ranks_count = 0};
  bool given = options->collectives >> collective & 1, decides = true;
  bool complete = given && options->ranks.count && options->sizes.count;
  tutti_status status = complete ? TUTTI_OK : read_files(options, collective, &decides, &filed, error);
  if (status == TUTTI_OK && (given || decides)) {
    tutti_sweep *sweep = &experiment->sweeps[experiment->sweep_count++];
    *sweep = (tutti_sweep){.collective = collective};
    if (!complete)
      status = compare_read_store(options, experiment, collective, &stored, error);
    if (status == TUTTI_OK)
      status = make_sweep(options, collective, &stored, &filed, sweep, error);
    if (status == TUTTI_OK)
      say(options, sweep, &stored);
    if (status == TUTTI_OK && options->between && collective != TUTTI_COLL_BARRIER)
      status = compare_add_edges(options, experiment, error);
  }
  free_axes(&filed);
  free_axes(&stored);
  return status;
}

/* ---- the experiment ---- */

static tutti_status flavor_of(const struct compare_options *options, char **flavor, tutti_error *error)
{
  tutti_library_version version;
  char name[40];
  for (int side = 1; side >= 0 && !options->flavor; side--) {
    if (compare_is_untuned(options->names[side]))
      continue;
    tutti_status status = tuning_file_guess(options->names[side], &version, error);
    if (status != TUTTI_OK)
      return status;
    tutti_library_version_format(&version, name);
    *flavor = tutti_xstrndup(name, strcspn(name, "-"));
    return strcmp(*flavor, "tutti") == 0
               ? tutti_fail(error, TUTTI_ERR_ARGUMENT,
                            "%s: is no tuning file of an MPI library (tutti export writes one)", options->names[side])
               : TUTTI_OK;
  }
  if (!options->flavor)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "which library? Name a tuning file, or use --flavor");
  *flavor = tutti_xstrdup(options->flavor);
  return TUTTI_OK;
}

static tutti_status check_platform(const struct compare_options *options, const char *flavor, tutti_error *error)
{
  struct selection_options selected = {
      .database = options->launch.database, .platform_argument = options->platform, .selection.flavor = flavor};
  snprintf(selected.platform, sizeof selected.platform, "%s", options->platform);
  tutti_status status = selection_check_platform(&selected, error);
  return status == TUTTI_OK ? selection_check_real(options->launch.database, options->platform, flavor, error) : status;
}

static tutti_status platform_of(const struct compare_options *options, const char *flavor, char **platform,
                                tutti_error *error)
{
  char name[TUTTI_PLATFORM_NAME_LENGTH], host[TUTTI_MACHINE_WORD];
  tutti_status status = TUTTI_OK;
  if (!options->platform)
    status = selection_only_platform(options->launch.database, flavor, name, error);
  else
    status = check_platform(options, flavor, error);
  if (status != TUTTI_OK)
    return status;
  tutti_machine_host(host);
  host[strcspn(host, ".")] = '\0';
  *platform = tutti_xstrdup(options->platform ? options->platform : *name ? name : *host ? host : "here");
  return TUTTI_OK;
}

/* A fault that makes the library ignore its rules. */
static tutti_status check_file(const char *path, tutti_severity least, tutti_error *error)
{
  tutti_library_version version;
  tutti_findings findings = {0};
  tutti_status status = tuning_file_guess(path, &version, error);
  if (status == TUTTI_OK)
    status = tutti_lint_file(path, &version, &findings, error);
  if (status == TUTTI_OK)
    status = tutti_findings_refuse(&findings, path, &version, least, error);
  tutti_findings_free(&findings);
  return status;
}

static tutti_status check_files(const struct compare_options *options, tutti_severity least, tutti_error *error)
{
  tutti_status status = TUTTI_OK;
  for (int side = 0; side < 2 && status == TUTTI_OK; side++)
    if (!compare_is_untuned(options->names[side]))
      status = check_file(options->names[side], least, error);
  return status;
}

/* Do the files have rules for any of these collectives? */
static tutti_status find_rules(const struct compare_options *options, unsigned collectives, bool *found,
                               tutti_error *error)
{
  tutti_status status = TUTTI_OK;
  *found = false;
  for (int c = 0; c < TUTTI_COLL_COUNT && status == TUTTI_OK && !*found; c++) {
    struct compare_axes axes = {.ranks_count = 0};
    if (collectives >> c & 1)
      status = read_files(options, (tutti_collective)c, found, &axes, error);
    free_axes(&axes);
  }
  return status;
}

/* Rules for other collectives than those asked for: the wrong ones were asked for. A file without any, such as one
   mended until nothing was left, is the library left alone. */
static tutti_status check_collectives(const struct compare_options *options, tutti_error *error)
{
  const char *path = options->names[!compare_is_untuned(options->names[1])];
  bool asked, others = false;
  tutti_status status = find_rules(options, options->collectives, &asked, error);
  if (status != TUTTI_OK || asked)
    return status;
  status = check_files(options, TUTTI_ERROR, error);
  if (status == TUTTI_OK)
    status = find_rules(options, ~options->collectives, &others, error);
  if (status != TUTTI_OK || !others)
    return status;
  char names[300] = "";
  for (int c = 0; c < TUTTI_COLL_COUNT; c++)
    if (options->collectives >> c & 1) {
      size_t used = strlen(names);
      snprintf(names + used, sizeof names - used, "%s%s", used ? ", " : "", tutti_collective_name((tutti_collective)c));
    }
  return tutti_fail(error, TUTTI_ERR_ARGUMENT, "%s: has no rules for %s", path, names);
}

/* The library left alone is compared with itself, a file with itself, or its cost where it says nothing. */
static bool needs_rules(const struct compare_options *options)
{
  return !options->unchanged && strcmp(options->names[0], options->names[1]) != 0;
}

tutti_status compare_plan(const struct compare_options *options, tutti_experiment *experiment, tutti_error *error)
{
  *experiment = (tutti_experiment){.path = tutti_xstrdup("tutti compare"),
                                   .name = tutti_xstrdup("compare"),
                                   .measure = options->measure,
                                   .takes = NAN};
  experiment->sweeps = tutti_xcalloc(TUTTI_COLL_COUNT, sizeof *experiment->sweeps);
  tutti_status status = flavor_of(options, &experiment->flavor, error);
  if (status == TUTTI_OK)
    status = platform_of(options, experiment->flavor, &experiment->platform_name, error);
  if (status == TUTTI_OK && options->collectives && needs_rules(options))
    status = check_collectives(options, error);
  for (int c = 0; c < TUTTI_COLL_COUNT && status == TUTTI_OK; c++)
    if (!options->collectives || options->collectives >> c & 1)
      status = add_collective(options, (tutti_collective)c, experiment, error);
  if (status == TUTTI_OK && experiment->sweep_count == 0) {
    status = check_files(options, TUTTI_WARNING, error);
    return status == TUTTI_OK ? tutti_fail(error, TUTTI_ERR_ARGUMENT, "%s",
                                           "the files have no rules: which collectives? --collective LIST; it is the "
                                           "library's own choice everywhere: there is nothing to install")
                              : status;
  }
  return status;
}
