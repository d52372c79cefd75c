/* The ranks of a simulation of actors, their letters and their requests, as actors.c and actors_letters.c see them. */
#ifndef TUTTI_ENGINE_ACTORS_CAST_H
#define TUTTI_ENGINE_ACTORS_CAST_H

#include "groups/wire.h"
#include "harness/engine/core/waiting.h"
#include "harness/engine/riders/actors.h"
#include "harness/engine/riders/posting.h"

/* Where a rank continues at its next turn. */
enum actors_point {
  AT_START,
  AT_OUTBOX,   /* send what the actor has sent */
  AT_OVERHEAD, /* the runtime is paid */
  AT_FIRST,
  AT_REST_OVERHEAD, /* the words of a message that was announced */
  AT_REST,
  AT_SENT, /* all that the actor has sent */
  AT_NOTE, /* the runtime is paid: read the clock */
  AT_INBOX,
  AT_WAIT,     /* the runtime is paid: wait for any message */
  AT_ANSWERED, /* one is complete */
  AT_TAKEN,    /* and SMPI's overhead is paid */
  AT_POOLED,   /* its receive of the pool is posted again */
  AT_RELEASE,  /* receive what was announced as far as the order allows */
  AT_POST,     /* post an end of a message, and continue at `after` */
};

/* The event that tutti-group waits for. */
enum actors_stage { FOR_THE_GROUP, FOR_ALL_GROUPS, FOR_NOTHING };

struct actors_letter {
  struct actors_letter *next;          /* in a queue */
  struct actors_letter *older, *newer; /* among all */
  double pause;                        /* seconds of the runtime before it is sent */
  int from, to, kind, depth, count;
  int words[];
};

struct actors_letters {
  struct actors_letter *first, *last;
};

#define ACTORS_EAGER (ENGINE_NONE - 1)

/* A request in flight. */
struct actors_flight {
  uint32_t request; /* ENGINE_NONE: taken; ACTORS_EAGER: an eager send, complete when it is posted */
  enum wire_role role;
  struct actors_letter *letter; /* that was sent, or has been received */
};

struct actors_member {
  struct actors_flight *flights; /* [active of capacity] oldest first; owned */
  uint32_t active, capacity;
  uint32_t eager; /* flights that are eager sends */
  uint32_t place; /* of the flight that is looked at next, at AT_RELEASE */
  enum actors_point point, after;
  enum posting_point posting; /* at AT_POST, of */
  struct actors_flight flight;
  struct posting end;
  enum actors_stage stage;
  double debt; /* seconds of the runtime that have not been let pass */
  struct actors_letters inbox, outbox;
};

struct actors_cast {
  struct engine engine;
  struct matching matching;
  struct waiting waiting;
  struct postings postings;
  struct {
    TUTTI_VECTOR(struct actors_letter *);
  } carried; /* by request: the letter of a send, NULL: of a receive */
  struct engine_actors *actors;
  struct actors_member *members; /* [rank_count] */
  uint32_t acting;               /* the rank whose actor runs */
  struct actors_letter *newest;  /* of all letters */
  tutti_status status;
  tutti_error *error;
};

/* Whether the letter is announced first and its words follow. */
static inline bool actors_is_long(const struct actors_letter *letter)
{
  return letter->count > SHORT_WORDS;
}

/* The first error counts, and ends the simulation. */
static inline void actors_fail(struct actors_cast *cast, tutti_status status)
{
  if (cast->status == TUTTI_OK)
    cast->status = status;
  cast->engine.stopped = true;
}

/* ---- actors_letters.c ---- */

/* A copy of a message, to be freed with tutti_letter_free(). */
struct actors_letter *tutti_letter_new(struct actors_cast *cast, const tutti_message *message);
void tutti_letter_free(struct actors_cast *cast, struct actors_letter *letter);

/* At the end of a queue; from its beginning. */
void tutti_letters_put(struct actors_letters *queue, struct actors_letter *letter);
struct actors_letter *tutti_letters_take(struct actors_letters *queue);

/* Bytes of the first part, or of the words that follow an announcement (rest). */
uint64_t tutti_letter_bytes(const struct actors_letter *letter, bool rest);

/* Post, by calls at AT_POST, one end of a first part, whose receive accepts any source, or of the rest; then continue
   at a point. @{ */
void tutti_flight_receive(struct actors_cast *cast, uint32_t rank, enum actors_point after);
void tutti_flight_receive_rest(struct actors_cast *cast, uint32_t rank, const struct actors_letter *announced,
                               enum actors_point after);
void tutti_flight_send(struct actors_cast *cast, uint32_t rank, struct actors_letter *letter, bool rest,
                       enum actors_point after);
/** @} */

/* The next of these calls. */
enum engine_outcome tutti_flight_advance_post(struct actors_cast *cast, uint32_t rank);

/* Post it without calls. */
void tutti_flight_post(struct actors_cast *cast, uint32_t rank);

/* A flight has ended: later ones move up, as the oldest comes first. Returns its letter. */
struct actors_letter *tutti_flight_land(struct actors_cast *cast, struct actors_member *member, uint32_t place);

/* One MPI_Waitany(): answered at once, or when one is complete. */
enum engine_outcome tutti_flight_wait(struct actors_cast *cast, uint32_t rank);

/* Both ends of a message are complete: as the rider's. */
void tutti_flight_arrived(void *cast, uint64_t tag);

#endif
