#include "experiments/record_ingest.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/memory.h"
#include "store/rows.h"

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

void tutti_ingest_free(struct record_ingest *ingest)
{
  if (ingest)
    free(ingest->rows);
  free(ingest);
}

tutti_status tutti_ingest_flush(struct record_ingest *ingest, tutti_error *error)
{
  ingest->flushed = tutti_job_clock();
  if (ingest->waiting == 0)
    return TUTTI_OK;
  tutti_status status = tutti_store_add_rows(ingest->store, tutti_row_of(ingest->kind), ingest->environment,
                                             ingest->rows, ingest->waiting, error);
  if (status != TUTTI_OK)
    return status;
  ingest->stored += ingest->waiting;
  ingest->waiting = 0;
  return TUTTI_OK;
}

tutti_status tutti_ingest_flush_if_due(struct record_ingest *ingest, tutti_error *error)
{
  if (tutti_job_clock() - ingest->flushed < INGEST_SECONDS)
    return TUTTI_OK;
  return tutti_ingest_flush(ingest, error);
}

tutti_status tutti_ingest_add(struct record_ingest *ingest, const tutti_record *record, tutti_error *error)
{
  const void *row;
  const struct tutti_row_kind *kind = tutti_kind_of_record(record, &row);
  if (ingest->waiting == INGEST_BATCH || kind != ingest->kind) {
    tutti_status status = tutti_ingest_flush(ingest, error);
    if (status != TUTTI_OK)
      return status;
  }
  if (kind != ingest->kind)
    ingest->rows = tutti_xrealloc(ingest->rows, INGEST_BATCH * kind->size);
  ingest->kind = kind;
  memcpy(ingest->rows + ingest->waiting++ * kind->size, row, kind->size);
  return TUTTI_OK;
}

/* ---- what a killed run left behind is taken in by the next one: under the environment of its manifest ---- */

static void warn(const struct work *work, unsigned number, const char *reason)
{
  fprintf(stderr, "tutti: %s: records of chunk %u of an earlier run: %s\n", work->path, number, reason);
}

static tutti_status ingest_records(const struct work *work, unsigned number, int file,
                                   const struct job_manifest *manifest, tutti_store *store, size_t *recovered,
                                   tutti_error *error)
{
  struct record_ingest *ingest = tutti_ingest_create(store, manifest, error);
  if (!ingest)
    return error->status;
  struct reader reader = {.file = file, .manifest = manifest};
  tutti_status status = tutti_reader_poll(&reader, ingest, error);
  if (status == TUTTI_OK)
    status = tutti_ingest_flush(ingest, error);
  *recovered += ingest->stored;
  if (reader.fault.status != TUTTI_OK)
    warn(work, number, reader.fault.message);
  tutti_ingest_free(ingest);
  return status;
}

static tutti_status recover_chunk(const struct work *work, unsigned number, tutti_store *store, size_t *recovered,
                                  tutti_error *error)
{
  struct job_manifest manifest;
  tutti_error reason = {0};
  if (tutti_work_has(work, number, "queued"))
    return TUTTI_OK;
  if (tutti_manifest_read(work, number, &manifest, &reason) != TUTTI_OK) {
    warn(work, number, reason.message);
    return TUTTI_OK;
  }
  int file = tutti_work_file(work, number, "records", O_RDONLY, &reason);
  tutti_status status = TUTTI_OK;
  if (file >= 0) {
    status = ingest_records(work, number, file, &manifest, store, recovered, error);
    close(file);
  }
  if (status == TUTTI_OK)
    tutti_work_remove(work, number);
  return status;
}

/* Chunks whose run was killed before their manifest was written, which comes last: nothing was started. */
static tutti_status remove_unborn(const struct work *work, tutti_error *error)
{
  unsigned *numbers;
  size_t count;
  tutti_status status = tutti_work_list(work, "points", &numbers, &count, error);
  for (size_t i = 0; i < count && status == TUTTI_OK; i++)
    if (!tutti_work_has(work, numbers[i], "card"))
      tutti_work_remove(work, numbers[i]);
  free(numbers);
  return status;
}

tutti_status tutti_work_recover(const struct work *work, tutti_store *store, size_t *recovered, tutti_error *error)
{
  unsigned *numbers;
  size_t count;
  tutti_status status = tutti_work_list(work, "card", &numbers, &count, error);
  for (size_t i = 0; i < count && status == TUTTI_OK; i++)
    status = recover_chunk(work, numbers[i], store, recovered, error);
  free(numbers);
  return status == TUTTI_OK ? remove_unborn(work, error) : status;
}
