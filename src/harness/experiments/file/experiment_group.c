/* <group>: ranks x samples x builders. */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "harness/experiments/file/experiment_private.h"

enum { MAX_BUILDERS = 64 };

/* The axes of a sweep of groups. Lists are owned. */
struct axes {
  uint64_t *branching, *seeds, *colors, *members;
  struct {
    TUTTI_VECTOR(double);
  } fractions;
  int branching_count, seed_count, color_count, member_count;
  const tutti_group_builder *builders[MAX_BUILDERS];
  int builder_count;
  int node_ranks;
};

static void free_axes(struct axes *axes)
{
  free(axes->branching);
  free(axes->seeds);
  free(axes->colors);
  free(axes->members);
  tutti_vector_free(&axes->fractions);
}

/* ---- numbers ---- */

static tutti_status parse_int(const char *text, uint64_t *value, tutti_error *error)
{
  tutti_status status = tutti_experiment_parse_whole(text, value, error);
  if (status == TUTTI_OK && *value > INT_MAX)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "%s is too large a number", text);
  return status;
}

/* An attribute as a list; `standard` if it is absent. */
static tutti_status read_attribute(const xml_file *file, const xmlNode *node, const char *name, const char *standard,
                                   experiment_number *parse, uint64_t min, uint64_t **values, int *count,
                                   tutti_error *error)
{
  tutti_error reason;
  const char *text = tutti_xml_attribute(node, name);
  if (tutti_experiment_parse_list(text ? text : standard, parse, values, count, &reason) != TUTTI_OK)
    return tutti_xml_fail(file, node, error, "%s=\"%s\": %.200s", name, text, reason.message);
  if (**values < min)
    return tutti_xml_fail(file, node, error, "%s=\"%s\": at least %llu is needed", name, text, (unsigned long long)min);
  return TUTTI_OK;
}

static tutti_status read_attributes(const xml_file *file, const xmlNode *node, struct axes *axes, tutti_error *error)
{
  uint64_t *ranks = NULL;
  int count = 0;
  tutti_status status =
      read_attribute(file, node, "branching", "3", parse_int, 2, &axes->branching, &axes->branching_count, error);
  if (status == TUTTI_OK)
    status = read_attribute(file, node, "seed", "1", tutti_experiment_parse_whole, 0, &axes->seeds, &axes->seed_count,
                            error);
  if (status == TUTTI_OK)
    status = read_attribute(file, node, "colours", "1", parse_int, 1, &axes->colors, &axes->color_count, error);
  if (status == TUTTI_OK)
    status = read_attribute(file, node, "node-ranks", "1", parse_int, 1, &ranks, &count, error);
  if (status == TUTTI_OK && count != 1)
    status = tutti_xml_fail(file, node, error, "node-ranks=\"%s\" is not one number",
                            tutti_xml_attribute(node, "node-ranks"));
  axes->node_ranks = status == TUTTI_OK ? (int)*ranks : 0;
  free(ranks);
  return status;
}

static tutti_status read_fractions(const xml_file *file, const xmlNode *node, struct axes *axes, tutti_error *error)
{
  tutti_status status = TUTTI_OK;
  char *text = tutti_experiment_text(node), *rest = NULL;
  double fraction;
  for (char *word = strtok_r(text, " \t\r\n", &rest); word && status == TUTTI_OK;
       word = strtok_r(NULL, " \t\r\n", &rest))
    if (tutti_parse_real(word, &fraction) && fraction >= 0 && fraction <= 1)
      tutti_xpush(&axes->fractions, fraction);
    else
      status = tutti_xml_fail(file, node, error, "<fractions>: '%s' is not a number from 0 to 1", word);
  free(text);
  if (status == TUTTI_OK && axes->fractions.count == 0)
    return tutti_xml_fail(file, node, error, "<fractions>: the list is empty");
  return status;
}

static tutti_status read_samples(const xml_file *file, const xmlNode *parent, struct axes *axes, tutti_error *error)
{
  const xmlNode *fractions, *members = NULL;
  tutti_status status = tutti_experiment_only_child(file, parent, "fractions", &fractions, error);
  if (status == TUTTI_OK)
    status = tutti_experiment_only_child(file, parent, "members", &members, error);
  if (status == TUTTI_OK && !fractions && !members)
    status = tutti_xml_fail(file, parent, error, "<group> has neither <fractions> nor <members>");
  if (status == TUTTI_OK && fractions)
    status = read_fractions(file, fractions, axes, error);
  if (status == TUTTI_OK && members)
    status = tutti_experiment_read_list(file, members, parse_int, &axes->members, &axes->member_count, error);
  return status;
}

