/* Faults of use. */
#include "bed.h"

static void subtract(void *a, void *b, int *count, MPI_Datatype *type)
{
  (void)type;
  for (int i = 0; i < *count; i++)
    ((int *)b)[i] = ((int *)a)[i] - ((int *)b)[i];
}

/* No handle is left of a split that is refused. */
static void split_refused(struct bed *bed, tutti_endpoint *endpoint, tutti_group *parent, const tutti_split *how,
                          int color, const char *what)
{
  tutti_error error = {.message = ""};
  tutti_group *group = bed->all;
  refused(bed, TUTTI_ERR_ARGUMENT, tutti_group_isplit(endpoint, parent, how, color, &group, &error), what);
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

static void misuse_calls(struct bed *bed)
{
  tutti_error error = {.message = ""};
  tutti_split how = {.builder = tutti_group_builder_find("centralized", &error), .branching = 3};
  tutti_group *group;
  MPI_Op op;
  int in = 1, out, id;
  how.colors = 2;
  split_refused(bed, bed->endpoint, NULL, &how, 0, "two colours");
  how.colors = -1;
  split_refused(bed, bed->endpoint, NULL, &how, 0, "-1 colours");
  how.colors = 0;
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

void misuse_groups(struct bed *bed)
{
  misuse_calls(bed);
  misuse_ranks(bed);
  misuse_tags(bed);
  misuse_order(bed);
}
