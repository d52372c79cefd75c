/* Several jobs on one machine at the same time: each a method on ranks of its own, called one or more times in a row.
   docs/reference/jobs-files.md describes the file that lists them. */
#ifndef TUTTI_ENGINE_JOBS_H
#define TUTTI_ENGINE_JOBS_H

#include <stdio.h>

#include "base/vector.h"
#include "harness/engine/riders/start.h"
#include "tutti/algorithm.h"

/* Which of the free places, which are ranks in the order of the hosts, the ranks of a job take. */
enum job_placement {
  JOB_PACKED,      /* the first ones */
  JOB_ROUND_ROBIN, /* one in turn with all other jobs that are placed so */
  JOB_RANDOM,      /* drawn */
  JOB_PLACEMENTS
};

/* "packed", "round-robin", "random", "random/seed=7" */
struct job_place {
  enum job_placement kind;
  uint64_t seed; /* of JOB_RANDOM */
};

enum { JOB_NAME_LENGTH = 64, JOB_PLACE_LENGTH = 40 };

struct engine_job {
  char name[JOB_NAME_LENGTH];
  int line; /* in the file; 0: in none */
  struct job_place place;
  tutti_method method;
  uint64_t bytes; /* of the message, or of one rank's block */
  uint32_t size, repeat;
  uint32_t *members; /* [size] ranks, ascending; owned; NULL: not placed yet */
};

struct engine_jobs {
  TUTTI_VECTOR(struct engine_job);
};

enum { MAX_JOBS = 4096, MAX_JOB_REPEAT = 1000000 };

void tutti_jobs_free(struct engine_jobs *jobs);

/* ---- jobs_file.c ---- */

/* Read a file of jobs. Free in any case. TUTTI_ERR_IO; TUTTI_ERR_ARGUMENT as FILE:LINE. */
tutti_status tutti_jobs_read(const char *path, struct engine_jobs *jobs, tutti_error *error);

/* Write such a file. */
void tutti_jobs_write(const struct engine_jobs *jobs, FILE *stream);

/* @p count groups of @p size ranks, which call the method once. */
void tutti_jobs_of_groups(int count, int size, const tutti_method *method, uint64_t bytes, struct engine_jobs *jobs);

/* TUTTI_ERR_ARGUMENT */
tutti_status tutti_job_place_parse(const char *text, struct job_place *place, tutti_error *error);

/* Returns @p text, which has JOB_PLACE_LENGTH bytes. */
char *tutti_job_place_format(struct job_place place, char *text);

/* The call of a job, but for the rank; @p method receives what is called. */
tutti_call tutti_job_call(const struct engine_job *job);

/* ---- jobs_places.c ---- */

/* Ranks of all jobs. */
uint64_t tutti_jobs_ranks(const struct engine_jobs *jobs);

/* Place all jobs on ranks 0 .. @p ranks - 1: the packed ones first, then the random ones, each in the order of the
   list, then all round-robin ones. TUTTI_ERR_ARGUMENT if they are more. */
tutti_status tutti_jobs_place(struct engine_jobs *jobs, uint32_t ranks, tutti_error *error);

/* ---- jobs.c ---- */

#define JOBS_ALL SIZE_MAX

/*
 * Run the jobs, which are placed, on a machine of @p ranks ranks, or, for comparison, job @p only alone in its place.
 * All ranks start together, as those of tutti-bench do; a rank calls again as soon as its call is over, and the ranks
 * of a job that is done are idle. @p seconds [jobs->count] receives of each that runs the time from the start until its
 * last rank is done; a single job on all ranks takes the time of the scheme window. @p start is what simulations of the
 * machine share: in and out.
 * @return TUTTI_ERR_UNSUPPORTED for a method of a library, or a call outside the domain of the method;
 *         TUTTI_ERR_ARGUMENT for more ranks than places; TUTTI_ERR_FAULT for ranks that wait for ever
 */
tutti_status tutti_jobs_simulate(const struct engine_machine *machine, const struct engine_jobs *jobs, uint32_t ranks,
                                 size_t only, struct engine_start *start, double *seconds, tutti_error *error);

/* What tutti_jobs_simulate() refuses of the methods, with the line of the job if it has one. @p path is that of its
   file. With @p native what a library chooses by itself is none of that: tutti-jobs runs it. */
tutti_status tutti_jobs_check(const struct engine_jobs *jobs, const char *path, bool native, tutti_error *error);

/* ---- jobs_file.c: what tutti-jobs, a program of SMPI, prints ---- */

void tutti_jobs_print_time(const struct engine_jobs *jobs, size_t job, double seconds, FILE *stream);
void tutti_jobs_print_end(FILE *stream);

/* The time of each job among what it printed, as from tutti_jobs_simulate(). TUTTI_ERR_LAUNCH if one is missing. */
tutti_status tutti_jobs_read_times(const char *text, const struct engine_jobs *jobs, size_t only, double *seconds,
                                   tutti_error *error);

/* Finds the job and the rank in it of each rank: owned by the caller. ENGINE_NONE: no job. */
struct job_rank {
  uint32_t job, rank;
};
struct job_rank *tutti_jobs_by_rank(const struct engine_jobs *jobs, uint32_t ranks, size_t only);

#endif
