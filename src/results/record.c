/* Records, printing: one line each, NAME=VALUE fields without blanks. Linked into the measuring programs, whose ranks
 * have small stacks; the lines are read in record_parse.c. */
#include "tutti/record.h"

#include <ctype.h>
#include <inttypes.h>

#include "results/record_fields.h"
#include "tutti/pattern.h"

/* A word as a value: blanks would end it, and an empty one would be refused. */
static void print_word(FILE *stream, const char *name, const char *word)
{
  fprintf(stream, " %s=", name);
  if (!*word)
    fputc('-', stream);
  for (; *word; word++)
    fputc(isspace((unsigned char)*word) || iscntrl((unsigned char)*word) ? '-' : *word, stream);
}

static void print_run(FILE *stream, const tutti_record *record)
{
  print_word(stream, "tutti", record->tutti);
  print_word(stream, "flavor", record->flavor);
  print_word(stream, "library", record->library);
  fprintf(stream, " ranks=%d ranks_per_node=%d\n", record->ranks, record->ranks_per_node);
}

static void print_measurement(FILE *stream, const tutti_measurement *measurement)
{
  char method[TUTTI_METHOD_LENGTH];
  const char *scheme = tutti_scheme_name(measurement->scheme);
  fprintf(stream, " method=%s scheme=%s ranks=%d root=%d count=%" PRIu64 " type_B=%" PRIu64 " repetitions=%d",
          tutti_method_format(&measurement->method, method), scheme ? scheme : "unknown", measurement->ranks,
          measurement->root, measurement->count, measurement->type_size, measurement->repetitions);
  tutti_pattern_write(&measurement->arrival, &measurement->noise, stream);
  fprintf(stream, " minimum_s=%.12g median_s=%.12g mean_s=%.12g maximum_s=%.12g\n", measurement->minimum,
          measurement->median, measurement->mean, measurement->maximum);
}

static void print_point(FILE *stream, const tutti_group_run *build)
{
  const tutti_group_point *point = &build->point;
  char sample[TUTTI_GROUP_SAMPLE_LENGTH];
  bool exact = point->sample.members >= 0;
  tutti_group_sample by_fraction = point->sample;
  by_fraction.members = -1;
  if (exact)
    by_fraction.fraction = (double)point->sample.members / point->sample.size;
  fprintf(stream, " builder=%s ranks=%d %s exact=%d branching=%d seed=%" PRIu64 " colours=%d node_ranks=%d",
          tutti_group_builder_name(point->builder), point->sample.size, tutti_group_sample_format(&by_fraction, sample),
          exact, point->branching, point->sample.seed, point->sample.colors, point->node_ranks);
}

static void print_counts(FILE *stream, const tutti_group_counts *counts)
{
  fprintf(stream, " messages=%" PRIu64, tutti_group_counted_messages(counts));
  for (int i = 0; i < TUTTI_GROUP_FINGERPRINT; i++)
    fprintf(stream, " %s=%" PRIu64, tutti_group_sum_name(i), counts->sums[i]);
  fprintf(stream, " fingerprint=%016" PRIx64, counts->sums[TUTTI_GROUP_FINGERPRINT]);
  for (int i = 0; i < TUTTI_GROUP_MAXIMA; i++)
    fprintf(stream, " %s=%" PRIu64, tutti_group_maximum_name(i), counts->maxima[i]);
  fputc('\n', stream);
}

static void print_group(FILE *stream, const tutti_group_run *build)
{
  print_point(stream, build);
  fprintf(stream, " repetitions=%d minimum_s=%.12g median_s=%.12g mean_s=%.12g maximum_s=%.12g", build->repetitions,
          build->minimum, build->median, build->mean, build->maximum);
  print_counts(stream, &build->counts);
}

static void print_parameter(FILE *stream, const tutti_parameter *parameter)
{
  print_word(stream, "quantity", tutti_quantity_name(parameter->quantity));
  print_word(stream, "of", parameter->of);
  fprintf(stream, " bytes=%" PRIu64 " value=%.12g unit=%s\n", parameter->bytes, parameter->value,
          tutti_quantity_unit(parameter->quantity));
}

static void print_value(FILE *stream, const tutti_field *field, const tutti_value *value)
{
  if (field->type == TUTTI_FIELD_WORD)
    print_word(stream, field->name, value->word);
  else if (field->type == TUTTI_FIELD_WHOLE)
    fprintf(stream, " %s=%" PRIu64, field->name, value->whole);
  else
    fprintf(stream, " %s=%.12g", field->name, field->type == TUTTI_FIELD_REAL ? value->real : value->seconds);
}

static void print_result(FILE *stream, const tutti_result *result)
{
  const tutti_result_layout *layout = tutti_result_layout_of(result->kind);
  fprintf(stream, "%s v=%d", layout->keyword, RECORD_VERSION);
  for (int f = 0; f < layout->field_count; f++)
    print_value(stream, &layout->fields[f], &result->values[f]);
  fputc('\n', stream);
}

void tutti_record_print(FILE *stream, const tutti_record *record)
{
  switch (record->kind) {
  case TUTTI_RECORD_RUN:
    fprintf(stream, "tutti-run v=%d", RECORD_VERSION);
    print_run(stream, record);
    break;
  case TUTTI_RECORD_MEASUREMENT:
    fprintf(stream, "tutti-measurement v=%d", RECORD_VERSION);
    print_measurement(stream, &record->measurement);
    break;
  case TUTTI_RECORD_GROUP:
    fprintf(stream, "tutti-group v=%d", RECORD_VERSION);
    print_group(stream, &record->build);
    break;
  case TUTTI_RECORD_PARAMETER:
    fprintf(stream, "tutti-parameter v=%d", RECORD_VERSION);
    print_parameter(stream, &record->parameter);
    break;
  case TUTTI_RECORD_RESULT:
    print_result(stream, &record->result);
    break;
  case TUTTI_RECORD_END:
    fprintf(stream, "tutti-end v=%d measurements=%" PRIu64 "\n", RECORD_VERSION, record->measurements);
    break;
  case TUTTI_RECORD_NONE:
    break;
  }
}
