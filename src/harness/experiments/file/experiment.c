/* Experiment files. */
#include "tutti/experiment.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "harness/experiments/file/experiment_private.h"
#include "tutti/platform.h"

/* Child number @p index called @p name of the root, NULL past the last. */
static const xmlNode *nth_child(const xml_file *file, const char *name, int index)
{
  const xmlNode *node = tutti_xml_element_from(tutti_xml_root(file)->children);
  for (; node; node = tutti_xml_element_from(node->next))
    if (tutti_xml_is(node, name) && index-- == 0)
      return node;
  return NULL;
}

static tutti_status read_whole(const xml_file *file, const xmlNode *node, const char *name, int min, int *value,
                               tutti_error *error)
{
  const char *text = tutti_xml_attribute(node, name);
  uint64_t number;
  if (!text)
    return TUTTI_OK;
  if (!tutti_parse_integer(text, (uint64_t)min, 1000000, &number))
    return tutti_xml_fail(file, node, error, "%s=\"%s\" is not a whole number from %d to 1000000", name, text, min);
  *value = (int)number;
  return TUTTI_OK;
}

static tutti_status read_confidence(const xml_file *file, const xmlNode *node, double *value, tutti_error *error)
{
  const char *text = tutti_xml_attribute(node, "confidence");
  if (!text)
    return TUTTI_OK;
  if (!tutti_parse_real(text, value) || !(*value > 0 && *value < 1))
    return tutti_xml_fail(file, node, error, "confidence=\"%s\" is not a number between 0 and 1", text);
  return TUTTI_OK;
}

static tutti_status read_measure(const xml_file *file, tutti_measure *measure, tutti_error *error)
{
  tutti_error reason;
  const xmlNode *node = nth_child(file, "measure", 0), *second = nth_child(file, "measure", 1);
  *measure = (tutti_measure){
      .scheme = TUTTI_SCHEME_OCC, .warmup = 3, .repetitions_max = 200, .confidence = 0.05, .launches = 1, .orders = 1};
  if (second)
    return tutti_xml_fail(file, second, error, "second <measure> in one <experiment>");
  const char *scheme = node ? tutti_xml_attribute(node, "scheme") : NULL;
  if (scheme && tutti_scheme_parse_ours(scheme, &measure->scheme, &reason) != TUTTI_OK)
    return tutti_xml_fail(file, node, error, "%s", reason.message);
  tutti_status status = node ? read_whole(file, node, "warmup", 0, &measure->warmup, error) : TUTTI_OK;
  if (node && status == TUTTI_OK)
    status = read_whole(file, node, "repetitions-max", 1, &measure->repetitions_max, error);
  if (node && status == TUTTI_OK)
    status = read_whole(file, node, "launches", 1, &measure->launches, error);
  if (node && status == TUTTI_OK)
    status = read_whole(file, node, "orders", 1, &measure->orders, error);
  if (node && status == TUTTI_OK)
    status = read_confidence(file, node, &measure->confidence, error);
  return status;
}

static bool has_parts(const xml_file *file)
{
  const xmlNode *node = tutti_xml_element_from(tutti_xml_root(file)->children);
  while (node && !tutti_experiment_is_part(node))
    node = tutti_xml_element_from(node->next);
  return node != NULL;
}

/* Whether results exist without measuring. */
static bool has_results(const tutti_experiment *experiment)
{
  return experiment->step_count > 0 || experiment->claim_count > 0 || experiment->not_reproducible;
}

/* ---- <platform>: simulated, by name or file, or a real cluster ---- */

/* A real cluster, whose size is not known. */
static tutti_status read_real(const xml_file *file, const xmlNode *node, tutti_experiment *experiment,
                              struct experiment_machine *machine, tutti_error *error)
{
  const char *name = tutti_xml_attribute(node, "name"), *flavor = tutti_xml_attribute(node, "flavor");
  if (!name || !*name || !flavor || tutti_xml_attribute(node, "file"))
    return tutti_xml_fail(file, node, error, "<platform kind=\"real\"> takes a name and a flavor, and no file");
  machine->room = INT_MAX;
  machine->ranks_per_node = 1;
  machine->places = (tutti_places){0};
  experiment->platform_name = tutti_xstrdup(name);
  experiment->platform_line = (int)xmlGetLineNo(node);
  experiment->flavor = tutti_xstrdup(flavor);
  return TUTTI_OK;
}

