/*
 * Arrays in the queue of Slurm: files, submission, queries and cancelling.
 *
 * An array with number N (from the same row as chunks) has in the work directory the files N.batch (its job in Slurm
 * and the chunks of each element), N.sh (the script for sbatch) and N.E.log (the output of element E). Each of its
 * chunks has a file C.queued until the chunk has ended and its records are taken in.
 *
 *     tutti-batch v=1
 *     job=17                          (is missing while sbatch is at work)
 *     element=12 14
 *     element=13
 */
#ifndef TUTTI_EXPERIMENTS_SLURM_H
#define TUTTI_EXPERIMENTS_SLURM_H

#include "harness/experiments/launch/launcher.h"

enum slurm_state { SLURM_QUEUED, SLURM_RUNNING, SLURM_OVER };

#define SLURM_WORD_LENGTH 24

struct slurm_element {
  TUTTI_VECTOR(unsigned); /* chunks */
  enum slurm_state state;
  char word[SLURM_WORD_LENGTH]; /* for it, of Slurm's own: "TIMEOUT"; "": it is not in the queue any more */
};

struct slurm_batch {
  unsigned number;
  long job; /* 0: not known */
  TUTTI_VECTOR(struct slurm_element);
};

struct slurm {
  TUTTI_VECTOR(struct slurm_batch);
  struct {
    TUTTI_VECTOR(char *);
  } pending;    /* points in the queue, as in tutti_present; owned */
  double asked; /* when, by tutti_clock(CLOCK_MONOTONIC) */
  bool known;   /* the states are those of that time */
  bool cancelled;
};

void tutti_slurm_free(struct slurm *slurm);

/* An array without elements at the end of the others. */
struct slurm_batch *tutti_slurm_append(struct slurm *slurm, unsigned number);

/* Add a chunk to an element, which is the last one or the next. */
void tutti_slurm_add_chunk(struct slurm_batch *batch, size_t element, unsigned chunk);

/* Write N.batch: all of it or nothing. */
tutti_status tutti_slurm_write(const struct work *work, const struct slurm_batch *batch, tutti_error *error);

/* Read N.batch into an empty batch. */
tutti_status tutti_slurm_read(const struct work *work, unsigned number, struct slurm_batch *batch, tutti_error *error);

/* Remove the files of an array, except those of its chunks. */
void tutti_slurm_remove(const struct work *work, const struct slurm_batch *batch);

/* ---- the queue ---- */

/* Update the state of all elements. An array that has no job yet is searched by its name and work directory.
 * TUTTI_ERR_LAUNCH if Slurm does not answer: nothing is known then. */
tutti_status tutti_slurm_ask(struct slurm *slurm, const struct work *work, tutti_error *error);

/* Parse the output of squeue and sbatch, which is changed: the states of elements, and the job of arrays that have none
 * yet, for the work directory @p directory; the number of a job ("17", or "17;cluster", perhaps after warnings), 0:
 * none. Used by the functions above and below, and by their tests. @{ */
void tutti_slurm_parse_queue(struct slurm *slurm, char *answer, const char *directory);
long tutti_slurm_parse_job(char *answer);
/* @} */

/* Submit N.sh; @p limit elements at once, 0: any number; @p ranks and @p ranks_per_node of an element; @p options of
 * the user's, or NULL. Sets batch->job. */
struct slurm_order {
  int limit, ranks, ranks_per_node;
  const char *options;
};
tutti_status tutti_slurm_submit(struct slurm_batch *batch, const struct work *work, const struct slurm_order *order,
                                tutti_error *error);

/* Cancel an array. */
tutti_status tutti_slurm_cancel(const struct slurm_batch *batch, tutti_error *error);

/* The hosts on which Slurm starts launches by @p command: for "sbatch" those that its @p options (text, or NULL) let it
 * choose from; for others those of the allocation of this process; without an allocation for "srun" as for sbatch, and
 * for others none, because Slurm is not involved. TUTTI_ERR_LAUNCH if Slurm does not answer. */
tutti_status tutti_slurm_hosts(const char *command, const char *options, struct hosts *hosts, tutti_error *error);

/* Parse the output of sinfo, lines "PARTITION HOST", which is changed: the hosts of any partition or only of the
 * default one, marked with a star. Used by the function above and its test. */
void tutti_slurm_parse_nodes(char *answer, bool any_partition, struct hosts *hosts);

/* ---- the script ---- */

/* A chunk in a script. */
struct slurm_task {
  unsigned chunk;
  struct launch launch;
};

/* Write N.sh, which runs the chunks of an element one after the other. @p platform_hash: of the platform file, which
 * must not have changed by then; "" on a real machine. @p tasks: of all chunks of the batch. */
tutti_status tutti_slurm_write_script(const struct work *work, const struct slurm_batch *batch,
                                      const struct launcher *launcher, const char *platform_hash,
                                      const struct slurm_task *tasks, size_t count, tutti_error *error);

/* ---- what an earlier run left ---- */

/* Read all arrays and query their state: ended ones are left to tutti_work_recover(), and *slurm has the others. No
 * query without arrays. Prints a line on standard error for each element that ended badly. */
tutti_status tutti_slurm_review(const struct work *work, struct slurm *slurm, tutti_error *error);

#endif
