/* tutti export: decisions as files that MPI libraries and others read. */
#include <limits.h>

#include "cli/command.h"
#include "cli/export/export.h"
#include "cli/options/common.h"
#include "cli/output/output.h"
#include "tutti/plugin.h"
#include "tutti/reproducible.h"

/* ---- from decisions to what the target supports ---- */

static tutti_range range_of(const struct export_options *options, const tutti_decision_map *map)
{
  tutti_range range = map ? tutti_range_of_map(map) : tutti_range_without_map(TUTTI_EVERY_RANKS);
  if (options->max_ranks) {
    range.min_ranks = options->min_ranks;
    range.max_ranks = options->max_ranks;
    range.extend = false;
  }
  range.reproducible = options->selection.reproducible;
  range.extend = range.extend || options->extend || range.reproducible; /* the library's own choice has no class */
  return range;
}

/* Whether there is any answer. Only then every size is asked about. */
static bool answers(const tutti_decision *decision, tutti_collective collective, int max_ranks)
{
  const tutti_rule *rule;
  tutti_question question = {.collective = collective};
  tutti_method method;
  for (uint64_t p = 2; p <= (uint64_t)max_ranks; p += p < 64 ? 1 : p / 8)
    for (int bit = 0; bit < 64; bit++) {
      question.ranks = (int)p;
      question.rank_bytes = (UINT64_C(1) << bit) - (bit < 32);
      if (decision->decide(decision, &question, &method))
        return true;
    }
  for (size_t i = 0; (rule = tutti_decision_rule_at(decision, i)); i++) {
    question.ranks = rule->ranks[0] < 2 ? 2 : (int)rule->ranks[0];
    question.rank_bytes = rule->bytes[0];
    if (decision->decide(decision, &question, &method))
      return true;
  }
  return false;
}

/* Whether the decision covers the collective. A file of a library decides only what it has rules for: elsewhere it
   answers with the library's own choice. */
static bool decides(const struct export_options *options, const struct exported *exported,
                    const tutti_decision *decision, tutti_collective collective)
{
  bool decided = answers(decision, collective, options->max_ranks ? options->max_ranks : INT_MAX);
  if (decided && !options->one && decision->collective >= TUTTI_COLL_COUNT)
    return tuning_file_decides(options->names.items[decision - exported->decisions], collective);
  return decided;
}

/* Judged by the target's own algorithms where these were measured. */
static tutti_status read_map(const struct export_options *options, tutti_collective collective,
                             struct measured_map *measured, tutti_error *error)
{
  const tutti_implementation library = tutti_target_implementation(options->target);
  tutti_status status = selection_read_map_of(&options->selection, library, collective, measured, error);
  return status == TUTTI_OK ? selection_choose_for_library(&options->selection, library, measured, error) : status;
}

static void export_collective(const struct export_options *options, const tutti_decision *decision,
                              tutti_collective collective, struct exported *exported)
{
  struct measured_map *map = &exported->maps[collective];
  const bool model = exported->predictors[decision - exported->decisions].count > 0;
  bool measured = model ? map->map.best != NULL : *options->selection.platform != '\0';
  for (int i = 0; i < exported->part_count; i++)
    if (exported->parts[i].table.collective == collective)
      die("%s and %s both decide on %s: say which with --collective, or leave one out",
          exported->parts[i].decision->name, decision->name, tutti_collective_name(collective));
  if (measured && !model)
    must(read_map(options, collective, map, &failure));
  tutti_range range = range_of(options, measured ? &map->map : NULL);
  must(tutti_export_part_create(options->target, decision, collective, &range, exported->parts, exported->part_count,
                                &exported->parts[exported->part_count], &failure));
  exported->part_count++;
}

/* Collectives of which others are made come first: what others run depends on what the file says about them. */
static void export_decision(const struct export_options *options, const tutti_decision *decision, bool last,
                            struct exported *exported)
{
  for (int c = 0; c < TUTTI_COLL_COUNT; c++)
    if ((!options->one || options->collective == (tutti_collective)c) &&
        tutti_export_comes_last((tutti_collective)c) == last &&
        decides(options, exported, decision, (tutti_collective)c))
      export_collective(options, decision, (tutti_collective)c, exported);
}

