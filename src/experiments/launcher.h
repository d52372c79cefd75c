/* The launcher of a flavor: smpirun or mpiexec, found once, and how it starts the measuring program. */
#ifndef TUTTI_EXPERIMENTS_LAUNCHER_H
#define TUTTI_EXPERIMENTS_LAUNCHER_H

#include "base/process.h"
#include "base/vector.h"
#include "experiments/work.h"
#include "tutti/platform.h"

#define LAUNCHER_LIBRARY_LENGTH 64

/* The style of arguments of the launcher of a real machine. */
enum launcher_kind { LAUNCHER_MPICH, LAUNCHER_OPENMPI, LAUNCHER_SRUN };

struct launcher {
  char *flavor;
  enum launcher_kind kind; /* on a real machine, as the next two */
  char **extra;            /* arguments of the user's, NULL at the end; NULL: none */
  bool placed;             /* the ranks are placed by a hostfile or a queue: there are no more than there are slots */
  bool hosts;              /* by a hostfile, that is */
  char *command;           /* path of smpirun or mpiexec */
  char *program;           /* tutti-bench or tutti-group, as given to the launcher */
  char *platform;          /* as given to smpirun; NULL on a real machine */
  char library[LAUNCHER_LIBRARY_LENGTH]; /* "SimGrid-3.32"; "" where only a run shows it */
  bool simulated;
  bool preload; /* jemalloc is there to be preloaded */
  bool queued;  /* one message at a time on every link: cheaper to simulate than sharing them fairly */
};

/* One start. */
struct launch {
  int ranks;
  unsigned chunk;
  bool native;          /* the library's own collectives */
  const char *selector; /* of SMPI's algorithms for them; NULL: as the platform says */
};

/* What is preloaded where there are many ranks. */
#define LAUNCHER_PRELOAD "libjemalloc.so.2"

/* From so many ranks on, stacks are made small and jemalloc is preloaded: glibc's calloc() touches every stack. */
enum { LAUNCHER_MANY_RANKS = 4096 };

/*
 * Find the launcher and check the program, which is what @p name says (tutti-bench, tutti-group), and, in simulation,
 * the platform file, whose paths are made absolute. TUTTI_ERR_LAUNCH says what is missing and how to get it.
 */
tutti_status tutti_launcher_open(const char *flavor, const char *name, const char *program, const char *platform,
                                 struct launcher *launcher, tutti_error *error);

/* On a real machine: start ranks with this command ("mpirun", "srun", or a path; NULL: as found by
 * tutti_launcher_open()), and with these arguments of the user's, which are split at blanks (NULL: none).
 * TUTTI_ERR_LAUNCH if there is no such command. */
tutti_status tutti_launcher_choose(struct launcher *launcher, const char *command, const char *arguments,
                                   tutti_error *error);

/* Give names without blanks or globs to program and platform, by links in the work directory: smpirun needs them. */
tutti_status tutti_launcher_link(struct launcher *launcher, const struct work *work, tutti_error *error);

/* Remove these links. */
void tutti_launcher_unlink(const struct work *work);

void tutti_launcher_close(struct launcher *launcher);

/* The arguments, NULL at the end, in one block owned by the caller. */
char **tutti_launcher_arguments(const struct launcher *launcher, const struct launch *launch);

enum { LAUNCH_VARIABLES = 3 };

/* What a job of so many ranks needs in its environment, at most LAUNCH_VARIABLES; name NULL at the end. @p preload has
 * room for a value (LAUNCH_PRELOAD_LENGTH). */
#define LAUNCH_PRELOAD_LENGTH 4096
void tutti_launcher_environment(const struct launcher *launcher, int ranks, char *preload,
                                struct tutti_variable variables[LAUNCH_VARIABLES + 1]);

/* May this path be given to smpirun, which splits its arguments at blanks and expands globs in them? */
bool tutti_launcher_is_plain(const char *path);

/* Start in the work directory, in its own process group, with its output in the file N.records, of which *records is a
 * descriptor, owned by the caller (-1: none), and its errors in N.err. TUTTI_ERR_LAUNCH if it cannot be started. */
tutti_status tutti_launcher_start(const struct launcher *launcher, const struct work *work, const struct launch *launch,
                                  pid_t *process, int *records, tutti_error *error);

struct hosts;

/* Write the file N.hosts of a launch: hosts of the platform, or those of a real machine; both NULL: there is none. */
tutti_status tutti_launcher_write_hosts(const struct launcher *launcher, const struct work *work,
                                        const struct launch *launch, const tutti_platform *platform,
                                        const struct hosts *hosts, tutti_error *error);

/* ---- hosts of a real machine ---- */

struct hosts {
  TUTTI_VECTOR(char *);
  int slots; /* ranks on each of them */
};

/*
 * A line is `NAME`, `NAME:4` (MPICH) or `NAME slots=4` (Open MPI, whose further words are passed over); '#' begins a
 * comment. All hosts have as many slots, 1 unless told, because the ranks per node are part of what a measurement is.
 * TUTTI_ERR_IO, TUTTI_ERR_ARGUMENT with FILE:LINE.
 */
tutti_status tutti_hosts_read(const char *path, struct hosts *hosts, tutti_error *error);

void tutti_hosts_free(struct hosts *hosts);

/* ---- platform_probe.c: what a simulated platform really does between two hosts ---- */

/* The least-squares fit that tutti-pingpong printed. */
typedef struct platform_probe {
  double alpha; /* seconds */
  double beta;  /* seconds per byte */
  int sizes;    /* message sizes measured */
} platform_probe;

/*
 * Run @p program (tutti-pingpong of the SMPI flavor) under smpirun on the first two hosts of @p platform.
 * TUTTI_ERR_LAUNCH, with what smpirun said, unless all records arrived, the closing one included; TUTTI_ERR_IO.
 */
tutti_status tutti_platform_probe_run(const tutti_platform *platform, const char *program, platform_probe *probe,
                                      tutti_error *error);

/* Read what tutti-pingpong printed. TUTTI_ERR_LAUNCH if records are missing. For tutti_platform_probe_run() and its
 * test. */
tutti_status tutti_platform_probe_parse(char *output, platform_probe *probe, tutti_error *error);

#endif
