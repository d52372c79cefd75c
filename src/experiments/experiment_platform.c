/* <platform> of an experiment: simulated, by name or file, or a real cluster. */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "experiments/experiment_private.h"
#include "tutti/platform.h"

/* A real cluster: nothing is known of its size here. */
static tutti_status read_real(const xml_file *file, const xmlNode *node, tutti_experiment *experiment,
                              struct experiment_machine *machine, tutti_error *error)
{
  const char *name = tutti_xml_attribute(node, "name"), *flavor = tutti_xml_attribute(node, "flavor");
  if (!name || !*name || !flavor || tutti_xml_attribute(node, "file"))
    return tutti_xml_fail(file, node, error, "<platform kind=\"real\"> takes a name and a flavor, and no file");
  machine->room = INT_MAX;
  machine->ranks_per_node = 1;
  experiment->platform_name = tutti_xstrdup(name);
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
  experiment->platform_name = tutti_xstrdup(platform.name);
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

tutti_status tutti_experiment_read_platform(const xml_file *file, const xmlNode *node, tutti_experiment *experiment,
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
