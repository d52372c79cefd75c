/* Where the jobs of a run take place: processes of this machine (backend_local.c), or elements of arrays in the queue
 * of Slurm (backend_slurm.c). The loop (job_loop.c) is the same. */
#ifndef TUTTI_HARNESS_BACKEND_H
#define TUTTI_HARNESS_BACKEND_H

#include <stdbool.h>

#include "tutti/job.h"

struct run;
struct job;

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

#endif
