/* The state of pricing: every rank's schedule in a compact form, and what its processor and ports do. */
#ifndef TUTTI_SCHEDULE_PRICE_STATE_H
#define TUTTI_SCHEDULE_PRICE_STATE_H

#include "algorithms/analysis/calendar.h"
#include "tutti/price.h"

#define PRICE_NONE      UINT32_MAX
#define PRICE_LAST_EDGE (UINT32_C(1) << 31) /* marks the last successor of a vertex */

/* A vertex of a sealed schedule and its state, in 32 bytes. */
struct price_vertex {
  uint64_t bytes : 60;
  uint64_t kind : 2;   /* tutti_kind */
  uint64_t posted : 1; /* nothing to wait for any more */
  uint64_t met : 1;    /* receive: the message is there (eager), the send is posted (rendezvous) */
  uint32_t peer;
  uint32_t pending;      /* prerequisites */
  uint32_t successors;   /* first of them among the edges of the rank, or PRICE_NONE */
  uint32_t channel_next; /* or PRICE_NONE */
  uint32_t next;         /* in the list of price_rank it is in */
  uint32_t mate;         /* receive: the vertex of the peer that sends to it, once known */
};

/* The receives from one peer; as large as two edges. */
struct price_channel {
  uint32_t peer;
  uint32_t head; /* first receive whose send is not known yet, or PRICE_NONE */
};

/* For the critical path: quanta, and the vertex that made it begin (rank PRICE_NONE: none). */
struct price_note {
  uint64_t ready, start, end;
  uint32_t cause_rank, cause_vertex;
  uint32_t behind;    /* eager receive: the receive whose message held the port when this one came, or PRICE_NONE */
  bool after_the_gap; /* eager send: it began when the gap of its cause, not its processor time, was over */
};

/* Lists of vertices that lack only a processor or port to begin, in vertex order. */
enum price_list {
  PRICE_SENDS,    /* sends; rendezvous: posted at both ends */
  PRICE_RECEIVES, /* rendezvous: posted at both ends */
  PRICE_LOCAL,    /* reductions and copies; eager: receives whose message is there, too */
  PRICE_ARRIVED,  /* eager: receives whose messages reach the port now */
  PRICE_LISTS
};

/* Members that every event of a rank needs, in one line of the cache: with many ranks, fetching it takes the time. */
struct price_rank {
  struct price_vertex *vertices;                       /* then edges, then channels; NULL once all are complete */
  uint64_t processor_until, send_until, receive_until; /* quanta */
  uint32_t heads[PRICE_LISTS];                         /* PRICE_NONE: empty */
  uint32_t left;                                       /* vertices that are not complete */
  uint32_t vertex_count, edge_count, channel_count;
};

enum { PRICE_CHUNK = 256 }; /* ranks */

/* The memory of PRICE_CHUNK ranks, freed when all of them are complete. Freeing each separately took a third of the
   time of a broadcast. */
struct price_chunk {
  struct price_block *blocks; /* newest first */
  size_t used;                /* bytes of the newest */
  uint32_t left;              /* ranks that are not complete */
};

/* Members that few events need. */
struct price_aside {
  uint32_t tails[PRICE_LISTS]; /* of lists of two or more */
  uint64_t wake;               /* when an event for the port to send is due */
};

/* Only for the critical path. */
struct price_trail {
  struct price_note *notes; /* [vertex_count] */
  uint32_t processor_user, send_user, receive_user;
};

/* Costs of messages of one size, in quanta. */
struct price_cost {
  uint64_t bytes;
  uint64_t send, gap, transit, receive, reduce, copy;
  bool known;
};

enum { PRICE_COSTS = 64 };

struct price_place {
  uint32_t rank, vertex;
};

/* A growing array of places. */
struct price_places {
  struct price_place *items;
  size_t count, capacity;
};

/* A message that has left, whose receive is not known yet. */
struct price_departure {
  uint32_t peer, sender, send;
  uint32_t receive; /* once it is known */
  uint64_t bytes;
};

struct price_departures {
  struct price_departure *items;
  size_t count, capacity;
};

struct price_state;

/* How messages go: eager or rendezvous. */
struct price_discipline {
  void (*post)(struct price_state *state, uint32_t rank, uint32_t vertex); /* of a send or receive */
  void (*dispatch)(struct price_state *state, uint32_t rank);              /* begin all that the rank can begin now */
  void (*settle)(struct price_state *state); /* something departed, and no rank can begin anything more now */
  void (*event)(struct price_state *state, uint32_t rank, uint32_t vertex, unsigned kind);
};

extern const struct price_discipline tutti_price_eager, tutti_price_rendezvous;

