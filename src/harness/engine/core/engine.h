/* The engine: time, actions, and waking ranks. It takes the steps of SimGrid 3.32 in SimGrid's order:

   1. Ready ranks take turns, each as far as its next call, in the order in which they became ready; a rank that is
      answered at once goes to the end. Nothing else happens during this step.
   2. Changed resources are shared anew and their actions dated: processors, then network.
   3. Time advances to the earliest date.
   4. Due actions are taken out of the calendars, processors before network: a flow whose latency is paid joins; other
      actions end.
   5. In that order their ends wake the ranks that wait for them. */
#ifndef TUTTI_ENGINE_ENGINE_H
#define TUTTI_ENGINE_ENGINE_H

#include "harness/engine/core/dates.h"
#include "harness/engine/core/sharing.h"
#include "harness/engine/core/slopes.h"
#include "harness/engine/machine/machine.h"

/* Outcome of the next call of a rank: no call and the rank continues, answered at once, or it blocks. */
enum engine_outcome { ENGINE_GOES_ON, ENGINE_ANSWERED, ENGINE_BLOCKS };

/* The ranks' behavior. */
struct engine_rider {
  /* The turn of a rank: continue to the next call, carry it out, and return true if it is answered at once. */
  bool (*turn)(void *rider, uint32_t rank);
  /* A flow has ended; @p tag is that of engine_transfer(). */
  void (*arrived)(void *rider, uint64_t tag);
  /* An alarm is due; @p tag is that of tutti_engine_alarm(). NULL where none is set. */
  void (*rang)(void *rider, uint32_t tag);
};

/* A flow between two hosts, beyond the data of sharing. */
struct engine_transfer {
  double remaining; /* bytes, when it was updated last */
  double rate;      /* B/s since then */
  double updated;   /* seconds */
  double factor;    /* of the rate that sharing gives */
  uint64_t tag;
  bool in_latency;
};

/* An action of a rank on its host: an execution or a sleep. */
struct engine_action {
  double remaining, rate, updated; /* flop; of a sleep: the date of its end in `updated` */
  uint32_t next, previous;         /* executions of the host, newest first */
  bool sleeping;
};

struct engine_host {
  uint32_t newest;
  uint32_t executions, sleepers;
  uint32_t mark; /* place among the marked, or ENGINE_NONE */
};

struct engine {
  const struct engine_machine *machine;
  const struct engine_rider *rider;
  void *context;
  uint32_t rank_count;
  double now;
  struct engine_dates processor_dates, network_dates;
  struct sharing sharing;
  struct {
    TUTTI_VECTOR(struct engine_transfer);
  } transfers;                                    /* by flow */
  struct engine_action *actions;                  /* [rank_count] */
  struct engine_host *hosts;                      /* [host_count] */
  struct engine_numbers marked_hosts, new_sleeps; /* hosts; ranks, newest last */
  struct engine_numbers ready, turn;
  struct engine_numbers ended_actions, ended_flows; /* ranks; flows */
  struct engine_route route;                        /* while a flow is created */
  struct engine_numbers alarms;                     /* tags; alarm a is action rank_count + a */
  struct engine_numbers unused_alarms;
  struct engine_slopes *slopes; /* NULL: not wanted */
  bool stopped;                 /* set by the rider: nothing more is wanted */
};

void tutti_engine_init(struct engine *engine, const struct engine_machine *machine, uint32_t rank_count,
                       const struct engine_rider *rider, void *context);
void tutti_engine_free(struct engine *engine);

/* All ranks begin at a time, in an order; NULL: by number, as they do without this call, at 0 s. */
void tutti_engine_begin(struct engine *engine, double time, const uint32_t *order);

/* Run until nothing happens any more, or it is stopped. */
void tutti_engine_run(struct engine *engine);

/* The rank continues with its next turn. */
void tutti_engine_wake(struct engine *engine, uint32_t rank);

/* ---- calls of ranks; those that block end with the rank's next turn ---- */

/* Sleep, for a time in proportion to a parameter: 1 ns at least. Blocks. */
void tutti_engine_sleep(struct engine *engine, uint32_t rank, double seconds, enum engine_parameter parameter);

/* Begin to compute; the rank is woken at its end. */
void tutti_engine_execute(struct engine *engine, uint32_t rank, double flops);

/* Something that does not keep the rank from going on ends after that time: 1 ns at least. */
void tutti_engine_alarm(struct engine *engine, double seconds, uint32_t tag);

/* Begin a transfer between the hosts of two ranks. Returns the flow, or ENGINE_NONE if no route joins them. */
uint32_t tutti_engine_transfer(struct engine *engine, uint32_t from, uint32_t to, uint64_t bytes, uint64_t tag);

/* The receiver of a transfer comes while the transfer is under way: SMPI looks at the bytes left. */
void tutti_engine_meet(struct engine *engine, uint32_t flow, uint64_t tag);

static inline uint32_t engine_host_of(const struct engine *engine, uint32_t rank)
{
  const uint32_t node = rank / (uint32_t)engine->machine->ranks_per_node;
  return engine->machine->hosts ? engine->machine->hosts[node] : node;
}

/* The factor of a parameter: 1, unless the machine is changed. */
static inline double engine_factor(const struct engine *engine, enum engine_parameter parameter)
{
  return engine->machine->change ? engine->machine->change->of[parameter] : 1.0;
}

/* ---- processors.c, transfers.c: the two models ---- */

void tutti_processors_date(struct engine *engine);
void tutti_processors_advance(struct engine *engine);
void tutti_processors_end(struct engine *engine);
/* A rank that computes on a host of speed 0 and so never ends; ENGINE_NONE: none. */
uint32_t tutti_processors_stopped(const struct engine *engine);
/* The factor of the time that a link takes for a byte. */
double tutti_transfers_factor(const struct engine *engine, uint32_t link);
void tutti_transfers_date(struct engine *engine);
void tutti_transfers_advance(struct engine *engine);
void tutti_transfers_end(struct engine *engine);

/* The amount left after a time at a rate; below SimGrid's maxmin/precision * surf/precision it is 0. */
static inline double engine_left(const struct engine *engine, double remaining, double rate, double seconds)
{
  const double nothing = engine->sharing.precision * ENGINE_INSTANT, left = remaining - rate * seconds;
  return left < nothing ? 0.0 : left;
}

#endif
