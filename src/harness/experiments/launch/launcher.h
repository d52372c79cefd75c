/* The launcher of a flavor: smpirun or mpiexec, found once, and how it starts the measuring program. */
#ifndef TUTTI_EXPERIMENTS_LAUNCHER_H
#define TUTTI_EXPERIMENTS_LAUNCHER_H

#include "base/process.h"
#include "base/vector.h"
#include "harness/experiments/launch/installation.h"
#include "harness/experiments/plan/work.h"
#include "tutti/library.h"
#include "tutti/platform.h"

#define LAUNCHER_LIBRARY_LENGTH 64
#define LAUNCHER_SELECTOR       "--cfg=smpi/coll-selector:" /* of smpirun: whose collectives */

/* What SMPI is told where it runs methods of a library, on a platform without eager messages: the simulator's default.
   Libraries buffer small messages, and some of SMPI's copies of their algorithms rely on it (impi's broadcast of 1 B,
   with synchronous sends a deadlock). */
#define LAUNCHER_BUFFERED "--cfg=smpi/send-is-detached-thresh:65536"

/* The style of arguments of the launcher of a real machine. */
enum launcher_kind { LAUNCHER_MPICH, LAUNCHER_OPENMPI, LAUNCHER_SRUN };

struct launcher {
  char *flavor;
  enum launcher_kind kind;                       /* on a real machine, as the next two */
  char **extra;                                  /* the user's arguments, NULL at the end; NULL: none */
  bool placed;                                   /* a hostfile or a queue places the ranks: no more than slots */
  bool hosts;                                    /* by a hostfile, that is */
  bool oversubscribe;                            /* more ranks than cores are asked for */
  char *command;                                 /* path of smpirun or mpiexec */
  const struct tutti_installation *installation; /* whose words are the command; its points come by standard input, as
                                                    a root or a container has other folders; NULL: the command alone */
  char *program;                                 /* tutti-bench or tutti-group, as given to the launcher */
  char *platform;                                /* as given to smpirun; NULL on a real machine */
  tutti_platform_options options;                /* that it needs with this SimGrid */
  char library[LAUNCHER_LIBRARY_LENGTH];         /* "SimGrid-3.32"; "" where only a run shows it */
  bool simulated;
  bool eager;   /* the platform defines eager messages */
  bool fast;    /* Tutti's own engine, which is the program: without a command */
  bool preload; /* jemalloc is there to be preloaded */
  bool queued;  /* one message at a time on every link: cheaper to simulate than sharing them fairly,
                   but then messages do not meet */
};

/* One start. */
struct launch {
  int ranks;
  unsigned chunk;
  bool native;                            /* the library's own collectives */
  const char *selector;                   /* of SMPI's algorithms for them; NULL: as in the platform */
  const tutti_directives *directives;     /* of the library for these methods; NULL: none */
  const struct tutti_variable *variables; /* more of the environment, a name NULL after the last; NULL: none */
};

/* The library preloaded with many ranks. */
#define LAUNCHER_PRELOAD "libjemalloc.so.2"

/* From this many ranks on, stacks are made small and jemalloc is preloaded: glibc's calloc() touches every stack. */
enum { LAUNCHER_MANY_RANKS = 4096 };

/*
 * Find the launcher and check the program @p name (tutti-bench, tutti-group), and, in simulation, the file of the
 * platform, whose paths are made absolute. TUTTI_ERR_LAUNCH names what is missing and how to get it.
 */
tutti_status tutti_launcher_open(const char *flavor, const char *name, const char *program,
                                 const tutti_platform *platform, struct launcher *launcher, tutti_error *error);

/* The same of an installation on a real machine, which must outlive the launcher. @p program: where it names none. */
tutti_status tutti_launcher_open_installed(const struct tutti_installation *installation, const char *name,
                                           const char *program, struct launcher *launcher, tutti_error *error);

/* Why there is not even a folder for the measuring programs of a flavor, and how to get them: a sentence, owned by the
 * caller; NULL if there is one. */
char *tutti_launcher_left_out(const char *flavor, const char *program);

/* That the measuring program @p name is not at the path @p program, because of errno, and how to get it. */
tutti_status tutti_launcher_fail_program(const char *flavor, const char *name, const char *program, tutti_error *error);

/* The path of what starts ranks of a flavor, smpirun or mpiexec, owned by the caller; NULL if it is missing, and
 * @p error says how to get it. */
char *tutti_launcher_find(const char *flavor, tutti_error *error);

/* The library of a real flavor that is installed, as stores call it: "OpenMPI-4.1.4". False: none is, or its launcher
 * does not say its version (installed.c). */
bool tutti_launcher_installed(const char *flavor, char library[LAUNCHER_LIBRARY_LENGTH]);

/* The flavor whose launcher these words are, ended by NULL, and its library, as it answers to --version; NULL: of
   neither. @p variables: of its environment, as in struct tutti_command. */
