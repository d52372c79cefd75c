#include "decision/results/parameter_records.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

static tutti_status add_record(struct parameter_records *records, const tutti_record *record, tutti_error *error)
{
  if (records->ended && record->kind != TUTTI_RECORD_NONE)
    return tutti_fail(error, TUTTI_ERR_LAUNCH, "a record came after the tutti-end record");
  if (record->kind == TUTTI_RECORD_PARAMETER && records->run.kind == TUTTI_RECORD_NONE)
    return tutti_fail(error, TUTTI_ERR_LAUNCH, "a parameter came before the tutti-run record");
  if (record->kind == TUTTI_RECORD_RUN)
    records->run = *record;
  else if (record->kind == TUTTI_RECORD_PARAMETER)
    tutti_xpush(records, record->parameter);
  else if (record->kind == TUTTI_RECORD_END) {
    records->end = *record;
    records->ended = records->run.kind == TUTTI_RECORD_RUN && record->measurements == records->count;
  }
  return TUTTI_OK;
}

static tutti_status add_line(struct parameter_records *records, const char *line, tutti_error *error)
{
  int nodes;
  tutti_record record;
  tutti_error reason;
  if (sscanf(line, "tutti-pair v=1 ranks=%*d,%*d nodes=%d", &nodes) == 1)
    records->apart = nodes > 1;
  if (tutti_record_parse(line, &record, &reason) != TUTTI_OK)
    return tutti_fail(error, TUTTI_ERR_LAUNCH, "%s", reason.message);
  return add_record(records, &record, error);
}

tutti_status tutti_parameter_records_read(FILE *stream, struct parameter_records *records, tutti_error *error)
{
  char *line = NULL;
  size_t capacity = 0;
  ssize_t length;
  tutti_status status = TUTTI_OK;
  *records = (struct parameter_records){0};
  while (status == TUTTI_OK && (length = getline(&line, &capacity, stream)) > 0) {
    if (line[length - 1] != '\n')
      break; /* cut off */
    line[length - 1] = '\0';
    status = add_line(records, line, error);
  }
  free(line);
  return status;
}
