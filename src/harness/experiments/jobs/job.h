/* A run of an experiment: jobs, each of which measures one chunk by a process of its own, and the path of their records
   into the store. */
#ifndef TUTTI_EXPERIMENTS_JOB_H
#define TUTTI_EXPERIMENTS_JOB_H

#include <signal.h>

#include "decision/results/row.h"
#include "harness/experiments/launch/slurm.h"
#include "tutti/job.h"
#include "tutti/record.h"

/* ---- job_records.c: from the growing records file of a job into the store, a batch a transaction ---- */

/* A batch is stored after this many measurements or this many seconds: a killed tutti reads at most so much again. */
enum { INGEST_BATCH = 500 };
#define INGEST_SECONDS 1.0

/* Measurements of one environment on their way into the store. */
struct record_ingest {
  tutti_store *store;  /* NULL: the rows stay in memory, whatever their number, and all are of one kind */
  int64_t environment; /* of what waits, as the next; 0: it is known when a launch of one rank has seen the node */
  const struct tutti_row_kind *kind; /* NULL: nothing came yet */
  char *rows;                        /* [INGEST_BATCH, or waiting] structs of that kind; owned */
  size_t waiting;                    /* of these */
  size_t stored;
  double flushed; /* seconds, when the last batch went in */
  tutti_run_noise noise;
};

/* Reading the records of one chunk. */
struct reader {
  int file;                            /* the records, opened for reading */
  off_t offset;                        /* of the first byte not taken in: the beginning of a line */
  const struct job_manifest *manifest; /* what the records must agree with */
  const tutti_plan *plan;              /* the points to measure; NULL for records of an earlier run */
  const tutti_chunk *chunk;
  int64_t environment; /* of a job in a queue, once it is known; else 0: that of the batch */
  bool begun;          /* the tutti-run record came */
  bool ended;          /* the tutti-end record came */
  size_t received;
  uint64_t promised; /* measurements according to tutti-end */
  tutti_record run;  /* the tutti-run record */
  tutti_error fault; /* of leftovers: the first line that could not be used */
};

/* An empty batch for the environment on @p manifest, whose row is made if it is missing, unless a launch in the queue
 * will report the environment; NULL with @p error filled in. */
struct record_ingest *tutti_ingest_create(tutti_store *store, const struct job_manifest *manifest, tutti_error *error);

void tutti_ingest_free(struct record_ingest *ingest); /* NULL: nothing to do */

/* Store what waits. */
tutti_status tutti_ingest_flush(struct record_ingest *ingest, tutti_error *error);

/* Store what waits if it has waited long enough. */
tutti_status tutti_ingest_flush_if_due(struct record_ingest *ingest, tutti_error *error);

/* Take in all lines that are complete. The message names the fault in the records, not the job. */
tutti_status tutti_reader_poll(struct reader *reader, struct record_ingest *ingest, tutti_error *error);

/* Whether all requested measurements arrived (simulated: a first part), and the closing record with their number. */
bool tutti_reader_complete(const struct reader *reader);

/* Take in what an earlier run left in the work directory, except queued jobs, and remove it; *recovered counts
 * measurements. A line on standard error names records and manifests that could not be used: these files stay there. */
tutti_status tutti_work_recover(const struct work *work, tutti_store *store, size_t *recovered, tutti_error *error);

/* ---- job.c, job_fault.c: one chunk being measured ---- */

struct job {
  bool active;
  pid_t process;                /* leader of its process group */
  unsigned number;              /* of its files in the work directory */
  struct job_manifest manifest; /* conditions it measures under */
  struct reader reader;
  tutti_error fault; /* in its records; TUTTI_OK: no fault */
  int wait_status;   /* once it has ended */
  off_t printed;     /* bytes of records when it was heard last */
  double heard;      /* when that was, by tutti_clock(CLOCK_MONOTONIC); 0: not listened to yet */
  double limit;      /* allowed seconds of silence, from the last tutti_job_limit(); 0: no limit */
  double awaited;    /* when waiting for its first record began; 0: it did not */
  size_t slow;       /* 1 + the point reported because it takes long; 0: none yet */
  size_t named;      /* 1 + the point that `name` names; 0: none */
  char name[TUTTI_ERROR_LENGTH];
  off_t told;       /* bytes of its standard error that were shown to the user */
  bool silent;      /* the user was told that it prints nothing */
  double unreached; /* when it last printed after it reported an unreachable host; 0: it reported none */
  char reason[64];  /* why it was ended, if it did not end on its own: "ended as TIMEOUT"; "" otherwise */
  /* Members for a job in a queue: */
  size_t batch;   /* which array, as the backend counts */
  size_t element; /* and which element of it */
  int missed;     /* rounds since it left the queue without a state */
  char where[48]; /* "element 3 of Slurm job 17"; "" otherwise */
};

