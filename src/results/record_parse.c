/* Records, reading: from a line of a program's output to the record it stands for. */
#include "tutti/record.h"

#include <inttypes.h>
#include <limits.h>
#include <string.h>

#include "results/record_fields.h"

static const struct record_layout layouts[] = {
    [TUTTI_RECORD_RUN] = {"tutti-run", {"v", "tutti", "flavor", "library", "ranks", "ranks_per_node"}},
    [TUTTI_RECORD_MEASUREMENT] = {"tutti-measurement",
                                  {"v", "method", "scheme", "ranks", "root", "count", "type_B", "repetitions",
                                   "minimum_s", "median_s", "mean_s", "maximum_s", "arrival", "noise"},
                                  2},
    [TUTTI_RECORD_GROUP] = {"tutti-group",
                            {"v",           "builder",       "ranks",    "fraction",   "exact",
                             "branching",   "seed",          "colours",  "node_ranks", "repetitions",
                             "minimum_s",   "median_s",      "mean_s",   "maximum_s",  "start",
                             "upward",      "relocation",    "downward", "balance",    "hash",
                             "scan",        "reduction",     "finish",   "lookup",     "sent_B",
                             "members",     "groups",        "size",     "height",     "degree",
                             "fingerprint", "critical_path", "memory_B", "endpoint_B", "largest_message_B"}},
    [TUTTI_RECORD_PARAMETER] = {"tutti-parameter", {"v", "quantity", "of", "bytes", "value", "unit"}},
    [TUTTI_RECORD_END] = {"tutti-end", {"v", "measurements"}},
};

static bool begins_with(const char *line, const char *keyword)
{
  size_t length = strlen(keyword);
  return strncmp(line, keyword, length) == 0 && (line[length] == '\0' || strchr(" \t\r", line[length]));
}

/* The kind, and of a result what kind of result. */
static tutti_record_kind kind_of(const char *line, tutti_result_kind *result)
{
  for (int kind = 0; kind < TUTTI_RESULT_KINDS; kind++)
    if (begins_with(line, tutti_result_layout_of((tutti_result_kind)kind)->keyword)) {
      *result = (tutti_result_kind)kind;
      return TUTTI_RECORD_RESULT;
    }
  for (int kind = TUTTI_RECORD_RUN; kind <= TUTTI_RECORD_END; kind++)
    if (layouts[kind].keyword && begins_with(line, layouts[kind].keyword))
      return (tutti_record_kind)kind;
  return TUTTI_RECORD_NONE;
}

/* The fields of a record as its description has them. */
static struct record_layout layout_of(tutti_record_kind kind, tutti_result_kind result)
{
  if (kind != TUTTI_RECORD_RESULT)
    return layouts[kind];
  const tutti_result_layout *described = tutti_result_layout_of(result);
  struct record_layout layout = {.keyword = described->keyword, .fields = {"v"}};
  for (int f = 0; f < described->field_count; f++)
    layout.fields[f + 1] = described->fields[f].name;
  return layout;
}

_Static_assert(TUTTI_RESULT_FIELDS < MOST_FIELDS, "there is room for the version, too");

static void check_version(struct record_fields *fields)
{
  uint64_t version = tutti_record_fields_number(fields, "v", 0, INT_MAX);
  if (fields->status == TUTTI_OK && version != RECORD_VERSION)
    fields->status = tutti_fail(fields->error, TUTTI_ERR_ARGUMENT,
                                "%s: version %" PRIu64 " of the record, but this program reads version %d only",
                                fields->layout->keyword, version, RECORD_VERSION);
}

static void read_method(struct record_fields *fields, tutti_measurement *measurement)
{
  char text[TUTTI_METHOD_LENGTH];
  tutti_record_fields_text(fields, "method", text, sizeof text);
  if (fields->status == TUTTI_OK)
    fields->status = tutti_method_parse(text, &measurement->method, fields->error);
  tutti_record_fields_text(fields, "scheme", text, sizeof text);
  if (fields->status == TUTTI_OK)
    fields->status = tutti_scheme_parse_ours(text, &measurement->scheme, fields->error);
}

static void read_sizes(struct record_fields *fields, tutti_measurement *measurement)
{
  measurement->ranks = (int)tutti_record_fields_number(fields, "ranks", 1, INT_MAX);
  measurement->root = (int)tutti_record_fields_number(fields, "root", 0, INT_MAX);
  if (measurement->root >= measurement->ranks)
    tutti_record_fields_fault(fields, "the root is not one of the ranks");
  measurement->count = tutti_record_fields_number(fields, "count", 0, INT64_MAX);
  measurement->type_size = tutti_record_fields_number(fields, "type_B", measurement->count > 0, INT64_MAX);
  if (__builtin_mul_overflow(measurement->count, measurement->type_size, &measurement->rank_bytes) ||
      measurement->rank_bytes > INT64_MAX)
    tutti_record_fields_fault(fields, "count times type_B is too large");
  if (fields->status == TUTTI_OK && !tutti_total_bytes(measurement, &measurement->total_bytes))
    tutti_record_fields_fault(fields, "count times type_B times ranks is too large");
  measurement->repetitions = (int)tutti_record_fields_number(fields, "repetitions", 1, INT_MAX);
}

