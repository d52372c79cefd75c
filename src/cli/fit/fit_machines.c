/* The machines that points are simulated on: a platform file with edits, and of a torus one for each shape of a job. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/text.h"
#include "cli/fit/fit.h"
#include "harness/engine/riders/start.h"
#include "tutti/platform.h"

/* The shape of a job that saw a torus of its own, a word of the settings that it was measured under; "": it saw none.
 */
static void copy_shape(const char *settings, char shape[FIT_SHAPE])
{
  size_t length;
  const char *value = fit_setting(settings, "torus", &length);
  snprintf(shape, FIT_SHAPE, "%.*s", value ? (int)length : 0, value ? value : "");
}

/* Read a machine from the bytes of its file: through a temporary one. */
static tutti_status read_bytes(const char *bytes, size_t length, struct engine_machine *machine, tutti_error *error)
{
  const char *directory = getenv("TMPDIR");
  char *path = tutti_xprintf("%s/tutti-fit-XXXXXX.xml", directory && *directory ? directory : "/tmp");
  const int file = mkstemps(path, (int)strlen(".xml"));
  tutti_status status = TUTTI_OK;
  if (file < 0 || write(file, bytes, length) != (ssize_t)length)
    status = tutti_fail(error, TUTTI_ERR_IO, "%s: %s", path, strerror(errno));
  if (file >= 0)
    close(file);
  if (status == TUTTI_OK)
    status = tutti_machine_read(path, machine, error);
  if (file >= 0)
    unlink(path);
  free(path);
  return status;
}

static tutti_status read_edited(const struct fit_machines *machines, const char *shape, struct engine_machine *machine,
                                tutti_error *error)
{
  struct fit_edits edits = {.count = 0};
  tutti_edited_platform edited;
  char *topology = *shape ? tutti_xprintf("topology=torus:%s", shape) : NULL;
  if (topology)
    tutti_xpush(&edits, topology);
  for (size_t i = 0; machines->edits && i < machines->edits->count; i++)
    tutti_xpush(&edits, machines->edits->items[i]);
  tutti_status status = edits.count > 0
                            ? tutti_platform_edit(machines->path, edits.items, (int)edits.count, &edited, error)
                            : tutti_machine_read(machines->path, machine, error);
  if (edits.count > 0 && status == TUTTI_OK) {
    status = read_bytes(edited.bytes, edited.length, machine, error);
    tutti_edited_platform_free(&edited);
  }
  tutti_vector_free(&edits);
  free(topology);
  return status;
}

static tutti_status find_shape(struct fit_machines *machines, const char shape[FIT_SHAPE], size_t *found,
                               tutti_error *error)
{
  for (*found = 0; *found < machines->count; (*found)++)
    if (strcmp(machines->items[*found].shape, shape) == 0)
      return TUTTI_OK;
  struct fit_machine made;
  memcpy(made.shape, shape, FIT_SHAPE);
  const tutti_status status = read_edited(machines, shape, &made.machine, error);
  if (status == TUTTI_OK)
    tutti_xpush(machines, made);
  return status;
}

/* Only a torus takes the shape of the job. */
static tutti_status find(struct fit_machines *machines, const char *settings, const struct engine_machine **found,
                         tutti_error *error)
{
  char shape[FIT_SHAPE] = "";
  size_t place;
  tutti_status status = find_shape(machines, shape, &place, error);
  if (status != TUTTI_OK)
    return status;
  if (machines->items[place].machine.network.topology.kind == TOPOLOGY_TORUS) {
    copy_shape(settings, shape);
    status = find_shape(machines, shape, &place, error);
  }
  *found = status == TUTTI_OK ? &machines->items[place].machine : NULL;
  return status;
}

tutti_status fit_machines_check_room(struct fit_machines *machines, const struct fit_point *point, tutti_error *error)
{
  const struct engine_machine *machine;
  const tutti_status status = find(machines, point->run, &machine, error);
  if (status != TUTTI_OK)
    return status;
  struct engine_machine own = *machine;
  own.ranks_per_node = point->measured.ranks_per_node;
  return tutti_start_check_room(&own, (uint32_t)point->measured.ranks, error);
}

tutti_status fit_machines_simulate(struct fit_machines *machines, struct fit_point *point, tutti_error *error)
{
  const struct engine_machine *machine;
  const tutti_status status = find(machines, point->run, &machine, error);
  return status == TUTTI_OK ? fit_point_simulate(point, machine, error) : status;
}

void fit_machines_free(struct fit_machines *machines)
{
  for (size_t i = 0; i < machines->count; i++)
    tutti_machine_free(&machines->items[i].machine);
  tutti_vector_free(machines);
}
