/* A run: an experiment, its store and its jobs under way. */
#ifndef TUTTI_EXPERIMENTS_JOB_RUN_H
#define TUTTI_EXPERIMENTS_JOB_RUN_H

#include "experiments/job.h"
#include "experiments/slurm.h"

struct run;

/* Where the jobs of a run take place: processes of this machine (backend_local.c), or elements of arrays in the queue
 * of Slurm (backend_slurm.c). The loop is the same. */
struct backend {
  bool patient; /* a job that fails does not end the others */

  /* Chunks among which a small plan should be divided. */
  int (*share)(const struct run *run);

  /* After the environment is known and before there is a plan: make jobs that an earlier run left there those of this
   * one. NULL: there are none. */
  tutti_status (*adopt)(struct run *run);

  /* How many jobs may be active at once, now that there is a plan? */
  int (*slots)(const struct run *run);

  /* Start of the plan what can be started; failures go to tutti_run_fail(). */
  void (*start)(struct run *run);

  /* Seconds until it is worth looking again. */
  double (*interval)(const struct run *run);

  /* Before the jobs are looked at. NULL: nothing to do. */
  void (*look)(struct run *run);

  /* Has an active job ended? If so, it is not active any more and its wait_status is set. */
  bool (*ended)(struct run *run, struct job *job);

  /* End what is active, or leave it: called again and again, until nothing is active. */
  void (*stop)(struct run *run);

  void (*close)(struct run *run); /* NULL: nothing to do */
};

extern const struct backend tutti_backend_local, tutti_backend_slurm;

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
  struct record_ingest *ingest;
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

/* All that the store has of the collectives, groups or results of an experiment, as selected (whose collective is set).
   Free with tutti_present_free() in any case. */
tutti_status tutti_present_read(tutti_store *store, const tutti_experiment *experiment, tutti_selection *selection,
                                tutti_present *present, tutti_error *error);
void tutti_present_free(tutti_present *present);

/* Say in job->where which element of which array it is. */
void tutti_job_place(struct job *job, const struct slurm *slurm);

/* Those of the queue, if they measure in the environment of the run; their points are run->slurm.pending. */
tutti_status tutti_slurm_adopt(struct run *run);

/* The first failure is the one that is reported. */
void tutti_run_fail(struct run *run, const tutti_error *failure);

/* Did a signal come, or something fail? */
bool tutti_run_must_stop(const struct run *run);

#endif
