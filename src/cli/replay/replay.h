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
  int ranks_per_node;              /* fewer than the machine has; 0: as it has */
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

/* replay_print.c: the answer of a replay of a trace on a platform. */
void replay_print(const char *trace, tutti_format format, const char *platform, const struct workload *workload,
                  const struct replay_answer *answer, const struct notes *notes, const tutti_passed *passed);

/* ---- replay_warn.c: why an answer may not depend on what was changed ---- */

/* Who meets whom. */
struct replay_traffic {
  const char *platform;
  int ranks, ranks_per_node, hosts;
};

/* The path of a file of the platform with edits, which is there until simulation_file_end(), and is owned by the
   caller. */
char *replay_edited_begin(const char *path, const char *const *edits, size_t count);

/* Seconds without those of a part of them. Both are sums in another order: what is only a rounding of them, which may
   be below 0, is none. */
double replay_without(double seconds, double part);

/* Seconds of the program that a rank in the mean neither computes nor is in calls: it has not begun, or has ended. */
double replay_rest(const struct workload *workload, const struct replay_answer *answer);

/* The edits, "latency=/2, bandwidth=*2"; owned by the caller. */
char *replay_edits_text(const struct option_strings *edits);

/* Whether all ranks are on one node. */
bool replay_is_local(const struct replay_traffic *traffic);

/* Add a warning: where all ranks are on one node, in text with the line that spreads them, of
   the command and its first argument; where they use a small part of the
   machine; where ranks took turns on the cores of a node when they were recorded (SMPI, which has no collectives of
   @p neighbors, is advised only without them), or a trace of SMPI has no computation; where both answers are the same.
   @{ */
void replay_warn_layout(struct notes *notes, const struct replay_traffic *traffic, const char *command,
                        const char *subject, tutti_format format);
void replay_warn_few(struct notes *notes, const struct replay_traffic *traffic);
void replay_warn_turns(struct notes *notes, int ranks_per_node, int cores, bool neighbors);
void replay_warn_recording(struct notes *notes, const struct workload *workload, const struct replay_answer *answer);
void replay_warn_unchanged(struct notes *notes, const struct replay_answer *before, const struct replay_answer *after,
                           const char *edit);
/* @} */

/* "bcast", "messages". */
const char *replay_part_name(int part);

/* Seconds of a rank in the mean. */
double replay_mean(const struct workload *workload, double seconds_of_all);

#endif
