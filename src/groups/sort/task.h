/* One level of Janus Quicksort on one group: a task, from its elements to the elements of its two subtasks.

   A task is an interval of places and the processes that own them. It is a state machine: each step begins nonblocking
   operations on the view of the group and ends when they are complete, so a janus process advances two of them.

     sample  the samples of all processes, by one allreduce: every process has all, and takes the median
     count   elements less than and equal to the pivot: the sum by an allreduce, and that of the previous processes by
   an exscan combine small pieces, in the deterministic assignment; then `prefix`, the exscan of what each process has
   now exchange  elements to the owners of their places

   Messages. Two tasks that run at the same time share at most one process, so a message between two processes belongs
   to one task, and the separation of operations of views holds (V-A). An exchange receives from any source:
    - the two tasks of a janus process are separated by the tag, which tells whether the receiver is the first of the
   group; it is the first of one and not the first of the other;
    - a message of a later exchange in the same group or in a part of it cannot come while one is waited for: its sender
      has the sums of the later `count`, to which the receiver contributes only after it has received its whole share
      in the earlier exchange. From then on it waits for messages of the later one only;
    - combined pieces and base cases come from a source that is named, with tags of their own, and from one source in
      the order of the levels. */
#ifndef TUTTI_SORT_TASK_H
#define TUTTI_SORT_TASK_H

#include "base/vector.h"
#include "groups/sort/assignment.h"
#include "groups/sort/sampling.h"
#include "groups/sort/sorting.h"

/* Tags of sort_tag(). The last is that of MPI_Comm_create_group(), which in Open MPI 4.1 sends messages on the parent
   with it: a process may do so while another still waits for elements. */
enum { TAG_TO_FIRST, TAG_TO_OTHERS, TAG_COMBINE, TAG_PAIR, TAG_CREATE };

enum { SMALL, LARGE, SIDES };

enum task_step { STEP_SAMPLE, STEP_COUNT, STEP_COMBINE, STEP_PREFIX, STEP_EXCHANGE, STEP_OVER };

/* Elements of a process on one side of the pivot. */
struct sort_side {
  const char *data;
  uint64_t count, prefix; /* prefix: elements of the side on the processes in front */
};

/* Arrivals for the share of this process. */
struct arrival {
  int side, source; /* source: a rank of the group */
  uint64_t first, count;
};

struct arrivals {
  char *data; /* owned: [room of the share] in order of arrival */
  uint64_t count, wanted;
  struct {
    TUTTI_VECTOR(struct arrival);
  } list; /* owned */
};

/* Elements passed up the tree of the deterministic assignment. */
struct combining {
  struct sort_node node;
  uint64_t threshold;
  char *come[2];      /* owned: from the children */
  uint64_t counts[2]; /* elements of them */
  char *up, *kept;    /* owned: elements passed on, and all that this process has now */
};

struct task {
  struct sort *sort;
  const struct sort_places *places;
  tutti_view view;
  MPI_Comm made;            /* owned: the communicator below the view, if it was made for the task */
  struct sort_interval all; /* places of the task */
  int first, level;         /* the process of the sort that is rank 0 of the group; recursion level, from 0 */
  int side;                 /* of the task that it is a part of */
  struct sort_elements own; /* owned */
  uint64_t before;          /* elements on the processes in front */

  enum task_step step;
  tutti_request *awaited[2]; /* by this step */
  struct {
    TUTTI_VECTOR(tutti_request *);
  } sends;          /* owned: awaited at the end */
  size_t send_done; /* those waited for */
  int current;      /* which was asked for last: 0 or 1 of `awaited`, 2 a send */
  uint64_t seed;    /* of the samples */
  int sample_count;
  char *samples;                                    /* owned; once they are counted, sample 0 is the pivot */
  char *parted;                                     /* owned: elements in the order of their sides */
  uint64_t mine[SIDES], sums[SIDES], prefix[SIDES]; /* values to sum: less and equal, or small and large */
  struct sort_cut cut;
  struct sort_side sides[SIDES];
  struct combining combining;
  struct arrivals arrivals;
  struct sort_elements parts[SIDES]; /* owned: what the step after the last leaves of the own share */
  int sent, received;
};

