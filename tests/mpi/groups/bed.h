/* Common parts of the tests of groups: processes, and splits of them with the expected result of each. */
#ifndef TUTTI_TESTS_GROUPS_BED_H
#define TUTTI_TESTS_GROUPS_BED_H

#include "../check.h"
#include "tutti/group.h"
#include "unit/base/random.h"

enum { SETS = 6 /* kinds of member sets */ };

struct bed {
  struct checks checks;
  tutti_view view;
  MPI_Comm comm; /* of the processes of the view, in its order: gathers the results */
  tutti_endpoint *endpoint;
  tutti_group *all; /* a group of all processes */
  uint64_t seed;    /* the same on all processes: what is done */
  uint64_t own;     /* of this process: the order of its calls */
  int trial;
};

/* A split and what it has to be. */
struct asked {
  tutti_split how;
  int *color; /* [processes] -1 also for those that do not take part */
  bool takes_part;
  tutti_group *group;
};

static inline int below(uint64_t *seed, int bound)
{
  return (int)random_below(seed, (uint64_t)bound);
}

static inline const char *name_of(const struct asked *asked)
{
  return tutti_group_builder_name(asked->how.builder);
}

static inline void must(struct bed *bed, tutti_status status, const char *what, const tutti_error *error)
{
  check(&bed->checks, status == TUTTI_OK, "rank %d of %d, trial %d, %s: %s", bed->view.rank, bed->view.size, bed->trial,
        what, error->message);
  if (status != TUTTI_OK)
    MPI_Abort(MPI_COMM_WORLD, 1);
}

static inline void refused(struct bed *bed, tutti_status expected, tutti_status status, const char *what)
{
  check(&bed->checks, status == expected, "rank %d, trial %d: %s gives status %d, not %d", bed->view.rank, bed->trial,
        what, status, expected);
}

/* A split of all processes, or of those with a color of a parent, by a member set of a kind. The colors are the
   caller's to free. */
struct asked ask_for(struct bed *bed, const tutti_group_builder *builder, int kind, const int *parent_color,
                     int parent);

/* Whether a builder splits groups; the chain does not, which needs all processes in order. */
bool splits_again(const tutti_group_builder *builder);

/* A random one, among all or among those that split groups. */
const tutti_group_builder *any_builder(struct bed *bed, bool again);

/* Gather the groups at rank 0, which validates them, and whether it would find a fault. */
void validate_split(struct bed *bed, const struct asked *asked);

/* Collectives, look-ups and messages on the groups; then a barrier of all processes. */
void use_split(struct bed *bed, const struct asked *asked);

/* Every builder with every kind of member set, then many splits at once, so often. */
void split_all(struct bed *bed, int many);

/* Calls that must be refused. */
void misuse_groups(struct bed *bed);

#endif
