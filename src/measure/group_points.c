#include "measure/group_points.h"

#include <stdlib.h>
#include <string.h>

#include "measure/words.h"

static bool take_fraction(const char *word, tutti_group_sample *sample)
{
  if (!tutti_word_take_real(word, "fraction", &sample->fraction))
    return false;
  sample->members = -1;
  return true;
}

static bool take_seed(const char *word, tutti_group_sample *sample)
{
  const char *value = tutti_word_value(word, "seed");
  return value && tutti_word_number(value, INT64_MAX, &sample->seed);
}

static tutti_status parse_point(char *line, tutti_group_point *point, const struct position *at, tutti_error *error)
{
  tutti_error reason;
  char *word = strtok_r(line, " ", &line);
  point->builder = tutti_group_builder_find(word ? word : "", &reason);
  while (point->builder && (word = strtok_r(NULL, " ", &line))) {
    tutti_group_sample *sample = &point->sample;
    if (!take_fraction(word, sample) && !take_seed(word, sample) &&
        !tutti_word_take_int(word, "members", &sample->members) &&
        !tutti_word_take_int(word, "colours", &sample->colors) &&
        !tutti_word_take_int(word, "branching", &point->branching) &&
        !tutti_word_take_int(word, "node_ranks", &point->node_ranks))
      return tutti_word_complain(at, "cannot use", word, error);
  }
  tutti_status status = point->builder ? tutti_group_point_check(point, &reason) : TUTTI_ERR_ARGUMENT;
  return status == TUTTI_OK ? TUTTI_OK : tutti_position_complain(at, status, reason.message, error);
}

/* What has been read, and how many ranks there are. */
struct reading {
  struct group_points *points;
  int ranks;
};

static tutti_status take_line(void *argument, char *line, const struct position *at, tutti_error *error)
{
  const struct reading *reading = argument;
  tutti_group_point *point = &reading->points->items[reading->points->count++];
  *point = (tutti_group_point){
      .sample = {.size = reading->ranks, .fraction = 1, .members = -1, .colors = 1}, .branching = 3, .node_ranks = 1};
  return parse_point(line, point, at, error);
}

tutti_status group_points_parse(char *text, const char *name, int ranks, struct group_points *points,
                                tutti_error *error)
{
  const struct position at = {name, 1};
  struct reading reading = {points, ranks};
  const struct lines lines = {&points->measure, &points->ranks_per_node, take_line, &reading};
  *points = (struct group_points){.measure = {TUTTI_SCHEME_WINDOW, 3, 200, 0.05}, .ranks_per_node = 1};
  points->items = malloc(tutti_count_lines(text) * sizeof *points->items);
  if (!points->items)
    return tutti_position_complain(&at, TUTTI_ERR_MEMORY, "out of memory for the points", error);
  tutti_status status = tutti_lines_parse(text, name, &lines, error);
  if (status != TUTTI_OK)
    group_points_free(points);
  return status;
}

void group_points_free(struct group_points *points)
{
  free(points->items);
  *points = (struct group_points){.items = NULL};
}
