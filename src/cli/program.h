/* Launching the measuring programs: the options about it, and where the programs are. */
#ifndef TUTTI_CLI_PROGRAM_H
#define TUTTI_CLI_PROGRAM_H

#include <stdbool.h>

/* What the command line says about launching; all zero if it says nothing. */
struct program_options {
  const char *database;
  const char *program;   /* the measuring program itself */
  const char *build_dir; /* where it is in a folder for its flavor */
  int jobs;
  bool quiet;
};

/* How many jobs to run at once; what the user did not say is the number of processors online. */
int program_jobs(const struct program_options *options);

/*
 * Path of a measuring program (name "tutti-bench", flavor "smpi"), owned by the caller. What the
 * user gave; else in the build directory that the user gave; else beside this executable or where it is installed. If
 * it is in neither place, the first one, for the message.
 */
char *program_find(const struct program_options *options, const char *flavor, const char *name);

#endif