const char *tutti_launcher_asked(char *const *words, const struct tutti_variable *variables,
                                 char library[LAUNCHER_LIBRARY_LENGTH]);

/* Options that the platform needs with the SimGrid of this smpirun. Warns on standard error of an overhead that SimGrid
 * will leave out. */
tutti_status tutti_launcher_platform_options(const char *smpirun, const tutti_platform *platform,
                                             tutti_platform_options *options, tutti_error *error);

/* The name of the SimGrid of this smpirun in stores and baselines: "SimGrid-3.32". */
tutti_status tutti_launcher_library(const char *smpirun, char library[LAUNCHER_LIBRARY_LENGTH], tutti_error *error);

/* Whether the command is Slurm's srun, by its name or path. */
bool tutti_launcher_is_srun(const char *command);

/* On a real machine: start ranks with this command ("mpirun", "srun", or a path; NULL: as found by
 * tutti_launcher_open()), and with these arguments of the user, which are split at blanks (NULL: none).
 * TUTTI_ERR_LAUNCH if the command does not exist. */
tutti_status tutti_launcher_choose(struct launcher *launcher, const char *command, const char *arguments,
                                   tutti_error *error);

/* Cores that ranks on a real machine can have: those of the allocation of Slurm that this process is part of, else
 * those that its affinity mask allows on this machine. 0: those of places that are not known here, of a hostfile or of
 * jobs that are going to be queued, which have a slot for each rank. */
int tutti_launcher_cores(const struct launcher *launcher);

/* For tutti_launcher_cores(): the processors of an allocation in the form of SLURM_JOB_CPUS_PER_NODE, "4(x2),3"; 0 for
 * any other text. */
int tutti_launcher_count_allocated(const char *text);

/* TUTTI_ERR_ARGUMENT for more ranks than cores, unless launcher->oversubscribe allows it; @p what is measured. */
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

/* Its own, those of methods and of the installation, and 8 more of the launch. */
enum { LAUNCH_VARIABLES = 3 + TUTTI_MAX_DIRECTIVES + INSTALLATION_VARIABLES + 8 };

/* Variables that a launch needs, at most LAUNCH_VARIABLES; name NULL at the end. @p preload has space for a value
 * (LAUNCH_PRELOAD_LENGTH). */
#define LAUNCH_PRELOAD_LENGTH 4096
void tutti_launcher_environment(const struct launcher *launcher, const struct launch *launch, char *preload,
                                struct tutti_variable variables[LAUNCH_VARIABLES + 1]);

/* Whether this path can be given to smpirun, which splits its arguments at blanks and expands globs in them. */
bool tutti_launcher_is_plain(const char *path);

/* Whether this platform, which names files beside it, can be given to smpirun by its path, not by a link elsewhere. */
tutti_status tutti_launcher_check_beside(const char *platform, tutti_error *error);

/* Start in the work directory, in its own process group, with its output in the file N.records (*records receives a
 * descriptor, owned by the caller; -1: none) and its errors in N.err. TUTTI_ERR_LAUNCH if it cannot be started. */
tutti_status tutti_launcher_start(const struct launcher *launcher, const struct work *work, const struct launch *launch,
                                  pid_t *process, int *records, tutti_error *error);

struct hosts;

/* Write the file N.hosts of a launch: hosts of the platform, or those of a real machine; no file if both are NULL. */
tutti_status tutti_launcher_write_hosts(const struct launcher *launcher, const struct work *work,
                                        const struct launch *launch, const tutti_platform *platform,
                                        const struct hosts *hosts, tutti_error *error);

/* ---- hosts of a real machine ---- */

struct hosts {
  TUTTI_VECTOR(char *);
  int slots; /* ranks on each of them */
};

/*
 * A line is `NAME`, `NAME:4` (MPICH) or `NAME slots=4` (Open MPI, whose further words are ignored); '#' begins a
 * comment. All hosts have the same number of slots, 1 by default, because the ranks per node are part of a measurement.
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
 * Run @p program (tutti-pingpong of the SMPI flavor) under smpirun between the first host of @p platform and each of @p
 * count partners, for @p seconds seconds at most; fills in probes[count].
 * @return TUTTI_ERR_LAUNCH, with smpirun's message, unless all records arrived, the closing one included; TUTTI_ERR_IO.
 */
tutti_status tutti_platform_probe_run(const tutti_platform *platform, const tutti_platform_partner *partners, int count,
                                      const char *program, int seconds, platform_probe *probes, tutti_error *error);

/* Read what tutti-pingpong printed. TUTTI_ERR_LAUNCH if records are missing. For tutti_platform_probe_run() and its
 * test. */
tutti_status tutti_platform_probe_parse(char *output, platform_probe *probes, int count, tutti_error *error);

#endif
