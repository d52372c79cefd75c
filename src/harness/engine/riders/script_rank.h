/* A rank of a simulation of schedules, as script.c, script_schedule.c and script_time.c see it. */
#ifndef TUTTI_ENGINE_SCRIPT_RANK_H
#define TUTTI_ENGINE_SCRIPT_RANK_H

#include "base/meeting.h"
#include "harness/engine/core/places.h"
#include "harness/engine/core/waiting.h"
#include "harness/engine/riders/posting.h"
#include "harness/engine/riders/program.h"
#include "harness/engine/riders/script.h"

/* Where a rank continues at its next turn. */
enum script_point {
  AT_STEP,     /* begin a step of the script */
  AT_START,    /* the rank is in its place: wait for the start, */
  AT_MET,      /* and see whether all are there */
  AT_RECEIVES, /* post the receives of an endpoint */
  AT_READY,    /* take the next vertex that is ready */
  AT_VERTEX,   /* begin that vertex */
  AT_POST,     /* its overhead is paid: post it */
  AT_EXECUTE,  /* local work is three calls that are answered, the last of which begins it, and a wait */
  AT_EXECUTE_HOST,
  AT_EXECUTE_BEGIN,
  AT_EXECUTE_WAIT,
  AT_WORKED,   /* local work is done */
  AT_COMPLETE, /* and so is what interrupted it */
  AT_PROGRESS, /* wait for messages */
  AT_WAIT_ALL,
  AT_ALL_ANSWERED,
  AT_ANY_ANSWERED,
  AT_RECEIVED, /* a message is received: keep the gap after the one before */
  AT_END,      /* the schedule is done */
  AT_ENDED,    /* and so is what interrupted it */
  AT_REST,     /* the script is */
};

enum { SCRIPT_FEW = 4 };

#define SCRIPT_EAGER (ENGINE_NONE - 1)

/* A message in flight: its request; the vertex is that of the request, or here once the request is taken. */
struct script_flight {
  uint32_t request; /* ENGINE_NONE: taken; SCRIPT_EAGER: an eager send, complete when it is posted */
  uint32_t vertex;
};

/* A stream of a rank: work that goes on, and vertices that are ready and wait for its end. */
struct script_stream {
  bool works;
  uint32_t first, last; /* ENGINE_NONE: none waits */
};

enum { SCRIPT_STREAMS = UINT8_MAX + 1 };

struct script_rank {
  struct program program;
  struct script_stream *streams; /* [SCRIPT_STREAMS]; owned; NULL: the program has one */
  uint32_t held;                 /* vertices that wait for a stream */
  uint32_t ready_first, ready_last, started;
  struct script_flight *flights; /* few, or owned */
  struct script_flight few[SCRIPT_FEW];
  uint32_t active, capacity;
  struct engine_places eager, done; /* of flights, not taken: eager sends, and others that are complete */
  uint32_t vertex;                  /* the current vertex */
  uint32_t left;                    /* of a wait for all, or of receives */
  double next_received;             /* when it may receive the next message */
  int step;
  uint32_t meeting; /* number of the start that it waits for */
  uint32_t times;   /* that the schedule of the step was run */
  enum script_point point;
  enum posting_point posting; /* at AT_POST and AT_RECEIVES */
};

/* The noise of a rank. */
struct script_noise {
  uint64_t phase, begun, index;
};

struct script_rider {
  struct engine engine;
  struct matching matching;
  struct waiting waiting;
  struct postings postings;
  struct script *script;
  struct script_rank *ranks;
  struct {
    TUTTI_VECTOR(struct meeting);
  } meetings;                  /* each start that was chosen */
  double notice;               /* seconds: of the next one */
  struct script_noise *noises; /* NULL: none */
  tutti_arena arena;           /* while a schedule is built */
  tutti_status status;
  tutti_error *error;
};

