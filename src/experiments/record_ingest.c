#include "experiments/record_ingest.h"

#include <stdlib.h>
#include <time.h>

#include "base/memory.h"

double tutti_job_clock(void)
{
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

struct record_ingest *tutti_ingest_create(tutti_store *store, const struct job_manifest *manifest, tutti_error *error)
{
  struct record_ingest *ingest = tutti_xcalloc(1, sizeof *ingest);
  ingest->store = store;
  ingest->flushed = tutti_job_clock();
  tutti_environment environment = tutti_manifest_environment(manifest);
  if (tutti_store_environment(store, &environment, &ingest->environment, error) == TUTTI_OK)
    return ingest;
  free(ingest);
  return NULL;
}

tutti_status tutti_ingest_flush(struct record_ingest *ingest, tutti_error *error)
{
  tutti_status status = TUTTI_OK;
  ingest->flushed = tutti_job_clock();
  if (ingest->waiting > 0)
    status = tutti_store_add(ingest->store, ingest->environment, ingest->batch, ingest->waiting, error);
  if (status != TUTTI_OK)
    return status;
  ingest->stored += ingest->waiting;
  ingest->waiting = 0;
  if (ingest->builds_waiting > 0)
    status = tutti_store_add_builds(ingest->store, ingest->environment, ingest->builds, ingest->builds_waiting, error);
  if (status != TUTTI_OK)
    return status;
  ingest->stored += ingest->builds_waiting;
  ingest->builds_waiting = 0;
  if (ingest->results_waiting > 0)
    status =
        tutti_store_add_results(ingest->store, ingest->environment, ingest->results, ingest->results_waiting, error);
  if (status != TUTTI_OK)
    return status;
  ingest->stored += ingest->results_waiting;
  ingest->results_waiting = 0;
  return TUTTI_OK;
}

tutti_status tutti_ingest_flush_if_due(struct record_ingest *ingest, tutti_error *error)
{
  if (tutti_job_clock() - ingest->flushed < INGEST_SECONDS)
    return TUTTI_OK;
  return tutti_ingest_flush(ingest, error);
}

static tutti_status make_room(struct record_ingest *ingest, size_t waiting, tutti_error *error)
{
  return waiting < INGEST_BATCH ? TUTTI_OK : tutti_ingest_flush(ingest, error);
}

tutti_status tutti_ingest_add(struct record_ingest *ingest, const tutti_measurement *measurement, tutti_error *error)
{
  tutti_status status = make_room(ingest, ingest->waiting, error);
  if (status == TUTTI_OK)
    ingest->batch[ingest->waiting++] = *measurement;
  return status;
}

tutti_status tutti_ingest_add_build(struct record_ingest *ingest, const tutti_group_run *build, tutti_error *error)
{
  tutti_status status = make_room(ingest, ingest->builds_waiting, error);
  if (status == TUTTI_OK)
    ingest->builds[ingest->builds_waiting++] = *build;
  return status;
}

tutti_status tutti_ingest_add_result(struct record_ingest *ingest, const tutti_result *result, tutti_error *error)
{
  tutti_status status = make_room(ingest, ingest->results_waiting, error);
  if (status == TUTTI_OK)
    ingest->results[ingest->results_waiting++] = *result;
  return status;
}
