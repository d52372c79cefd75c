/*
 * The work directory DATABASE.work: files of chunks under way, locked against a second run on the same store.
 *
 * A chunk with number N has the files N.card (its manifest: the conditions of its measurement), N.points, N.hosts,
 * N.records (standard output of its job) and N.err (standard error). The manifest is complete before the records are
 * begun and outlives them, so the next run can take in the records of a killed one. While N.queued is there the chunk
 * belongs to the queue of a cluster (slurm.h), which leaves the exit status of its job in N.status.
 */
#ifndef TUTTI_EXPERIMENTS_WORK_H
#define TUTTI_EXPERIMENTS_WORK_H

#include <stdbool.h>
#include <stdio.h>

#include "base/machine.h"
#include "base/text.h"
#include "harness/experiments/settings/settings.h"
#include "tutti/record.h"
#include "tutti/store.h"

struct work {
  char *path;
  int directory; /* descriptor; -1 when closed */
  int lock;      /* descriptor of the lock file; -1 when closed */
  unsigned next; /* number of the next chunk, above all that are there */
};

#define WORK_NAME_LENGTH  32
#define WORK_FIELD_LENGTH 160

/* Under what a chunk is measured. Empty library: not known yet. */
struct job_manifest {
  char platform[WORK_FIELD_LENGTH];
  char platform_hash[TUTTI_HASH_LENGTH];
  char flavor[WORK_FIELD_LENGTH];
  char library[WORK_FIELD_LENGTH];
  char tutti[WORK_FIELD_LENGTH];
  tutti_scheme scheme;
  int ranks;
  int ranks_per_node; /* 0: as the launcher places them */
  /* On a real machine, else empty and 0: the rest of the environment. @{ */
  char settings[TUTTI_SETTINGS_LENGTH];
  char hosts[TUTTI_DIGEST_LENGTH];
  char build[TUTTI_DIGEST_LENGTH];
  char cpu[TUTTI_MACHINE_WORD];
  int cores;
  char binding[TUTTI_MACHINE_WORD];
  /* @} */
  int probed; /* 1: of a job in a queue, whose records begin with those of a launch of one rank on its node, which
                 provides what is missing here: build, cpu, cores, binding */
};

/* Make if missing, and lock. A directory that is a link, of another user, or that others can write is refused.
 * @p parent: where, if not beside the database. TUTTI_ERR_IO names the process that holds the lock. */
tutti_status tutti_work_open(const char *database, const char *parent, struct work *work, tutti_error *error);

/* Unlock; remove the directory if nothing is left in it. A work directory that was not opened is allowed if its
 * descriptors are -1. */
void tutti_work_close(struct work *work);

/* Make the folder NAME in the work directory of a database, and that, if they are missing; checked as above. */
tutti_status tutti_work_make_folder(const char *database, const char *name, tutti_error *error);

/* Name of a file of a chunk, relative to the directory: WORK_NAME_LENGTH bytes; returns @p name. */
char *tutti_work_name(unsigned number, const char *suffix, char *name);

/* Open a file of a chunk; flags as for open(2), but links are not followed, and O_TRUNC makes a new file in place of
 * the old one. -1 with @p error filled in. */
int tutti_work_file(const struct work *work, unsigned number, const char *suffix, int flags, tutti_error *error);

/* Open a file of a chunk as a stream for writing from the start. NULL with @p error filled in. */
FILE *tutti_work_create(const struct work *work, unsigned number, const char *suffix, tutti_error *error);

/* Close a stream that was written; TUTTI_ERR_IO if anything was lost. */
tutti_status tutti_work_finish(const struct work *work, FILE *stream, tutti_error *error);

/* Give a file of a chunk another name, replacing what has it. */
tutti_status tutti_work_rename(const struct work *work, unsigned number, const char *from, const char *to,
                               tutti_error *error);

/* Begin to read the lines of a file of a chunk; tutti_lines_close() after success. */
tutti_status tutti_work_lines(const struct work *work, unsigned number, const char *suffix, struct tutti_lines *lines,
                              tutti_error *error);

/* Remove all files of a chunk, the manifest last. */
void tutti_work_remove(const struct work *work, unsigned number);

/* Whether the file of a chunk with this suffix exists. */
bool tutti_work_has(const struct work *work, unsigned number, const char *suffix);

/* Numbers with a file of this suffix ("card"), ascending; an array owned by the caller. */
tutti_status tutti_work_list(const struct work *work, const char *suffix, unsigned **numbers, size_t *count,
                             tutti_error *error);

/* Write the manifest of a chunk: all of it or nothing. */
tutti_status tutti_manifest_write(const struct work *work, unsigned number, const struct job_manifest *manifest,
                                  tutti_error *error);

/* Read the manifest of a chunk. */
tutti_status tutti_manifest_read(const struct work *work, unsigned number, struct job_manifest *manifest,
                                 tutti_error *error);

/* Take over what a launch of one rank saw: the library, its build, and the machine. */
void tutti_manifest_learn(struct job_manifest *manifest, const tutti_record *run);

/* The environment of a manifest; valid as long as it. */
tutti_environment tutti_manifest_environment(const struct job_manifest *manifest);

/* Whether a job with this manifest can turn out to measure in that environment, as far as is known before it runs. */
bool tutti_manifest_allows(const struct job_manifest *manifest, const tutti_environment *environment);

#endif
