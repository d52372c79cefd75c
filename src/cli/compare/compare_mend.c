/* The file without what loses. */
#include <limits.h>

#include "base/numbers.h"
#include "cli/compare/compare.h"
#include "cli/output/output.h"
#include "decision/libraries/libraries.h"

/* ---- rules that stay for single sizes, since nothing was measured between these and the next ones ---- */

/* The next size that was looked at of the same collective on as many ranks; 0: no larger one. */
static uint64_t next_size(const tutti_tuning_comparison *found, const tutti_compared_point *point)
{
  uint64_t next = 0;
  for (size_t i = 0; i < found->count + found->unchanged; i++) {
    const tutti_compared_point *other = &found->points[i];
    if (other->collective == point->collective && other->ranks == point->ranks && other->bytes > point->bytes &&
        (next == 0 || other->bytes < next))
      next = other->bytes;
  }
  return next;
}

/* True if the point has won and its rule continues far beyond it, to sizes that were not measured. Then *middle is a
   size to measure there. */
static bool is_alone(const tutti_tuning_comparison *found, const tutti_step_table *table,
                     const tutti_compared_point *point, uint64_t *middle)
{
  const uint64_t next = next_size(found, point), far = TUTTI_FAR_SIZE * (point->bytes ? point->bytes : 1);
  *middle = tutti_size_between(point->bytes, next);
  return point->outcome == TUTTI_WON && next >= far && *middle &&
         tutti_step_table_find(table, point->ranks, far - 1) ==
             tutti_step_table_find(table, point->ranks, point->bytes);
}

static void print_gaps(const struct compare_report *report, const tutti_tuning *tuning, FILE *stream)
{
  const tutti_tuning_comparison *found = report->found;
  uint64_t *middles = tutti_xcalloc(found->count + 1, sizeof *middles);
  size_t alone = 0;
  tutti_step_table table = {.row_count = 0};
  for (size_t i = 0; i < found->count; i++) {
    const tutti_compared_point *point = &found->points[i];
    if (i == 0 || point->collective != point[-1].collective) {
      tutti_step_table_free(&table);
      must(tutti_tuning_steps(tuning, point->collective, found->ranks_per_node, &table, &failure));
    }
    alone += is_alone(found, &table, point, &middles[alone]);
  }
  tutti_step_table_free(&table);
  if (alone > 0)
    fprintf(stream,
            "%zu of the points won keep%s the rule for %s size alone, since nothing was measured near above: "
            "%s -s ",
            alone, alone == 1 ? "s" : "", alone == 1 ? "its" : "their",
            report->options->between ? "add" : "use --between, or add");
  size_t count = tutti_numbers_unique(middles, alone);
  for (size_t i = 0; i < count; i++)
    fprintf(stream, "%s%llu", i ? "," : "", (unsigned long long)middles[i]);
  if (alone > 0)
    fputc('\n', stream);
  free(middles);
}

/* ---- the file ---- */

static bool is_replaced(const struct compare_options *options, const tutti_compared_point *point)
{
  return options->keep_unclear ? point->outcome == TUTTI_LOST : point->outcome != TUTTI_WON;
}

/* Those, too, at which the file changes nothing. */
static size_t count_points(const struct compare_report *report)
{
  return report->found->count + report->found->unchanged;
}

static size_t list_points(const struct compare_report *report, tutti_mended_point *points)
{
  size_t replaced = 0;
  for (size_t i = 0; i < count_points(report); i++) {
    const tutti_compared_point *point = &report->found->points[i];
    points[i] = (tutti_mended_point){.collective = point->collective,
                                     .ranks = point->ranks,
                                     .bytes = point->bytes,
                                     .own = is_replaced(report->options, point),
                                     .lost = point->outcome == TUTTI_LOST,
                                     .won = !report->options->keep_unclear};
    replaced += points[i].own;
  }
  return replaced;
}

/* Where AFTER leaves the choice to the library and is slower all the same, it is having rules that costs: looking them
   up takes some ten nanoseconds. Then the collective gets none. */
static void drop_costly(const struct compare_report *report, const tutti_tuning *tuning, tutti_collective collective,
                        tutti_mended_point *points, size_t *replaced)
{
  tutti_step_table table = {.row_count = 0};
  bool costly = false;
  must(tutti_tuning_steps(tuning, collective, report->found->ranks_per_node, &table, &failure));
  bool answers = tutti_step_table_answers(&table);
  for (size_t i = 0; i < report->found->count && answers; i++)
    costly |= points[i].collective == collective && report->found->points[i].outcome == TUTTI_LOST &&
              tutti_step_table_find(&table, points[i].ranks, points[i].bytes) < 0;
  tutti_step_table_free(&table);
  if (!costly)
    return;
  for (size_t i = 0; i < count_points(report); i++)
    if (points[i].collective == collective) {
      *replaced += !points[i].own;
      points[i].own = true;
    }
  tutti_say(stderr, "%s: lost even where the library chooses itself: all rules for it are left out\n",
            tutti_collective_name(collective));
}

static void drop_all_costly(const struct compare_report *report, const tutti_tuning *tuning, tutti_mended_point *points,
                            size_t *replaced)
{
  const tutti_sweep *sweeps = report->experiment->sweeps; /* those of a collective stand together */
  for (int s = 0; s < report->experiment->sweep_count; s++)
    if (s == 0 || sweeps[s].collective != sweeps[s - 1].collective)
      drop_costly(report, tuning, sweeps[s].collective, points, replaced);
}

