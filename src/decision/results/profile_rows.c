/* Rows of a profile: those of a rank, and their combination. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/numbers.h"
#include "decision/results/rank_file.h"

double tutti_profile_estimate_total(const struct profile_seen *row)
{
  const uint64_t timed = row->calls - row->skipped;
  const double mean = row->drawn ? row->drawn_total / (double)row->drawn : timed ? row->total / (double)timed : 0;
  return row->skipped ? (double)row->skipped * mean : 0;
}

double tutti_profile_estimate_between(const struct profile_seen *row)
{
  return row->followed ? row->between / (double)row->followed * (double)(row->calls - row->followed) : 0;
}

void tutti_profile_row(const struct profile_seen *row, const char *program, double scale, tutti_result *result)
{
  *result = (tutti_result){.kind = TUTTI_RESULT_CALL, .ranks_per_node = 1};
  tutti_value *values = result->values;
  tutti_result_set_word(result, TUTTI_CALL_FIELD_PROGRAM, program);
  tutti_result_set_word(result, TUTTI_CALL_FIELD_SITE, row->site);
  tutti_result_set_word(result, TUTTI_CALL_FIELD_COMMUNICATOR, row->communicator);
  tutti_result_set_word(result, TUTTI_CALL_FIELD_COLLECTIVE, row->collective);
  tutti_result_set_word(result, TUTTI_CALL_FIELD_METHOD, row->method);
  tutti_result_set_word(result, TUTTI_CALL_FIELD_TYPE, row->type_name);
  tutti_result_set_word(result, TUTTI_CALL_FIELD_OPERATION, row->operation);
  values[TUTTI_CALL_FIELD_RANKS].integer = (uint64_t)row->ranks;
  values[TUTTI_CALL_FIELD_NODES].integer = (uint64_t)row->nodes;
  values[TUTTI_CALL_FIELD_SIZE].integer = row->size;
  values[TUTTI_CALL_FIELD_TYPE_SIZE].integer = (uint64_t)row->type_size;
  values[TUTTI_CALL_FIELD_ROOT_LEAST].integer = (uint64_t)row->root_least;
  values[TUTTI_CALL_FIELD_ROOT_MOST].integer = (uint64_t)row->root_most;
  values[TUTTI_CALL_FIELD_CALLS].integer = row->calls;
  values[TUTTI_CALL_FIELD_TOTAL].seconds = values[TUTTI_CALL_FIELD_SLOWEST].seconds =
      row->total + scale * tutti_profile_estimate_total(row);
  values[TUTTI_CALL_FIELD_MINIMUM].seconds = row->least;
  values[TUTTI_CALL_FIELD_MAXIMUM].seconds = row->most;
  values[TUTTI_CALL_FIELD_BETWEEN].seconds = row->between + scale * tutti_profile_estimate_between(row);
}

static void add_row(void *sum, const void *row)
{
  static const int sums[] = {TUTTI_CALL_FIELD_TOTAL, TUTTI_CALL_FIELD_BETWEEN};
  tutti_value *to = ((tutti_result *)sum)->values;
  const tutti_value *from = ((const tutti_result *)row)->values;
  to[TUTTI_CALL_FIELD_CALLS].integer += from[TUTTI_CALL_FIELD_CALLS].integer;
  for (size_t i = 0; i < sizeof sums / sizeof *sums; i++)
    to[sums[i]].seconds += from[sums[i]].seconds;
  to[TUTTI_CALL_FIELD_SLOWEST].seconds =
      fmax(to[TUTTI_CALL_FIELD_SLOWEST].seconds, from[TUTTI_CALL_FIELD_SLOWEST].seconds);
  to[TUTTI_CALL_FIELD_MINIMUM].seconds =
      fmin(to[TUTTI_CALL_FIELD_MINIMUM].seconds, from[TUTTI_CALL_FIELD_MINIMUM].seconds);
  to[TUTTI_CALL_FIELD_MAXIMUM].seconds =
      fmax(to[TUTTI_CALL_FIELD_MAXIMUM].seconds, from[TUTTI_CALL_FIELD_MAXIMUM].seconds);
  if (from[TUTTI_CALL_FIELD_ROOT_LEAST].integer < to[TUTTI_CALL_FIELD_ROOT_LEAST].integer)
    to[TUTTI_CALL_FIELD_ROOT_LEAST] = from[TUTTI_CALL_FIELD_ROOT_LEAST];
  if (from[TUTTI_CALL_FIELD_ROOT_MOST].integer > to[TUTTI_CALL_FIELD_ROOT_MOST].integer)
    to[TUTTI_CALL_FIELD_ROOT_MOST] = from[TUTTI_CALL_FIELD_ROOT_MOST];
}

size_t tutti_profile_merge_rows(tutti_result *rows, size_t count)
{
  return tutti_merge(rows, count, sizeof *rows, tutti_compare_results, add_row);
}
