/* A decision named on the command line. */
#ifndef TUTTI_CLI_DECISION_ARGUMENT_H
#define TUTTI_CLI_DECISION_ARGUMENT_H

#include "tutti/decision.h"

/* Read a decision: a method ("bcast/binomial/8KB"), which always decides for itself, or a file. */
tutti_status decision_argument_read(const char *name, tutti_decision *decision, tutti_error *error);

/* A name that begins with a collective is a method, anything else a file ("./bcast/rules" is one too). */
bool decision_argument_names_method(const char *name);

#endif
