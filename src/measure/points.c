#include "measure/points.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "measure/words.h"

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
static tutti_status parse_delays(char *text, tutti_trace *trace, const struct position *at, tutti_error *error)
{
  trace->delays = calloc(count_commas(text) + 1, sizeof *trace->delays);
  if (!trace->delays)
    return tutti_position_complain(at, TUTTI_ERR_MEMORY, "out of memory for a trace", error);
  for (char *delay; (delay = strsep(&text, ","));)
    if (!tutti_word_number(delay, TUTTI_MOST_DELAY, &trace->delays[trace->count++]))
      return tutti_word_complain(at, "not a delay in nanoseconds:", delay, error);
  return TUTTI_OK;
}

static tutti_status add_trace(struct points *points, tutti_trace *trace, const tutti_arrival *arrival,
                              const struct position *at, tutti_error *error)
{
  memcpy(trace->name, arrival->trace, sizeof trace->name);
  trace->sum = tutti_trace_sum(trace);
  if (!tutti_trace_is_of(trace, arrival))
    return tutti_position_complain(at, TUTTI_ERR_ARGUMENT, "these delays are not those of the trace", error);
  tutti_trace *grown = reallocarray(points->traces, points->trace_count + 1, sizeof *grown);
  if (!grown)
    return tutti_position_complain(at, TUTTI_ERR_MEMORY, "out of memory for a trace", error);
  points->traces = grown;
  points->traces[points->trace_count++] = *trace;
  return TUTTI_OK;
}

/* arrival=trace/... delays_ns=... */
static tutti_status parse_trace(char *line, struct points *points, const struct position *at, tutti_error *error)
{
  tutti_arrival arrival;
  tutti_trace trace = {.count = 0};
  tutti_error reason;
  char *word = strtok_r(line, " ", &line), *list = strtok_r(NULL, " ", &line);
  const char *delays = list ? tutti_word_value(list, "delays_ns") : NULL;
  if (tutti_arrival_parse(tutti_word_value(word, "arrival"), &arrival, &reason) != TUTTI_OK)
    return tutti_position_complain(at, TUTTI_ERR_ARGUMENT, reason.message, error);
  if (!delays || strtok_r(NULL, " ", &line))
    return tutti_word_complain(at, "expected delays_ns= after", word, error);
  tutti_status status = parse_delays(list + (delays - list), &trace, at, error);
  if (status == TUTTI_OK)
    status = add_trace(points, &trace, &arrival, at, error);
  if (status != TUTTI_OK)
    tutti_trace_free(&trace);
  return status;
}

/* ---- points ---- */

static tutti_status parse_pattern(const char *word, const struct points *points, struct point *point, bool *taken,
                                  const struct position *at, tutti_error *error)
{
  const char *arrival = tutti_word_value(word, "arrival"), *noise = tutti_word_value(word, "noise");
  tutti_error reason;
  *taken = arrival || noise;
  if (arrival && tutti_arrival_parse(arrival, &point->arrival, &reason) != TUTTI_OK)
    return tutti_position_complain(at, TUTTI_ERR_ARGUMENT, reason.message, error);
  if (noise && tutti_noise_parse(noise, &point->noise, &reason) != TUTTI_OK)
    return tutti_position_complain(at, TUTTI_ERR_ARGUMENT, reason.message, error);
  if (point->arrival.kind == TUTTI_ARRIVAL_TRACE && !tutti_points_trace(points, &point->arrival))
    return tutti_word_complain(at, "the delays do not stand before", word, error);
  return TUTTI_OK;
}

static tutti_status parse_word(const char *word, const struct points *points, struct point *point,
                               const struct position *at, tutti_error *error)
{
  const char *count = tutti_word_value(word, "count"), *size = tutti_word_value(word, "type_B");
  bool taken;
  tutti_status status = parse_pattern(word, points, point, &taken, at, error);
  if (status != TUTTI_OK || taken)
    return status;
  if (!tutti_word_take_int(word, "root", &point->root) &&
      !(count && tutti_word_number(count, UINT64_MAX, &point->count)) &&
      !(size && tutti_word_number(size, INT_MAX, &point->type_size) && point->type_size > 0))
    return tutti_word_complain(at, "cannot use", word, error);
  return TUTTI_OK;
}

static tutti_status parse_point(char *line, const struct points *points, struct point *point, const struct position *at,
                                tutti_error *error)
{
  tutti_error reason;
  tutti_status status = TUTTI_OK;
  char *word = strtok_r(line, " ", &line);
  *point = (struct point){.type_size = 1};
  if (!word)
    return tutti_word_complain(at, "expected a method instead of", "", error);
  if (tutti_method_parse(word, &point->method, &reason) != TUTTI_OK)
    return tutti_position_complain(at, TUTTI_ERR_ARGUMENT, reason.message, error);
  while (status == TUTTI_OK && (word = strtok_r(NULL, " ", &line)))
    status = parse_word(word, points, point, at, error);
  if (status != TUTTI_OK)
    return status;
  if (point->method.algorithm->collective == TUTTI_COLL_BARRIER)
    point->count = 0;
  if (!(tutti_collective_traits(point->method.algorithm->collective) & TUTTI_HAS_ROOT))
    point->root = 0;
  if (point->count > SIZE_MAX / 2 / point->type_size)
    return tutti_word_complain(at, "message too large for", tutti_collective_name(point->method.algorithm->collective),
                               error);
  return TUTTI_OK;
}

static tutti_status take_line(void *argument, char *line, const struct position *at, tutti_error *error)
{
  struct points *points = argument;
  if (tutti_word_value(line, "arrival"))
    return parse_trace(line, points, at, error);
  return parse_point(line, points, &points->items[points->count++], at, error);
}

tutti_status tutti_points_parse(char *text, const char *name, struct points *points, tutti_error *error)
{
  const struct position at = {name, 1};
  const struct lines lines = {&points->measure, &points->ranks_per_node, take_line, points};
  *points = (struct points){.measure = {TUTTI_SCHEME_OCC, 3, 200, 0.05}, .ranks_per_node = 1};
  points->items = malloc(tutti_count_lines(text) * sizeof *points->items);
  if (!points->items)
    return tutti_position_complain(&at, TUTTI_ERR_MEMORY, "out of memory for the points", error);
  tutti_status status = tutti_lines_parse(text, name, &lines, error);
  if (status != TUTTI_OK)
    tutti_points_free(points);
  return status;
}

void tutti_points_free(struct points *points)
{
  for (size_t i = 0; i < points->trace_count; i++)
    tutti_trace_free(&points->traces[i]);
  free(points->traces);
  free(points->items);
  *points = (struct points){.items = NULL};
}
