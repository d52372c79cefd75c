/* From the growing records file of a job into the store, a batch a transaction. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/memory.h"
#include "base/say.h"
#include "decision/results/row.h"
#include "harness/experiments/jobs/job.h"
#include "harness/experiments/plan/plan.h"
#include "harness/store/rows.h"

struct record_ingest *tutti_ingest_create(tutti_store *store, const struct job_manifest *manifest, tutti_error *error)
{
  struct record_ingest *ingest = tutti_xcalloc(1, sizeof *ingest);
  ingest->store = store;
  ingest->flushed = tutti_clock(CLOCK_MONOTONIC);
  tutti_environment environment = tutti_manifest_environment(manifest);
  if (manifest->probed || tutti_store_environment(store, &environment, &ingest->environment, error) == TUTTI_OK)
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
  ingest->flushed = tutti_clock(CLOCK_MONOTONIC);
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
  if (tutti_clock(CLOCK_MONOTONIC) - ingest->flushed < INGEST_SECONDS)
    return TUTTI_OK;
  return tutti_ingest_flush(ingest, error);
}

static void note_spread(tutti_run_noise *noise, const tutti_measurement *measurement)
{
  if (!(measurement->spread > 0))
    return;
  noise->points++;
  noise->noisy += measurement->spread > noise->asked;
  if (measurement->spread <= noise->largest)
    return;
  noise->largest = measurement->spread;
  noise->ranks = measurement->ranks;
  tutti_row_format_point(tutti_kind_of(TUTTI_ROW_MEASUREMENT), measurement, noise->point);
}

/* Add the row of a record; stores the batch when it is full, or of another kind or environment. */
static tutti_status add_row(struct record_ingest *ingest, int64_t environment, const tutti_record *record,
                            tutti_error *error)
{
  const void *row;
  const struct tutti_row_kind *kind = tutti_kind_of_record(record, &row);
  bool stores = ingest->store;
  if (stores && (ingest->waiting == INGEST_BATCH || kind != ingest->kind || environment != ingest->environment)) {
    tutti_status status = tutti_ingest_flush(ingest, error);
    if (status != TUTTI_OK)
      return status;
  }
  if (!stores || kind != ingest->kind)
    ingest->rows = tutti_xrealloc(ingest->rows, (stores ? INGEST_BATCH : ingest->waiting + 1) * kind->size);
  ingest->kind = kind;
  ingest->environment = environment;
  if (record->kind == TUTTI_RECORD_MEASUREMENT)
    note_spread(&ingest->noise, &record->measurement);
  memcpy(ingest->rows + ingest->waiting++ * kind->size, row, kind->size);
  return TUTTI_OK;
}

/* ---- records of a killed run are stored by the next one, under the environment of their manifest ---- */