/* The places of a side, once the task is cut. */
static inline struct sort_interval tutti_sort_side_of(const struct task *task, int side)
{
  uint64_t middle = task->all.low + task->cut.small;
  return side == SMALL ? (struct sort_interval){task->all.low, middle} : (struct sort_interval){middle, task->all.high};
}

/* A task of the processes of `view`, which owns nothing yet. */
void tutti_sort_task_init(struct task *task, struct sort *sort, const struct sort_places *places,
                          struct sort_interval all);

/* Begin the first step. */
tutti_status tutti_sort_task_begin(struct task *task);

/* The request that the task waits for; NULL if it is over. */
tutti_request **tutti_sort_task_request(struct task *task);

/* That request is complete with this status. */
tutti_status tutti_sort_task_advance(struct task *task, const MPI_Status *status);

/* Free what is owned. */
void tutti_sort_task_free(struct task *task);

/* ---- between the files of a task ---- */

/* Whether an element is on the first side. */
bool tutti_sort_is_small(const struct task *task, const char *element);

/* Bytes of a message as elements. */
uint64_t tutti_sort_received(const struct task *task, const MPI_Status *status);

/* Begin to combine; the step is over when both awaited requests are complete: tutti_sort_combine_next(). */
tutti_status tutti_sort_combine_begin(struct task *task);
tutti_status tutti_sort_combine_next(struct task *task);

/* Begin the exchange, with prefixes of the sides; take an arrival in; when all is sent, put the share in order. */
tutti_status tutti_sort_exchange_begin(struct task *task);
tutti_status tutti_sort_exchange_take(struct task *task, const MPI_Status *status);
tutti_status tutti_sort_exchange_end(struct task *task);

/* ---- Janus Quicksort on one process ---- */

/* A task of one or two processes, put aside until all larger ones are done. */
struct base {
  struct base *next;
  struct sort_interval all;
  int first, members;       /* processes of the sort */
  struct sort_elements own; /* owned */
  char *together;           /* owned: elements of both, those of the first one in front */
  tutti_request *requests[2];
};

/* A process is in one task, or the last of one and the first of another. Two more while a task is divided. */
enum { MAX_TASKS = 4 };

struct janus {
  struct sort *sort;
  struct sort_places places;
  struct sort_interval own;      /* places of this process */
  char *output;                  /* owned: [length of own] */
  struct task *tasks[MAX_TASKS]; /* owned; by places */
  int task_count, started;
  struct base *bases; /* owned */
};

/* A task that owns nothing yet; NULL with a message without memory. */
struct task *tutti_sort_new_task(struct janus *janus, struct sort_interval all);

/* Begin a task; it is one of the process from now on. */
tutti_status tutti_sort_start(struct janus *janus, struct task *task);

/* Take the tasks that are over out of the list, and put their subtasks in. */
tutti_status tutti_sort_divide(struct janus *janus);

/* Put aside a base case; takes the elements over. */
tutti_status tutti_sort_put_aside(struct janus *janus, struct sort_interval all, int first, int members,
                                  struct sort_elements *own);

/* Sort the base cases, those of two processes at the same time. */
tutti_status tutti_sort_bases(struct janus *janus);

/* A subtask and the task it is a part of. Members of a base case have a task without a child. */
struct child {
  const struct task *parent;
  struct task *task;
};

/* Give all processes of a sort a group, if the layer needs one that is not there. */
tutti_status tutti_sort_root_group(struct task *root);

/*
 * Give the children groups: for ranges by arithmetic, one after the other in any order of processes. Layers of MPI are
 * blocking and collective over the new group (create-group) or the old one (split), and a janus process has two of them
 * to call. All tasks of a process have then ended their level.
 *
 * There is no deadlock, in whatever order a janus process creates its groups: the groups of a level follow each other
 * like their places, and two neighbors share at most one process. A group can wait only for one that shares a process
 * with it which is in the other's creation; so if some wait, follow them from one to the next: the way leads along the
 * row, cannot turn back, as the shared process is in one of the two creations only, and so ends at a group that waits
 * for none. The order decides how long such chains are (section VIII-B).
 */
tutti_status tutti_sort_groups(struct janus *janus, const struct task *const *parents, int parent_count,
                               const struct child *children, int child_count);

#endif
