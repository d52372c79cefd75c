#include "harness/measure/group/group_points.h"

#include <string.h>

static bool set_fraction(const char *word, tutti_group_sample *sample)
{
  if (!tutti_word_set_real(word, "fraction", &sample->fraction))
    return false;
  sample->members = -1;
  return true;
}

static bool set_word(const char *word, tutti_group_point *point)
{
  tutti_group_sample *sample = &point->sample;
  return set_fraction(word, sample) || tutti_word_set_whole(word, "seed", INT64_MAX, &sample->seed) ||
         tutti_word_set_int(word, "members", &sample->members) ||
         tutti_word_set_int(word, "colours", &sample->colors) ||
         tutti_word_set_int(word, "branching", &point->branching) ||
         tutti_word_set_int(word, "node_ranks", &point->node_ranks);
}

/* Each sample has the size of the launch, whatever the file says. */
static tutti_status parse_line(struct points *points, char *line, tutti_error *error)
{
  tutti_group_point *point = tutti_points_add(points);
  const char *word = strtok_r(line, " ", &line);
  *point = (tutti_group_point){
      .sample = {.size = points->ranks, .fraction = 1, .members = -1, .colors = 1}, .branching = 3, .node_ranks = 1};
  point->builder = tutti_group_builder_find(word ? word : "", error);
  if (!point->builder)
    return TUTTI_ERR_ARGUMENT;
  while ((word = strtok_r(NULL, " ", &line)))
    if (!set_word(word, point))
      return tutti_word_refuse(word, error);
  return tutti_group_point_check(point, error);
}

const struct points_kind tutti_group_points = {
    .defaults = {.measure = {TUTTI_SCHEME_WINDOW, 3, 200, 0.05}, .ranks_per_node = 1},
    .item_size = sizeof(tutti_group_point),
    .parse_line = parse_line,
};
