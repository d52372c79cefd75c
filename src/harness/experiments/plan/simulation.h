/* Any program that is compiled for SMPI, run once under smpirun. */
#ifndef TUTTI_EXPERIMENTS_SIMULATION_H
#define TUTTI_EXPERIMENTS_SIMULATION_H

#include "tutti/platform.h"

struct simulation {
  const tutti_platform *platform;
  const char *name;      /* in messages */
  const char *program;   /* a path */
  char *const *words;    /* arguments of the program, NULL at the end; NULL: none */
  int ranks;             /* on the hosts of the platform in their order */
  int seconds;           /* the longest time that it may take */
  bool shares_variables; /* ranks share variables: the program changes none */
  bool native;           /* methods of a library run: LAUNCHER_BUFFERED */
  const char *selector;  /* of the collectives of SMPI; NULL: as in the platform */
};

/*
 * Run it to its end, in the current directory. Computation takes only the simulated time that the platform file or the
 * program states, so that times are the same in every run.
 * @param output  receives as much of its output as fits in @p length bytes
 * @return TUTTI_ERR_LAUNCH with smpirun's message, if it failed, or if not all ranks ended; TUTTI_ERR_ARGUMENT if an
 *         argument is one that smpirun would split or expand; TUTTI_ERR_IO
 */
tutti_status tutti_simulation_run(const struct simulation *simulation, char *output, size_t length, tutti_error *error);

/* A new folder whose path smpirun takes as it is, owned by the caller; NULL: TUTTI_ERR_IO, in @p error. */
char *tutti_simulation_folder(tutti_error *error);

enum { SIMULATION_WORDS_LENGTH = 400 };

/* The last output of the program itself, into @p text of SIMULATION_WORDS_LENGTH: three lines, " | " between them, each
   once, lines about a fault first, without those of SimGrid. Returns @p text; "": no output. */
const char *tutti_simulation_last_words(const char *output, char *text);

/* Why not all ranks ended, from SimGrid's message about a deadlock or MPI_Abort(): a few words, static storage; NULL if
   they did. smpirun ends with status 0 in both cases. */
const char *tutti_simulation_early_end(const char *output);

#endif