/* In a file parts stand in the order of the decisions, then of the collectives. */
static int compare_parts(const void *left, const void *right)
{
  const tutti_export_part *a = left, *b = right;
  if (a->decision != b->decision)
    return a->decision < b->decision ? -1 : 1;
  return (a->table.collective > b->table.collective) - (a->table.collective < b->table.collective);
}

static void check_answers(const struct exported *exported, size_t count)
{
  for (size_t i = 0; i < count; i++) {
    bool answered = false;
    for (int p = 0; p < exported->part_count; p++)
      answered = answered || exported->parts[p].decision == &exported->decisions[i];
    if (!answered)
      die("%s has no answer for what is to be written%s", exported->decisions[i].name,
          exported->decisions[i].collective == TUTTI_COLL_COUNT
              ? ": no rule that its library follows whatever the ranks a node (see tutti lint, and tutti explain "
                "--ranks-per-node)"
              : "");
  }
}

/* A decision made of models: the candidates are the methods that were measured, if any were. */
static void read_models(const struct export_options *options, size_t index, struct exported *exported)
{
  const char *name = options->names.items[index];
  struct measured_map *measured = &exported->maps[options->collective];
  if (!options->one)
    die("%s decides for any collective: say which with --collective", name);
  if (!*options->selection.platform || read_map(options, options->collective, measured, NULL) != TUTTI_OK) {
    *measured = (struct measured_map){0};
    tutti_say(stderr,
              "tutti: %s chooses among all algorithms with a formula: no measurements of a platform say among "
              "which\n",
              name);
  }
  predictors_decide(&options->predictor, name, options->collective, measured->map.methods, measured->map.method_count,
                    &options->selection, &exported->predictors[index], &exported->decisions[index]);
}

static void read_decision(const struct export_options *options, size_t index, struct exported *exported)
{
  const tutti_collective collective = options->one ? options->collective : TUTTI_COLL_COUNT;
  if (names_models(options->names.items[index]))
    read_models(options, index, exported);
  else
    must(decision_argument_read(options->names.items[index], collective, &exported->decisions[index], &failure));
}

/* Make the parts of all decisions; exported_free() in any case. */
static void export_all(const struct export_options *options, struct exported *exported)
{
  size_t count = options->names.count;
  exported->decisions = tutti_xcalloc(count, sizeof *exported->decisions);
  exported->predictors = tutti_xcalloc(count, sizeof *exported->predictors);
  for (size_t i = 0; i < count; i++)
    read_decision(options, i, exported);
  for (int last = 0; last < 2; last++)
    for (size_t i = 0; i < count; i++)
      export_decision(options, &exported->decisions[i], last, exported);
  check_answers(exported, count);
  if (exported->part_count > 0)
    qsort(exported->parts, (size_t)exported->part_count, sizeof *exported->parts, compare_parts);
}

static void exported_free(struct exported *exported, size_t names)
{
  for (int i = 0; i < exported->part_count; i++)
    tutti_export_part_free(&exported->parts[i]);
  for (int i = 0; i < TUTTI_COLL_COUNT; i++)
    tutti_decision_map_free(&exported->maps[i].map);
  for (size_t i = 0; exported->decisions && i < names; i++) {
    tutti_decision_free(&exported->decisions[i]);
    predictors_free(&exported->predictors[i]);
  }
  free(exported->decisions);
  free(exported->predictors);
  free(exported->remedy);
}

/* ---- options ---- */

/* FROM..TO */
static void read_ranks(void *values, const char *text)
{
  struct export_options *options = values;
  const char *dots = strstr(text, "..");
  uint64_t min, max;
  char *from = tutti_xstrndup(text, dots ? (size_t)(dots - text) : 0);
  bool good =
      dots && tutti_parse_integer(from, 2, INT_MAX - 1, &min) && tutti_parse_integer(dots + 2, min, INT_MAX - 1, &max);
  free(from);
  if (!good)
    die("'%.40s' is not FROM..TO, two numbers of ranks, at least 2", text);
  options->min_ranks = (int)min;
  options->max_ranks = (int)max;
}

