/* What stands of a split, against what was asked for: all memberships at rank 0. */
#include "bed.h"

enum { CHAIN_CHILDREN = 31 };

enum {
  SIZE,
  RANK,
  PARENT,
  HEIGHT,
  DEGREE,
  CHILD_COUNT,
  CHILDREN,
  SIZES = CHILDREN + CHAIN_CHILDREN,
  WORDS = SIZES + CHAIN_CHILDREN
};

static void pack(const struct asked *asked, int *words)
{
  tutti_membership m = {.rank = -1, .parent = TUTTI_NO_PROCESS};
  if (asked->group)
    m = tutti_group_membership(asked->group);
  int head[CHILDREN] = {m.size, m.rank, m.parent, m.height, m.degree, m.child_count};
  memcpy(words, head, sizeof head);
  for (int c = 0; c < m.child_count && c < CHAIN_CHILDREN; c++) {
    words[CHILDREN + c] = m.children[c];
    words[SIZES + c] = m.sizes[c];
  }
}

/* The builder says whether members get ranks, and strangers have none. */
static tutti_status validate_ranks(const struct bed *bed, const struct asked *asked, const int *words,
                                   tutti_error *error)
{
  bool ranks = tutti_group_builder_ranks(asked->how.builder);
  for (int i = 0; i < bed->view.size; i++, words += WORDS)
    if ((words[RANK] >= 0) != (ranks && asked->color[i] >= 0))
      return tutti_fail(error, TUTTI_ERR_FAULT, "process %d has rank %d", i, words[RANK]);
  return TUTTI_OK;
}

static tutti_status validate_words(const struct bed *bed, const struct asked *asked, const int *words,
                                   tutti_error *error)
{
  bool chain = strcmp(name_of(asked), "chain") == 0, nodes = asked->how.ranks_per_node > 1;
  int k = asked->how.branching, n = bed->view.size;
  tutti_membership *all = malloc((size_t)n * sizeof *all);
  const int *first = words;
  for (int i = 0; i < n; i++, words += WORDS)
    all[i] = (tutti_membership){.size = words[SIZE],
                                .rank = words[RANK],
                                .parent = words[PARENT],
                                .height = words[HEIGHT],
                                .degree = words[DEGREE],
                                .child_count = words[CHILD_COUNT],
                                .children = words + CHILDREN,
                                .sizes = words + SIZES};
  tutti_status status = tutti_groups_validate(all, asked->color, n, chain ? 2 : k,
                                              chain   ? CHAIN_CHILDREN
                                              : nodes ? 2 * k
                                                      : k,
                                              nodes ? n : 0, error);
  free(all);
  return status == TUTTI_OK ? validate_ranks(bed, asked, first, error) : status;
}

/* The validator has to see one wrong word. */
static void plant_fault(struct bed *bed, const struct asked *asked, int *words)
{
  tutti_error error;
  int n = bed->view.size, victim = 0;
  while (victim < n && words[victim * WORDS + SIZE] == 0)
    victim++;
  if (victim == n)
    return;
  static const int places[] = {SIZE, PARENT, RANK};
  int place = places[below(&bed->own, 3)], *word = &words[victim * WORDS + place];
  *word = place == RANK && *word >= 0 ? -1 : *word + 1;
  refused(bed, TUTTI_ERR_FAULT, validate_words(bed, asked, words, &error), "a planted fault");
}

void validate_split(struct bed *bed, const struct asked *asked)
{
  tutti_error error = {.message = ""};
  size_t n = (size_t)bed->view.size;
  int *mine = calloc(WORDS, sizeof *mine), *all = bed->view.rank == 0 ? malloc(n * WORDS * sizeof *all) : NULL;
  pack(asked, mine);
  MPI_Gather(mine, WORDS, MPI_INT, all, WORDS, MPI_INT, 0, bed->comm);
  if (all) {
    tutti_status status = validate_words(bed, asked, all, &error);
    check(&bed->checks, status == TUTTI_OK, "%s, %d processes, trial %d, k = %d: %s", name_of(asked), bed->view.size,
          bed->trial, asked->how.branching, error.message);
    plant_fault(bed, asked, all);
  }
  free(mine);
  free(all);
}