static void read_times(struct record_fields *fields, tutti_measurement *measurement)
{
  measurement->minimum = tutti_record_fields_seconds(fields, "minimum_s");
  measurement->median = tutti_record_fields_seconds(fields, "median_s");
  measurement->mean = tutti_record_fields_seconds(fields, "mean_s");
  measurement->maximum = tutti_record_fields_seconds(fields, "maximum_s");
  if (measurement->minimum > measurement->median || measurement->median > measurement->maximum)
    tutti_record_fields_fault(fields, "minimum, median and maximum are not in ascending order");
  /* Only the OCC scheme subtracts (the time of its barrier), so only there noise can push a time below zero. */
  if (measurement->scheme != TUTTI_SCHEME_OCC && measurement->minimum < 0)
    tutti_record_fields_fault(fields, "a negative time, which only the scheme occ can bring about");
}

static void read_patterns(struct record_fields *fields, tutti_measurement *measurement)
{
  char text[TUTTI_ARRIVAL_LENGTH > TUTTI_NOISE_LENGTH ? TUTTI_ARRIVAL_LENGTH : TUTTI_NOISE_LENGTH];
  if (tutti_record_fields_has(fields, "arrival")) {
    tutti_record_fields_text(fields, "arrival", text, TUTTI_ARRIVAL_LENGTH);
    if (fields->status == TUTTI_OK)
      fields->status = tutti_arrival_parse(text, &measurement->arrival, fields->error);
  }
  if (tutti_record_fields_has(fields, "noise")) {
    tutti_record_fields_text(fields, "noise", text, TUTTI_NOISE_LENGTH);
    if (fields->status == TUTTI_OK)
      fields->status = tutti_noise_parse(text, &measurement->noise, fields->error);
  }
}

static void read_draw(struct record_fields *fields, tutti_group_sample *sample)
{
  sample->size = (int)tutti_record_fields_number(fields, "ranks", 1, INT_MAX);
  sample->fraction = tutti_record_fields_fraction(fields, "fraction");
  sample->members = -1;
  if (tutti_record_fields_number(fields, "exact", 0, 1))
    sample->members = (int)tutti_record_fields_number(fields, "members", 0, (uint64_t)sample->size);
  sample->seed = tutti_record_fields_number(fields, "seed", 0, INT64_MAX);
  sample->colors = (int)tutti_record_fields_number(fields, "colours", 1, INT_MAX);
}

static void read_build_point(struct record_fields *fields, tutti_group_point *point)
{
  char builder[TUTTI_RECORD_WORD];
  tutti_record_fields_text(fields, "builder", builder, sizeof builder);
  read_draw(fields, &point->sample);
  point->branching = (int)tutti_record_fields_number(fields, "branching", 2, INT_MAX);
  point->node_ranks = (int)tutti_record_fields_number(fields, "node_ranks", 1, INT_MAX);
  if (fields->status != TUTTI_OK)
    return;
  point->builder = tutti_group_builder_find(builder, fields->error);
  if (!point->builder)
    fields->status = TUTTI_ERR_ARGUMENT;
}

static void read_counts(struct record_fields *fields, tutti_group_counts *counts)
{
  for (int i = 0; i < TUTTI_GROUP_FINGERPRINT; i++)
    counts->sums[i] = tutti_record_fields_number(fields, tutti_group_sum_name(i), 0, INT64_MAX);
  counts->sums[TUTTI_GROUP_FINGERPRINT] = tutti_record_fields_hexadecimal(fields, "fingerprint");
  for (int i = 0; i < TUTTI_GROUP_MAXIMA; i++)
    counts->maxima[i] = tutti_record_fields_number(fields, tutti_group_maximum_name(i), 0, INT64_MAX);
}

static void read_build(struct record_fields *fields, tutti_group_run *build)
{
  read_build_point(fields, &build->point);
  build->repetitions = (int)tutti_record_fields_number(fields, "repetitions", 1, INT_MAX);
  build->minimum = tutti_record_fields_seconds(fields, "minimum_s");
  build->median = tutti_record_fields_seconds(fields, "median_s");
  build->mean = tutti_record_fields_seconds(fields, "mean_s");
  build->maximum = tutti_record_fields_seconds(fields, "maximum_s");
  if (build->minimum < 0 || build->minimum > build->median || build->median > build->maximum)
    tutti_record_fields_fault(fields, "minimum, median and maximum are not in ascending order from 0 on");
  read_counts(fields, &build->counts);
  if (fields->status == TUTTI_OK && build->counts.sums[TUTTI_GROUP_MEMBERS] > (uint64_t)build->point.sample.size)
    tutti_record_fields_fault(fields, "there are more members than ranks");
}

