/* How flows share links: weighted max-min fairness, or, with a limit of one flow a link, first come, first served. It
   follows SimGrid's linear max-min system (3.32) step by step, as the order of steps decides ties and last digits:

   A flow is created staged out (disabled) on all links of its route, joins when its latency is paid, and leaves. What
   changes marks links: creating a flow marks each of its links, joining and leaving the first link alone; marking a
   link that is not marked marks all that are connected with it by joined flows. Only what is marked is shared anew. So
   a flow that joins where its first link is marked already does not make its other links be looked at. */
#ifndef TUTTI_ENGINE_SHARING_H
#define TUTTI_ENGINE_SHARING_H

#include <stdbool.h>
#include <stdint.h>

#include "harness/engine/core/heap.h"
#include "harness/engine/core/levels.h"
#include "harness/engine/machine/network.h"

struct sharing_flow {
  double value;                  /* B/s that sharing gives it */
  double bound;                  /* at most: the smallest bandwidth of its links */
  double penalty;                /* it gets a share in proportion to 1 / penalty: the latency of its route */
  uint32_t first_hop, hop_count; /* once it has joined: those of its path; none: it is over */
  uint32_t path;                 /* once it has joined */
  uint32_t older, newer;         /* flows of its path */
  uint32_t joined_as;            /* the how manieth of all that joined */
  uint32_t changed;              /* the solving that listed it among the changed */
  bool joined, staged;           /* staged: would join without the limit */
  bool fixed;                    /* while solving: has its value */
  bool collected;                /* while solving: is about to get it */
};

/* Flows that have joined on the same links, such as those between the ranks of two nodes: they are marked as one. */
struct sharing_path {
  uint32_t solving; /* before which marking has met it */
  uint32_t left;    /* hops that it has not passed since */
  uint32_t listed;  /* the solving that listed its flows among the changed */
  uint32_t group;   /* in which it was met */
  uint32_t first_hop, hop_count;
  uint32_t count;     /* of its flows */
  uint32_t newest;    /* flow; ENGINE_NONE: it is over */
  uint32_t joined_as; /* that of the newest */
};

/* The members of a link that are read most often, apart from the rest, which is mostly far away in memory. */
struct sharing_link {
  double bound;
  uint32_t mark;  /* place among the marked, or ENGINE_NONE */
  uint32_t only;  /* the flow that has joined, if it is one alone; ENGINE_NONE: no flow, SHARING_MANY: several */
  uint32_t path;  /* the same for their paths */
  uint32_t light; /* while solving: its place among the lights, or ENGINE_NONE */
};

#define SHARING_MANY (ENGINE_NONE - 1)

/* State of a link with several flows. */
struct sharing_load {
  struct engine_numbers joined; /* flows, oldest first, where they are several */
  struct engine_numbers paths;  /* of these flows, in the order of their newest, where they are several */
  double weight;                /* of all flows, unless `stale` */
  double each;                  /* of each flow, if `even` */
  bool stale, fat_pipe;
  bool even; /* all have the same: it is not asked of each of them */
  tutti_contention contention;
};

/* The flows of the same links that wait. */
struct sharing_queue {
  uint32_t flows; /* a heap by creation (engine/heap.h); ENGINE_NONE: the queue has ended */
  uint32_t key;   /* of the first of them */
  uint32_t first_hop, hop_count;
};

/* The queues that wait for a link, by their keys: numbers of hops. */
struct sharing_list {
  uint32_t first, last;
};

struct sharing_place {
  uint32_t queue;
  uint32_t next, previous; /* hops in the same list */
};

/* Waiting flows, where links carry one flow at a time. */
struct sharing_waits {
  struct sharing_list *lists; /* [link_count] */
  struct {
    TUTTI_VECTOR(struct heap_node);
  } nodes; /* of flows */
  struct {
    TUTTI_VECTOR(struct sharing_queue);
  } queues;
  struct {
    TUTTI_VECTOR(struct sharing_place);
  } places;                    /* of the hops of queues */
  struct engine_numbers slots; /* queues by the hash of their links; also some that have ended */
  uint32_t used_slots;
  uint32_t unused;  /* queues: a chain through first_hop */
  uint32_t created; /* flows */
};

struct sharing_frame {
  const uint32_t *paths; /* of a link */
  uint32_t left;         /* that are still to be looked at */
};

/* While solving, a link that is not saturated yet. */
struct sharing_light {
  double remaining, usage; /* once they are counted */
  double nothing;          /* less than this is nothing left */
  uint32_t link;
  bool fat_pipe;
};

