#include "experiments/job_run.h"

#include <stdlib.h>
#include <string.h>

void tutti_run_close(struct run *run)
{
  if (run->backend && run->backend->close)
    run->backend->close(run);
  tutti_slurm_free(&run->slurm);
  tutti_hosts_free(&run->hosts);
  tutti_plan_free(&run->plan);
  free(run->jobs);
  free(run->intake);
  if (run->work.lock >= 0 && run->summary->queued == 0)
    tutti_launcher_unlink(&run->work);
  tutti_work_close(&run->work);
  tutti_store_close(run->store);
  tutti_launcher_close(&run->launcher);
  if (run->experiment->platform_path)
    tutti_platform_free(&run->platform);
}

static tutti_status tell_signal(const struct run *run, tutti_error *error)
{
  return tutti_fail(error, TUTTI_ERR_LAUNCH, "%s: ended by %s; what was measured is stored%s", run->experiment->path,
                    strsignal(run->interruption),
                    run->summary->queued > 0 ? ", what is queued goes on, for the same command to take in" : "");
}

tutti_status tutti_experiment_run(const tutti_experiment *experiment, const tutti_run_options *options,
                                  tutti_run_summary *summary, tutti_error *error)
{
  double started = tutti_job_clock();
  tutti_error failure = {0};
  *summary = (tutti_run_summary){0};
  struct run run = {.experiment = experiment,
                    .options = options,
                    .summary = summary,
                    .error = &failure,
                    .work = {.directory = -1, .lock = -1}};
  tutti_signals_block(&run.signals);
  tutti_status status = tutti_run_prepare(&run);
  run.interruption = tutti_signals_wait(&run.signals, 0);
  if (status == TUTTI_OK && !run.interruption)
    status = tutti_run_loop(&run);
  if (run.interruption)
    status = tell_signal(&run, &failure);
  tutti_run_close(&run);
  tutti_signals_restore(&run.signals);
  summary->signal = run.interruption;
  summary->seconds = tutti_job_clock() - started;
  return status == TUTTI_OK ? TUTTI_OK : tutti_fail(error, status, "%s", failure.message);
}
