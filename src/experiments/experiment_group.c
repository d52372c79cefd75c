/* <group>: ranks x draws x builders. */
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "experiments/experiment_private.h"

enum { MOST_BUILDERS = 64 };

/* The axes of a sweep of groups. Lists are owned. */
struct axes {
  uint64_t *branching, *seeds, *colors, *members;
  double *fractions;
  int branching_count, seed_count, color_count, member_count, fraction_count;
  const tutti_group_builder *builders[MOST_BUILDERS];
  int builder_count;
  int node_ranks;
};

static void free_axes(struct axes *axes)
{
  free(axes->branching);
  free(axes->seeds);
  free(axes->colors);
  free(axes->members);
  free(axes->fractions);
}

/* ---- numbers ---- */

static tutti_status parse_whole(const char *text, uint64_t *value, tutti_error *error)
{
  char *end;
  errno = 0;
  *value = strtoull(text, &end, 10);
  if (end == text || *end != '\0' || *text == '-' || errno || *value > INT64_MAX)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "'%s' is not a whole number", text);
  return TUTTI_OK;
}

static tutti_status parse_int(const char *text, uint64_t *value, tutti_error *error)
{
  tutti_status status = parse_whole(text, value, error);
  if (status == TUTTI_OK && *value > INT_MAX)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "%s is too large a number", text);
  return status;
}

/* An attribute as a list; `usual` if there is none. */
static tutti_status read_attribute(const xml_file *file, const xmlNode *node, const char *name, const char *usual,
                                   experiment_number *parse, uint64_t least, uint64_t **values, int *count,
                                   tutti_error *error)
{
  tutti_error reason;
  const char *text = tutti_xml_attribute(node, name);
  if (tutti_experiment_parse_list(text ? text : usual, parse, values, count, &reason) != TUTTI_OK)
    return tutti_xml_fail(file, node, error, "%s=\"%s\": %.200s", name, text, reason.message);
  if (**values < least)
    return tutti_xml_fail(file, node, error, "%s=\"%s\": at least %llu is needed", name, text,
                          (unsigned long long)least);
  return TUTTI_OK;
}

static tutti_status read_attributes(const xml_file *file, const xmlNode *node, struct axes *axes, tutti_error *error)
{
  uint64_t *ranks = NULL;
  int count = 0;
  tutti_status status =
      read_attribute(file, node, "branching", "3", parse_int, 2, &axes->branching, &axes->branching_count, error);
  if (status == TUTTI_OK)
    status = read_attribute(file, node, "seed", "1", parse_whole, 0, &axes->seeds, &axes->seed_count, error);
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

static tutti_status append_fraction(struct axes *axes, const char *text, tutti_error *error)
{
  char *end;
  double fraction = strtod(text, &end);
  if (end == text || *end != '\0' || !(fraction >= 0 && fraction <= 1))
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "'%s' is not a number from 0 to 1", text);
  double *longer = reallocarray(axes->fractions, (size_t)axes->fraction_count + 1, sizeof *longer);
  if (!longer)
    return tutti_fail(error, TUTTI_ERR_MEMORY, "out of memory");
  axes->fractions = longer;
  axes->fractions[axes->fraction_count++] = fraction;
  return TUTTI_OK;
}

static tutti_status read_fractions(const xml_file *file, const xmlNode *node, struct axes *axes, tutti_error *error)
{
  tutti_error reason;
  tutti_status status = TUTTI_OK;
  xmlChar *text = xmlNodeGetContent(node);
  if (!text)
    return tutti_fail(error, TUTTI_ERR_MEMORY, "%s: out of memory", file->path);
  char *rest = (char *)text, *state = NULL;
  for (char *word = strtok_r(rest, " \t\r\n", &state); word && status == TUTTI_OK;
       word = strtok_r(NULL, " \t\r\n", &state))
    status = append_fraction(axes, word, &reason);
  xmlFree(text);
  if (status != TUTTI_OK)
    return tutti_xml_fail(file, node, error, "<fractions>: %s", reason.message);
  return axes->fraction_count > 0 ? TUTTI_OK : tutti_xml_fail(file, node, error, "<fractions>: the list is empty");
}

static tutti_status read_draws(const xml_file *file, const xmlNode *parent, struct axes *axes, tutti_error *error)
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
  if (axes->builder_count == MOST_BUILDERS)
    return tutti_xml_fail(file, node, error, "more than %d builders", MOST_BUILDERS);
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
  for (int b = 0; axes->builder_count == b && tutti_group_builder_at(b) && b < MOST_BUILDERS; b++)
    axes->builders[axes->builder_count++] = tutti_group_builder_at(b);
  return status;
}

/* ---- the product ---- */

static tutti_group_sample sample_at(const struct axes *axes, int d)
{
  if (d < axes->fraction_count)
    return (tutti_group_sample){.fraction = axes->fractions[d], .members = -1};
  return (tutti_group_sample){.members = (int)axes->members[d - axes->fraction_count]};
}

static void append_points(const struct axes *axes, tutti_group_point point, tutti_group_sweep *sweep)
{
  tutti_group_sample common = point.sample;
  for (int d = 0; d < axes->fraction_count + axes->member_count; d++)
    for (int b = 0; b < axes->builder_count; b++) {
      point.sample = sample_at(axes, d);
      point.sample.seed = common.seed;
      point.sample.colors = common.colors;
      point.builder = axes->builders[b];
      sweep->points[sweep->point_count++] = point;
    }
}

/* The product of the axes, each of which has at most 2^31 values; no more than one too many, which cannot overflow. */
static size_t count_points(const struct axes *axes)
{
  const size_t counts[] = {(size_t)axes->branching_count, (size_t)axes->seed_count, (size_t)axes->color_count,
                           (size_t)axes->fraction_count + (size_t)axes->member_count, (size_t)axes->builder_count};
  size_t points = 1;
  for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
    points = points * counts[i] > EXPERIMENT_MOST_POINTS ? EXPERIMENT_MOST_POINTS + 1 : points * counts[i];
  return points;
}

static tutti_status multiply(const xml_file *file, const xmlNode *node, const struct axes *axes,
                             tutti_group_sweep *sweep, tutti_error *error)
{
  size_t points = count_points(axes);
  if (points > EXPERIMENT_MOST_POINTS)
    return tutti_xml_fail(file, node, error, "more than %d points in an experiment", EXPERIMENT_MOST_POINTS);
  sweep->points = calloc(points, sizeof *sweep->points);
  if (!sweep->points)
    return tutti_fail(error, TUTTI_ERR_MEMORY, "%s: out of memory for %zu groups", file->path, points);
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
    status = read_draws(file, node, &axes, error);
  if (status == TUTTI_OK)
    status = read_builders(file, node, &axes, error);
  if (status == TUTTI_OK)
    status = multiply(file, node, &axes, sweep, error);
  free_axes(&axes);
  return status;
}
