/* Records, printing: one line each, NAME=VALUE fields without blanks. Linked into the measuring programs, whose ranks
 * have small stacks; the lines are read in record_parse.c. */
#include "tutti/record.h"

#include <ctype.h>
#include <inttypes.h>

#include "harness/record_fields.h"

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
  fprintf(stream, " minimum_s=%.12g median_s=%.12g mean_s=%.12g maximum_s=%.12g\n", measurement->minimum,
          measurement->median, measurement->mean, measurement->maximum);
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
  case TUTTI_RECORD_END:
    fprintf(stream, "tutti-end v=%d measurements=%" PRIu64 "\n", RECORD_VERSION, record->measurements);
    break;
  case TUTTI_RECORD_NONE:
    break;
  }
}
