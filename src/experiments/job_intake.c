#include "experiments/job_intake.h"

#include <stdlib.h>
#include <time.h>

double tutti_job_clock(void)
{
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

struct intake *tutti_intake_create(tutti_store *store, const struct job_manifest *manifest, tutti_error *error)
{
  struct intake *intake = calloc(1, sizeof *intake);
  if (!intake) {
    tutti_fail(error, TUTTI_ERR_MEMORY, "out of memory for a batch of measurements");
    return NULL;
  }
  intake->store = store;
  intake->flushed = tutti_job_clock();
  tutti_environment environment = tutti_manifest_environment(manifest);
  if (tutti_store_environment(store, &environment, &intake->environment, error) == TUTTI_OK)
    return intake;
  free(intake);
  return NULL;
}

tutti_status tutti_intake_flush(struct intake *intake, tutti_error *error)
{
  tutti_status status = TUTTI_OK;
  intake->flushed = tutti_job_clock();
  if (intake->waiting > 0)
    status = tutti_store_add(intake->store, intake->environment, intake->batch, intake->waiting, error);
  if (status != TUTTI_OK)
    return status;
  intake->stored += intake->waiting;
  intake->waiting = 0;
  if (intake->builds_waiting > 0)
    status = tutti_store_add_builds(intake->store, intake->environment, intake->builds, intake->builds_waiting, error);
  if (status != TUTTI_OK)
    return status;
  intake->stored += intake->builds_waiting;
  intake->builds_waiting = 0;
  if (intake->results_waiting > 0)
    status =
        tutti_store_add_results(intake->store, intake->environment, intake->results, intake->results_waiting, error);
  if (status != TUTTI_OK)
    return status;
  intake->stored += intake->results_waiting;
  intake->results_waiting = 0;
  return TUTTI_OK;
}

tutti_status tutti_intake_flush_if_due(struct intake *intake, tutti_error *error)
{
  if (tutti_job_clock() - intake->flushed < INTAKE_SECONDS)
    return TUTTI_OK;
  return tutti_intake_flush(intake, error);
}

static tutti_status make_room(struct intake *intake, size_t waiting, tutti_error *error)
{
  return waiting < INTAKE_BATCH ? TUTTI_OK : tutti_intake_flush(intake, error);
}

tutti_status tutti_intake_add(struct intake *intake, const tutti_measurement *measurement, tutti_error *error)
{
  tutti_status status = make_room(intake, intake->waiting, error);
  if (status == TUTTI_OK)
    intake->batch[intake->waiting++] = *measurement;
  return status;
}

tutti_status tutti_intake_add_build(struct intake *intake, const tutti_group_run *build, tutti_error *error)
{
  tutti_status status = make_room(intake, intake->builds_waiting, error);
  if (status == TUTTI_OK)
    intake->builds[intake->builds_waiting++] = *build;
  return status;
}

tutti_status tutti_intake_add_result(struct intake *intake, const tutti_result *result, tutti_error *error)
{
  tutti_status status = make_room(intake, intake->results_waiting, error);
  if (status == TUTTI_OK)
    intake->results[intake->results_waiting++] = *result;
  return status;
}
