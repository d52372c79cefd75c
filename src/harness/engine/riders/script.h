/* Steps that ranks take one after the other: schedules, computing, and sleeping until a time; or steps from a source
   for each rank. */
#ifndef TUTTI_ENGINE_SCRIPT_H
#define TUTTI_ENGINE_SCRIPT_H

#include "harness/engine/core/engine.h"
#include "harness/engine/core/matching.h"
#include "harness/engine/riders/program.h"
#include "tutti/algorithm.h"
#include "tutti/noise.h"

enum script_kind {
  SCRIPT_RUN,      /* a method, with the ranks of the step */
  SCRIPT_PAUSE,    /* wait for that long, as for computing */
  SCRIPT_CHOOSE,   /* rank 0 chooses when the next operation begins */
  SCRIPT_ARRIVE,   /* wait until then; if not all have got so far by then, it is chosen once more */
  SCRIPT_DELAY,    /* wait for the delay of the rank, whose noise begins */
  SCRIPT_RECEIVES, /* post receives from anybody, as endpoints of actors do; no message meets them */
  SCRIPT_NOTE,     /* how long it is since then */
};

struct script_step {
  enum script_kind kind;
  tutti_method method; /* SCRIPT_RUN */
  tutti_call call;     /* the rank is not used; its ranks count from `first` */
  uint32_t times;      /* SCRIPT_RUN: how often, one after the other; 0: once */
  double seconds;      /* SCRIPT_PAUSE */
  uint32_t first;      /* RUN and PAUSE: of ranks first .. first + members - 1, */
  uint32_t members;    /* 0: of all from there on; the others continue with the next step */
  uint32_t receives;   /* SCRIPT_RECEIVES: how many, */
  uint64_t bytes;      /* of so many bytes each */
  bool disturbed;      /* SCRIPT_RUN: by noise; SCRIPT_CHOOSE: the start is put off for the latest delay */
  int note;            /* SCRIPT_NOTE: number of the time; with the last one the script ends */
};

/* When an operation begins, and how it is disturbed. */
struct script_start {
  double time;               /* set by SCRIPT_CHOOSE, if there is one */
  const uint64_t *delays_ns; /* [ranks] or NULL */
  uint64_t latest_ns;        /* the largest */
  const tutti_noise *noise;  /* or NULL */
  const uint32_t *places;    /* [ranks] in the order in which they start; NULL: that of SMPI */
};

/* The next step of a rank, where no steps are given for all. */
enum script_next {
  SCRIPT_IS_OVER,
  SCRIPT_SLEEPS,  /* for *seconds */
  SCRIPT_PROGRAM, /* its peers are ranks of the script */
  SCRIPT_FAILS,   /* TUTTI_ERR_ARGUMENT, with details in the error */
};

struct script_source {
  /* Called when the rank has finished the previous step. */
  enum script_next (*next)(void *context, uint32_t rank, double now, double *seconds, struct program *program,
                           tutti_error *error);
  void *context;
  const bool *computes; /* set by next(): the rank sleeps because it computes; NULL: it never does */
};

enum { SCRIPT_NOTES = 2 };

/* Measured by a SCRIPT_NOTE. */
struct script_time {
  double longest; /* seconds from the start to the last rank's end */
  uint32_t noted; /* ranks */
};

struct script {
  const struct engine_machine *machine;
  uint32_t rank_count;
  const struct script_step *steps;
  int step_count;
  const struct script_source *source; /* instead of steps; NULL: none */
  const uint32_t *first;              /* [rank_count] ranks in the order in which they begin; NULL: by number */
  double now;                         /* when they do */
  struct script_start start;
  struct script_time times[SCRIPT_NOTES];
  int note_count;
  struct engine_slope *slopes; /* receives the derivatives of the first SCRIPT_NOTE, or of the end of the last rank of a
                                  source; NULL: not wanted */
  double slopes_at;            /* that time so far */
  uint32_t *order;             /* [rank_count] in which the ranks reached their last SCRIPT_NOTE; NULL: not wanted */
};

/* Run it. TUTTI_ERR_FAULT names a rank that waits for ever, TUTTI_ERR_UNSUPPORTED two that no route joins. */
tutti_status tutti_script_run(struct script *script, tutti_error *error);

#endif
