/* tutti advise: what a program would gain by other methods for the calls that its profile has. */
#ifndef TUTTI_CLI_ADVISE_H
#define TUTTI_CLI_ADVISE_H

#include "base/vector.h"
#include "cli/options/common.h"
#include "cli/options/selection.h"
#include "cli/output/output.h"
#include "harness/experiments/file/bench_command.h"
#include "tutti/record.h"

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

/* ---- advise_profile.c: the file ---- */

/* Calls of the program that a method is chosen for together: of one collective, number of ranks and size. Sums are of
   all ranks. */
struct advise_calls {
  tutti_collective collective;
  int ranks, nodes;
  uint64_t size;
  char method[TUTTI_RESULT_WORD]; /* that ran; "native"; of other than blocking collectives the form */
  char site[TUTTI_RESULT_WORD];   /* that spends most of the time */
  int sites;
  uint64_t calls, samples;
  double total, waiting, between;
  double most; /* of a site, as the next one */
  /* What advise_weigh() finds. */
  bool known;                         /* both times are known; what follows only then */
  tutti_method untuned, best;         /* what would run, and what is fastest */
  double untuned_s, best_s;           /* seconds of a call */
  double gain, least_gain, most_gain; /* seconds, sum of all ranks */
};

/* The longest of the calls whose ranks are on another number of nodes than those that the times are of. */
struct advise_layout {
  const struct advise_calls *calls; /* NULL: there are none, or the nodes of the program are not known */
  int ranks_per_node;               /* of the times */
  bool simulated;                   /* so are these */
};

struct advise_profile {
  char program[TUTTI_RESULT_WORD], flavor[TUTTI_RECORD_WORD], library[TUTTI_RECORD_WORD];
  int ranks, ranks_per_node;
  int cores;          /* processors of a node; 0: not known */
  double elapsed;     /* of the slowest rank */
  double collectives; /* sum of all ranks */
  uint64_t calls, left_out;
  unsigned unmeasured; /* set by advise_weigh(): the bit 1 << tutti_collective of those that the store lacks */
  struct advise_layout elsewhere;
  struct {
    TUTTI_VECTOR(struct advise_calls);
  } items;     /* those that take longest first */
  void *index; /* place + 1 in items by what is called, while they are read */
};

/* Read what the interposer wrote. TUTTI_ERR_ARGUMENT names FILE:LINE. Free in any case. */
tutti_status advise_profile_read(const char *path, struct advise_profile *profile, tutti_error *error);
void advise_profile_free(struct advise_profile *profile);

/* ---- advise_measure.c ---- */

/* Simulate, by the fast engine, what the store does not have of the points of the profile. */
void advise_measure(const struct advise_options *options, const struct advise_profile *profile);

/* ---- advise_bench.c: what is to be measured ---- */

struct advise_bench {
  struct bench_command wanted;
  tutti_decision_map map; /* its points alone */
  char names[TUTTI_COLL_COUNT * 32];
};

/* Let the commands of a selection measure these collectives (bits), at the numbers of ranks and sizes that the program
   calls them with. The bench must live as long; free it. */
void advise_bench_begin(const struct advise_profile *profile, unsigned collectives, struct selection_options *selection,
                        struct advise_bench *bench);
void advise_bench_free(struct advise_bench *bench);

/* Whether the platform is a file. */
bool advise_can_simulate(const struct selection_options *selection);

/* Names of collectives, into TUTTI_COLL_COUNT * 32 bytes. */
void advise_name_collectives(unsigned collectives, const char *separator, char *names);

/* Those that can be judged. */
unsigned advise_judged(const struct advise_profile *profile);

/* Die without --platform where no store has an only platform to be taken; the message says what makes one. */
void advise_check_store(const struct advise_options *options, const struct advise_profile *profile);

/* ---- advise_gains.c ---- */

/* Else the method is the name of another form. */
bool advise_is_blocking(const struct advise_calls *calls);

/* True for a blocking collective that has a choice and a size that all ranks know. */
bool advise_can_judge(const struct advise_calls *calls);

/* What is gained at each of the calls. Collectives of which the store has nothing are left out, unless it has nothing
   of any. */
void advise_weigh(const struct advise_options *options, struct advise_profile *profile);

/* Seconds of a call, from the sum of all ranks; and seconds of the program. */
static inline double advise_of_program(const struct advise_profile *profile, double seconds)
{
  return seconds / profile->ranks;
}

/* ---- advise_rules.c ---- */

/* A line of the rules. */
struct advise_rule {
  const struct advise_calls *calls;
  tutti_method method;
  uint64_t first, last; /* sizes */
  double gain;
};

struct advise_rules {
  TUTTI_VECTOR(struct advise_rule); /* native ones last */
  size_t better;                    /* rules that are not native: they win */
  double gain, all;                 /* what they win, and what could be */
};

/* The fewest calls that win @p share percent of the gain, and rules for them; native for the other calls that the
   library served itself. */
struct advise_rules advise_make_rules(const struct advise_profile *profile, double share);

void advise_rule_print(FILE *stream, const struct advise_rule *rule);

/* ---- advise_notes.c: why the program may gain less, or more, than the interval says ---- */

struct notes advise_make_notes(const struct advise_options *options, const struct advise_profile *profile);

/* ---- advise_table.c ---- */

void advise_print(const struct advise_options *options, const struct advise_profile *profile,
                  const struct advise_rules *rules);

#endif
