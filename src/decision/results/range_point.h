/* The points of tutti-range: the operations of Axtmann, Wiebigke, Sanders 2018, VIII-B, and the ways to do them.

       create          all processes make two groups, the first `size` (0: half) and the rest           (figure 5)
       overlapping     groups of `size` (0: four) that share one process: 0..3, 3..6, 6..9, ...         (figure 6)
       bcast, reduce,  one nonblocking operation on all processes, `count` doubles each;
       scan, gather    root is rank 0                                                                  (figures 4, 9)
       subrange-bcast  the first `size` (0: half) make a group and broadcast on it `uses` times         (figure 7) */
#ifndef TUTTI_RESULTS_RANGE_POINT_H
#define TUTTI_RESULTS_RANGE_POINT_H

#include "tutti/algorithm.h"

enum range_operation {
  RANGE_CREATE,
  RANGE_OVERLAPPING,
  RANGE_BCAST,
  RANGE_REDUCE,
  RANGE_SCAN,
  RANGE_GATHER,
  RANGE_SUBRANGE_BCAST,
  RANGE_OPERATIONS
};

enum range_way {
  WAY_RANGES,             /* a range: no message */
  WAY_VIEW,               /* the view of all processes, to which a range of all of them is compared */
  WAY_NATIVE,             /* the library's own nonblocking collective */
  WAY_CREATE_GROUP,       /* MPI_Group_range_incl and MPI_Comm_create_group */
  WAY_SPLIT,              /* MPI_Comm_split */
  WAY_CREATE_GROUP_MPICH, /* MPICH's way on our schedules (groups/mpich.h) */
  WAY_SPLIT_MPICH,
  RANGE_WAYS
};

/* Which of its two groups does a process make first? */
enum range_order {
  ORDER_NONE,        /* it has one */
  ORDER_CASCADED,    /* the left one */
  ORDER_ALTERNATING, /* every other process the left one, the others the right one */
  RANGE_ORDERS
};

enum { RANGE_WAY_LENGTH = 32 }; /* TUTTI_RESULT_WORD */

struct range_point {
  enum range_operation operation;
  enum range_way way;
  char way_name[RANGE_WAY_LENGTH]; /* "ranges", or with a method other than the default "ranges/chain/8KB" */
  enum range_order order;
  int size;            /* as requested; 0: the default of the operation */
  uint64_t count;      /* doubles of one process */
  int uses;            /* of subrange-bcast; else 0 */
  tutti_method method; /* for the ways that run our schedules */
};

/* Names; NULL past the last. An order of none is "-". */
const char *tutti_range_operation_name(enum range_operation operation);
const char *tutti_range_way_name(enum range_way way);
const char *tutti_range_order_name(enum range_order order);

/* Whether this way exists for the operation. */
bool tutti_range_has_way(enum range_operation operation, enum range_way way);

/* Whether it moves data by our own schedules, so that it may have another method. */
bool tutti_range_takes_method(enum range_operation operation, enum range_way way);

/* Whether a way consists of our own schedules and computing that is charged, so that the fast engine supports it. */
bool tutti_range_is_scheduled(enum range_way way);

/* A name as in a points file. TUTTI_ERR_ARGUMENT names the known ones. */
tutti_status tutti_range_operation_parse(const char *name, enum range_operation *operation, tutti_error *error);
tutti_status tutti_range_order_parse(const char *name, enum range_order *order, tutti_error *error);

/* The way, and its method if one follows; the operation must be set. */
tutti_status tutti_range_way_parse(const char *name, struct range_point *point, tutti_error *error);

/* Check that `ranks` processes can do it. TUTTI_ERR_ARGUMENT gives the reason. */
tutti_status tutti_range_point_check(const struct range_point *point, int ranks, tutti_error *error);

/* The size that is meant. */
int tutti_range_point_size(const struct range_point *point, int ranks);

/* "create way=ranges order=- size=0 count=0 uses=0": `text` has RANGE_POINT_LENGTH bytes and is returned. */
enum { RANGE_POINT_LENGTH = 192 };
char *tutti_range_point_format(const struct range_point *point, char *text);

#endif
