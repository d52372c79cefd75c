/* A job: one chunk being measured by a process of its own. */
#ifndef TUTTI_EXPERIMENTS_JOB_H
#define TUTTI_EXPERIMENTS_JOB_H

#include <signal.h>

#include "experiments/launcher.h"
#include "experiments/record_ingest.h"

struct job {
  bool active;
  pid_t process;                /* leader of its process group */
  unsigned number;              /* of its files in the work directory */
  struct job_manifest manifest; /* under what it measures */
  struct reader reader;
  tutti_error fault; /* in its records; TUTTI_OK: none */
  int wait_status;   /* once it has ended */
  /* Of a job in a queue: */
  size_t batch;               /* which array, as the backend counts */
  size_t element;             /* and which element of it */
  int missed;                 /* rounds since it left the queue without a word */
  char reason[48], where[48]; /* "ended as TIMEOUT", "element 3 of Slurm job 17"; "" otherwise */
};

/* What jobs are made of. */
struct job_setting {
  const struct work *work;
  const struct launcher *launcher;
  const tutti_platform *platform; /* NULL on a real machine */
  const struct hosts *hosts;      /* NULL where nobody named any */
  const tutti_plan *plan;
  const struct job_manifest *manifest; /* of all jobs, but for the ranks */
  struct record_ingest *ingest;
  const char *experiment; /* path, for messages, as the next */
  const char *program;    /* "tutti-bench" */
};

/* Write the files of a chunk; its records are not there yet. */
tutti_status tutti_job_create(struct job *job, const struct job_setting *setting, const tutti_chunk *chunk,
                              unsigned number, tutti_error *error);

/* The launch of a job that was created. */
struct launch tutti_job_launch(const struct job *job);

/* Write the files of a chunk and start it. */
tutti_status tutti_job_start(struct job *job, const struct job_setting *setting, const tutti_chunk *chunk,
                             unsigned number, tutti_error *error);

/*
 * Take in what arrived. TUTTI_ERR_LAUNCH if the job printed what it should not (it should be killed then);
 * other failures are those of the store.
 */
tutti_status tutti_job_poll(struct job *job, const struct job_setting *setting, tutti_error *error);

/* Has the process ended? If so, nothing of its group is left, and *wait_status is as from waitpid(). */
bool tutti_job_reap(struct job *job, int *wait_status);

/* Wait for the end, which a signal brings about; it is then pending again for whoever waits for it next. Returns the
 * status as from waitpid(). */
int tutti_job_wait(struct job *job);

/* Send a signal to the process group. */
void tutti_job_kill(const struct job *job, int signal);

/* After the end and a last poll: TUTTI_ERR_LAUNCH with ranks, point and last words if the job did not do all it
 * should. */
tutti_status tutti_job_judge(const struct job *job, const struct job_setting *setting, int wait_status,
                             tutti_error *error);

/* Close and remove its files, or all but its standard error. */
enum job_files { JOB_FILES_KEEP, JOB_FILES_KEEP_ERRORS, JOB_FILES_REMOVE };
void tutti_job_close(struct job *job, const struct job_setting *setting, enum job_files files);

/* The line of @p file, the standard error of a job, that says most about its end: a sentence of the measuring program,
 * else a complaint of MPI or the simulator, else the last line. "" if there is none. Returns @p line. */
char *tutti_job_last_words(int file, char *line, size_t length);

/* Does the standard error of a job say that it was aborted or stuck? smpirun exits 0 on both. */
bool tutti_job_was_aborted(int file);

/* The library that the measuring program is linked with, by a run of one rank that measures nothing, into
 * manifest->library. For real machines. */
tutti_status tutti_job_probe(const struct job_setting *setting, unsigned number, struct job_manifest *manifest,
                             tutti_error *error);

/* ---- signals waited for instead of handled, so that no handler and no global is needed ---- */

struct signals {
  sigset_t awaited;
  sigset_t mask; /* to be restored */
  struct sigaction child;
};

/* Block SIGINT, SIGTERM, SIGHUP, each unless ignored, and SIGCHLD. */
void tutti_signals_block(struct signals *signals);

/* Wait for one of them for @p seconds at most; its number, 0 for SIGCHLD and when nothing came. */
int tutti_signals_wait(const struct signals *signals, double seconds);

/* Back to how it was. */
void tutti_signals_restore(const struct signals *signals);

#endif