static void check(void *values)
{
  struct export_options *options = values;
  options->selection.one_tree = true; /* tutti_range.reproducible */
  if ((options->json || options->csv) && !options->path)
    die("--json and --csv need --output: the file takes standard output");
}

static const struct option_row option_table[] = {
    OPTION_HEADING("Output:"),
    OPTION_PARSE("format", "TARGET", struct export_options, target, option_target, "what to write: see below"),
    OPTION_OUTPUT(struct export_options, path),
    OPTION_PARSE("collective", "NAME", struct export_options, collective, option_collective, "only this collective",
                 OPTION_GIVEN(struct export_options, one)),
    OPTION_PARSE_ALL("ranks", "A..B", read_ranks, "communicator sizes", .letter = 'P',
                     .otherwise = "the measured ones, or 2..1024"),
    OPTION_FLAG("extend", struct export_options, extend,
                "let the answers of the ends hold beyond what was measured, or --ranks"),
    OPTION_FLAG("force", struct export_options, force,
                "write the file even if the library's own times are not known, or the library is faster without it",
                .everyday = true),
    OPTION_JSON(struct export_options, json),
    OPTION_CSV(struct export_options, csv),
    OPTION_HEADING("Models:"),
    OPTION_TABLE(struct export_options, predictor, predictor_table),
    OPTION_HEADING("Measurements:"),
    OPTION_TABLE(struct export_options, selection, optional_selection_table),
    ARGUMENT_STRINGS("DECISION", struct export_options, names),
    OPTION_REQUIRED("format", "in which format? --format NAME"),
    OPTION_CHECK(check),
    OPTION_END};

/* The targets, below the options. */
static char *list_targets(void)
{
  struct tutti_text_stream list;
  tutti_xopen_text(&list);
  fprintf(list.stream, "Targets (openmpi, mpich: the versions of Debian 12; mpich-5.0.2: mpich-5):\n");
  for (size_t i = 0; tutti_target_at(i); i++)
    fprintf(list.stream, "  %-15s %s\n", tutti_target_at(i)->name, tutti_target_at(i)->summary);
  return tutti_xclose_text(&list);
}

/* The commands read such a file with the plug-in, the interposer does not. */
static void warn_of_plugins(const struct exported *exported)
{
  char name[TUTTI_METHOD_LENGTH];
  for (int i = 0; i < exported->part_count; i++)
    for (int m = 0; m < exported->parts[i].table.method_count; m++)
      if (tutti_algorithm_is_plugin(exported->parts[i].table.methods[m].algorithm))
        tutti_say(stderr, "tutti: warning: %s is of a plug-in, and the interposer loads none: it refuses this file\n",
                  tutti_method_format(&exported->parts[i].table.methods[m], name));
}

static void write_file(const struct export_options *options, const struct exported *exported)
{
  struct tutti_output output;
  char *comment = export_describe(exported);
  output_begin(options->path, &output);
  must(options->target->write(exported->parts, exported->part_count, comment, output.stream, &failure));
  output_end(&output);
  export_print(options, exported, comment);
  if (strcmp(options->target->name, "tutti") == 0)
    warn_of_plugins(exported);
  free(comment);
}

static int run(void *values)
{
  const struct export_options *options = values;
  struct exported exported = {0};
  export_all(options, &exported);
  int code = EXIT_DONE;
  if (export_judge(options, &exported, &failure) == TUTTI_OK)
    write_file(options, &exported);
  else
    code = complain(&failure);
  if (exported.remedy)
    tutti_say(stderr, "  %s\n", exported.remedy);
  exported_free(&exported, options->names.count);
  return code;
}

DEFINE_COMMAND(export, "export", option_table, struct export_options, run, .list = list_targets);