static void warn(const struct work *work, unsigned number, const char *reason)
{
  tutti_say(stderr, "tutti: %s: records of chunk %u of an earlier run: %s\n", work->path, number, reason);
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
  /* The launch that asked which library it is: it measures nothing. */
  const bool asks = !*manifest.library;
  int file = asks ? -1 : tutti_work_file(work, number, "records", O_RDONLY, &reason);
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
    if (!tutti_work_has(work, numbers[i], "card") && !tutti_work_has(work, numbers[i], "batch"))
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

/* ---- reading the records of one chunk: complete lines only, each checked against what was asked for ---- */

/* No record comes near this length; longer lines are other output and are passed over piece by piece. */
enum { LINES_LENGTH = 1 << 16 };

/* Nodes are filled one after the other: a launch of few ranks has all of them on the first one. Simulated platforms
   define how many ranks fit on a node. */
static tutti_status check_placement(const struct job_manifest *manifest, const tutti_record *run, tutti_error *error)
{
  int asked = manifest->ranks_per_node;
  bool few = !tutti_flavor_is_simulated(run->flavor) && run->ranks < asked;
  if (asked == 0 || run->ranks_per_node == (few ? run->ranks : asked))
    return TUTTI_OK;
  return tutti_fail(error, TUTTI_ERR_LAUNCH, "the measuring program reports %d ranks per node where %d were asked for",
                    run->ranks_per_node, few ? run->ranks : asked);
}

/* Whether the launch is the one rank that inspects the node of a job in a queue, before all others. */
static bool is_probe(const struct reader *reader)
{
  return reader->manifest->probed && reader->environment == 0;
}

static tutti_status check_run(const struct reader *reader, const tutti_record *run, tutti_error *error)
{
  const struct job_manifest *manifest = reader->manifest;
  const struct {
    const char *what, *expected, *reported;
  } words[] = {{"Tutti", manifest->tutti, run->tutti},
               {"flavor", manifest->flavor, run->flavor},
               {"library", manifest->library, run->library},
               {"build of the library", manifest->build, run->library_build}};
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    if (*words[i].expected && strcmp(words[i].expected, words[i].reported) != 0)
      return tutti_fail(error, TUTTI_ERR_LAUNCH, "the measuring program reports %s %s where %s was expected",
                        words[i].what, words[i].reported, words[i].expected);
  int ranks = is_probe(reader) ? 1 : manifest->ranks;
  if (run->ranks == 1 && ranks > 1)
    return tutti_fail(error, TUTTI_ERR_LAUNCH,
                      "each of the %d ranks is alone: the measuring program is built with %s, and the launcher may be "
                      "that of another MPI library",
                      ranks, run->flavor);
  if (run->ranks != ranks)
    return tutti_fail(error, TUTTI_ERR_LAUNCH, "the measuring program reports %d ranks where %d were launched",
                      run->ranks, ranks);
  return check_placement(manifest, run, error);
}

/* Check that a measurement is expected now, and has the right number of ranks. */
static tutti_status check_order(const struct reader *reader, int ranks, tutti_error *error)
{
  if (!reader->begun)
    return tutti_fail(error, TUTTI_ERR_LAUNCH, "a measurement came before the tutti-run record");
  if (reader->ended)
    return tutti_fail(error, TUTTI_ERR_LAUNCH, "a measurement came after the tutti-end record");
  if (ranks != reader->manifest->ranks)
    return tutti_fail(error, TUTTI_ERR_LAUNCH, "a measurement is of %d ranks where %d were asked", ranks,
                      reader->manifest->ranks);
  if (reader->plan && reader->received == reader->chunk->count)
    return tutti_fail(error, TUTTI_ERR_LAUNCH, "more measurements came than the %zu asked for", reader->chunk->count);
  return TUTTI_OK;
}

/* Check that the row is the requested one. */
static tutti_status check_asked(const struct reader *reader, const struct tutti_row_kind *kind, const void *row,
                                tutti_error *error)
{
  tutti_record expected;
  const void *asked;
  char name[TUTTI_ROW_POINT], expected_name[TUTTI_ROW_POINT];
  tutti_point_record(&reader->plan->points[reader->chunk->first + reader->received], reader->plan->measure.scheme,
                     reader->run.ranks_per_node, &expected);
  if (tutti_kind_of_record(&expected, &asked) != kind)
    return tutti_fail(error, TUTTI_ERR_LAUNCH, "a %s record came where something else was asked", kind->keyword);
  tutti_row_set_integer(kind, (void *)asked, "ranks_per_node", reader->run.ranks_per_node);
  if (tutti_row_compare(kind, row, asked) == 0)
    return TUTTI_OK;
  return tutti_fail(error, TUTTI_ERR_LAUNCH, "%.400s was measured where %.400s was asked",
                    tutti_row_format_point(kind, row, name), tutti_row_format_point(kind, asked, expected_name));
}

/* Records lack the ranks per node, which are filled in. */
static tutti_status check_row(const struct reader *reader, tutti_record *record, tutti_error *error)
{
  const void *got;
  const struct tutti_row_kind *kind = tutti_kind_of_record(record, &got);
  void *row = (void *)got;
  tutti_status status = check_order(reader, (int)tutti_row_integer(kind, row, "ranks", -1), error);
  tutti_row_set_integer(kind, row, "ranks_per_node", reader->run.ranks_per_node);
  if (status != TUTTI_OK)
    return status;
  if (record->kind == TUTTI_RECORD_MEASUREMENT && record->measurement.scheme != reader->manifest->scheme)
    return tutti_fail(error, TUTTI_ERR_LAUNCH, "a measurement is under scheme %s where %s was asked",
                      tutti_scheme_name(record->measurement.scheme), tutti_scheme_name(reader->manifest->scheme));
  if (record->kind == TUTTI_RECORD_MEASUREMENT && !(record->measurement.minimum > 0) &&
      !tutti_flavor_is_simulated(reader->manifest->flavor))
    return tutti_fail(error, TUTTI_ERR_LAUNCH, "a time of %g s was measured", record->measurement.minimum);
  return reader->plan ? check_asked(reader, kind, row, error) : TUTTI_OK;
}

static bool is_row(const tutti_record *record)
{
  return record->kind == TUTTI_RECORD_MEASUREMENT || record->kind == TUTTI_RECORD_GROUP ||
         record->kind == TUTTI_RECORD_RESULT;
}

/* Read one line and check it against the manifest and what was asked for. */
static tutti_status understand(const struct reader *reader, const char *line, tutti_record *record, tutti_error *error)
{
  tutti_status status = tutti_record_parse(line, record, error);
  if (status == TUTTI_OK && record->kind == TUTTI_RECORD_RUN)
    return check_run(reader, record, error);
  return status == TUTTI_OK && is_row(record) ? check_row(reader, record, error) : status;
}

static int64_t environment_of(const struct reader *reader, const struct record_ingest *ingest)
{
  return reader->environment ? reader->environment : ingest->environment;
}

static tutti_status learn_environment(struct reader *reader, const tutti_record *run, struct record_ingest *ingest,
                                      tutti_error *error)
{
  struct job_manifest manifest = *reader->manifest;
  tutti_manifest_learn(&manifest, run);
  const tutti_environment environment = tutti_manifest_environment(&manifest);
  return tutti_store_environment(ingest->store, &environment, &reader->environment, error);
}

/* Store a launch when it begins, and again when it has ended. A probe has no ingest and is not stored; launches of a
   comparison, which has no store, have no environment. */
static tutti_status store_launch(const struct reader *reader, const tutti_record *end, struct record_ingest *ingest,
                                 tutti_error *error)
{
  tutti_result launch;
  if (!ingest || !ingest->store || !tutti_record_launch(&reader->run, end, &launch))
    return TUTTI_OK;
  return tutti_store_add_results(ingest->store, environment_of(reader, ingest), &launch, 1, error);
}

static tutti_status ingest_record(struct reader *reader, const tutti_record *record, struct record_ingest *ingest,
                                  tutti_error *error)
{
  tutti_status status = TUTTI_OK;
  bool is_end = record->kind == TUTTI_RECORD_END;
  if (record->kind == TUTTI_RECORD_RUN && is_probe(reader)) {
    status = learn_environment(reader, record, ingest, error);
  } else if (record->kind == TUTTI_RECORD_RUN) {
    reader->run = *record;
    reader->begun = true;
    status = store_launch(reader, NULL, ingest, error);
  } else if (is_end && (reader->begun || !reader->manifest->probed)) {
    reader->ended = true;
    reader->promised = record->measurements;
    status = store_launch(reader, record, ingest, error);
  } else if (is_row(record)) {
    status = add_row(ingest, environment_of(reader, ingest), record, error);
    reader->received += status == TUTTI_OK;
  }
  return status;
}

/* A job that prints other records than asked for has failed; of an earlier run all usable records are stored. */
static tutti_status ingest_line(struct reader *reader, const char *line, struct record_ingest *ingest,
                                tutti_error *error)
{
  tutti_record record;
  tutti_error fault = {0};
  tutti_status status = understand(reader, line, &record, &fault);
  if (status == TUTTI_OK)
    return ingest_record(reader, &record, ingest, error);
  if (reader->plan)
    return tutti_fail(error, status, "%s", fault.message);
  if (reader->fault.status == TUTTI_OK)
    reader->fault = fault;
  return TUTTI_OK;
}

/* Ingest the complete lines of @p text; returns through *used how far they go. A fault stops before its line. */
static tutti_status ingest_lines(struct reader *reader, char *text, size_t length, size_t *used,
                                 struct record_ingest *ingest, tutti_error *error)
{
  *used = 0;
  for (char *end; (end = memchr(text + *used, '\n', length - *used));) {
    *end = '\0';
    tutti_status status = ingest_line(reader, text + *used, ingest, error);
    if (status != TUTTI_OK)
      return status;
    *used = (size_t)(end + 1 - text);
  }
  if (*used == 0 && length == LINES_LENGTH)
    *used = length;
  return TUTTI_OK;
}

tutti_status tutti_reader_poll(struct reader *reader, struct record_ingest *ingest, tutti_error *error)
{
  char text[LINES_LENGTH];
  for (;;) {
    ssize_t length = pread(reader->file, text, sizeof text, reader->offset);
    if (length < 0 && errno == EINTR)
      continue;
    if (length < 0)
      return tutti_fail(error, TUTTI_ERR_IO, "cannot read the records of a job: %s", strerror(errno));
    size_t used;
    tutti_status status = ingest_lines(reader, text, (size_t)length, &used, ingest, error);
    reader->offset += (off_t)used;
    if (status != TUTTI_OK || used == 0)
      return status;
  }
}

bool tutti_reader_complete(const struct reader *reader)
{
  const bool some = reader->received > 0 && tutti_flavor_is_simulated(reader->manifest->flavor);
  return reader->begun && reader->ended && reader->received == reader->promised &&
         (!reader->chunk || reader->received == reader->chunk->count || some) && reader->fault.status == TUTTI_OK;
}
