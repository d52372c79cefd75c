/* Files of jobs: docs/reference/jobs-files.md. */
#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/text.h"
#include "base/words.h"
#include "harness/engine/core/matching.h"
#include "harness/engine/riders/jobs.h"

/* ---- placements ---- */

static const char *const placements[JOB_PLACEMENTS] = {"packed", "round-robin", "random"};
static const char seed_word[] = "random/seed=";

tutti_status tutti_job_place_parse(const char *text, struct job_place *place, tutti_error *error)
{
  int kind = 0;
  *place = (struct job_place){JOB_RANDOM, 1};
  if (strncmp(text, seed_word, sizeof seed_word - 1) == 0) {
    if (tutti_parse_integer(text + sizeof seed_word - 1, 0, UINT32_MAX, &place->seed))
      return TUTTI_OK;
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "not a placement: '%.40s': a seed is a whole number", text);
  }
  const tutti_status status = tutti_word_parse(placements, JOB_PLACEMENTS, "placement", text, &kind, error);
  place->kind = (enum job_placement)kind;
  return status;
}

char *tutti_job_place_format(struct job_place place, char *text)
{
  if (place.kind == JOB_RANDOM)
    snprintf(text, JOB_PLACE_LENGTH, "%s%" PRIu64, seed_word, place.seed);
  else
    snprintf(text, JOB_PLACE_LENGTH, "%s", placements[place.kind]);
  return text;
}

/* ---- a job ---- */

tutti_call tutti_job_call(const struct engine_job *job)
{
  return (tutti_call){.size = (int)job->size, .count = job->bytes, .type_size = 1, .commutative = true};
}

void tutti_jobs_free(struct engine_jobs *jobs)
{
  for (size_t j = 0; j < jobs->count; j++)
    free(jobs->items[j].members);
  tutti_vector_free(jobs);
}

void tutti_jobs_of_groups(int count, int size, const tutti_method *method, uint64_t bytes, struct engine_jobs *jobs)
{
  for (int g = 0; g < count; g++) {
    struct engine_job job = {.method = *method, .bytes = bytes, .size = (uint32_t)size, .repeat = 1};
    snprintf(job.name, sizeof job.name, "%d", g);
    tutti_xpush(jobs, job);
  }
}

static tutti_status check_job(const struct engine_job *job, bool native, tutti_error *error)
{
  const tutti_call call = tutti_job_call(job);
  const bool library = tutti_method_is_library(&job->method),
             chooses = tutti_method_is_native(&job->method) && job->method.parameters.k == 0;
  if (library && chooses && !native)
    return tutti_fail(error, TUTTI_ERR_UNSUPPORTED,
                      "the engine runs schedules, not a library; --engine smpi runs 'native'");
  if (library && !chooses)
    return tutti_fail(error, TUTTI_ERR_UNSUPPORTED,
                      "jobs run schedules and what a library chooses by itself, not a method that it is told to run");
  if (job->bytes > SIZE_MAX / 2 / job->size)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "message too large");
  return tutti_method_check(&job->method, &call, error);
}

tutti_status tutti_jobs_check(const struct engine_jobs *jobs, const char *path, bool native, tutti_error *error)
{
  tutti_error reason;
  for (size_t j = 0; j < jobs->count; j++) {
    const struct engine_job *job = &jobs->items[j];
    const tutti_status status = check_job(job, native, &reason);
    if (status != TUTTI_OK && job->line > 0)
      return tutti_fail(error, status, "%s:%d: %s", path, job->line, reason.message);
    if (status != TUTTI_OK)
      return tutti_fail(error, status, "%s", reason.message);
  }
  return TUTTI_OK;
}

/* ---- reading ---- */

enum { NAME, RANKS, PLACEMENT, METHOD, BYTES, REPEAT, WORDS };

static bool is_name(const char *text)
{
  for (const char *c = text; *c; c++)
    if (!isalnum((unsigned char)*c) && !strchr("._-+/", *c))
      return false;
  return strlen(text) < JOB_NAME_LENGTH;
}

static const struct engine_job *named(const struct engine_jobs *jobs, const char *name)
{
  for (size_t j = 0; j < jobs->count; j++)
    if (strcmp(jobs->items[j].name, name) == 0)
      return &jobs->items[j];
  return NULL;
}

static void read_name(struct tutti_lines *lines, const struct engine_jobs *jobs, const char *word,
                      struct engine_job *job)
{
  const struct engine_job *other = named(jobs, word);
  if (!is_name(word))
    tutti_lines_fault(lines, "the name of a job has up to %d letters, digits, '.', '_', '-', '+' and '/'",
                      JOB_NAME_LENGTH - 1);
  else if (other)
    tutti_lines_fault(lines, "'%s' is the name of the job in line %d", word, other->line);
  else
    snprintf(job->name, sizeof job->name, "%s", word);
}

