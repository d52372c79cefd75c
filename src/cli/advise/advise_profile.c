/* The profile of a program: records that the interposer wrote. */
#include <stdlib.h>
#include <string.h>

#include "base/index.h"
#include "base/memory.h"
#include "base/say.h"
#include "base/text.h"
#include "cli/advise/advise.h"
#include "decision/results/rank_file.h"

static struct advise_calls *find(struct advise_profile *profile, const struct advise_calls *key)
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

static tutti_status add_call(struct advise_profile *profile, const tutti_result *result, tutti_error *error)
{
  const tutti_value *values = result->values;
  struct advise_calls key = {.ranks = (int)values[TUTTI_CALL_FIELD_RANKS].integer,
                             .nodes = (int)values[TUTTI_CALL_FIELD_NODES].integer,
                             .size = values[TUTTI_CALL_FIELD_SIZE].integer};
  tutti_status status = tutti_collective_parse(values[TUTTI_CALL_FIELD_COLLECTIVE].string, &key.collective, error);
  if (status != TUTTI_OK)
    return status;
  memcpy(key.method, values[TUTTI_CALL_FIELD_METHOD].string, sizeof key.method);
  struct advise_calls *calls = find(profile, &key);
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
  calls->between += values[TUTTI_CALL_FIELD_BETWEEN].seconds;
  return TUTTI_OK;
}

static void set_program(struct advise_profile *profile, const tutti_result *result)
{
  const tutti_value *values = result->values;
  memcpy(profile->program, values[TUTTI_PROGRAM_FIELD_PROGRAM].string, sizeof profile->program);
  profile->ranks = (int)values[TUTTI_PROGRAM_FIELD_RANKS].integer;
  profile->elapsed = values[TUTTI_PROGRAM_FIELD_ELAPSED].seconds;
  profile->collectives = values[TUTTI_PROGRAM_FIELD_COLLECTIVES].seconds;
  profile->calls = values[TUTTI_PROGRAM_FIELD_CALLS].integer;
  profile->left_out = values[TUTTI_PROGRAM_FIELD_LEFT_OUT].integer;
}

static void set_run(struct advise_profile *profile, const tutti_record *run)
{
  memcpy(profile->flavor, run->flavor, sizeof profile->flavor);
  memcpy(profile->library, run->library, sizeof profile->library);
  profile->ranks_per_node = run->ranks_per_node;
  profile->cores = run->cores;
}

/* *rows counts the results; UINT64_MAX after a record of the end that agrees. */
static tutti_status read_line(struct advise_profile *profile, const char *line, uint64_t *rows, tutti_error *error)
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

static int by_total(const void *left, const void *right)
{
  const struct advise_calls *a = left, *b = right;
  if (a->total != b->total)
    return (a->total < b->total) - (a->total > b->total);
  if (a->collective != b->collective)
    return (int)a->collective - (int)b->collective;
  return (a->size > b->size) - (a->size < b->size);
}

/* Open FILE, or, if the program was cut, the records of what its ranks left; the user is told of that. */
static void open_profile(const char *path, struct tutti_lines *lines, tutti_error *error)
{
  char *cut = tutti_rank_files_are_left(path, "profile") ? tutti_rank_files_describe(path, "profile", error) : NULL;
  if (cut)
    tutti_say(stderr, "tutti: warning: %s: %s\n", path, cut);
  if (cut)
    (void)tutti_lines_open_stream(lines, tutti_rank_files_profile(path, error), path, error);
  else
    (void)tutti_lines_open(lines, path, TUTTI_INPUT_RECORDS, error);
  free(cut);
}

tutti_status advise_profile_read(const char *path, struct advise_profile *profile, tutti_error *error)
{
  struct tutti_lines lines;
  uint64_t rows = 0;
  *profile = (struct advise_profile){.ranks = 0};
  open_profile(path, &lines, error);
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
  tutti_vector_sort(&profile->items, by_total);
  return status;
}

void advise_profile_free(struct advise_profile *profile)
{
  tutti_vector_free(&profile->items);
}
