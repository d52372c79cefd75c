/* tutti predict: what methods take under models, the best of them, the best segment sizes. */
#include <unistd.h>

#include "algorithms/catalogue/msccl/load.h"
#include "cli/command.h"
#include "cli/options/common.h"
#include "cli/plot/plot.h"
#include "cli/predict/predict.h"

/* ---- options ---- */

/* "none,best,8KB"; the last option counts. */
static void read_segments(void *member, const char *text)
{
  struct predict_segments *segments = member;
  char *words = tutti_xstrdup(text), *rest = words;
  segments->count = 0;
  segments->best = false;
  for (char *word; (word = strsep(&rest, ","));) {
    uint64_t bytes = 0;
    if (strcmp(word, "best") == 0)
      segments->best = true;
    else if (strcmp(word, "none") != 0 && (tutti_size_parse(word, &bytes, NULL) != TUTTI_OK || bytes == 0))
      die("'%s' is none of none, best and a size", word);
    else
      tutti_xpush(segments, bytes);
  }
  free(words);
}

/* Nothing is measured here; a platform without a store is enough. */
static void check_selection(struct selection_options *selection)
{
  const struct selection_patterns *patterns = &selection->patterns;
  if (selection->root >= 0 || selection->selection.scheme >= 0 || patterns->arrival_count || patterns->noise_count)
    die("--root, --scheme, --arrival and --noise say which measurements to read: nothing is measured here");
  if (!*selection->platform && access(selection->database, F_OK) != 0)
    die("--platform NAME is missing: tutti platform list has the names");
  selection_need_platform(selection);
}

static void complete_sizes(struct predict_options *options)
{
  if (options->sizes.count > 0)
    return;
  options->sizes = (struct option_numbers){tutti_xcalloc(1, sizeof(uint64_t)), 1};
  options->sizes.items[0] = options->collective == TUTTI_COLL_BARRIER ? 0 : 1024;
}

/* Methods that are asked for can be the best: all of them round apart only where nothing else is asked for. */
static void read_methods(struct predict_options *options)
{
  bool apart = options->names.count > 0;
  for (size_t i = 0; i < options->names.count; i++) {
    tutti_error reason;
    tutti_method method;
    char *name = tutti_experiment_method_name(options->collective, options->names.items[i], &method, &reason);
    if (!name)
      die("--method: %s", reason.message);
    free(name);
    tutti_xpush(&options->methods, method);
    apart = apart && tutti_method_rounds_apart(&method);
  }
  options->selection.rounds_apart |= apart;
}

/* Fill in what was not given, and reject options that cannot be combined. */
static void complete(void *values)
{
  struct predict_options *options = values;
  complete_sizes(options);
  check_selection(&options->selection);
  if (options->evidence && !options->like)
    die("--evidence goes with --like");
  if (options->own && !options->evidence)
    die("--own-choice goes with --evidence");
  if (options->verbose && !options->evidence)
    die("--verbose goes with --evidence");
  if (options->scenarios > 0 && (options->like || !options->placement.allocation || !options->selection.patterns.joins))
    die("--scenarios goes with --allocation and --robust, and without --like");
  if (options->collective == TUTTI_COLL_BARRIER && (options->sizes.count > 1 || options->sizes.items[0] > 0))
    die("--size: a barrier has no message");
  read_methods(options);
  if (!options->segments.given)
    read_segments(&options->segments, "none,best");
}

