/* What a killed run left behind is taken in by the next one: under the environment on its manifest, not today's. */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "experiments/record_ingest.h"

static void warn(const struct work *work, unsigned number, const char *reason)
{
  fprintf(stderr, "tutti: %s: records of chunk %u of an earlier run: %s\n", work->path, number, reason);
}

static tutti_status take_records(const struct work *work, unsigned number, int file,
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
  free(ingest);
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
    status = take_records(work, number, file, &manifest, store, recovered, error);
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
