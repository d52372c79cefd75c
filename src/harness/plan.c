#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "harness/plan_private.h"

/* A plan of few points must still keep every job busy. */
static size_t chunk_limit(const tutti_plan_options *options, size_t points)
{
  size_t limit = options->chunk_points ? options->chunk_points : TUTTI_CHUNK_POINTS;
  size_t jobs = options->jobs > 0 ? (size_t)options->jobs : 1;
  size_t share = (points + jobs - 1) / jobs;
  size_t chosen = share < limit ? share : limit;
  return chosen ? chosen : 1;
}

tutti_status tutti_plan_create(const tutti_experiment *experiment, const tutti_plan_options *options,
                               const tutti_present *present, tutti_plan *plan, tutti_error *error)
{
  *plan = (tutti_plan){.measure = experiment->measure, .ranks_per_node = options->ranks_per_node};
  struct point_list list = {0};
  tutti_status status = tutti_points_of_experiment(experiment, &list, &plan->outside, error);
  if (status == TUTTI_OK)
    status =
        tutti_points_drop_present(&list, plan->measure.scheme, plan->ranks_per_node, present, &plan->present, error);
  if (status == TUTTI_OK)
    tutti_points_drop_pending(&list, present, &plan->pending);
  plan->points = list.points;
  plan->point_count = list.count;
  if (status == TUTTI_OK)
    status = tutti_plan_cut(plan, chunk_limit(options, list.count), error);
  if (status != TUTTI_OK)
    tutti_plan_free(plan);
  return status;
}

void tutti_plan_free(tutti_plan *plan)
{
  free(plan->points);
  free(plan->chunks);
  *plan = (tutti_plan){0};
}

char *tutti_point_format(const tutti_point *point, char *text)
{
  char name[TUTTI_METHOD_LENGTH];
  if (point->result)
    return tutti_result_format_point(point->result, text);
  if (point->build.builder)
    return tutti_build_point_format(&point->build, text);
  snprintf(text, TUTTI_POINT_LENGTH, "%s root=%d count=%" PRIu64 " type_B=%" PRIu64,
           tutti_method_format(&point->method, name), point->root, point->count, point->type_size);
  return text;
}

tutti_status tutti_plan_write_points(const tutti_plan *plan, const tutti_chunk *chunk, FILE *stream, tutti_error *error)
{
  const tutti_measure *measure = &plan->measure;
  fprintf(stream, "tutti-points v=1 scheme=%s warmup=%d repetitions_max=%d confidence=%.12g ranks_per_node=%d\n",
          tutti_scheme_name(measure->scheme), measure->warmup, measure->repetitions_max, measure->confidence,
          plan->ranks_per_node);
  char text[TUTTI_POINT_LENGTH];
  for (size_t i = 0; i < chunk->count; i++)
    fprintf(stream, "%s\n", tutti_point_format(&plan->points[chunk->first + i], text));
  if (ferror(stream))
    return tutti_fail(error, TUTTI_ERR_IO, "cannot write the points file for %d ranks", chunk->ranks);
  return TUTTI_OK;
}