static void read_unit(struct record_fields *fields, tutti_quantity quantity)
{
  char unit[TUTTI_RECORD_WORD], sentence[96];
  tutti_record_fields_text(fields, "unit", unit, sizeof unit);
  if (fields->status != TUTTI_OK || strcmp(unit, tutti_quantity_unit(quantity)) == 0)
    return;
  snprintf(sentence, sizeof sentence, "the unit of %s is %s", tutti_quantity_name(quantity),
           tutti_quantity_unit(quantity));
  tutti_record_fields_fault(fields, sentence);
}

static void read_parameter(struct record_fields *fields, tutti_parameter *parameter)
{
  char name[TUTTI_RECORD_WORD];
  tutti_record_fields_text(fields, "quantity", name, sizeof name);
  if (fields->status == TUTTI_OK)
    fields->status = tutti_quantity_parse(name, &parameter->quantity, fields->error);
  tutti_record_fields_text(fields, "of", parameter->of, sizeof parameter->of);
  if (strcmp(parameter->of, "-") == 0)
    parameter->of[0] = '\0';
  parameter->bytes = tutti_record_fields_number(fields, "bytes", 0, INT64_MAX);
  parameter->value = tutti_record_fields_seconds(fields, "value");
  if (parameter->value < 0)
    tutti_record_fields_fault(fields, "the value is negative");
  read_unit(fields, parameter->quantity);
}

static void read_value(struct record_fields *fields, const tutti_field *field, tutti_value *value)
{
  if (field->type == TUTTI_FIELD_WORD)
    tutti_record_fields_text(fields, field->name, value->word, sizeof value->word);
  else if (field->type == TUTTI_FIELD_WHOLE)
    value->whole = tutti_record_fields_number(fields, field->name, field->least, field->most);
  else if (field->type == TUTTI_FIELD_SECONDS)
    value->seconds = tutti_record_fields_seconds(fields, field->name);
  else
    value->real = tutti_record_fields_real(fields, field->name);
}

static void read_result(struct record_fields *fields, tutti_result *result)
{
  const tutti_result_layout *layout = tutti_result_layout_of(result->kind);
  result->ranks_per_node = 1;
  for (int f = 0; f < layout->field_count; f++)
    read_value(fields, &layout->fields[f], &result->values[f]);
  if (fields->status == TUTTI_OK)
    fields->status = tutti_result_check(result, fields->error);
}

static void read_run(struct record_fields *fields, tutti_record *record)
{
  tutti_record_fields_text(fields, "tutti", record->tutti, sizeof record->tutti);
  tutti_record_fields_text(fields, "flavor", record->flavor, sizeof record->flavor);
  tutti_record_fields_text(fields, "library", record->library, sizeof record->library);
  record->ranks = (int)tutti_record_fields_number(fields, "ranks", 1, INT_MAX);
  record->ranks_per_node = (int)tutti_record_fields_number(fields, "ranks_per_node", 1, INT_MAX);
}

static void read_members(struct record_fields *fields, tutti_record *record)
{
  check_version(fields);
  if (record->kind == TUTTI_RECORD_RUN)
    read_run(fields, record);
  else if (record->kind == TUTTI_RECORD_GROUP)
    read_build(fields, &record->build);
  else if (record->kind == TUTTI_RECORD_PARAMETER)
    read_parameter(fields, &record->parameter);
  else if (record->kind == TUTTI_RECORD_RESULT)
    read_result(fields, &record->result);
  else if (record->kind == TUTTI_RECORD_END)
    record->measurements = tutti_record_fields_number(fields, "measurements", 0, UINT64_MAX);
  else {
    read_method(fields, &record->measurement);
    read_sizes(fields, &record->measurement);
    read_times(fields, &record->measurement);
    read_patterns(fields, &record->measurement);
  }
}

tutti_status tutti_record_parse(const char *line, tutti_record *record, tutti_error *error)
{
  memset(record, 0, sizeof *record);
  record->kind = kind_of(line, &record->result.kind);
  if (record->kind == TUTTI_RECORD_NONE)
    return TUTTI_OK;
  const struct record_layout layout = layout_of(record->kind, record->result.kind);
  struct record_fields fields = {.layout = &layout, .status = TUTTI_OK, .error = error};
  tutti_record_fields_take(&fields, line + strlen(fields.layout->keyword));
  if (fields.status == TUTTI_OK)
    read_members(&fields, record);
  if (fields.status != TUTTI_OK)
    memset(record, 0, sizeof *record);
  return fields.status;
}