/* ---- builders ---- */

static tutti_status add_builder(const xml_file *file, const xmlNode *node, struct axes *axes, tutti_error *error)
{
  tutti_error reason;
  const tutti_group_builder *builder = tutti_group_builder_find(tutti_xml_attribute(node, "name"), &reason);
  if (!builder)
    return tutti_xml_fail(file, node, error, "%s", reason.message);
  for (int b = 0; b < axes->builder_count; b++)
    if (axes->builders[b] == builder)
      return TUTTI_OK;
  if (axes->builder_count == MAX_BUILDERS)
    return tutti_xml_fail(file, node, error, "more than %d builders", MAX_BUILDERS);
  axes->builders[axes->builder_count++] = builder;
  return TUTTI_OK;
}

static tutti_status read_builders(const xml_file *file, const xmlNode *parent, struct axes *axes, tutti_error *error)
{
  tutti_status status = TUTTI_OK;
  for (const xmlNode *node = tutti_xml_element_from(parent->children); node && status == TUTTI_OK;
       node = tutti_xml_element_from(node->next))
    if (tutti_xml_is(node, "builder"))
      status = add_builder(file, node, axes, error);
  for (int b = 0; axes->builder_count == b && tutti_group_builder_at(b) && b < MAX_BUILDERS; b++)
    axes->builders[axes->builder_count++] = tutti_group_builder_at(b);
  return status;
}

/* ---- the product ---- */

static tutti_group_sample sample_at(const struct axes *axes, int d)
{
  if (d < (int)axes->fractions.count)
    return (tutti_group_sample){.fraction = axes->fractions.items[d], .members = -1};
  return (tutti_group_sample){.members = (int)axes->members[d - (int)axes->fractions.count]};
}

static void append_points(const struct axes *axes, tutti_group_point point, tutti_group_sweep *sweep)
{
  tutti_group_sample common = point.sample;
  for (int d = 0; d < (int)axes->fractions.count + axes->member_count; d++)
    for (int b = 0; b < axes->builder_count; b++) {
      point.sample = sample_at(axes, d);
      point.sample.seed = common.seed;
      point.sample.colors = common.colors;
      point.builder = axes->builders[b];
      sweep->points[sweep->point_count++] = point;
    }
}

/* The product of the axes, each with at most 2^31 values; capped at one above the limit, so that it cannot overflow. */
static size_t count_points(const struct axes *axes)
{
  const size_t counts[] = {(size_t)axes->branching_count, (size_t)axes->seed_count, (size_t)axes->color_count,
                           axes->fractions.count + (size_t)axes->member_count, (size_t)axes->builder_count};
  size_t points = 1;
  for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
    points = points * counts[i] > EXPERIMENT_MAX_POINTS ? EXPERIMENT_MAX_POINTS + 1 : points * counts[i];
  return points;
}

static tutti_status multiply(const xml_file *file, const xmlNode *node, const struct axes *axes,
                             tutti_group_sweep *sweep, tutti_error *error)
{
  size_t points = count_points(axes);
  if (points > EXPERIMENT_MAX_POINTS)
    return tutti_xml_fail(file, node, error, "more than %d points in an experiment", EXPERIMENT_MAX_POINTS);
  sweep->points = tutti_xcalloc(points, sizeof *sweep->points);
  for (int k = 0; k < axes->branching_count; k++)
    for (int c = 0; c < axes->color_count; c++)
      for (int s = 0; s < axes->seed_count; s++)
        append_points(axes,
                      (tutti_group_point){.sample = {.colors = (int)axes->colors[c], .seed = axes->seeds[s]},
                                          .branching = (int)axes->branching[k],
                                          .node_ranks = axes->node_ranks},
                      sweep);
  return TUTTI_OK;
}

tutti_status tutti_experiment_read_group(const xml_file *file, const xmlNode *node,
                                         const struct experiment_machine *machine, tutti_group_sweep *sweep,
                                         tutti_error *error)
{
  struct axes axes = {.builder_count = 0};
  tutti_status status = tutti_experiment_read_ranks(file, node, machine, &sweep->ranks, &sweep->ranks_count, error);
  if (status == TUTTI_OK)
    status = read_attributes(file, node, &axes, error);
  if (status == TUTTI_OK)
    status = read_samples(file, node, &axes, error);
  if (status == TUTTI_OK)
    status = read_builders(file, node, &axes, error);
  if (status == TUTTI_OK)
    status = multiply(file, node, &axes, sweep, error);
  free_axes(&axes);
  return status;
}