static const struct option_row options[] = {
    OPTION_HEADING("What to predict:"),
    OPTION_NUMBERS("ranks", struct predict_options, ranks, tutti_experiment_parse_rank_count,
                   "communicator sizes: 64 or 2..28 or 16,64 or 2..1024*2", .letter = 'P', .initial = "64",
                   OPTION_GIVEN(struct predict_options, ranked)),
    OPTION_NUMBERS(
        "size", struct predict_options, sizes, tutti_size_parse,
        "bytes of the message, or of one rank's block: 768KB or 1..1MB*2; 8..1MB*4 ends with 512KB, its last step",
        .letter = 's', .aliases = "m", .otherwise = "1KB; barrier: 0", OPTION_GIVEN(struct predict_options, sized)),
    OPTION_STRINGS("method", "METHOD", struct predict_options, names,
                   "predict this method, such as binomial or bcast/chain/8KB; may be repeated",
                   .otherwise = "all algorithms"),
    OPTION_PARSE("segments", "LIST", struct predict_options, segments, read_segments,
                 "segment sizes to try: none, best, 8KB; for a METHOD without any only if they are given",
                 .otherwise = "none,best", OPTION_GIVEN(struct predict_options, segments.given), .everyday = true),
    OPTION_STRING("model", "LIST", struct predict_options, models,
                  "hockney, loggp, plogp, each with a weight of its vote: hockney,loggp=2,plogp=2",
                  .otherwise = "all whose parameters are known, 1 each", .everyday = true),
    OPTION_HEADING("By simulation, of a platform that tutti fit has written, unless a model is asked for:"),
    OPTION_STRING("like", "TABLE", struct predict_options, like,
                  "predict the points of this table, with headings collective, nodes, ranks_per_node, bytes (of the "
                  "message or of all blocks) and method, and tabs between its fields"),
    OPTION_STRING("machine", "NAME", struct predict_options, machine, "only its rows of this machine",
                  .otherwise = "all"),
    OPTION_STRING("evidence", "TABLE", struct predict_options, evidence,
                  "of --like: learn from the measured points of this table, in nanoseconds under median_ns; methods "
                  "without a schedule are predicted, too"),
    OPTION_STRING("own-choice", "DECISION", struct predict_options, own,
                  "with --evidence: what the library chooses by itself, such as library:openmpi-4.1 or a tuning file"),
    OPTION_NUMBER("confidence", "PERCENT", struct predict_options, confidence,
                  "with --evidence: how sure it must be that another method is faster than the library's own choice",
                  .min = 50, .max = 100, .initial = "60"),
    OPTION_FLAG("verbose", struct predict_options, verbose,
                "with --evidence: name all rows that are passed over, not three of each kind", .letter = 'v'),
    OPTION_TABLE(struct predict_options, placement, placement_table),
    OPTION_NUMBER("scenarios", "N", struct predict_options, scenarios,
                  "with --allocation and --robust: choose one method of each call for N jobs of the file, evenly over "
                  "those with as many nodes, and judge it on N others; --output-db stores the joint times",
                  .min = 2, .max = 1000, .otherwise = "the first job alone"),
    OPTION_FLAG("per-algorithm", struct predict_options, per_algorithm,
                "correct the times for each algorithm and size, as the points of the fit say"),
    OPTION_SIZE("most-messages", "N", struct predict_options, most_messages,
                "leave out calls with more messages than about so many", .min = 1, .otherwise = "any number"),
    OPTION_HEADING("Output:"),
    OPTION_PARSE(
        "plot", "FILE", struct predict_options, plot, gnuplot_option,
        "draw the decision map of the model to FILE.svg, FILE.png or FILE.pdf; maps of a platform that tutti fit "
        "has written are made by tutti bench --engine fast and tutti map"),
    OPTION_TITLE(struct predict_options, title),
    OPTION_STRING("output-db", "FILE", struct predict_options, store,
                  "put the times by models into a store, as measured by the flavor \"model\": for tutti map, penalty "
                  "and what else reads maps",
                  .aliases = "store", .writes = WRITES_STORE),
    OPTION_FLAG("times", struct predict_options, times,
                "of several points, print the times of the best and the second best method too"),
    OPTION_FORMAT(struct predict_options, format),
    OPTION_HEADING("Prediction:"),
    OPTION_TABLE(struct predict_options, predictor, predictor_table),
    OPTION_HEADING("Platform, and where its parameters are:"),
    OPTION_TABLE(struct predict_options, selection, optional_selection_table),
    ARGUMENT_PARSE("COLLECTIVE", struct predict_options, collective, option_collective),
    OPTION_CHECK(complete),
    OPTION_END};

const char *predictor_name(const tutti_predictor *predictor, char *text)
{
  bool printed = predictor->by == TUTTI_BY_FORMULA && predictor->formula == TUTTI_FORMULA_PRINTED;
  snprintf(text, 32, "%s by %s%s", tutti_model_kind_name(predictor->model.kind), printed ? "printed " : "",
           tutti_predict_by_name(predictor->by));
  return text;
}

/* A schedule that was found for links is not what a model prices, whose ranks have one port each. */
static void note_found(const struct prediction *prediction)
{
  for (size_t i = 0; i < prediction->count; i++)
    if (tutti_msccl_program(prediction->items[i].algorithm)) {
      tutti_say(stderr,
                "tutti: note: models know one port of a rank, and no links: a schedule for the links of a machine, "
                "as that of %s may be, is judged by tutti bench --platform\n",
                prediction->items[i].algorithm->name);
      return;
    }
}