struct sharing {
  struct levels *levels; /* levels.h; NULL: shares are SimGrid's */
  double precision; /* anything smaller than this part of a bandwidth, or than this, counts as 0: maxmin/precision */
  uint32_t limited; /* this many of the first links carry one flow at a time: all, the cables, or none */
  uint32_t link_count;
  struct sharing_link *links; /* [link_count] */
  struct sharing_load *loads; /* [link_count] */
  uint32_t *users;            /* [link_count] flows that are there, joined or not */
  uint8_t *busy;              /* [link_count] with a limit: whether a flow has joined it, other than as its way back */
  bool weighted;              /* flows take other parts of links than 1 */
  bool may_weigh;             /* routes may come that have a link twice: from then on it is weighted */
  bool alone;                 /* no flow meets another on any link */
  struct engine_numbers hops; /* the links of a flow, one after the other */
  struct {
    TUTTI_VECTOR(double);
  } weights;                               /* if weighted: what a B/s of the flow takes of each of them */
  uint32_t free_hops[ENGINE_MAX_HOPS + 1]; /* by length of route: first of a chain through the first hop */
  struct {
    TUTTI_VECTOR(struct sharing_flow);
  } flows;
  struct {
    TUTTI_VECTOR(struct sharing_path);
  } paths;
  uint32_t home_count;             /* of flows and paths: numbers that are given on demand, if they are not in use */
  uint32_t free_flows, free_paths; /* the other ones: chains through first_hop */
  uint32_t joins, solvings;
  struct sharing_waits waits;
  struct engine_numbers marked;      /* in the order in which they were; ENGINE_NONE where one has gone */
  struct engine_numbers groups_of;   /* the group of each that is marked */
  struct engine_numbers groups;      /* a forest: parent of each */
  struct engine_numbers flow_counts; /* flows of the paths that were met in each; while solving in the root alone */
  struct engine_numbers changed;     /* flows to be dated: what tutti_sharing_solve() found */
  /* Only while a call lasts. */
  struct {
    TUTTI_VECTOR(struct sharing_frame);
  } stack;
  struct {
    TUTTI_VECTOR(struct sharing_light);
  } lights;
  struct {
    TUTTI_VECTOR(double);
  } ratios; /* of the lights: remaining / usage; negative: not known */
  struct engine_numbers saturated, to_fix, by_group, starts, unlisted;
};

/* Make the links of a network; each carries one flow at a time (maxmin/concurrency-limit is 1) if @p one_at_a_time,
   else as the network says; precision is SimGrid's 1e-5 and may be set; free with tutti_sharing_free(). */
void tutti_sharing_init(struct sharing *sharing, const struct engine_network *network, bool one_at_a_time);

/* Share within a tolerance from the beginning (levels.h), unless links carry one flow at a time: that is exact. */
void tutti_sharing_tolerate(struct sharing *sharing, double tolerance);
void tutti_sharing_free(struct sharing *sharing);

/* Before there are flows: their first @p count numbers are given on demand. Flows of neighboring ranks share links more
   often than others; with neighboring numbers they are close in memory. */
void tutti_sharing_settle(struct sharing *sharing, uint32_t count);

/* A new flow along a route, not joined yet; its rate is @p most at most. Its number is @p home, if it can be. */
uint32_t tutti_sharing_create(struct sharing *sharing, const struct engine_route *route, uint32_t home, double penalty,
                              double most);

/* Its latency is paid: it joins, or is staged until its links are free. */
void tutti_sharing_join(struct sharing *sharing, uint32_t flow);

/* The same for a new flow without a latency: SimGrid does not look at the links of its way back then. */
void tutti_sharing_join_new(struct sharing *sharing, uint32_t flow);

/* It is over; its number may be used again. */
void tutti_sharing_leave(struct sharing *sharing, uint32_t flow);

/* Share the marked links; `changed` lists the flows concerned in the order in which their dates are to be set. */
void tutti_sharing_solve(struct sharing *sharing);

/* The links of a flow: `hop_count` of them. */
static inline const uint32_t *sharing_hops(const struct sharing *sharing, const struct sharing_flow *flow)
{
  return &sharing->hops.items[flow->first_hop];
}

/* What a B/s of a flow takes of its @p hop th link. */
static inline double sharing_weight(const struct sharing *sharing, const struct sharing_flow *flow, uint32_t hop)
{
  return sharing->weighted ? sharing->weights.items[flow->first_hop + hop] : 1.0;
}

