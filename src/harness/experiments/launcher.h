/* The launcher of a flavor: smpirun or mpiexec, found once, and how it starts the measuring program. */
#ifndef TUTTI_EXPERIMENTS_LAUNCHER_H
#define TUTTI_EXPERIMENTS_LAUNCHER_H

#include "base/process.h"
#include "base/vector.h"
#include "harness/experiments/work.h"
#include "tutti/library.h"
#include "tutti/platform.h"

#define LAUNCHER_LIBRARY_LENGTH 64
#define LAUNCHER_SELECTOR       "--cfg=smpi/coll-selector:" /* of smpirun: whose collectives */

/* The style of arguments of the launcher of a real machine. */
enum launcher_kind { LAUNCHER_MPICH, LAUNCHER_OPENMPI, LAUNCHER_SRUN };

struct launcher {
  char *flavor;
  enum launcher_kind kind; /* on a real machine, as the next two */
  char **extra;            /* arguments of the user's, NULL at the end; NULL: none */
  bool placed;             /* the ranks are placed by a hostfile or a queue: there are no more than there are slots */
  bool hosts;              /* by a hostfile, that is */
  bool oversubscribe;      /* more ranks than cores are asked for */
  char *command;           /* path of smpirun or mpiexec */
  char *program;           /* tutti-bench or tutti-group, as given to the launcher */
  char *platform;          /* as given to smpirun; NULL on a real machine */
  tutti_platform_options options;        /* that it needs with this SimGrid */
  char library[LAUNCHER_LIBRARY_LENGTH]; /* "SimGrid-3.32"; "" where only a run shows it */
  bool simulated;
  bool eager;   /* the platform says which messages are eager */
  bool fast;    /* by Tutti's own engine, which is the program: there is no command */
  bool preload; /* jemalloc is there to be preloaded */
  bool queued;  /* one message at a time on every link: cheaper to simulate than sharing them fairly,
                   but then messages do not meet */
};

/* One start. */
struct launch {
  int ranks;
  unsigned chunk;
  bool native;                            /* the library's own collectives */
  const char *selector;                   /* of SMPI's algorithms for them; NULL: as the platform says */
  const tutti_directives *directives;     /* of the library for them; NULL: none */
  const struct tutti_variable *variables; /* more of the environment, a name NULL behind the last; NULL: none */
};

/* What is preloaded where there are many ranks. */
#define LAUNCHER_PRELOAD "libjemalloc.so.2"

/* From so many ranks on, stacks are made small and jemalloc is preloaded: glibc's calloc() touches every stack. */
enum { LAUNCHER_MANY_RANKS = 4096 };

/*
 * Find the launcher and check the program, which is what @p name says (tutti-bench, tutti-group), and, in simulation,
 * the file of the platform, whose paths are made absolute. TUTTI_ERR_LAUNCH says what is missing and how to get it.
 */
tutti_status tutti_launcher_open(const char *flavor, const char *name, const char *program,
                                 const tutti_platform *platform, struct launcher *launcher, tutti_error *error);

/* Why there is not even a folder for the measuring programs of a flavor, and how to get them: a sentence, owned by the
 * caller; NULL if there is one. */
char *tutti_launcher_left_out(const char *flavor, const char *program);

/* The path of smpirun, owned by the caller; NULL if there is none, and @p error says how to get it. */
char *tutti_launcher_smpirun(tutti_error *error);

/* Options that the platform needs with the SimGrid of this smpirun. Warns on standard error of an overhead that SimGrid
 * will leave out. */
tutti_status tutti_launcher_platform_options(const char *smpirun, const tutti_platform *platform,
                                             tutti_platform_options *options, tutti_error *error);

/* What stores and baselines call the SimGrid of this smpirun: "SimGrid-3.32". */
tutti_status tutti_launcher_library(const char *smpirun, char library[LAUNCHER_LIBRARY_LENGTH], tutti_error *error);

/* Is it Slurm's srun, by its name or path? */
bool tutti_launcher_is_srun(const char *command);

/* On a real machine: start ranks with this command ("mpirun", "srun", or a path; NULL: as found by
 * tutti_launcher_open()), and with these arguments of the user's, which are split at blanks (NULL: none).
 * TUTTI_ERR_LAUNCH if there is no such command. */
tutti_status tutti_launcher_choose(struct launcher *launcher, const char *command, const char *arguments,
                                   tutti_error *error);

/* Cores that ranks on a real machine can have: those of the allocation of Slurm that this process is part of, else
 * those that its affinity mask allows on this machine. 0: those of places that are not known here, of a hostfile or of
 * jobs that are going to be queued, which have a slot for each rank. */
int tutti_launcher_cores(const struct launcher *launcher);

/* For tutti_launcher_cores(): the processors of an allocation, as SLURM_JOB_CPUS_PER_NODE has them, "4(x2),3"; 0 if it
 * is no such text. */
int tutti_launcher_count_allocated(const char *text);

/* TUTTI_ERR_ARGUMENT if these are more ranks than cores, and launcher->oversubscribe does not ask for that; @p what is
 * measured. */
tutti_status tutti_launcher_check_ranks(const struct launcher *launcher, int ranks, const char *what,
                                        tutti_error *error);

/* Warn on standard error if ranks are going to run on this machine and it has more to do than it has processors, or if
 * the library is going to pass over a rules file that is not there. */
void tutti_launcher_warn(const struct launcher *launcher);

/* Give names without blanks or globs to program and platform, by links in the work directory: smpirun needs them. */
tutti_status tutti_launcher_link(struct launcher *launcher, const struct work *work, tutti_error *error);

/* Remove these links. */
void tutti_launcher_unlink(const struct work *work);

void tutti_launcher_close(struct launcher *launcher);

/* The arguments, NULL at the end, in one block owned by the caller. */
char **tutti_launcher_arguments(const struct launcher *launcher, const struct launch *launch);

/* Its own, those of methods, and 8 more of the launch. */
enum { LAUNCH_VARIABLES = 3 + TUTTI_MAX_DIRECTIVES + 8 };

/* What a launch needs in its environment, at most LAUNCH_VARIABLES; name NULL at the end. @p preload has room for a
 * value (LAUNCH_PRELOAD_LENGTH). */
#define LAUNCH_PRELOAD_LENGTH 4096
void tutti_launcher_environment(const struct launcher *launcher, const struct launch *launch, char *preload,
                                struct tutti_variable variables[LAUNCH_VARIABLES + 1]);

/* May this path be given to smpirun, which splits its arguments at blanks and expands globs in them? */
bool tutti_launcher_is_plain(const char *path);

/* Can this platform, which names files beside it, be given to smpirun by its path? A link to it has nothing beside it.
 */
tutti_status tutti_launcher_check_beside(const char *platform, tutti_error *error);

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
 * Run @p program (tutti-pingpong of the SMPI flavor) under smpirun between the first host of @p platform and each of
 * @p count partners, for so many seconds at most; fills in probes[count].
 * TUTTI_ERR_LAUNCH, with what smpirun said, unless all records arrived, the closing one included; TUTTI_ERR_IO.
 */
tutti_status tutti_platform_probe_run(const tutti_platform *platform, const tutti_platform_partner *partners, int count,
                                      const char *program, int seconds, platform_probe *probes, tutti_error *error);

/* Read what tutti-pingpong printed. TUTTI_ERR_LAUNCH if records are missing. For tutti_platform_probe_run() and its
 * test. */
tutti_status tutti_platform_probe_parse(char *output, platform_probe *probes, int count, tutti_error *error);

#endif
