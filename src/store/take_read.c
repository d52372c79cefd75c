/* Taking in what was run by hand, reading: whole runs, or a fault that names the line. */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/vector.h"
#include "results/row.h"
#include "tutti/take.h"

/* One file on its way. */
struct taking {
  tutti_taken *taken;
  const char *name;
  size_t line;
  size_t run_line; /* of the tutti-run record of the run under way; 0: none is */
  int ranks;       /* of that run, as the next */
  int ranks_per_node;
  uint64_t received;
};

static tutti_status fail_at(const struct taking *taking, const char *message, tutti_error *error)
{
  return tutti_fail(error, TUTTI_ERR_ARGUMENT, "%s:%zu: %s", taking->name, taking->line, message);
}

static tutti_status append(struct taking *taking, const tutti_record *record, tutti_error *error)
{
  tutti_taken *taken = taking->taken;
  if (!tutti_grow(&taken->records, taken->count, &taken->capacity, 1, sizeof *record))
    return tutti_fail(error, TUTTI_ERR_MEMORY, "%s:%zu: out of memory for %zu records", taking->name, taking->line,
                      taken->count);
  taken->records[taken->count++] = *record;
  return TUTTI_OK;
}

/* ---- the run ---- */

static tutti_status fail_unended(const struct taking *taking, tutti_error *error)
{
  return tutti_fail(error, TUTTI_ERR_ARGUMENT,
                    "%s:%zu: this run has no tutti-end record: the program did not end well, so nothing is taken in",
                    taking->name, taking->run_line);
}

static tutti_status begin_run(struct taking *taking, const tutti_record *run, tutti_error *error)
{
  if (taking->run_line)
    return fail_unended(taking, error);
  taking->run_line = taking->line;
  taking->ranks = run->ranks;
  taking->ranks_per_node = run->ranks_per_node;
  taking->received = 0;
  taking->taken->runs++;
  return append(taking, run, error);
}

static tutti_status end_run(struct taking *taking, uint64_t promised, tutti_error *error)
{
  if (!taking->run_line)
    return fail_at(taking, "a tutti-end record without a tutti-run record before it", error);
  if (promised != taking->received)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT,
                      "%s:%zu: tutti-end counts %" PRIu64 " records, but %" PRIu64 " came: some were lost, so nothing "
                      "is taken in",
                      taking->name, taking->line, promised, taking->received);
  taking->run_line = 0;
  return TUTTI_OK;
}

/* ---- what it measured ---- */

/* The ranks that a record names, those of the run where it names none; fills in the ranks per node. */
static int complete(const struct taking *taking, tutti_record *record)
{
  const void *row;
  const struct tutti_row_kind *kind = tutti_kind_of_record(record, &row);
  tutti_row_set_integer(kind, (void *)row, "ranks_per_node", taking->ranks_per_node);
  return (int)tutti_row_integer(kind, row, "ranks", taking->ranks);
}

static tutti_status take_measured(struct taking *taking, tutti_record *record, tutti_error *error)
{
  if (!taking->run_line)
    return fail_at(taking, "a record without a tutti-run record before it", error);
  if (record->kind == TUTTI_RECORD_PARAMETER)
    return fail_at(taking, "parameters are measured and stored by tutti params", error);
  int ranks = complete(taking, record);
  if (ranks != taking->ranks)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "%s:%zu: a record of %d ranks in a run of %d", taking->name,
                      taking->line, ranks, taking->ranks);
  taking->received++;
  return append(taking, record, error);
}

/* ---- lines ---- */

static tutti_status take_line(struct taking *taking, const char *line, tutti_error *error)
{
  tutti_record record;
  tutti_error reason;
  tutti_status status = tutti_record_parse(line, &record, &reason);
  if (status != TUTTI_OK)
    return tutti_fail(error, status, "%s:%zu: %.400s", taking->name, taking->line, reason.message);
  if (record.kind == TUTTI_RECORD_NONE)
    return TUTTI_OK;
  if (record.kind == TUTTI_RECORD_RUN)
    return begin_run(taking, &record, error);
  if (record.kind == TUTTI_RECORD_END)
    return end_run(taking, record.measurements, error);
  return take_measured(taking, &record, error);
}

static tutti_status take_lines(struct taking *taking, FILE *stream, tutti_error *error)
{
  char *line = NULL;
  size_t capacity = 0;
  tutti_status status = TUTTI_OK;
  while (status == TUTTI_OK && getline(&line, &capacity, stream) >= 0) {
    taking->line++;
    line[strcspn(line, "\n")] = '\0';
    status = take_line(taking, line, error);
  }
  if (status == TUTTI_OK && ferror(stream))
    status = tutti_fail(error, TUTTI_ERR_IO, "%s: cannot be read: %s", taking->name, strerror(errno));
  free(line);
  return status;
}

tutti_status tutti_taken_read(tutti_taken *taken, FILE *stream, const char *name, tutti_error *error)
{
  struct taking taking = {.taken = taken, .name = name};
  size_t before = taken->runs;
  tutti_status status = take_lines(&taking, stream, error);
  if (status == TUTTI_OK && taking.run_line)
    status = fail_unended(&taking, error);
  if (status == TUTTI_OK && taken->runs == before)
    status = tutti_fail(error, TUTTI_ERR_ARGUMENT, "%s: no records of a measuring program", name);
  return status;
}

void tutti_taken_free(tutti_taken *taken)
{
  free(taken->records);
  *taken = (tutti_taken){.records = NULL};
}
