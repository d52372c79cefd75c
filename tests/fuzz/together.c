/* Files of jobs that run at the same time: what is read is written and read again as it was, and is placed or too
   large; small jobs end when they are simulated, or are refused. */
#include "harness/engine/riders/jobs.h"
#include "kinds.h"

enum { MAX_RANKS = 64, MAX_BYTES = 1 << 12, MAX_CALLS = 4, MAX_SMALL = 4 };

static bool are_small(const struct engine_jobs *jobs)
{
  bool small = jobs->count <= MAX_SMALL && tutti_jobs_ranks(jobs) <= MAX_RANKS;
  for (size_t j = 0; j < jobs->count && small; j++)
    small = jobs->items[j].bytes <= MAX_BYTES && jobs->items[j].repeat <= MAX_CALLS;
  return small;
}

static void simulate(const fuzz_trial *trial, const struct engine_jobs *jobs)
{
  struct engine_machine machine;
  struct engine_start start = {0};
  double seconds[MAX_SMALL];
  tutti_error error = {0};
  char *path;
  fuzz_good(trial, "the platform", tutti_platform_find("cisco_infiniband", &path, &error), &error);
  fuzz_good(trial, "the machine", tutti_machine_read(path, &machine, &error), &error);
  (void)fuzz_taken(trial, tutti_jobs_simulate(&machine, jobs, MAX_RANKS, JOBS_ALL, &start, seconds, &error), &error,
                   NULL);
  tutti_start_free(&start);
  tutti_machine_free(&machine);
  free(path);
}

/* Owned by the caller. */
static char *write_text(const struct engine_jobs *jobs)
{
  struct tutti_text_stream text;
  tutti_xopen_text(&text);
  tutti_jobs_write(jobs, text.stream);
  return tutti_xclose_text(&text);
}

static void read_again(const fuzz_trial *trial, const struct engine_jobs *jobs)
{
  struct engine_jobs again;
  tutti_error error = {0};
  char *text = write_text(jobs), *path = fuzz_file(trial, "again.txt", text, strlen(text));
  fuzz_good(trial, "what was written", tutti_jobs_read(path, &again, &error), &error);
  char *second = write_text(&again);
  if (strcmp(text, second) != 0)
    fuzz_fail(trial, "read again it is '%.200s', not '%.200s'", second, text);
  tutti_jobs_free(&again);
  free(second);
  free(path);
  free(text);
}

bool fuzz_feed_together(const fuzz_trial *trial)
{
  struct engine_jobs jobs;
  tutti_error error = {0};
  char *path = fuzz_file(trial, "input.txt", trial->text->bytes, trial->text->length);
  const bool taken = fuzz_taken(trial, tutti_jobs_read(path, &jobs, &error), &error, path);
  if (taken)
    read_again(trial, &jobs);
  if (taken && are_small(&jobs)) {
    fuzz_good(trial, "places", tutti_jobs_place(&jobs, MAX_RANKS, &error), &error);
    simulate(trial, &jobs);
  }
  tutti_jobs_free(&jobs);
  free(path);
  return taken;
}