char *tutti_experiment_path(const xml_file *file, const char *path)
{
  const char *slash = strrchr(file->path, '/');
  int folder = slash && *path != '/' ? (int)(slash + 1 - file->path) : 0;
  return tutti_xprintf("%.*s%s", folder, file->path, path);
}

static tutti_status locate(const xml_file *file, const xmlNode *node, char **path, tutti_error *error)
{
  tutti_error reason;
  const char *name = tutti_xml_attribute(node, "name"), *given = tutti_xml_attribute(node, "file");
  *path = given ? tutti_experiment_path(file, given) : NULL;
  if (!given && tutti_platform_find(name, path, &reason) != TUTTI_OK)
    return tutti_xml_fail(
        file, node, error,
        "%s; a real machine has no such file: its library is said by --flavor openmpi or mpich, in an "
        "experiment file by kind=\"real\" flavor=\"openmpi\"",
        reason.message);
  return TUTTI_OK;
}

/* Size and name of the platform at experiment->platform_path. */
static tutti_status read_machine(tutti_experiment *experiment, struct experiment_machine *machine, tutti_error *error)
{
  tutti_platform platform;
  tutti_status status = tutti_platform_read(experiment->platform_path, &platform, error);
  if (status != TUTTI_OK)
    return status;
  machine->ranks_per_node = platform.ranks_per_node;
  machine->places = tutti_platform_places(&platform);
  machine->room = (long)platform.host_count * platform.ranks_per_node;
  machine->platform = experiment->platform_name = tutti_xstrdup(platform.name);
  experiment->flavor = tutti_xstrdup("smpi");
  tutti_platform_free(&platform);
  return TUTTI_OK;
}

static tutti_status read_simulated(const xml_file *file, const xmlNode *node, tutti_experiment *experiment,
                                   struct experiment_machine *machine, tutti_error *error)
{
  tutti_error reason;
  if ((tutti_xml_attribute(node, "name") != NULL) == (tutti_xml_attribute(node, "file") != NULL))
    return tutti_xml_fail(file, node, error, "<platform> takes either a name or a file");
  if (tutti_xml_attribute(node, "flavor"))
    return tutti_xml_fail(file, node, error, "<platform> takes a flavor only with kind=\"real\"");
  tutti_status status = locate(file, node, &experiment->platform_path, error);
  if (status != TUTTI_OK)
    return status;
  if (read_machine(experiment, machine, &reason) != TUTTI_OK)
    return tutti_xml_fail(file, node, error, "%s", reason.message);
  return TUTTI_OK;
}

static tutti_status read_this_platform(const xml_file *file, const xmlNode *node, tutti_experiment *experiment,
                                       struct experiment_machine *machine, tutti_error *error)
{
  const char *kind = tutti_xml_attribute(node, "kind");
  if (machine->setting) {
    experiment->platform_path = tutti_xstrdup(machine->setting->platform);
    return read_machine(experiment, machine, error);
  }
  if (kind && strcmp(kind, "real") == 0)
    return read_real(file, node, experiment, machine, error);
  return read_simulated(file, node, experiment, machine, error);
}

static tutti_status read_platform(const xml_file *file, tutti_experiment *experiment,
                                  struct experiment_machine *machine, tutti_error *error)
{
  const xmlNode *node = nth_child(file, "platform", 0), *second = nth_child(file, "platform", 1);
  if (!node && !has_parts(file) && has_results(experiment))
    return TUTTI_OK;
  if (!node)
    return tutti_xml_fail(file, tutti_xml_root(file), error, "<experiment> has no <platform>");
  if (second)
    return tutti_xml_fail(file, second, error, "second <platform> in one <experiment>");
  return read_this_platform(file, node, experiment, machine, error);
}

/* Points of a sweep, in floating point: each axis has up to a million values. */
static double points_of(const tutti_sweep *sweep)
{
  double patterns = (double)sweep->patterns.arrival_count * (double)sweep->patterns.noise_count;
  return patterns * ((double)sweep->ranks_count * sweep->size_count * sweep->method_count + (double)sweep->pick_count);
}

static double points_of_group(const tutti_group_sweep *group)
{
  return (double)group->ranks_count * (double)group->point_count;
}