/* Inputs from which jobs are made. */
struct job_setting {
  const struct work *work;
  const struct launcher *launcher;
  const tutti_platform *platform; /* NULL on a real machine */
  const struct hosts *hosts;      /* NULL: none given */
  const tutti_plan *plan;
  const struct job_manifest *manifest; /* of all jobs, without the ranks */
  struct record_ingest *ingest;
  const char *experiment; /* path, for messages, as the next */
  const char *program;    /* "tutti-bench" */
  bool transient;         /* the work directory goes after the run: no message names a file of it */
  bool *notes;            /* those of measuring programs are to be shown; cleared when they were. NULL: they are not */
  /* In an environment of their own: their records belong to no environment of the store, and a later run does not take
     them in. */
  const struct tutti_variable *variables; /* NULL: in the environment of the manifest */
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

/* True if the process has ended. Then its process group is empty, and *wait_status is as from waitpid(). */
bool tutti_job_reap(struct job *job, int *wait_status);

/* Seconds of silence after which a job is ended, by default. */
#define JOB_SILENCE 3600.0

/* End a job that has printed no record for @p limit seconds, with a note in job->reason. Call it repeatedly. */
void tutti_job_limit(struct job *job, double limit);

/* Wait for the end, which also comes after @p limit seconds without a record; until then print the news of the job on
 * standard error. A signal ends the job and is raised again. Returns the status as from waitpid(). */
int tutti_job_wait(struct job *job, const struct job_setting *setting, double limit);

/* Send a signal to the process group; its leader, the guard, ignores it. */
void tutti_job_signal(const struct job *job, int signal);

/* After the end and a last poll: TUTTI_ERR_LAUNCH with ranks, point and last words if the job did not do all it
 * should. */
tutti_status tutti_job_judge(const struct job *job, const struct job_setting *setting, int wait_status,
                             tutti_error *error);

/* Whether a job failed for lack of memory, while its records were sound. */
bool tutti_job_lacked_memory(const struct job *job, const struct job_setting *setting);

/* A point for messages, without its ranks: "bcast/binomial with 8 B". */
void tutti_job_name_point(const tutti_point *point, char *text, size_t length);

/* Close and remove its files, or all but its standard error. */
enum job_files { JOB_FILES_KEEP, JOB_FILES_KEEP_ERRORS, JOB_FILES_REMOVE };
void tutti_job_close(struct job *job, const struct job_setting *setting, enum job_files files);

/* ---- job_words.c ---- */

/* The line of @p file, the standard error of a job, that explains its end best: a sentence of the measuring program,
 * else why a host was not reached or a rank ended, else an error of MPI or the simulator (of Open MPI all of its first
 * paragraph), else the last line that is not a backtrace. Without colors, and without the prefix of SimGrid. "" without
 * one. Returns @p line. */
char *tutti_job_last_words(int file, char *line, size_t length);

/* The same of all output of a program, if it has a sentence of a program of Tutti, a cause or an error; else false. */
bool tutti_job_find_reason(const char *output, char *line, size_t length);

/* Whether a text says that a host cannot be reached, for which some launchers wait all the same; and whether it says,
   among these, that a host has no address or does not answer. */
bool tutti_job_lacks_host(const char *text); /* of these, that a host has no address, or does not answer */
bool tutti_job_was_unreached(const char *text);

/* Whether the standard error of a job says that it was aborted or stuck. smpirun exits 0 on both. */
bool tutti_job_was_aborted(int file);

/* ---- job.c again ---- */

/* A plan without points. */
tutti_plan tutti_job_nothing(const struct job_manifest *manifest);

/* The library that the measuring program is linked with, and the machine that it sees, by a run of one rank that
 * measures nothing, into @p manifest. For real machines. @p limit as in tutti_job_wait(). */
tutti_status tutti_job_probe(const struct job_setting *setting, unsigned number, double limit,
                             struct job_manifest *manifest, tutti_error *error);

/* ---- job_errors.c: all that a job writes on standard error, 64 KB at most, for the user to read. The first two
 * functions return lines without the last line end, owned by the caller, and NULL if there is nothing that was not
 * returned before. ---- */

/* News of a job whose first record is missing after some seconds. Call it repeatedly. */
char *tutti_job_news(struct job *job, const struct job_setting *setting);

/* The current point of a job, or NULL. Its name, once it takes some seconds; NULL: before, or with an unknown start. */
const tutti_point *tutti_job_point(const struct job *job);
const char *tutti_job_name_slow(struct job *job);

/* The job at the point with the largest cost; NULL: no job is at a point. */
struct job *tutti_job_largest(struct job *jobs, int count);

/* A line about the point that a job has measured for long; once for each point. Call it repeatedly. */
char *tutti_job_slow(struct job *job, const struct job_setting *setting);

/* Output of a job that has ended, unless the message of its failure contains it. */
char *tutti_job_rest(struct job *job, const struct job_setting *setting, const tutti_error *failure);

/* The same on standard error, for one job alone. */
void tutti_job_print_rest(struct job *job, const struct job_setting *setting, const tutti_error *failure);

/* ---- signals: waited for, not handled, so that there is no handler and no global variable ---- */

struct signals {
  sigset_t awaited;
  sigset_t mask; /* to be restored */
  struct sigaction child;
};

/* Block SIGINT, SIGTERM, SIGHUP, each unless ignored, and SIGCHLD. */
void tutti_signals_block(struct signals *signals);

/* Wait for one of them for @p seconds at most; its number, 0 for SIGCHLD and when nothing came. */
int tutti_signals_wait(const struct signals *signals, double seconds);

/* Block them until a child has ended: @p ended is called again and again, with the signal that came before, or 0, and
   true ends the waiting. Returns the first signal, or 0. */
int tutti_signals_wait_for(bool (*ended)(void *child, int signal), void *child);

/* Back to how it was. */
void tutti_signals_restore(const struct signals *signals);

/* ---- run.c: an experiment, its store and its jobs under way ---- */

struct run;

/* Where the jobs of a run take place: processes of this machine (run.c), or elements of arrays in the queue of Slurm
 * (backend_slurm.c). Both use the same loop. */
struct backend {
  bool patient; /* a job that fails does not end the others */

