/* The variables of the environment that begin with TUTTI_: those of the interposer, and all others that mean something
   to Tutti. No MPI. */
#ifndef TUTTI_LIBRARIES_TUTTI_VARIABLES_H
#define TUTTI_LIBRARIES_TUTTI_VARIABLES_H

#include "tutti/algorithm.h"

#define TUTTI_VARIABLE_LENGTH 40

/* "TUTTI_BCAST" into `name`, of TUTTI_VARIABLE_LENGTH bytes; returns it. */
char *tutti_interposer_variable(tutti_collective collective, char *name);

/* Whether the interposer reads the variable. */
bool tutti_interposer_reads(const char *name);

/* TUTTI_ERR_ARGUMENT names the variables of the environment that begin with TUTTI_ and are not known, and for each the
   known one that it may be. Empty ones set nothing and are passed over. */
tutti_status tutti_variables_check(tutti_error *error);

#endif
