/* Group runs: names and order of points and counts, and a run within one process. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/numbers.h"
#include "groups/group_protocol.h"
#include "tutti/actor.h"
#include "tutti/group_run.h"

/* ---- names ---- */

const char *tutti_group_sum_name(int sum)
{
  if (sum < TUTTI_MESSAGE_KINDS)
    return tutti_message_kind_name((tutti_message_kind)sum);
  static const char *const names[TUTTI_GROUP_SUMS - TUTTI_MESSAGE_KINDS] = {
      [TUTTI_GROUP_BYTES - TUTTI_MESSAGE_KINDS] = "sent_B",
      [TUTTI_GROUP_MEMBERS - TUTTI_MESSAGE_KINDS] = "members",
      [TUTTI_GROUP_GROUPS - TUTTI_MESSAGE_KINDS] = "groups",
      [TUTTI_GROUP_FINGERPRINT - TUTTI_MESSAGE_KINDS] = "fingerprint",
  };
  return names[sum - TUTTI_MESSAGE_KINDS];
}

const char *tutti_group_maximum_name(int maximum)
{
  static const char *const names[TUTTI_GROUP_MAXIMA] = {
      [TUTTI_GROUP_SIZE] = "size",
      [TUTTI_GROUP_HEIGHT] = "height",
      [TUTTI_GROUP_DEGREE] = "degree",
      [TUTTI_GROUP_CRITICAL_PATH] = "critical_path",
      [TUTTI_GROUP_LARGEST] = "largest_message_B",
      [TUTTI_GROUP_MEMORY] = "memory_B",
      [TUTTI_GROUP_ENDPOINT] = "endpoint_B",
  };
  return names[maximum];
}

uint64_t tutti_group_counted_messages(const tutti_group_counts *counts)
{
  const uint64_t *sent = counts->sums;
  return sent[TUTTI_MESSAGE_UPWARD] + sent[TUTTI_MESSAGE_RELOCATION] + sent[TUTTI_MESSAGE_DOWNWARD] +
         sent[TUTTI_MESSAGE_BALANCE] + sent[TUTTI_MESSAGE_HASH] + sent[TUTTI_MESSAGE_SCAN];
}

/* ---- points ---- */

static int builder_index(const tutti_group_builder *builder)
{
  int index = 0;
  while (tutti_group_builder_at(index) && tutti_group_builder_at(index) != builder)
    index++;
  return index;
}

static int compare_samples(const tutti_group_sample *left, const tutti_group_sample *right)
{
  if (left->members != right->members)
    return THREE_WAY(left->members, right->members);
  if (left->members < 0 && left->fraction != right->fraction)
    return THREE_WAY(left->fraction, right->fraction);
  return THREE_WAY(left->colors, right->colors);
}

int tutti_group_point_compare(const tutti_group_point *left, const tutti_group_point *right)
{
  if (left->sample.size != right->sample.size)
    return THREE_WAY(left->sample.size, right->sample.size);
  if (left->branching != right->branching)
    return THREE_WAY(left->branching, right->branching);
  int order = compare_samples(&left->sample, &right->sample);
  if (order != 0)
    return order;
  if (left->node_ranks != right->node_ranks)
    return THREE_WAY(left->node_ranks, right->node_ranks);
  if (left->sample.seed != right->sample.seed)
    return THREE_WAY(left->sample.seed, right->sample.seed);
  return THREE_WAY(builder_index(left->builder), builder_index(right->builder));
}

char *tutti_group_point_format(const tutti_group_point *point, char *text)
{
  char sample[TUTTI_GROUP_SAMPLE_LENGTH];
  snprintf(text, TUTTI_GROUP_POINT_LENGTH, "%s %s branching=%d seed=%" PRIu64 " colours=%d node_ranks=%d",
           tutti_group_builder_name(point->builder), tutti_group_sample_format(&point->sample, sample),
           point->branching, point->sample.seed, point->sample.colors, point->node_ranks);
  return text;
}

/* ---- actors ---- */

tutti_status tutti_group_point_tree(const tutti_group_point *point, int process, tutti_tree *tree, tutti_error *error)
{
  return tutti_tree_init(tree, TUTTI_TREE_KARY, point->branching, point->sample.size, 0, process, error);
}

tutti_actor *tutti_group_point_actor(const tutti_group_point *point, const tutti_tree *tree, tutti_transport *transport,
                                     int topic, tutti_error *error)
{
  tutti_group_request request = {.builder = point->builder,
                                 .tree = tree,
                                 .branching = point->branching,
                                 .colors = point->sample.colors,
                                 .color = tutti_group_sample_color(&point->sample, tree->rank),
                                 .ranks_per_node = point->node_ranks};
  return tutti_group_protocol_create(&request, transport, tree->rank, topic, error);
}

/* A fault at the actor of process 0 is a fault at all; it can only be a form that the builder does not have, as the
   numbers are valid. */
tutti_status tutti_group_point_check(const tutti_group_point *point, tutti_error *error)
{
  tutti_tree tree;
  tutti_error reason = {.status = TUTTI_OK};
  tutti_status status = tutti_group_sample_check(&point->sample, error);
  if (status != TUTTI_OK)
    return status;
  if (point->branching < 2)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "branching factor %d: at least 2 is needed", point->branching);
  if (point->node_ranks < 1)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "%d ranks per node: at least one is needed", point->node_ranks);
  status = tutti_group_point_tree(point, 0, &tree, error);
  if (status != TUTTI_OK)
    return status;
  tutti_actor *actor = tutti_group_point_actor(point, &tree, NULL, 0, &reason);
  if (!actor)
    return tutti_fail(error, reason.status == TUTTI_ERR_ARGUMENT ? TUTTI_ERR_UNSUPPORTED : reason.status, "%s",
                      reason.message);
  tutti_actor_free(actor);
  return TUTTI_OK;
}

