/* tutti doctor: what Tutti sees of the machine and of the programs that it starts. */
#ifndef TUTTI_CLI_DOCTOR_H
#define TUTTI_CLI_DOCTOR_H

#include "cli/options/common.h"

/* One thing that was looked at. Texts are owned. */
struct finding {
  const char *check; /* static: "openmpi" */
  const char *state; /* static: "ok", "missing", "failed", "note" */
  char *found;       /* a sentence */
  char *install;     /* Debian packages that have it; NULL: nothing is to be installed */
  const char *binds; /* static: arguments with which the launcher binds ranks, which it does not do by itself; NULL:
                        none are needed */
};

struct findings {
  TUTTI_VECTOR(struct finding);
  bool measurable; /* something can be measured */
  bool by_library; /* not by the fast engine alone */
  char *left_out;  /* "openmpi, mpich": libraries that are here and that this build has no programs for; or NULL */
};

struct doctor_options {
  struct program_options launch;
  tutti_format format;
};

/* Append a finding, whose text is as of printf(). */
struct finding *findings_add(struct findings *findings, const char *check, const char *state, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

void findings_free(struct findings *findings);

/* ---- what is looked at ---- */

/* SimGrid and Tutti's own engine; the MPI libraries of this machine, of each of which the first finding is whether it
   works. @{ */
void doctor_check_simulators(const struct doctor_options *options, struct findings *findings);
void doctor_check_libraries(const struct doctor_options *options, struct findings *findings);
/* @} */

#endif
