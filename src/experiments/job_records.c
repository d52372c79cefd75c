/* Reading the records of one chunk: complete lines only, each checked against what was asked for. */
#include <errno.h>
#include <inttypes.h>
#include <string.h>
#include <unistd.h>

#include "experiments/record_ingest.h"
#include "results/row.h"

/* No record comes near this length; longer lines are other output and are passed over piece by piece. */
enum { LINES_LENGTH = 1 << 16 };

static tutti_status check_run(const struct reader *reader, const tutti_record *run, tutti_error *error)
{
  const struct job_manifest *manifest = reader->manifest;
  const struct {
    const char *what, *expected, *reported;
  } words[] = {{"Tutti", manifest->tutti, run->tutti},
               {"flavour", manifest->flavor, run->flavor},
               {"library", manifest->library, run->library}};
  for (int i = 0; i < 3; i++)
    if (*words[i].expected && strcmp(words[i].expected, words[i].reported) != 0)
      return tutti_fail(error, TUTTI_ERR_LAUNCH, "the measuring program reports %s %s where %s was expected",
                        words[i].what, words[i].reported, words[i].expected);
  if (run->ranks != manifest->ranks)
    return tutti_fail(
        error, TUTTI_ERR_LAUNCH,
        "the measuring program reports %d ranks where %d were launched (is the launcher that of its MPI?)", run->ranks,
        manifest->ranks);
  if (run->ranks_per_node != manifest->ranks_per_node)
    return tutti_fail(error, TUTTI_ERR_LAUNCH,
                      "the measuring program reports %d ranks per node where %d were asked for", run->ranks_per_node,
                      manifest->ranks_per_node);
  return TUTTI_OK;
}

static bool is_point(const tutti_measurement *got, const tutti_point *asked)
{
  return tutti_method_compare(&got->method, &asked->method) == 0 && got->root == asked->root &&
         got->count == asked->count && got->type_size == asked->type_size &&
         tutti_arrival_compare(&got->arrival, &asked->arrival) == 0 &&
         tutti_noise_compare(&got->noise, &asked->noise) == 0;
}

/* Is it the time for a measurement, and one of so many ranks? */
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

static const tutti_point *asked_for(const struct reader *reader)
{
  return &reader->plan->points[reader->chunk->first + reader->received];
}

static tutti_status check_measurement(const struct reader *reader, const tutti_measurement *got, tutti_error *error)
{
  tutti_status status = check_order(reader, got->ranks, error);
  if (status != TUTTI_OK)
    return status;
  if (got->scheme != reader->manifest->scheme)
    return tutti_fail(error, TUTTI_ERR_LAUNCH, "a measurement is under scheme %s where %s was asked",
                      tutti_scheme_name(got->scheme), tutti_scheme_name(reader->manifest->scheme));
  if (!reader->plan)
    return TUTTI_OK;
  const tutti_point *asked = asked_for(reader);
  if (asked->result || asked->build.builder)
    return tutti_fail(error, TUTTI_ERR_LAUNCH, "a collective was measured where something else was asked");
  if (is_point(got, asked))
    return TUTTI_OK;
  char name[TUTTI_METHOD_LENGTH], expected[TUTTI_METHOD_LENGTH];
  return tutti_fail(
      error, TUTTI_ERR_LAUNCH, "%s with %" PRIu64 " elements was measured where %s with %" PRIu64 " was asked",
      tutti_method_format(&got->method, name), got->count, tutti_method_format(&asked->method, expected), asked->count);
}

static tutti_status check_build(const struct reader *reader, const tutti_group_run *got, tutti_error *error)
{
  tutti_status status = check_order(reader, got->point.sample.size, error);
  if (status != TUTTI_OK || !reader->plan)
    return status;
  const tutti_point *asked = asked_for(reader);
  if (!asked->build.builder)
    return tutti_fail(error, TUTTI_ERR_LAUNCH, "a group was built where something else was asked");
  if (tutti_group_point_compare(&got->point, &asked->build) == 0)
    return TUTTI_OK;
  char name[TUTTI_GROUP_POINT_LENGTH], expected[TUTTI_GROUP_POINT_LENGTH];
  return tutti_fail(error, TUTTI_ERR_LAUNCH, "%s was built where %s was asked",
                    tutti_group_point_format(&got->point, name), tutti_group_point_format(&asked->build, expected));
}

