/* tutti run: a command that starts an MPI program, with the interposer of its library. */
#ifndef TUTTI_CLI_RUN_H
#define TUTTI_CLI_RUN_H

#include "base/process.h"
#include "cli/options/common.h"

struct run_options {
  const char *flavor;    /* NULL: that of the program, or of what starts it */
  const char *build_dir; /* where interposers are; NULL: beside the command, or where they are installed */
  struct option_strings decisions;
  const char *candidates, *levels, *profile, *trace, *ran, *adapted, *neighbors;
  bool adapt, native, nonblocking, verbose, print;
  struct option_strings command;
};

/* ---- run_elf.c: what a file says that the dynamic linker reads; nothing is started ---- */

/* The libraries that a file names, and the folders that it says to look in; owned. */
struct run_needs {
  TUTTI_VECTOR(char *);
  char *folders; /* with colons between; NULL: none */
};

/* False: it is no program or library of this kind of machine. run_needs_free() in either case. */
bool run_needs_read(const char *path, struct run_needs *needs);
void run_needs_free(struct run_needs *needs);

/* ---- run_library.c: which MPI library ---- */

/* The flavor of the MPI library that a program or library is linked with, at first or second hand: "mpich", "openmpi",
   "abi", "smpi"; NULL: with none that is known. */
const char *run_flavor_of_file(const char *path);

/* ---- run_launcher.c: what starts the ranks ---- */

/* How the first word of the command hands variables on to all ranks. */
enum run_launcher {
  RUN_LAUNCHER_NONE,    /* it is the program, or is not known: it inherits them */
  RUN_LAUNCHER_OPENMPI, /* -x NAME=VALUE */
  RUN_LAUNCHER_MPICH,   /* -genv NAME VALUE */
  RUN_LAUNCHER_SRUN,    /* inherits them; what would change srun itself is in --export */
};

/* @p flavor receives that of its library where it shows; NULL: it does not. */
enum run_launcher run_launcher_of(const char *word, const char **flavor);

/* A variable of the ranks; the name is static, the value owned. */
struct run_variable {
  char *name, *value;
};

struct run_variables {
  TUTTI_VECTOR(struct run_variable);
};

void run_variables_add(struct run_variables *variables, const char *name, const char *value);

/* The words of a command; owned. */
struct run_words {
  TUTTI_VECTOR(char *);
};

/* The command with the variables in it, in the way of its launcher. What it cannot have in it is left in the variables:
   the environment of what is started. */
struct run_words run_compose(const struct option_strings *command, enum run_launcher launcher,
                             struct run_variables *variables);

#endif
