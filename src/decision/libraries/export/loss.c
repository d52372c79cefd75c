/* The loss of a decision as a target reads it: against the best measured methods, and the library's own choice. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "decision/libraries/export/export.h"
#include "decision/libraries/libraries.h"

/* The answers of a file, as its library reads it. */
struct reading {
  const tutti_step_table *table; /* the table it was made from */
  tutti_decision read;
  bool native; /* calls that it leaves to the library are known as bcast/native */
};

static bool decide_as_read(const tutti_decision *decision, const tutti_question *question, tutti_method *method)
{
  const struct reading *reading = decision->data;
  if (!reading->native || tutti_step_table_find(reading->table, question->ranks, question->rank_bytes) >= 0)
    return reading->read.decide(&reading->read, question, method);
  *method = tutti_method_default(tutti_algorithm_find(question->collective, "native"));
  return true;
}

/* A file where it was asked for something. */
struct answered {
  const tutti_decision *asked, *written;
};

static bool decide_where_asked(const tutti_decision *decision, const tutti_question *question, tutti_method *method)
{
  const struct answered *answered = decision->data;
  return answered->asked->decide(answered->asked, question, method) &&
         answered->written->decide(answered->written, question, method);
}

/* Whether a file, read back, selects the wanted method. Its methods appear as ours, with the library's parts. */
static bool says(const tutti_method *wanted, const tutti_method *run, int ranks)
{
  tutti_method ours = tutti_method_as(wanted, TUTTI_IMPLEMENTATION_TUTTI);
  if (wanted->implementation != TUTTI_IMPLEMENTATION_TUTTI)
    memcpy(ours.parameters.parts, run->parameters.parts, sizeof ours.parameters.parts);
  return tutti_method_same_on(&ours, run, ranks);
}

/* Whether the library's own choice is wanted there, by this name or another, and the table leaves it to the library. */
static bool leaves_alone(const tutti_export_part *part, const tutti_method *wanted, int i, int j)
{
  const tutti_decision_map *map = part->map;
  int method = tutti_decision_map_serving(map, i, j, wanted);
  bool own = method >= 0 && map->own_choice[tutti_decision_map_cell(map, i, j, method)];
  return (own || tutti_method_is_native(wanted)) &&
         tutti_step_table_find(&part->table, map->ranks[i], map->sizes[j]) < 0;
}

/* The file runs a method at a point where its time is not known. */
static void add_unmeasured(tutti_export_part *part, const tutti_method *method, const tutti_question *question)
{
  for (int i = 0; i < part->unmeasured_count; i++)
    if (tutti_method_compare(&part->unmeasured[i].method, method) == 0)
      return;
  if (part->unmeasured_count < TUTTI_MAX_UNMEASURED)
    part->unmeasured[part->unmeasured_count++] =
        (tutti_unmeasured){.method = *method, .ranks = question->ranks, .bytes = question->rank_bytes};
}

static void count_point(tutti_export_part *part, const tutti_decision *written, int i, int j)
{
  const tutti_question question = tutti_decision_map_question(part->map, i, j);
  tutti_method wanted, told, run;
  if (!part->decision->decide(part->decision, &question, &wanted))
    return;
  part->points++;
  told = wanted;
  tutti_decision_map_tell(part->map, question.ranks, &told);
  bool runs = written->decide(written, &question, &run);
  bool same = runs && (says(&wanted, &run, question.ranks) || says(&told, &run, question.ranks));
  part->replaced += !same && !leaves_alone(part, &wanted, i, j);
  if (runs && tutti_decision_map_serving(part->map, i, j, &run) < 0)
    add_unmeasured(part, &run, &question);
}

/* Against the library left alone, at all points where both are known. */
static void compare_untuned(tutti_export_part *part, const tutti_decision *written)
{
  const tutti_decision_map *map = part->map;
  size_t points = tutti_decision_map_points(map);
  int native = tutti_decision_map_native(map);
  if (!map->candidates.native || native < 0)
    return;
  double *times = tutti_xcalloc(2 * points, sizeof *times);
  tutti_decision_times(map, written, times);
  for (size_t i = 0; i < points; i++)
    times[points + i] = map->times[i * (size_t)map->method_count + (size_t)native];
  part->untuned = tutti_improvement_over(times, times + points, points);
  free(times);
}

static void count_points(tutti_export_part *part, const tutti_decision *written)
{
  const tutti_decision_map *map = part->map;
  struct answered answered = {.asked = part->decision, .written = written};
  const tutti_decision there = {.name = written->name, .decide = decide_where_asked, .data = &answered};
  int points = 0;
  for (int i = 0; i < map->ranks_count; i++)
    for (int j = 0; j < map->size_count; j++)
      if (tutti_decision_map_best_at(map, i, j) >= 0) {
        count_point(part, written, i, j);
        points++;
      }
  /* A decision without measured points has no penalty: points is 0 then. */
  (void)tutti_penalty_compute(map, part->decision, &part->before, NULL);
  (void)tutti_penalty_compute(map, &there, &part->after, NULL);
  part->after.missing -= points - part->points;
}

/* The file as its library reads it, with all parts; for a target without a reader: the table. */
tutti_status tutti_export_count_loss(const tutti_target *target, const tutti_export_part *others, int count,
                                     tutti_export_part *part, tutti_error *error)
{
  tutti_export_part *parts = tutti_xcalloc((size_t)count + 1, sizeof *parts);
  tutti_tuning *tuning = NULL;
  struct reading reading = {.table = &part->table, .native = part->map->candidates.native && target->own_choice};
  const tutti_decision written = {
      .name = (char *)target->name, .collective = part->table.collective, .decide = decide_as_read, .data = &reading};
  for (int i = 0; i < count; i++)
    parts[i] = others[i];
  parts[count] = *part;
  tutti_status status = tutti_tuning_of_parts(target, parts, count + 1, &tuning, error);
  if (status == TUTTI_OK) {
    reading.read = tuning ? tutti_tuning_decision(tuning, target->name) : tutti_step_table_decision(&part->table);
    count_points(part, &written);
    compare_untuned(part, &written);
  }
  tutti_decision_free(&reading.read);
  tutti_tuning_close(tuning);
  free(parts);
  return status;
}
