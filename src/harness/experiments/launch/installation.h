/* An installation of an MPI library: what starts its ranks, and in which environment. Two of them are compared. */
#ifndef TUTTI_EXPERIMENTS_INSTALLATION_H
#define TUTTI_EXPERIMENTS_INSTALLATION_H

#include "base/process.h"
#include "tutti/error.h"

enum { INSTALLATION_VARIABLES = 16 };

/* Texts are owned: tutti_installation_free(). */
struct tutti_installation {
  char *name;         /* for people: "new" */
  const char *flavor; /* "openmpi" or "mpich", by whose rules its launcher takes arguments */
  char library[64];   /* as its launcher says it, "OpenMPI-5.0.7"; "": it was not asked */
  char **words;       /* of the launcher, NULL at the end; the first is a path. Arguments of a launch follow */
  struct tutti_variable variables[INSTALLATION_VARIABLES + 1]; /* name NULL after the last */
  char *program;         /* path of the measuring program, as the launcher sees it; NULL: that of the flavor */
  char *text, *paths[4]; /* where the members above are */
};

/**
 * Read NAME=WORDS, or WORDS alone, whose name is all of it. Words are separated by blanks, as in a shell: quotes and
 * backslashes keep them together, nothing else is expanded, and no shell runs. They are:
 *
 *   VARIABLE=VALUE ...  up to INSTALLATION_VARIABLES, set for the launcher and its ranks; program=PATH is not one but
 *                       the measuring program
 *   PREFIX              a folder with bin/mpiexec; LD_LIBRARY_PATH begins with its lib folders, unless it is set, and
 *                       bin/tutti-bench is the measuring program, if it is there
 *   COMMAND             instead of that: a path, or a name in PATH. Without either: mpiexec of the flavor
 *   ARGUMENT ...        of these
 *
 * @param flavor  NULL: as the launcher says by --version, which is run for it
 * @return TUTTI_ERR_ARGUMENT, TUTTI_ERR_LAUNCH: the message begins with the name; @p installation is empty then
 */
tutti_status tutti_installation_parse(const char *text, const char *flavor, struct tutti_installation *installation,
                                      tutti_error *error);

/* A digest of all but the name, in TUTTI_DIGEST_LENGTH bytes. Returns @p digest. */
char *tutti_installation_digest(const struct tutti_installation *installation, char *digest);

void tutti_installation_free(struct tutti_installation *installation);

#endif
