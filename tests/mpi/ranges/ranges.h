/* Views, each with an independent list of its members, and operations on them. */
#ifndef TUTTI_TESTS_RANGES_RANGES_H
#define TUTTI_TESTS_RANGES_RANGES_H

#include "../check.h"
#include "tutti/collectives.h"

/* A view and what it should be. */
struct subject {
  const char *name;
  tutti_view view;
  const int *members; /* [view.size] ranks of the communicator */
  int world;          /* processes of the communicator */
};

/* Ranks, there and back. Every process may call it. */
void check_ranks(struct checks *checks, const struct subject *subject);

/* The collectives of table I, blocking and nonblocking. Members call. */
void check_operations(struct checks *checks, struct subject *subject);

/* Messages and probes. Members call. */
void check_messages(struct checks *checks, const struct subject *subject);

/* The same on views of maps of several kinds, and on their ranges. */
void check_maps(struct checks *checks, const tutti_view *world);

/* Two ranges that share one process, with the same tags at the same time. */
void check_meetings(struct checks *checks, const tutti_view *world);

/* How many processes two views share, against counting. */
void check_overlaps(struct checks *checks, const tutti_view *world);

/* Refused calls, and the words of the errors. */
void check_refusals(struct checks *checks, const tutti_view *world);

/* All checks on one subject. Every process calls. */
static inline void check_subject(struct checks *checks, struct subject *subject)
{
  check_ranks(checks, subject);
  if (subject->view.rank < 0)
    return;
  check_operations(checks, subject);
  check_messages(checks, subject);
}

#endif