struct price_state {
  int size;
  struct price_rank *ranks;   /* [size], as all by rank */
  struct price_chunk *chunks; /* [size / PRICE_CHUNK, rounded up] */
  struct price_aside *asides;
  struct price_trail *trails; /* NULL: no path is asked for */
  bool *is_dirty;             /* in price_state.dirty */
  const struct price_discipline *discipline;
  const tutti_costs *costs;
  const tutti_price_options *options;
  uint64_t latency;
  struct price_cost cache[PRICE_COSTS];
  struct calendar calendar;
  struct price_places complete;     /* vertices to be completed */
  struct price_places dirty;        /* ranks that may be able to begin something; vertices are not used */
  struct price_departures departed; /* eager: now */
  uint64_t vertices, messages, most_vertices, most_bytes, end;
  uint64_t bytes;               /* held by the ranks when all were loaded */
  double scale;                 /* quanta a second */
  struct price_departure stray; /* a message without a receive; sender PRICE_NONE: none */
  bool too_fine;                /* time does not fit: take a larger quantum */
  bool no_memory;
  bool bad_cost; /* cost_error names it */
  tutti_error *cost_error;
};

/* Kinds of events, in the lowest two bits of calendar_event.what; the vertex is above. */
enum { PRICE_COMPLETE, PRICE_WAKE, PRICE_ARRIVE };

static inline uint32_t *price_edges_of(const struct price_rank *rank)
{
  return (uint32_t *)(rank->vertices + rank->vertex_count);
}

static inline struct price_channel *price_channels_of(const struct price_rank *rank)
{
  return (struct price_channel *)(price_edges_of(rank) + rank->edge_count);
}

static inline struct price_note *price_note_of(const struct price_state *state, uint32_t rank, uint32_t vertex)
{
  return state->trails ? &state->trails[rank].notes[vertex] : NULL;
}

static inline struct price_vertex *price_vertex_of(const struct price_state *state, uint32_t rank, uint32_t vertex)
{
  return &state->ranks[rank].vertices[vertex];
}

/* ---- price_load.c ---- */

/* Free what tutti_price_load() made, also if it failed. */
void tutti_price_unload(struct price_state *state);

/* Forget a rank that is complete. */
void tutti_price_retire(struct price_state *state, uint32_t rank);

/* Makes the schedule of a rank; called by several threads at once. */
typedef tutti_status (*price_source)(const void *context, int rank, tutti_arena *arena, tutti_schedule *schedule,
                                     tutti_error *error);

/* Load the schedules of all ranks. */
tutti_status tutti_price_load(struct price_state *state, price_source source, const void *context, uint64_t type_size,
                              tutti_error *error);

/* ---- price_post.c ---- */

/* No dependency is left: post it, and those after it in its channel that wait for nothing else. */
void tutti_price_post(struct price_state *state, uint32_t rank, uint32_t vertex);

/* Complete a vertex now, and all that takes no time after it. */
void tutti_price_complete(struct price_state *state, uint32_t rank, uint32_t vertex);
void tutti_price_drain(struct price_state *state);

/* The receive at the peer for the next message of a sender. Both know each other from now on. PRICE_NONE, and
   state->stray, without a receive of the same bytes. */
uint32_t tutti_price_meet(struct price_state *state, const struct price_departure *message);

/* Add to a list in vertex order; take out of it. */
void tutti_price_insert(struct price_state *state, uint32_t rank, enum price_list list, uint32_t vertex);
void tutti_price_remove(struct price_state *state, uint32_t rank, enum price_list list, uint32_t vertex);

/* The rank may be able to begin something: it will be asked. */
void tutti_price_touch(struct price_state *state, uint32_t rank);

/* After @p delay quanta. */
void tutti_price_after(struct price_state *state, uint64_t delay, uint32_t rank, uint32_t vertex, unsigned kind);

/* ---- price.c ---- */

/* Costs of a size. */
struct price_cost tutti_price_cost(struct price_state *state, uint64_t bytes);

/* ---- price_run.c, price_terms.c: the critical path ---- */

/* Note why and when a vertex begins, and trace it. @p user had what it waited for if it was ready before now. */
void tutti_price_note(struct price_state *state, uint32_t rank, uint32_t vertex, uint32_t user, uint64_t duration);

/* The costs on the way back from the vertex that completes last. */
tutti_status tutti_price_add_up(const struct price_state *state, struct price_place last, tutti_price *price,
                                tutti_error *error);

/* The steps of the critical path, and its costs. */
tutti_status tutti_price_trace_back(const struct price_state *state, tutti_price *price, tutti_error *error);

#endif
