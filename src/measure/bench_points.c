/* The points file of tutti-bench. */
#include "measure/bench_points.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"

/* ---- traces ---- */

const tutti_trace *tutti_points_trace(const struct points *points, const tutti_arrival *arrival)
{
  for (size_t i = 0; i < points->trace_count; i++)
    if (tutti_trace_is_of(&points->traces[i], arrival))
      return &points->traces[i];
  return NULL;
}

static size_t count_commas(const char *text)
{
  size_t commas = 0;
  for (; (text = strchr(text, ',')); text++)
    commas++;
  return commas;
}

/* "0,2500,100" */
static tutti_status parse_delays(char *text, tutti_trace *trace, tutti_error *error)
{
  trace->delays = calloc(count_commas(text) + 1, sizeof *trace->delays);
  if (!trace->delays)
    return tutti_fail(error, TUTTI_ERR_MEMORY, "out of memory for a trace");
  for (char *delay; (delay = strsep(&text, ","));)
    if (!tutti_parse_integer(delay, 0, TUTTI_MOST_DELAY, &trace->delays[trace->count++]))
      return tutti_fail(error, TUTTI_ERR_ARGUMENT, "not a delay in nanoseconds: '%s'", delay);
  return TUTTI_OK;
}

static tutti_status add_trace(struct points *points, tutti_trace *trace, const tutti_arrival *arrival,
                              tutti_error *error)
{
  memcpy(trace->name, arrival->trace, sizeof trace->name);
  trace->sum = tutti_trace_sum(trace);
  if (!tutti_trace_is_of(trace, arrival))
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "these delays are not those of the trace");
  tutti_trace *grown = reallocarray(points->traces, points->trace_count + 1, sizeof *grown);
  if (!grown)
    return tutti_fail(error, TUTTI_ERR_MEMORY, "out of memory for a trace");
  points->traces = grown;
  points->traces[points->trace_count++] = *trace;
  return TUTTI_OK;
}

/* arrival=trace/... delays_ns=... */
static tutti_status parse_trace(char *line, struct points *points, tutti_error *error)
{
  tutti_arrival arrival;
  tutti_trace trace = {.count = 0};
  char *word = strtok_r(line, " ", &line), *list = strtok_r(NULL, " ", &line);
  const char *delays = list ? tutti_word_value(list, "delays_ns") : NULL;
  tutti_status status = tutti_arrival_parse(tutti_word_value(word, "arrival"), &arrival, error);
  if (status == TUTTI_OK && (!delays || strtok_r(NULL, " ", &line)))
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "expected delays_ns= after '%s'", word);
  if (status == TUTTI_OK)
    status = parse_delays(list + (delays - list), &trace, error);
  if (status == TUTTI_OK)
    status = add_trace(points, &trace, &arrival, error);
  if (status != TUTTI_OK)
    tutti_trace_free(&trace);
  return status;
}

/* ---- points ---- */

static tutti_status parse_word(const struct points *points, const char *word, struct point *point, tutti_error *error)
{
  const char *arrival = tutti_word_value(word, "arrival"), *noise = tutti_word_value(word, "noise");
  tutti_status status = TUTTI_OK;
  if (noise)
    return tutti_noise_parse(noise, &point->noise, error);
  if (arrival)
    status = tutti_arrival_parse(arrival, &point->arrival, error);
  else if (!tutti_word_set_int(word, "root", &point->root) &&
           !tutti_word_set_whole(word, "count", UINT64_MAX, &point->count) &&
           !(tutti_word_set_whole(word, "type_B", INT_MAX, &point->type_size) && point->type_size > 0))
    return tutti_word_refuse(word, error);
  if (status == TUTTI_OK && point->arrival.kind == TUTTI_ARRIVAL_TRACE && !tutti_points_trace(points, &point->arrival))
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "the delays do not stand before '%s'", word);
  return status;
}

static tutti_status parse_point(char *line, struct points *points, tutti_error *error)
{
  struct point *point = tutti_points_add(points);
  const char *word = strtok_r(line, " ", &line);
  if (!word)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "expected a method instead of ''");
  point->type_size = 1;
  tutti_status status = tutti_method_parse(word, &point->method, error);
  while (status == TUTTI_OK && (word = strtok_r(NULL, " ", &line)))
    status = parse_word(points, word, point, error);
  if (status != TUTTI_OK)
    return status;
  tutti_collective collective = point->method.algorithm->collective;
  if (collective == TUTTI_COLL_BARRIER)
    point->count = 0;
  if (!(tutti_collective_traits(collective) & TUTTI_HAS_ROOT))
    point->root = 0;
  if (point->count > SIZE_MAX / 2 / point->type_size)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "message too large for '%s'", tutti_collective_name(collective));
  return TUTTI_OK;
}

static tutti_status parse_line(struct points *points, char *line, tutti_error *error)
{
  return tutti_word_value(line, "arrival") ? parse_trace(line, points, error) : parse_point(line, points, error);
}

const struct points_kind tutti_bench_points = {
    .defaults = {.measure = {TUTTI_SCHEME_OCC, 3, 200, 0.05}, .ranks_per_node = 1},
    .item_size = sizeof(struct point),
    .parse_line = parse_line,
};
