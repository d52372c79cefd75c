/* tutti advise: what a program would gain by other methods for the calls that its profile has. */
#ifndef TUTTI_CLI_ADVISE_H
#define TUTTI_CLI_ADVISE_H

#include "cli/options/common.h"
#include "cli/options/selection.h"
#include "cli/output/output.h"
#include "decision/tuning/tuning.h"
#include "harness/experiments/file/bench_command.h"

struct advise_options {
  struct selection_options selection;
  struct program_options launch;
  bool measure; /* what the store does not have */
  const char *profile;
  const char *untuned; /* the decision that the library's own calls are compared by; NULL: by the library */
  const char *output;  /* rules; NULL: none */
  double share;        /* of the gain that the rules win, percent */
  tutti_format format;
};

/* ---- advise_bench.c: what is to be measured ---- */

enum { ADVISE_NAMES = TUTTI_COLL_COUNT * 32 };

struct advise_bench {
  struct bench_command wanted;
  tutti_decision_map map; /* its points alone */
  char names[ADVISE_NAMES];
};

/* Let the commands of a selection measure these collectives (bits), at the numbers of ranks and sizes that the program
   calls them with. The bench must live as long; free it. */
void advise_bench_begin(const struct program_profile *profile, unsigned collectives,
                        struct selection_options *selection, struct advise_bench *bench);
void advise_bench_free(struct advise_bench *bench);

/* Whether the platform is a file. */
bool advise_can_simulate(const struct selection_options *selection);

/* Names of collectives. */
void advise_name_collectives(unsigned collectives, const char *separator, char names[ADVISE_NAMES]);

/* Die without --platform where no store has an only platform to be taken; the message says what makes one. */
void advise_check_store(const struct advise_options *options, const struct program_profile *profile);

/* ---- advise_gains.c ---- */

/* What is gained at each of the calls. Collectives of which the store has nothing are left out, unless it has nothing
   of any. What comparisons say of the collectives is appended to the notes. */
void advise_weigh(const struct advise_options *options, struct program_profile *profile, struct notes *compared);

/* Seconds of a call, from the sum of all ranks; and seconds of the program. */
static inline double advise_of_program(const struct program_profile *profile, double seconds)
{
  return seconds / profile->ranks;
}

/* ---- advise_table.c ---- */

void advise_print(const struct advise_options *options, const struct program_profile *profile,
                  const struct tuning_rules *rules, const struct notes *compared);

#endif