/* The file that was mended is named by its digest: under its name there may be another one later. */
static char *comment_of(const struct compare_report *report, size_t replaced)
{
  return tutti_xprintf(
      "Mended by tutti compare: of the file %.16s the library's own choice stands at %zu of %zu points\n"
      "that were compared on %s, with %s.\n",
      report->found->digests[1], replaced, count_points(report), report->experiment->platform_name,
      *report->found->library ? report->found->library : report->experiment->flavor);
}

/* The measured version, if it is known; the text alone does not distinguish Open MPI 4 from 5. */
static void version_of(const struct compare_report *report, tutti_library_version *version)
{
  const char *library = report->found->library;
  must(strchr(library, '-') ? tutti_library_version_of_run(report->experiment->flavor, library, version, &failure)
                            : tuning_file_guess(report->options->names[1], version, &failure));
}

static void write_mended(const struct compare_report *report, const tutti_tuning *tuning,
                         const tutti_mended_point *points, const char *comment, size_t *unjudged)
{
  struct tutti_output output;
  output_begin(report->options->mended, &output);
  must(tutti_tuning_mend(tuning, points, count_points(report), report->found->ranks_per_node, comment, output.stream,
                         unjudged, &failure));
  output_end(&output);
}

/* The numbers of ranks, or sizes, if these are the same for all collectives: the store, or the rules, had them, and the
   mended file has other rules. */
static void print_axis(FILE *stream, const tutti_experiment *experiment, bool sizes)
{
  const tutti_sweep *first = &experiment->sweeps[0];
  int count = sizes ? first->size_count : first->ranks_count;
  char text[24];
  for (int s = 1; s < experiment->sweep_count; s++) {
    const tutti_sweep *sweep = &experiment->sweeps[s];
    if (sizes ? sweep->size_count != count || memcmp(sweep->sizes, first->sizes, (size_t)count * sizeof *first->sizes)
              : sweep->ranks_count != count || memcmp(sweep->ranks, first->ranks, (size_t)count * sizeof *first->ranks))
      return;
  }
  for (int i = 0; i < count; i++) {
    fputs(i ? "," : sizes ? " -s " : " -P ", stream);
    if (sizes)
      fputs(tutti_size_format(first->sizes[i], text), stream);
    else
      fprintf(stream, "%d", first->ranks[i]);
  }
}

/* The command that measures the mended file as the file was measured: at the same points, launched in the same way. */
static void print_again(FILE *stream, const struct compare_report *report)
{
  static const char *const repeated[] = {
      "unchanged",   "collective",     "ranks",         "size",     "between",   "root",        "scheme",
      "repetitions", "rounds",         "seed",          "level",    "flavor",    "library",     "setting",
      "environment", "tutti-version",  "launcher",      "program",  "build-dir", "job-timeout", "launcher-args",
      "hostfile",    "ranks-per-node", "oversubscribe", "work-dir", NULL};
  const struct compare_options *options = report->options;
  char *given = options_given(repeated), *file = tutti_xshell_word(options->mended),
       *platform = tutti_xshell_word(report->experiment->platform_name),
       *database = tutti_xshell_word(options->launch.database);
  tutti_say(stream, "tutti compare untuned %s --platform %s --db %s%s", file, platform, database, given);
  if (!options->ranks.count)
    print_axis(stream, report->experiment, false);
  if (!options->sizes.count && !options->between)
    print_axis(stream, report->experiment, true);
  free(given);
  free(file);
  free(platform);
  free(database);
}

/* What to do with the file, on standard error. */
static void print_use(const struct compare_report *report, const tutti_library_version *version, size_t replaced,
                      size_t unjudged)
{
  const struct compare_options *options = report->options;
  char whole[PATH_MAX];
  tutti_say(stderr, "%s: the library's own choice at %zu of %zu points", options->mended, replaced,
            count_points(report));
  if (unjudged > 0)
    tutti_say(stderr, "; %zu rule%s for ranks that are placed otherwise %s not judged and stay%s", unjudged,
              tutti_plural(unjudged), unjudged == 1 ? "was" : "were", unjudged == 1 ? "s" : "");
  if (replaced == count_points(report) && unjudged == 0) {
    tutti_say(stderr, ": nothing is left of %s there, so there is nothing to install\n", options->names[1]);
    return;
  }
  fputs("; to see what it does now: ", stderr);
  print_again(stderr, report);
  fputc('\n', stderr);
  tutti_target_print_use(tutti_target_of_version(version), realpath(options->mended, whole) ? whole : options->mended,
                         stderr);
}

void compare_mend(const struct compare_report *report)
{
  const struct compare_options *options = report->options;
  tutti_mended_point *points = tutti_xcalloc(count_points(report) + 1, sizeof *points);
  size_t replaced = list_points(report, points), unjudged = 0;
  char *comment = NULL;
  tutti_library_version version;
  tutti_tuning *tuning = NULL;
  version_of(report, &version);
  must(tutti_tuning_open(options->names[1], &version, &tuning, &failure));
  drop_all_costly(report, tuning, points, &replaced);
  comment = comment_of(report, replaced);
  write_mended(report, tuning, points, comment, &unjudged);
  if (!options->keep_unclear)
    print_gaps(report, tuning, stderr);
  print_use(report, &version, replaced, unjudged);
  tutti_tuning_close(tuning);
  free(comment);
  free(points);
}
