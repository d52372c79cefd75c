/* The own choice of an MPI library that is left alone, where no library is named. */
#ifndef TUTTI_CLI_OWN_CHOICE_H
#define TUTTI_CLI_OWN_CHOICE_H

#include "cli/options/selection.h"
#include "tutti/library.h"

struct own_choice {
  tutti_library_version version;
  char where[256]; /* what says so: "OpenMPI-4.1.4, which is installed" */
};

/* Find the library: that of --library, else the one that was measured on the platform, else the one that is installed,
   else the one of the store, all of --flavor, if that is given. Dies where there is none, or where its own choice is
   not known. */
void own_choice_find(const struct selection_options *options, struct own_choice *found);

/* The name of its rules, "library:openmpi-4.1"; NULL: it has none of that name (tutti_untuned_open() may know it). */
const char *own_choice_rules(const tutti_library_version *version);

#endif
