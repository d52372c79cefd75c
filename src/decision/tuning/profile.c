#include "decision/tuning/tuning.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/index.h"
#include "base/memory.h"
#include "base/numbers.h"
#include "base/text.h"
#include "decision/results/rank_file.h"

static struct profile_calls *find_calls(struct program_profile *profile, const struct profile_calls *key)
{
  char *name = tutti_xprintf("%d %d %d %llu %s", (int)key->collective, key->ranks, key->nodes,
                             (unsigned long long)key->size, key->method);
  size_t *number = tutti_index_number(&profile->index, name);
  free(name);
  if (*number == 0) {
    tutti_xpush(&profile->items, *key);
    *number = profile->items.count;
  }
  return &profile->items.items[*number - 1];
}

/* A word has '_' for blanks: "neighborhood_of_8,_alltoall/..." is what ran under the name of a form. */
static void read_method(const char *word, char method[TUTTI_RESULT_WORD])
{
  static const char of[] = "neighborhood_of_";
  snprintf(method, TUTTI_RESULT_WORD, "%s", word);
  for (char *comma = method; (comma = strstr(comma, ",_")); comma++)
    comma[1] = ' ';
  for (size_t i = 0; i + 1 < sizeof of && strncmp(word, of, sizeof of - 1) == 0; i++)
    method[i] = of[i] == '_' ? ' ' : of[i];
}

static tutti_status add_call(struct program_profile *profile, const tutti_result *result, tutti_error *error)
{
  const tutti_value *values = result->values;
  struct profile_calls key = {.ranks = (int)values[TUTTI_CALL_FIELD_RANKS].integer,
                              .nodes = (int)values[TUTTI_CALL_FIELD_NODES].integer,
                              .size = values[TUTTI_CALL_FIELD_SIZE].integer};
  tutti_status status = tutti_collective_parse(values[TUTTI_CALL_FIELD_COLLECTIVE].string, &key.collective, error);
  if (status != TUTTI_OK)
    return status;
  read_method(values[TUTTI_CALL_FIELD_METHOD].string, key.method);
  struct profile_calls *calls = find_calls(profile, &key);
  const double total = values[TUTTI_CALL_FIELD_TOTAL].seconds;
  if (calls->sites == 0 || total > calls->most) {
    calls->most = total;
    memcpy(calls->site, values[TUTTI_CALL_FIELD_SITE].string, sizeof calls->site);
  }
  calls->sites++;
  calls->calls += values[TUTTI_CALL_FIELD_CALLS].integer;
  calls->samples += values[TUTTI_CALL_FIELD_SAMPLES].integer;
  calls->total += total;
  calls->waiting += values[TUTTI_CALL_FIELD_WAITING].seconds;
  return TUTTI_OK;
}

static void set_program(struct program_profile *profile, const tutti_result *result)
{
  const tutti_value *values = result->values;
  memcpy(profile->program, values[TUTTI_PROGRAM_FIELD_PROGRAM].string, sizeof profile->program);
  profile->ranks = (int)values[TUTTI_PROGRAM_FIELD_RANKS].integer;
  profile->elapsed = values[TUTTI_PROGRAM_FIELD_ELAPSED].seconds;
  profile->collectives = values[TUTTI_PROGRAM_FIELD_COLLECTIVES].seconds;
  profile->calls = values[TUTTI_PROGRAM_FIELD_CALLS].integer;
  profile->left_out = values[TUTTI_PROGRAM_FIELD_LEFT_OUT].integer;
}

static void set_run(struct program_profile *profile, const tutti_record *run)
{
  memcpy(profile->flavor, run->flavor, sizeof profile->flavor);
  memcpy(profile->library, run->library, sizeof profile->library);
  profile->ranks_per_node = run->ranks_per_node;
  profile->cores = run->cores;
}