/* The kind of results that the element measures; TUTTI_RESULT_KINDS: none. */
static tutti_result_kind kind_of(const xmlNode *node)
{
  int kind = 0;
  while (kind < TUTTI_RESULT_KINDS &&
         !tutti_xml_is(node, tutti_experiment_result_element(tutti_kind_of_result((tutti_result_kind)kind))))
    kind++;
  return (tutti_result_kind)kind;
}

static tutti_status read_result(const xml_file *file, const xmlNode *node, const struct experiment_machine *machine,
                                tutti_experiment *experiment, double *points, tutti_error *error)
{
  tutti_result_sweep *sweep = &experiment->results[experiment->result_count++];
  experiment->result_kind = kind_of(node);
  tutti_status status = tutti_experiment_read_result(file, node, experiment->result_kind, machine, sweep, error);
  *points += (double)sweep->point_count;
  return status;
}

/* The next sweep, group, or list of results; *points counts on. */
static tutti_status read_part(const xml_file *file, const xmlNode *node, const struct experiment_machine *machine,
                              tutti_experiment *experiment, double *points, tutti_error *error)
{
  tutti_status status = TUTTI_OK;
  if (tutti_xml_is(node, "sweep")) {
    tutti_sweep *sweep = &experiment->sweeps[experiment->sweep_count++];
    status = tutti_experiment_read_sweep(file, node, machine, sweep, error);
    *points += points_of(sweep);
  } else if (tutti_xml_is(node, "group")) {
    tutti_group_sweep *group = &experiment->groups[experiment->group_count++];
    status = tutti_experiment_read_group(file, node, machine, group, error);
    *points += points_of_group(group);
  } else if (kind_of(node) < TUTTI_RESULT_KINDS)
    status = read_result(file, node, machine, experiment, points, error);
  if (status == TUTTI_OK && *points > EXPERIMENT_MAX_POINTS)
    return tutti_xml_fail(file, node, error, "more than %d points in an experiment", EXPERIMENT_MAX_POINTS);
  return status;
}

/* Count the measured parts: one program measures all of them. */
static tutti_status count_parts(const xml_file *file, bool needed, int *count, tutti_error *error)
{
  const xmlNode *first = NULL;
  *count = 0;
  for (const xmlNode *node = tutti_xml_element_from(tutti_xml_root(file)->children); node;
       node = tutti_xml_element_from(node->next)) {
    if (!tutti_experiment_is_part(node))
      continue;
    first = first ? first : node;
    ++*count;
    if (!tutti_xml_is(node, (const char *)first->name))
      return tutti_xml_fail(file, node, error, "<%s> beside <%s>: one experiment is measured by one program",
                            (const char *)node->name, (const char *)first->name);
  }
  return first || !needed ? TUTTI_OK : tutti_xml_fail(file, tutti_xml_root(file), error, "<experiment> has no <sweep>");
}

static tutti_status read_sweeps(const xml_file *file, const struct experiment_machine *machine,
                                tutti_experiment *experiment, tutti_error *error)
{
  int count;
  double points = 0;
  tutti_status status = count_parts(file, !has_results(experiment), &count, error);
  if (status != TUTTI_OK || count == 0)
    return status;
  experiment->sweeps = tutti_xcalloc((size_t)count, sizeof *experiment->sweeps);
  experiment->groups = tutti_xcalloc((size_t)count, sizeof *experiment->groups);
  experiment->results = tutti_xcalloc((size_t)count, sizeof *experiment->results);
  for (const xmlNode *node = tutti_xml_element_from(tutti_xml_root(file)->children); node && status == TUTTI_OK;
       node = tutti_xml_element_from(node->next))
    status = read_part(file, node, machine, experiment, &points, error);
  return status;
}

static tutti_status read_names(const xml_file *file, tutti_experiment *experiment, tutti_error *error)
{
  const char *name = tutti_xml_attribute(tutti_xml_root(file), "name"),
             *source = tutti_xml_attribute(tutti_xml_root(file), "source");
  if (*name == '\0' || strpbrk(name, " \t\r\n/"))
    return tutti_xml_fail(file, tutti_xml_root(file), error, "name=\"%s\": one word without '/' is expected", name);
  experiment->path = tutti_xstrdup(*file->path ? file->path : name);
  experiment->name = tutti_xstrdup(name);
  experiment->source = source ? tutti_xstrdup(source) : NULL;
  return TUTTI_OK;
}

