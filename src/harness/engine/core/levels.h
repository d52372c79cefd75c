/* Weighted max-min shares within a tolerance, for crowded networks: the way of sharing of `--engine flow`.

   Each saturated link has a level, and so has each path: the smallest of its links' levels and of its own bound. A flow
   gets the level of its path divided by its penalty. The level of a link is where its flows, each at the level that it
   has elsewhere or at that of the link, take all of its bandwidth (Bertsekas, Gallager, Data Networks, section 6.5.2;
   Charny, Clark, Jain 1995). A flow that joins or leaves has the levels of its links computed again, and those of the
   links that meet them; a level that differs by less than the tolerance stays as it is, and so do all behind it.
   The level of a fat pipe is the one at which the first of its flows takes all of its bandwidth: as in SimGrid, those
   with a larger penalty have less of it then, though it has room for them.

   So at any time the rates are the exact shares in a network whose links have between 1 - tolerance and 1 + tolerance
   times their bandwidth. SimGrid's rule of what counts as changed, which leaves some flows with old shares, is not
   followed. */
#ifndef TUTTI_ENGINE_LEVELS_H
#define TUTTI_ENGINE_LEVELS_H

#include "harness/engine/core/numbers.h"

struct sharing;

struct level_path {
  double least;   /* its level */
  double second;  /* what its level would be without the first link */
  double most;    /* its own bound */
  double each;    /* B/s of one flow at level 1 */
  double weight;  /* of all its flows */
  uint32_t first; /* a link whose level it has, or ENGINE_NONE: its own bound */
  bool listed;    /* among the changed */
};

/* While the level of a link is computed, a path of it. */
struct level_share {
  double offer;  /* the level that it may have elsewhere */
  double each;   /* what one flow takes of the link at level 1 */
  double weight; /* what all of them take */
};

struct level_link {
  double level; /* infinite: it is not saturated */
  double used;  /* B/s */
  double room;  /* bandwidth for the flows that were there when its level was computed */
  double each;  /* of a fat pipe: that of its newest path; 0: it had none */
  bool uneven;  /* of a fat pipe: it had flows of several penalties, or one that takes it twice */
  bool queued;
};

struct levels {
  double tolerance;                     /* a part of a level */
  struct level_link *links;             /* [link_count] */
  struct engine_numbers queue, changed; /* links; paths */
  struct {
    TUTTI_VECTOR(struct level_path);
  } paths; /* by number of the path */
  struct {
    TUTTI_VECTOR(struct level_share);
  } shares;
};

/* Make those of a network that is being shared; free with tutti_levels_free(). */
struct levels *tutti_levels_new(const struct sharing *sharing, double tolerance);
void tutti_levels_free(struct levels *levels);

/* A flow has joined its path, or is about to leave it. */
void tutti_levels_join(struct sharing *sharing, uint32_t flow);
void tutti_levels_leave(struct sharing *sharing, uint32_t flow);

/* Give all flows their values; `changed` of the sharing lists those whose value is another one. */
void tutti_levels_solve(struct sharing *sharing);

#endif