/* *rows counts the results; UINT64_MAX after a record of the end that agrees. */
static tutti_status read_line(struct program_profile *profile, const char *line, uint64_t *rows, tutti_error *error)
{
  tutti_record record;
  tutti_status status = tutti_record_parse(line, &record, error);
  if (status != TUTTI_OK)
    return status;
  switch (record.kind) {
  case TUTTI_RECORD_RUN:
    set_run(profile, &record);
    return TUTTI_OK;
  case TUTTI_RECORD_END:
    if (record.measurements != *rows)
      return tutti_fail(error, TUTTI_ERR_ARGUMENT, "%llu records before the end, which counts %llu",
                        (unsigned long long)*rows, (unsigned long long)record.measurements);
    *rows = UINT64_MAX;
    return TUTTI_OK;
  case TUTTI_RECORD_RESULT:
    ++*rows;
    if (record.result.kind == TUTTI_RESULT_PROGRAM)
      set_program(profile, &record.result);
    else if (record.result.kind == TUTTI_RESULT_CALL)
      return add_call(profile, &record.result, error);
    return TUTTI_OK;
  default:
    return TUTTI_OK;
  }
}

/* Of all calls. */
static double total_of(const struct program_profile *profile)
{
  double sum = 0;
  for (size_t i = 0; i < profile->items.count; i++)
    sum += profile->items.items[i].total;
  return sum;
}

/* The longest first. */
static int by_total(const void *left, const void *right)
{
  const struct profile_calls *a = left, *b = right;
  if (a->total != b->total)
    return THREE_WAY(b->total, a->total);
  return a->collective != b->collective ? THREE_WAY(a->collective, b->collective) : THREE_WAY(a->size, b->size);
}

static void open_profile(const char *path, struct tutti_lines *lines, char **cut, tutti_error *error)
{
  *cut = tutti_rank_files_are_left(path, "profile") ? tutti_rank_files_describe(path, "profile", error) : NULL;
  if (*cut)
    (void)tutti_lines_open_stream(lines, tutti_rank_files_profile(path, error), path, error);
  else
    (void)tutti_lines_open(lines, path, TUTTI_INPUT_RECORDS, error);
}

tutti_status tutti_profile_read(const char *path, struct program_profile *profile, tutti_error *error)
{
  struct tutti_lines lines;
  uint64_t rows = 0;
  *profile = (struct program_profile){.ranks = 0};
  open_profile(path, &lines, &profile->cut, error);
  while (tutti_lines_next(&lines)) {
    tutti_error reason;
    if (read_line(profile, lines.text, &rows, &reason) != TUTTI_OK)
      tutti_lines_fault(&lines, "%s", reason.message);
  }
  tutti_index_free(&profile->index);
  tutti_status status = tutti_lines_close(&lines);
  if (status == TUTTI_OK && (profile->ranks == 0 || !*profile->library))
    return tutti_fail(error, TUTTI_ERR_ARGUMENT,
                      "%s: not the profile of a program: no tutti-run and tutti-program in it", path);
  if (status == TUTTI_OK && rows != UINT64_MAX)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "%s: cut short: no tutti-end in it", path);
  if (status == TUTTI_OK && !isfinite(total_of(profile)))
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "%s: its times are too long to be added", path);
  tutti_vector_sort(&profile->items, by_total);
  return status;
}

void tutti_profile_free(struct program_profile *profile)
{
  tutti_vector_free(&profile->items);
  free(profile->cut);
}

bool tutti_calls_are_blocking(const struct profile_calls *calls)
{
  return strcmp(calls->method, "native") == 0 || (strchr(calls->method, '/') && !strchr(calls->method, ','));
}

bool tutti_calls_can_be_judged(const struct profile_calls *calls)
{
  return tutti_calls_are_blocking(calls) && calls->ranks > 1 &&
         !(tutti_collective_traits(calls->collective) & TUTTI_COUNTS_ARE_LOCAL);
}

unsigned tutti_profile_judged(const struct program_profile *profile)
{
  unsigned judged = 0;
  for (size_t i = 0; i < profile->items.count; i++)
    judged |= (unsigned)tutti_calls_can_be_judged(&profile->items.items[i]) << profile->items.items[i].collective;
  return judged;
}
