/* A run: an experiment, its store and its jobs under way. */
#ifndef TUTTI_HARNESS_JOB_RUN_H
#define TUTTI_HARNESS_JOB_RUN_H

#include "experiments/backend.h"
#include "experiments/job.h"
#include "experiments/job_signals.h"
#include "experiments/slurm.h"

struct run {
  const tutti_experiment *experiment;
  const tutti_run_options *options;
  tutti_run_summary *summary;
  tutti_error *error; /* the first failure */
  struct signals signals;
  const struct backend *backend;
  tutti_platform platform; /* unless on a real machine */
  struct hosts hosts;      /* of a real machine, if somebody named them */
  struct launcher launcher;
  struct work work;
  struct slurm slurm; /* arrays in the queue */
  tutti_store *store;
  struct intake *intake;
  struct job_manifest manifest; /* the environment; ranks are those of a job */
  tutti_plan plan;
  struct job_setting setting;
  int job_count;
  struct job *jobs;
  size_t next;    /* chunk to start */
  double started; /* first job, by tutti_job_clock() */
  double stopped; /* when jobs were told to end; 0: they were not */
  double cost_measured;
  int interruption; /* a signal that came, or 0 */
};

/* Everything up to the plan. */
tutti_status tutti_run_prepare(struct run *run);

/* All that the store has of the collectives, or the groups, of the experiment in its environment; arrays owned by the
   caller. */
tutti_status tutti_run_read_present(const struct run *run, tutti_present *present);

/* Say in job->where which element of which array it is. */
void tutti_job_place(struct job *job, const struct slurm *slurm);

/* Those of the queue, if they measure in the environment of the run; their points are run->slurm.pending. */
tutti_status tutti_slurm_adopt(struct run *run);

/* The first failure is the one that is told. */
void tutti_run_fail(struct run *run, const tutti_error *failure);

/* Did a signal come, or something fail? */
bool tutti_run_must_stop(const struct run *run);

/* Measure what is planned. */
tutti_status tutti_run_loop(struct run *run);

/* Close all that tutti_run_prepare() opened, as far as it came. */
void tutti_run_close(struct run *run);

#endif