  /* Chunks among which a small plan should be divided. */
  int (*share)(const struct run *run);

  /* After the environment is known and before the plan is made: take over jobs that an earlier run left there. NULL:
   * not supported. */
  tutti_status (*adopt)(struct run *run);

  /* How many jobs may be active at once, now that there is a plan? */
  int (*slots)(const struct run *run);

  /* Start of the plan what can be started; failures go to tutti_run_fail(). */
  void (*start)(struct run *run);

  /* Seconds until it is worth looking again. */
  double (*interval)(const struct run *run);

  /* Before the jobs are looked at. NULL: nothing to do. */
  void (*look)(struct run *run);

  /* Whether an active job has ended. If so, it becomes inactive and its wait_status is set. */
  bool (*ended)(struct run *run, struct job *job);

  /* End active jobs, or leave them: called repeatedly, until none is active. */
  void (*stop)(struct run *run);

  void (*close)(struct run *run); /* NULL: nothing to do */
};

extern const struct backend tutti_backend_slurm, tutti_backend_local;

struct run {
  const tutti_experiment *experiment;
  const tutti_run_options *options;
  tutti_run_summary *summary;
  tutti_error *error; /* the first failure */
  struct signals signals;
  const struct backend *backend;
  tutti_platform platform; /* unless on a real machine */
  struct hosts hosts;      /* of a real machine, if given */
  struct launcher launcher;
  struct work work;
  struct slurm slurm; /* arrays in the queue */
  tutti_store *store;
  bool made;      /* the store was not there before */
  bool abandoned; /* nothing is in it, and nothing will be */
  struct record_ingest *ingest;
  struct job_manifest manifest; /* the environment; ranks are those of a job */
  tutti_plan plan;
  struct job_setting setting;
  bool notes; /* of measuring programs are to be shown */
  int job_count;
  struct job *jobs;
  size_t next;    /* chunk to start */
  double started; /* first job, by tutti_clock(CLOCK_MONOTONIC) */
  double stopped; /* when jobs were asked to end; 0: they were not */
  double cost_measured;
  double starting;  /* seconds that launches took until they began to measure, without the one that does now */
  size_t starts;    /* for this many launches */
  double heard;     /* when the last point arrived, by tutti_clock(CLOCK_MONOTONIC) */
  int interruption; /* a signal that came, or 0 */
  bool late;        /* the time that the run may take is over */
  size_t lacking;   /* points with too little memory (run_memory.c), the first of which are named: */
  size_t lacking_named;
  char lacking_names[240];
};

/* Everything up to the plan, for run->backend. Without run->ingest there is nothing to run. */
tutti_status tutti_run_prepare(struct run *run);

/* Print a note if the store has measurements of the machine and the collectives, but under other conditions. */
void tutti_run_note_conditions(const struct run *run);

/* Print a warning if native methods are to be measured, and the library is not left alone. */
void tutti_run_warn_of_tuning(const struct run *run);

/* End what was prepared, in any case. */
void tutti_run_close(struct run *run);

/* The first failure is the one that is reported. */
void tutti_run_fail(struct run *run, const tutti_error *failure);

/* Whether a signal came or something failed. */
bool tutti_run_must_stop(const struct run *run);

/* How long a job may print nothing, in seconds. */
double tutti_run_silence(const struct run *run, const struct job *job);

/* ---- run_memory.c: points that a launch leaves. The fast engine needs the more memory the more ranks there are, which
   is known when a point fails for it: that does not end the others. ---- */

/* Whether a job failed for lack of memory, at a point of its chunk. */
bool tutti_run_lacks_memory(const struct run *run, const struct job *job);

/* Note that point. */
void tutti_run_note_memory(struct run *run, const struct job *job);

/* The points of the chunk after the one at which a job failed, as the chunk of a new job; NULL: none. */
const tutti_chunk *tutti_run_skip_point(struct run *run, const struct job *job);

/* The same for the points that a successful job left: one launch simulates a limited time (measure/coordinate.h). */
const tutti_chunk *tutti_run_rest(struct run *run, const struct job *job);

/* After all others: an error that names them. */
void tutti_run_fail_for_memory(struct run *run);

#endif
