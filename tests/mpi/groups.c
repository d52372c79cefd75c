/* Groups as objects: every builder splits random member sets off all processes and off groups, also many at once, which
   each process completes in an order of its own; again on a range that runs backwards. What stands is gathered and
   validated; collectives, look-ups and messages are checked against formulas. */
#include <stdlib.h>
#include <string.h>

#include "../unit/random.h"
#include "check.h"
#include "clock.h"
#include "tutti/group.h"

enum { SETS = 6, CHAIN_CHILDREN = 31, MOST_COUNT = 700, AT_ONCE = 5 };

struct bed {
  struct checks checks;
  tutti_view view;
  MPI_Comm comm; /* of the processes of the view, in its order: to gather what stands */
  tutti_endpoint *endpoint;
  tutti_group *all; /* a group of all processes */
  uint64_t seed;    /* the same on all processes: what is done */
  uint64_t own;     /* of this process: in which order */
  int trial;
};

/* A split and what it has to be. */
struct asked {
  tutti_split how;
  int *colour; /* [processes] -1 also for those that do not take part */
  bool takes_part;
  tutti_group *group;
};

static int below(uint64_t *seed, int bound)
{
  return (int)random_below(seed, (uint64_t)bound);
}

static const char *name_of(const struct asked *asked)
{
  return tutti_group_builder_name(asked->how.builder);
}

static void must(struct bed *bed, tutti_status status, const char *what, const tutti_error *error)
{
  check(&bed->checks, status == TUTTI_OK, "rank %d of %d, trial %d, %s: %s", bed->view.rank, bed->view.size, bed->trial,
        what, error->message);
  if (status != TUTTI_OK)
    MPI_Abort(MPI_COMM_WORLD, 1);
}

static void refused(struct bed *bed, tutti_status expected, tutti_status status, const char *what)
{
  check(&bed->checks, status == expected, "rank %d, trial %d: %s gives status %d, not %d", bed->view.rank, bed->trial,
        what, status, expected);
}

/* ---- what is asked for ---- */

/* Member sets: none, all, all but rank 0, and by chance. */
static void choose_colours(struct bed *bed, struct asked *asked, int kind, const int *parent_colour, int parent)
{
  int per_cent = kind == 0 ? 0 : kind == 3 ? 30 : kind == 4 ? 70 : 100;
  asked->colour = malloc((size_t)bed->view.size * sizeof *asked->colour);
  for (int i = 0; i < bed->view.size; i++) {
    int colour = below(&bed->seed, asked->how.colours), chance = below(&bed->seed, 100);
    bool in = chance < per_cent && !(kind == 2 && i == 0) && (!parent_colour || parent_colour[i] == parent);
    asked->colour[i] = in ? colour : -1;
  }
  asked->takes_part = !parent_colour || parent_colour[bed->view.rank] == parent;
}

static struct asked ask(struct bed *bed, const tutti_group_builder *builder, int kind, const int *parent_colour,
                        int parent)
{
  struct asked asked = {.how = {.builder = builder, .branching = 2 + below(&bed->seed, 3), .colours = 1}};
  bool vectors = strcmp(tutti_group_builder_name(builder), "shrink-hash/no-filler") == 0;
  int form = below(&bed->seed, 3);
  if (vectors && form == 1)
    asked.how.colours = 3;
  else if (vectors && form == 2 && !parent_colour)
    asked.how.ranks_per_node = 2;
  if (below(&bed->seed, 2))
    asked.how.segment_bytes = 64;
  choose_colours(bed, &asked, kind, parent_colour, parent);
  return asked;
}

