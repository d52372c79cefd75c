/* Replay: the ranks of a workload on a machine, each call by the schedule of a method. */
#ifndef TUTTI_ENGINE_REPLAY_H
#define TUTTI_ENGINE_REPLAY_H

#include "engine/machine.h"
#include "engine/workload.h"

/* What is chosen for the calls of a collective. */
struct replay_choice {
  tutti_collective collective;
  int ranks;
  uint64_t bytes;
  const tutti_method *recorded; /* that ran; of the library it may be native */
};

struct replay_question {
  /* The method for a call. False: there is none, and the replay ends with a message that says so. */
  bool (*decide)(void *context, const struct replay_choice *choice, tutti_method *method);
  void *context;
  double compute; /* what a second of computation takes: 1 as on the machine that it was recorded on */
};

/* Of the calls of a collective, of messages of the program, or of all. Seconds are simulated. A collective that is
   called while messages are outstanding takes its time among the messages. */
struct replay_part {
  uint64_t calls, messages; /* of all ranks */
  double bytes;             /* in messages */
  double seconds;           /* in calls, of all ranks together */
  double slowest;           /* of the rank that is in them longest */
};

struct replay_answer {
  double seconds; /* from the first rank's start to the last one's end */
  double compute; /* between the calls, of all ranks together */
  struct replay_part all, parts[WORKLOAD_PARTS];
};

/*
 * Run it. Ranks begin when they did in the program, compute as long, and call in the same order; how long they wait for
 * each other comes out. A call of which only the time is known takes that time.
 * @return TUTTI_ERR_ARGUMENT for more ranks than the machine has places, or if nothing is chosen for a call;
 *         TUTTI_ERR_FAULT for ranks that wait for ever; TUTTI_ERR_UNSUPPORTED as tutti_method_check()
 */
tutti_status tutti_replay(const struct workload *workload, const struct engine_machine *machine,
                          const struct replay_question *question, struct replay_answer *answer, tutti_error *error);

#endif