static inline enum engine_outcome script_blocks_if(bool sleeping)
{
  return sleeping ? ENGINE_BLOCKS : ENGINE_GOES_ON;
}

/* An error, if it is one, ends the simulation. */
static inline void script_fail(struct script_rider *rider, tutti_status status)
{
  if (status == TUTTI_OK)
    return;
  rider->status = status;
  rider->engine.stopped = true;
}

/* ---- script_schedule.c: a rank's part of a schedule ---- */

/* Its program has been built: begin it. */
void tutti_script_start_run(struct script_rank *r);
void tutti_script_end_run(struct script_rank *r);
void tutti_script_free_flights(struct script_rank *r);

/* Take the next ready vertex, if any, and continue with its work. True if the rank blocks. */
bool tutti_script_take_ready(struct script_rider *rider, uint32_t rank);
bool tutti_script_begin_vertex(struct script_rider *rider, uint32_t rank);

/* A vertex has one reason less to wait; the same for all that follow one. */
void tutti_script_release(struct script_rank *r, uint32_t vertex);
void tutti_script_complete(struct script_rank *r, uint32_t vertex);

/* The next call of a rank for which nothing is ready: it waits for any message, or for all, one after the other. */
enum engine_outcome tutti_script_advance_wait(struct script_rider *rider, uint32_t rank);

/* ---- script_streams.c: programs of several streams ---- */

/* The program has several: make them; and free them. */
void tutti_streams_begin(struct script_rank *r);
void tutti_streams_end(struct script_rank *r);

/* Whether the stream of a vertex works: then the vertex waits for it. */
bool tutti_stream_holds(struct script_rank *r, uint32_t vertex);

/* A vertex is over, or posted: the next one of its stream is ready. */
void tutti_stream_is_free(struct script_rank *r, uint32_t vertex);

/* Begin work beside the rank, as a message in flight. */
void tutti_stream_begin_work(struct script_rider *rider, uint32_t rank);

/* A vertex that waits for nothing is ready. */
void tutti_script_enqueue(struct script_rank *r, uint32_t vertex);

/* ---- script_post.c: posting the ends of messages ---- */

/* The next of the calls that post a message; of those that post receives from anybody. @{ */
enum engine_outcome tutti_script_advance_post(struct script_rider *rider, uint32_t rank);
enum engine_outcome tutti_script_advance_receives(struct script_rider *rider, uint32_t rank);
/** @} */

/* A request of a vertex is in flight. */
void tutti_script_add_flight(struct script_rank *r, uint32_t request, uint32_t vertex);

/* Both ends of a message are complete: its requests. */
void tutti_script_arrive(struct script_rider *rider, uint32_t request, uint32_t mate);

/* Work beside a rank is. */
void tutti_script_ring(struct script_rider *rider, uint32_t request);

/* ---- script_start.c: starting together, as in base/meeting.h ---- */

/* Rank 0 chooses when. */
void tutti_script_choose_start(struct script_rider *rider);

/* The rank knows it, and takes its place if there is an order; it waits for the start; and it begins, or all ranks go
   back to where it is chosen. True if the rank sleeps. @{ */
bool tutti_script_come(struct script_rider *rider, uint32_t rank);
bool tutti_script_await_start(struct script_rider *rider, uint32_t rank);
void tutti_script_meet(struct script_rider *rider, uint32_t rank);
/** @} */

/* ---- script_time.c: sleeping, and noise ---- */

/* Sleep until a time; false if it has come. */
bool tutti_script_sleep_until(struct script_rider *rider, uint32_t rank, double time, enum engine_parameter parameter);

/* The operation begins. */
void tutti_script_begin_noise(struct script_rider *rider, uint32_t rank);

/* Before a vertex, or before the end; at the end of local work. True if the rank sleeps. */
bool tutti_script_interrupt(struct script_rider *rider, uint32_t rank, bool vertex);
bool tutti_script_interrupt_work(struct script_rider *rider, uint32_t rank);

#endif
