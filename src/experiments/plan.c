#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "experiments/plan_private.h"
#include "tutti/pattern.h"

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
  *plan =
      (tutti_plan){.experiment = experiment, .measure = experiment->measure, .ranks_per_node = options->ranks_per_node};
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

static void write_point(const tutti_point *point, FILE *stream)
{
  char method[TUTTI_METHOD_LENGTH], text[TUTTI_RESULT_POINT_LENGTH];
  if (point->result || point->build.builder) {
    fputs(point->result ? tutti_result_format_point(point->result, text)
                        : tutti_group_point_format(&point->build, text),
          stream);
    return;
  }
  fprintf(stream, "%s root=%d count=%" PRIu64 " type_B=%" PRIu64, tutti_method_format(&point->method, method),
          point->root, point->count, point->type_size);
  tutti_pattern_write(&point->arrival, &point->noise, stream);
}

char *tutti_point_format(const tutti_point *point, char *text)
{
  text[0] = '\0';
  FILE *stream = fmemopen(text, TUTTI_POINT_LENGTH, "w");
  if (!stream)
    return text;
  write_point(point, stream);
  fclose(stream);
  return text;
}

static bool uses_trace(const tutti_plan *plan, const tutti_chunk *chunk, const tutti_trace *trace)
{
  for (size_t i = 0; i < chunk->count; i++)
    if (tutti_trace_is_of(trace, &plan->points[chunk->first + i].arrival))
      return true;
  return false;
}

/* Two sweeps may have the same trace, which may be said twice. */
static void write_traces(const tutti_plan *plan, const tutti_chunk *chunk, FILE *stream)
{
  for (int s = 0; plan->experiment && s < plan->experiment->sweep_count; s++) {
    const tutti_patterns *patterns = &plan->experiment->sweeps[s].patterns;
    for (size_t a = 0; a < patterns->arrival_count; a++)
      if (patterns->traces[a].count > 0 && uses_trace(plan, chunk, &patterns->traces[a]))
        tutti_trace_write(&patterns->traces[a], stream);
  }
}

tutti_status tutti_plan_write_points(const tutti_plan *plan, const tutti_chunk *chunk, FILE *stream, tutti_error *error)
{
  const tutti_measure *measure = &plan->measure;
  fprintf(stream, "tutti-points v=1 scheme=%s warmup=%d repetitions_max=%d confidence=%.12g ranks_per_node=%d\n",
          tutti_scheme_name(measure->scheme), measure->warmup, measure->repetitions_max, measure->confidence,
          plan->ranks_per_node);
  write_traces(plan, chunk, stream);
  for (size_t i = 0; i < chunk->count; i++) {
    write_point(&plan->points[chunk->first + i], stream);
    fputc('\n', stream);
  }
  if (ferror(stream))
    return tutti_fail(error, TUTTI_ERR_IO, "cannot write the points file for %d ranks", chunk->ranks);
  return TUTTI_OK;
}