static void read_number(struct tutti_lines *lines, const char *word, const char *what, uint64_t max, uint32_t *number)
{
  uint64_t value = 0;
  if (!tutti_parse_integer(word, 1, max, &value))
    tutti_lines_fault(lines, "'%.40s' is no number of %s, from 1 to %" PRIu64, word, what, max);
  *number = (uint32_t)value;
}

/* The size of a collective without data is 0, whatever the file states. */
static void read_job(struct tutti_lines *lines, struct engine_jobs *jobs, char *const *words)
{
  struct engine_job job = {.line = lines->number, .repeat = 1};
  tutti_error reason;
  if (jobs->count == MAX_JOBS)
    tutti_lines_fault(lines, "more than %d jobs", MAX_JOBS);
  read_name(lines, jobs, words[NAME], &job);
  read_number(lines, words[RANKS], "ranks", MATCHING_RANKS - 1, &job.size);
  if (tutti_job_place_parse(words[PLACEMENT], &job.place, &reason) != TUTTI_OK ||
      tutti_method_parse(words[METHOD], &job.method, &reason) != TUTTI_OK ||
      tutti_size_parse(words[BYTES], &job.bytes, &reason) != TUTTI_OK)
    tutti_lines_fault(lines, "%s", reason.message);
  if (words[REPEAT])
    read_number(lines, words[REPEAT], "repetitions", MAX_JOB_REPEAT, &job.repeat);
  if (lines->status != TUTTI_OK)
    return;
  if (job.method.algorithm->collective == TUTTI_COLL_BARRIER)
    job.bytes = 0;
  tutti_xpush(jobs, job);
}

/* A line without a job is empty, or a comment. */
static void read_line(struct tutti_lines *lines, struct engine_jobs *jobs)
{
  char *words[WORDS + 1] = {NULL}, *rest;
  int count = 0;
  lines->text[strcspn(lines->text, "#")] = '\0';
  for (char *word = strtok_r(lines->text, " \t", &rest); word && count <= WORDS; word = strtok_r(NULL, " \t", &rest))
    words[count++] = word;
  if (count > 0 && (count < REPEAT || count > WORDS))
    tutti_lines_fault(lines, "a job is NAME RANKS PLACEMENT METHOD BYTES [REPEAT], such as "
                             "'fft 16 packed alltoall/bruck 1KB 10'");
  else if (count > 0)
    read_job(lines, jobs, words);
}

tutti_status tutti_jobs_read(const char *path, struct engine_jobs *jobs, tutti_error *error)
{
  struct tutti_lines lines;
  *jobs = (struct engine_jobs){.count = 0};
  tutti_lines_open(&lines, path, TUTTI_INPUT_TEXT, error);
  while (tutti_lines_next(&lines))
    read_line(&lines, jobs);
  const tutti_status status = tutti_lines_close(&lines);
  if (status == TUTTI_OK && jobs->count == 0)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "%s: has no jobs", path);
  return status;
}

void tutti_jobs_write(const struct engine_jobs *jobs, FILE *stream)
{
  char method[TUTTI_METHOD_LENGTH], place[JOB_PLACE_LENGTH];
  for (size_t j = 0; j < jobs->count; j++) {
    const struct engine_job *job = &jobs->items[j];
    fprintf(stream, "%s %" PRIu32 " %s %s %" PRIu64 " %" PRIu32 "\n", job->name, job->size,
            tutti_job_place_format(job->place, place), tutti_method_format(&job->method, method), job->bytes,
            job->repeat);
  }
}

/* ---- times ---- */

#define TIME_LINE "tutti-job v=1 job="
#define END_LINE  "tutti-jobs-end v=1"

void tutti_jobs_print_time(const struct engine_jobs *jobs, size_t job, double seconds, FILE *stream)
{
  fprintf(stream, TIME_LINE "%zu name=%s seconds=%.17g\n", job, jobs->items[job].name, seconds);
}

void tutti_jobs_print_end(FILE *stream)
{
  fputs(END_LINE "\n", stream);
}

tutti_status tutti_jobs_read_times(const char *text, const struct engine_jobs *jobs, size_t only, double *seconds,
                                   tutti_error *error)
{
  size_t found = 0, job;
  double time;
  for (const char *line = text; line; line = strchr(line, '\n')) {
    line += *line == '\n';
    if (sscanf(line, TIME_LINE "%zu name=%*s seconds=%lf", &job, &time) == 2 && job < jobs->count) {
      seconds[job] = time;
      found++;
    }
    if (strncmp(line, END_LINE, sizeof END_LINE - 1) == 0 && found == (only == JOBS_ALL ? jobs->count : 1))
      return TUTTI_OK;
  }
  return tutti_fail(error, TUTTI_ERR_LAUNCH, "the simulation printed no times: %.200s", text);
}
