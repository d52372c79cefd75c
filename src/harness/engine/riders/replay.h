/* Replay: the ranks of a workload on a machine, each call by the schedule of a method. */
#ifndef TUTTI_ENGINE_REPLAY_H
#define TUTTI_ENGINE_REPLAY_H

#include <stdio.h>

#include "harness/engine/machine/machine.h"
#include "harness/engine/riders/script.h"
#include "harness/engine/trace/workload.h"

/* What a method is chosen for: the calls of a collective. */
struct replay_choice {
  tutti_collective collective;
  int ranks;
  uint64_t bytes;
  const tutti_method *recorded; /* that ran; of the library it may be native */
};

struct replay_question {
  /* The method for a call. False: no method; the replay ends with a message that says so. */
  bool (*decide)(void *context, const struct replay_choice *choice, tutti_method *method);
  void *context;
  double compute;      /* duration of a second of computation; 1: as on the recording machine */
  tutti_places places; /* of the machine; methods for calls on all ranks get it: the torus */
  bool rounds_apart;   /* no operation rounds; a trace does not record rounding */
  bool slopes;         /* how the time depends on the machine is wanted */
};

/* The method that runs for the calls of a shape. */
struct replay_chosen {
  tutti_method wanted, method;
  const char *reason; /* the method is not the wanted one: "it ..."; NULL: it is. Static storage */
};

/* Choose the method. Under the interposer a substitute replaces a method where a call is outside its domain, and where
   ranks would round differently; one that ran as recorded runs again. For calls on all ranks a method for a torus gets
   the sides. False: no method. */
bool tutti_replay_choose(const struct replay_question *question, const struct workload_shape *shape,
                         struct replay_chosen *chosen);

/* Totals over the calls of a collective, over messages of the program, or over all. Seconds are simulated. A collective
   that is called while messages are outstanding takes its time among the messages. */
struct replay_part {
  uint64_t calls, messages; /* of all ranks */
  uint64_t across;          /* of these messages those to another node */
  double bytes;             /* in messages */
  double seconds;           /* in calls, of all ranks together */
  double waiting;           /* of these until the last rank of the communicator had come; 0 of messages */
  double slowest;           /* of the rank that is in them longest */
};

struct replay_answer {
  double seconds; /* from the first rank's start to the last one's end */
  double compute; /* between the calls, of all ranks together: what of their time is in no call while they run */
  struct replay_part all, parts[WORKLOAD_PARTS];
  struct engine_slope slopes; /* derivatives of `seconds`; 0 unless they are wanted */
};

/*
 * Run it. Ranks begin when they did in the program, compute as long, and call in the same order; the time that they
 * wait for each other is a result. A call with only a known time takes that time.
 * @return TUTTI_ERR_ARGUMENT for more ranks than the machine has places, or if nothing is chosen for a call;
 *         TUTTI_ERR_FAULT for ranks that wait forever; TUTTI_ERR_UNSUPPORTED as tutti_method_check()
 */
tutti_status tutti_replay(const struct workload *workload, const struct engine_machine *machine,
                          const struct replay_question *question, struct replay_answer *answer, tutti_error *error);

/* Arguments: collective, bytes (unsigned long long) and ranks. */
#define REPLAY_UNDECIDED "no method is chosen for %s of %llu bytes on %d ranks"

/* ---- the same by another simulator, which asks what each rank does next ---- */

struct replay;

/* One replay with @p ranks_per_node ranks on a node; its answer is complete when it is closed. Workload, question and
   answer must outlive it. TUTTI_ERR_UNSUPPORTED for too many communicators and tags; nothing is open then. */
tutti_status tutti_replay_open(const struct workload *workload, int ranks_per_node,
                               const struct replay_question *question, struct replay_answer *answer,
                               struct replay **opened, tutti_error *error);
struct script_source tutti_replay_source(struct replay *replay);
void tutti_replay_close(struct replay *replay);

/* ---- replay_plan.c: the plan for tutti-replay, a program of SMPI, and its answer; both are text ---- */

/* The trace, the method of each of its shapes, and other inputs of a replay. */
struct replay_plan {
  char trace[4096];
  double compute; /* as in the question */
  int ranks_per_node;
};

/* Write a plan, with the methods that the question chooses. TUTTI_ERR_ARGUMENT if it chooses none for a call that needs
   one; TUTTI_ERR_IO. */
tutti_status tutti_replay_plan_write(const char *path, const struct replay_plan *plan, const struct workload *workload,
                                     const struct replay_question *question, tutti_error *error);

/* Read a plan and its trace, whose calls get the methods of the plan as those that ran. Free the workload in any case.
   TUTTI_ERR_IO, TUTTI_ERR_ARGUMENT names the file and the line. */
tutti_status tutti_replay_plan_read(const char *path, struct replay_plan *plan, struct workload *workload,
                                    tutti_error *error);

void tutti_replay_answer_write(const struct replay_answer *answer, FILE *stream);

/* Find an answer in what a program printed. TUTTI_ERR_LAUNCH if it is not there, or not complete. */
tutti_status tutti_replay_answer_read(const char *text, struct replay_answer *answer, tutti_error *error);

#endif
