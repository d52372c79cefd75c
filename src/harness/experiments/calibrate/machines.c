#include "harness/experiments/calibrate/points.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/text.h"
#include "harness/engine/riders/measure.h"
#include "tutti/platform.h"

/* The shape of a job that had a torus of its own, from the settings that it was measured under; "": it had none. */
static void copy_shape(const char *settings, char shape[FIT_SHAPE])
{
  size_t length;
  const char *value = tutti_fit_setting(settings, "torus", &length);
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
static tutti_status find_machine(struct fit_machines *machines, const char *settings,
                                 const struct engine_machine **found, tutti_error *error)
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

tutti_status tutti_fit_machines_check_room(struct fit_machines *machines, const struct fit_point *point,
                                           tutti_error *error)
{
  const struct engine_machine *machine;
  const tutti_status status = find_machine(machines, point->run, &machine, error);
  if (status != TUTTI_OK)
    return status;
  struct engine_machine own = *machine;
  own.ranks_per_node = point->measured.ranks_per_node;
  return tutti_start_check_room(&own, (uint32_t)point->measured.ranks, error);
}

static tutti_status simulate_on(struct fit_point *point, const struct engine_machine *machine, double tolerance,
                                tutti_error *error)
{
  struct engine_machine own = *machine;
  struct engine_start start = {.order = NULL};
  tutti_measurement simulated = point->measured;
  simulated.method.implementation = TUTTI_IMPLEMENTATION_TUTTI;
  simulated.scheme = TUTTI_SCHEME_WINDOW;
  simulated.launch = 0;
  own.tolerance = tolerance;
  own.hosts = point->hosts;
  own.ranks_per_node = point->measured.ranks_per_node;
  if (own.processor.cores < own.ranks_per_node)
    own.processor.cores = own.ranks_per_node;
  const tutti_status status = tutti_engine_measure(&own, &simulated, NULL, &start, &point->seconds, error);
  tutti_start_free(&start);
  return status;
}

tutti_status tutti_fit_machines_simulate(struct fit_machines *machines, struct fit_point *point, tutti_error *error)
{
  const struct engine_machine *machine;
  const tutti_status status = find_machine(machines, point->run, &machine, error);
  return status == TUTTI_OK ? simulate_on(point, machine, machines->tolerance, error) : status;
}

void tutti_fit_machines_free(struct fit_machines *machines)
{
  for (size_t i = 0; i < machines->count; i++)
    tutti_machine_free(&machines->items[i].machine);
  tutti_vector_free(machines);
}

/* ---- Hockney's model ---- */

enum { SMALL = 4, LARGE = 1 << 20 };

/* A message between the first two hosts: a broadcast to one other rank. */
static tutti_status simulate_message(struct fit_machines *machines, uint64_t bytes, double *seconds, tutti_error *error)
{
  struct fit_point point = {
      .measured = {.ranks = 2, .ranks_per_node = 1, .count = bytes / SMALL, .type_size = SMALL, .rank_bytes = bytes},
      .run = ""};
  tutti_status status = tutti_method_parse("bcast/linear", &point.measured.method, error);
  if (status == TUTTI_OK)
    status = tutti_fit_machines_simulate(machines, &point, error);
  *seconds = point.seconds;
  return status;
}

tutti_status tutti_fit_model_read(struct fit_machines *machines, tutti_predictor *predictor, tutti_error *error)
{
  double small, large, speed;
  *predictor = machines->hockney;
  if (predictor->weight > 0)
    return TUTTI_OK;
  tutti_status status = simulate_message(machines, SMALL, &small, error);
  if (status == TUTTI_OK)
    status = simulate_message(machines, LARGE, &large, error);
  if (status == TUTTI_OK)
    status = tutti_machine_speed(&machines->items[0].machine, &speed, error);
  if (status != TUTTI_OK)
    return status;
  const double beta = (large - small) / (LARGE - SMALL), gamma = 1 / speed;
  *predictor = (tutti_predictor){.by = TUTTI_BY_SCHEDULE, .element = SMALL, .weight = 1};
  predictor->model = (tutti_model){.kind = TUTTI_MODEL_HOCKNEY, .gamma = gamma, .delta = gamma};
  predictor->model.network.hockney.alpha = small - SMALL * beta;
  predictor->model.network.hockney.beta = beta;
  machines->hockney = *predictor;
  return TUTTI_OK;
}

double tutti_fit_model_time(const tutti_predictor *predictor, tutti_method method, int ranks, uint64_t rank_bytes)
{
  double seconds = NAN;
  method.implementation = TUTTI_IMPLEMENTATION_TUTTI;
  tutti_predict_time(predictor, &method, ranks, rank_bytes, &seconds, NULL);
  return seconds;
}

void tutti_fit_model_price(const tutti_predictor *predictor, struct fit_point *point)
{
  const tutti_measurement *measured = &point->measured;
  point->modelled = tutti_fit_model_time(predictor, measured->method, measured->ranks, measured->rank_bytes);
}
