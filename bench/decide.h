/* What bench-decide compares: ways to decide, and the questions that all of them are asked. */
#ifndef TUTTI_BENCH_DECIDE_H
#define TUTTI_BENCH_DECIDE_H

#include "tutti/learn.h"
#include "tutti/learners.h"
#include "tutti/target.h"

struct question {
  int ranks, ranks_per_node;
  uint64_t bytes;
};

/* Questions are timed in slices, so short that some round of each is not disturbed. */
enum { SLICES = 64, SLICE = 4096, QUESTIONS = SLICES * SLICE };

/* A decision function as plain C; returns any number that depends on what it picks. */
typedef int (*decide_code)(int ranks, uint64_t bytes);

/* One way to decide: one of the first three is there. */
struct way {
  decide_code code;
  const tutti_quadtree *tree;
  const tutti_decision *decision;
  double apart[SLICES];   /* least nanoseconds of a decision in each slice, questions independent */
  double chained[SLICES]; /* and each waiting for the answer before, which no processor can overlap */
  uint64_t checksum;      /* sum of the answers */
};

/* [QUESTIONS] Communicators of 2 to 64 ranks, evenly; 1 B to 16 MB, each power of two as often as any other. NULL: out
   of memory. */
struct question *questions_draw(void);

/* Time ways, which take turns, so that a busy machine is busy for all of them. False: the answers of one changed. */
bool ways_time(struct way *const *ways, int count, const struct question *questions, int rounds);

/* Mean over the slices. */
double mean_of(const double *slices);

/* The rules of libraries, of which the first is what others are compared with, and nothing but the loop. */
enum { RULES = 4 };
extern const char *const rule_names[RULES];

/* @param rules  [RULES]
   @return TUTTI_ERR_ARGUMENT: no library has a rule for the collective that could be called by itself */
tutti_status rules_set(tutti_collective collective, struct way *rules, tutti_error *error);

/* What `tutti export --format c` writes, compiled and loaded. */
struct exported {
  decide_code code;
  const char *const *(*choice)(int index); /* the first member is the name of the method */
  int ifs, lines;                          /* of the function */
};

/* Export for all communicators and messages, compile with ${CC:-cc} -O2 and load, for the rest of the run. */
tutti_status export_compiled(const tutti_decision *decision, const tutti_decision_map *map, struct exported *exported,
                             tutti_error *error);

/* A decision function in its forms. */
struct entry {
  char name[40];
  double mean_depth, penalty;
  size_t bytes;            /* of the quadtree */
  tutti_quadtree *tree;    /* NULL: the function is none */
  tutti_decision decision; /* read from a file, as the interposer does; no name: the function has no file */
  struct exported exported;
  struct way memory, code, file;
};

void entry_free(struct entry *entry);

/* Learn from a map. Depth 0: exact. @{ */
tutti_status entry_quadtree(struct entry *entry, const tutti_decision_map *map, int depth, tutti_error *error);
tutti_status entry_c45(struct entry *entry, const tutti_decision_map *map, tutti_error *error);
/** @} */

/* An octree in memory, of the map taken for what was measured with 1, 2 and 4 ranks a node. */
tutti_status entry_octree(struct entry *entry, const tutti_decision_map *map, int depth, tutti_error *error);

/* Do all forms of an entry pick the same methods? */
tutti_status entry_check(const struct entry *entry, const tutti_decision_map *map, const struct question *questions,
                         tutti_error *error);

#endif
