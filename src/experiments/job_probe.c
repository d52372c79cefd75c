/* Which library does a measuring program use? On a real machine only the program itself knows. */
#include <unistd.h>

#include "experiments/job.h"
#include "experiments/job_signals.h"

#define POLL_SECONDS  0.05
#define GRACE_SECONDS 2.0

int tutti_job_wait(struct job *job)
{
  struct signals signals;
  int wait_status, interruption = 0;
  double killed = 0;
  tutti_signals_block(&signals);
  while (!tutti_job_reap(job, &wait_status)) {
    int number = tutti_signals_wait(&signals, POLL_SECONDS);
    if (number && !interruption) {
      interruption = number;
      killed = tutti_job_clock();
      tutti_job_kill(job, SIGTERM);
    } else if (interruption && tutti_job_clock() - killed > GRACE_SECONDS) {
      tutti_job_kill(job, SIGKILL);
    }
  }
  if (interruption)
    raise(interruption);
  tutti_signals_restore(&signals);
  return wait_status;
}

tutti_status tutti_job_probe(const struct job_setting *setting, unsigned number, struct job_manifest *manifest,
                             tutti_error *error)
{
  const tutti_plan nothing = {
      .measure = {.scheme = manifest->scheme, .warmup = 0, .repetitions_max = 1, .confidence = 1},
      .ranks_per_node = manifest->ranks_per_node};
  const tutti_chunk chunk = {.ranks = 1};
  struct job_setting probing = *setting;
  probing.plan = &nothing;
  struct job job;
  tutti_status status = tutti_job_start(&job, &probing, &chunk, number, error);
  if (status != TUTTI_OK)
    return status;
  int wait_status = tutti_job_wait(&job);
  status = tutti_job_poll(&job, &probing, error);
  if (status == TUTTI_OK || status == TUTTI_ERR_LAUNCH)
    status = tutti_job_judge(&job, &probing, wait_status, error);
  if (status == TUTTI_OK)
    snprintf(manifest->library, sizeof manifest->library, "%s", job.reader.run.library);
  tutti_job_close(&job, &probing, status == TUTTI_OK ? JOB_FILES_REMOVE : JOB_FILES_KEEP_ERRORS);
  return status;
}
