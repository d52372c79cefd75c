/* Lists of arrival patterns and noise. Linked into the measuring programs. */
#include "tutti/pattern.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Room for one more in an array of `count` items, which doubles; false: out of memory. */
static bool make_room(void *array, size_t count, size_t item)
{
  void *items;
  if ((count & (count - 1)) != 0)
    return true;
  memcpy(&items, array, sizeof items);
  items = reallocarray(items, count ? 2 * count : 1, item);
  if (items)
    memcpy(array, &items, sizeof items);
  return items;
}

static tutti_status fail_memory(tutti_error *error)
{
  return tutti_fail(error, TUTTI_ERR_MEMORY, "out of memory for a list of patterns");
}

static tutti_status add_arrival(const char *word, const char *directory, tutti_patterns *patterns, tutti_error *error)
{
  tutti_arrival arrival;
  tutti_trace trace;
  size_t count = patterns->arrival_count;
  tutti_status status = tutti_arrival_read(word, directory, &arrival, &trace, error);
  bool known = false;
  for (size_t i = 0; i < count && status == TUTTI_OK; i++)
    known = known || tutti_arrival_compare(&arrival, &patterns->arrivals[i]) == 0;
  if (status == TUTTI_OK && !known &&
      (!make_room(&patterns->arrivals, count, sizeof arrival) || !make_room(&patterns->traces, count, sizeof trace)))
    status = fail_memory(error);
  if (status != TUTTI_OK || known) {
    tutti_trace_free(&trace);
    return status;
  }
  patterns->arrivals[count] = arrival;
  patterns->traces[count] = trace;
  patterns->arrival_count++;
  return TUTTI_OK;
}

static tutti_status add_noise(const char *word, const char *directory, tutti_patterns *patterns, tutti_error *error)
{
  tutti_noise noise;
  size_t count = patterns->noise_count;
  (void)directory;
  tutti_status status = tutti_noise_parse(word, &noise, error);
  if (status != TUTTI_OK)
    return status;
  for (size_t i = 0; i < count; i++)
    if (tutti_noise_compare(&noise, &patterns->noises[i]) == 0)
      return TUTTI_OK;
  if (!make_room(&patterns->noises, count, sizeof noise))
    return fail_memory(error);
  patterns->noises[patterns->noise_count++] = noise;
  return TUTTI_OK;
}

static tutti_status add_words(const char *text, const char *separators, const char *directory,
                              tutti_status (*add)(const char *, const char *, tutti_patterns *, tutti_error *),
                              tutti_patterns *patterns, tutti_error *error)
{
  char *copy = strdup(text ? text : "none"), *rest = NULL;
  tutti_status status = copy ? TUTTI_OK : fail_memory(error);
  for (char *word = copy ? strtok_r(copy, separators, &rest) : NULL; word && status == TUTTI_OK;
       word = strtok_r(NULL, separators, &rest))
    status = add(word, directory, patterns, error);
  free(copy);
  return status;
}

tutti_status tutti_patterns_read(const char *arrivals, const char *noises, const char *separators,
                                 const char *directory, tutti_patterns *patterns, tutti_error *error)
{
  *patterns = (tutti_patterns){.arrival_count = 0};
  tutti_status status = add_words(arrivals, separators, directory, add_arrival, patterns, error);
  if (status == TUTTI_OK)
    status = add_words(noises, separators, directory, add_noise, patterns, error);
  if (status == TUTTI_OK && (patterns->arrival_count == 0 || patterns->noise_count == 0))
    status = tutti_fail(error, TUTTI_ERR_ARGUMENT, "the list of %s is empty",
                        patterns->arrival_count == 0 ? "arrival patterns" : "noises");
  if (status != TUTTI_OK)
    tutti_patterns_free(patterns);
  return status;
}

void tutti_patterns_free(tutti_patterns *patterns)
{
  for (size_t i = 0; i < patterns->arrival_count; i++)
    tutti_trace_free(&patterns->traces[i]);
  free(patterns->arrivals);
  free(patterns->traces);
  free(patterns->noises);
  *patterns = (tutti_patterns){.arrival_count = 0};
}

void tutti_pattern_write(const tutti_arrival *arrival, const tutti_noise *noise, FILE *stream)
{
  char text[TUTTI_ARRIVAL_LENGTH > TUTTI_NOISE_LENGTH ? TUTTI_ARRIVAL_LENGTH : TUTTI_NOISE_LENGTH];
  if (arrival->kind != TUTTI_ARRIVAL_NONE)
    fprintf(stream, " arrival=%s", tutti_arrival_format(arrival, text));
  if (noise->kind != TUTTI_NOISE_NONE)
    fprintf(stream, " noise=%s", tutti_noise_format(noise, text));
}

void tutti_trace_write(const tutti_trace *trace, FILE *stream)
{
  fprintf(stream, "arrival=trace/%s/sum=%08" PRIx32 " delays_ns=", trace->name, trace->sum);
  for (size_t i = 0; i < trace->count; i++)
    fprintf(stream, "%s%" PRIu64, i ? "," : "", trace->delays[i]);
  fputc('\n', stream);
}
