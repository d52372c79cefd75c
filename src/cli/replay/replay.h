/* tutti replay, and tutti whatif --trace: what their files share. */
#ifndef TUTTI_CLI_REPLAY_H
#define TUTTI_CLI_REPLAY_H

#include "cli/options/common.h"
#include "cli/output/output.h"
#include "harness/engine/riders/replay.h"

/* How calls are run. Rows for it are replay_table. */
struct replay_setting {
  struct option_strings decisions; /* the first that answers counts */
  const char *untuned;             /* for the library's own calls; NULL: the rules of the library of the trace */
  bool rounds_apart;               /* no operation rounds */
};

extern const struct option_row replay_table[];

/* The decisions of a setting, read; zero-initialize it. */
struct replay_decisions {
  struct {
    TUTTI_VECTOR(tutti_decision);
  } chosen[TUTTI_COLL_COUNT];
  tutti_decision untuned[TUTTI_COLL_COUNT];
  bool rounds_apart;
};

void replay_decisions_read(const struct replay_setting *setting, const struct workload *workload,
                           struct replay_decisions *decisions);
void replay_decisions_free(struct replay_decisions *decisions);

/* How long a second of computation takes, `factor` times as long as it was recorded; of a trace in flop, one of these
   on a machine of `speed` flop/s. */
double replay_compute(const struct workload *workload, double factor, double speed);

/* What to ask a replay, by these decisions, which must live as long. */
struct replay_question replay_question_of(const struct replay_decisions *decisions, const tutti_places *places,
                                          double compute);

/* replay_notes.c: a note for each method that gave way to another one: how many calls, which one ran, and why. */
struct notes replay_make_notes(const struct workload *workload, const struct replay_question *question);

/* "bcast", "messages". */
const char *replay_part_name(int part);

/* Seconds of a rank in the mean. */
double replay_mean(const struct workload *workload, double seconds_of_all);

#endif