/* ---- counts ---- */

static void count_maximum(tutti_group_counts *counts, int which, uint64_t value)
{
  if (counts->maxima[which] < value)
    counts->maxima[which] = value;
}

static void count_member(tutti_group_counts *counts, int process, int color)
{
  counts->sums[TUTTI_GROUP_MEMBERS]++;
  counts->sums[TUTTI_GROUP_FINGERPRINT] += tutti_group_sample_mark(process, color);
}

void tutti_group_counts_add(tutti_group_counts *counts, const tutti_actor *actor)
{
  tutti_membership membership = tutti_group_protocol_membership(actor);
  for (int kind = 0; kind < TUTTI_MESSAGE_KINDS; kind++)
    counts->sums[kind] += (uint64_t)actor->tally.sent[kind];
  counts->sums[TUTTI_GROUP_BYTES] += actor->tally.bytes;
  counts->sums[TUTTI_GROUP_GROUPS] += tutti_group_protocol_complete(actor);
  if (membership.size > 0)
    count_member(counts, actor->id, ((const struct group_protocol *)actor)->request.color);
  count_maximum(counts, TUTTI_GROUP_SIZE, (uint64_t)membership.size);
  count_maximum(counts, TUTTI_GROUP_HEIGHT, (uint64_t)membership.height);
  count_maximum(counts, TUTTI_GROUP_DEGREE, (uint64_t)membership.degree);
  count_maximum(counts, TUTTI_GROUP_CRITICAL_PATH, (uint64_t)tutti_group_protocol_critical_path(actor));
  count_maximum(counts, TUTTI_GROUP_LARGEST, actor->tally.largest);
  count_maximum(counts, TUTTI_GROUP_MEMORY, actor->memory.peak);
}

static tutti_status compare_sum(const tutti_group_counts *counts, const tutti_group_counts *sampled, int sum,
                                tutti_error *error)
{
  uint64_t built = counts->sums[sum], expected = sampled->sums[sum];
  if (built == expected)
    return TUTTI_OK;
  return tutti_fail(error, TUTTI_ERR_FAULT, "other groups than those of the sample: %s %" PRIu64 ", not %" PRIu64,
                    tutti_group_sum_name(sum), built, expected);
}

tutti_status tutti_group_counts_check(const tutti_group_counts *counts, const tutti_group_sample *sample,
                                      tutti_error *error)
{
  tutti_group_counts sampled = {.sums = {0}};
  for (int i = 0; i < sample->size; i++) {
    int color = tutti_group_sample_color(sample, i);
    if (color >= 0)
      count_member(&sampled, i, color);
  }
  tutti_status status = compare_sum(counts, &sampled, TUTTI_GROUP_MEMBERS, error);
  return status == TUTTI_OK ? compare_sum(counts, &sampled, TUTTI_GROUP_FINGERPRINT, error) : status;
}

/* ---- a build among actors of one process ---- */

static tutti_status run_all(const tutti_group_point *point, tutti_inprocess *processes, tutti_tree *trees,
                            tutti_error *error)
{
  tutti_status status = TUTTI_OK;
  for (int i = 0; i < point->sample.size && status == TUTTI_OK; i++) {
    status = tutti_group_point_tree(point, i, &trees[i], error);
    if (status != TUTTI_OK)
      return status;
    tutti_actor *actor = tutti_group_point_actor(point, &trees[i], tutti_inprocess_transport(processes), 0, error);
    if (!actor)
      return TUTTI_ERR_MEMORY;
    tutti_inprocess_settle(processes, actor);
  }
  return status;
}

static tutti_status build(const tutti_group_point *point, tutti_inprocess *processes, tutti_tree *trees,
                          tutti_group_counts *counts, tutti_error *error)
{
  tutti_status status = run_all(point, processes, trees, error);
  if (status == TUTTI_OK)
    status = tutti_inprocess_run(processes, error);
  for (int i = 0; i < point->sample.size && status == TUTTI_OK; i++)
    tutti_group_counts_add(counts, tutti_inprocess_actor(processes, i));
  return status == TUTTI_OK ? tutti_group_counts_check(counts, &point->sample, error) : status;
}

tutti_status tutti_group_run_in_process(const tutti_group_point *point, tutti_group_counts *counts, tutti_error *error)
{
  *counts = (tutti_group_counts){.sums = {0}};
  tutti_status status = tutti_group_point_check(point, error);
  if (status != TUTTI_OK)
    return status;
  tutti_inprocess *processes = tutti_inprocess_create(point->sample.size, TUTTI_DELIVERY_FIFO, point->sample.seed);
  tutti_tree *trees = calloc((size_t)point->sample.size, sizeof *trees);
  if (processes && trees)
    status = build(point, processes, trees, counts, error);
  else
    status = tutti_fail(error, TUTTI_ERR_MEMORY, "out of memory for %d processes", point->sample.size);
  tutti_inprocess_free(processes);
  free(trees);
  return status;
}
