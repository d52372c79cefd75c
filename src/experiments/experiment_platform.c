/* <platform> of an experiment: simulated, by name or file, or a real cluster. */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "experiments/experiment_private.h"
#include "tutti/platform.h"

static tutti_status keep(char **member, const char *text, tutti_error *error)
{
  *member = strdup(text);
  return *member ? TUTTI_OK : tutti_fail(error, TUTTI_ERR_MEMORY, "out of memory");
}

/* A real cluster: nothing is known of its size here. */
static tutti_status read_real(const xml_file *file, const xmlNode *node, tutti_experiment *experiment,
                              struct experiment_machine *machine, tutti_error *error)
{
  const char *name = tutti_xml_attribute(node, "name"), *flavor = tutti_xml_attribute(node, "flavor");
  if (!name || !*name || !flavor || tutti_xml_attribute(node, "file"))
    return tutti_xml_fail(file, node, error, "<platform kind=\"real\"> takes a name and a flavor, and no file");
  machine->room = INT_MAX;
  machine->ranks_per_node = 1;
  tutti_status status = keep(&experiment->platform_name, name, error);
  return status == TUTTI_OK ? keep(&experiment->flavor, flavor, error) : status;
}

/* A path in an experiment file is relative to that file. */
static char *beside(const char *experiment_path, const char *path)
{
  char *result;
  const char *slash = strrchr(experiment_path, '/');
  int directory = slash && *path != '/' ? (int)(slash + 1 - experiment_path) : 0;
  return asprintf(&result, "%.*s%s", directory, experiment_path, path) < 0 ? NULL : result;
}

static tutti_status locate(const xml_file *file, const xmlNode *node, char **path, tutti_error *error)
{
  tutti_error reason;
  const char *name = tutti_xml_attribute(node, "name"), *given = tutti_xml_attribute(node, "file");
  if (given) {
    *path = beside(file->path, given);
    return *path ? TUTTI_OK : tutti_fail(error, TUTTI_ERR_MEMORY, "%s: out of memory", file->path);
  }
  if (tutti_platform_find(name, path, &reason) != TUTTI_OK)
    return tutti_xml_fail(file, node, error, "%s", reason.message);
  return TUTTI_OK;
}

/* What must be known of the file at experiment->platform_path. */
static tutti_status read_machine(tutti_experiment *experiment, struct experiment_machine *machine, tutti_error *error)
{
  tutti_platform platform;
  tutti_status status = tutti_platform_read(experiment->platform_path, &platform, error);
  if (status != TUTTI_OK)
    return status;
  machine->ranks_per_node = platform.ranks_per_node;
  machine->room = (long)platform.host_count * platform.ranks_per_node;
  status = keep(&experiment->platform_name, platform.name, error);
  tutti_platform_free(&platform);
  return status == TUTTI_OK ? keep(&experiment->flavor, "smpi", error) : status;
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

tutti_status tutti_experiment_read_platform(const xml_file *file, const xmlNode *node, tutti_experiment *experiment,
                                            struct experiment_machine *machine, tutti_error *error)
{
  const char *kind = tutti_xml_attribute(node, "kind");
  if (machine->setting) {
    tutti_status status = keep(&experiment->platform_path, machine->setting->platform, error);
    return status == TUTTI_OK ? read_machine(experiment, machine, error) : status;
  }
  if (kind && strcmp(kind, "real") == 0)
    return read_real(file, node, experiment, machine, error);
  return read_simulated(file, node, experiment, machine, error);
}
