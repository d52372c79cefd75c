/* Who decides: rules of a library, a tuning file or a method, opened to be asked why. */
#ifndef TUTTI_CLI_DECIDER_H
#define TUTTI_CLI_DECIDER_H

#include "tutti/tuning.h"

/* Zero-initialize; decider_close(). */
struct decider {
  tutti_decision decision;
  tutti_tuning *tuning;
  tutti_implementation library; /* that reads the file; ours: none does */
};

/* Open what @p name means, a file or anything else that decision_argument_read() takes, for a collective; errors end
   the command. @p target: the library that reads the file, NULL: what it looks like. @p version receives its name, or
   nothing. */
void decider_open(const char *name, const char *target, tutti_collective collective, struct decider *decider,
                  char *version);
void decider_close(struct decider *decider);

#endif
