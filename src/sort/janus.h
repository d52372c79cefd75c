/* Janus Quicksort on one process: its tasks, its base cases, and the groups of subtasks. */
#ifndef TUTTI_SORT_JANUS_H
#define TUTTI_SORT_JANUS_H

#include "sort/task.h"

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

/* A task that owns nothing yet; NULL with a message if there is no memory. */
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
 * like their places, and two of them that are neighbors share at most one process. A group can wait only for one
 * that shares a process with it which is in the other's creation; so if some wait, follow them from one to the next:
 * the way leads along the row, cannot turn back, for the shared process is in one of the two creations only, and so
 * ends at a group that waits for none. The order decides how long such chains are (section VIII-B).
 */
tutti_status tutti_sort_groups(struct janus *janus, const struct task *const *parents, int parent_count,
                               const struct child *children, int child_count);

#endif
