/* GOAL as text and as bytes: what both share. */
#ifndef TUTTI_ENGINE_WORKLOAD_GOAL_H
#define TUTTI_ENGINE_WORKLOAD_GOAL_H

#include "harness/engine/trace/workload_read.h"

#define GOAL_MAX_BYTES       (UINT64_C(1) << 50)
#define GOAL_MAX_NANOSECONDS (UINT64_C(1) << 58)
#define GOAL_ANY             UINT64_MAX

/* The other rank of a message and its tag; GOAL_ANY of either. */
struct goal_ends {
  uint64_t peer, tag;
};

/* ---- workload_goal_words.c ---- */

enum { GOAL_WORDS = 16 };

struct goal_word {
  const char *text;
  size_t length;
};
struct goal_text {
  const char *at;                     /* the next byte */
  uint64_t here, line;                /* the line of that, and of the statement */
  struct goal_word words[GOAL_WORDS]; /* of the statement */
  int count;
};

/* The next statement: a line, and less around braces. False at the end. */
bool tutti_goal_next(struct goal_text *text);
bool tutti_goal_is(const struct goal_text *text, int at, const char *word);
bool tutti_goal_number(const struct goal_word *word, uint64_t most, uint64_t *number);

/* ---- workload_goal.c ---- */

/* Set peer and channel of a message. */
void tutti_goal_set_ends(struct workload_pairs *channels, const struct goal_ends *ends, struct workload_op *op);

/* After all ranks: find what receives from any rank get. Of a file that is not `whole`, messages whose other end was
   passed over are left out. Frees the channels. */
void tutti_goal_end(struct workload *workload, struct workload_pairs *channels, bool whole);

#endif