static tutti_status read_engine(const xml_file *file, tutti_experiment *experiment, tutti_error *error)
{
  tutti_error reason;
  const char *engine = tutti_xml_attribute(tutti_xml_root(file), "engine");
  return !engine || tutti_experiment_set_engine(experiment, engine, &reason) == TUTTI_OK
             ? TUTTI_OK
             : tutti_xml_fail(file, tutti_xml_root(file), error, "engine=\"%s\": %s", engine, reason.message);
}

static tutti_status interpret(const xml_file *file, tutti_experiment_setting *setting, tutti_experiment *experiment,
                              tutti_error *error)
{
  struct experiment_machine machine = {.setting = setting};
  tutti_status status = tutti_experiment_check(file, error);
  if (status == TUTTI_OK)
    status = read_names(file, experiment, error);
  if (status == TUTTI_OK)
    status = tutti_experiment_read_claims(file, experiment, error);
  if (status == TUTTI_OK)
    status = read_measure(file, &experiment->measure, error);
  if (status == TUTTI_OK)
    status = read_platform(file, experiment, &machine, error);
  if (status == TUTTI_OK)
    status = read_sweeps(file, &machine, experiment, error);
  return status == TUTTI_OK ? read_engine(file, experiment, error) : status;
}

/* Frees the file, and the experiment if it fails. */
static tutti_status interpret_and_free(xml_file *file, tutti_experiment_setting *setting, tutti_experiment *experiment,
                                       tutti_error *error)
{
  tutti_status status = interpret(file, setting, experiment, error);
  tutti_xml_file_free(file);
  if (status != TUTTI_OK)
    tutti_experiment_free(experiment);
  return status;
}

tutti_status tutti_experiment_read_on(const char *path, tutti_experiment_setting *setting, tutti_experiment *experiment,
                                      tutti_error *error)
{
  xml_file file;
  *experiment = (tutti_experiment){0};
  tutti_status status = tutti_xml_file_read(path, &file, error);
  return status == TUTTI_OK ? interpret_and_free(&file, setting, experiment, error) : status;
}

tutti_status tutti_experiment_read(const char *path, tutti_experiment *experiment, tutti_error *error)
{
  return tutti_experiment_read_on(path, NULL, experiment, error);
}

tutti_status tutti_experiment_of_words(const tutti_experiment_words *words, tutti_experiment *experiment,
                                       tutti_error *error)
{
  xml_file file = {.path = ""}; /* not a file */
  *experiment = (tutti_experiment){0};
  tutti_status status = tutti_experiment_document(words, &file.document, error);
  return status == TUTTI_OK ? interpret_and_free(&file, NULL, experiment, error) : status;
}

bool tutti_experiment_measures(const tutti_experiment *experiment)
{
  return experiment->sweep_count + experiment->group_count + experiment->result_count > 0;
}

const char *tutti_experiment_program(const tutti_experiment *experiment)
{
  if (experiment->result_count > 0)
    return tutti_kind_of_result(experiment->result_kind)->keyword;
  return experiment->group_count > 0 ? "tutti-group" : "tutti-bench";
}

void tutti_experiment_free(tutti_experiment *experiment)
{
  for (int i = 0; i < experiment->sweep_count; i++) {
    free(experiment->sweeps[i].ranks);
    free(experiment->sweeps[i].sizes);
    free(experiment->sweeps[i].methods);
    free(experiment->sweeps[i].picks);
    tutti_patterns_free(&experiment->sweeps[i].patterns);
  }
  free(experiment->sweeps);
  for (int i = 0; i < experiment->group_count; i++) {
    free(experiment->groups[i].ranks);
    free(experiment->groups[i].points);
  }
  free(experiment->groups);
  for (int i = 0; i < experiment->result_count; i++)
    free(experiment->results[i].points);
  free(experiment->results);
  tutti_experiment_free_claims(experiment);
  free(experiment->path);
  free(experiment->name);
  free(experiment->source);
  free(experiment->platform_name);
  free(experiment->platform_path);
  free(experiment->flavor);
  *experiment = (tutti_experiment){0};
}
