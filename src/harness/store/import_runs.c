/* Importing the output of programs of Tutti that were run by hand: whole runs, or an error that names the line; stored
   in one transaction. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/index.h"
#include "base/machine.h"
#include "base/memory.h"
#include "base/text.h"
#include "decision/results/row.h"
#include "harness/store/private.h"
#include "harness/store/rows.h"
#include "tutti/import.h"
#include "tutti/platform.h"

/* One file that is read. */
struct reading {
  tutti_imported_runs *imported;
  const char *name;
  size_t line;
  size_t run_line; /* of the tutti-run record of the current run; 0: none */
  int ranks;       /* of that run, as the next */
  int ranks_per_node;
  uint64_t received;
  size_t warnings_length;
  void *warned; /* warnings printed for this file (base/index.h) */
};

static tutti_status fail_at(const struct reading *reading, const char *message, tutti_error *error)
{
  return tutti_fail(error, TUTTI_ERR_ARGUMENT, "%s:%zu: %s", reading->name, reading->line, message);
}

static tutti_status append(struct reading *reading, const tutti_record *record)
{
  tutti_imported_runs *imported = reading->imported;
  if (!tutti_grow(&imported->records, imported->count, &imported->capacity, 1, sizeof *record))
    tutti_out_of_memory();
  imported->records[imported->count++] = *record;
  return TUTTI_OK;
}

/* ---- the run ---- */

static tutti_status fail_unended(const struct reading *reading, tutti_error *error)
{
  return tutti_fail(error, TUTTI_ERR_ARGUMENT,
                    "%s:%zu: this run has no tutti-end record: the program did not end well, so nothing is taken in",
                    reading->name, reading->run_line);
}

static tutti_status begin_run(struct reading *reading, const tutti_record *run, tutti_error *error)
{
  if (reading->run_line)
    return fail_unended(reading, error);
  reading->run_line = reading->line;
  reading->ranks = run->ranks;
  reading->ranks_per_node = run->ranks_per_node;
  reading->received = 0;
  reading->imported->runs++;
  return append(reading, run);
}

static tutti_status end_run(struct reading *reading, uint64_t promised, tutti_error *error)
{
  if (!reading->run_line)
    return fail_at(reading, "a tutti-end record without a tutti-run record before it", error);
  if (promised != reading->received)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT,
                      "%s:%zu: tutti-end counts %" PRIu64 " records, but %" PRIu64 " came: some were lost, so nothing "
                      "is taken in",
                      reading->name, reading->line, promised, reading->received);
  reading->run_line = 0;
  return TUTTI_OK;
}

/* ---- measurements ---- */

/* The ranks of a record, by default those of the run; fills in the ranks per node. */
static int complete(const struct reading *reading, tutti_record *record)
{
  const void *row;
  const struct tutti_row_kind *kind = tutti_kind_of_record(record, &row);
  tutti_row_set_integer(kind, (void *)row, "ranks_per_node", reading->ranks_per_node);
  return (int)tutti_row_integer(kind, row, "ranks", reading->ranks);
}

static tutti_status read_measured(struct reading *reading, tutti_record *record, tutti_error *error)
{
  if (!reading->run_line)
    return fail_at(reading, "a record without a tutti-run record before it", error);
  if (record->kind == TUTTI_RECORD_PARAMETER)
    return fail_at(reading, "parameters are measured and stored by tutti params", error);
  int ranks = complete(reading, record);
  if (ranks != reading->ranks)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "%s:%zu: a record of %d ranks in a run of %d", reading->name,
                      reading->line, ranks, reading->ranks);
  reading->received++;
  return append(reading, record);
}

/* ---- fields without a column ---- */

static void warn(struct reading *reading, const struct tutti_row_kind *kind, const char *name, size_t length)
{
  char *what =
      tutti_xprintf(": '%.*s' is no column of %s, and is ignored; its columns:", (int)length, name, kind->keyword);
  if ((*tutti_index_number(&reading->warned, what))++ == 0) {
    struct tutti_text_stream text;
    tutti_xopen_text(&text);
    fprintf(text.stream, "%s:%zu%s", reading->name, reading->line, what);
    for (size_t i = 0; i < kind->count; i++)
      if (!(kind->columns[i].flags & TUTTI_ROW_COLUMN_UNRECORDED))
        fprintf(text.stream, " %s", kind->columns[i].name);
    fputc('\n', text.stream);
    char *line = tutti_xclose_text(&text);
    tutti_xappend(&reading->imported->warnings, &reading->warnings_length, line);
    free(line);
  }
  free(what);
}

static void warn_of_unknown(struct reading *reading, const char *line)
{
  const char *field = NULL;
  size_t length = 0;
  for (const struct tutti_row_kind *kind; (kind = tutti_record_unknown(line, &field, &length));)
    warn(reading, kind, field, strcspn(field, "="));
}