/* ---- validity: all memberships at rank 0 ---- */

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
    if ((words[RANK] >= 0) != (ranks && asked->colour[i] >= 0))
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
  tutti_status status = tutti_groups_validate(all, asked->colour, n, chain ? 2 : k,
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

static void validate(struct bed *bed, const struct asked *asked)
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

/* ---- collectives ---- */

static int value(int id, int trial, int index)
{
  return id * 1009 + trial * 31 + index * 3;
}

static int sum_over_group(const struct bed *bed, const struct asked *asked, int index)
{
  int sum = 0, mine = asked->colour[bed->view.rank];
  for (int i = 0; i < bed->view.size; i++)
    if (asked->colour[i] == mine)
      sum += value(i, bed->trial, index);
  return sum;
}

/* The first word says who the root is, which the others do not know. */
static void check_bcast(struct bed *bed, const struct asked *asked, int *buffer, int count)
{
  tutti_error error = {.message = ""};
  bool is_root = tutti_group_membership(asked->group).parent == TUTTI_NO_PROCESS, right = true;
  for (int i = 0; i < count; i++)
    buffer[i] = is_root ? i == 0 ? bed->view.rank : value(bed->view.rank, bed->trial, i) : -1;
  must(bed, tutti_group_bcast(asked->group, buffer, (uint64_t)count, MPI_INT, &error), "bcast", &error);
  for (int i = 1; i < count; i++)
    right = right && buffer[i] == value(buffer[0], bed->trial, i);
  right = right && (count == 0 || asked->colour[buffer[0]] == asked->colour[bed->view.rank]);
  check(&bed->checks, right, "%s, rank %d of %d, trial %d: wrong broadcast of %d", name_of(asked), bed->view.rank,
        bed->view.size, bed->trial, count);
}

static void check_reductions(struct bed *bed, const struct asked *asked, int *input, int *output, int count)
{
  tutti_error error = {.message = ""};
  bool is_root = tutti_group_membership(asked->group).parent == TUTTI_NO_PROCESS, right = true;
  for (int i = 0; i < count; i++)
    input[i] = value(bed->view.rank, bed->trial, i);
  must(bed, tutti_group_reduce(asked->group, input, is_root ? output : NULL, (uint64_t)count, MPI_INT, MPI_SUM, &error),
       "reduce", &error);
  for (int i = 0; is_root && i < count; i++)
    right = right && output[i] == sum_over_group(bed, asked, i);
  check(&bed->checks, right, "%s, trial %d: wrong reduction of %d", name_of(asked), bed->trial, count);
  must(bed, tutti_group_allreduce(asked->group, input, output, (uint64_t)count, MPI_INT, MPI_SUM, &error), "allreduce",
       &error);
  for (int i = 0; i < count; i++)
    right = right && output[i] == sum_over_group(bed, asked, i);
  check(&bed->checks, right, "%s, trial %d: wrong allreduction of %d", name_of(asked), bed->trial, count);
}

/* Nobody may leave before the last one has entered. */
static void check_barrier(struct bed *bed, const struct asked *asked)
{
  tutti_error error = {.message = ""};
  double entered = now(), last;
  must(bed, tutti_group_barrier(asked->group, &error), "barrier", &error);
  double left = now();
  must(bed, tutti_group_allreduce(asked->group, &entered, &last, 1, MPI_DOUBLE, MPI_MAX, &error), "allreduce", &error);
  check(&bed->checks, left >= last, "%s, rank %d, trial %d: the barrier was left at %.9f, entered by the last at %.9f",
        name_of(asked), bed->view.rank, bed->trial, left, last);
}

/* ---- look-ups ---- */

static void exchange(struct bed *bed, const struct asked *asked, int to, int from, int *mail)
{
  tutti_error error = {.message = ""};
  int mine[2] = {bed->view.rank, to};
  bool first = tutti_group_membership(asked->group).rank % 2 == 0;
  for (int step = 0; step < 2; step++)
    if (first == (step == 0))
      must(bed, tutti_group_send(asked->group, mine, 2, MPI_INT, to, &error), "send", &error);
    else
      must(bed, tutti_group_recv(asked->group, mail, 2, MPI_INT, from, &error), "recv", &error);
}

/* Messages go round among the ranks, at several distances, without a pause for those that serve the look-ups. */
static void check_ranks(struct bed *bed, const struct asked *asked)
{
  tutti_error error = {.message = ""};
  tutti_membership m = tutti_group_membership(asked->group);
  if (!tutti_group_builder_hashes(asked->how.builder) || asked->how.ranks_per_node > 1) {
    int id;
    refused(bed, TUTTI_ERR_UNSUPPORTED, tutti_group_find(asked->group, 0, &id, &error), "a look-up without ranks");
    return;
  }
  for (int d = 1; d < m.size && d < 40; d = 2 * d + 1) {
    int mail[2] = {-1, -1}, id = -1, from = (m.rank + m.size - d) % m.size;
    exchange(bed, asked, (m.rank + d) % m.size, from, mail);
    must(bed, tutti_group_find(asked->group, from, &id, &error), "find", &error);
    check(&bed->checks, mail[0] == id && mail[1] == m.rank && asked->colour[id] == asked->colour[bed->view.rank],
          "%s, trial %d: rank %d is %d, but %d sent to %d", name_of(asked), bed->trial, from, id, mail[0], mail[1]);
  }
}

static void use(struct bed *bed, const struct asked *asked)
{
  tutti_error error = {.message = ""};
  int count = below(&bed->seed, 3) ? below(&bed->seed, MOST_COUNT) : below(&bed->seed, 3);
  if (asked->takes_part && asked->colour[bed->view.rank] < 0)
    refused(bed, TUTTI_ERR_ARGUMENT, tutti_group_barrier(asked->group, &error), "a barrier of strangers");
  if (asked->colour[bed->view.rank] >= 0) {
    int *input = malloc((MOST_COUNT + 1) * sizeof *input), *output = malloc((MOST_COUNT + 1) * sizeof *output);
    check_bcast(bed, asked, output, count);
    check_reductions(bed, asked, input, output, count);
    check_barrier(bed, asked);
    check_ranks(bed, asked);
    free(input);
    free(output);
  }
  must(bed, tutti_endpoint_barrier(bed->endpoint, &error), "the barrier of all", &error);
}

/* ---- making and freeing ---- */

static void begin(struct bed *bed, struct asked *asked, tutti_group *parent)
{
  tutti_error error = {.message = ""};
  if (asked->takes_part)
    must(bed,
         tutti_group_isplit(bed->endpoint, parent, &asked->how, asked->colour[bed->view.rank], &asked->group, &error),
         name_of(asked), &error);
}

static void complete(struct bed *bed, struct asked *asked)
{
  tutti_error error = {.message = ""};
  bool done = false;
  if (!asked->takes_part)
    return;
  for (int tries = below(&bed->own, 4); tries > 0 && !done; tries--)
    must(bed, tutti_group_test(asked->group, &done, &error), name_of(asked), &error);
  must(bed, tutti_group_wait(asked->group, &error), name_of(asked), &error);
}

static void finish(struct bed *bed, struct asked *asked)
{
  tutti_error error = {.message = ""};
  must(bed, tutti_group_free(asked->group, &error), "free", &error);
  free(asked->colour);
}

/* ---- one after the other, and again within what stands ---- */

static bool splits_again(const tutti_group_builder *builder)
{
  return strcmp(tutti_group_builder_name(builder), "chain") != 0; /* which needs all processes in order */
}

static void split_again(struct bed *bed, const struct asked *parent, const tutti_group_builder *builder, int depth)
{
  tutti_error error = {.message = ""};
  struct asked asked = ask(bed, builder, 1 + below(&bed->seed, 4), parent->colour, 0);
  if (!splits_again(builder)) {
    if (asked.takes_part)
      refused(bed, TUTTI_ERR_UNSUPPORTED,
              tutti_group_isplit(bed->endpoint, parent->group, &asked.how, 0, &asked.group, &error), "a nested chain");
    free(asked.colour);
    return;
  }
  begin(bed, &asked, parent->group);
  complete(bed, &asked);
  validate(bed, &asked);
  use(bed, &asked);
  if (depth > 0)
    split_again(bed, &asked, builder, depth - 1);
  if (asked.takes_part)
    refused(bed, TUTTI_ERR_ARGUMENT, tutti_group_free(parent->group, &error), "freeing a parent");
  finish(bed, &asked);
}

static void split(struct bed *bed, const tutti_group_builder *builder, int kind)
{
  struct asked asked = ask(bed, builder, kind, NULL, 0);
  begin(bed, &asked, NULL);
  complete(bed, &asked);
  validate(bed, &asked);
  use(bed, &asked);
  split_again(bed, &asked, builder, 1);
  finish(bed, &asked);
  bed->trial++;
}

/* ---- many at once ---- */

static void shuffle(uint64_t *seed, int *order, int count)
{
  for (int i = 0; i < count; i++)
    order[i] = i;
  for (int i = count - 1; i > 0; i--) {
    int j = below(seed, i + 1), other = order[i];
    order[i] = order[j];
    order[j] = other;
  }
}

static const tutti_group_builder *any_builder(struct bed *bed, bool again)
{
  const tutti_group_builder *builder;
  int count = 0;
  while (tutti_group_builder_at(count))
    count++;
  do
    builder = tutti_group_builder_at(below(&bed->seed, count));
  while (again && !splits_again(builder));
  return builder;
}

/* Some split all processes, some a group that stands; a process that is not in the parent leaves those out. */
static void split_many(struct bed *bed)
{
  struct asked parent = ask(bed, any_builder(bed, true), 4, NULL, 0), asked[AT_ONCE];
  int order[AT_ONCE];
  begin(bed, &parent, NULL);
  complete(bed, &parent);
  for (int i = 0; i < AT_ONCE; i++) {
    bool nested = below(&bed->seed, 2);
    asked[i] = ask(bed, any_builder(bed, nested), below(&bed->seed, SETS), nested ? parent.colour : NULL, 0);
    begin(bed, &asked[i], nested ? parent.group : NULL);
  }
  shuffle(&bed->own, order, AT_ONCE);
  for (int i = 0; i < AT_ONCE; i++)
    complete(bed, &asked[order[i]]);
  for (int i = 0; i < AT_ONCE; i++)
    validate(bed, &asked[i]);
  for (int i = 0; i < AT_ONCE; i++)
    use(bed, &asked[i]);
  for (int i = 0; i < AT_ONCE; i++)
    finish(bed, &asked[order[i]]);
  finish(bed, &parent);
  bed->trial++;
}

/* ---- faults of use ---- */

static void subtract(void *a, void *b, int *count, MPI_Datatype *type)
{
  (void)type;
  for (int i = 0; i < *count; i++)
    ((int *)b)[i] = ((int *)a)[i] - ((int *)b)[i];
}

/* No handle is left of a split that is refused. */
static void split_refused(struct bed *bed, tutti_endpoint *endpoint, tutti_group *parent, const tutti_split *how,
                          int colour, const char *what)
{
  tutti_error error = {.message = ""};
  tutti_group *group = bed->all;
  refused(bed, TUTTI_ERR_ARGUMENT, tutti_group_isplit(endpoint, parent, how, colour, &group, &error), what);
  check(&bed->checks, group == NULL, "rank %d: %s leaves a handle", bed->view.rank, what);
}

/* The topic of the second split of an endpoint, or of a group, whose first one is refused or not. Tags of its own:
   others may be on to the next endpoint before this one is closed. */
static int second_topic(struct bed *bed, bool nested, bool refuse)
{
  tutti_error error = {.message = ""};
  tutti_split how = {.builder = tutti_group_builder_at(0), .branching = 3};
  tutti_view view;
  tutti_endpoint *endpoint;
  tutti_group *parent = NULL, *groups[2] = {NULL};
  must(bed, tutti_view_of(MPI_COMM_WORLD, &view, &error), "view", &error);
  must(bed, tutti_view_tags(&view, 1100 + 200 * nested + 100 * refuse, 100, &error), "tags", &error);
  must(bed, tutti_endpoint_open(&view, &endpoint, &error), "open", &error);
  if (nested)
    must(bed, tutti_group_split(endpoint, NULL, &how, 0, &parent, &error), "a parent", &error);
  for (int i = 0; i < 2; i++)
    if (i == 0 && refuse)
      split_refused(bed, endpoint, parent, &how, 1, "colour 1 of 1");
    else
      must(bed, tutti_group_split(endpoint, parent, &how, 0, &groups[i], &error), "split", &error);
  int topic = tutti_group_actor(groups[1])->topic;
  must(bed, tutti_group_barrier(groups[1], &error), "barrier", &error);
  for (int i = 0; i < 2; i++)
    must(bed, tutti_group_free(groups[i], &error), "free", &error);
  must(bed, tutti_group_free(parent, &error), "free", &error);
  must(bed, tutti_endpoint_close(endpoint, &error), "close", &error);
  return topic;
}

/* A refused split counts: otherwise the next one is taken for it by processes on which it was not refused. */
static void misuse_order(struct bed *bed)
{
  for (int nested = 0; nested < 2; nested++) {
    int refused_before = second_topic(bed, nested, true), made_before = second_topic(bed, nested, false);
    check(&bed->checks, refused_before == made_before, "rank %d: topic %d after a refused split, %d after another",
          bed->view.rank, refused_before, made_before);
  }
}

static void misuse(struct bed *bed)
{
  tutti_error error = {.message = ""};
  tutti_split how = {.builder = tutti_group_builder_find("centralized", &error), .branching = 3};
  tutti_group *group;
  MPI_Op op;
  int in = 1, out, id;
  how.colours = 2;
  split_refused(bed, bed->endpoint, NULL, &how, 0, "two colours");
  how.colours = -1;
  split_refused(bed, bed->endpoint, NULL, &how, 0, "-1 colours");
  how.colours = 0;
  split_refused(bed, bed->endpoint, NULL, &how, 1, "colour 1 of 1");
  how.ranks_per_node = -3;
  split_refused(bed, bed->endpoint, NULL, &how, 0, "-3 ranks per node");
  how.ranks_per_node = 0;
  must(bed, tutti_group_isplit(bed->endpoint, NULL, &how, 0, &group, &error), "isplit", &error);
  if (bed->view.size > 1) {
    refused(bed, TUTTI_ERR_ARGUMENT, tutti_group_barrier(group, &error), "a barrier too early");
    refused(bed, TUTTI_ERR_ARGUMENT, tutti_group_free(group, &error), "freed too early");
  }
  must(bed, tutti_group_waitall(1, &group, &error), "waitall", &error);
  MPI_Op_create(subtract, 0, &op);
  refused(bed, TUTTI_ERR_ARGUMENT, tutti_group_reduce(group, &in, &out, 1, MPI_INT, op, &error), "a difference");
  MPI_Op_free(&op);
  refused(bed, TUTTI_ERR_UNSUPPORTED, tutti_group_find(group, 0, &id, &error), "a look-up without ranks");
  refused(bed, TUTTI_ERR_ARGUMENT, tutti_group_allreduce(group, MPI_IN_PLACE, &out, 1, MPI_INT, MPI_SUM, &error),
          "MPI_IN_PLACE");
  refused(bed, TUTTI_ERR_ARGUMENT, tutti_group_allreduce(group, &out, &out, 1, MPI_INT, MPI_SUM, &error),
          "one buffer for both");
  must(bed, tutti_group_free(group, &error), "free", &error);
  must(bed, tutti_group_free(NULL, &error), "free", &error);
}

static void misuse_ranks(struct bed *bed)
{
  tutti_error error = {.message = ""};
  tutti_split how = {.builder = tutti_group_builder_find("shrink-hash/no-filler", &error), .branching = 2};
  tutti_group *group;
  int id;
  must(bed, tutti_group_split(bed->endpoint, NULL, &how, 0, &group, &error), "split", &error);
  int rank = tutti_group_membership(group).rank;
  refused(bed, TUTTI_ERR_ARGUMENT, tutti_group_find(group, bed->view.size, &id, &error), "rank too large");
  refused(bed, TUTTI_ERR_ARGUMENT, tutti_group_send(group, &id, 1, MPI_INT, rank, &error), "a message to itself");
  must(bed, tutti_endpoint_barrier(bed->endpoint, &error), "the barrier of all", &error);
  must(bed, tutti_group_free(group, &error), "free", &error);
}

static void misuse_tags(struct bed *bed)
{
  tutti_error error = {.message = ""};
  tutti_split how = {.builder = tutti_group_builder_at(0), .branching = 2};
  tutti_view view;
  tutti_endpoint *endpoint;
  must(bed, tutti_view_of(MPI_COMM_WORLD, &view, &error), "view", &error);
  must(bed, tutti_view_tags(&view, 1000, TUTTI_ENDPOINT_TAGS, &error), "tags", &error);
  must(bed, tutti_endpoint_open(&view, &endpoint, &error), "open", &error);
  split_refused(bed, endpoint, NULL, &how, 0, "too few tags");
  split_refused(bed, endpoint, bed->all, &how, 0, "another endpoint");
  must(bed, tutti_endpoint_close(endpoint, &error), "close", &error);
  view.tag_count = 1;
  refused(bed, TUTTI_ERR_ARGUMENT, tutti_endpoint_open(&view, &endpoint, &error), "one tag");
}

/* ---- all of it ---- */

static void set_up(struct bed *bed, const tutti_view *view, int tag)
{
  tutti_error error = {.message = ""};
  tutti_split how = {.builder = tutti_group_builder_at(0), .branching = 4};
  bed->view = *view;
  bed->seed = 2012;
  bed->own = 4711 + (uint64_t)bed->view.rank;
  MPI_Comm_split(MPI_COMM_WORLD, view->rank < 0 ? MPI_UNDEFINED : 0, view->rank, &bed->comm);
  if (view->rank < 0)
    return;
  must(bed, tutti_view_tags(&bed->view, tag, 500, &error), "tags", &error);
  must(bed, tutti_endpoint_open(&bed->view, &bed->endpoint, &error), "open", &error);
  must(bed, tutti_group_split(bed->endpoint, NULL, &how, 0, &bed->all, &error), "all", &error);
}

static void tear_down(struct bed *bed)
{
  tutti_error error = {.message = ""};
  must(bed, tutti_group_barrier(bed->all, &error), "the last barrier", &error);
  must(bed, tutti_group_free(bed->all, &error), "free", &error);
  must(bed, tutti_endpoint_close(bed->endpoint, &error), "close", &error);
  MPI_Comm_free(&bed->comm);
}

static void split_all(struct bed *bed, int many)
{
  for (int b = 0; tutti_group_builder_at(b); b++)
    for (int kind = 0; kind < SETS; kind++)
      split(bed, tutti_group_builder_at(b), kind);
  for (int i = 0; i < many; i++)
    split_many(bed);
}

/* Every other process, from the last one backwards. */
static void split_backwards(struct bed *bed, const tutti_view *world)
{
  tutti_error error = {.message = ""};
  tutti_view view;
  int last = world->size - 1;
  must(bed, tutti_view_range(world, last, last % 2, -2, &view, &error), "range", &error);
  set_up(bed, &view, 2000);
  if (view.rank < 0)
    return;
  split_all(bed, 4);
  tear_down(bed);
}

int main(int argc, char **argv)
{
  struct bed bed = {.trial = 0};
  tutti_view world;
  check_begin(&argc, &argv, &world);
  set_up(&bed, &world, 0);
  split_all(&bed, 12);
  misuse(&bed);
  misuse_ranks(&bed);
  misuse_tags(&bed);
  misuse_order(&bed);
  tear_down(&bed);
  split_backwards(&bed, &world);
  return check_end(&bed.checks);
}
