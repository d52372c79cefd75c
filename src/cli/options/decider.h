/* Who decides: rules of a library, a tuning file or a method, opened to be asked why. */
#ifndef TUTTI_CLI_DECIDER_H
#define TUTTI_CLI_DECIDER_H

#include "cli/options/selection.h"
#include "tutti/tuning.h"

/* Zero-initialize; decider_close(). */
struct decider {
  tutti_decision decision;
  tutti_tuning *tuning;
  tutti_implementation library; /* that reads the file; ours: none does */
  const char *name;             /* of the decision, for reports */
  char own[64];
};

/* Open what @p name means, a file or anything else that decision_argument_read() takes, for a collective; errors end
   the command. NULL, "native", "untuned": what the library chooses itself that own_choice_find() finds by the options,
   or that @p target names, which a line on standard error says. @p target: the library that reads a file, NULL: what it
   looks like. @p version receives its name, or nothing. */
void decider_open(const char *name, const char *target, const struct selection_options *options,
                  tutti_collective collective, struct decider *decider, char *version);
void decider_close(struct decider *decider);

#endif