/* ---- lines ---- */

static tutti_status read_line(struct reading *reading, const char *line, tutti_error *error)
{
  tutti_record record;
  tutti_error reason;
  tutti_status status = tutti_record_parse(line, &record, &reason);
  if (status != TUTTI_OK)
    return tutti_fail(error, status, "%s:%zu: %.400s", reading->name, reading->line, reason.message);
  if (record.kind == TUTTI_RECORD_NONE)
    return TUTTI_OK;
  warn_of_unknown(reading, line);
  if (record.kind == TUTTI_RECORD_RUN)
    return begin_run(reading, &record, error);
  if (record.kind == TUTTI_RECORD_END)
    return end_run(reading, record.measurements, error);
  return read_measured(reading, &record, error);
}

static tutti_status read_lines(struct reading *reading, FILE *stream, tutti_error *error)
{
  struct tutti_lines lines;
  tutti_status status = tutti_lines_open_stream(&lines, stream, reading->name, error);
  while (status == TUTTI_OK && tutti_lines_next(&lines)) {
    reading->line++;
    status = read_line(reading, lines.text, error);
  }
  return tutti_lines_leave(&lines, status);
}

tutti_status tutti_import_runs_read(tutti_imported_runs *runs, FILE *stream, const char *name, tutti_error *error)
{
  struct reading reading = {
      .imported = runs, .name = name, .warnings_length = runs->warnings ? strlen(runs->warnings) : 0};
  size_t before = runs->runs;
  tutti_status status = read_lines(&reading, stream, error);
  if (status == TUTTI_OK && reading.run_line)
    status = fail_unended(&reading, error);
  if (status == TUTTI_OK && runs->runs == before)
    status = tutti_fail(error, TUTTI_ERR_ARGUMENT, "%s: no records of a measuring program", name);
  tutti_index_free(&reading.warned);
  return status;
}

void tutti_imported_runs_free(tutti_imported_runs *runs)
{
  free(runs->records);
  free(runs->warnings);
  *runs = (tutti_imported_runs){.records = NULL};
}
/* The platform by its name, and the hash of the file that simulated runs used. */
struct machine {
  const char *argument;
  tutti_platform platform; /* of simulated runs */
  bool simulated;          /* the platform was read */
};

static tutti_status read_platform(struct machine *machine, tutti_error *error)
{
  char *path;
  tutti_status status = tutti_platform_find(machine->argument, &path, error);
  if (status != TUTTI_OK)
    return status;
  status = tutti_platform_read(path, &machine->platform, error);
  machine->simulated = status == TUTTI_OK;
  free(path);
  return status;
}

static tutti_status environment_of(const tutti_record *run, struct machine *machine, tutti_store *store, int64_t *id,
                                   tutti_error *error)
{
  bool simulated = tutti_flavor_is_simulated(run->flavor);
  tutti_status status = simulated && !machine->simulated ? read_platform(machine, error) : TUTTI_OK;
  if (status != TUTTI_OK)
    return status;
  const tutti_environment environment = {.platform = simulated ? machine->platform.name : machine->argument,
                                         .platform_hash = simulated ? machine->platform.hash : "",
                                         .flavor = run->flavor,
                                         .library = run->library,
                                         .tutti = run->tutti,
                                         .build = run->library_build,
                                         .hosts = run->hosts,
                                         .cpu = run->cpu,
                                         .cores = run->cores};
  return tutti_store_environment(store, &environment, id, error);
}

static tutti_status store_record(const tutti_record *record, int64_t environment, tutti_store *store,
                                 tutti_error *error)
{
  const void *row;
  enum tutti_row kind = tutti_row_of(tutti_kind_of_record(record, &row));
  return tutti_store_add_rows(store, kind, environment, row, 1, error);
}

static tutti_status store_all(const tutti_imported_runs *runs, struct machine *machine, tutti_store *store,
                              tutti_error *error)
{
  int64_t environment = 0;
  tutti_status status = TUTTI_OK;
  for (size_t i = 0; i < runs->count && status == TUTTI_OK; i++)
    if (runs->records[i].kind == TUTTI_RECORD_RUN)
      status = environment_of(&runs->records[i], machine, store, &environment, error);
    else
      status = store_record(&runs->records[i], environment, store, error);
  return status;
}

tutti_status tutti_import_runs_store(const tutti_imported_runs *runs, const char *platform, tutti_store *store,
                                     tutti_error *error)
{
  char processor[128];
  struct machine machine = {.argument = platform ? platform : tutti_machine_processor(processor, sizeof processor)};
  tutti_status status = tutti_store_begin_together(store, error);
  if (status == TUTTI_OK)
    status = tutti_store_end_together(store, store_all(runs, &machine, store, error), error);
  if (machine.simulated)
    tutti_platform_free(&machine.platform);
  return status;
}