/* One alone, or those of a list, and how many. */
static inline const uint32_t *sharing_listed(const uint32_t *only, const struct engine_numbers *several,
                                             uint32_t *count)
{
  *count = *only == SHARING_MANY ? (uint32_t)several->count : *only != ENGINE_NONE;
  return *only == SHARING_MANY ? several->items : only;
}

/* Append one more. */
static inline void sharing_list(uint32_t *only, struct engine_numbers *several, uint32_t number)
{
  if (*only == ENGINE_NONE) {
    *only = number;
    return;
  }
  if (*only != SHARING_MANY)
    engine_push(several, *only);
  *only = SHARING_MANY;
  engine_push(several, number);
}

/* Move one of several to the end. */
static inline void sharing_put_last(const struct engine_numbers *several, uint32_t number)
{
  size_t place = several->count - 1;
  for (uint32_t later = several->items[place]; later != number;) {
    const uint32_t item = several->items[--place];
    several->items[place] = later;
    later = item;
  }
  several->items[several->count - 1] = number;
}

/* One is there no longer. A list of one needs no memory: most links have no more for most of the time. */
static inline void sharing_unlist(uint32_t *only, struct engine_numbers *several, uint32_t number)
{
  if (*only != SHARING_MANY) {
    *only = ENGINE_NONE;
    return;
  }
  sharing_put_last(several, number);
  if (--several->count > 1)
    return;
  *only = several->items[0];
  tutti_vector_free(several);
}

/* The flows that have joined a link, oldest first, and how many. */
static inline const uint32_t *sharing_joined(const struct sharing *sharing, uint32_t link, uint32_t *count)
{
  return sharing_listed(&sharing->links[link].only, &sharing->loads[link].joined, count);
}

/* The paths of these flows, in the order of their newest, and how many. */
static inline const uint32_t *sharing_paths(const struct sharing *sharing, uint32_t link, uint32_t *count)
{
  return sharing_listed(&sharing->links[link].path, &sharing->loads[link].paths, count);
}

/* ---- sharing_paths.c ---- */

/* Space for the links of a flow; returns the first. */
uint32_t tutti_hops_new(struct sharing *sharing, uint32_t count);
void tutti_hops_free(struct sharing *sharing, uint32_t first, uint32_t count);

/* From now on hops have weights; those that are there have 1. */
void tutti_hops_weigh(struct sharing *sharing);

/* Make the flow the newest of the path of its links; the path is made if it is missing. */
void tutti_path_join(struct sharing *sharing, uint32_t flow);

/* It is one no longer; a path without flows is over. */
void tutti_path_leave(struct sharing *sharing, const struct sharing_flow *flow);

/* The same on each of its links, after tutti_path_leave(). */
void tutti_path_leave_link(struct sharing *sharing, uint32_t path, uint32_t link);

/* After that: if the path is over, its number and its hops may be used again. */
void tutti_path_end(struct sharing *sharing, uint32_t path);

/* ---- sharing_mark.c ---- */

/* Mark a link and, unless it is marked, all links connected with it by joined flows. */
void tutti_sharing_mark(struct sharing *sharing, uint32_t link);

/* The link is unused now: it loses its place. */
void tutti_sharing_unmark(struct sharing *sharing, uint32_t link);

/* A flow has joined, of a path that was met before (@p again) or not: count it where its first link is, which is
   marked. Its other marked links are shared together with that, though one was marked without the other. */
void tutti_sharing_add(struct sharing *sharing, const struct sharing_flow *flow, bool again);

/* A flow leaves a path that has been met. */
void tutti_sharing_remove(struct sharing *sharing, const struct sharing_flow *flow);

/* The number of the group that a marked link is in by now. */
uint32_t tutti_sharing_group(struct sharing *sharing, uint32_t link);

/* ---- sharing_queue.c: with a limit of one flow a link ---- */

void tutti_queue_init(struct sharing *sharing);
void tutti_queue_free(struct sharing *sharing);

/* A flow is new: those that wait are served in this order. */
void tutti_queue_create(struct sharing *sharing, uint32_t flow);

/* True if the flow must wait for one of its links, or of those of its way forth; it is queued then. */
bool tutti_queue_holds(struct sharing *sharing, uint32_t flow, bool forth);

/* Remove and return the first flow, in the order of creation, that waits for the link and finds all its links free, or
   ENGINE_NONE. */
uint32_t tutti_queue_next(struct sharing *sharing, uint32_t link);

/* ---- sharing_solve.c ---- */

/* Give the @p flows flows of connected links their values. */
void tutti_sharing_solve_group(struct sharing *sharing, const uint32_t *links, uint32_t count, uint32_t flows);

#endif
