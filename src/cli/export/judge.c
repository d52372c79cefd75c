/* Judging whether a file is better than none, by the library's times with it, and without. */
#include "cli/export/export.h"

/* At more points than this share the library may not be notably faster alone than with the file, nor unknown. */
static const double max_share = 0.05;

/* What the library would have to be told to run a method, whose parts it picks itself. */
static tutti_method told_as(const tutti_method *method, tutti_implementation library)
{
  tutti_method own = tutti_method_as(method, library);
  memcpy(own.parameters.parts, tutti_method_default(own.algorithm).parameters.parts, sizeof own.parameters.parts);
  return own;
}

/* The methods that the file runs where their times are not known, as the library runs them; where only Tutti's code was
   measured, all that it names. */
static int list_unknown(const tutti_export_part *part, tutti_implementation library,
                        tutti_unmeasured unknown[TUTTI_MAX_UNMEASURED])
{
  const bool own = part->map->candidates.implementation == library;
  const int all = own ? part->unmeasured_count : part->table.method_count;
  int count = 0;
  for (int i = 0; i < all && count < TUTTI_MAX_UNMEASURED; i++) {
    const tutti_method *method = own ? &part->unmeasured[i].method : &part->table.methods[i];
    unknown[count] = own ? part->unmeasured[i] : (tutti_unmeasured){.ranks = 0};
    unknown[count].method = told_as(method, library);
    count += own || (unknown[count].method.implementation == library &&
                     tutti_decision_map_find(part->map, &unknown[count].method) < 0);
  }
  return count;
}

/* As the methods of a command; @p points: for people, with the first point of each. */
static char *print_unknown(const tutti_unmeasured *unknown, int count, bool points)
{
  struct tutti_text_stream list;
  char name[TUTTI_METHOD_LENGTH], size[24];
  tutti_xopen_text(&list);
  for (int i = 0; i < count; i++) {
    fprintf(list.stream, "%s%s", i == 0 ? "" : points ? ", " : ",", tutti_method_format(&unknown[i].method, name));
    if (points && unknown[i].ranks)
      fprintf(list.stream, " (first on %d ranks, %s)", unknown[i].ranks, tutti_size_format(unknown[i].bytes, size));
  }
  return tutti_xclose_text(&list);
}

/* At how many points it is not known what the library takes under the file. */
static int count_unknown(const tutti_export_part *part, tutti_implementation library)
{
  bool own = part->map->candidates.implementation == library;
  return own ? part->after.missing - part->after.not_positive : part->points;
}

/* The command that measures these methods of the target's library at the points of the map; none: all that it can be
   told. */
static char *command_measuring(const struct export_options *options, const tutti_export_part *part,
                               const struct measured_map *measured, const tutti_unmeasured *unknown, int count)
{
  struct measured_map of_library = *measured;
  const char *library = tutti_implementation_name(tutti_target_implementation(options->target));
  snprintf(of_library.flavor, sizeof of_library.flavor, "%s", library);
  char *command = selection_bench_command(&options->selection, part->table.collective, &of_library),
       *methods = print_unknown(unknown, count, false);
  char *whole = tutti_xprintf("%s%s%s%s", command, count ? " --methods '" : "", methods, count ? "'" : "");
  free(command);
  free(methods);
  return whole;
}

static tutti_status refuse_other_code(const struct export_options *options, const tutti_export_part *part,
                                      const struct measured_map *measured, char **remedy, tutti_error *error)
{
  tutti_implementation library = tutti_target_implementation(options->target);
  bool own = part->map->candidates.implementation == library;
  tutti_unmeasured unknown[TUTTI_MAX_UNMEASURED];
  const int count = list_unknown(part, library, unknown);
  char *methods = print_unknown(unknown, count, true);
  *remedy = command_measuring(options, part, measured, unknown, count);
  tutti_status status = tutti_fail(
      error, TUTTI_ERR_ARGUMENT,
      "%s: the file runs the code of %s, whose times on %s are not known at %d of %d points; by those of %s "
      "the file loses %.2f %% in the mean: measure %.200s, or write the file all the same with --force "
      "(after tutti bench --budget the store of its --output-db has all times):",
      tutti_collective_name(part->table.collective), tutti_implementation_name(library), options->selection.platform,
      count_unknown(part, library), part->points, own ? "the other points" : "Tutti's code", part->after.mean,
      *methods ? methods : "what it names there");
  free(methods);
  return status;
}

static tutti_status refuse_slower(const struct export_options *options, const tutti_export_part *part,
                                  const struct measured_map *measured, char **remedy, tutti_error *error)
{
  const tutti_improvement *untuned = &part->untuned;
  const char *collective = tutti_collective_name(part->table.collective);
  char *words = tutti_xprintf("learn LEARNER %s --target %s", collective, options->target->name);
  *remedy = selection_command(&options->selection, measured, words, false);
  free(words);
  return tutti_fail(
      error, TUTTI_ERR_ARGUMENT,
      "%s: %s left alone is faster than with the file by more than %g %% at %d of %d points; the file "
      "takes %.2f %% more time in the mean, at worst %.2f %%: decide by its own times, or write the file all the "
      "same with --force:",
      collective, tutti_implementation_name(tutti_target_implementation(options->target)), TUTTI_NOTABLE_PERCENT,
      untuned->slower, untuned->points, -untuned->mean, -untuned->min);
}

/* @p remedy: a command. Of a file that a real library reads its own times are asked for; a simulated machine has none.
 */
static tutti_status judge_part(const struct export_options *options, const tutti_export_part *part,
                               struct measured_map *measured, char **remedy, tutti_error *error)
{
  tutti_implementation library = tutti_target_implementation(options->target);
  bool read_by_library = library == TUTTI_IMPLEMENTATION_OPENMPI || library == TUTTI_IMPLEMENTATION_MPICH;
  bool real = selection_measured_library(measured, TUTTI_IMPLEMENTATION_OPENMPI) ||
              selection_measured_library(measured, TUTTI_IMPLEMENTATION_MPICH);
  if (!read_by_library || !part->map)
    return TUTTI_OK;
  if (!real) {
    selection_note_stand_in(measured, options->target);
    return TUTTI_OK;
  }
  if (count_unknown(part, library) > max_share * part->points)
    return refuse_other_code(options, part, measured, remedy, error);
  if (part->untuned.slower > max_share * part->untuned.points && !options->selection.reproducible) /* bits cost time */
    return refuse_slower(options, part, measured, remedy, error);
  return TUTTI_OK;
}

tutti_status export_judge(const struct export_options *options, struct exported *exported, tutti_error *error)
{
  for (int i = 0; i < exported->part_count; i++) {
    const tutti_export_part *part = &exported->parts[i];
    char *remedy = NULL;
    tutti_status status = judge_part(options, part, &exported->maps[part->table.collective], &remedy, error);
    if (status != TUTTI_OK && !options->force) {
      exported->remedy = remedy;
      return status;
    }
    if (status != TUTTI_OK)
      tutti_say(stderr, "tutti: warning: %s\n  %s\n", error->message, remedy);
    free(remedy);
  }
  return TUTTI_OK;
}