/* The record says nothing of the ranks per node, which are filled in. */
static tutti_status check_result(const struct reader *reader, tutti_result *got, tutti_error *error)
{
  tutti_status status = check_order(reader, tutti_result_ranks(got, -1), error);
  got->ranks_per_node = reader->run.ranks_per_node;
  if (status != TUTTI_OK || !reader->plan)
    return status;
  const tutti_result *asked = asked_for(reader)->result;
  if (!asked || asked->kind != got->kind)
    return tutti_fail(error, TUTTI_ERR_LAUNCH, "a %s record came where something else was asked",
                      tutti_kind_of_result(got->kind)->keyword);
  if (tutti_result_compare(got, asked) == 0)
    return TUTTI_OK;
  char name[TUTTI_RESULT_POINT_LENGTH], expected[TUTTI_RESULT_POINT_LENGTH];
  return tutti_fail(error, TUTTI_ERR_LAUNCH, "%s was measured where %s was asked", tutti_result_format_point(got, name),
                    tutti_result_format_point(asked, expected));
}

/* Read one line and check it against the manifest and what was asked for. */
static tutti_status understand(const struct reader *reader, const char *line, tutti_record *record, tutti_error *error)
{
  tutti_status status = tutti_record_parse(line, record, error);
  if (status == TUTTI_OK && record->kind == TUTTI_RECORD_RUN)
    return check_run(reader, record, error);
  if (status == TUTTI_OK && record->kind == TUTTI_RECORD_MEASUREMENT)
    return check_measurement(reader, &record->measurement, error);
  if (status == TUTTI_OK && record->kind == TUTTI_RECORD_GROUP)
    return check_build(reader, &record->build, error);
  if (status == TUTTI_OK && record->kind == TUTTI_RECORD_RESULT)
    return check_result(reader, &record->result, error);
  return status;
}

static tutti_status take_measurement(struct reader *reader, tutti_measurement *measurement,
                                     struct record_ingest *ingest, tutti_error *error)
{
  measurement->ranks_per_node = reader->run.ranks_per_node;
  tutti_status status = tutti_ingest_add(ingest, measurement, error);
  if (status == TUTTI_OK)
    reader->received++;
  return status;
}

static tutti_status take_build(struct reader *reader, tutti_group_run *build, struct record_ingest *ingest,
                               tutti_error *error)
{
  build->ranks_per_node = reader->run.ranks_per_node;
  tutti_status status = tutti_ingest_add_build(ingest, build, error);
  if (status == TUTTI_OK)
    reader->received++;
  return status;
}

static tutti_status take_result(struct reader *reader, const tutti_result *result, struct record_ingest *ingest,
                                tutti_error *error)
{
  tutti_status status = tutti_ingest_add_result(ingest, result, error);
  if (status == TUTTI_OK)
    reader->received++;
  return status;
}

static tutti_status take_record(struct reader *reader, tutti_record *record, struct record_ingest *ingest,
                                tutti_error *error)
{
  switch (record->kind) {
  case TUTTI_RECORD_RUN:
    reader->run = *record;
    reader->begun = true;
    return TUTTI_OK;
  case TUTTI_RECORD_MEASUREMENT:
    return take_measurement(reader, &record->measurement, ingest, error);
  case TUTTI_RECORD_GROUP:
    return take_build(reader, &record->build, ingest, error);
  case TUTTI_RECORD_RESULT:
    return take_result(reader, &record->result, ingest, error);
  case TUTTI_RECORD_END:
    reader->ended = true;
    reader->promised = record->measurements;
    return TUTTI_OK;
  default:
    return TUTTI_OK;
  }
}

/* A job that prints what was not asked for has failed; of leftovers, whatever can be used is taken in. */
static tutti_status take_line(struct reader *reader, const char *line, struct record_ingest *ingest, tutti_error *error)
{
  tutti_record record;
  tutti_error fault = {0};
  tutti_status status = understand(reader, line, &record, &fault);
  if (status == TUTTI_OK)
    return take_record(reader, &record, ingest, error);
  if (reader->plan)
    return tutti_fail(error, status, "%s", fault.message);
  if (reader->fault.status == TUTTI_OK)
    reader->fault = fault;
  return TUTTI_OK;
}

/* Take in the complete lines of @p text; returns through *used how far they go. A fault stops before its line. */
static tutti_status take_lines(struct reader *reader, char *text, size_t length, size_t *used,
                               struct record_ingest *ingest, tutti_error *error)
{
  *used = 0;
  for (char *end; (end = memchr(text + *used, '\n', length - *used));) {
    *end = '\0';
    tutti_status status = take_line(reader, text + *used, ingest, error);
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
    tutti_status status = take_lines(reader, text, (size_t)length, &used, ingest, error);
    reader->offset += (off_t)used;
    if (status != TUTTI_OK || used == 0)
      return status;
  }
}

bool tutti_reader_complete(const struct reader *reader)
{
  return reader->begun && reader->ended && reader->received == reader->promised &&
         (!reader->chunk || reader->received == reader->chunk->count) && reader->fault.status == TUTTI_OK;
}