static void predict_one(const struct predict_options *chosen, const struct predictors *predictors)
{
  struct prediction prediction;
  if (!predict_call(chosen, predictors, (int)chosen->ranks.items[0], chosen->sizes.items[0], &prediction))
    die("%s", prediction.reason.message);
  predict_note_left_out(chosen, prediction.left_out, &prediction.reason);
  note_found(&prediction);
  predict_print(chosen, predictors, &prediction);
  if (prediction.faster_apart >= 0)
    selection_note_rounds_apart(NULL, chosen->selection.platform, &prediction.items[prediction.faster_apart], 1);
  prediction_free(&prediction);
}

static void predict_by_models(const struct predict_options *chosen)
{
  struct predictors predictors;
  if (chosen->per_algorithm || chosen->selection.selection.ranks_per_node > 0 || chosen->most_messages ||
      chosen->placement.allocation)
    die("--per-algorithm, --ranks-per-node, --most-messages and --allocation are for platforms that tutti fit has "
        "written, without --model and --parameters");
  must(predictors_read(&chosen->predictor, chosen->models, &chosen->selection, &predictors, &failure));
  bool one = chosen->ranks.count == 1 && chosen->sizes.count == 1 && !chosen->plot && !chosen->store;
  if (one)
    predict_one(chosen, &predictors);
  else
    predict_maps(chosen, &predictors);
  predictors_free(&predictors);
}

/* Methods as --methods of tutti bench has them; owned by the caller. */
static char *list_methods(const struct option_strings *names)
{
  struct tutti_text_stream list;
  tutti_xopen_text(&list);
  for (size_t i = 0; i < names->count; i++)
    fprintf(list.stream, "%s%s", i ? "," : " --methods ", names->items[i]);
  return tutti_xclose_text(&list);
}

/* Maps of a fitted platform are simulated and stored as those of any other one. */
static void refuse_maps(const struct predict_options *chosen)
{
  static const char *const axes[] = {"ranks", "size", NULL}, *const stores[] = {"db", NULL},
                           *const plots[] = {"plot", NULL};
  const char *collective = tutti_collective_name(chosen->collective);
  char *points = options_given(axes), *store = options_given(stores);
  char *plot = options_given(plots), *methods = list_methods(&chosen->names);
  char *platform = tutti_xshell_word(chosen->selection.platform_argument);
  char *database = chosen->store ? tutti_xshell_word(chosen->store) : NULL;
  const bool sized = chosen->sized || chosen->collective == TUTTI_COLL_BARRIER;
  char *place =
      tutti_xprintf("--platform %s --engine fast%s%s", platform, database ? " --db " : store, database ? database : "");
  die("--plot and --output-db are for models (--model, --parameters); maps of a fitted platform are simulated:\n  "
      "tutti bench %s %s%s%s%s%s\n  tutti map %s %s%s",
      collective, place, chosen->ranked ? "" : " -P 64", sized ? "" : " -s 1KB", points, methods, collective, place,
      plot);
}

/* Models need no platform file: they may be of a machine that was measured. */
static void predict(struct predict_options *chosen)
{
  tutti_platform platform;
  const char *name = chosen->selection.platform_argument;
  const tutti_status status = name && *name ? platform_load(name, &platform, &failure) : TUTTI_ERR_ARGUMENT;
  if (chosen->like)
    must(status);
  if (status != TUTTI_OK) {
    predict_by_models(chosen);
    return;
  }
  chosen->places = (tutti_places){.ranks_per_host = platform.ranks_per_node, .torus = platform.torus};
  const bool simulated = simulated_is_asked(chosen, &platform);
  if (chosen->scenarios > 0 && !simulated)
    die("--scenarios: the platform is not one that tutti fit has written, or a model is asked for");
  if (simulated && (chosen->plot || (chosen->store && chosen->scenarios == 0)) && !chosen->like)
    refuse_maps(chosen);
  else if (simulated)
    predict_simulated(chosen, &platform);
  else
    predict_by_models(chosen);
  tutti_platform_free(&platform);
}

static int predict_calls(void *values)
{
  struct predict_options *chosen = values;
  predict(chosen);
  tutti_vector_free(&chosen->methods);
  tutti_vector_free(&chosen->segments);
  if (!chosen->ranked && !chosen->like)
    note_default("ranks", "64");
  if (!chosen->sized && !chosen->like && chosen->collective != TUTTI_COLL_BARRIER)
    note_default("size", "1KB");
  return EXIT_DONE;
}

DEFINE_COMMAND(predict, "predict", options, struct predict_options, predict_calls);
