/* A decision named on the command line. */
#ifndef TUTTI_CLI_DECISION_ARGUMENT_H
#define TUTTI_CLI_DECISION_ARGUMENT_H

#include "tutti/decision.h"

/*
 * Read a decision: a method ("bcast/binomial/8KB"), which always decides for itself, what a library chooses
 * ("library:openmpi-4.1"), or a file, of ours or a tuning file of Open MPI or MPICH. @p collective: the one that it is
 * asked about; NULL: that of the method, or the first of the file, TUTTI_COLL_COUNT of a tuning file; a library needs
 * it.
 */
tutti_status decision_argument_read(const char *name, const char *collective, tutti_decision *decision,
                                    tutti_error *error);

#endif
